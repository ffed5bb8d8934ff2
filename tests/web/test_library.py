"""Games that are kept, tables that are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fake_game import turn

from vision.journal import Journal
from web.library import Library
from web.shelf import MOST_TABLES, Shelf

SETUP = {"game": "verflixxt", "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}
END = {"type": "end", "scores": {"Anna": 2, "Ben": 1}, "winners": ["Anna"]}


def journal(path: Path, *games: list[dict[str, Any]]) -> Library:
    kept = Journal(path)
    for lines in games:
        kept.begin(SETUP, "2026-01-02T20:00:00+01:00")
        for line in lines:
            kept.add(line)
    kept.close()
    return Library(path)


def test_games_are_listed_newest_first_and_empty_ones_left_out(tmp_path: Path) -> None:
    library = journal(tmp_path / "j.sqlite", [turn(1, "Anna"), turn(2, "Ben", legal=False), END], [], [turn(1, "Ben")])
    newest, oldest = library.games()
    assert [newest.number, oldest.number] == [3, 1]
    assert oldest.summary() == {
        "number": 1, "game": "verflixxt", "begun": "2026-01-02T20:00:00+01:00", "players": ["Anna", "Ben"],
        "turns": 2, "illegal": 1, "scores": {}, "winners": ["Anna"],
    }  # fmt: skip
    assert library.game(1) == oldest and library.game(2) is not None and library.game(9) is None


def test_a_game_goes_on_only_while_it_is_the_newest_and_has_not_ended(tmp_path: Path) -> None:
    assert journal(tmp_path / "a", [turn(1, "Anna")]).goes_on(SETUP) == 1
    assert journal(tmp_path / "b", [turn(1, "Anna"), END]).goes_on(SETUP) == 0
    assert journal(tmp_path / "c", [turn(1, "Anna")], []).goes_on(SETUP) == 0
    assert journal(tmp_path / "d", [turn(1, "Anna")]).goes_on({**SETUP, "variant": "blocks"}) == 0


@pytest.mark.parametrize("content", [None, b"", b"no database at all"])
def test_a_journal_that_cannot_be_read_is_an_empty_library(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "j.sqlite"
    if content is not None:
        path.write_bytes(content)
    library = Library(path)
    assert library.games() == [] and library.interrupted() is None and library.game(1) is None
    assert Library(None).games() == []


def test_tables_are_kept_by_camera_and_place(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "kept")
    shelf.keep_table("cam-1", "kitchen", {"n": 1})
    shelf.keep_table("cam-2", "kitchen", {"n": 2})
    shelf.keep_table("cam-1", "kitchen", {"n": 3})
    shelf.keep_table("cam-1", "garden", {"n": 4})
    assert [entry["plane"]["n"] for entry in shelf.tables("cam-1")] == [4, 3]
    for n in range(MOST_TABLES + 5):
        shelf.keep_table("cam-3", str(n), {"n": n})
    assert len(shelf.tables()) == MOST_TABLES
    shelf.keep_setup(SETUP)
    assert Shelf(tmp_path / "kept").last_setup() == SETUP


def test_a_broken_shelf_is_an_empty_one(tmp_path: Path) -> None:
    for text in ("{", json.dumps({"no": "list"})):
        (tmp_path / "tables.json").write_text(text)
        (tmp_path / "setup.json").write_text("[]")
        assert Shelf(tmp_path).tables() == [] and Shelf(tmp_path).last_setup() == {}
    forgets = Shelf(None)
    forgets.keep_setup(SETUP)
    assert forgets.last_setup() == {}
