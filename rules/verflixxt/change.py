"""Physical changes that are no turns: a wrong move put right, a reading corrected by a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rules.protocol import Move
from rules.verflixxt.state import GUARD, OUT, State, Turn, pawn_of
from rules.verflixxt.table import Table, carry_out_on, guards_told


def correct(state: State, change: Turn) -> State:
    """The state after a change that nobody judges; turn number and player to move stay. Raises RecordError."""
    change = guards_told(state, change)
    table = carry_out_on(Table(state, in_gaps=True), change)
    table.wander(change.wandered)
    after = table.state(state.to_move, state.turns)
    return after if change.next_player is None else replace(after, to_move=change.next_player)


def difference(before: State, after: State) -> Turn:
    """The change that :func:`correct` needs to get from ``before`` to ``after`` (their turn numbers aside)."""
    moves = moved_pieces(before, after)
    lost, gained = tile_changes(before, after)
    player = gained[0][0] if gained else previous_player(before)
    change = Turn(
        player,
        0,
        moves,
        tuple(tile for owner, tile in gained if owner == player),
        tuple(lost),
        tuple((owner, tile) for owner, tile in gained if owner != player),
        (),
        None if before.to_move == after.to_move else after.to_move,
    )
    route = correct(before, change).route
    return replace(change, wandered=_wandered(route, after.route))


def previous_player(state: State) -> int:
    """The player who sits before the one to move."""
    return (state.to_move - 1) % len(state.pawns)


def moved_pieces(before: State, after: State) -> tuple[Move, ...]:
    """Pawns and guards that stand elsewhere, a guard that left the game on ``"out"``."""
    moves: list[Move] = []
    for player, (old, new) in enumerate(zip(before.pawns, after.pawns, strict=True)):
        moves += pairs(pawn_of(before.config, player), old, new)
    count = len(before.config.guards_start)
    outs = [[OUT] * (count - len(guards)) for guards in (before.guards, after.guards)]
    return (*moves, *pairs(GUARD, (*before.guards, *outs[0]), (*after.guards, *outs[1])))


def pairs(piece: str, old: Sequence[int | str], new: Sequence[int | str]) -> list[Move]:
    """Moves that turn the places ``old`` of equal pieces into ``new``."""
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    return [Move(piece, a, b) for a, b in zip(gone.elements(), come.elements(), strict=True)]


def tile_changes(before: State, after: State, in_order: bool = True) -> tuple[list[int], list[tuple[int, int]]]:
    """Tiles that leave a pile, and (player, tile) for those that come to one.

    ``in_order``: a pile that lies in another order is laid back and taken again.
    """
    lost: list[int] = []
    gained: list[tuple[int, int]] = []
    for player, (old, new) in enumerate(zip(before.collected, after.collected, strict=True)):
        kept = [tile for tile in old if tile in new]
        if in_order and kept != list(new[: len(kept)]):
            kept = _common_prefix(old, new)
        lost += [tile for tile in old if tile not in kept]
        gained += [(player, tile) for tile in new if tile not in kept]
    return lost, gained


def _common_prefix(old: Sequence[int], new: Sequence[int]) -> list[int]:
    prefix = []
    for a, b in zip(old, new, strict=False):
        if a != b:
            break
        prefix.append(a)
    return prefix


def _wandered(route: Iterable[int], wanted: Sequence[int]) -> tuple[int, ...]:
    """The tiles to lay before the finish, one after the other, so that ``route`` becomes ``wanted``."""
    rest = iter(wanted)
    target = next(rest, None)
    stay = 0
    for tile in route:
        if tile == target:
            stay += 1
            target = next(rest, None)
    return tuple(wanted[stay:])
