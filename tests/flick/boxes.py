"""Readings of boxes, made up: a lattice seen straight from above and dice where a test wants them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from calibration.arrays import Image
from rules.dice_flick import Die, Markers, read_markers
from vision.flick.lattice import Lattice
from vision.flick.values import BoxReading, Hole, LooseDie

PITCH_PX = 60.0
MARKERS: dict[str, Any] = {
    "upgrade_green": [[2, 2]], "upgrade_blue": [[2, 4]], "upgrade_yellow": [[4, 4]], "centre": [[3, 3]],
    "bonus": [[1, 5], [5, 1]],
}
SETUP: dict[str, Any] = {
    "game": "dice-flick", "players": [{"name": "Anna"}, {"name": "Ben"}], "options": {"rounds": 2}, "markers": MARKERS,
}


def lattice(x: float = 100.0, y: float = 100.0) -> Lattice:
    """Holes 60 px apart, the first at (x, y)."""
    return Lattice(np.array([[PITCH_PX, 0.0, x], [0.0, PITCH_PX, y], [0.0, 0.0, 1.0]]))


def picture(box: BoxReading) -> Image:
    """A picture (480, 480, 3) in which the dice of a reading are squares of their own grey."""
    image = np.full((480, 480, 3), 60, np.uint8)
    for hole in box.holes:
        if hole.box_px is not None:
            x1, y1, x2, y2 = (round(v) for v in hole.box_px)
            image[y1:y2, x1:x2] = 110 + 20 * hole.value + len(hole.colour)
    for die in (*box.loose, *box.maybe):
        x1, y1, x2, y2 = (round(v) for v in die.box_px)
        image[y1:y2, x1:x2] = 200
    return image


def in_ditch(colour: str, x: float, confidence: float) -> LooseDie:
    """A die in the ditch on the near side."""
    return LooseDie("ditch", colour, 2, confidence, (x, 400.0, x + 30.0, 430.0))


def reading(
    dice: Sequence[Die] = (), flaws: dict[tuple[int, int], str] | None = None, loose: Sequence[LooseDie] = (),
    markers: dict[str, Any] | None = None, maybe: Sequence[LooseDie] = (),
) -> BoxReading:
    """A box with these dice; every other hole shows its sticker or nothing."""
    layout: Markers = read_markers({"markers": MARKERS if markers is None else markers})
    named = {tuple(cell): name for name, cells in (MARKERS if markers is None else markers).items() for cell in cells}
    at = {die.cell: die for die in dice}
    holes = []
    for row in range(1, 6):
        for col in range(1, 6):
            flaw = (flaws or {}).get((row, col), "")
            die = at.get((row, col))
            if die is not None:
                x, y = 100 + PITCH_PX * (col - 1), 100 + PITCH_PX * (row - 1)
                box = (x - 15, y - 15, x + 15, y + 15)
                holes.append(Hole(row, col, "die", die.colour, die.value, "", 0.99, flaw, box))
            elif (row, col) in named:
                holes.append(Hole(row, col, "marker", marker=named[row, col], flaw=flaw))
            else:
                holes.append(Hole(row, col, "empty", flaw=flaw))
    return BoxReading(lattice(), tuple(holes), tuple(loose), (), (480, 480), layout, maybe=tuple(maybe))
