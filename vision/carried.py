"""After a bump: the last clear picture and its reading, as the camera sees them from where it stands now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.reading import Box, DieSeen, PieceSeen, TableReading, TileSeen

Image = NDArray[np.uint8]

T = TypeVar("T", TileSeen, PieceSeen, DieSeen)


def carried(
    image_bgr: Image, reading: TableReading, before: TablePlane, now: TablePlane
) -> tuple[Image, TableReading]:
    """The picture (H, W, 3) and reading of the plane ``before``, moved so that they fit the plane ``now``.

    Exact for a camera that was turned; what stands up is a little off where it was moved as well, as little as the
    move is small against its distance.
    """
    start, end = (plane.corners_px.astype(np.float32) for plane in (before, now))
    matrix = np.asarray(cv2.getPerspectiveTransform(start, end), np.float64)
    height, width = image_bgr.shape[:2]
    moved = cv2.warpPerspective(image_bgr, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8), replace(
        reading, tiles=_moved(reading.tiles, matrix), pieces=_moved(reading.pieces, matrix),
        dice=_moved(reading.dice, matrix),
    )


def _moved(things: Sequence[T], matrix: NDArray[np.float64]) -> tuple[T, ...]:
    return tuple(replace(thing, box_px=_box(thing.box_px, matrix)) for thing in things)


def _box(box: Box, matrix: NDArray[np.float64]) -> Box:
    corners = np.array([[box[:2], box[2:]]], np.float64)
    (left, top), (right, bottom) = cv2.perspectiveTransform(corners, matrix)[0]
    return float(left), float(top), float(right), float(bottom)
