"""Turns of Dice Flick: worked examples D18 to D20, flicks, hands, claims, ten rounds."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from check_game import check_action_text, perft, play_games
from dice_flick_box import GAME, board, flick, random_board, setup, state, turn
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dice_flick import Group, State, Turn
from rules.dice_flick.values import DICE_IN_SET
from rules.protocol import Outcome, RecordError

FLICKS: list[tuple[str, str, str, str, dict[str, Any], str]] = [
    ("two flicks", "", "g3 1/1, b ditch", "g3 1/1", {}, ""),
    ("D18 bonus hole gives a third", "", "g3 1/5, b ditch, y4 1/1", "g3 1/5, y4 1/1", {}, ""),
    ("D18 a fourth without bonus", "", "g3 1/5, b ditch, y ditch, y ditch", "g3 1/5", {}, "too_many_flicks"),
    ("bonus on the extra die, too", "", "g3 1/5, b ditch, y4 5/1, w ditch", "g3 1/5, y4 5/1", {}, ""),
    ("bonus once a turn", "", "g3 1/5, b ditch, y4 5/1, w ditch", "g3 1/5, y4 5/1", {"bonus_per_turn": "one"},
     "too_many_flicks"),
    ("D19 ditch: on with the next die", "", "g ditch, b3 2/1", "b3 2/1", {}, ""),
    ("third die used", "", "g ditch, b3 2/1, y ditch", "b3 2/1", {}, "too_many_flicks"),
    ("one flick", "", "g ditch", "", {}, "too_few_flicks"),
    ("bonus die forgotten", "", "g3 1/5, b ditch", "g3 1/5", {}, "too_few_flicks"),
    ("stacked goes to the bag", "y1 3/3", "g stacked, b ditch", "y1 3/3", {}, ""),
    ("stacked is flicked again", "y1 3/3", "g stacked, b ditch, g ditch", "y1 3/3", {"stacked_die": "again"}, ""),
    ("pushed into another hole", "y1 1/2", "g3 1/1, b ditch", "g3 1/1, y4 1/3", {}, ""),
    ("knocked into the ditch", "y1 1/2", "g3 1/1, b ditch", "g3 1/1", {}, ""),
    ("scored die left lying", "y1 1/2", "g3 1/1, b ditch", "g3 1/1, y1 1/2, y3 4/5", {}, "die_not_returned"),
]


@pytest.mark.parametrize(("case", "before", "flicks", "lying", "options", "rules"), FLICKS, ids=[c[0] for c in FLICKS])
def test_flicks(case: str, before: str, flicks: str, lying: str, options: dict[str, Any], rules: str) -> None:
    played = turn(flicks, lying, claimed=0)
    verdict = GAME.judge(state(before, **options), played)
    assert verdict.rules == tuple(rules.split())
    assert verdict.state.board == board(lying) and verdict.state.to_move == 1


BOX = "p6 5/3, b2 5/1, g4 5/5, y5 3/3, w1 1/1"
"""Worth 22: row 12 and centre 10. The column is worth 16, the centre alone 10."""
OFF = "g ditch, b ditch"

CLAIMS: list[tuple[str, dict[str, Any], str, int, str]] = [
    ("nothing said: the best", {}, "", 22, "w1 1/1"),
    ("the best claimed", {"claimed": 22}, "", 22, "w1 1/1"),
    ("too much", {"claimed": 23}, "scored_too_much", 23, "w1 1/1"),
    ("scoring is voluntary", {"claimed": 0}, "", 0, BOX),
    ("less, only one way", {"claimed": 16}, "", 16, "b2 5/1, g4 5/5, w1 1/1"),
    ("points that do not come out", {"claimed": 7}, "score_not_possible", 7, BOX),
    ("dice named", {"returned": ((3, 3),)}, "", 10, "p6 5/3, b2 5/1, g4 5/5, w1 1/1"),
    ("dice named, too much for them", {"claimed": 12, "returned": ((3, 3),)}, "score_not_possible", 12,
     "p6 5/3, b2 5/1, g4 5/5, w1 1/1"),
    ("scored die kept", {"claimed": 22, "returned": ((3, 3), (5, 1), (5, 3))}, "die_not_returned", 22,
     "g4 5/5, w1 1/1"),
    ("unscored die taken", {"claimed": 22, "returned": ((1, 1), (3, 3), (5, 1), (5, 3), (5, 5))},
     "returned_unscored_die", 22, ""),
    ("groups named", {"scored": (Group("line", ((5, 1), (5, 3), (5, 5)), 12), Group("centre", ((3, 3),), 10))},
     "", 22, "w1 1/1"),
    ("a die in two groups", {"scored": (Group("line", ((3, 3), (5, 3)), 16), Group("centre", ((3, 3),), 10)),
                             "claimed": 26}, "die_scored_twice scored_too_much", 26, "b2 5/1, g4 5/5, w1 1/1"),
    ("no group", {"scored": (Group("colour", ((5, 1), (5, 5)), 6),), "claimed": 0}, "not_a_group", 0,
     "p6 5/3, y5 3/3, w1 1/1"),
]


@pytest.mark.parametrize(("case", "claim", "rules", "points", "left"), CLAIMS, ids=[c[0] for c in CLAIMS])
def test_claims(case: str, claim: dict[str, Any], rules: str, points: int, left: str) -> None:
    verdict = GAME.judge(state(BOX), turn(OFF, BOX, **claim))
    assert verdict.rules == tuple(rules.split())
    assert verdict.state.points[0] == (points,) and verdict.state.board == board(left)


def test_part_of_a_group() -> None:
    """A group is scored whole, unless the house rule allows parts."""
    four = "g1 3/1, g2 4/1, g3 5/1, g4 5/2"
    part = ((3, 1), (4, 1), (5, 1))
    assert GAME.judge(state(four), turn("b ditch, b ditch", four, 6, returned=part)).rules == ("score_not_possible",)
    assert GAME.judge(state(four, partial_groups=True), turn("b ditch, b ditch", four, 6, returned=part)).legal
    named = turn("b ditch, b ditch", four, scored=(Group("colour", part, 6),))
    assert "not_a_group" in GAME.judge(state(four), named).rules
    assert GAME.judge(state(four, partial_groups=True), named).legal


@pytest.mark.parametrize("options", [{}, {"min_group": 2}, {"knaller_optional": False}], ids=str)
@pytest.mark.parametrize("lying", ["p6 5/3, b2 5/1, y5 3/3, y1 3/2, w2 3/1", "g4 2/1, g5 2/3, w3 1/2, b2 5/5, w1 2/4"])
def test_nothing_else_is_legal(lying: str, options: dict[str, Any]) -> None:
    """Every set of dice with every number of points: legal are exactly the scorings that ``legal_actions`` names."""
    before, thrown = state(lying, **options), turn("b ditch, y ditch", lying).throw
    named = {(t.claimed, t.returned) for t in GAME.legal_actions(before, thrown)}
    cells = [die.cell for die in board(lying)]
    sets = [tuple(c for k, c in enumerate(cells) if bits >> k & 1) for bits in range(1 << len(cells))]
    most = GAME.best(before, thrown).score
    found = {
        (claimed, returned)
        for returned in sets
        for claimed in range(most + 3)
        if GAME.judge(before, Turn(0, thrown, claimed, returned)).legal
    }
    assert found == named and len(named) > 3


def test_nothing_is_legal_after_too_few_flicks() -> None:
    assert GAME.legal_actions(state(), turn("g ditch", "").throw) == ()
    assert not any(c.verdict.legal for c in GAME.candidates(state(), turn("g ditch", "").throw))


def test_several_ways_to_score_the_same() -> None:
    """Six points from either of two groups: which dice went back must be said."""
    two = "g1 3/1, g2 4/1, g3 5/1, b1 5/3, b2 5/4, b3 5/5"
    with pytest.raises(RecordError, match="returned"):
        GAME.judge(state(two), turn("w ditch, w ditch", two, 6))
    assert GAME.judge(state(two), turn("w ditch, w ditch", two, 6, returned=((3, 1), (4, 1), (5, 1)))).legal


def test_hands() -> None:
    """The third die stays; next turn it is one of the three (unless the house rule sends it back)."""
    first = GAME.judge(state(), turn("g ditch, b ditch", "", hand=("green", "blue", "pink"))).state
    assert first.kept == ("pink", "")
    again = replace(first, to_move=0)
    assert GAME.judge(again, turn("g ditch, b ditch", "", hand=("green", "blue", "pink"))).legal
    swapped = turn("g ditch, b ditch", "", hand=("green", "blue", "white"))
    assert GAME.judge(again, swapped).rules == ("kept_die_swapped",)
    foreign = turn("g ditch, w ditch", "", hand=("green", "blue", "pink"))
    assert GAME.judge(again, foreign).rules == ("not_from_hand",)
    bonus = turn("g3 1/5, b ditch, w ditch", "g3 1/5", 0, hand=("green", "blue", "pink"))
    assert GAME.judge(again, bonus).legal, "the bonus die comes from the bag"
    back = state(third_die="return")
    assert GAME.judge(back, turn("g ditch, b ditch", "", hand=("green", "blue", "pink"))).state.kept == ("", "")
    assert GAME.bag(first)["pink"] == DICE_IN_SET["pink"] - 1


def test_markers_that_were_covered() -> None:
    """With the house rule a marker that was covered once counts no more when the die is gone."""
    line, covered = "g4 2/1, g5 2/3", "g4 2/1, g5 2/3, y6 2/2"
    for dead, points in ((False, 18), (True, 0)):
        before = state(line, ever_covered_is_dead=dead)
        after = GAME.judge(before, turn("y6 2/2, b ditch", covered, 0)).state
        uncovered = GAME.judge(replace(after, to_move=0), turn("b ditch, w ditch", line)).state
        assert uncovered.points[0] == (0, points)


def test_d20_ten_rounds_and_two_winners() -> None:
    last = state("", "Anna", "Ben", "Cem")
    points = ((6,) * 9 + (7,), (6,) * 9 + (7,), (4,) * 9)
    before = replace(last, points=points, to_move=2)
    assert GAME.outcome(before) is None and before.round == 10
    after = GAME.judge(before, turn(OFF, "", 0, player=2)).state
    assert [score.total for score in GAME.scores(after)] == [61, 61, 36]
    assert GAME.outcome(after) == Outcome(("Anna", "Ben"), "ten_rounds")
    assert GAME.judge(after, turn(OFF, "", 0)).rules == ("game_is_over",)


def test_out_of_turn() -> None:
    verdict = GAME.judge(state(), turn(OFF, "", player=1))
    assert verdict.rules == ("out_of_turn",) and verdict.state.to_move == 0


@pytest.mark.parametrize(
    ("before", "flicks", "lying", "fault"),
    [
        ("", OFF, "w1 1/1, w1 1/2, w1 1/3, w1 1/4", "the set has 3"),
        ("p6 1/1, p6 2/2", "p ditch, b ditch", "p6 1/1, p6 2/2", "not in the box"),
    ],
)
def test_impossible_dice(before: str, flicks: str, lying: str, fault: str) -> None:
    with pytest.raises(RecordError, match=fault):
        GAME.judge(state(before), turn(flicks, lying))


def test_returned_from_an_empty_hole() -> None:
    with pytest.raises(RecordError, match="without a die"):
        GAME.judge(state(BOX), turn(OFF, BOX, returned=((2, 2),)))


def throws(seed: int) -> list[int]:
    rng = random.Random(seed)
    return [rng.randrange(10**9) for _ in range(500)]


def dice_add_up(state: State) -> None:
    assert all(0 <= count <= DICE_IN_SET[colour] for colour, count in state.free_dice().items())
    assert len({die.cell for die in state.board}) == len(state.board)


HOUSE_RULES: dict[str, dict[str, Any]] = {
    "base": {},
    "dead markers, pairs": {"ever_covered_is_dead": True, "min_group": 2},
    "strict": {"knaller_optional": False, "whites_alone": False, "centre_and_upgrade": "once", "bonus_per_turn": "one"},
}


@pytest.mark.parametrize("options", HOUSE_RULES.values(), ids=list(HOUSE_RULES))
def test_random_games(options: dict[str, Any]) -> None:
    raw = setup(**options, rounds=6)
    assert play_games(GAME, raw, seed=1, games=3, rolls=throws(1), conserved=dice_add_up, candidates_every=5) >= 36


def test_random_games_with_mistakes() -> None:
    assert play_games(GAME, setup(rounds=4), seed=2, games=2, rolls=throws(2), mistakes=0.3) >= 16


@pytest.mark.slow
@pytest.mark.parametrize("options", HOUSE_RULES.values(), ids=list(HOUSE_RULES))
def test_many_random_games(options: dict[str, Any]) -> None:
    play_games(GAME, setup(**options), seed=3, games=60, rolls=throws(3), conserved=dice_add_up, candidates_every=41)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 20), st.integers(0, 10**6), st.integers(0, 10**9))
def test_texts_of_any_box(dice: int, seed: int, number: int) -> None:
    """States and turns of full and empty boxes read back; what a throw allows is legal, and the best comes first."""
    before = replace(state(), board=random_board(random.Random(seed), dice), points=((3, 0), (1,)), kept=("pink", ""))
    assert GAME.state_from_text(setup(), GAME.state_to_text(before)) == before
    thrown = GAME.throw(before, number)
    best = GAME.best(before, thrown)
    played = Turn(before.to_move, thrown, best.score, best.returned)
    assert GAME.judge(before, played).legal
    check_action_text(GAME, before, played)
    empty = replace(before, board=())
    assert GAME.correct(empty, GAME.difference(empty, before)) == replace(before, covered=GAME.correct(
        empty, GAME.difference(empty, before)).covered)


def test_line_fields() -> None:
    """What ``judge`` adds to a turn: best score, its groups, the dice that went back."""
    line = GAME.action_to_line(state(BOX), turn(OFF, BOX, claimed=16))
    assert line["best_score"] == 22 and line["claimed"] == 16 and line["returned"] == [[3, 3], [5, 3]]
    assert line["groups"][0] == {"kind": "line", "cells": [[5, 1], [5, 3], [5, 5]], "points": 12}
    assert line["flicks"] == [{"die": "green", "landed": "ditch"}, {"die": "blue", "landed": "ditch"}]
    hit = GAME.action_to_line(state(), turn("g3 1/2, b ditch", "g3 1/2"))
    assert hit["flicks"][0] == {"die": "green", "landed": "hole", "row": 1, "col": 2, "value": 3}


def test_board_from_flicks_alone() -> None:
    """A line without a board: nothing but the flicked dice has moved."""
    line = {"player": "Anna", "flicks": [
        {"die": "green", "landed": "hole", "row": 1, "col": 2, "value": 3}, {"die": "pink", "landed": "outside"}]}
    read = GAME.action_from_line(state("y1 4/4"), line)
    assert read.throw.board == board("g3 1/2, y1 4/4") and read.throw.flicks == (flick("g3 1/2"), flick("p outside"))


@pytest.mark.parametrize(("lying", "counts"), [("", (8, 98)), (BOX, (28, 543))], ids=["start", "middle"])
def test_move_counts(lying: str, counts: tuple[int, ...]) -> None:
    """Legal sequences of 1 and 2 turns over the same four throws."""
    assert tuple(perft(GAME, state(lying), depth, throws(9)[:4]) for depth in (1, 2)) == counts
