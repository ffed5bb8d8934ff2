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

from web.commands.live import DEMO

ROOT = Path(__file__).parents[2]

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
