"""Where a roll takes a figure of Spuk, and what that does to others: throwing out, pushing down, carrying across."""

from __future__ import annotations

from dataclasses import dataclass

from rules.protocol import Move
from rules.spuk.board import START
from rules.spuk.state import HOME, At, Config, State


@dataclass(frozen=True, slots=True)
class Effects:
    """What must happen to others when a figure comes to a field."""

    thrown: tuple[Move, ...] = ()
    pushed: tuple[Move, ...] = ()
    carried: tuple[Move, ...] = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """All of them, in the order in which people do it."""
        return self.carried + self.thrown + self.pushed


NOTHING = Effects()


def target(config: Config, at: At, start: int, roll: int) -> int | None:
    """The field a roll leads to from here, None when it leads nowhere (waiting, home, square missed)."""
    board = config.board
    if board.is_square(start) or start == board.treasure:
        return None
    to = start + roll - (1 if start == START and config.start_counted else 0)
    if to == start:
        return None
    square = board.next_square(start)
    if to <= square:
        return to
    if config.square_overshoot == "exact" or occupied(at, square):
        return None
    return square


def occupied(at: At, field: int) -> bool:
    """Whether any figure stands there."""
    for fields in at:
        if field in fields:
            return True
    return False


def barred(config: Config, at: At, player: int, to: int) -> str | None:
    """The rule that forbids player's figure to come to this field, None when none does. ``at``: without that figure."""
    board = config.board
    if board.is_square(to):
        return _barred_behind_river(config, at) if to == board.river else None
    if to in (START, board.treasure):
        return None
    if board.numbers[to]:
        return "occupied_number" if config.occupied_numbered == "illegal" and occupied(at, to) else None
    return "occupied_by_own" if config.own_blocks and to in at[player] else None


def _barred_behind_river(config: Config, at: At) -> str | None:
    """A figure waiting at the river cannot be carried to a field that is barred for it."""
    if config.river_landing != "throw_out":
        return None
    river = config.board.river
    for player, fields in enumerate(at):
        if river in fields:
            rule = barred(config, at, player, river + 1)
            if rule is not None:
                return rule
    return None


def effects(config: Config, at: At, to: int) -> Effects:
    """What a figure does to others by coming to this field. ``at``: where the others stand, without that figure."""
    board = config.board
    if to == START or to == board.treasure or not occupied(at, to):
        return NOTHING
    if to == board.wall:
        return Effects(carried=_all_from(config, at, to, HOME))
    if to == board.river:
        return _over_river(config, at)
    return NOTHING if board.numbers[to] else _throw_out(config, at, to)


def _all_from(config: Config, at: At, field: int, to: int | str) -> tuple[Move, ...]:
    """Everybody on this field goes to another one."""
    pieces = config.pieces
    return tuple([Move(pieces[p], field, to) for p, fields in enumerate(at) for f in fields if f == field])


def _throw_out(config: Config, at: At, field: int) -> Effects:
    """Everybody on this field goes to the second numbered field behind it; whoever stands there gives way."""
    board = config.board
    to = board.thrown_to[field]
    return Effects(_all_from(config, at, field, to), push_down(config, at, to))


def push_down(config: Config, at: At, field: int) -> tuple[Move, ...]:
    """The chain of figures that give way, each to the next lower numbered field, when one comes to ``field``."""
    chain: tuple[Move, ...] = ()
    while field != START and occupied(at, field):
        lower = config.board.lower[field]
        chain += _all_from(config, at, field, lower)
        field = lower
    return chain


def _over_river(config: Config, at: At) -> Effects:
    board = config.board
    land = board.river + 1
    if config.river_landing == "next_free":
        while land < board.wall and occupied(at, land):
            land += 1
    carried = _all_from(config, at, board.river, land)
    if config.river_landing == "throw_out" and not board.numbers[land] and occupied(at, land):
        thrown = _throw_out(config, at, land)
        return Effects(thrown.thrown, thrown.pushed, carried)
    return Effects(carried=carried)


def without(at: At, player: int, field: int) -> At:
    """The figures but one of this player's on this field."""
    fields = list(at[player])
    fields.remove(field)
    return (*at[:player], tuple(fields), *at[player + 1:])


def legal_moves(state: State, player: int, start: int, roll: int) -> tuple[Move, ...] | None:
    """The whole of a legal move of this figure, consequences included; None when it may not be moved."""
    config = state.config
    to = target(config, state.at, start, roll)
    if to is None:
        return None
    others = without(state.at, player, start)
    if barred(config, others, player, to) is not None:
        return None
    return (Move(config.pieces[player], start, to), *effects(config, others, to).moves)


def all_legal(state: State, player: int, roll: int) -> list[tuple[Move, ...]]:
    """All legal moves of a player, one for each field with a figure of theirs."""
    found = []
    last = -1
    for start in state.at[player]:
        if start != last:
            last = start
            moves = legal_moves(state, player, start, roll)
            if moves is not None:
                found.append(moves)
    return found


def can_move(state: State, player: int, roll: int) -> bool:
    """Whether any figure of this player may be moved."""
    return any(legal_moves(state, player, start, roll) for start in set(state.at[player]))
