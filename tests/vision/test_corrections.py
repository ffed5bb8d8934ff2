"""A wrong turn put right in several steps: one correction, and no second offence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rules.protocol import Move, Violation
from rules.verflixxt.state import State, Turn
from tests.vision.playing import happenings, watch
from tests.vision.toy import Toy
from vision.corrections import CORRECTION, ONCE_MORE, corrections, joined
from vision.tables.verflixxt import VerflixxtTable
from vision.told import Branch, Told


def opened() -> Toy:
    """Anna's pawn on the third tile, Ben's on the second, Anna to move with a 4."""
    toy = Toy()
    toy.rest(0.8)
    for face in (3, 2):
        toy.play(face, toy.game.legal_actions(toy.state, face)[0])
    return toy


@dataclass(frozen=True)
class Case:
    """A wrong turn made with a 4, the positions through which it is put right, and what must be told."""

    turn: Turn
    steps: Callable[[Toy, State], Sequence[State]]
    rest_s: float
    told: Sequence[tuple[Any, ...]]


def pawn_back_then_own(toy: Toy, before: State) -> list[State]:
    wrong = toy.state
    right = toy.game.judge(before, next(a for a in toy.game.legal_actions(before, 4) if not a.taken)).state
    return [replace(wrong, pawns=before.pawns), right]


def exchanged(toy: Toy, before: State) -> list[State]:
    """The wrong tile is put back, then the right one taken."""
    wrong = toy.state
    right = toy.game.judge(before, next(a for a in toy.game.legal_actions(before, 4) if a.taken)).state
    return [replace(wrong, route=tuple(sorted({*wrong.route, 7})), collected=((), ())), right]


OWN = ("pawn:red", "start", 4)
FOREIGN = Turn(0, 4, (Move("pawn:blue", 0, 4),))
WRONG_TILE = Turn(0, 4, (Move("pawn:red", 3, 7),), (7,))

CASES = {
    "another's pawn back, at once one's own": Case(
        FOREIGN, pawn_back_then_own, 0.5,
        [("correction", "Anna", None, (OWN, ("pawn:blue", 4, "start")), (), ())],
    ),
    "tile back, the right one taken": Case(WRONG_TILE, exchanged, 1.0, [("correction", "Anna", None, (), ("-3",), ())]),
    "tile back, the right one later": Case(WRONG_TILE, exchanged, 3.5, [("correction", "Anna", None, (), ("-3",), ())]),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_steps_of_one_correction(case: Case) -> None:
    toy = opened()
    before = toy.state
    toy.play(4, case.turn)
    first, last = case.steps(toy, before)
    for state, rest_s in ((first, case.rest_s), (last, 1.5)):
        toy.hand()
        toy.state = state
        rested_s = toy.t_s
        toy.rest(rest_s)
    toy.play(2, toy.game.legal_actions(toy.state, 2)[0])
    referee, lines = watch(toy)
    told = happenings(lines)
    assert told[2][5] and told[3:-1] == case.told
    assert told[-1][:3] == ("turn", "Ben", 2) and not told[-1][5]
    assert [line["t_s"] for line in lines if line["type"] == "correction"][-1] >= rested_s
    assert referee.history.state.pawns == toy.state.pawns


@pytest.mark.parametrize(("partly", "settled"), [(True, True), (False, True), (True, False)])
def test_what_was_put_right_in_part_is_ended(partly: bool, settled: bool) -> None:
    toy = opened()
    before, table = toy.state, VerflixxtTable(toy.game)
    after = toy.game.judge(before, WRONG_TILE).state
    wrong = Told("turn", before, WRONG_TILE, after, (Violation("took_wrong_tile"),), 4)
    half = next(told for told, _, _ in corrections(Branch(after, last=wrong), table) if told.action.returned == (7,))
    half = replace(half, partly=partly)
    branch = Branch(half.after, pending=() if settled else (half,), last=half)
    right = toy.game.judge(before, next(a for a in toy.game.legal_actions(before, 4) if a.taken)).state
    told, prior, _ = next(c for c in corrections(branch, table) if c[0].after == right)
    assert prior == CORRECTION + (0.0 if partly else ONCE_MORE)
    shorter, whole = joined(branch, told, table)
    assert whole.before == (half.after if settled else after) and whole.after == right
    assert whole.action.returned == (() if settled else (7,)) and not shorter.pending
