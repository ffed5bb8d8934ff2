"""The worked examples B01 to B20 of Verflixxt nochmal, each by its number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from nochmal_positions import FIN, GAME, position, setup, turn

from rules.nochmal import Roll
from rules.nochmal.layout import SHUFFLED
from rules.protocol import RecordError, SetupError
from rules.verflixxt.layout import VERFLIXXT

R = (FIN, FIN)


def test_b01_random_route() -> None:
    state = GAME.start(setup(variant="random", route=list(SHUFFLED)))
    orange = [n for n, v in enumerate(state.config.route_values, 1) if v == VERFLIXXT]
    assert len(state.route) == 32 and orange == [10, 15, 20, 25] and state.flixxy == 0
    named = ["verflixxt" if v == VERFLIXXT else v for v in state.config.route_values]
    assert GAME.start(setup(variant="random", route=named)) == state


def test_b02_standard_layout() -> None:
    state = GAME.start(setup())
    orange = [n for n, v in enumerate(state.config.route_values, 1) if v == VERFLIXXT]
    assert len(state.route) == 36 and orange == [9, 16, 22, 30]


def test_b03_guards_on_the_first_positive_cards() -> None:
    route = [*SHUFFLED[::2], *SHUFFLED[1::2]]
    state = GAME.start(setup(variant="random", route=route))
    positive = [n for n, v in enumerate(state.config.route_values, 1) if 0 <= v < VERFLIXXT]
    assert len(positive) == 14 and state.guards == tuple(positive[:8])
    with pytest.raises(SetupError, match="8 guards"):
        GAME.start(setup(variant="random", route=route, guards_start=positive[:9]))


@pytest.mark.parametrize(("players", "pawns"), [(2, 3), (4, 3), (5, 2), (6, 2), (8, 2)])
def test_b04_pawns_per_player(players: int, pawns: int) -> None:
    colours = GAME.info.colours[:players]
    raw = {**setup(), "players": [{"name": c, "colour": c} for c in colours], "pieces_per_player": None}
    assert GAME.start(raw).pawns == ((0,) * pawns,) * players


@pytest.mark.parametrize("route", [None, list(SHUFFLED[1:]), [*SHUFFLED, "verflixxt"]])
def test_bad_routes(route: Any) -> None:
    with pytest.raises(SetupError, match="route"):
        GAME.start(setup(variant="random", route=route))


# number, position, roll, action die, moves, further fields, broken rules, what is then true
Row = tuple[str, dict[str, Any], int, str | None, tuple[str, ...], dict[str, Any], tuple[str, ...], dict[str, Any]]
TURNS: list[Row] = [
    ("B05", {"red": (3, *R)}, 4, "must", ("red 3-7",), {"taken": ["-3"]}, ("must_move_flixxy",), {}),
    ("B05 right", {"red": (3, *R)}, 4, "must", ("flixxy 0-4",), {}, (), {"flixxy": 4}),
    ("B06", {"red": (3, *R)}, 4, "may_not", ("flixxy 0-4",), {}, ("may_not_move_flixxy",), {"flixxy": 4}),
    ("B06 pawn", {"red": (3, *R)}, 4, "may_not", ("red 3-7",), {"taken": ["-3"]}, (), {"Rita": (3,)}),
    ("B06 guard", {"red": (3, *R), "guards": (3,)}, 4, "may_not", ("guard 3-7",), {}, (), {"guards": (7,)}),
    (
        "B07", {"red": (3, *R), "flixxy": 5, "worms": (0, 0, 0), "with_worms": True},
        3, "must", ("flixxy 5-8",), {"taken": ["-5"]}, (), {"Rita": (5,), "worms": (1, 0, 0)},
    ),
    (
        "B07 without the variant", {"red": (3, *R), "flixxy": 5},
        3, "may", ("flixxy 5-8",), {"taken": ["-5"]}, (), {"Rita": (5,), "worms": (0, 0, 0)},
    ),
    ("B07 left lying", {"red": (3, *R), "flixxy": 5}, 3, "may", ("flixxy 5-8",), {}, ("must_take_tile",), {}),
    ("B08", {"red": (3, *R), "flixxy": 19, "guards": (19,)}, 2, "may", ("flixxy 19-21",), {}, (), {"Rita": ()}),
    (
        "B08 took", {"red": (3, *R), "flixxy": 19, "guards": (19,)},
        2, "may", ("flixxy 19-21",), {"taken": ["+6"]}, ("may_not_take_tile",), {"Rita": (19,)},
    ),
    ("B09", {"red": (17, *R), "flixxy": 17}, 2, "may", ("red 17-19",), {}, (), {"Rita": (), "flixxy": 17}),
    (
        "B10", {"red": (3, *R), "flixxy": 12, "guards": (12,)},
        2, "may_not", ("guard 12-14",), {}, (), {"guards": (14,), "Rita": ()},
    ),
    (
        "B10 alone", {"red": (3, *R), "flixxy": 11, "guards": (12,)},
        2, "may_not", ("guard 12-14",), {}, ("guard_without_pawn",), {},
    ),
    (
        "B11", {"red": (3, *R), "flixxy": 36, "gone": (1, 2)},
        3, "may", ("flixxy 36-3",), {"token": "+4", "taken": ["-10"]}, (), {"flixxy": 3, "tokens": ((4,), (), ())},
    ),
    (
        "B11 missed", {"red": (3, *R), "flixxy": 36},
        3, "may", ("flixxy 36-1",), {"taken": ["-10"]}, ("token_missed",), {"tokens": ((), (), ())},
    ),
    (
        "B12", {"red": (3, *R), "flixxy": 35},
        2, "may", ("flixxy 35-37",), {"token": "+4", "taken": ["-9"]}, (), {"flixxy": 37, "tokens": ((4,), (), ())},
    ),
    (
        "B12 next", {"red": (3, *R), "flixxy": 37, "tokens": ((4,), (), ()), "laps": 1},
        1, "may", ("flixxy 37-0",), {}, (), {"flixxy": 0, "tokens": ((4,), (), ())},
    ),
    (
        "B12 next took", {"red": (3, *R), "flixxy": 37, "tokens": ((4,), (), ()), "laps": 1},
        1, "may", ("flixxy 37-0",), {"token": 3}, ("token_not_earned",), {"tokens": ((4, 3), (), ())},
    ),
    (
        "B13", {"red": (3, *R), "flixxy": 36, "guards": (36,), "tokens": ((4,), (3, 2), ()), "laps": 3},
        3, "must", ("flixxy 36-1",), {"token": "+1"}, (), {"flixxy": "out", "tokens": ((4, 1), (3, 2), ())},
    ),
    ("B13 after", {"red": (3, *R), "flixxy": "out"}, 4, None, ("red 3-7",), {"taken": ["-3"]}, (), {"Rita": (3,)}),
    (
        "B13 fifth lap",
        {"red": (3, *R), "flixxy": 36, "guards": (36,), "tokens": ((4,), (3, 2), ()), "laps": 3}
        | {"flixxy_leaves": "after_fifth_lap"},
        3, "must", ("flixxy 36-1",), {"token": "+1"}, (), {"flixxy": 1},
    ),
    (
        "B14", {"red": (9, *R), "blue": (0, *R), "stacks": ((19,), (3,), ())},
        4, "may", ("red 9-13",), {"passed": {"tile": "+6", "to": "Ben"}}, (), {"Rita": (), "Ben": (3, 19), "cards": 34},
    ),
    (
        "B14 kept", {"red": (9, *R), "blue": (0, *R), "stacks": ((19,), (), ())},
        4, "may", ("red 9-13",), {}, ("must_pass_card",), {"Rita": (19,)},
    ),
    (
        "B14 took it", {"red": (9, *R), "blue": (0, *R)},
        4, "may", ("red 9-13",), {"taken": ["verflixxt"]}, ("took_verflixxt_card",), {"cards": 35},
    ),
    (
        "B14 by Flixxy", {"red": (3, *R), "blue": (0, *R), "flixxy": 9, "stacks": ((5, 19), (), ())},
        4, "must", ("flixxy 9-13",), {"passed": {"tile": "+6", "to": "Ben"}}, (), {"Rita": (5,), "Ben": (19,)},
    ),
    (
        "B15", {"red": (9, *R), "yellow": (0, *R), "stacks": ((19,), (), ())},
        4, "may", ("red 9-13",), {"passed": {"tile": "+6", "to": "Yara"}}, (), {"Yara": (19,)},
    ),
    (
        "B15 to somebody home", {"red": (9, *R), "yellow": (0, *R), "stacks": ((19,), (), ())},
        4, "may", ("red 9-13",), {"passed": {"tile": "+6", "to": "Ben"}}, ("passed_to_wrong_player",), {"Ben": (19,)},
    ),
    (
        "B15 nobody", {"red": (9, *R), "stacks": ((19,), (), ())},
        4, "may", ("red 9-13",), {"passed": {"tile": "+6", "to": None}}, (), {"Rita": (), "removed": (19,)},
    ),
    ("B15 empty stack", {"red": (9, *R), "blue": (0, *R)}, 4, "may", ("red 9-13",), {}, (), {"Ben": ()}),
    (
        "B16", {"red": (9, *R), "blue": (0, *R), "guards": (9,), "stacks": ((19,), (), ())},
        4, "may", ("red 9-13",), {}, (), {"Rita": (19,)},
    ),
    (
        "B16 passed", {"red": (9, *R), "blue": (0, *R), "guards": (9,), "stacks": ((19,), (), ())},
        4, "may", ("red 9-13",), {"passed": {"tile": "+6", "to": "Ben"}}, ("may_not_pass_card",), {"Ben": (19,)},
    ),
    (
        "B17", {"red": (9, *R), "blue": (0, *R), "stacks": ((35,), (), ()), "with_worms": True},
        4, "may", ("red 9-13",), {"passed": {"tile": "-9", "to": "Ben"}}, (), {"Ben": (35,), "worms": (0, 0, 0)},
    ),
    (
        "B18 same turn", {"red": (3, *R), "with_worms": True},
        4, "may", ("red 3-7",), {"taken": ["-3"], "worms": [{"action": "extra_turn"}]}, ("worm_same_turn",), {},
    ),
    (
        "B18 none", {"red": (0, *R), "with_worms": True},
        4, "may", ("red 0-4",), {"worms": [{"action": "extra_turn"}]}, ("worm_not_owned",), {},
    ),
    (
        "B18 next turn", {"red": (0, 0, FIN), "blue": (0, *R), "worms": (1, 0, 0), "with_worms": True},
        4, "may", ("red 0-4",), {"worms": [{"action": "extra_turn"}]}, (), {"worms": (0, 0, 0), "next": 0},
    ),
    (
        "B20", {"red": (4, 0, FIN), "guards": (5,), "worms": (1, 0, 0), "with_worms": True}, 2, "may", ("red 0-2",),
        {"worms": [{"action": "swap", "piece": "pawn:red", "at": 4, "with": "guard", "on": 5}]},
        (), {"red": (2, 5, FIN), "guards": (4,), "Rita": ()},
    ),
    (
        "B20 moved too", {"red": (4, 0, FIN), "guards": (5,), "worms": (1, 0, 0), "with_worms": True},
        2, "may", ("red 5-7",),
        {"taken": ["-5"], "worms": [{"action": "swap", "piece": "pawn:red", "at": 4, "with": "guard", "on": 5}]},
        ("swapped_piece_moved",), {"red": (0, 7, FIN)},
    ),
    (
        "swap after the move", {"red": (4, 0, FIN), "flixxy": 5, "worms": (1, 0, 0), "with_worms": True},
        2, "may", ("red 0-2",),
        {"worms": [{"action": "swap", "when": "after", "piece": "pawn:red", "at": 4, "with": "flixxy", "on": 5}]},
        (), {"red": (2, 5, FIN), "flixxy": 4},
    ),
    (
        "swap too far", {"red": (4, 0, FIN), "guards": (6,), "worms": (1, 0, 0), "with_worms": True},
        2, "may", ("red 0-2",),
        {"worms": [{"action": "swap", "piece": "pawn:red", "at": 4, "with": "guard", "on": 6}]},
        ("worm_wrong_use",), {},
    ),
    (
        "swap over a gap",
        {"red": (4, 0, FIN), "guards": (6,), "gone": (5,), "worms": (1, 0, 0), "with_worms": True},
        2, "may", ("red 0-2",),
        {"worms": [{"action": "swap", "piece": "pawn:red", "at": 4, "with": "guard", "on": 6}]},
        (), {"red": (2, 6, FIN)},
    ),
    (
        "move the others",
        {"red": (4, 4, 0), "blue": (4, 0, FIN), "guards": (4,), "flixxy": 4, "worms": (1, 0, 0), "with_worms": True},
        2, "must", ("red 4-6", "blue 4-6", "guard 4-6", "flixxy 4-6"),
        {"worms": [{"action": "move_others", "card": 4}]},
        (), {"red": (0, 4, 6), "blue": (0, 6, FIN), "guards": (6,), "flixxy": 6, "Rita": ()},
    ),
    (
        "move the others, one forgotten",
        {"red": (4, 4, 0), "blue": (4, 0, FIN), "worms": (1, 0, 0), "with_worms": True},
        2, "may", ("blue 4-6",), {"worms": [{"action": "move_others", "card": 4}]}, ("worm_wrong_use",), {},
    ),
    (
        "move the others too far", {"red": (4, 0, 0), "blue": (4, 0, FIN), "worms": (1, 0, 0), "with_worms": True},
        2, "may", ("blue 4-7",), {"worms": [{"action": "move_others", "card": 4}]}, ("wrong_count",), {},
    ),
    (
        "top card to the bottom before passing",
        {"red": (9, *R), "blue": (0, *R), "stacks": ((3, 19), (), ()), "worms": (1, 0, 0), "with_worms": True},
        4, "may", ("red 9-13",),
        {"passed": {"tile": "-3", "to": "Ben"}, "worms": [{"action": "to_bottom", "when": "before"}]},
        (), {"Rita": (19,), "Ben": (3,)},
    ),
    (
        "stack in another order", {"red": (3, *R), "blue": (0, *R), "stacks": ((19, 2, 1), (), ())},
        4, "may", ("red 3-7",), {"taken": ["-3"], "stacks": {"Rita": [3, 19, 2, 1]}},
        ("stack_order_changed",), {"Rita": (3, 19, 2, 1)},
    ),
    (
        "stack as it should be", {"red": (3, *R), "stacks": ((19, 2, 1), (), ())},
        4, "may", ("red 3-7",), {"taken": ["-3"], "stacks": {"Rita": [19, 2, 1, 3]}}, (), {"Rita": (19, 2, 1, 3)},
    ),
    (
        "wrong card passed", {"red": (9, *R), "blue": (0, *R), "stacks": ((3, 19), (), ())},
        4, "may", ("red 9-13",), {"passed": {"tile": "-3", "to": "Ben"}}, ("passed_wrong_card",), {"Ben": (3,)},
    ),
    (
        "Flixxy miscounted", {"red": (3, *R), "flixxy": 5},
        3, "may", ("flixxy 5-7",), {"taken": ["-5"]}, ("wrong_count",), {"Rita": (5,)},
    ),
]  # fmt: skip


@pytest.mark.parametrize("row", TURNS, ids=[row[0] for row in TURNS])
def test_turn(row: Row) -> None:
    _, where, roll, die, moves, fields, broken, then = row
    state = position(**where)
    action = turn(state, roll, die, *moves, **fields)
    verdict = GAME.judge(state, action)
    assert verdict.rules == broken
    after = verdict.state
    seen = {
        "red": after.pawns[0], "blue": after.pawns[1], "guards": after.guards, "flixxy": after.flixxy,
        "Rita": after.collected[0], "Ben": after.collected[1], "Yara": after.collected[2], "removed": after.removed,
        "cards": len(after.route), "tokens": after.tokens, "worms": after.worms, "next": after.to_move,
    }  # fmt: skip
    assert {name: seen[name] for name in then} == then
    line = {"type": "turn", **GAME.action_to_line(state, action)}
    assert GAME.action_from_line(state, line) == action


def test_b13_action_die_leaves_too() -> None:
    state = position(red=(3, *R), flixxy="out")
    with pytest.raises(RecordError, match="action die has left the game"):
        GAME.judge(state, turn(state, 4, "may", "red 3-7", taken=["-3"]))
    with pytest.raises(RecordError, match="expected one of may"):
        state = position(red=(3, *R))
        GAME.judge(state, turn(state, 4, None, "red 3-7", taken=["-3"]))


def test_b19_final_score() -> None:
    """Cards -6, luck, +3; round token +4; two unused worm tokens."""
    state = position(stacks=((6, 10, 23), (), ()), tokens=((4,), (), ()), worms=(2, 0, 0), with_worms=True)
    rita = GAME.scores(state)[0]
    assert rita.total == 15
    assert rita.parts == (("luck:-6", 6), ("luck", 0), ("+3", 3), ("token:+4", 4), ("worms", 2))
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.winners == ("Rita",)


def test_extra_turn_is_over_after_one() -> None:
    state = position(red=(0, 0, FIN), blue=(0, *R), worms=(2, 0, 0), with_worms=True)
    extra = [{"action": "extra_turn"}]
    first = GAME.judge(state, turn(state, 4, "may", "red 0-4", worms=extra)).state
    assert (first.to_move, first.extra) == (0, 0)
    second = GAME.judge(first, turn(first, 1, "may", "red 0-1")).state
    assert second.to_move == 1


def test_flixxy_once_round_on_a_short_route() -> None:
    """Three cards are left: five steps bring Flixxy back to where it stood, past the finish."""
    state = position(red=(3, *R), flixxy=2, gone=tuple(range(4, 37)))
    action = turn(state, 5, "must", "flixxy 2-2", token="+4")
    verdict = GAME.judge(state, action)
    assert verdict.legal and verdict.state.tokens[0] == (4,) and verdict.state.collected[0] == ()
    assert action in GAME.legal_actions(state, Roll(5, "must"))


def test_nothing_of_the_box_gets_lost_in_a_correction() -> None:
    before = position(red=(3, *R), stacks=((5, 19), (2,), ()), gone=(7,), tokens=((4,), (), ()), with_worms=True)
    after = replace(before, collected=((19,), (2, 7), ()), removed=(5,), flixxy=11, tokens=((), (4,), ()), to_move=2)
    after = replace(after, pawns=((6, *R), *after.pawns[1:]), worms=(1, 0, 0), laps=2)
    change = GAME.difference(before, after)
    assert GAME.correct(before, change) == after
    line = {"type": "correction", **GAME.action_to_line(before, change)}
    assert GAME.action_from_line(before, line) == change


def test_a_worm_token_spent_in_two_ways_that_look_the_same() -> None:
    """An extra turn, or the other own pawn of the card moved: both are offered, for another player is to move then."""
    text = (
        "20 0 1,4,8-11,13-18,20-23,25-29,31 4,4/1,14 8,9,9,11,13,17,18 19,30,2,32,3/7,5,24,12,6 10 - -/4 1,1 1 0"
    )
    state = GAME.state_from_text(setup(2, "random", 2, route=list(SHUFFLED), worms=True), text)
    spent = [c for c in GAME.candidates(state, 4) if c.verdict.legal and c.verdict.state.worms == (0, 1)]
    moved = [c for c in spent if [(m.start, m.to) for m in c.action.moves] == [(4, 11)]]
    next_player = {c.action.worms[0].action: c.verdict.state.to_move for c in moved}
    assert next_player["extra_turn"] == 0 and next_player["move_others"] == 1
