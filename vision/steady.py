"""Keeps the table plane true while the camera may be moved: notices it, and measures the plane anew."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.corners import corners_mm
from calibration.errors import CalibrationError
from calibration.markers import drift_px, fit_markers
from calibration.plane import TablePlane
from vision.bump import CameraWatch

LEAST_SHIFT_PX = 1.5
"""Corners of the play area that moved less than this (in a picture 1280 px wide) have not moved."""

ON_MARKERS_PX = 4.0
"""Markers this close to the plane's corners are what the plane was measured by."""

_WIDTH = 1280.0
_FEATURES, _RATIO, _REPROJECTION_PX = 1500, 0.75, 2.0
_LEAST_MATCHES, _LEAST_SPREAD = 24, 0.25
_MARGIN = 0.15


STEADY, MOVED, FOUND = "steady", "moved", "found"
"""What :meth:`Steady.check` says: nothing happened; the plane is stale; it was measured anew."""

AGREE_PX = 1.0
"""Two pictures in a row must agree so well on where the corners are now, before that is believed."""


@dataclass(frozen=True, slots=True)
class Look:
    """``plane``: what is measured now, None where it cannot be; ``moved``: whether that is not the plane before;
    ``markers``: whether it was measured by them."""

    plane: TablePlane | None
    moved: bool
    markers: bool = False


class Steady:
    """Watches one camera. ``plane`` is the plane that ``image_bgr`` (H, W, 3) uint8 shows, ``moved_from`` (after FOUND)
    the one before the bump.

    The plane is measured anew by its markers where it lies on markers and all are in view, else by matching the picture
    with the one before the bump. :meth:`check` compares edges (10 ms) and measures only where they have moved.
    """

    def __init__(self, plane: TablePlane, image_bgr: Image) -> None:
        self.plane = self.moved_from = plane
        self._on_markers = _lies_on_markers(plane, image_bgr)
        self._remember(image_bgr)
        self._stale = False
        self._newest: TablePlane | None = None

    def check(self, image_bgr: Image) -> str:
        """Take the next picture of a table at rest: STEADY, MOVED, or (after MOVED) FOUND with a new ``plane``."""
        seen = self.look(image_bgr)
        if not self._stale and not seen.moved:
            return STEADY
        last, self._newest, self._stale = self._newest, seen.plane, True
        if seen.plane is None or last is None or moved_px(last, seen.plane) > AGREE_PX:
            return MOVED
        # Measured in the same way, so that what markers and corners differ by from the beginning cancels out.
        self.moved_from = (self._by_markers(self._image) if seen.markers else None) or self.plane
        self.plane, self._newest, self._stale = seen.plane, None, False
        self._remember(image_bgr)
        return FOUND

    def look(self, image_bgr: Image) -> Look:
        """Whether the camera stands where it stood, and the plane as this picture shows it."""
        shift = self._watch.shift(image_bgr)
        if shift.known and not shift.moved:
            return Look(self.plane, False)
        by_markers = self._by_markers(image_bgr)
        measured = by_markers or _matched(self._image, image_bgr, self.plane)
        if measured is None:
            return Look(None, True) if shift.moved or self._stale else Look(self.plane, False)
        if moved_px(self.plane, measured) >= LEAST_SHIFT_PX:
            return Look(measured, True, by_markers is not None)
        self._remember(image_bgr)  # other edges, same place: the table itself has changed
        return Look(self.plane, False)

    def _by_markers(self, image_bgr: Image) -> TablePlane | None:
        """The plane that this picture shows by its markers; None where it does not lie on them, or not all are seen."""
        if not self._on_markers:
            return None
        try:
            fit = fit_markers(image_bgr, self.plane.size_mm, k1=self.plane.k1)
        except CalibrationError:
            return None
        return replace(fit.plane, focal_px=self.plane.focal_px, date=self.plane.date, camera=self.plane.camera)

    def _remember(self, image_bgr: Image) -> None:
        self._image, self._watch = image_bgr, CameraWatch(image_bgr)


def moved_px(a: TablePlane, b: TablePlane) -> float:
    """How far the corners of the play area are apart at most, in a picture 1280 px wide."""
    return float(np.linalg.norm(a.corners_px - b.corners_px, axis=1).max()) * _WIDTH / a.size_wh[0]


def _lies_on_markers(plane: TablePlane, image_bgr: Image) -> bool:
    try:
        drift = drift_px(image_bgr, plane)
    except CalibrationError:
        return False
    return drift is not None and drift < ON_MARKERS_PX * plane.size_wh[0] / _WIDTH


def _matched(before: Image, now: Image, plane: TablePlane) -> TablePlane | None:
    """The plane moved as the picture of the play area has moved between ``before`` and ``now``."""
    area = _area(plane, before.shape)
    sift = cv2.SIFT.create(nfeatures=_FEATURES)
    points, known = sift.detectAndCompute(cv2.cvtColor(before, cv2.COLOR_BGR2GRAY), area)
    others, seen = sift.detectAndCompute(cv2.cvtColor(now, cv2.COLOR_BGR2GRAY), None)
    if min(len(points), len(others)) < _LEAST_MATCHES:
        return None
    pairs = cv2.BFMatcher().knnMatch(known, seen, k=2)
    good = [a for a, b in pairs if a.distance < _RATIO * b.distance]
    start = np.array([points[m.queryIdx].pt for m in good], np.float32).reshape(-1, 2)
    end = np.array([others[m.trainIdx].pt for m in good], np.float32).reshape(-1, 2)
    return _moved(plane, start, end)


def _moved(plane: TablePlane, start: Points | NDArray[np.float32], end: NDArray[np.float32]) -> TablePlane | None:
    if len(start) < _LEAST_MATCHES:
        return None
    # USAC draws its samples from a fixed seed: the same pictures always give the same plane.
    matrix, inside = cv2.findHomography(start, end, cv2.USAC_MAGSAC, _REPROJECTION_PX)
    if np.shape(matrix) != (3, 3) or int(inside.sum()) < _LEAST_MATCHES:
        return None
    kept = np.asarray(start)[inside.ravel() > 0]
    spread = np.ptp(kept, axis=0) / np.ptp(plane.corners_px, axis=0)
    if spread.min() < _LEAST_SPREAD:
        return None
    corners = cv2.perspectiveTransform(plane.corners_px.reshape(-1, 1, 2), matrix).reshape(4, 2)
    try:
        return replace(plane, corners_px=np.asarray(corners, np.float64), error_px=None, error_mm=None)
    except CalibrationError:
        return None


def _area(plane: TablePlane, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """255 in and a little around the play area, (H, W)."""
    width, height = plane.size_mm
    out = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64) * _MARGIN * min(width, height)
    outline = plane.to_px(corners_mm(plane.size_mm) + out)
    mask = np.zeros(shape[:2], np.uint8)
    return np.asarray(cv2.fillConvexPoly(mask, outline.round().astype(np.int32), 255), np.uint8)
