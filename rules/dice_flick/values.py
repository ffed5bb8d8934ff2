"""The values of Dice Flick: dice, markers, scoring rules, groups. Source: "Dice Flick Anleitung und Regeln"."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice_flick.grid import CENTRE, Cell, mask_of

COLOURS = ("white", "blue", "yellow", "green", "pink")
"""The colours of the dice; white is the joker, pink the Knaller."""

GROUP_COLOURS = ("blue", "yellow", "green")
"""The colours that form groups."""

DICE_IN_SET = {"white": 3, "blue": 5, "yellow": 5, "green": 5, "pink": 2}
"""How many dice of each colour the box holds."""

KNALLER_POINTS = 6


@dataclass(frozen=True, slots=True, order=True)
class Die:
    """A die in a hole: row 1..5 from the far side, column 1..5 from the left, colour, pips 1..6 (pink: always 6)."""

    row: int
    col: int
    colour: str
    value: int

    @property
    def cell(self) -> Cell:
        """Row and column."""
        return self.row, self.col


Board = tuple[Die, ...]
"""The dice in the holes, sorted by row and column, at most one a hole."""


@dataclass(frozen=True, slots=True)
class Markers:
    """Where the stickers lie, as bit masks of holes (see :func:`rules.dice_flick.grid.mask_of`)."""

    upgrades: tuple[tuple[str, int], ...] = ()
    centre: int = mask_of(CENTRE)
    bonus: int = 0

    def upgrade(self, colour: str) -> int:
        """The holes with an upgrade marker of this colour."""
        return next((mask for name, mask in self.upgrades if name == colour), 0)

    @property
    def all_upgrades(self) -> int:
        """The holes with an upgrade marker of any colour."""
        mask = 0
        for _, holes in self.upgrades:
            mask |= holes
        return mask


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """The house rules that decide what a box is worth; the defaults are those of the set-up page."""

    min_group: int = 3
    whites_alone: bool = True
    partial_groups: bool = False
    knaller_optional: bool = True
    centre_and_upgrade: str = "both"


@dataclass(frozen=True, slots=True)
class Group:
    """Something that scores: ``kind`` is ``colour``, ``line`` or ``centre``; ``cells`` also name visible markers."""

    kind: str
    cells: tuple[Cell, ...]
    points: int
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Scoring:
    """What is scored: the points, the groups they come from, and the holes whose dice return to the bag."""

    score: int
    groups: tuple[Group, ...]
    returned: tuple[Cell, ...]
