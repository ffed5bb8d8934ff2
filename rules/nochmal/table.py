"""A turn of Verflixxt nochmal carried out physically, whatever the rules say."""

from __future__ import annotations

from rules.nochmal.state import Config, State, Turn, tokens_left
from rules.protocol import Move, RecordError
from rules.verflixxt.state import FLIXXY, OUT
from rules.verflixxt.table import Table, no_tile


class FlixxyTable(Table):
    """A table with Flixxy, ordered stacks, round tokens and worm tokens."""

    __slots__ = ("config", "flixxy", "removed", "tokens", "worms", "laps")
    config: Config

    def __init__(self, state: State, in_gaps: bool = False) -> None:
        super().__init__(state, in_gaps)
        self.config = state.config
        self.flixxy = state.flixxy
        self.removed = list(state.removed)
        self.tokens = list(state.tokens)
        self.worms = list(state.worms)
        self.laps = state.laps

    def lift(self, move: Move) -> None:
        """Take a piece, or Flixxy, off its place."""
        if move.piece != FLIXXY:
            super().lift(move)
        elif move.start != self.flixxy:
            where = self.flixxy if isinstance(self.flixxy, str) else f"{self.flixxy} ({self.config.tile(self.flixxy)})"
            raise RecordError(f"flixxy does not stand on {move.start} but on {where}", f"Flixxy steht auf {where}")

    def put(self, move: Move) -> None:
        """Put a piece, or Flixxy, down where its move ends."""
        if move.piece != FLIXXY:
            super().put(move)
            return
        if move.to != OUT and not self.has_place(move.to):
            raise no_tile(self.config, move.to)
        self.flixxy = move.to

    def pass_card(self, player: int, tile: int, to: int | None) -> None:
        """A card goes from a player's stack onto another one, or out of the game (``to`` None)."""
        if tile not in self.collected[player]:
            name = f"{tile} ({self.config.tile(tile)})" if 0 < tile < self.config.finish else str(tile)
            who = self.config.names[player]
            raise RecordError(f"passed: {who} has no card {name}", f"passed: {who} hat keine Karte {name}")
        self.collected[player] = tuple(t for t in self.collected[player] if t != tile)
        if to is None:
            self.removed.append(tile)
        else:
            self.collected[to] += (tile,)

    def take_token(self, player: int, token: int) -> None:
        """A round token goes to a player."""
        if token not in tokens_left(tuple(self.tokens)):
            raise RecordError(
                f"token: +{token} does not lie next to the finish", f"token: +{token} liegt nicht neben dem Ziel"
            )
        self.tokens[player] += (token,)

    def restack(self, player: int, tiles: tuple[int, ...]) -> None:
        """A player's stack lies in another order."""
        if sorted(tiles) != sorted(self.collected[player]):
            who = self.config.names[player]
            raise RecordError(
                f"stacks: these are not {who}'s cards: {', '.join(map(str, tiles))}",
                f"stacks: das sind nicht die Karten von {who}: {', '.join(map(str, tiles))}",
            )
        self.collected[player] = tiles

    def after(self, to_move: int, turns: int, extra: int) -> State:
        """What stands on the table now."""
        return State(
            self.config,
            to_move,
            turns,
            tuple(self.route),
            tuple(self.pawns),
            tuple(sorted(self.guards)),
            tuple(self.collected),
            self.flixxy,
            tuple(self.removed),
            tuple(self.tokens),
            tuple(self.worms),
            self.laps,
            extra,
        )


def receiver(table: FlixxyTable, player: int) -> int | None:
    """The next player on the left who still has a pawn on the course; never ``player``, None when there is nobody."""
    players = len(table.pawns)
    others = ((player + k) % players for k in range(1, players))
    return next((other for other in others if table.pawns[other][0] != table.config.finish), None)


def draw_worms(table: FlixxyTable, turn: Turn) -> None:
    """Everybody who took a minus card from the route gets the top worm token, as long as there are any."""
    takers = [(turn.player, tile) for tile in turn.taken] + list(turn.given)
    for player, tile in takers:
        if table.config.value(tile) < 0 and sum(table.worms) < table.config.worm_count:
            table.worms[player] += 1
