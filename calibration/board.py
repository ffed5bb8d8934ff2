"""The printed ChArUco board that measures a lens: a chessboard with a marker in every white square."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

BOARD_SQUARES = (7, 5)
SQUARE_MM = 36.0
BOARD_MARKER_MM = 27.0
_CELLS = 8
"""Cells of the fine grid along a square: the marker (6 cells of 4.5 mm) leaves one cell of white on each side."""


def charuco_board() -> cv2.aruco.CharucoBoard:
    """The board. Dictionary DICT_5X5_50 would need 7 cells; DICT_4X4_100 from id 50 on keeps clear of table markers."""
    ids = np.arange(50, 50 + BOARD_SQUARES[0] * BOARD_SQUARES[1] // 2)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    return cv2.aruco.CharucoBoard(BOARD_SQUARES, SQUARE_MM, BOARD_MARKER_MM, dictionary, ids)


def charuco_cells() -> NDArray[np.bool_]:
    """The board as a pattern of squares of ``SQUARE_MM / 8``: (40, 56), true where black."""
    size = (BOARD_SQUARES[0] * _CELLS * 4, BOARD_SQUARES[1] * _CELLS * 4)
    image = charuco_board().generateImage(size, marginSize=0)
    return np.asarray(image[2::4, 2::4] < 128)


def marker_cells(number: int) -> NDArray[np.bool_]:
    """Marker ``number`` of DICT_4X4_50 with its black border: (6, 6), true where black."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, 6) < 128)
