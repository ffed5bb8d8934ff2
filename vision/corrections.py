"""A wrong turn put right: at once, in several steps, or after it was already put right in another way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from rules.protocol import Move, RecordError
from vision.offered import Changes, changes, offered
from vision.tables import TableAdapter
from vision.told import Branch, Told

CORRECTION = -1.5
"""Log-probability of a wrong turn being put right."""

COMPLETED = -1.0
"""The same of its move staying and only what belongs to it (a tile taken, a piece thrown out) following later, against
its being put right."""

LATE_CORRECTION = -4.0
"""The same when the die was already thrown again."""

PARTLY = -2.5
"""The same of a part of it only, so that more must follow, against all at once."""

ONCE_MORE = -2.0
"""The same when it was already put right in another way."""

MOST_STEPS = 4
"""A correction of more things than these is not looked for in parts."""

OFF = "out"


def corrections(branch: Branch, adapter: TableAdapter[Any]) -> Iterator[tuple[Told, float, Changes]]:
    """How the last turn of ``branch`` may have been put right, with the log-probability beforehand and what changes."""
    last = branch.last
    wrong = _wrong(last)
    if wrong is None or last is None:
        return
    prior = CORRECTION if branch.die.thrown is None else LATE_CORRECTION
    if last.kind == "correction" and not last.partly:
        prior += ONCE_MORE
    table: Any = adapter
    for way in _ways(table, branch.state, wrong.before, wrong.action, wrong.roll, wrong.rolls):
        told = Told("correction", branch.state, way.change, way.after, (), wrong.roll, branch.die, way.taken_back,
                    wrong=wrong, partly=way.partly)  # fmt: skip
        yield told, prior + way.prior, way.changes


def _wrong(last: Told | None) -> Told | None:
    """The wrong turn that may (still) be put right. One that was taken back is played again instead."""
    if last is None or last.taken_back:
        return None
    return last if last.violations else last.wrong


@dataclass(frozen=True, slots=True)
class _Way:
    """A change that puts a wrong turn right, wholly or ``partly``, and the state after it."""

    change: Any
    after: Any
    prior: float
    taken_back: bool
    partly: bool
    changes: Changes


@lru_cache(maxsize=64)
def _ways(
    adapter: Any, state: Any, before: Any, action: Any, roll: int, rolls: tuple[tuple[int, float], ...]
) -> tuple[_Way, ...]:
    """Whole corrections, then parts of them; where a part looks like something whole, it is that."""
    game, base = adapter.game, adapter.contents(state)
    righted = _righted(adapter, before, action, roll, rolls)
    whole = [(game.difference(state, target), prior, target is before) for target, prior in righted]
    parts = [(part, prior + PARTLY) for change, prior, _ in whole for part in _parts(change)]
    ways = list[_Way]()
    seen = {state}
    for change, prior, back, partly in [*((*one, False) for one in whole), *((*one, False, True) for one in parts)]:
        after = _after(game, state, change)
        if after is not None and not (partly and after in seen):
            seen.add(after)
            ways.append(_Way(change, after, prior, back, partly, changes(base, adapter.contents(after))))
    return tuple(ways)


def _after(game: Any, state: Any, change: Any) -> Any:
    """The state after a change, None where it cannot have happened."""
    try:
        return game.correct(state, change)
    except RecordError:
        return None


def _righted(
    adapter: Any, before: Any, action: Any, roll: int, rolls: tuple[tuple[int, float], ...]
) -> Iterator[tuple[Any, float]]:
    """The positions a wrong turn may be put right to: what a legal one would have given, and the one before it; then
    those in which its move stays and has other consequences."""
    for thrown, share in rolls or ((roll, 1.0),):
        for right in adapter.game.legal_actions(before, thrown):
            yield adapter.game.judge(before, right).state, math.log(share)
    yield before, 0.0
    moved = getattr(action, "moves", ())[:1]
    for candidate, _ in offered(adapter, before, roll) if moved else ():
        if candidate.action.moves[:1] == moved and candidate.verdict.violations:
            yield candidate.verdict.state, COMPLETED


@dataclass(frozen=True, slots=True)
class _Step:
    """What one hand does: a piece moved, or a tile taken or put back with what stands on it."""

    moves: tuple[Move, ...] = ()
    taken: tuple[int, ...] = ()
    returned: tuple[int, ...] = ()


def _parts(change: Any) -> Iterator[Any]:
    """The change with only some of its steps; none where it is a single one."""
    steps = list(_steps(change))
    if not 2 <= len(steps) <= MOST_STEPS:
        return
    bare = {name: () for name in ("fixed", "stacks", "wandered") if hasattr(change, name)}
    for count in range(1, len(steps)):
        for some in combinations(steps, count):
            fields: dict[str, Any] = {"moves": tuple(move for step in some for move in step.moves)}
            if hasattr(change, "taken"):
                fields["taken"] = tuple(tile for step in some for tile in step.taken)
                fields["returned"] = tuple(tile for step in some for tile in step.returned)
            yield replace(change, next_player=None, **bare, **fields)


def _steps(change: Any) -> Iterator[_Step]:
    moves = list(change.moves)
    for name in ("taken", "returned"):
        for tile in getattr(change, name, ()):
            with_it = tuple(m for m in moves if (m.start, m.to) in ((tile, OFF), (OFF, tile)))
            moves = [m for m in moves if m not in with_it]
            yield _Step(with_it, **{name: (tile,)})
    for move in moves:
        yield _Step((move,))


def joined(branch: Branch, told: Told, adapter: TableAdapter[Any]) -> tuple[Branch, Told]:
    """``told`` after ``branch``, both in one where it ends what the last thing of ``branch``, not settled yet, began: a
    correction in several steps, or a wrong turn taken back and made right with the same throw."""
    first = branch.pending[-1] if branch.pending else None
    if first is None or first.wrong is None or first.free or not _goes_on(first, told):
        return branch, told
    change = adapter.game.difference(first.before, told.after)
    after = _after(adapter.game, first.before, change)
    if after is None:
        return branch, told
    whole = replace(told, kind="correction", before=first.before, action=change, after=after, roll=first.roll,
                    die=first.die, wrong=first.wrong)  # fmt: skip
    earlier = branch.pending[:-1]
    return replace(branch, state=first.before, pending=earlier, last=first.wrong), whole


def _goes_on(first: Told, told: Told) -> bool:
    """Whether ``told`` ends what the correction ``first`` began."""
    if told.kind == "correction":
        return told.wrong == first.wrong
    throws = [roll for roll, _ in first.wrong.rolls] if first.wrong else []
    return first.taken_back and not told.violations and bool(told.action.moves) and told.roll in (first.roll, *throws)
