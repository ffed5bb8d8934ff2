"""The square around a field of a score sheet, cut out of the picture as the mark reader wants it."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from calibration.arrays import Image, Points
from calibration.sheets.layout import SheetField
from models.classes import CROP_PX

FIELD_MARGIN = 1.35
"""A field's crop is a square around its middle, this many times its longer side."""

ToPx = Callable[[Points], Points]
"""Millimetres on the sheet (N, 2) to pixels (N, 2)."""


def field_square_mm(field: SheetField) -> Points:
    """The corners (4, 2) of the square, clockwise from its top left."""
    x, y = field.centre_mm
    half = FIELD_MARGIN * max(field.rect_mm[2:]) / 2
    return np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])


def square_crop(image_bgr: Image, quad_px: Points, side_px: int = CROP_PX) -> Image:
    """The picture inside the corners (4, 2) px, seen straight, (side_px, side_px, 3). Beyond the picture its edge is
    repeated."""
    sides = np.linalg.norm(np.roll(quad_px, -1, 0) - quad_px, axis=1)
    finer = int(np.clip(np.ceil(sides.max() / side_px - 0.15), 1, 4))
    size = side_px * finer
    target = (np.array([(0, 0), (size, 0), (size, size), (0, size)]) - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(np.ascontiguousarray(quad_px, np.float32), target)
    crop = cv2.warpPerspective(image_bgr, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE)
    if finer > 1:
        crop = cv2.resize(crop, (side_px, side_px), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)


def field_crop(image_bgr: Image, field: SheetField, to_px: ToPx) -> Image:
    """The crop (64, 64, 3) of a field."""
    return square_crop(image_bgr, to_px(field_square_mm(field)))
