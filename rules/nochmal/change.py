"""Physical changes that are no turns: a wrong move put right, a reading corrected by a person."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.nochmal.state import State, Turn
from rules.nochmal.table import FlixxyTable
from rules.protocol import RecordError
from rules.verflixxt.change import moved_pieces, pairs, previous_player, tile_changes
from rules.verflixxt.route import gap_index
from rules.verflixxt.state import FLIXXY
from rules.verflixxt.table import carry_out_on, guards_told

FIXED = ("removed", "tokens", "worms", "laps", "extra")
"""Fields of :class:`State` that a correction sets directly."""


def correct(state: State, change: Turn) -> State:
    """The state after a change that nobody judges; turn number and player to move stay. Raises RecordError."""
    change = guards_told(state, change)
    fixed: dict[str, Any] = dict(change.fixed)
    removed = fixed.get("removed", state.removed)
    table = FlixxyTable(state, in_gaps=True)
    for tile in state.removed:
        if tile not in removed:
            table.route.insert(gap_index(table.route, tile), tile)
    carry_out_on(table, change)
    if change.passed is not None:
        table.pass_card(change.player, *change.passed)
    for tile in removed:
        if tile in table.route:
            table.route.remove(tile)
    for player, tiles in change.stacks:
        table.restack(player, tiles)
    if change.token:
        table.take_token(change.player, change.token)
    after = table.after(state.to_move, state.turns, state.extra)
    if change.next_player is not None:
        after = replace(after, to_move=change.next_player)
    return _checked(replace(after, **fixed))


def _checked(state: State) -> State:
    tiles = sorted((*state.route, *state.removed, *(tile for pile in state.collected for tile in pile)))
    if tiles != list(range(1, state.config.finish)):
        raise RecordError("fixed: cards are missing or there twice", "fixed: Karten fehlen oder sind doppelt")
    return state


def difference(before: State, after: State) -> Turn:
    """The change that :func:`correct` needs to get from ``before`` to ``after`` (their turn numbers aside)."""
    lost, gained = tile_changes(before, after, in_order=False)
    player = gained[0][0] if gained else previous_player(before)
    flown = pairs(FLIXXY, (before.flixxy,), (after.flixxy,))
    change = Turn(
        player,
        0,
        (*moved_pieces(before, after), *flown),
        tuple(tile for owner, tile in gained if owner == player),
        tuple(lost),
        tuple((owner, tile) for owner, tile in gained if owner != player),
        next_player=None if before.to_move == after.to_move else after.to_move,
        fixed=tuple((name, getattr(after, name)) for name in FIXED if getattr(before, name) != getattr(after, name)),
    )
    piles = correct(before, change).collected
    stacks = tuple((p, tiles) for p, tiles in enumerate(after.collected) if tiles != piles[p])
    return replace(change, stacks=stacks)
