"""Makes the pictures of the README and of ``pages.md`` from a running demo: ``python docs/screenshots.py [FOLDER]``.

Needs Chromium.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from browser import Browser

HERE = Path(__file__).parent
PORT = 8931
WAIT_S = 600.0

LAPTOP, PHONE, TELEVISION = (1280, 800), (360, 740), (1920, 1080)

PLAY_ON = "document.querySelector('dialog.banner[open] .other')?.click()"
"""Puts the message about an illegal move away."""


@dataclass(frozen=True)
class Picture:
    """A page, ready to be taken when ``ready`` (JavaScript) is true, after ``first`` was done."""

    path: str
    size: tuple[int, int]
    lang: str
    theme: str
    ready: str
    first: str = "true"


TURN = "document.querySelector('.turn') !== null"
FRAME = "document.querySelector('#frame:not([hidden])') !== null"
GAME = f"{TURN} && {FRAME}"
LIVE = "document.querySelector('#live')?.naturalWidth > 0"

NO_GAME = "document.querySelector('#no-game:not([hidden])') !== null"
ILLEGAL = "document.querySelectorAll('#banner[open] figure image').length == 2"

PICTURES = {
    # First, since the next turn takes the message away.
    "page-illegal.webp": Picture("game", LAPTOP, "en", "light", ILLEGAL),
    "demo.png": Picture("game", LAPTOP, "en", "light", GAME, PLAY_ON),
    "demo-phone.png": Picture("game", PHONE, "de", "light", GAME, PLAY_ON),
    "page-drawing.webp": Picture(
        "game", LAPTOP, "en", "dark", GAME, f"{PLAY_ON}; document.querySelector('#draw-board').click()"
    ),
    "page-start.webp": Picture(
        "", LAPTOP, "en", "light", "document.querySelector('#watch-card:not([hidden])') !== null"
    ),
    "page-camera.webp": Picture("camera", LAPTOP, "en", "light", f"{LIVE} && document.querySelector('.pick') !== null"),
    "page-table.webp": Picture(
        "table", LAPTOP, "en", "light", f"{LIVE} && document.querySelectorAll('.grid-line').length > 5"
    ),
    "page-corners.webp": Picture(
        "table", PHONE, "de", "light", "document.querySelector('.handle[visibility=visible]') !== null",
        "document.querySelector('#way-corners').click()",
    ),
    "page-setup.webp": Picture(
        "setup", LAPTOP, "en", "light", f"{LIVE} && document.querySelector('#position .note') !== null"
    ),
    "page-board.webp": Picture("board", TELEVISION, "de", "dark", "document.querySelector('.board-score') !== null"),
    "page-report.webp": Picture("report", LAPTOP, "en", "light", "document.querySelector('.course-line') !== null"),
    "page-phone.webp": Picture("phone#key", PHONE, "de", "dark", "document.querySelector('#state').innerText != ''"),
    "page-flick.webp": Picture("flick", LAPTOP, "en", "light", "document.querySelector('#kept:not(:empty)') !== null"),
    "page-flick-game.webp": Picture("flick/game", PHONE, "de", "light", NO_GAME),
    "page-qwixx.webp": Picture("qwixx", PHONE, "de", "dark", NO_GAME),
    "page-qwixx-sheet.webp": Picture("qwixx/sheet", PHONE, "de", "light", "document.querySelector('#photo') !== null"),
    "page-sets.webp": Picture("sets", LAPTOP, "en", "light", "document.querySelector('#which option') !== null"),
    "page-warning.webp": Picture("phone/warning", PHONE, "en", "light", "document.title != ''"),
}
"""Every picture by its file."""


@contextmanager
def running_demo() -> Iterator[str]:
    """The address of a demo that plays while the block runs."""
    command = [sys.executable, "-m", "web.cli", "demo", "--no-browser", "--port", str(PORT), "--speed", "2"]
    with tempfile.TemporaryDirectory() as home:  # nothing of whoever makes the pictures is on them
        kept = {**os.environ, "HOME": home, "XDG_DATA_HOME": home}
        process = subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.DEVNULL, env=kept)
        try:
            yield f"http://127.0.0.1:{PORT}/"
        finally:
            process.terminate()
            process.wait(60)


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
        for name, picture in PICTURES.items():
            take(browser, address, picture, folder / name)
            print(folder / name)


def take(browser: Browser, address: str, picture: Picture, file: Path) -> None:
    """Open a page, wait until it is ready, write it."""
    browser.open(address + picture.path, picture.size, picture.lang, picture.theme)
    browser.wait_for("document.querySelector('#theme')?.title != ''")
    time.sleep(0.5)
    browser.evaluate(picture.first)
    browser.wait_for(picture.ready, 120.0)
    time.sleep(0.8)
    browser.screenshot(file)
    browser.close_page()


if __name__ == "__main__":
    main()
