"""Cuts what is kept of a thing out of a picture: printed side from straight above, and what hides it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.plane import TablePlane
from models.classes import TILE_CROP_MM
from vision.exemplars.cube import Cube, fitted_cube
from vision.exemplars.prints import SIDE_PX, Print
from vision.reading import Box, Point

TOKEN_MM = 34.0
"""Side of the square that is kept of a small token: octagonal worm tokens are about 25 mm wide."""

DIE_SIDES = 1.25
"""Side of the square that is kept of a die's top face, in sides of the die."""

_GRID = 32


def tile_print(
    image_bgr: Image, plane: TablePlane, pos_mm: Point, pieces_px: Sequence[Box] = ()
) -> tuple[Image, NDArray[np.bool_]]:
    """A tile at ``pos_mm``: the crop (SIDE_PX, SIDE_PX, 3), and which of its pixels no piece hides."""
    crop = plane.rectify(image_bgr, pos_mm, TILE_CROP_MM, SIDE_PX)
    return crop, visible(plane, pos_mm, TILE_CROP_MM, pieces_px)


def token_print(image_bgr: Image, plane: TablePlane, pos_mm: Point) -> Image:
    """A small token that lies flat at ``pos_mm``."""
    return plane.rectify(image_bgr, pos_mm, TOKEN_MM, SIDE_PX)


def visible(plane: TablePlane, pos_mm: Point, side_mm: float, pieces_px: Sequence[Box]) -> NDArray[np.bool_]:
    """Which pixels (SIDE_PX, SIDE_PX) of a square of table lie under no piece's box."""
    seen = np.ones(_GRID * _GRID, np.bool_)
    steps = ((np.arange(_GRID) + 0.5) / _GRID - 0.5) * side_mm
    across, down = np.meshgrid(steps, steps)
    at = plane.to_px(np.column_stack([across.ravel(), down.ravel()]) + np.asarray(pos_mm, float))
    for left, top, right, bottom in pieces_px:
        seen &= ~((at[:, 0] > left) & (at[:, 0] < right) & (at[:, 1] > top) & (at[:, 1] < bottom))
    square = seen.reshape(_GRID, _GRID).astype(np.uint8)
    return cv2.resize(square, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_NEAREST) > 0


def top_print(image_bgr: Image, plane: TablePlane, box_px: Box) -> Image:
    """The top face of a die in a box, seen from straight above."""
    return top_of(image_bgr, plane, fitted_cube(image_bgr, plane, box_px))


def top_of(image_bgr: Image, plane: TablePlane, die: Cube) -> Image:
    """The same where it is known how the die lies."""
    return lifted(image_bgr, plane, die.foot_mm, die.side_mm, DIE_SIDES * die.side_mm)


def lifted(image_bgr: Image, plane: TablePlane, centre_mm: Point, height_mm: float, side_mm: float) -> Image:
    """A square of ``side_mm`` that lies ``height_mm`` above the table, seen from straight above."""
    steps = ((np.arange(SIDE_PX) + 0.5) / SIDE_PX - 0.5) * side_mm
    across, down = np.meshgrid(steps, steps)
    points = np.column_stack([across.ravel(), down.ravel()]) + np.asarray(centre_mm, float)
    at = plane.to_px(points, height_mm).astype(np.float32).reshape(SIDE_PX, SIDE_PX, 2)
    x, y = np.ascontiguousarray(at[:, :, 0]), np.ascontiguousarray(at[:, :, 1])
    return np.asarray(cv2.remap(image_bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def as_print(crop_bgra: NDArray[np.uint8]) -> Print:
    """A kept crop ready to be compared."""
    return Print(np.ascontiguousarray(crop_bgra[:, :, :3]), crop_bgra[:, :, 3] > 127)
