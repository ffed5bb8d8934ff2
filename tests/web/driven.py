"""What the tests share that drive the pages with Playwright; the Chromium that is installed, none is downloaded."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fake_game import CODE

from vision.hub import Hub
from web.app import Config, create_app
from web.cameras import DEMO_VIDEO
from web.desk import Desk
from web.server import make_server, stop
from web.shelf import Shelf

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SPEED = 4.0
PATIENCE_MS = 120_000
"""Nothing is asserted at once; this long is waited for what is to come, so that a busy computer fails no test."""

NEEDED = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium installed"),
    pytest.mark.skipif(not DEMO_VIDEO.is_file(), reason="the demo recording is not there"),
]


@dataclass(frozen=True)
class Program:
    """``schiri serve`` within the test: its address, and its desk."""

    address: str
    desk: Desk

    @property
    def hub(self) -> Hub:
        return self.desk.hub


@contextmanager
def serving(folder: Path) -> Iterator[Program]:
    """A program that knows nothing yet: no camera, no table, no game."""
    desk = Desk(Hub(), Shelf(folder / "kept"), folder / "journal.sqlite", speed=SPEED)
    config = Config(desk.hub, CODE, desk=desk)
    server = make_server(create_app(config), "127.0.0.1", 0)
    threads = [threading.Thread(target=server.run), threading.Thread(target=desk.run, args=(config.closing,))]
    for thread in threads:
        thread.daemon = True
        thread.start()
    yield Program(f"http://127.0.0.1:{server.effective_port}", desk)
    desk.stop()
    stop(server, config.closing)
    for thread in threads:
        thread.join(PATIENCE_MS / 1000)
        assert not thread.is_alive()


def launched(playwright: Any, *flags: str) -> Any:
    """A Chromium of its own."""
    return playwright.chromium.launch(
        executable_path=CHROMIUM, timeout=PATIENCE_MS, args=["--no-sandbox", "--disable-gpu", *flags]
    )


@contextmanager
def context_of(browser: Any, **wishes: Any) -> Iterator[Any]:
    """A browser's window as a person has set it up, patient."""
    context = browser.new_context(reduced_motion="reduce", **wishes)
    context.set_default_timeout(PATIENCE_MS)
    context.set_default_navigation_timeout(PATIENCE_MS)
    yield context
    context.close()


@contextmanager
def silent_page(context: Any) -> Iterator[Any]:
    """A page whose console must stay silent: nothing blocked by the policy, nothing thrown."""
    page = context.new_page()
    complaints: list[str] = []
    # 400 is how the server says in words what a person has to put right.
    page.on("console", lambda m: m.type == "error" and "status of 400" not in m.text and complaints.append(m.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.close()
    assert complaints == []


def choose_demo(page: Any, address: str) -> None:
    """Look through the bundled recording."""
    page.goto(f"{address}/camera")
    page.click("[data-camera=video-demo]")
    page.wait_for_selector("#next:not([hidden])")


def wait_until(true: Any, timeout_s: float = PATIENCE_MS / 1000) -> None:
    """Wait until ``true()`` is."""
    until = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def wait_for_picture(page: Any, image: str) -> None:
    """Wait until the image with this id shows something."""
    wait_until(lambda: page.evaluate(f"document.getElementById('{image}').naturalWidth") > 0)


def on_screen(page: Any, x: float, y: float) -> tuple[float, float]:
    """Where the pixel (x, y) of the camera's picture is on the page for measuring the table now."""
    script = """([x, y]) => {
        const drawing = document.getElementById("drawn");
        const at = new DOMPoint(x, y).matrixTransform(drawing.getScreenCTM());
        return [at.x, at.y];
    }"""
    left, top = page.evaluate(script, [x, y])
    return float(left), float(top)
