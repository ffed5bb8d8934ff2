"""Where a standing piece has its foot, and what it hides, from the plane and the piece's size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Points
from calibration.plane import TablePlane


@dataclass(frozen=True, slots=True)
class Body:
    """A piece as a truncated cone: ``height_mm``, radius at the foot and at the top."""

    height_mm: float
    foot_mm: float
    top_mm: float


PAWN = Body(24.0, 6.5, 3.5)
GUARD = Body(20.0, 5.5, 5.5)
FLIXXY = Body(46.0, 10.0, 14.0)
DIE = Body(16.0, 10.0, 10.0)


def expected_box_px(plane: TablePlane, pos_mm: Any, body: Body) -> NDArray[np.float64]:
    """The boxes (N, 4) x1, y1, x2, y2 in px that pieces with their feet at ``pos_mm`` (N, 2) should have."""
    centres = np.asarray(pos_mm, np.float64).reshape(-1, 2)
    rims = [_rim_px(plane, centres, body.foot_mm, 0.0), _rim_px(plane, centres, body.top_mm, body.height_mm)]
    rim = np.concatenate(rims, axis=1)
    return np.concatenate([rim.min(axis=1), rim.max(axis=1)], axis=1)


def foot_mm(plane: TablePlane, boxes_px: Any, body: Body) -> Points:
    """Where pieces seen in ``boxes_px`` (N, 4) have the centre of their foot, in mm (N, 2).

    The position whose expected box has the same middle, a quarter up from its lower edge, as the seen one: the
    lower part of a box varies least with the true height of the piece.
    """
    boxes = np.asarray(boxes_px, np.float64).reshape(-1, 4)
    anchor = _anchor_px(boxes)
    pos = plane.to_mm(anchor)
    for _ in range(6):
        off = anchor - _anchor_px(expected_box_px(plane, pos, body))
        pos = plane.to_mm(plane.to_px(pos) + off)
    return pos


def _anchor_px(boxes: NDArray[np.float64]) -> Points:
    lower = boxes[:, 1] + 0.75 * (boxes[:, 3] - boxes[:, 1])
    return np.column_stack([(boxes[:, 0] + boxes[:, 2]) / 2, lower])


def hidden_by(plane: TablePlane, pos_mm: Any, body: Body, places_mm: Any, side_mm: float) -> NDArray[np.float64]:
    """How much (0..1) of each place, a square of ``side_mm`` around ``places_mm`` (M, 2), each piece hides: (N, M).

    The silhouette is taken as the expected box; what it covers is counted on a 5 x 5 grid of each place.
    """
    boxes = expected_box_px(plane, pos_mm, body)
    step = (np.arange(5) / 4 - 0.5) * side_mm * 0.8
    grid = np.stack(np.meshgrid(step, step), axis=-1).reshape(1, 25, 2)
    places = np.asarray(places_mm, np.float64).reshape(-1, 1, 2)
    seen = plane.to_px((places + grid).reshape(-1, 2)).reshape(1, -1, 25, 2)
    low, high = boxes[:, None, None, :2], boxes[:, None, None, 2:]
    return np.asarray(((seen >= low) & (seen <= high)).all(axis=-1).mean(axis=-1), np.float64)


def _rim_px(plane: TablePlane, centres: Points, radius_mm: float, height_mm: float) -> NDArray[np.float64]:
    angle = np.arange(12) * (np.pi / 6)
    ring = radius_mm * np.column_stack([np.cos(angle), np.sin(angle)])
    around = (centres[:, None] + ring).reshape(-1, 2)
    return plane.to_px(around, height_mm).reshape(len(centres), 12, 2)
