"""The whole calibration of a table from one picture: by its markers, or by corners given by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from calibration.arrays import Image
from calibration.errors import PlaneError
from calibration.markers import MARKER_MM, find_markers, fit_markers, marker_errors
from calibration.plane import TablePlane


def measure_table(
    image: Image,
    corners_px: Any = None,
    size_mm: tuple[float, float] | None = None,
    marker_mm: float = MARKER_MM,
    *,
    k1: float | None = None,
    date: str = "",
    camera: str = "",
) -> TablePlane:
    """The table plane in ``image`` (H, W, 3), with its error in px and mm where markers lie there.

    ``corners_px`` (4, 2): given by hand, clockwise from the top left, together with ``size_mm``; None finds the four
    markers (``size_mm`` None: worked out from their size). Corners given by hand fit exactly, so their error is only
    known (from the markers' edges) where markers lie at these corners; :meth:`TablePlane.mm_per_px` says what a pixel
    off is worth. ``k1``: the lens's distortion where it was measured (:func:`calibration.lens.measure_lens`).
    Raises PlaneError or MarkerError.
    """
    if corners_px is None:
        return fit_markers(image, size_mm, marker_mm, k1=k1, date=date, camera=camera).plane
    if size_mm is None:
        raise PlaneError("corners_missing")
    size_wh = (image.shape[1], image.shape[0])
    plane = TablePlane(corners_px, size_mm, size_wh, k1=k1 or 0.0, date=date, camera=camera)
    sizes = marker_mm * plane.px_per_mm(np.array(size_mm) / 2)
    at_corners = {
        number: quad for number, quad in find_markers(image).items()
        if np.linalg.norm(quad.mean(axis=0) - plane.corners_px[number]) < sizes / 2
    }
    return marker_errors(plane, at_corners, marker_mm).plane
