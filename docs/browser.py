"""A small driver for headless Chromium over its debugging pipe: standard library only, no extra browser download."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_chromium() -> str | None:
    """The path of an installed Chromium or Chrome, None without one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class BrowserError(RuntimeError):
    """Chromium said no, or a page did not become what was waited for."""


class Browser:
    """One headless Chromium; ``with Browser() as browser: browser.open(url)``."""

    def __init__(self, executable: str | None = None) -> None:
        path = executable or find_chromium()
        if path is None:
            raise BrowserError("no Chromium found; on Debian: apt-get install chromium")
        self._home = tempfile.TemporaryDirectory(prefix="schiri-browser-", ignore_cleanup_errors=True)
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        flags = [
            "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--mute-audio",
            "--disable-background-networking", f"--user-data-dir={self._home.name}", "--remote-debugging-pipe",
        ]  # fmt: skip
        # Chromium reads commands at descriptor 3 and answers at 4.
        shell = f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}'
        self._process = subprocess.Popen(
            ["bash", "-c", shell, path, *flags], pass_fds=(to_read, to_write), stderr=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(to_write)
        self._buffer, self._number, self._session, self._context = b"", 0, "", ""
        self.console: list[str] = []
        """What pages complained about: console errors, uncaught exceptions, blocked resources."""

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._home.cleanup()

    def open(
        self, url: str, size: tuple[int, int] = (1280, 800), lang: str = "en", theme: str = "light", calm: bool = True
    ) -> None:
        """A new page of ``size`` pixels, with the wishes of its user: language, colours, ``calm``: less motion.

        It knows nothing of the pages before: neither their cookies nor what they have stored.
        """
        self._context = self.send("Target.createBrowserContext", session="")["browserContextId"]
        place = {"url": "about:blank", "browserContextId": self._context}
        target = self.send("Target.createTarget", session="", **place)["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True, session="")["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        width, height = size
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        wishes = {"prefers-color-scheme": theme, "prefers-reduced-motion": "reduce" if calm else "no-preference"}
        self.send("Emulation.setEmulatedMedia", features=[{"name": k, "value": v} for k, v in wishes.items()])
        self.send("Emulation.setUserAgentOverride", userAgent="schiri", acceptLanguage=lang)
        self.send("Page.navigate", url=url)
        self.wait_for("location.href != 'about:blank' && document.readyState == 'complete'")

    def close_page(self) -> None:
        """Close the page that was opened last, and forget what it has stored."""
        if self._context:
            self.send("Target.disposeBrowserContext", browserContextId=self._context, session="")
        self._session = self._context = ""

    def evaluate(self, script: str) -> Any:
        """The value of a JavaScript expression in the page (promises are waited for)."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(str(answer["exceptionDetails"].get("exception", {}).get("description", answer)))
        return answer["result"].get("value")

    def wait_for(self, script: str, timeout_s: float = 60.0) -> None:
        """Wait until an expression is true. Raises BrowserError when it takes longer than ``timeout_s``.

        An expression that fails counts as not yet true: what it asks for may come with the next page.
        """
        until = time.monotonic() + timeout_s
        while (said := self._said(script)) is not True:
            if time.monotonic() > until:
                raise BrowserError(f"waited {timeout_s:.0f} s in vain for: {script} ({said})")
            time.sleep(0.05)

    def _said(self, script: str) -> bool | str:
        try:
            return bool(self.evaluate(script))
        except BrowserError as error:
            if "Chromium has ended" in str(error):
                raise
            return str(error)

    def screenshot(self, path: Path, whole_page: bool = False) -> None:
        """Write the page as PNG, or as WebP by the file's name: what is in sight, or all of it."""
        kind = {"format": "webp", "quality": 82} if path.suffix == ".webp" else {"format": "png"}
        data = self.send("Page.captureScreenshot", captureBeyondViewport=whole_page, **kind)["data"]
        path.write_bytes(base64.b64decode(data))

    def send(self, method: str, session: str | None = None, **parameters: Any) -> Mapping[str, Any]:
        """One command of the DevTools protocol and its result. Raises BrowserError."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session and session is None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                break
            self._note(answer)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        result: Mapping[str, Any] = answer["result"]
        return result

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = os.read(self._from, 1 << 16)
            if not chunk:
                raise BrowserError("Chromium has ended")
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        parsed: dict[str, Any] = json.loads(message)
        return parsed

    def _note(self, event: Mapping[str, Any]) -> None:
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(str(details.get("exception", {}).get("description", details.get("text"))))
        if event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.console.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")
        if event.get("method") == "Runtime.consoleAPICalled" and parameters.get("type") in ("error", "assert"):
            self.console.append(str([arg.get("value") for arg in parameters["args"]]))
