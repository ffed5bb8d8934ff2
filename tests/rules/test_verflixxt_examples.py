"""The worked examples A01 to A22 of Verflixxt!, each by its number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from verflixxt_positions import GAME, position, setup, turn

from rules.verflixxt.scoring import tile_points

L = 0

POINTS = [
    ("A01", [*range(-1, -9, -1), L, L, 2, 3, 4, 8], 11),
    ("A02a", [1, 2, -7, -8, 3, L, L], 21),
    ("A02b", [1, 2, -7, -8, 3, L], 7),
    ("A02c", [1, 2, -7, -8, 3, L, L, -9], 16),
    ("A02d", [-7, -8], -15),
    ("A02e", [1, 2, 3, L, L], 6),
    ("A02f", [], 0),
    ("A03", [-1, -2, -4, -7, L, L, L, 3, 5, 7, 8], 35),
    ("A04a", [-10, L], 10),
    ("A04b", [-8, -8, L], 0),
]


@pytest.mark.parametrize(("values", "total"), [row[1:] for row in POINTS], ids=[row[0] for row in POINTS])
def test_points(values: list[int], total: int) -> None:
    parts = tile_points(values)
    assert sum(points for _, points in parts) == total
    assert len(parts) == len(values)


HOME = (33, 33, 33)
# number, position, roll, moves, taken, broken rules, what is then true
TURNS: list[tuple[str, dict[str, Any], int, tuple[str, ...], tuple[str, ...], tuple[str, ...], dict[str, Any]]] = [
    ("A05", {"red": (3, 33, 33)}, 4, ("red 3-7",), ("-3",), (), {"red": (7, 33, 33), "tiles": 31, "Rita": (3,)}),
    ("A05 left", {"red": (3, 33, 33)}, 4, ("red 3-7",), (), ("must_take_tile",), {"tiles": 32}),
    ("A06 first", {"red": (3, 33, 33), "blue": (3, 33, 33)}, 2, ("red 3-5",), (), (), {"tiles": 32}),
    ("A06 took", {"red": (3, 33, 33), "blue": (3, 33, 33)}, 2, ("red 3-5",), ("-3",), ("may_not_take_tile",), {}),
    ("A06 later", {"red": (3, 33, 33)}, 1, ("red 3-4",), ("-3",), (), {"Rita": (3,)}),
    ("A07", {"red": (3, 3, 33)}, 2, ("red 3-5",), (), (), {"red": (3, 5, 33), "tiles": 32}),
    ("A08", {"red": (9, 33, 33), "yellow": (0, 33, 33), "guards": (9,)}, 2, ("guard 9-11",), (), (), {"guards": (11,)}),
    ("A09", {"red": (0, 33, 33), "guards": (10,)}, 2, ("guard 10-12",), (), ("guard_without_pawn",), {"guards": (12,)}),
    ("A10", {"red": (9, 33, 33), "guards": (9,)}, 2, ("red 9-11",), ("luck",), (), {"guards": (), "Rita": (9,)}),
    (
        "A10 next",
        {"red": (9, 33, 33), "guards": (9,), "guard_on_taken_tile": "next_tile"},
        2, ("red 9-11",), ("luck",), (), {"guards": (10,)},
    ),
    (
        "A10 previous",
        {"red": (9, 33, 33), "guards": (9,), "gone": (8,), "guard_on_taken_tile": "previous_tile"},
        2, ("red 9-11",), ("luck",), (), {"guards": (7,)},
    ),
    (
        "A10 wrong place",
        {"red": (9, 33, 33), "guards": (9,)},
        2, ("red 9-11", "guard 9-10"), ("luck",), ("guard_misplaced",), {"guards": (10,)},
    ),
    (
        "A10 blocks",
        {"red": (9, 33, 33), "guards": (9,), "guard_blocks_taking": True},
        2, ("red 9-11",), (), (), {"guards": (9,), "tiles": 32},
    ),
    (
        "A10 blocks but took",
        {"red": (9, 33, 33), "guards": (9,), "guard_blocks_taking": True},
        2, ("red 9-11",), ("luck",), ("may_not_take_tile",), {"tiles": 31},
    ),
    ("A11", {"red": (3, 33, 33), "gone": (4, 5)}, 2, ("red 3-7",), ("-3",), (), {"red": (7, 33, 33)}),
    ("A12", {"red": (32, 33, 33)}, 6, ("red 32-33",), ("-10",), (), {"red": HOME, "Rita": (32,)}),
    (
        "A13",
        {"red": (30, 33, 33), "guards": (30,)},
        5, ("guard 30-finish",), (), (), {"guards": (33,), "red": (30, 33, 33)},
    ),
    ("A14", {"red": (3, 33, 33)}, 5, ("red 3-7",), ("-3",), ("wrong_count",), {"red": (7, 33, 33)}),
    ("A15", {"red": (0, 33, 33)}, 1, ("red start-1",), (), (), {"tiles": 32, "Rita": ()}),
    ("A16", {"red": (3, 33, 33)}, 4, (), (), ("no_move",), {"red": (3, 33, 33)}),
    (
        "A17",
        {"red": (3, 33, 33), "blue": (0, 33, 33)},
        4, ("blue start-4",), (), ("not_own_pawn",), {"blue": (4, 33, 33)},
    ),
    ("A18 stay", {"red": (5, 33, 33), "v2": True}, 1, (), (), (), {"red": (5, 33, 33)}),
    ("A18 stay on 2", {"red": (5, 33, 33), "v2": True}, 2, (), (), ("no_move",), {}),
    ("A18 back", {"red": (5, 33, 33), "v2": True}, 1, ("red 5-4",), ("-5",), (), {"red": (4, 33, 33), "Rita": (5,)}),
    ("A18 off", {"red": (5, 33, 33)}, 1, ("red 5-4",), ("-5",), ("moved_backwards",), {}),
]  # fmt: skip


@pytest.mark.parametrize("row", TURNS, ids=[row[0] for row in TURNS])
def test_turn(row: tuple[Any, ...]) -> None:
    _, where, roll, moves, taken, broken, then = row
    state = position(**where)
    verdict = GAME.judge(state, turn(state, roll, *moves, taken=taken))
    assert verdict.rules == broken
    after = verdict.state
    seen = {
        "red": after.pawns[0],
        "blue": after.pawns[1],
        "guards": after.guards,
        "tiles": len(after.route),
        "Rita": after.collected[0],
    }
    assert {name: seen[name] for name in then} == then


def test_a19_quick_end() -> None:
    """Variant 4: the last own pawn goes home; whoever stands alone on a tile takes it."""
    state = position(red=(30, 33, 33), blue=(12, 12, 18), yellow=(26, 33, 33), v4=True)
    verdict = GAME.judge(state, turn(state, 3, "red 30-33", taken=("-8",)))
    assert verdict.legal
    outcome = GAME.outcome(verdict.state)
    assert outcome is not None and outcome.why == "first_player_home"
    scores = {score.player: score.total for score in GAME.scores(verdict.state)}
    assert scores == {"Rita": -8, "Ben": 5, "Yara": -4}
    shared = replace(verdict.state, pawns=((33, 33, 33), (12, 12, 26), (26, 33, 33)))
    assert [score.total for score in GAME.scores(shared)] == [-8, 0, 0]


def test_a20_straggler_pays() -> None:
    """Variant 5: one pawn left; the highest minus tile without a guard, and luck does not turn it."""
    state = position(blue=(20, 33, 33), guards=(32,), collected=((), (3, 9), ()), v5=True)
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.why == "one_pawn_left"
    ben = GAME.scores(state)[1]
    assert ben.total == -6
    assert ben.parts == (("luck:-3", 3), ("luck", 0), ("end:-9", -9))


def test_a21_blocks() -> None:
    """Variant 1: minus, plus with guards, luck, minus."""
    state = GAME.start(setup(variant="blocks"))
    assert state.config.route_values == (
        *range(-1, -9, -1), *range(1, 9), *(0,) * 6, *range(-1, -11, -1),
    )  # fmt: skip
    assert state.guards == tuple(range(9, 17))


def test_a22_wandering_tiles() -> None:
    """Variant 3: by default tiles behind the rearmost pawn wander; ``vacated`` sends the tile a pawn left."""
    state = position(red=(1, 33, 33), blue=(6, 33, 33), gone=(3, 4, 5), v3="passed_by_rearmost")
    turn_ = turn(state, 4, "red 1-8", taken=("-1",))
    verdict = GAME.judge(state, turn_)
    assert verdict.legal and turn_.wandered == (2,)
    assert verdict.state.route == (*range(6, 33), 2)
    state = position(red=(3, 33, 33), blue=(1, 33, 33), v3="vacated")
    verdict = GAME.judge(state, turn(state, 4, "red 3-7"))
    assert verdict.legal
    assert verdict.state.route == (1, 2, *range(4, 33), 3)
    assert verdict.state.collected[0] == ()
    wrong = GAME.judge(state, replace(turn(state, 4, "red 3-7", taken=("-3",)), wandered=()))
    assert wrong.rules == ("may_not_take_tile",)
