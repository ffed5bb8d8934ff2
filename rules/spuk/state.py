"""State and action of Spuk, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.protocol import Move, Place, RecordError, SetupError
from rules.setup import is_whole, read_setup, shown
from rules.spuk.board import START, Board, read_board
from rules.spuk.house_rules import INFO

HOME = "home"
"""The treasure as a place in moves and records."""

At = tuple[tuple[int, ...], ...]
"""Where the figures stand: for each player the fields, sorted."""


@dataclass(frozen=True, slots=True)
class Config:
    """What does not change during a game. ``pieces[p]`` is the name of player p's figures, ``"pawn:red"``."""

    names: tuple[str, ...]
    pieces: tuple[str, ...]
    board: Board
    figures_each: int
    to_win: int
    start_counted: bool = True
    square_overshoot: str = "stop"
    river_landing: str = "throw_out"
    occupied_numbered: str = "illegal"
    own_blocks: bool = False
    six_again: str = "always"

    def place(self, field: int) -> Place:
        """A field as moves and records name it."""
        return HOME if field == self.board.treasure else field

    def field(self, place: Place) -> int:
        """Inverse of :meth:`place`. Raises RecordError for a place that the board does not have."""
        if isinstance(place, int) and 0 <= place < len(self.board.kinds):
            return place
        if place == HOME:
            return self.board.treasure
        raise RecordError(
            f"there is no field {shown(place)}; fields are 0 (start) to {self.board.treasure - 1} and home",
            f"Ein Feld {shown(place)} gibt es nicht; es gibt 0 (Start) bis {self.board.treasure - 1} und home",
        )

    def owner(self, piece: str) -> int:
        """The player whose figure this is. Raises RecordError."""
        if piece in self.pieces:
            return self.pieces.index(piece)
        known = ", ".join(self.pieces)
        raise RecordError(
            f"there is no piece {shown(piece)} in this game; pieces are {known}",
            f"Eine Figur {shown(piece)} gibt es in diesem Spiel nicht; es gibt {known}",
        )


@dataclass(frozen=True, slots=True)
class State:
    """Where everything stands before the next turn.

    ``at[p]``: fields of player p's figures, sorted, the treasure's index for those at home; ``extra``: the player to
    move has just rolled a 6 and rolls again.
    """

    config: Config
    to_move: int
    turns: int
    at: At
    extra: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened physically after one roll, legal or not (roll 0: the table was put right).

    ``moves``: the figure that was moved first, then those it threw out, pushed down or carried across;
    ``rolled_early``: the die was rolled again before any figure had moved; ``next_player``: whose turn it is after a
    correction, None unchanged; ``again``: that player has just rolled a 6 and rolls again.
    """

    player: int
    roll: int
    moves: tuple[Move, ...] = ()
    rolled_early: bool = False
    next_player: int | None = None
    again: bool = False


def start_state(raw: Mapping[str, Any]) -> State:
    """All figures on the start. Raises SetupError."""
    setup = read_setup(raw, INFO)
    options: dict[str, Any] = dict(setup.options)
    to_win = int(setup.variant[0])
    each = raw.get("pieces_per_player", 5)
    if not is_whole(each) or not to_win <= each <= 5:
        raise SetupError(
            f"pieces_per_player is {shown(each)}; {setup.variant} needs {to_win} to 5 figures each",
            f"pieces_per_player ist {shown(each)}; {setup.variant} braucht {to_win} bis 5 Figuren für jeden",
        )
    pieces = tuple(f"pawn:{colour}" for colour in setup.colours)
    config = Config(setup.names, pieces, read_board(raw), each, to_win, **options)
    return State(config, 0, 0, ((START,) * each,) * len(pieces))


def after_moves(state: State, moves: tuple[Move, ...]) -> At:
    """Where the figures stand after these moves, all lifted before any is put down. Raises RecordError."""
    config = state.config
    at = [list(fields) for fields in state.at]
    put = []
    for move in moves:
        owner, start = config.owner(move.piece), config.field(move.start)
        if start not in at[owner]:
            raise _not_there(config, move)
        at[owner].remove(start)
        put.append((owner, config.field(move.to)))
    for owner, to in put:
        at[owner].append(to)
    return tuple([tuple(sorted(fields)) for fields in at])


def _not_there(config: Config, move: Move) -> RecordError:
    return RecordError(
        f"no {move.piece} stands on field {move.start}", f"Auf Feld {move.start} steht keine Figur {move.piece}"
    )
