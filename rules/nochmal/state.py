"""State and action of Verflixxt nochmal: those of Verflixxt! and what the expansion adds, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.nochmal.layout import INFO, TOKENS, read_guards, read_route
from rules.setup import read_setup
from rules.verflixxt import state as base
from rules.verflixxt.layout import VERFLIXXT, pawns_each
from rules.verflixxt.state import START

ACTION_DIE = ("may", "may_not", "must")
"""What the action die says about Flixxy."""

WORMS = ("extra_turn", "to_bottom", "move_others", "swap")
"""The four actions of worm tokens."""


@dataclass(frozen=True, slots=True)
class Config(base.Config):
    """As in Verflixxt!, ``route_values`` with :data:`~rules.verflixxt.layout.VERFLIXXT` for the orange cards.

    ``worm_count``: worm tokens in the game, 0 without the worm variant.
    """

    flixxy_leaves: str = "after_tokens_empty"
    worm_count: int = 0

    def is_verflixxt(self, tile: int) -> bool:
        """Whether this tile number is an orange Verflixxt card."""
        return self.route_values[tile - 1] == VERFLIXXT


@dataclass(frozen=True, slots=True)
class State(base.State):
    """As in Verflixxt!; ``collected[p]`` is player p's stack from bottom to top.

    ``flixxy``: its place (the start is 0, the finish n + 1), ``"out"`` once it has left the game; ``removed``: cards
    that were passed to nobody; ``tokens[p]``: round tokens won; ``worms[p]``: number of unused worm tokens; ``laps``:
    how often Flixxy has reached the finish; ``extra``: further turns of ``to_move`` after this one.
    """

    config: Config
    flixxy: int | str = START
    removed: tuple[int, ...] = ()
    tokens: tuple[tuple[int, ...], ...] = ()
    worms: tuple[int, ...] = ()
    laps: int = 0
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Worm:
    """A worm token that was played; ``before``: before the move rather than after it.

    ``to_bottom`` and ``extra_turn`` need no more. ``move_others``: ``card``, the tile number. ``swap``: the own pawn
    ``piece`` on ``at`` changes places with ``other`` on ``on``.
    """

    action: str
    before: bool = True
    card: int = 0
    piece: str = ""
    at: int = 0
    other: str = ""
    on: int = 0


@dataclass(frozen=True, slots=True)
class Turn(base.Turn):
    """What happened physically in a turn.

    In addition to Verflixxt!: ``action_die`` (None once it has left the game); ``passed``: (tile number, player it went
    to, or None for out of the game); ``token``: the round token taken, 0 for none; ``worms``: worm tokens played, in
    order; ``stacks``: (player, tile numbers from bottom to top) for stacks that lie differently after the turn than
    they should. For corrections also ``fixed``: (field of :class:`State`, new value).
    """

    action_die: str | None = None
    passed: tuple[int, int | None] | None = None
    token: int = 0
    worms: tuple[Worm, ...] = ()
    stacks: tuple[tuple[int, tuple[int, ...]], ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Roll:
    """Both dice: the normal one, and the action die (None once it has left the game)."""

    number: int
    action_die: str | None


def roll_of(state: State, roll: int | Roll) -> Roll:
    """Both dice as one value: 1 to 6 with ``"may"``, 7 to 12 with ``"may_not"``, 13 to 18 with ``"must"``."""
    if isinstance(roll, Roll):
        return roll
    die = None if isinstance(state.flixxy, str) else ACTION_DIE[(roll - 1) // 6 % 3]
    return Roll((roll - 1) % 6 + 1, die)


def tokens_left(tokens: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The round tokens that nobody has yet, the top one first."""
    return tuple(token for token in TOKENS if not any(token in won for won in tokens))


def start_state(raw: Mapping[str, Any]) -> State:
    """The state before the first turn. Raises SetupError."""
    setup = read_setup(raw, INFO)
    values = read_route(raw, setup)
    options: dict[str, Any] = dict(setup.options)
    tokens = options.pop("worm_tokens")
    count = sum(tokens) if options.pop("worms") else 0
    config = Config(
        setup.names,
        setup.colours,
        values,
        read_guards(raw, values),
        pawns_each(raw, len(setup.players)),
        len(values) + 1,
        **options,
        worm_count=count,
    )
    return first_state(config)


def first_state(config: Config) -> State:
    """All pawns and Flixxy on the start, guards on their tiles, nothing collected."""
    players = len(config.names)
    route, nothing = tuple(range(1, config.finish)), ((),) * players
    pawns = ((START,) * config.pawns_each,) * players
    return State(config, 0, 0, route, pawns, config.guards_start, nothing, tokens=nothing, worms=(0,) * players)
