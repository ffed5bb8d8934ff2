"""Where the 5 x 5 holes of a plate are in a picture: a homography from hole numbers to pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from models.classes import CROP_PX

Array = NDArray[np.float64]
SIDE = 5
HOLE_CROP = 1.4
"""A hole's crop is a square of this many pitches."""

_RAISED = 0.1
"""It is moved up by this many pitches: dice stand out of their holes."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """``matrix`` (3, 3) maps (column, row, 1), both counted from 0 at the far left hole, to homogeneous pixels."""

    matrix: Array

    @classmethod
    def from_points(cls, cells: Array, points_px: Array) -> Lattice:
        """The lattice through points (N, 2) seen at (column, row) ``cells`` (N, 2), N >= 4. Raises ValueError."""
        found: Any = cv2.findHomography(np.asarray(cells, np.float64), np.asarray(points_px, np.float64), 0)[0]
        if found is None:
            raise ValueError("the points do not span a lattice")
        return cls(np.asarray(found, np.float64))

    def to_px(self, cells: Array) -> Array:
        """Pixels (N, 2) of (column, row) positions (N, 2), fractions allowed."""
        points = np.asarray(cells, np.float64).reshape(-1, 2)
        seen = points @ self.matrix[:, :2].T + self.matrix[:, 2]
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def to_cells(self, points_px: Array) -> Array:
        """(Column, row) positions (N, 2) of pixels (N, 2)."""
        return Lattice(np.asarray(np.linalg.inv(self.matrix), np.float64)).to_px(points_px)

    def centres_px(self) -> Array:
        """Centres (25, 2) of the holes by row and column."""
        return self.to_px(every_cell())

    def corners_px(self, margin: float = 0.5) -> Array:
        """Corners (4, 2), clockwise from the far left: ``margin`` pitches outside the outer holes' centres."""
        low, high = -margin, SIDE - 1 + margin
        return self.to_px(np.array([(low, low), (high, low), (high, high), (low, high)]))

    def pitch_px(self, cell: tuple[float, float]) -> float:
        """The longest a pitch appears at a (column, row) position, in any direction."""
        return float(np.linalg.svd(self._slope(cell), compute_uv=False)[0])

    def flatness(self) -> float:
        """How foreshortened the plate is, about the sine of the camera's elevation: 1 from straight above."""
        sizes = np.linalg.svd(self._slope((2.0, 2.0)), compute_uv=False)
        return float(sizes[1] / sizes[0])

    def _slope(self, cell: tuple[float, float]) -> Array:
        x, y = cell
        left, right, up, down = self.to_px(np.array([(x - 0.5, y), (x + 0.5, y), (x, y - 0.5), (x, y + 0.5)]))
        return np.stack([right - left, down - up], 1)

    def turned(self, quarters: int) -> Lattice:
        """The same holes counted from another corner: turned clockwise by ``quarters`` quarter turns."""
        matrix = self.matrix
        last = SIDE - 1.0
        quarter = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, last], [0.0, 0.0, 1.0]])
        for _ in range(quarters % 4):
            matrix = matrix @ quarter
        return Lattice(matrix)

    def upright(self) -> Lattice:
        """The same holes counted so that columns run to the right and rows towards the viewer."""
        lattice = self
        if np.linalg.det(self._slope((2.0, 2.0))) < 0:
            lattice = Lattice(self.matrix @ np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
        return max((lattice.turned(k) for k in range(4)), key=_runs_right)

    def crop_box(self, cell: tuple[float, float]) -> tuple[float, float, float]:
        """Centre x, y and side in pixels of the crop of the hole at (column, row)."""
        pitch = self.pitch_px(cell)
        (x, y), = self.to_px(np.array([cell]))
        return float(x), float(y) - _RAISED * pitch, HOLE_CROP * pitch


def _runs_right(lattice: Lattice) -> float:
    corners = lattice.corners_px(0.0)
    return float((corners[1] + corners[2] - corners[0] - corners[3])[0])


def every_cell() -> Array:
    """(Column, row) of the 25 holes by row and column, (25, 2)."""
    return np.array([(x, y) for y in range(SIDE) for x in range(SIDE)], np.float64)


def square_crop(image: Image, x: float, y: float, side: float) -> Image:
    """A square around (x, y) px resized to (CROP_PX, CROP_PX, 3); beyond the picture its edge is repeated."""
    whole = max(2, round(side))
    left, top = round(x - side / 2), round(y - side / 2)
    height, width = image.shape[:2]
    columns = np.clip(np.arange(left, left + whole), 0, width - 1)
    rows = np.clip(np.arange(top, top + whole), 0, height - 1)
    way = cv2.INTER_AREA if whole > CROP_PX else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image[np.ix_(rows, columns)], (CROP_PX, CROP_PX), interpolation=way), np.uint8)
