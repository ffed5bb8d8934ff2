"""The turns a table could show next: the legal ones and plausible mistakes, each with its verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from rules.nochmal.judge import judge
from rules.nochmal.moves import complete, legal_actions, legal_moves
from rules.nochmal.state import Roll, State, Turn
from rules.protocol import Candidate, Move
from rules.verflixxt.moves import distinct
from rules.verflixxt.state import FLIXXY, GUARD, pawn_of
from rules.verflixxt.table import guards_told

Key = tuple[object, ...]


def candidates(state: State, roll: Roll) -> Iterator[Candidate[State, Turn]]:
    """Legal turns first, then illegal ones with few violations before those with many.

    No two leave the same things in the same places (see :func:`physical`); the one with the fewest violations stays.
    Legal ones may, if another player is to move then: a worm token can be spent on an extra turn or on moving the
    others of a card, and with two own pawns on it both look the same.
    """
    best: dict[Key, Candidate[State, Turn]] = {}
    for turn in chain(legal_actions(state, roll), _mistakes(state, roll)):
        turn = guards_told(state, turn)
        candidate = Candidate(turn, judge(state, turn))
        after = candidate.verdict.state
        key = physical(after)
        if candidate.verdict.legal:
            best.setdefault((*key, after.to_move), candidate)
        known = best.get(key)
        if known is None or len(candidate.verdict.violations) < len(known.verdict.violations):
            best[key] = candidate
    different = {id(candidate): candidate for candidate in best.values()}
    yield from sorted(different.values(), key=lambda c: len(c.verdict.violations))


def physical(state: State) -> Key:
    """What can be seen on a table: cards, every piece's place, stacks, round tokens, number of worm tokens."""
    pieces = state.route, state.pawns, state.guards, state.flixxy
    return *pieces, state.collected, state.removed, state.tokens, state.worms


def _mistakes(state: State, roll: Roll) -> Iterator[Turn]:
    yield from _card_faults(state, roll)
    yield from _anywhere(state, roll)
    yield from _two_pieces(state, roll)
    for k in range(1, len(state.pawns)):
        other = (state.to_move + k) % len(state.pawns)
        for move in legal_moves(state, other, roll):
            yield complete(state, other, roll, move)
    yield Turn(state.to_move, roll.number, action_die=roll.action_die)


def _anywhere(state: State, roll: Roll) -> Iterator[Turn]:
    """Every piece on every place, its card treated as the rules want it."""
    for piece, start in pieces(state):
        turn: Turn | None = None
        for to in (0, *state.route, state.config.finish):
            if to == start:
                continue
            move = Move(piece, start, to)
            if turn is not None and piece != FLIXXY:  # only Flixxy earns a round token by where it goes
                turn = replace(turn, moves=(move, *turn.moves[1:]))
            else:
                turn = complete(state, state.to_move, roll, move)
            yield turn


def pieces(state: State) -> Iterator[tuple[str, int]]:
    """Every piece that is different to look at, with its place."""
    for k in range(len(state.pawns)):
        player = (state.to_move + k) % len(state.pawns)
        for start in distinct(state.pawns[player]):
            yield pawn_of(state.config, player), start
    for start in distinct(state.guards):
        yield GUARD, start
    if isinstance(state.flixxy, int):
        yield FLIXXY, state.flixxy


def _card_faults(state: State, roll: Roll) -> Iterator[Turn]:
    """The right move, but a card not taken, wrongly taken, not passed, passed wrongly, or a round token forgotten.

    Also the legal moves of another face of the action die.
    """
    player, players = state.to_move, len(state.pawns)
    for move in legal_moves(state, player, replace(roll, action_die="may" if roll.action_die else None)):
        turn = complete(state, player, roll, move)
        plain = Turn(player, roll.number, turn.moves[:1], token=turn.token, action_die=roll.action_die)
        yield turn
        others = [other for other in range(players) if other != player]
        if turn.token:
            yield replace(turn, token=0)
        if turn.taken:
            yield plain
            yield from (replace(turn, taken=(), given=((other, turn.taken[0]),)) for other in others)
        elif move.start in state.route and move.piece != GUARD:
            yield replace(plain, taken=(int(move.start),))
        if turn.passed is not None:
            yield plain
            yield from (replace(turn, passed=(turn.passed[0], to)) for to in (*others, None))
            below = state.collected[player][-2:-1]
            yield from (replace(turn, passed=(tile, turn.passed[1])) for tile in below)
        if move.to in state.route:
            yield replace(plain, taken=(int(move.to),))


def _two_pieces(state: State, roll: Roll) -> Iterator[Turn]:
    """A second own pawn, a guard or Flixxy moved along with an own pawn, each by the roll."""
    player = state.to_move
    moves = list(legal_moves(state, player, Roll(roll.number, "may")))
    mine = pawn_of(state.config, player)
    for k, first in enumerate(moves):
        if first.piece != mine:
            continue
        if state.pawns[player].count(int(first.start)) > 1:
            yield complete(state, player, roll, first, first)
        for second in moves[:k] + moves[k + 1 :]:
            yield complete(state, player, roll, first, second)
