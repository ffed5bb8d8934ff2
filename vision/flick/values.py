"""What was read from a picture of the box."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.dice_flick import Die, Markers, mask_of
from rules.dice_flick.values import GROUP_COLOURS, Board
from vision.flick.lattice import Lattice

Floats = NDArray[np.float64]
UPGRADES = tuple(f"upgrade_{colour}" for colour in GROUP_COLOURS)


@dataclass(frozen=True, slots=True)
class Hole:
    """What a hole holds: ``content`` is ``empty``, ``die`` or ``marker``.

    ``value`` 1..6 (pink: 6), ``marker`` ``upgrade_green`` .. ``bonus`` or ``""``; ``confidence`` 0..1 that all of it
    is right; ``flaw``: ``""``, ``cocked``, ``stacked``, ``hidden`` (something covers it) or ``unsure``;
    ``box_px`` the die in the picture, left, top, right, bottom.
    """

    row: int
    col: int
    content: str
    colour: str = ""
    value: int = 0
    marker: str = ""
    confidence: float = 1.0
    flaw: str = ""
    box_px: tuple[float, float, float, float] | None = None

    @property
    def cell(self) -> tuple[int, int]:
        """Row and column."""
        return self.row, self.col


@dataclass(frozen=True, slots=True)
class Option:
    """What a hole may hold: ``content`` ``empty``, ``die`` or ``marker``, ``name`` a colour or sticker, its share."""

    content: str
    name: str
    value: int
    share: float


@dataclass(frozen=True, slots=True)
class LooseDie:
    """A die that lies in no hole: ``where`` is ``between`` (on the plate), ``ditch`` or ``outside``."""

    where: str
    colour: str
    value: int
    confidence: float
    box_px: tuple[float, float, float, float]
    near: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Warned:
    """Something to look at: ``what`` is a flaw of :class:`Hole`, ``between``, ``too_many`` or ``sticker``."""

    what: str
    row: int | None = None
    col: int | None = None
    colour: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class BoxReading:
    """A whole box: the 25 holes by row and column, dice elsewhere, warnings. ``lattice``: where the holes are;
    ``maybe``: what may be dice elsewhere; ``options``: what each hole may hold, the likeliest first; ``sure``: how sure
    the score is, 0..1."""

    lattice: Lattice
    holes: tuple[Hole, ...]
    loose: tuple[LooseDie, ...] = ()
    warnings: tuple[Warned, ...] = ()
    size_wh: tuple[int, int] = (0, 0)
    layout: Markers | None = field(default=None)
    options: tuple[tuple[Option, ...], ...] = ()
    sure: float = 1.0
    maybe: tuple[LooseDie, ...] = ()

    @property
    def board(self) -> Board:
        """The dice in the holes as the rules know them."""
        return tuple(sorted(Die(h.row, h.col, h.colour, h.value) for h in self.holes if h.content == "die"))

    @property
    def markers(self) -> Markers:
        """The stickers: those of the set-up where it was given, else those seen (the centre is always the middle)."""
        if self.layout is not None:
            return self.layout
        seen = {
            name: mask_of(*(h.cell for h in self.holes if h.content == "marker" and h.marker == name))
            for name in (*UPGRADES, "bonus")
        }
        upgrades = tuple((c, seen[f"upgrade_{c}"]) for c in GROUP_COLOURS if seen[f"upgrade_{c}"])
        return Markers(upgrades, bonus=seen["bonus"])

    def hole(self, row: int, col: int) -> Hole:
        """The hole at row and column 1..5."""
        return self.holes[(row - 1) * 5 + col - 1]
