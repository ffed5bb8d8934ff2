"""The journal: append-only, survives being killed, goes on with the right game."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.toy import SETUP
from vision.journal import Journal, JournalError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


def test_lines_come_back_in_order(path: Path) -> None:
    journal = Journal(path)
    journal.begin(SETUP, "2026-01-01")
    for number in range(3):
        journal.add({"type": "turn", "turn": number, "text": {"de": "für", "en": "for"}})
    journal.close()
    again = Journal(path)
    lines = again.resume(SETUP)
    assert lines is not None
    assert [line["turn"] for line in lines] == [0, 1, 2]
    assert lines[0]["text"]["de"] == "für"
    again.close()


def test_a_resumed_game_goes_on(path: Path) -> None:
    journal = Journal(path)
    journal.begin(SETUP, "2026-01-01")
    journal.add({"type": "turn", "turn": 1})
    journal.close()
    again = Journal(path)
    again.resume(SETUP)
    again.add({"type": "turn", "turn": 2})
    assert [line["turn"] for line in again.lines()] == [1, 2]
    again.close()


def test_a_finished_game_or_another_set_up_is_not_resumed(path: Path) -> None:
    journal = Journal(path)
    assert journal.resume(SETUP) is None
    journal.begin(SETUP, "2026-01-01")
    journal.add({"type": "end"})
    assert journal.resume(SETUP) is None
    journal.begin(SETUP, "2026-01-02")
    assert journal.resume({**SETUP, "options": {"v2": True}}) is None
    assert journal.resume(SETUP) == []
    journal.close()


def test_pictures_before_and_after(path: Path) -> None:
    journal = Journal(path)
    journal.begin(SETUP, "2026-01-01")
    before, after = np.full((40, 60, 3), 30, np.uint8), np.full((40, 60, 3), 200, np.uint8)
    journal.add({"type": "turn"}, before, after)
    journal.add({"type": "undo"})
    pictures = journal.pictures(0)
    levels = [int(cv2.imdecode(np.frombuffer(p or b"", np.uint8), cv2.IMREAD_COLOR).mean()) for p in pictures]
    assert levels == [pytest.approx(30, abs=2), pytest.approx(200, abs=2)]
    assert journal.pictures(1) == (None, None)
    with pytest.raises(IndexError, match="no line 2"):
        journal.pictures(2)
    journal.close()


def test_a_line_needs_a_game(path: Path) -> None:
    journal = Journal(path)
    with pytest.raises(ValueError, match="no game"):
        journal.add({"type": "turn"})
    journal.close()


def test_what_is_no_journal_is_refused_in_a_sentence(path: Path) -> None:
    path.write_text("not a database, but long enough to look like something " * 20)
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(path)


def test_a_journal_of_a_newer_version_is_left_alone(path: Path) -> None:
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version = 99")
    base.close()
    with pytest.raises(JournalError, match="version 99"):
        Journal(path)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_nothing_written_is_lost_when_the_process_is_killed(path: Path) -> None:
    program = (
        "import sys, os, signal; from pathlib import Path; from vision.journal import Journal\n"
        "journal = Journal(Path(sys.argv[1])); journal.begin({'game': 'x'}, 'today')\n"
        "for k in range(25): journal.add({'type': 'turn', 'turn': k})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], cwd=ROOT, env={**os.environ}, check=False)
    assert done.returncode == -signal.SIGKILL
    journal = Journal(path)
    lines = journal.resume({"game": "x"})
    assert lines is not None
    assert len(lines) == 25
    journal.close()
