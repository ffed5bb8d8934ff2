"""The table plane from four printed ArUco markers: their centres are the corners of the play area.

Dictionary DICT_4X4_50, ids 0..3 clockwise from the top left as the camera sees them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import geometry
from calibration.arrays import Image, Points
from calibration.corners import corners_mm
from calibration.errors import MarkerError
from calibration.plane import TablePlane

MARKER_IDS = (0, 1, 2, 3)
MARKER_MM = 30.0
MAX_ERROR_MM = 3.0
_MAX_K1 = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class MarkerFit:
    """The plane, and how well each marker fits it: ``error_px`` and ``error_mm`` (4,) by marker id.

    The plane's own errors are the root mean squares over all the marker corners.
    """

    plane: TablePlane
    error_px: NDArray[np.float64]
    error_mm: NDArray[np.float64]


def find_markers(image: Image) -> dict[int, Points]:
    """The markers 0..3 in a picture: id to corners (4, 2) in px, clockwise. Raises MarkerError for one seen twice."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 4
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    quads, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    found: dict[int, Points] = {}
    numbers = [int(number) for number in np.ravel(ids)] if quads else []
    for number, quad in zip(numbers, quads, strict=True):
        if number not in MARKER_IDS:
            continue
        if number in found:
            raise MarkerError("marker_twice", marker=number)
        found[number] = np.asarray(quad, np.float64).reshape(4, 2)
    return found


def fit_markers(
    image: Image,
    size_mm: tuple[float, float] | None = None,
    marker_mm: float = MARKER_MM,
    *,
    k1: float | None = None,
    date: str = "",
    camera: str = "",
) -> MarkerFit:
    """The table plane from the four markers in ``image``.

    ``size_mm``: width and height between the marker centres; None works it out from the markers' own size.
    ``k1``: the lens's distortion; None fits it, and keeps 0 unless that makes the 16 corners fit clearly better.
    The plane goes through the markers' centres (crossing of the diagonals); the 16 corners tell its error.
    Raises MarkerError (missing, twice, do not fit) or PlaneError.
    """
    quads = _four(find_markers(image))
    size_wh = (image.shape[1], image.shape[0])

    def fit(k1: float) -> MarkerFit:
        return _fit(quads, size_mm, marker_mm, k1, size_wh)

    best = fit(_best_k1(fit) if k1 is None else k1)
    plane = best.plane
    if plane.error_mm is None or plane.error_mm > MAX_ERROR_MM:
        raise MarkerError("markers_do_not_fit", error_mm=plane.error_mm or 0.0, marker_mm=marker_mm)
    return replace(best, plane=replace(plane, date=date, camera=camera))


def drift_px(image: Image, plane: TablePlane) -> float | None:
    """How far the markers that can be seen have moved from the plane's corners (median, px); None without a marker."""
    corners = plane.scaled_to((image.shape[1], image.shape[0])).corners_px
    found = find_markers(image)
    away = [float(np.linalg.norm(_centre(quad) - corners[number])) for number, quad in found.items()]
    return float(np.median(away)) if away else None


def _four(found: dict[int, Points]) -> NDArray[np.float64]:
    missing = [number for number in MARKER_IDS if number not in found]
    if missing:
        raise MarkerError("markers_missing", found=len(found), missing=", ".join(map(str, missing)))
    return np.stack([found[number] for number in MARKER_IDS])


def _fit(
    quads: NDArray[np.float64],
    size_mm: tuple[float, float] | None,
    marker_mm: float,
    k1: float,
    size_wh: tuple[int, int],
) -> MarkerFit:
    straight = geometry.undistort(quads.reshape(-1, 2), k1, size_wh).reshape(4, 4, 2)
    centres = geometry.distort(np.array([_centre(quad) for quad in straight]), k1, size_wh)
    plane = TablePlane(centres, size_mm or _size_mm(straight, marker_mm), size_wh, k1=k1)
    return marker_errors(plane, dict(enumerate(quads)), marker_mm)


def marker_errors(plane: TablePlane, found: dict[int, Points], marker_mm: float = MARKER_MM) -> MarkerFit:
    """How well ``plane`` fits the markers ``found`` (id to corners): they should be squares around its corners.

    The errors of markers that were not found are NaN; the plane's own are those over all that were.
    """
    error_px, error_mm = np.full(4, np.nan), np.full(4, np.nan)
    for number, quad in found.items():
        centre = corners_mm(plane.size_mm)[number]
        seen = plane.to_mm(quad)
        expected = centre + _square(seen - centre, marker_mm)
        error_mm[number] = _rms(seen - expected)
        error_px[number] = _rms(plane.to_px(expected) - quad)
    if found:
        whole_px, whole_mm = (round(_rms(e[~np.isnan(e)]), 3) for e in (error_px, error_mm))
        plane = replace(plane, error_px=whole_px, error_mm=whole_mm)
    return MarkerFit(plane, error_px, error_mm)


def _best_k1(fit: Callable[[float], MarkerFit]) -> float:
    """The distortion with the least error, by golden section; 0 where it gains less than a tenth."""
    low, high, part = -_MAX_K1, _MAX_K1, (np.sqrt(5) - 1) / 2

    def error(k1: float) -> float:
        return _rms(fit(k1).error_px)

    for _ in range(14):
        left, right = high - part * (high - low), low + part * (high - low)
        low, high = (low, right) if error(left) < error(right) else (left, high)
    best = round(float(low + high) / 2, 5)
    return best if error(best) < 0.9 * error(0.0) else 0.0


def _rms(values: NDArray[np.float64]) -> float:
    """Root mean square of the lengths of vectors (N, 2), or of numbers (N,)."""
    return float(np.sqrt(np.mean(np.sum(values**2, axis=1) if values.ndim == 2 else values**2)))


def _centre(quad: Points) -> Points:
    """Where the diagonals of ``quad`` (4, 2) cross: the image of the square's centre, (2,)."""
    (a, b, c, d) = quad
    matrix = np.column_stack([c - a, b - d])
    return np.asarray(a + np.linalg.solve(matrix, b - a)[0] * (c - a), np.float64)


def _square(around: Points, side_mm: float) -> Points:
    """The square of ``side_mm`` around (0, 0), turned to lie best on the four points ``around`` (4, 2)."""
    half = side_mm / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    cos = float(np.sum(square * around))
    sin = float(np.sum(square[:, 0] * around[:, 1] - square[:, 1] * around[:, 0]))
    length = np.hypot(cos, sin)
    turn = np.array([[cos, sin], [-sin, cos]]) / length
    return np.asarray(square @ turn, np.float64)


def _size_mm(quads: NDArray[np.float64], marker_mm: float) -> tuple[float, float]:
    """Width and height between the centres, such that the 16 marker sides are ``marker_mm`` long (least squares)."""
    centres = np.array([_centre(quad) for quad in quads])
    unit = geometry.homography(centres, corners_mm((1.0, 1.0)))
    flat = geometry.transform(unit, quads.reshape(-1, 2)).reshape(4, 4, 2)
    sides = (np.roll(flat, -1, axis=1) - flat).reshape(-1, 2)
    squares = np.linalg.lstsq(sides**2, np.full(16, marker_mm**2), rcond=None)[0]
    width, height = np.sqrt(np.maximum(squares, 0))
    return round(float(width), 1), round(float(height), 1)
