"""Paper that stands off the table: its fields are shifted, all in one direction, by as much as they are lifted.

The sheet's corners are where its plane says; in between it is bowed. Seen from the side, a lifted point appears away
from the camera, so one number for each point says where it is.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Points
from calibration.geometry import homography, transform

Array = NDArray[np.float64]
FOCAL = 1.1
"""The focal length as a share of the picture's longer side, where nothing is known of the camera."""

_HEIGHTS_MM = np.arange(-6.0, 13.1, 1.0)
_STEPS_MM = (1.0, 0.5)
_ROUNDS = 6
_TERMS = 10


def shift_of_height(px_from_mm: Array, size_mm: tuple[float, float], size_wh: tuple[int, int]) -> Array:
    """By how many mm of its plane (2,) a point in the middle of the sheet is shifted if it is lifted by 1 mm."""
    width, height = size_wh
    focal = FOCAL * max(size_wh)
    camera = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
    columns = np.linalg.inv(camera) @ px_from_mm
    scale = np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    across, down, place = (columns / scale).T
    if place[2] < 0:
        across, down, place = -across, -down, -place
    up = -np.cross(across, down)
    middle = np.array(size_mm) / 2
    at = across * middle[0] + down * middle[1] + place
    seen = camera @ (at + up)
    back = np.asarray(np.linalg.inv(px_from_mm), np.float64)
    return np.asarray(transform(back, np.asarray(seen[:2] / seen[2], np.float64)[None])[0] - middle, np.float64)


def shape_of(corners_px: Points, size_wh: tuple[int, int]) -> float:
    """How much wider than high the rectangle with these corners (4, 2) is, clockwise from its top left, for a usual
    lens."""
    width, height = size_wh
    focal = FOCAL * max(size_wh)
    camera = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    columns = np.linalg.inv(camera) @ homography(square, np.asarray(corners_px, np.float64))
    return float(np.linalg.norm(columns[:, 0]) / np.linalg.norm(columns[:, 1]))


def lifted_bend(curves: Array, shifts_mm: Array, shares: Points, way_mm: Array) -> Array:
    """The bend (10, 2) that puts most outlines onto edges.

    ``curves`` (N, 2, S): how well each field's outline lies on edges when shifted across and down by ``shifts_mm``
    (S,); ``shares`` (N, 2): where the fields lie, -1..1 over the sheet; ``way_mm`` (2,): the shift of 1 mm of height.
    """
    x, y = shares.T
    shapes = np.stack([1 - x * x, 1 - y * y, (1 - x * x) * y, (1 - y * y) * x], 1)

    def rated(heights: Array) -> float:
        lift = shapes @ heights
        return sum(_looked_up(curves[:, axis], shifts_mm, lift * way_mm[axis]) for axis in (0, 1))

    best = max((np.array([a, b, 0.0, 0.0]) for a, b in product(_HEIGHTS_MM, _HEIGHTS_MM)), key=rated)
    top = rated(best)
    for step in _STEPS_MM:
        for _ in range(_ROUNDS):
            trials = [best + sign * step * one for one in np.eye(4) for sign in (-1, 1)]
            scores = [rated(trial) for trial in trials]
            if max(scores) <= top:
                break
            best, top = trials[int(np.argmax(scores))], max(scores)
    return _as_bend(best, way_mm)


def _looked_up(curves: Array, shifts_mm: Array, at_mm: Array) -> float:
    """The mean of curves (N, S) at one shift each."""
    step = shifts_mm[1] - shifts_mm[0]
    index = np.clip(np.round((at_mm - shifts_mm[0]) / step).astype(int), 0, len(shifts_mm) - 1)
    return float(np.minimum(curves[np.arange(len(curves)), index], 1.5).mean())


def _as_bend(heights: Array, way_mm: Array) -> Array:
    """Heights of the four shapes as factors of the cubic terms 1, x, y, xx, xy, yy, xxx, xxy, xyy, yyy."""
    a, b, c, d = heights
    lift = np.zeros(_TERMS)
    lift[[0, 1, 2, 3, 5, 7, 8]] = a + b, d, c, -a, -b, -c, -d
    return np.outer(lift, way_mm)
