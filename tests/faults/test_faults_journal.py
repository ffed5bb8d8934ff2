"""The journal when the disk is full, the file damaged, another program at it, the clock changed: nothing is lost."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.faults.table import faultless, refereed, shots, toy
from tests.vision.playing import happenings
from tests.vision.toy import SETUP
from vision import loop
from vision.journal import Journal, JournalError, rescued
from vision.why import JOURNAL_IN_USE, JOURNAL_MENDED, JOURNAL_NO_PICTURES, JOURNAL_NONE, JOURNAL_WAITS
from web.album import Pictures, album
from web.library import Library

ROOT = Path(__file__).parents[2]
NOISE = np.random.default_rng(1).integers(0, 255, (600, 960, 3), np.uint8)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the clock."""
    monkeypatch.setattr(loop, "CALM_EVERY_S", 0.0)
    monkeypatch.setattr(loop, "WRITE_AGAIN_S", 0.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = Journal(path)
    yield journal
    journal.close()


def fill(journal: Journal, pages_left: int = 0) -> None:
    """From now on the file may grow by so many pages and no more."""
    count = journal._base.execute("PRAGMA page_count").fetchone()[0]
    journal._base.execute(f"PRAGMA max_page_count = {count + pages_left}")


def make_room(journal: Journal) -> None:
    journal._base.execute("PRAGMA max_page_count = 1000000")


def kept(path: Path, game: int = 1) -> list[tuple[Any, ...]]:
    """Turns and corrections of a game, read from the file by a fresh reader."""
    found = Library(path).game(game)
    assert found is not None
    return [h for h in happenings(found.lines) if h[0] in ("turn", "correction")]


def turns(*numbers: int) -> list[dict[str, Any]]:
    return [{"type": "turn", "turn": number, "text": "x" * 900} for number in numbers]


def test_on_a_full_disk_lines_wait_and_are_made_up_for(path: Path, journal: Journal) -> None:
    journal.begin(SETUP, "2026-01-01")
    fill(journal)
    for line in turns(*range(1, 21)):
        journal.add(line, NOISE, NOISE)
    assert journal.problem == JOURNAL_WAITS
    assert [line["turn"] for line in journal.lines()] == list(range(1, 21)), "the game itself knows them all"
    make_room(journal)
    assert journal.write() and journal.problem is None
    found = Library(path).game(1)
    assert found is not None and [line["turn"] for line in found.lines] == list(range(1, 21))


def test_on_an_almost_full_disk_lines_come_before_pictures(path: Path, journal: Journal) -> None:
    journal.begin(SETUP, "2026-01-01")
    fill(journal, pages_left=20)
    journal.add(turns(1)[0], NOISE, NOISE)
    assert journal.problem == JOURNAL_NO_PICTURES and journal.pictures(0) == (None, None)
    make_room(journal)
    journal.add(turns(2)[0], NOISE, NOISE)
    assert journal.problem is None and all(journal.pictures(1))


def test_a_game_begun_on_a_full_disk_is_written_later(path: Path, journal: Journal) -> None:
    fill(journal)
    journal.begin({**SETUP, "note": "x" * 9000}, "2026-01-01")
    journal.add(turns(1)[0])
    assert journal.problem == JOURNAL_WAITS and Library(path).games() == []
    assert journal.resume({**SETUP, "note": "x" * 9000}) == turns(1)
    make_room(journal)
    journal.close()
    assert Library(path).games()[0].lines == tuple(turns(1))


def test_a_whole_game_on_a_full_disk(path: Path) -> None:
    journal = Journal(path)
    fill(journal)
    evening = refereed(shots(), journal)
    assert evening.played == faultless().played
    assert evening.shown[-1]["warning"] in (JOURNAL_WAITS, JOURNAL_NO_PICTURES), "the page says so"
    make_room(journal)
    journal.close()
    assert kept(path) == faultless().played, "and the end of the program makes up for it"


HOLDER = (
    "import sys; from pathlib import Path; from vision.journal import Journal; from tests.vision.toy import SETUP\n"
    "journal = Journal(Path(sys.argv[1])); journal.begin(SETUP, 'today'); journal.add({'type': 'turn', 'turn': 1})\n"
    "print('ready', flush=True); sys.stdin.readline(); journal.add({'type': 'turn', 'turn': 2})\n"
    "print('written', flush=True); sys.stdin.readline()\n"
)


def test_two_programs_on_one_journal_keep_two_games(path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None and other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        journal = Journal(path)
        assert journal.resume(SETUP) is None and journal.problem == JOURNAL_IN_USE, "that game is being played"
        journal.begin(SETUP, "tomorrow")
        journal.add(turns(7)[0])
        other.stdin.write("\n")
        other.stdin.flush()
        assert other.stdout.readline() == "written\n"
        journal.add(turns(8)[0])
        journal.close()
        other.kill()
    games = {game.begun: [line["turn"] for line in game.lines] for game in Library(path).games()}
    assert games == {"today": [1, 2], "tomorrow": [7, 8]}
    again = Journal(path)
    assert again.resume(SETUP) == turns(7, 8), "whoever was killed holds nothing back"
    again.close()


def spoilt(path: Path, part: slice, with_: bytes) -> None:
    """A journal of 60 turns with damage in its bytes."""
    journal = Journal(path)
    journal.begin(SETUP, "2026-01-01")
    for line in turns(*range(1, 61)):
        journal.add(line)
    journal.close()
    data = bytearray(path.read_bytes())
    data[part] = with_ * ((part.stop - part.start) // len(with_))
    path.write_bytes(data)


def test_a_journal_with_damage_inside_is_rescued(path: Path) -> None:
    spoilt(path, slice(24_576, 36_864), b"\xa5")
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(path).resume(SETUP)
    aside = rescued(path)
    assert aside == path.with_name("games.sqlite.damaged-1") and aside.is_file()
    found = Library(path).game(1)
    assert found is not None
    numbers = [line["turn"] for line in found.lines]
    assert 30 <= len(numbers) < 60 and numbers == sorted(numbers) and 1 in numbers and 60 in numbers


def test_a_journal_without_its_beginning_is_mended_when_opened(path: Path) -> None:
    spoilt(path, slice(100, 4096), b"\xa5")
    mended = album(path, Pictures())
    assert mended.problem == JOURNAL_MENDED
    mended.begin(SETUP, "2026-01-02")
    mended.add(turns(1)[0])
    mended.close()
    assert len(Library(path).games()) == 1 and path.with_name("games.sqlite.damaged-1").is_file()


def test_a_file_that_is_no_journal_is_left_alone(path: Path) -> None:
    path.write_text("my diary " * 200)
    assert rescued(path) is None
    forgets = album(path, Pictures())
    assert forgets.problem == JOURNAL_NONE
    forgets.begin(SETUP, "2026-01-02")
    forgets.add(turns(1)[0])
    forgets.close()
    with pytest.raises(JournalError):
        album(path, Pictures(), needed=True)
    assert path.read_text() == "my diary " * 200
    assert Library(path).games() == [] and Library(path).interrupted() is None


def test_what_a_journal_cannot_mean_is_passed_over(path: Path) -> None:
    Journal(path).close()
    base = sqlite3.connect(path)
    base.execute("INSERT INTO games (setup, begun) VALUES ('[1, 2', 'then'), ('[]', ''), ('{}', ''), (?, '')", ("{}",))
    base.execute("INSERT INTO lines (game, line) VALUES (3, 'null'), (4, '{\"type\": \"turn\"}'), (4, x'00ff')")
    base.commit()
    base.close()
    library = Library(path)
    assert library.games() == [] and library.interrupted() is None
    assert [library.game(number) for number in (1, 2, 3, 99, 10**30)] == [None] * 5


def test_changing_the_clock_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    days = iter(range(10**6))
    monkeypatch.setattr(time, "time", lambda: 1e9 - 86_400.0 * next(days))
    journal = Journal(path)
    evening = refereed(shots(), journal)
    journal.close()
    assert (evening.played, kept(path)) == (faultless().played, faultless().played)
    told = [line["t_s"] for line in evening.lines]
    assert told == sorted(told) and told[-1] < toy().t_s
