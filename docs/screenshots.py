"""Makes the pictures of the README from a running demo: ``python docs/screenshots.py [FOLDER]``. Needs Chromium."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser import Browser

HERE = Path(__file__).parent
PORT = 8931
WAIT_S = 600.0

PICTURES = {
    "demo": ((1280, 800), "en", "light"),
    "demo-phone": ((360, 740), "de", "light"),
}
"""Name of the picture: size, language, colours."""


@contextmanager
def running_demo() -> Iterator[str]:
    """The address of a demo that plays while the block runs."""
    command = [sys.executable, "-m", "web.cli", "demo", "--no-browser", "--port", str(PORT), "--speed", "2"]
    process = subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{PORT}/"
    finally:
        process.terminate()
        process.wait(15)


def wait_for_an_illegal_move(address: str) -> None:
    """Wait until at least four turns are shown and the newest is illegal. Ends the program after ``WAIT_S``."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        turns = snapshot(address).get("turns") or []
        if len(turns) >= 4 and turns[-1].get("legal") is False:
            return
        time.sleep(0.1)
    raise SystemExit("the demo has shown no illegal move")


def snapshot(address: str) -> dict[str, Any]:
    """The game as the page gets it; empty until the demo answers."""
    try:
        with urllib.request.urlopen(f"{address}api/snapshot", timeout=5) as answer:
            newest: dict[str, Any] = json.load(answer)
            return newest
    except OSError:
        return {}


def main() -> None:
    """Write every picture into the folder (docs without one)."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    with running_demo() as address, Browser() as browser:
        wait_for_an_illegal_move(address)
        for name, (size, lang, theme) in PICTURES.items():
            browser.open(address, size, lang, theme)
            browser.wait_for("document.querySelector('#frame:not([hidden])') !== null")
            browser.wait_for("document.querySelector('.turn') !== null")
            time.sleep(0.3)
            browser.screenshot(folder / f"{name}.png")
            browser.close_page()
            print(folder / f"{name}.png")


if __name__ == "__main__":
    main()
