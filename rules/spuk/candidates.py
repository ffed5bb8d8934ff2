"""The turns a table could show next: the legal ones and plausible mistakes, each with its verdict."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rules.protocol import Candidate, Move
from rules.spuk.board import START
from rules.spuk.judging import legal_tables, verdict
from rules.spuk.moving import all_legal, barred, effects, target, without
from rules.spuk.state import At, State, Turn, after_moves

REACH = 6
"""How far beside the right field a foreign figure may plausibly be put."""


def legal_turns(state: State, roll: int) -> tuple[Turn, ...]:
    """Every legal turn of the player to move; passing when no figure may move."""
    found = [Turn(state.to_move, roll, moves) for moves in all_legal(state, state.to_move, roll)]
    return tuple(found) or (Turn(state.to_move, roll),)


def candidates(state: State, roll: int) -> Iterator[Candidate[State, Turn]]:
    """Legal turns first, then illegal ones with few violations before those with many; each leaves another table."""
    best: dict[At, Candidate[State, Turn]] = {}
    legal = legal_tables(state, state.to_move, roll)
    for turn in chain(legal_turns(state, roll), _mistakes(state, roll)):
        at = after_moves(state, turn.moves)
        known = best.get(at)
        if known is not None and len(known.verdict.violations) < 2:
            continue
        candidate = Candidate(turn, verdict(state, turn, at, at in legal))
        if known is None or len(candidate.verdict.violations) < len(known.verdict.violations):
            best[at] = candidate
    yield from sorted(best.values(), key=lambda candidate: len(candidate.verdict.violations))


def _mistakes(state: State, roll: int) -> Iterator[Turn]:
    player = state.to_move
    yield Turn(player, roll, rolled_early=roll == 6)
    for moves in all_legal(state, player, roll):
        yield from _wrong_consequences(state, roll, moves)
    for other in _others(state):
        for moves in all_legal(state, other, roll):
            yield Turn(player, roll, moves)
            yield from _wrong_consequences(state, roll, moves)
    yield from _wrong_fields(state, roll)
    yield from _two_figures(state, roll)


def _others(state: State) -> list[int]:
    players = len(state.at)
    return [(state.to_move + k) % players for k in range(1, players)]


def _wrong_consequences(state: State, roll: int, moves: tuple[Move, ...]) -> Iterator[Turn]:
    """The right move, but others not thrown out, thrown to a wrong field, not pushed down, not carried."""
    player, board = state.to_move, state.config.board
    for k in range(1, len(moves)):
        yield Turn(player, roll, moves[:k])
        yield Turn(player, roll, moves[:k] + moves[k + 1:])
    if len(moves) > 1:
        first, victim = moves[:2]
        start = state.config.field(victim.start)
        places = [START, *(f for f in range(1, board.treasure) if board.numbers[f])]
        if board.is_square(start):
            places = [f for f in range(start + 1, min(start + 4, board.treasure))] + places[:1]
        for to in places:
            if to != victim.to:
                yield Turn(player, roll, (first, Move(victim.piece, victim.start, to)))


def _wrong_fields(state: State, roll: int) -> Iterator[Turn]:
    """A figure put on any other field: an own one anywhere, a foreign one near where the roll leads."""
    last = state.config.board.treasure
    for owner in (state.to_move, *_others(state)):
        for start in sorted(set(state.at[owner])):
            fields = range(last + 1)
            if owner != state.to_move:
                fields = range(max(0, start - REACH), min(last, start + roll + REACH) + 1)
            for to in fields:
                if to != start:
                    yield from _put(state, roll, owner, start, to)


def _put(state: State, roll: int, owner: int, start: int, to: int) -> Iterator[Turn]:
    """A figure put on a field, with what that does to others, and without."""
    config = state.config
    move = Move(config.pieces[owner], config.place(start), config.place(to))
    rest = without(state.at, owner, start)
    if barred(config, rest, owner, to) is None:
        caused = effects(config, rest, to).moves
        if caused:
            yield Turn(state.to_move, roll, (move, *caused))
    yield Turn(state.to_move, roll, (move,))


def _two_figures(state: State, roll: int) -> Iterator[Turn]:
    """Two own figures moved by the roll each, or the roll shared out between two."""
    config, player = state.config, state.to_move
    own = state.at[player]
    pairs = sorted({(a, b) for k, a in enumerate(own) for b in own[k + 1:]})
    for first, second in pairs:
        for one, two in ((roll, roll), *((n, roll - n) for n in range(1, roll))):
            ends = target(config, state.at, first, one), target(config, state.at, second, two)
            if ends[0] is not None and ends[1] is not None:
                piece = config.pieces[player]
                yield Turn(player, roll, (Move(piece, first, ends[0]), Move(piece, second, ends[1])))
