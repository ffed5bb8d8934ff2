"""Teaching a printed sheet: its corners and a few clicks on it become a layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.geometry import homography
from calibration.sheets.layout import LOCK, MISTHROW, ROWS, Rect, SheetField, SheetLayout
from vision.qwixx.bands import find_bands
from vision.qwixx.errors import SheetError
from vision.qwixx.lifted import shape_of
from vision.qwixx.misthrow_row import Boxes, Row, boxes_of, find_misthrow
from vision.qwixx.place import SheetPlace, refined

WIDTH_MM = 200.0
"""The width that a taught sheet is taken to have: only proportions matter."""

SCALE = 5.0
"""Pixels a mm of the flat picture of a sheet."""

NUMBERS = 11
CLICKS = ("red_first", "red_size", "red_last", "red_lock", "yellow_first", "green_first", "blue_first",
          "misthrow_first", "misthrow_last")
"""What is clicked on the flat picture: the top left corner of each row's first field, the bottom right corners of the
red row's first and last number, the middle of the red lock, the outer corners of the misthrow fields."""

_OFF_MM = 4.0
_STRIP_MM = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class FlatSheet:
    """A sheet seen from straight above, ``image`` at SCALE pixels a mm, and its size."""

    image: Image
    size_mm: tuple[float, float]


def flattened(image_bgr: Image, corners_px: Points) -> FlatSheet:
    """The sheet with these corners (4, 2), clockwise from its top left. Raises SheetError for impossible ones."""
    corners = np.asarray(corners_px, np.float64).reshape(4, 2)
    ahead = np.roll(corners, -1, 0) - corners
    turns = ahead[:, 0] * np.roll(ahead, -1, 0)[:, 1] - ahead[:, 1] * np.roll(ahead, -1, 0)[:, 0]
    sides = np.linalg.norm(ahead, axis=1)
    if not np.isfinite(corners).all() or (turns <= 0).any() or sides.min() < 40:
        raise SheetError("bad_corners")
    height = WIDTH_MM / shape_of(corners, (image_bgr.shape[1], image_bgr.shape[0]))
    size = (WIDTH_MM, min(max(height, 60.0), 400.0))
    flat = SheetPlace(homography(_outline(size), corners), size).rectify(image_bgr, (0.0, 0.0, *size), SCALE)
    return FlatSheet(flat, size)


def layout_of_clicks(
    flat: FlatSheet, clicks: Mapping[str, tuple[float, float]], segments: Sequence[int], name: str = "taught"
) -> SheetLayout:
    """The layout of a sheet. ``clicks``: where CLICKS are, in pixels of the flat picture; ``segments``: small misthrow
    fields before each -5 field. Raises SheetError where the clicks contradict each other."""
    at = {what: np.array(clicks[what], np.float64) / SCALE for what in CLICKS}
    _check(at)
    fields = [one for row in ROWS for one in _row_fields(row, at)]
    level, unbent = _levelled(flat, SheetLayout(name, flat.size_mm, tuple(fields)))
    ends = unbent(np.stack([at["misthrow_first"], at["misthrow_last"]]))
    boxes = _misthrow(level, ends[0], ends[1], segments)
    fields += [SheetField(MISTHROW, k, (x, y, w, h), minus) for k, (x, y, w, h, minus) in enumerate(boxes, 1)]
    return SheetLayout(name, flat.size_mm, tuple(fields), _bands(level))


def _check(at: Mapping[str, Any]) -> None:
    """Raises SheetError where clicks cannot belong to one sheet."""
    width, height = at["red_size"] - at["red_first"]
    tops = [at[f"{row}_first"][1] for row in ROWS]
    long = at["red_last"][0] - at["red_first"][0]
    fits = (
        width > 3 and height > 3 and long > 8 * width and (np.diff(tops) > 0.9 * height).all()
        and at["red_lock"][0] > at["red_last"][0] and at["misthrow_first"][1] > tops[-1] + height / 2
        and at["misthrow_last"][0] - at["misthrow_first"][0] > 40 and at["misthrow_last"][1] > at["misthrow_first"][1]
    )
    if not fits:
        raise SheetError("bad_clicks")


