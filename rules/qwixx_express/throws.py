"""What can be crossed after a throw of Qwixx Express, what is crossed by mistake, and how seen crosses came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from rules.protocol import Candidate
from rules.qwixx_express.judging import judge_round, misthrow_due
from rules.qwixx_express.sheet import COLOURS, ROWS, last_number
from rules.qwixx_express.state import Cross, Dice, Round, State, Throw

Marks = tuple[tuple[Cross, ...], ...]
"""One choice of crosses for every slot: caller and other in action 1, other in action 2."""


def throw_numbered(state: State, number: int) -> Throw:
    """A possible throw for every whole number; the same number gives the same throw in the same state."""
    number, stopper = divmod(number, 2)
    dice = []
    for _ in range(2):
        number, first = divmod(number, 6)
        number, second = divmod(number, 6)
        number, face = divmod(number, 6)
        dice.append(Dice((first + 1, second + 1), COLOURS[min(face, 4)]))
    allowed = state.config.to_next_minus(state.sheets[1 - stopper].misthrow)
    count = number % (allowed + 1)
    return Throw(stopper, (dice[0], dice[1]), (0, count) if stopper == 0 else (count, 0))


def legal_rounds(state: State, throw: Throw) -> tuple[Round, ...]:
    """Every legal way to use this throw; none when it was re-rolled too often."""
    return tuple(played for played in _rounds(state, throw) if judge_round(state, played).legal)


def _rounds(state: State, throw: Throw) -> Iterator[Round]:
    """Every choice of fitting numbers, rows and locks not yet checked."""
    stopper, other = throw.stopper, 1 - throw.stopper
    first, second = throw.dice[stopper], throw.dice[other]
    shared = _choices(1, other, first) if first.white else [()]
    for crosses in product(_choices(1, stopper, first), shared, _choices(2, other, second)):
        yield _completed(state, throw, tuple(cross for slot in crosses for cross in slot))


def _choices(action: int, player: int, dice: Dice) -> list[tuple[Cross, ...]]:
    rows = ROWS if dice.white else (dice.colour,)
    return [(), *((_cross(action, player, row, dice.sum),) for row in rows)]


def _cross(action: int, player: int, row: str, number: int) -> Cross:
    return Cross(action, player, row, number, number == last_number(row))


def _completed(state: State, throw: Throw, crosses: tuple[Cross, ...]) -> Round:
    """The round with the misthrow fields that it asks for."""
    return Round(throw, crosses, misthrow_due(state, throw, crosses))


def plausible_faults(state: State, throw: Throw, legal: Sequence[Round]) -> Iterator[Round]:
    """Wrong rounds that happen at a table: fields forgotten, locks forgotten, numbers that may not be crossed.

    A wrong number is tried once in each slot, with one way to play the rest; :func:`explain` finds all others.
    """
    rounds = legal or tuple(_rounds(state, throw))
    for played in rounds:
        yield from _forgotten(played)
    yield from _wrong_crosses(state, throw, rounds)


def _forgotten(played: Round) -> Iterator[Round]:
    due = played.misthrow or (0, 0)
    for player in (0, 1):
        for count in {0, due[player] - 1, due[player] + 1} - {due[player], -1}:
            yield replace(played, misthrow=(count, due[1]) if player == 0 else (due[0], count))
    for cross in played.crosses:
        if cross.lock:
            open_row = tuple(replace(c, lock=False) if c == cross else c for c in played.crosses)
            yield replace(played, crosses=open_row)


def _wrong_crosses(state: State, throw: Throw, rounds: Sequence[Round]) -> Iterator[Round]:
    """One more cross where a round has none: the sum or a number beside it, in any row, in either action."""
    for action, player in product((1, 2), (0, 1)):
        free = [r for r in rounds if not any(c.action == action and c.player == player for c in r.crosses)]
        if not free:
            continue
        played = max(free, key=lambda r: len(r.crosses))
        dice = throw.dice[throw.stopper if action == 1 else 1 - throw.stopper]
        for row, number in product(ROWS, (dice.sum, dice.sum - 1, dice.sum + 1)):
            if 2 <= number <= 12:
                yield _completed(state, throw, (*played.crosses, _cross(action, player, row, number)))


def explain(state: State, throw: Throw, seen: tuple[Cross, ...], misthrow: tuple[int, int]) -> Candidate[State, Round]:
    """The reading of new crosses on the sheets that breaks the fewest rules.

    A sheet does not show in which action a number was crossed, so the ``action`` of ``seen`` is ignored.
    """
    readings = []
    for actions in product((1, 2), repeat=len(seen)):
        crosses = tuple(sorted((replace(c, action=a) for c, a in zip(seen, actions, strict=True)), key=_order))
        played = Round(throw, crosses, misthrow)
        readings.append(Candidate(played, judge_round(state, played)))
    return min(readings, key=lambda candidate: len(candidate.verdict.violations))


def _order(cross: Cross) -> tuple[int, int, int, int]:
    return cross.action, cross.player, ROWS.index(cross.row), cross.number
