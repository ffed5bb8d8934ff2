"""Values of tiles: each tile is read in several turns, a few times, and then remembered while it lies still."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.plane import TablePlane
from vision.numbers import joined, number_rows, unread
from vision.readers import CropReader, tile_crop

TURNS_DEG = (0.0, 45.0, 90.0, 135.0)
"""A tile may lie in any turn; its reader knows upright printing, give or take 24 degrees, and half a turn more."""

READ_TIMES = 3
"""After this many readings a tile that has not moved is not read again."""

AT_ONCE = 3
"""Of tiles that were read twice, so many are read again in one look: the first turn must not wait for all of them."""

SAME_PLACE_MM = 4.0
"""A tile that was seen further than this from where it lay has moved."""

Point = tuple[float, float]
Floats = NDArray[np.float32]


@dataclass(slots=True)
class _Known:
    pos_mm: Point
    log_sum: NDArray[np.float64]
    words: NDArray[np.float64]
    times: int


class TileValues:
    """Reads and remembers tile values. ``reader`` knows :data:`models.classes.TILE_CLASSES`, ``numbers`` what is
    printed on tiles (:data:`models.classes.NUMBER_CLASSES`); without it only the kind of a tile is read well.

    ``words``: of the tiles that were read last, what each reader said: kinds, then numbers, one row a tile.
    """

    def __init__(self, reader: CropReader, numbers: CropReader | None = None) -> None:
        self._reader, self._numbers, self._known = reader, numbers, list[_Known]()
        self.words: list[tuple[float, ...]] = []

    def read(self, image_bgr: Image, plane: TablePlane, centres_mm: list[Point]) -> list[tuple[float, ...]]:
        """Probabilities of every class for the tile at each centre, in the order of the centres."""
        known = [self._at(centre) for centre in centres_mm]
        unsure = [k for k, tile in enumerate(known) if tile.times < min(READ_TIMES, 2)]
        unsure += [k for k, tile in enumerate(known) if 2 <= tile.times < READ_TIMES][:AT_ONCE]
        if unsure:
            kinds, rows = self._fresh(image_bgr, plane, [centres_mm[k] for k in unsure])
            for k, kind, row in zip(unsure, kinds, rows, strict=True):
                known[k].log_sum += np.log(np.clip(self._together(kind, row), 1e-4, 1.0))
                said = np.concatenate([kind, row])
                known[k].words = known[k].words + said if known[k].times else said.astype(np.float64)
                known[k].times += 1
        self._known = known
        self.words = [tuple(float(p) for p in tile.words / max(tile.times, 1)) for tile in known]
        return [_mean(tile) for tile in known]

    def _at(self, centre: Point) -> _Known:
        near = [tile for tile in self._known if math.dist(tile.pos_mm, centre) < SAME_PLACE_MM]
        return near[0] if near else _Known(centre, np.zeros(len(self._reader.classes)), np.zeros(0), 0)

    def _together(self, kind: Floats, row: Floats) -> Floats:
        return kind if self._numbers is None else joined(kind, row)

    def _fresh(self, image: Image, plane: TablePlane, centres: list[Point]) -> tuple[Floats, Floats]:
        """Kinds (N, K) as they are read in the turn in which each tile is read most clearly, and numbers (N, 19)."""
        crops = np.stack([tile_crop(image, plane, centre, turn) for centre in centres for turn in TURNS_DEG])
        probs = self._reader.read(crops).reshape(len(centres), len(TURNS_DEG), -1)
        best = probs.max(axis=2).argmax(axis=1)
        kinds = np.asarray(probs[np.arange(len(centres)), best], np.float32)
        if self._numbers is None:
            return kinds, np.stack([unread()] * len(centres))
        return kinds, number_rows(self._numbers, image, plane, centres)


def _mean(tile: _Known) -> tuple[float, ...]:
    mean = np.exp(tile.log_sum / max(tile.times, 1))
    return tuple(float(p) for p in mean / mean.sum())
