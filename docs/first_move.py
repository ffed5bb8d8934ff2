"""How long it takes from ``schiri serve`` to the first judged move: ``python docs/first_move.py [SECONDS A LOOK]``.

Goes the way of somebody who has never seen the pages, with the bundled recording as camera at its own speed: waits
before every step as long as it takes to look and to decide (2 seconds unless told otherwise), then clicks or types.
Then once more in a program that was started again and knows the camera. Needs Chromium.
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
from pathlib import Path

from browser import Browser

HERE = Path(__file__).parent
PORT = 8933
PATIENCE_S = 600.0
NAMES = ("Anna", "Ben", "Cem")


@contextmanager
def served(home: Path) -> Iterator[str]:
    """The address of ``schiri serve`` for somebody whose data lie in ``home``."""
    command = [sys.executable, "-m", "web.cli", "serve", "--no-browser", "--port", str(PORT)]
    kept = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    process = subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.DEVNULL, env={**os.environ, **kept})
    try:
        yield f"http://127.0.0.1:{PORT}"
    finally:
        process.terminate()
        process.wait(60)


class Person:
    """Somebody at the pages; tells after every step how long it has taken since the program was started."""

    def __init__(self, browser: Browser, address: str, look_s: float) -> None:
        self._browser, self._address, self._look_s = browser, address, look_s
        self._began_s = time.monotonic()

    def told(self, what: str) -> None:
        print(f"{time.monotonic() - self._began_s:7.1f} s  {what}", flush=True)

    def opens(self) -> None:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(self._address, timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        self._browser.open(self._address + "/", (1280, 800))
        self.told("the start page is there")

    def waits(self, script: str) -> None:
        self._browser.wait_for(script, PATIENCE_S)

    def clicks(self, what: str, selector: str) -> None:
        free = f"document.querySelector({json.dumps(selector)})"
        self.waits(f"{free} !== null && !{free}.hidden && !{free}.disabled")
        time.sleep(self._look_s)
        self._browser.evaluate(f"{free}.click()")
        self.told(what)

    def types(self, what: str, selector: str, words: str) -> None:
        field = f"document.querySelector({json.dumps(selector)})"
        self.waits(f"{field} !== null")
        time.sleep(self._look_s)
        self._browser.evaluate(
            f"{field}.value = {json.dumps(words)}, {field}.dispatchEvent(new Event('input')),"
            f" {field}.dispatchEvent(new Event('change', {{bubbles: true}}))"
        )
        self.told(what)


def way(person: Person, known: bool) -> None:
    """From the start page to the first judged move."""
    person.opens()
    if known:
        person.clicks("here again", "#again")
        person.waits("location.pathname == '/setup' && document.querySelector('#players li') !== null")
        starts(person)
        return
    person.clicks("new game", "#new-game")
    person.clicks("this camera", "[data-camera=video-demo]")
    person.clicks("on to the table", "#next:not([hidden])")
    person.waits("location.pathname == '/table' && document.querySelector('#next:not([disabled])') !== null")
    person.told("the table is measured")
    person.clicks("on to the game", "#next:not([disabled])")
    for k, name in enumerate(NAMES, 1):
        person.types(f"{name} plays", f"#players li:nth-child({k}) input", name)
    person.waits("document.querySelector('#position .note.is-good') !== null")
    person.told("everything stands as it should")
    starts(person)


def starts(person: Person) -> None:
    """From the set-up to the first judged move."""
    person.clicks("start", "#start")
    person.waits("location.pathname == '/game' && document.querySelector('.turn') !== null")
    person.told("the first move is judged")


def main() -> None:
    """Both ways, in a home that knows nothing before."""
    look_s = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    with tempfile.TemporaryDirectory() as home, Browser() as browser:
        for known in (False, True):
            print("a camera that is known" if known else "the first evening")
            person = Person(browser, f"http://127.0.0.1:{PORT}", look_s)
            with served(Path(home)):
                way(person, known)
                browser.close_page()


if __name__ == "__main__":
    main()
