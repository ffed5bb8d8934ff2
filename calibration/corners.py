"""Checks of what was given for a plane: four corners in px, a size in mm."""

from __future__ import annotations

from typing import Any

import numpy as np

from calibration.arrays import Points
from calibration.errors import PlaneError

MIN_SIDE_PX = 60.0
MOST_K1, MOST_SIDE_PX = 1.0, 20_000
SIZE_RANGE_MM = (50.0, 3000.0)


def corners_mm(size_mm: tuple[float, float]) -> Points:
    """The corners (4, 2) of the play area in mm, clockwise from the top left."""
    width, height = size_mm
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)


def checked_size(value: Any) -> tuple[float, float]:
    """``value`` as width and height in mm. Raises PlaneError."""
    low, high = SIZE_RANGE_MM
    try:
        width, height = (float(side) for side in value)
    except (TypeError, ValueError):
        raise _size_error(value) from None
    if not (low <= width <= high and low <= height <= high):
        raise _size_error([width, height])
    return width, height


def checked_lens(k1: Any, focal_px: Any, size_wh: Any) -> None:
    """Raises PlaneError for numbers that no lens and no picture have."""
    try:
        width, height = size_wh
        right = abs(k1) <= MOST_K1 and 1 <= width <= MOST_SIDE_PX and 1 <= height <= MOST_SIDE_PX
        right = right and (focal_px is None or 0 < focal_px < 100 * MOST_SIDE_PX)
    except (TypeError, ValueError):
        right = False
    if not right:
        raise PlaneError("damaged", detail=f"size_wh {size_wh}, k1 {k1}, focal_px {focal_px}"[:120])


def _size_error(given: object) -> PlaneError:
    return PlaneError("size_invalid", low=SIZE_RANGE_MM[0], high=SIZE_RANGE_MM[1], given=str(given))


def checked_corners(value: Any) -> Points:
    """``value`` as corners (4, 2) of a convex quadrilateral, clockwise as seen, not too small. Raises PlaneError."""
    try:
        corners = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        corners = np.zeros(0)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise PlaneError("corners_count", given=len(value) if hasattr(value, "__len__") else str(value))
    along = np.roll(corners, -1, axis=0) - corners
    before = np.roll(along, 1, axis=0)
    turns = before[:, 0] * along[:, 1] - before[:, 1] * along[:, 0]
    if (turns < 0).all():
        raise PlaneError("corners_wrong_order")
    if not (turns > 1e-9).all():
        raise PlaneError("corners_not_convex", corner=int(np.argmin(turns)) + 1)
    shortest = float(np.linalg.norm(along, axis=1).min())
    if shortest < MIN_SIDE_PX:
        raise PlaneError("corners_too_small", shortest=shortest, needed=MIN_SIDE_PX)
    return corners
