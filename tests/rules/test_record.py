"""Records: judged line by line; whatever is wrong with a line is named with its number, and nothing before is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from verflixxt_positions import setup

from rules.protocol import RecordError
from rules.record import judge_lines, line_text

SETUP = line_text({"type": "setup", **setup(2)})


def turn(player: str = "Rita", roll: object = 3, **fields: Any) -> str:
    line = {"type": "turn", "player": player, "roll": roll, **fields}
    line.setdefault("moves", [{"piece": "pawn:red", "from": "start", "to": 3}])
    return line_text(line)


def move(piece: str, start: object, to: object) -> list[dict[str, object]]:
    return [{"piece": piece, "from": start, "to": to}]


GOOD = [SETUP, turn()]
LATER = [
    *GOOD,
    turn("Ben", 1, moves=move("pawn:blue", 0, 1)),
    turn("Rita", 1, moves=move("pawn:red", 3, 4), taken=["-3"]),
]

BAD: list[tuple[list[str], str, str]] = [
    ([], "{", "line 3: not JSON"),
    ([], "[1]", "line 3: line: expected a JSON object, found [1]"),
    ([], '{"type":"turn","roll":NaN}', "line 3: not JSON: NaN is not a number of JSON"),
    ([], '{"type":"shout"}', "line 3: type: expected turn, correction"),
    ([], SETUP, 'line 3: type: expected turn, correction, undo, needs_you, lost, found or end, found "setup"'),
    ([], turn("Carl"), 'line 3: unknown player "Carl"; players are Rita, Ben'),
    ([], turn("Ben", 7), "line 3: roll: expected 1 to 6, found 7"),
    ([], turn("Ben", None), "line 3: roll: expected 1 to 6, found null"),
    ([], turn("Ben", True), "line 3: roll: expected 1 to 6, found true"),
    ([], turn("Ben", moves={}), "line 3: moves: expected a list, found {}"),
    ([], turn("Ben", moves=["red"]), "line 3: moves: expected"),
    ([], turn("Ben", moves=move("pawn:blue", "start", 34)), "line 3: moves: pawn:blue: to: expected a place"),
    ([], turn("Ben", moves=move("pawn:blue", "start", None)), "line 3: moves: pawn:blue: to: expected a place"),
    ([], turn("Ben", moves=move("pawn:blue", 5, 8)), "line 3: no pawn:blue stands on 5 (-5)"),
    ([], turn("Ben", moves=move("guard", "out", 8)), "line 3: no guard stands on out"),
    ([], turn("Ben", moves=move("pawn:blue", "start", "out")), "line 3: a pawn cannot leave the board"),
    ([], turn("Ben", moves=move("pawn:green", "start", 3)), 'line 3: there is no piece "pawn:green" in this game'),
    ([], turn("Ben", moves=move("bird", "start", 3)), 'line 3: there is no piece "bird"'),
    ([], turn("Ben", moves=move("pawn:blue", 0, 3), taken=["+9"]), 'line 3: taken: there is no tile "+9"'),
    ([], turn("Ben", moves=move("pawn:blue", 0, 3), taken="-3"), "line 3: taken: expected a list"),
    ([], turn("Ben", moves=move("pawn:blue", 0, 3), returned=["-3"]), "line 3: returned: nobody has tile -3"),
    ([], turn("Ben", moves=move("pawn:blue", 0, 3), taken_tiles=[99]), "line 3: taken_tiles: expected 1 to 32"),
    ([], turn("Ben", moves=move("pawn:blue", 0, 3), given=[3]), "line 3: given: expected"),
    ([], turn("Ben", moves=move("pawn:blue", 0, 3), wandered=["x"]), "line 3: wandered: expected tile numbers"),
    ([], turn("Ben", moves=move("pawn:blue", 0, 3), turn="two"), "line 3: turn: expected a whole number"),
    (LATER[2:], turn("Ben", moves=move("pawn:blue", 1, 3)), "line 5: tile 3 (-3) is gone from the route"),
    (LATER[2:], turn("Ben", moves=move("pawn:blue", 1, 5), taken_tiles=[3]), "line 5: tile 3 (-3) is gone"),
    ([], '{"type":"needs_you","alternatives":3}', "line 3: alternatives: expected a list"),
]


@pytest.mark.parametrize(("more", "bad", "sentence"), BAD, ids=[row[2][8:50] for row in BAD])
def test_bad_line(more: list[str], bad: str, sentence: str) -> None:
    lines, judged = [*GOOD, *more, bad, turn()], []
    with pytest.raises(RecordError) as fault:
        for line in judge_lines(lines):
            judged.append(line)
    assert str(fault.value).startswith(sentence)
    assert fault.value.line == len(GOOD) + len(more) + 1
    assert fault.value.text("de").startswith(f"Zeile {fault.value.line}: ")
    assert len(judged) == len(GOOD) + len(more), "a line before the fault was lost"


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "the record is empty"),
        (["", "  "], "the record is empty"),
        ([turn()], 'line 1: the first line is of type "turn"'),
        (['{"type":"setup"}'], "line 1: game: missing"),
        ([line_text({"type": "setup", **setup(1)})], "line 1: players: Verflixxt! is for 2 to 6 players"),
    ],
)
def test_bad_start(lines: list[str], sentence: str) -> None:
    with pytest.raises(RecordError) as fault:
        list(judge_lines(lines))
    assert str(fault.value).startswith(sentence)


def test_judged_turns() -> None:
    """What a record said about legality is ignored, blank lines do not matter, other fields stay."""
    told = turn(t_s=7.4, legal=False, violations=[{"rule": "no_move"}], scores={"Rita": 99}, confidence=0.9, note="x")
    _, line = judge_lines([SETUP, "", told])
    assert line == {
        "type": "turn",
        "turn": 1,
        "t_s": 7.4,
        "player": "Rita",
        "roll": 3,
        "moves": [{"piece": "pawn:red", "from": "start", "to": 3}],
        "taken": [],
        "legal": True,
        "violations": [],
        "scores": {"Rita": 0, "Ben": 0},
        "confidence": 0.9,
        "note": "x",
    }
    assert list(line)[:4] == ["type", "turn", "t_s", "player"]


def test_illegal_turn_and_correction() -> None:
    """The state follows the table; putting it right is a change against the wrong position."""
    lines = [
        *GOOD,
        turn("Ben", 2, moves=move("pawn:blue", "start", 2)),
        turn("Rita", 6, moves=move("pawn:red", 3, 11), taken=[-3]),
        line_text({"type": "correction", "turn": 3, "t_s": 31.2, "moves": move("pawn:red", 11, 9), "taken": []}),
        turn("Ben", 2, moves=move("pawn:blue", 2, 5), taken=["-2"]),
        turn("Rita", 2, moves=move("pawn:red", 9, 11), taken=["luck"]),
    ]
    judged = list(judge_lines(lines, "de"))
    assert [line.get("legal") for line in judged] == [None, True, True, False, None, True, True]
    violation = judged[3]["violations"][0]
    assert violation["rule"] == "wrong_count" and "8 Schritte" in violation["text"]
    assert judged[4] == {
        "type": "correction",
        "turn": 3,
        "t_s": 31.2,
        "player": "Rita",
        "moves": [{"piece": "pawn:red", "from": 11, "to": 9}],
        "taken": [],
        "scores": {"Rita": -3, "Ben": 0},
    }
    assert {"piece": "guard", "from": 9, "to": "out"} in judged[6]["moves"]
    assert judged[6]["scores"] == {"Rita": 3, "Ben": -2}


def test_tile_given_back_by_a_correction() -> None:
    lines = [
        *LATER,
        line_text({"type": "correction", "moves": move("pawn:red", 4, 3), "returned": ["-3"], "next": "Rita"}),
        turn("Rita", 1, moves=move("pawn:red", 3, 4), taken=["-3"]),
    ]
    judged = list(judge_lines(lines))
    assert judged[4]["scores"] == {"Rita": 0, "Ben": 0}
    assert judged[5]["legal"] and judged[5]["scores"] == {"Rita": -3, "Ben": 0}


def test_equal_tiles_are_told_apart_by_where_the_pawn_stood() -> None:
    """-1 lies on 1 and 23: the one that the pawn has left is meant."""
    lines = [
        SETUP,
        line_text({"type": "correction", "player": "Rita", "moves": move("pawn:red", "start", 23)}),
        turn("Rita", 1, moves=move("pawn:red", 23, 24), taken=["-1"]),
    ]
    assert list(judge_lines(lines))[2]["taken_tiles"] == [23]


def test_other_lines_pass() -> None:
    extra = ['{"type":"lost","t_s":3,"why":"camera moved"}', '{"type":"found","t_s":4}']
    asked = '{"type":"needs_you","t_s":5,"why":"?","alternatives":[{"roll":3}]}'
    judged = list(judge_lines([SETUP, *extra, asked, turn(), '{"type":"end","scores":{"Rita":50}}']))
    assert [line_text(line) for line in judged[1:4]] == [line_text(json.loads(text)) for text in [*extra, asked]]
    assert judged[-1]["why"] == "stopped" and judged[-1]["winners"] == ["Rita", "Ben"]
    assert judged[-1]["scores"] == {"Rita": 0, "Ben": 0}
