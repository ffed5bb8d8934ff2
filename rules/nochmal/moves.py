"""Whole turns that follow from moving one piece, and the legal ones among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.nochmal.flight import flight
from rules.nochmal.judge import dues, judge, start_of_move
from rules.nochmal.scoring import outcome
from rules.nochmal.state import Roll, State, Turn, Worm
from rules.nochmal.table import FlixxyTable
from rules.nochmal.worms import others_moves, swaps
from rules.protocol import Move
from rules.verflixxt.judge import split_moves
from rules.verflixxt.moves import distinct
from rules.verflixxt.route import destination
from rules.verflixxt.state import FLIXXY, GUARD, pawn_of
from rules.verflixxt.table import carry_out_on, guards_told


def complete(state: State, player: int, roll: Roll, *moves: Move, worms: tuple[Worm, ...] = ()) -> Turn:
    """The turn in which these pieces move and cards and round tokens go where the rules want them."""
    turn = Turn(player, roll.number, moves, action_die=roll.action_die, worms=worms)
    start = start_of_move(state, turn)
    main, _ = split_moves(turn)
    due = dues(start, turn, main, carry_out_on(FlixxyTable(start), turn))
    turn = replace(turn, taken=due.take + due.may_take, passed=due.passing, token=due.token)
    return guards_told(start, turn)


def legal_actions(state: State, roll: Roll) -> tuple[Turn, ...]:
    """Every legal turn of the player to move with at most one worm token; none once the game is over."""
    if outcome(state) is not None:
        return ()
    player = state.to_move
    plain = [complete(state, player, roll, move) for move in legal_moves(state, player, roll)]
    if not state.worms[player]:
        return tuple(plain)
    return tuple(dict.fromkeys([*plain, *_with_worm(state, roll, plain)]))


def legal_moves(state: State, player: int, roll: Roll) -> Iterator[Move]:
    """Moves of one own pawn, of a guard that has company, or of Flixxy, as the action die allows."""
    finish, route = state.config.finish, state.route
    if isinstance(state.flixxy, int) and roll.action_die != "may_not":
        yield Move(FLIXXY, state.flixxy, flight(route, state.flixxy, roll.number, finish))
    if roll.action_die == "must":
        return
    mine = pawn_of(state.config, player)
    for start in distinct(state.pawns[player]):
        if start != finish:
            yield Move(mine, start, destination(route, start, roll.number, finish))
    company = {place for places in state.pawns for place in places} | {state.flixxy}
    for start in distinct(state.guards):
        to = destination(route, start, roll.number, finish)
        if start != finish and start in company:
            if to != finish or state.config.guard_in_finish != "not_allowed":
                yield Move(GUARD, start, to)


def _with_worm(state: State, roll: Roll, plain: list[Turn]) -> Iterator[Turn]:
    player = state.to_move
    for turn in plain:
        yield replace(turn, worms=(Worm("extra_turn"),))
        after = judge(state, turn).state
        if len(after.collected[player]) > 1:
            yield replace(turn, worms=(Worm("to_bottom", False),))
        for swap in swaps(after, player):
            yield from _if_legal(state, replace(turn, worms=(replace(swap, before=False),)))
    if len(state.collected[player]) > 1:
        for turn in plain:
            yield complete(state, player, roll, turn.moves[0], worms=(Worm("to_bottom"),))
    for swap in swaps(state, player):
        swapped = start_of_move(state, Turn(player, roll.number, worms=(swap,)))
        for move in legal_moves(swapped, player, roll):
            yield from _if_legal(state, complete(state, player, roll, move, worms=(swap,)))
    for card in distinct(state.pawns[player]):
        moves = others_moves(state, player, card, roll.number) if card in state.route else ()
        if moves:
            yield complete(state, player, roll, *moves, worms=(Worm("move_others", True, card),))


def _if_legal(state: State, turn: Turn) -> Iterator[Turn]:
    if judge(state, turn).legal:
        yield turn
