"""A turn carried out physically, whatever the rules say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from rules.protocol import Move, Place, RecordError
from rules.verflixxt.route import destination, gap_index
from rules.verflixxt.state import GUARD, OUT, START, Config, State, Turn

T = TypeVar("T", bound=Turn)
B = TypeVar("B", bound="Table")


class Table:
    """A table on which a turn is carried out step by step; each step raises RecordError when it cannot happen."""

    __slots__ = ("config", "route", "pawns", "guards", "collected", "in_gaps")

    def __init__(self, state: State, in_gaps: bool = False) -> None:
        """``in_gaps``: pieces may stand where a tile was (after a wrong turn that took it from under them)."""
        self.config = state.config
        self.in_gaps = in_gaps
        self.route = list(state.route)
        self.pawns = list(state.pawns)
        self.guards = list(state.guards)
        self.collected = list(state.collected)

    def move(self, moves: Iterable[Move]) -> None:
        """Lift all the pieces, then put them down."""
        for move in moves:
            self.lift(move)
        for move in moves:
            self.put(move)

    def lift(self, move: Move) -> None:
        """Take a piece off its place."""
        if move.piece == GUARD:
            if move.start == OUT and len(self.guards) < len(self.config.guards_start):
                return
            if move.start not in self.guards:
                raise not_there(self.config, move)
            self.guards.remove(move.start)
            return
        owner = owner_of(self.config, move.piece)
        places = list(self.pawns[owner])
        if move.start not in places:
            raise not_there(self.config, move)
        places.remove(move.start)
        self.pawns[owner] = tuple(places)

    def put(self, move: Move) -> None:
        """Put a piece down where its move ends."""
        to = move.to
        if to == OUT:
            if move.piece != GUARD:
                raise RecordError("a pawn cannot leave the board", "Eine Figur kann den Plan nicht verlassen")
            return
        if not isinstance(to, int) or not self.has_place(to):
            raise no_tile(self.config, to)
        if move.piece == GUARD:
            self.guards.append(to)
        else:
            owner = owner_of(self.config, move.piece)
            self.pawns[owner] = tuple(sorted((*self.pawns[owner], to)))

    def has_place(self, to: Place) -> bool:
        """Whether a piece can be put down there."""
        gap = self.in_gaps and isinstance(to, int) and START < to < self.config.finish
        return gap or to in (START, self.config.finish) or to in self.route

    def take(self, player: int, tiles: Iterable[int]) -> None:
        """Tiles go from the route to a player's pile."""
        for tile in tiles:
            if tile not in self.route:
                raise no_tile(self.config, tile)
            self.route.remove(tile)
            self.collected[player] += (tile,)

    def give_back(self, tiles: Iterable[int]) -> None:
        """Tiles go from whoever has them back to their gap in the route."""
        for tile in tiles:
            owner = next((p for p, pile in enumerate(self.collected) if tile in pile), None)
            if owner is None:
                name = _named(self.config, tile)
                raise RecordError(f"nobody has tile {name}", f"Tafel {name} hat niemand")
            self.collected[owner] = tuple(t for t in self.collected[owner] if t != tile)
            self.route.insert(gap_index(self.route, tile), tile)

    def wander(self, tiles: Iterable[int]) -> None:
        """Tiles go to the place right before the finish, one after the other (variant 3)."""
        for tile in tiles:
            if tile not in self.route:
                raise no_tile(self.config, tile)
            self.route.remove(tile)
            self.route.append(tile)

    def state(self, to_move: int, turns: int) -> State:
        """What stands on the table now."""
        return State(
            self.config,
            to_move,
            turns,
            tuple(self.route),
            tuple(self.pawns),
            tuple(sorted(self.guards)),
            tuple(self.collected),
        )


def carry_out(state: State, turn: Turn) -> Table:
    """The table after everything in ``turn`` but the wandering tiles. Raises RecordError."""
    return carry_out_on(Table(state), turn)


def carry_out_on(table: B, turn: Turn) -> B:
    """The same on a table that is there already."""
    if turn.returned:
        table.give_back(turn.returned)
    table.move(turn.moves)
    if turn.taken:
        table.take(turn.player, turn.taken)
    for player, tile in turn.given:
        table.take(player, (tile,))
    return table


def owner_of(config: Config, piece: str) -> int:
    """The player whose pawn this is. Raises RecordError for any other piece."""
    colour = piece[5:]
    if not piece.startswith("pawn:") or colour not in config.colours:
        known = ", ".join(f"pawn:{c}" for c in config.colours)
        raise RecordError(
            f'there is no piece "{piece}" in this game; pieces are {known}, guard',
            f'Eine Figur "{piece}" gibt es in diesem Spiel nicht; es gibt {known}, guard',
        )
    return config.colours.index(colour)


def guard_goes_to(state: State, tile: int) -> int | str:
    """Where the house rule sends a guard whose tile is taken (``guard_on_taken_tile``)."""
    way = state.config.guard_on_taken_tile
    if way == "remove":
        return OUT
    return destination(state.route, tile, 1 if way == "next_tile" else -1, state.config.finish)


def guards_told(state: State, turn: T) -> T:
    """``turn`` with a move for every guard that cannot stay because its tile was taken, where the turn names none."""
    tiles = turn.taken + tuple(tile for _, tile in turn.given)
    extra: list[Move] = []
    for tile in tiles:
        standing = state.guards.count(tile)
        if standing:
            standing -= sum(m.piece == GUARD and m.start == tile for m in turn.moves)
            extra += [Move(GUARD, tile, guard_goes_to(state, tile))] * standing
    return replace(turn, moves=turn.moves + tuple(extra)) if extra else turn


def _named(config: Config, tile: int) -> str:
    return f"{tile} ({config.tile(tile)})" if 0 < tile < config.finish else str(tile)


def not_there(config: Config, move: Move) -> RecordError:
    """The fault of a move whose piece does not stand where the move starts."""
    place = move.start if isinstance(move.start, str) else _named(config, move.start)
    return RecordError(f"no {move.piece} stands on {place}", f"Auf {place} steht kein(e) {move.piece}")


def no_tile(config: Config, place: object) -> RecordError:
    """The fault of a place that does not exist or whose tile is gone."""
    if isinstance(place, int) and 0 < place < config.finish:
        name = _named(config, place)
        return RecordError(f"tile {name} is gone from the route", f"Tafel {name} liegt nicht mehr auf dem Weg")
    return RecordError(
        f"there is no place {place}; places are start, 1 to {config.finish - 1}, finish",
        f"Einen Platz {place} gibt es nicht; es gibt start, 1 bis {config.finish - 1}, finish",
    )
