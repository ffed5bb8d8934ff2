"""Plane and camera geometry as plain functions on arrays (homographies, one-term lens distortion, pose)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Points

Matrix = NDArray[np.float64]

_PLAUSIBLE_FOCAL = (0.5, 4.0)
_USUAL_FOCAL = 0.9


def homography(source: Points, target: Points) -> Matrix:
    """The homography (3, 3) that takes ``source`` (N, 2) to ``target`` (N, 2), least squares for N > 4.

    Normalised direct linear transform. Four points must not have three on one line.
    """
    s, t = _normaliser(source), _normaliser(target)
    a, b = transform(s, source), transform(t, target)
    zero, one = np.zeros((len(a), 3)), np.column_stack([a, np.ones(len(a))])
    rows = np.vstack([np.hstack([one, zero, -b[:, :1] * one]), np.hstack([zero, one, -b[:, 1:] * one])])
    flat = np.linalg.svd(rows)[2][-1]
    h = np.linalg.inv(t) @ flat.reshape(3, 3) @ s
    return np.asarray(h / h[2, 2], np.float64)


def transform(matrix: Matrix, points: Points) -> Points:
    """Apply a homography (3, 3) to points (N, 2)."""
    homogeneous = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:], np.float64)


def _normaliser(points: Points) -> Matrix:
    centre = points.mean(axis=0)
    scale = np.sqrt(2) / max(1e-12, float(np.linalg.norm(points - centre, axis=1).mean()))
    return np.array([[scale, 0, -scale * centre[0]], [0, scale, -scale * centre[1]], [0, 0, 1]])


def undistort(points_px: Points, k1: float, size_wh: tuple[int, int]) -> Points:
    """Where a lens without distortion would have put the points (N, 2).

    One radial term: the distance from the picture's centre, as a part r of half its diagonal, grows to r (1 + k1 r²).
    """
    if not k1:
        return points_px
    centre, radius = _lens(size_wh)
    offset = points_px - centre
    r2 = np.sum((offset / radius) ** 2, axis=1, keepdims=True)
    return np.asarray(centre + offset * (1 + k1 * r2), np.float64)


def distort(points_px: Points, k1: float, size_wh: tuple[int, int]) -> Points:
    """Inverse of :func:`undistort`, by fixed-point iteration (exact to 1e-6 px for |k1| < 0.2)."""
    if not k1:
        return points_px
    centre, radius = _lens(size_wh)
    wanted = points_px - centre
    offset = wanted
    for _ in range(20):
        offset = wanted / (1 + k1 * np.sum((offset / radius) ** 2, axis=1, keepdims=True))
    return np.asarray(centre + offset, np.float64)


def _lens(size_wh: tuple[int, int]) -> tuple[NDArray[np.float64], float]:
    centre = (np.array(size_wh, np.float64) - 1) / 2
    return centre, float(np.hypot(*size_wh) / 2)


def estimate_focal_px(px_from_mm: Matrix, size_wh: tuple[int, int]) -> float:
    """Focal length in pixels from one view of a plane, for square pixels and a centred lens.

    The columns r1, r2 of the pose must be orthogonal and equally long; both give 1/f², joined by least squares.
    A view straight from above says nothing about f: then, and when the result is implausible, a usual webcam's
    focal length (0.9 times the picture's longer side) is returned.
    """
    h = _centred(px_from_mm, size_wh)
    first, second = h[:, 0], h[:, 1]
    scale = float(first[:2] @ first[:2] + second[:2] @ second[:2])
    a = np.array([first[:2] @ second[:2], (first[:2] @ first[:2] - second[:2] @ second[:2]) / 2]) / scale
    b = -np.array([first[2] * second[2], (first[2] ** 2 - second[2] ** 2) / 2]) / scale
    longer = float(max(size_wh))
    inverse_square = float(a @ b) / max(1e-12, float(a @ a))
    if inverse_square <= 0 or float(np.linalg.norm(b)) * longer**2 < 0.02:
        return _USUAL_FOCAL * longer
    focal = inverse_square**-0.5
    low, high = (part * longer for part in _PLAUSIBLE_FOCAL)
    return focal if low <= focal <= high else _USUAL_FOCAL * longer


def height_column(px_from_mm: Matrix, focal_px: float, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """The column (3,) that one mm of height above the table adds to the homogeneous pixel of a point.

    A point (x, y) on the table at height h is seen at ``px_from_mm @ (x, y, 1) + h * column``: the homography
    completed to a projection matrix, exact on the table itself whatever the focal length.
    """
    camera = np.diag([focal_px, focal_px, 1.0])
    pose = np.linalg.inv(camera) @ _centred(px_from_mm, size_wh)
    length = (np.linalg.norm(pose[:, 0]) + np.linalg.norm(pose[:, 1])) / 2
    normal = np.cross(pose[:, 0], pose[:, 1])
    up = -normal / np.linalg.norm(normal) * length * np.sign(pose[2, 2])
    column = camera @ up
    column[:2] += column[2] * _lens(size_wh)[0]
    return np.asarray(column, np.float64)


def camera_position_mm(px_from_mm: Matrix, column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the camera stands: (3,) x, y on the table and height above it, in mm."""
    projection = np.column_stack([px_from_mm[:, 0], px_from_mm[:, 1], column, px_from_mm[:, 2]])
    centre = np.linalg.svd(projection)[2][-1]
    return np.asarray(centre[:3] / centre[3], np.float64)


def _centred(px_from_mm: Matrix, size_wh: tuple[int, int]) -> Matrix:
    centre = _lens(size_wh)[0]
    shift = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1.0]])
    return np.asarray(shift @ px_from_mm, np.float64)