def _levelled(flat: FlatSheet, rows: SheetLayout) -> tuple[Image, Callable[[Points], Points]]:
    """The flat picture without the bend of its paper, and what moves points (N, 2) mm of the one to the other."""
    place = refined(flat.image, rows, SheetPlace(np.diag([SCALE, SCALE, 1.0]), flat.size_mm))

    def unbent(points_mm: Points) -> Points:
        moved = points_mm.copy()
        for _ in range(4):
            moved = points_mm - (place.to_px(moved) / SCALE - moved)
        return moved

    return place.rectify(flat.image, (0.0, 0.0, *flat.size_mm), SCALE), unbent


def _row_fields(row: str, at: Mapping[str, Any]) -> list[SheetField]:
    (x0, y0), (width, height) = at[f"{row}_first"], at["red_size"] - at["red_first"]
    pitch = (at["red_last"][0] - at["red_first"][0] - width) / (NUMBERS - 1)
    numbers = range(2, 13) if row in ROWS[:2] else range(12, 1, -1)
    fields = [
        SheetField(row, number, (float(x0 + k * pitch), float(y0), float(width), float(height)))
        for k, number in enumerate(numbers)
    ]
    x, y = at["red_lock"] - at["red_first"] + (x0, y0) - width / 2
    return [*fields, SheetField(row, LOCK, (float(x), float(y), float(width), float(width)))]


def _misthrow(level: Image, first: Any, last: Any, segments: Sequence[int]) -> Boxes:
    """The misthrow fields: as found between the clicks, else spread evenly."""
    left, top = float(first[0] - _STRIP_MM), float(first[1] - _STRIP_MM)
    high = float(last[1] - first[1]) + 2 * _STRIP_MM
    rows = slice(max(round(top * SCALE), 0), round((top + high) * SCALE))
    columns = slice(max(round(left * SCALE), 0), round((float(last[0]) + _STRIP_MM) * SCALE))
    strip = level[rows, columns]
    found = find_misthrow(np.ascontiguousarray(strip), SCALE, segments) if strip.size else None
    x0, y0 = columns.start / SCALE, rows.start / SCALE
    if found is not None:
        moved = [(x + x0, y + y0, w, h, minus) for x, y, w, h, minus in found]
        if abs(moved[0][0] - first[0]) < _OFF_MM and abs(moved[-1][0] + moved[-1][2] - last[0]) < _OFF_MM:
            return moved
    return _spread(first, last, segments)


def _spread(first: Any, last: Any, segments: Sequence[int]) -> Boxes:
    unit = boxes_of(Row(0.0, 1.0, 1.15, 0.2, 0.6, 0.0), segments)
    side = float(last[0] - first[0]) / (unit[-1][0] + unit[-1][2])
    row = Row(float(first[0]), side, 1.15 * side, 0.2 * side, 0.6 * side, float(first[1] + last[1]) / 2)
    return boxes_of(row, segments)


def _bands(level: Image) -> tuple[tuple[str, Rect], ...]:
    """The coloured bands of the flat sheet, by which it is found later; none where they do not show."""
    found = find_bands(level)
    if not found:
        return ()
    bands = []
    for row, quad in zip(ROWS, found[0].quads_px / SCALE, strict=True):
        (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
        bands.append((row, (float(left), float(top), float(right - left), float(bottom - top))))
    return tuple(bands)


def drawn(flat: FlatSheet, layout: SheetLayout) -> Image:
    """The flat picture with the fields drawn in, for checking."""
    image = flat.image.copy()
    for one in layout.fields:
        x, y, w, h = (round(v * SCALE) for v in one.rect_mm)
        cv2.rectangle(image, (x, y), (x + w, y + h), (200, 40, 200) if one.minus else (40, 40, 230), 2, cv2.LINE_AA)
    return image


def _outline(size_mm: tuple[float, float]) -> NDArray[np.float64]:
    width, height = size_mm
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)


