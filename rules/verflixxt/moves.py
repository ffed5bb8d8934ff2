"""Whole turns that follow from moving one piece, and the legal ones among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.protocol import Move
from rules.verflixxt.judge import tiles_left, wandering_tiles
from rules.verflixxt.route import destination
from rules.verflixxt.scoring import is_over
from rules.verflixxt.state import GUARD, State, Turn, pawn_of
from rules.verflixxt.table import carry_out, guards_told


def complete(state: State, player: int, roll: int, *moves: Move) -> Turn:
    """The turn of ``player`` in which these pieces move and every tile goes where the rules want it."""
    turn = Turn(player, roll, moves)
    table = carry_out(state, turn)
    left = tiles_left(state, turn, moves, table)
    if state.config.v3 != "vacated" and (left[0] or left[1]):
        turn = guards_told(state, Turn(player, roll, moves, (*left[0], *left[1])))
    if state.config.v3 == "off":
        return turn
    return replace(turn, wandered=tuple(wandering_tiles(carry_out(state, turn), left[0])))


def legal_actions(state: State, roll: int) -> tuple[Turn, ...]:
    """Every legal turn of the player to move for this roll; none once the game is over."""
    if is_over(state):
        return ()
    player = state.to_move
    turns = [complete(state, player, roll, move) for move in legal_moves(state, player, roll)]
    if state.config.v2 and roll == 1:
        turns.append(complete(state, player, roll))
    return tuple(turns)


def legal_moves(state: State, player: int, roll: int) -> Iterator[Move]:
    """Moves of one own pawn or of a guard that has company, without those that only differ in which piece it is."""
    config = state.config
    counts = (roll, -1) if config.v2 and roll == 1 else (roll,)
    mine = pawn_of(config, player)
    for start in distinct(state.pawns[player]):
        if start != config.finish:
            yield from _steps(state, mine, start, counts)
    occupied = {place for places in state.pawns for place in places}
    for start in distinct(state.guards):
        if start != config.finish and start in occupied:
            ways = counts if config.v2_guards else (roll,)
            for move in _steps(state, GUARD, start, ways):
                if move.to != config.finish or config.guard_in_finish != "not_allowed":
                    yield move


def _steps(state: State, piece: str, start: int, counts: Iterable[int]) -> Iterator[Move]:
    for count in counts:
        to = destination(state.route, start, count, state.config.finish)
        if to != start:
            yield Move(piece, start, to)


def distinct(places: Iterable[int]) -> tuple[int, ...]:
    """Each place once, in order."""
    return tuple(dict.fromkeys(places))
