"""The lens's distortion from a picture of the printed ChArUco board, lying or held anywhere in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration import geometry
from calibration.arrays import Image, Points
from calibration.board import charuco_board
from calibration.errors import CalibrationError

LEAST_CORNERS = 12
LEAST_SPREAD = 0.3
"""Share of the picture's diagonal that the board must reach across: a small one says little about the lens."""

MAX_K1 = 0.3


class LensError(CalibrationError):
    """The board does not tell the lens's distortion."""

    TEXTS = {
        "board_missing": (
            "Nur {found} von mindestens {needed} Ecken des Linsenblattes gefunden: bitte das ganze Blatt flach und "
            "ohne Spiegelung zeigen.",
            "Only {found} of at least {needed} corners of the lens page found: show the whole page, flat and without "
            "glare.",
        ),
        "board_small": (
            "Das Linsenblatt ist im Bild zu klein: bitte näher an die Kamera halten, am besten bis zum Rand.",
            "The lens page is too small in the picture: hold it closer to the camera, best up to the edge.",
        ),
    }


@dataclass(frozen=True, slots=True)
class Lens:
    """``k1`` of :func:`calibration.geometry.undistort`; root mean square error in px with it and without."""

    k1: float
    error_px: float
    straight_error_px: float
    corners: int


def measure_lens(image: Image) -> Lens:
    """The distortion that makes the board's corners in ``image`` (H, W, 3) fit a plane best. Raises LensError."""
    seen, board = _corners(image)
    size_wh = (image.shape[1], image.shape[0])
    if len(seen) < LEAST_CORNERS:
        raise LensError("board_missing", found=len(seen), needed=LEAST_CORNERS)
    if np.linalg.norm(np.ptp(seen, axis=0)) < LEAST_SPREAD * np.hypot(*size_wh):
        raise LensError("board_small")
    low, high, part = -MAX_K1, MAX_K1, (np.sqrt(5) - 1) / 2
    for _ in range(30):
        left, right = high - part * (high - low), low + part * (high - low)
        if _error_px(seen, board, left, size_wh) < _error_px(seen, board, right, size_wh):
            high = right
        else:
            low = left
    k1 = round(float(low + high) / 2, 5)
    return Lens(k1, _error_px(seen, board, k1, size_wh), _error_px(seen, board, 0.0, size_wh), len(seen))


def _error_px(seen: Points, board: Points, k1: float, size_wh: tuple[int, int]) -> float:
    straight = geometry.undistort(seen, k1, size_wh)
    forth = geometry.homography(board, straight)
    off = geometry.distort(geometry.transform(forth, board), k1, size_wh) - seen
    return float(np.sqrt(np.mean(np.sum(off**2, axis=1))))


def _corners(image: Image) -> tuple[Points, Points]:
    """The chessboard corners that are seen (N, 2) in px, and where they are on the board (N, 2) in mm."""
    board = charuco_board()
    found: tuple[Any, ...] = cv2.aruco.CharucoDetector(board).detectBoard(image)
    corners, ids = found[:2]
    if ids is None:
        return np.zeros((0, 2)), np.zeros((0, 2))
    places = np.asarray(board.getChessboardCorners(), np.float64)[np.ravel(ids), :2]
    return np.asarray(corners, np.float64).reshape(-1, 2), places
