"""The table as it stands: what changed on it when no turn of the rules explains that, read off the evidence alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.protocol import Place, RecordError
from vision.evidence import Evidence
from vision.explain import TURN, Branch, Hypothesis, Told
from vision.reading import TableReading
from vision.tables import Contents, TableAdapter

FREE, EACH = -9.0, -2.0
"""Log-probability of a change that no rule and no usual mistake accounts for, and of every single thing in it."""

WORTH = 3.0
"""Nats by which one more thing must make the table fit better."""

MOST = 8
"""More things than these are not changed at once."""

Changed = dict[Place, Contents]


def as_it_stands(
    branch: Branch, evidence: Evidence, reading: TableReading, adapter: TableAdapter[Any], first: Any
) -> Hypothesis | None:
    """The change since ``branch`` that makes the table fit best, whatever the rules say of it; None where nothing
    fits better than no change. ``first``: the state of the game before its first turn, for what lay where.

    It is a turn where the die was thrown and the rules can judge it at all, else a correction.
    """
    table = evidence.given(branch.known)
    base = adapter.contents(branch.state)
    after = _seen(table, base, adapter.contents(first))
    told = _told(branch, base, after, reading, adapter) if after != base else None
    if told is None:
        return None
    shown = adapter.contents(told.after)
    prior = branch.weight + TURN + FREE + EACH * sum(shown[place] != base[place] for place in base)
    return Hypothesis(branch, told, told.after, prior, prior + table.log_likelihood(shown))


def _seen(table: Evidence, base: Mapping[Place, Contents], first: Mapping[Place, Contents]) -> Mapping[Place, Contents]:
    """The contents that fit best, found by changing one thing after the other."""
    now = dict(base)
    for _ in range(MOST):
        options = [(table.gain(now, changed), k, changed) for k, changed in enumerate(_single(table, now, first))]
        gain, _, changed = max(options, default=(0.0, 0, Changed()))
        if gain < WORTH:
            break
        now.update(changed)
    return now


def _single(table: Evidence, now: Mapping[Place, Contents], first: Mapping[Place, Contents]) -> Iterator[Changed]:
    """Every single thing that may have changed: a piece put elsewhere, a tile taken with the guards on it, or put
    back."""
    seen = table.occupied()
    for place, here in now.items():
        for name in dict.fromkeys(here.pieces):
            for to in seen - {place}:
                there = now[to]
                yield {place: replace(here, pieces=_without(here.pieces, name)),
                       to: replace(there, pieces=tuple(sorted((*there.pieces, name))))}  # fmt: skip
        if here.tile and all(name == "guard" for name in here.pieces):
            yield {place: Contents((), "")}
        elif here.tile == "" and first[place].tile:
            yield {place: replace(here, tile=first[place].tile)}


def _without(pieces: tuple[str, ...], name: str) -> tuple[str, ...]:
    k = pieces.index(name)
    return pieces[:k] + pieces[k + 1:]


@dataclass(frozen=True, slots=True)
class _Change:
    """The fields of a record's line."""

    moves: list[dict[str, Any]]
    taken: list[Place]
    returned: list[Place]


def _change(base: Mapping[Place, Contents], after: Mapping[Place, Contents]) -> _Change:
    gone: dict[str, list[Place]] = {}
    come: dict[str, list[Place]] = {}
    for place in base:
        less, more = Counter(base[place].pieces), Counter(after[place].pieces)
        for name in (less - more).elements():
            gone.setdefault(name, []).append(place)
        for name in (more - less).elements():
            come.setdefault(name, []).append(place)
    moves = [
        {"piece": name, "from": start, "to": (come.get(name, []) + ["out"] * len(starts))[k]}
        for name, starts in gone.items() for k, start in enumerate(starts)
    ]
    tiles = [(p, base[p].tile, after[p].tile) for p in base if base[p].tile != after[p].tile]
    return _Change(moves, [p for p, _, tile in tiles if not tile], [p for p, tile, _ in tiles if not tile])


def _told(
    branch: Branch, base: Mapping[Place, Contents], after: Mapping[Place, Contents], reading: TableReading,
    adapter: TableAdapter[Any],
) -> Told | None:
    """The change as something that the rules can keep; None where they cannot."""
    change, game = _change(base, after), adapter.game
    if branch.die.was_thrown(reading) and game.outcome(branch.state) is None:
        rolls = adapter.rolls(branch.state, branch.die.rolls(reading), branch.die.said)
        turn = _turn(branch, max(rolls, key=lambda roll: rolls[roll]), change, game)
        if turn is not None and adapter.contents(turn.after) == after:
            return turn
    line = {"type": "correction", "moves": change.moves, **_tiles(change)}
    try:
        action = game.action_from_line(branch.state, line)
        told = Told("correction", branch.state, action, game.correct(branch.state, action), die=branch.die, free=True)
    except RecordError:
        return None
    return told if adapter.contents(told.after) == after else None


def _turn(branch: Branch, roll: int, change: _Change, game: Any) -> Told | None:
    """A turn with this throw in which all that was done."""
    usual = next(iter(game.candidates(branch.state, roll)), None)
    if usual is None:
        return None
    dice = {key: value for key, value in game.action_to_line(branch.state, usual.action).items()
            if key in ("player", "roll", "action_die")}  # fmt: skip
    try:
        action = game.action_from_line(branch.state, {"type": "turn", **dice, "moves": change.moves, **_tiles(change)})
        verdict = game.judge(branch.state, action)
    except RecordError:
        return None
    return Told("turn", branch.state, action, verdict.state, verdict.violations, roll, branch.die, free=True)


def _tiles(change: _Change) -> dict[str, list[Place]]:
    named = ("taken_tiles", change.taken), ("returned_tiles", change.returned)
    return {name: tiles for name, tiles in named if tiles}
