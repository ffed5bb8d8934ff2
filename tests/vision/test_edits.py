"""A person says what really happened: the turns from there on are told again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules import game_of
from rules.protocol import RecordError
from rules.record import judge_lines
from tests.vision.toy import SETUP
from vision.history import History
from vision.snapshot import settled_lines

GAME = game_of(SETUP)
Json = dict[str, Any]


def turn(player: str, roll: int, piece: str, start: int | str, to: int, taken: tuple[int, ...] = ()) -> Json:
    line: Json = {"type": "turn", "player": player, "roll": roll, "t_s": 10.0 * roll}
    line["moves"] = [{"piece": piece, "from": start, "to": to}]
    return line | {"taken": [str(-tile) for tile in taken], "taken_tiles": list(taken)}


PLAYED = (
    turn("Anna", 3, "pawn:red", "start", 4),
    turn("Ben", 2, "pawn:blue", "start", 2),
    turn("Anna", 5, "pawn:red", 4, 9, (4,)),
)


@pytest.fixture
def history() -> History:
    history = History(GAME, GAME.start(SETUP))
    for line in PLAYED:
        history.replay(line)
    return history


def told(lines: list[Json]) -> list[tuple[Any, ...]]:
    return [(line["type"], line.get("roll"), line.get("legal"), line.get("by", "")) for line in lines]


def test_a_changed_roll_makes_a_wrong_turn_right_and_leaves_the_rest(history: History) -> None:
    before = history.state
    lines = history.edit("change", 0, turn("Anna", 4, "pawn:red", "start", 4), 99.0)
    assert told(lines) == [("undo", None, None, "")] * 3 + [
        ("turn", 4, True, "person"), ("turn", 2, True, ""), ("turn", 5, True, ""),
    ]
    assert lines[4]["t_s"] == 20.0
    assert history.state == before


def test_a_turn_that_cannot_follow_becomes_a_correction_to_the_table_seen(history: History) -> None:
    before = history.state
    lines = history.edit("change", 0, turn("Anna", 3, "pawn:red", "start", 3), 99.0)
    assert [line["type"] for line in lines[3:]] == ["turn", "turn", "correction"]
    assert history.state.pawns == before.pawns and history.state.route == before.route


def test_inserted_and_removed_turns(history: History) -> None:
    history.edit("insert", 3, turn("Ben", 1, "pawn:blue", "start", 1), 50.0)
    assert [t.roll for t in history.settled] == [3, 2, 5, 1]
    lines = history.edit("remove", 3, None, 60.0)
    assert told(lines) == [("undo", None, None, "")]
    history.edit("remove", 1, None, 70.0)
    assert [t.roll for t in history.settled] == [3, 5]
    assert history.settled[1].violations and history.settled[1].violations[0].rule == "out_of_turn"


def test_edits_are_read_back_from_the_journal(history: History) -> None:
    lines = list(PLAYED) + history.edit("change", 1, turn("Ben", 1, "pawn:blue", "start", 1), 50.0)
    lines += history.undo(60.0)
    again = History(GAME, GAME.start(SETUP))
    for line in json.loads(json.dumps(lines)):
        again.replay(line)
    assert again.state == history.state
    assert [line["roll"] for line in settled_lines(lines)] == [t.roll for t in history.settled]


def test_a_record_with_undo_lines_is_judged(history: History) -> None:
    changed = history.edit("change", 0, turn("Anna", 4, "pawn:red", "start", 4), 9.0)
    lines = [{"type": "setup", **SETUP}, *PLAYED, *changed]
    judged = list(judge_lines(json.dumps(line) for line in lines))
    assert judged[-1]["scores"] == {score.player: score.total for score in GAME.scores(history.state)}
    assert [line["legal"] for line in judged if line["type"] == "turn"] == [False, True, True, True, True, True]
    assert judged[6]["type"] == "undo" and judged[6]["scores"] == {"Anna": 0, "Ben": 0}
    with pytest.raises(RecordError, match="no turn to undo"):
        list(judge_lines(json.dumps(line) for line in (lines[0], {"type": "undo", "turn": 1})))


@pytest.mark.parametrize(("kind", "index"), [("change", 3), ("change", -1), ("insert", 4), ("remove", 7)])
def test_an_entry_that_there_is_not(history: History, kind: str, index: int) -> None:
    with pytest.raises(ValueError, match="there is no entry"):
        history.edit(kind, index, turn("Anna", 4, "pawn:red", "start", 4), 99.0)


def test_a_turn_that_cannot_have_happened_changes_nothing(history: History) -> None:
    before = history.state
    with pytest.raises(RecordError):
        history.edit("change", 0, turn("Anna", 4, "pawn:red", 7, 11), 99.0)
    assert history.state == before and len(history.settled) == 3
