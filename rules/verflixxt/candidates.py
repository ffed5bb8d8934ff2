"""The turns a table could show next: the legal ones and plausible mistakes, each with its verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from rules.protocol import Candidate, Move
from rules.verflixxt.judge import judge
from rules.verflixxt.moves import complete, distinct, legal_actions, legal_moves
from rules.verflixxt.route import destination
from rules.verflixxt.state import GUARD, OUT, State, Turn, pawn_of
from rules.verflixxt.table import guards_told

Key = tuple[object, ...]


def candidates(state: State, roll: int) -> Iterator[Candidate[State, Turn]]:
    """Legal turns first, then illegal ones with few violations before those with many.

    No two leave the same things in the same places (see :func:`physical`); the one with the fewest violations stays,
    and among equals the one thought of first: a foreign pawn moved by the player to move before a turn out of turn.
    """
    best: dict[Key, Candidate[State, Turn]] = {}
    for turn in chain(legal_actions(state, roll), _mistakes(state, roll)):
        turn = guards_told(state, turn)
        candidate = Candidate(turn, judge(state, turn))
        key = physical(candidate.verdict.state)
        known = best.get(key)
        if known is None or len(candidate.verdict.violations) < len(known.verdict.violations):
            best[key] = candidate
    yield from sorted(best.values(), key=lambda c: len(c.verdict.violations))


def physical(state: State) -> Key:
    """What can be seen on a table: the tiles on the route, every piece's place, everybody's tiles."""
    return state.route, state.pawns, state.guards, state.collected


def _mistakes(state: State, roll: int) -> Iterator[Turn]:
    yield from _tile_faults(state, roll)
    yield from _anywhere(state, roll)
    yield from _foreign_tiles(state, roll)
    yield from _two_pieces(state, roll)
    yield from _out_of_turn(state, roll)
    yield Turn(state.to_move, roll)


def _anywhere(state: State, roll: int) -> Iterator[Turn]:
    """Every piece on every place, its tile treated as the rules want it."""
    fixed = state.config.v3 == "off"  # then the tile does not depend on where the piece went
    for piece, start in _pieces(state):
        turn: Turn | None = None
        for to in (0, *state.route, state.config.finish):
            if to == start:
                continue
            move = Move(piece, start, to)
            if turn is not None and fixed:
                turn = Turn(turn.player, roll, (move, *turn.moves[1:]), turn.taken)
            else:
                turn = complete(state, state.to_move, roll, move)
            yield turn


def _pieces(state: State) -> Iterator[tuple[str, int]]:
    """Every piece that is different to look at: own pawns, guards, then the others' pawns."""
    players = len(state.pawns)
    for start in distinct(state.pawns[state.to_move]):
        yield pawn_of(state.config, state.to_move), start
    for start in distinct(state.guards):
        yield GUARD, start
    for k in range(1, players):
        other = (state.to_move + k) % players
        for start in distinct(state.pawns[other]):
            yield pawn_of(state.config, other), start


def _tile_faults(state: State, roll: int) -> Iterator[Turn]:
    """The right move, but a tile left lying, taken though it must stay, taken in place of another, or misdirected."""
    for turn in legal_actions(state, roll):
        move = turn.moves[0] if turn.moves else None
        plain = Turn(turn.player, roll, turn.moves[:1])
        if turn.taken:
            yield _rewander(state, plain)
            yield from _guard_faults(state, turn)
            for other in range(len(state.pawns)):
                if other != turn.player:
                    yield replace(turn, taken=(), given=((other, turn.taken[0]),))
        elif move is not None and move.start in state.route and move.piece != GUARD:
            yield _rewander(state, replace(plain, taken=(int(move.start),)))
        if turn.wandered:
            yield replace(turn, wandered=())
        if move is not None:
            for tile in _nearby(state, move):
                yield _rewander(state, replace(plain, taken=(tile,)))


def _nearby(state: State, move: Move) -> tuple[int, ...]:
    """Tiles that could be taken in place of the right one: where the piece went, and next to where it stood."""
    start, finish = int(move.start), state.config.finish
    near = (int(move.to), destination(state.route, start, -1, finish), destination(state.route, start, 1, finish))
    return tuple(tile for tile in distinct(near) if tile in state.route and tile != start)


def _guard_faults(state: State, turn: Turn) -> Iterator[Turn]:
    """The guard of a taken tile put where the house rule does not send it."""
    tile, finish = turn.taken[0], state.config.finish
    if tile not in state.guards:
        return
    for to in (OUT, destination(state.route, tile, 1, finish), destination(state.route, tile, -1, finish)):
        moves = tuple(replace(m, to=to) if m.piece == GUARD else m for m in turn.moves)
        if moves != turn.moves:
            yield replace(turn, moves=moves)


def _foreign_tiles(state: State, roll: int) -> Iterator[Turn]:
    """A foreign pawn moved by the roll, its tile left lying or handed to its owner."""
    for other in range(len(state.pawns)):
        if other == state.to_move:
            continue
        for move in legal_moves(state, other, roll):
            if move.piece == GUARD:
                continue
            turn = complete(state, state.to_move, roll, move)
            if turn.taken:
                yield _rewander(state, Turn(turn.player, roll, (move,)))
                yield replace(turn, taken=(), given=((other, turn.taken[0]),))


def _two_pieces(state: State, roll: int) -> Iterator[Turn]:
    """Two pieces moved by the roll each, and the roll shared out between two pieces."""
    player = state.to_move
    own = [p for p in _pieces(state) if p[0] == pawn_of(state.config, player)]
    movable = own + [p for p in _pieces(state) if p[0] == GUARD and any(p[1] in places for places in state.pawns)]
    for k, first in enumerate(own):
        for second in movable[k:]:
            if first == second and state.pawns[player].count(first[1]) < 2:
                continue
            yield from _shared(state, roll, first, second)


def _shared(state: State, roll: int, first: tuple[str, int], second: tuple[str, int]) -> Iterator[Turn]:
    route, finish = state.route, state.config.finish
    for one, two in ((roll, roll), *((n, roll - n) for n in range(1, roll))):
        moves = [Move(p, at, destination(route, at, n, finish)) for (p, at), n in ((first, one), (second, two))]
        if all(move.start != move.to for move in moves):
            yield complete(state, state.to_move, roll, *moves)


def _out_of_turn(state: State, roll: int) -> Iterator[Turn]:
    for other in range(len(state.pawns)):
        if other != state.to_move:
            for move in legal_moves(state, other, roll):
                yield complete(state, other, roll, move)


def _rewander(state: State, turn: Turn) -> Turn:
    """``turn`` with the tiles wandering that have to (variant 3) when everything else is as it says."""
    if state.config.v3 == "off":
        return turn
    whole = complete(state, turn.player, turn.roll, *turn.moves)
    return replace(turn, wandered=tuple(tile for tile in whole.wandered if tile not in turn.taken))
