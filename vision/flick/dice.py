"""The dice of a picture and where each lies: in which hole, between holes, in the ditch, outside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.colours import GENERAL, SetColours
from vision.boxes import suppress
from vision.detections import Detections
from vision.flick.eyes import FlickEyes, feet_px
from vision.flick.lattice import SIDE, Lattice

Floats = NDArray[np.float64]
LEAST_DIE = 0.05
"""Boxes less likely than this to be a die are left out."""

IN_HOLE = 0.55
EDGE = 0.62
DITCH = 1.0
"""In pitches: how far a die's foot may lie from its hole's centre; where the plate ends; how wide the ditch is."""

_OVERLAP = 0.5

BODIES = SetColours(
    {
        "white": np.array([*GENERAL["white"], (82, 7, 19), (74, 5, 14), (66, 4, 12), (80, -2, -8)], np.float32),
        "blue": np.array([*GENERAL["blue"], (45, -15, -30)], np.float32),
        "yellow": np.array(GENERAL["yellow"], np.float32),
        "green": np.array(GENERAL["green"], np.float32),
        "pink": np.array([(60, 50, -10), (70, 40, -5), (45, 50, -8), (78, 30, 0), (55, 60, 5)], np.float32),
    },
    spread=16.0,
    learnt=False,
)
"""The colours of the dice in Lab before any were sampled from the set."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenDie:
    """A die: ``box_px`` (4,), how sure it is that it is one, its top face's probabilities (6,), place.

    ``found``: the detector's word alone, ``there``: that of the reader of faces; ``sure`` is both together.
    ``cell``: row and column 1..5 of the nearest hole; ``where``: ``hole``, ``between``, ``ditch``, ``outside``.
    """

    box_px: Floats
    sure: float
    faces: Floats
    where: str
    cell: tuple[int, int]
    off: float
    found: float = 0.0
    there: float = 1.0

    @property
    def value(self) -> int:
        """The likeliest top face."""
        return int(self.faces.argmax()) + 1

    def bounds(self) -> tuple[float, float, float, float]:
        """The box as four rounded numbers."""
        x1, y1, x2, y2 = (round(float(v), 1) for v in self.box_px)
        return x1, y1, x2, y2


def see_dice(image: Image, found: Detections, lattice: Lattice, eyes: FlickEyes) -> list[SeenDie]:
    """Every die that the detector found, read and placed; the surest first."""
    dice = found.of("die")
    boxes = dice.xyxy_px.astype(np.float64).reshape(-1, 4)
    faces, there = eyes.faces(image, boxes)
    sure = dice.confidence * there
    keep = suppress(boxes.astype(np.float32), np.zeros(len(boxes), np.int64), sure.astype(np.float32), _OVERLAP)
    places = place(feet_px(boxes, lattice.flatness()), lattice)
    seen = []
    for i in keep:
        if dice.confidence[i] >= LEAST_DIE:
            where, cell, off = places[i]
            found_sure, face_sure = float(dice.confidence[i]), float(there[i])
            seen.append(SeenDie(boxes[i], float(sure[i]), faces[i], where, cell, off, found_sure, face_sure))
    return sorted(seen, key=lambda die: -die.sure)


def place(feet: Floats, lattice: Lattice) -> list[tuple[str, tuple[int, int], float]]:
    """Where dice with these feet (N, 2) px lie: kind of place, nearest hole, distance from its centre in pitches."""
    found = []
    for x, y in lattice.to_cells(feet) if len(feet) else ():
        col, row = int(np.clip(round(x), 0, SIDE - 1)), int(np.clip(round(y), 0, SIDE - 1))
        off = float(np.hypot(x - col, y - row))
        beyond = float(max(-x, -y, x - SIDE + 1, y - SIDE + 1))
        where = "hole" if off < IN_HOLE else "between"
        if beyond > EDGE:
            where = "ditch" if beyond < EDGE + DITCH else "outside"
        found.append((where, (row + 1, col + 1), off))
    return found


def guessed_boxes(lattice: Lattice, cell: tuple[int, int], side_px: float) -> Floats:
    """Boxes (N, 4) in which a die of this size may be seen that the detector missed at a hole."""
    (x, y), = lattice.to_px(np.array([(cell[1] - 1.0, cell[0] - 1.0)]))
    pitch, flat = lattice.pitch_px((cell[1] - 1.0, cell[0] - 1.0)), lattice.flatness()
    rise = np.sqrt(max(0.0, 1 - flat**2)) * side_px
    spots = [(x + dx * pitch, y + dy * pitch - rise * up) for dx in (-0.12, 0, 0.12) for dy in (-0.1, 0.06)
             for up in (0.1, 0.45)]
    half = side_px / 2
    return np.array([(u - half, v - half, u + half, v + half) for u, v in spots])
