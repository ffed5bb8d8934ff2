"""State and action of Verflixxt!, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.protocol import Move, Place
from rules.setup import read_setup
from rules.verflixxt.layout import INFO, exclude_both_ends, pawns_each, read_guards, read_route, tile_name

START = 0
"""The place of the start tile. Route tiles are 1..n, the finish is n + 1."""

OUT = "out"
"""Where a guard goes that leaves the game with its tile."""

GUARD = "guard"

FLIXXY = "flixxy"
"""The bird of Verflixxt nochmal."""


@dataclass(frozen=True, slots=True)
class Config:
    """What does not change during a game.

    ``route_values[i - 1]`` is the value of tile number i (0 luck); ``finish`` is the place of the finish,
    ``len(route_values) + 1``. The rest are the house rules, see :data:`rules.verflixxt.layout.OPTIONS`.
    """

    names: tuple[str, ...]
    colours: tuple[str, ...]
    route_values: tuple[int, ...]
    guards_start: tuple[int, ...]
    pawns_each: int
    finish: int
    guard_blocks_taking: bool = False
    guard_on_taken_tile: str = "remove"
    guard_in_finish: str = "out_of_play"
    fewest_luck: bool = False
    v2: bool = False
    v2_guards: bool = True
    v3: str = "off"
    v4: bool = False
    v4_alone: str = "one_pawn"
    v5: bool = False
    v5_free: str = "no_guard"

    def value(self, tile: int) -> int:
        """The value of a tile number."""
        return self.route_values[tile - 1]

    def tile(self, place: Place) -> str:
        """What people call a place: ``"start"``, ``"-3"``, ``"luck"``, ``"finish"``, ``"out"``."""
        if isinstance(place, str):
            return place
        if place == START:
            return "start"
        return "finish" if place >= self.finish else tile_name(self.value(place))


@dataclass(frozen=True, slots=True)
class State:
    """Where everything stands before the next turn.

    ``to_move``: index of the player; ``turns``: turns played; ``route``: numbers of the tiles still lying, from start
    to finish; ``pawns[p]``: places of player p's pawns, sorted; ``guards``: places of the guards, sorted (one that left
    the game is missing); ``collected[p]``: tile numbers player p has taken, in order.
    """

    config: Config
    to_move: int
    turns: int
    route: tuple[int, ...]
    pawns: tuple[tuple[int, ...], ...]
    guards: tuple[int, ...]
    collected: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened physically in a turn, legal or not (or, with roll 0, when the table was put right).

    ``player``: who did it; ``moves``: the pieces that changed places, a guard that leaves with its tile goes to
    ``"out"``; ``taken``: numbers of the tiles that ``player`` took; ``returned``: tiles that went from a pile back to
    the route; ``given``: (player, tile) for tiles that somebody else took; ``wandered``: tiles that were laid right
    before the finish (variant 3), in this order; ``next_player``: whose turn it is after a correction, None unchanged.
    """

    player: int
    roll: int
    moves: tuple[Move, ...] = ()
    taken: tuple[int, ...] = ()
    returned: tuple[int, ...] = ()
    given: tuple[tuple[int, int], ...] = ()
    wandered: tuple[int, ...] = ()
    next_player: int | None = None


def pawn_of(config: Config, player: int) -> str:
    """The name of a player's pawns, ``"pawn:red"``."""
    return "pawn:" + config.colours[player]


def start_state(raw: Mapping[str, Any]) -> State:
    """The state before the first turn. Raises SetupError."""
    setup = read_setup(raw, INFO)
    values = read_route(raw, setup)
    options: dict[str, Any] = dict(setup.options)
    exclude_both_ends(options)
    config = Config(
        setup.names,
        setup.colours,
        values,
        read_guards(raw, setup, values),
        pawns_each(raw, len(setup.players)),
        len(values) + 1,
        **options,
    )
    return first_state(config)


def first_state(config: Config) -> State:
    """All pawns on the start, guards on their tiles, nothing collected."""
    players = len(config.names)
    return State(
        config,
        0,
        0,
        tuple(range(1, config.finish)),
        ((START,) * config.pawns_each,) * players,
        config.guards_start,
        ((),) * players,
    )
