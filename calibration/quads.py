"""Corners to begin with, proposed from the picture: the largest quadrilateral, else a frame around what lies there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.corners import checked_corners
from calibration.errors import PlaneError

LEAST_SHARE, MOST_SHARE = 0.06, 0.93
"""Share of the picture that the play area covers, at least and at most."""

_WORK_PX = 800
_MARGIN = 0.06


def largest_quad(image: Image) -> Points | None:
    """Corners (4, 2) in px, clockwise from the top left, of the largest thing with four straight sides: a sheet, a
    board, a mat. None where there is none."""
    scale = min(1.0, _WORK_PX / max(image.shape[:2]))
    resized = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    small = np.asarray(resized, np.uint8)
    whole = float(small.shape[0] * small.shape[1])
    found = [(cv2.contourArea(quad), quad) for quad in _quads(small)]
    fitting = [(area, quad) for area, quad in found if LEAST_SHARE < area / whole < MOST_SHARE]
    if not fitting:
        return None
    _, best = max(fitting, key=lambda pair: pair[0])
    return _checked(clockwise(best.astype(np.float64) / scale))


def around(boxes_px: Any, size_wh: tuple[int, int]) -> Points | None:
    """A frame (4, 2) around boxes (N, 4), leaning as they do; None for fewer than four."""
    boxes = np.asarray(boxes_px, np.float64).reshape(-1, 4)
    if len(boxes) < 4:
        return None
    points = np.concatenate([boxes[:, :2], boxes[:, 2:], boxes[:, (0, 3)], boxes[:, (2, 1)]]).astype(np.float32)
    frame = np.asarray(cv2.boxPoints(cv2.minAreaRect(points)), np.float64)
    centre = frame.mean(axis=0)
    wider = centre + (frame - centre) * (1 + _MARGIN)
    limit = np.array(size_wh, np.float64) - 1
    return _checked(clockwise(np.clip(wider, 0, limit)))


def clockwise(corners: Points) -> Points:
    """Four corners (4, 2) in order: clockwise as seen, the first one the nearest to the picture's top left."""
    centre = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - centre[1], corners[:, 0] - centre[0])
    turned = corners[np.argsort(angles)]
    return np.roll(turned, -int(np.argmin(turned.sum(axis=1))), axis=0)


def _quads(small: Image) -> Iterator[NDArray[np.float32]]:
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    for low, high in ((30, 90), (60, 180)):
        edges = cv2.dilate(cv2.Canny(grey, low, high), np.ones((3, 3), np.uint8))
        contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            if len(contour) < 4:
                continue
            hull = cv2.convexHull(contour)
            corners = cv2.approxPolyDP(hull, 0.02 * cv2.arcLength(hull, True), True)
            # A hull that is much larger than what it surrounds is no single thing with four sides.
            if len(corners) == 4 and cv2.contourArea(contour) > 0.85 * cv2.contourArea(corners):
                yield corners.reshape(4, 2).astype(np.float32)


def _checked(corners: Points) -> Points | None:
    try:
        return checked_corners(corners)
    except PlaneError:
        return None
