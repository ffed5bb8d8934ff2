"""Worm tokens: what the four actions do, and faults of using them.

Source: the rule text "Verflixxt nochmal" (Worm Token Variant, Worm Token Descriptions).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.nochmal.flight import flight
from rules.nochmal.state import WORMS, State, Turn, Worm
from rules.nochmal.table import FlixxyTable
from rules.protocol import Move, RecordError, Violation
from rules.verflixxt.judge import who
from rules.verflixxt.route import destination
from rules.verflixxt.state import FLIXXY, GUARD, pawn_of


def play_worms(table: FlixxyTable, turn: Turn, before: bool) -> None:
    """Carry out the swaps and restackings that came before (or after) the move. Raises RecordError."""
    for worm in turn.worms:
        if worm.action not in WORMS:
            raise RecordError(f'worms: unknown action "{worm.action}"', f'worms: unbekannte Aktion "{worm.action}"')
        if worm.before != before:
            continue
        if worm.action == "swap":
            table.move((Move(worm.piece, worm.at, worm.on), Move(worm.other, worm.on, worm.at)))
        elif worm.action == "to_bottom":
            stack = table.collected[turn.player]
            table.collected[turn.player] = stack[-1:] + stack[:-1]


def count_faults(state: State, table: FlixxyTable, turn: Turn) -> list[Violation]:
    """Worm tokens that the player does not have, or got only in this turn (``table`` after drawing new ones)."""
    held, drawn = state.worms[turn.player], table.worms[turn.player] - state.worms[turn.player]
    broken = []
    for number, worm in enumerate(turn.worms, 1):
        if number > held:
            rule = "worm_same_turn" if number <= held + drawn else "worm_not_owned"
            broken.append(_fault(rule, state, turn, worm))
    return broken


def swap_faults(start: State, state: State, turn: Turn, after: FlixxyTable) -> list[Violation]:
    """Swaps that are not allowed (``state``: before the turn, ``start``: before its move, ``after``: at its end)."""
    broken = []
    for worm in turn.worms:
        if worm.action != "swap":
            continue
        near = worm.on in neighbours(state.route if worm.before else tuple(after.route), worm.at)
        if worm.piece != pawn_of(state.config, turn.player) or not near:
            broken.append(_fault("worm_wrong_use", state, turn, worm))
        if _moved_too(start, turn, worm, after):
            facts = (who(state, turn), ("piece", worm.piece))
            broken.append(Violation("swapped_piece_moved", facts))
    return broken


def _moved_too(start: State, turn: Turn, worm: Worm, after: FlixxyTable) -> bool:
    """Whether the pawn that swapped places has moved as well; equal pawns on one card cannot be told apart."""
    moves = [move for move in turn.moves if move.piece == worm.piece]
    if worm.before:
        standing = start.pawns[turn.player].count(worm.on)
        return any(move.start == worm.on for move in moves) and standing == 1
    arrived = sum(move.to == worm.at for move in moves)
    stood = start.pawns[turn.player].count(worm.at) - sum(move.start == worm.at for move in moves)
    return arrived > 0 and stood == 0


def neighbours(route: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """The route cards next to a route card, gaps skipped."""
    if tile not in route:
        return ()
    index = route.index(tile)
    return route[max(index - 1, 0) : index] + route[index + 1 : index + 2]


def others_moves(state: State, player: int, card: int, roll: int) -> tuple[Move, ...]:
    """The moves of ``move_others``: everything on ``card`` but one own pawn goes as far as the die says."""
    finish, route = state.config.finish, state.route
    moves = []
    for owner, places in enumerate(state.pawns):
        count = places.count(card) - (owner == player)
        moves += [Move(pawn_of(state.config, owner), card, destination(route, card, roll, finish))] * count
    moves += [Move(GUARD, card, destination(route, card, roll, finish))] * state.guards.count(card)
    if state.flixxy == card:
        moves.append(Move(FLIXXY, card, flight(route, card, roll, finish)))
    return tuple(moves)


def others_faults(start: State, turn: Turn, main: list[Move]) -> list[Violation]:
    """Faults of a turn in which ``move_others`` stands in for the own move."""
    worms = [worm for worm in turn.worms if worm.action == "move_others"]
    worm = worms[0]
    stands = worm.card in start.route and worm.card in start.pawns[turn.player]
    wanted = others_moves(start, turn.player, worm.card, turn.roll) if stands else ()
    if len(worms) > 1 or not wanted or Counter(_ends(main)) != Counter(_ends(wanted)):
        return [_fault("worm_wrong_use", start, turn, worm)]
    if Counter(main) != Counter(wanted):
        facts = (who(start, turn), ("roll", turn.roll))
        return [Violation("wrong_count", facts)]
    return []


def _ends(moves: list[Move] | tuple[Move, ...]) -> Iterator[tuple[str, object]]:
    for move in moves:
        yield move.piece, move.start


def _fault(rule: str, state: State, turn: Turn, worm: Worm) -> Violation:
    return Violation(rule, (who(state, turn), ("action", worm.action)))


def swaps(state: State, player: int) -> Iterator[Worm]:
    """Every swap of an own pawn with something else on a neighbouring card, as it stands."""
    mine = pawn_of(state.config, player)
    for at in dict.fromkeys(state.pawns[player]):
        for on in neighbours(state.route, at):
            for other in things_on(state, on):
                if other != mine:
                    yield Worm("swap", True, 0, mine, at, other, on)


def things_on(state: State, place: int) -> Iterator[str]:
    """Pieces on a place, each kind once."""
    for player, places in enumerate(state.pawns):
        if place in places:
            yield pawn_of(state.config, player)
    if place in state.guards:
        yield GUARD
    if state.flixxy == place:
        yield FLIXXY
