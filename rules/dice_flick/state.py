"""State and action of Dice Flick, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.dice_flick.grid import Cell, mask_of
from rules.dice_flick.house_rules import INFO, read_markers
from rules.dice_flick.score import Box, box_of
from rules.dice_flick.values import DICE_IN_SET, Board, Group, Markers, ScoringRules
from rules.setup import read_setup

LANDED = ("hole", "ditch", "outside", "stacked")
"""Where a flicked die can come to rest; ``stacked``: on another die, even after jogging the box."""

_SCORING = ("min_group", "whites_alone", "partial_groups", "knaller_optional", "centre_and_upgrade")


@dataclass(frozen=True, slots=True)
class Config:
    """What does not change during a game: players, stickers and house rules."""

    names: tuple[str, ...]
    markers: Markers = Markers()
    scoring: ScoringRules = ScoringRules()
    ever_covered_is_dead: bool = False
    bonus_per_turn: str = "every"
    stacked_die: str = "bag"
    third_die: str = "keep"
    rounds: int = 10


@dataclass(frozen=True, slots=True)
class State:
    """What lies in the box and stands on the pad before the next turn.

    ``points[p]``: what player p wrote down, round by round; ``kept[p]``: colour of the die in front of player p, ``""``
    when nobody said it; ``covered``: holes whose upgrade marker has ever been covered, as a bit mask.
    """

    config: Config
    to_move: int
    board: Board
    points: tuple[tuple[int, ...], ...]
    kept: tuple[str, ...]
    covered: int = 0

    @property
    def turns(self) -> int:
        """Turns played."""
        return sum(map(len, self.points))

    @property
    def round(self) -> int:
        """The round that is being played, from 1."""
        return min(min(map(len, self.points)) + 1, self.config.rounds)

    def free_dice(self) -> dict[str, int]:
        """How many dice of each colour are not in the box: in the bag or in front of the players."""
        free = dict(DICE_IN_SET)
        for die in self.board:
            free[die.colour] -= 1
        return free


@dataclass(frozen=True, slots=True)
class Flick:
    """One die flicked: its colour and where it came to rest. Row, column and value only for ``landed`` = ``hole``."""

    die: str
    landed: str
    row: int = 0
    col: int = 0
    value: int = 0

    @property
    def in_hole(self) -> bool:
        """Whether it stays in the box."""
        return self.landed == "hole"


@dataclass(frozen=True, slots=True)
class Throw:
    """What the flicks of a turn left: stands where other games have the roll of a die.

    ``flicks`` is None when nobody saw them, ``board`` lies in the box after the last one, ``hand`` are the colours of
    the dice the turn began with, None when not seen.
    """

    flicks: tuple[Flick, ...] | None
    board: Board
    hand: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn: the throw, and what the player scored.

    ``claimed``: points written down, None for the best possible; ``returned``: holes whose dice went back to the bag,
    None for those that the claim needs; ``scored``: the groups themselves, None when nobody named them.
    """

    player: int
    throw: Throw
    claimed: int | None = None
    returned: tuple[Cell, ...] | None = None
    scored: tuple[Group, ...] | None = None
    next_player: int | None = None


def start_state(raw: Mapping[str, Any]) -> State:
    """The state before the first turn: an empty box. Raises SetupError."""
    setup = read_setup(raw, INFO)
    options: dict[str, Any] = dict(setup.options)
    scoring = ScoringRules(**{name: options.pop(name) for name in _SCORING})
    config = Config(setup.names, read_markers(raw), scoring, **options)
    players = len(config.names)
    return State(config, 0, (), ((),) * players, ("",) * players)


def box_after(state: State, board: Board) -> Box:
    """The board ready for counting, with the markers that are dead by house rule left out."""
    dead = state.covered if state.config.ever_covered_is_dead else 0
    return box_of(board, state.config.markers, state.config.scoring, dead)


def covered_by(state: State, board: Board) -> int:
    """The upgrade markers that have ever been covered, this board included."""
    dice = mask_of(*(die.cell for die in board))
    return state.covered | (dice & state.config.markers.all_upgrades)
