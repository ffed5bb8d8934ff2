"""The referee with its page as a process of its own: starts, plays, ends in good order."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from web.commands.live import DEMO, Journals

ROOT = Path(__file__).parents[2]
SETUP = {"game": "verflixxt", "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}
TURN = {"type": "turn", "turn": 1, "player": "Anna", "roll": 3}


class TestJournals:
    def test_an_interrupted_game_goes_on_unless_a_new_one_is_wanted(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "kept" / "journal.sqlite"
        journal = Journals(path, new=True).open(SETUP)
        assert journal is not None
        journal.add(TURN)
        journal.close()
        assert capsys.readouterr().out == ""
        again = Journals(path).open(SETUP)
        assert again is not None and again.lines() == [TURN]
        again.close()
        assert "(1 turns)" in capsys.readouterr().out
        new = Journals(path, new=True).open(SETUP)
        assert new is not None and new.lines() == []
        new.close()

    def test_recordings_keep_none(self) -> None:
        assert Journals().open(SETUP) is None


@pytest.fixture
def address() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A running demo at eight times its speed."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "web.cli", "demo", "--no-browser", "--port", str(port), "--speed", "8", "--lang", "en"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    yield f"http://127.0.0.1:{port}", process
    if process.poll() is None:
        process.kill()
    process.communicate(timeout=60)


@pytest.mark.skipif(not (DEMO / "verflixxt.mp4").is_file(), reason="the demo recording is not there")
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_the_demo_serves_its_page_and_ends_with_a_signal(address: tuple[str, subprocess.Popen[str]]) -> None:
    url, process = address
    newest = snapshot_with_a_game(url, process)
    assert newest["game"] == "verflixxt" and len(newest["players"]) >= 2
    with urllib.request.urlopen(url, timeout=10) as page:
        assert "Schiri" in page.read().decode()
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert f"The page: {url}/" in out and "Traceback" not in err


def snapshot_with_a_game(url: str, process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait until a picture has been looked at."""
    until = time.monotonic() + 180
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/camera/frame.jpg", timeout=10) as picture:
                if picture.status == 200:
                    with urllib.request.urlopen(f"{url}/api/snapshot", timeout=10) as answer:
                        newest: dict[str, Any] = json.load(answer)
                        return newest
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"the demo showed no picture: {process.communicate()[1] if process.poll() else 'still runs'}")
