"""Where two pictures of the resting table differ, blind to light that changes slowly over the picture."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Box

SCALE = 2
"""Pictures are compared at 1/SCALE of their size."""

GRID_WH = (8, 5)
"""Blocks in which the change of light is measured: each much larger than a piece, so that its median ignores pieces."""

LEAST_LEVELS = 12.0
"""A pixel never counts as changed for a difference below this many grey levels of 255."""

FULL = 250.0
"""Grey level from which a pixel may be brighter than the camera can say."""

NOISES = 6.0
"""A pixel counts as changed when it differs by more than this many standard deviations of the picture's noise."""

SHAKE_PX = 0.5
"""Shift (in compared pixels) that an edge may make without counting as a change."""

BLUR_PX = 4.0
"""A thing's edge is blurred this far beyond its box."""

Picture = NDArray[np.uint8]
Grey = NDArray[np.float32]


class ChangeMap:
    """Which pixels changed between ``before_bgr`` and ``now_bgr``, both (H, W, 3) uint8 of the same shape.

    ``except_px``: boxes in which nothing counts. Raises ValueError for pictures of different shapes.
    """

    def __init__(self, before_bgr: Picture, now_bgr: Picture, except_px: Sequence[Box] = ()) -> None:
        if before_bgr.shape != now_bgr.shape:
            raise ValueError(f"pictures of different shapes: {before_bgr.shape} and {now_bgr.shape}")
        before, now = _small(before_bgr), _small(now_bgr)
        blue, green, red = cv2.split(_difference(before, now))
        difference = cv2.max(blue, cv2.max(green, red))
        limit = max(LEAST_LEVELS, NOISES * 1.48 * float(np.median(difference[::2, ::2])))
        changed = (difference > limit + SHAKE_PX * _slope(before)).astype(np.uint8)
        self._mask = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        _blank(self._mask, except_px)
        self.shape: tuple[int, int] = (before_bgr.shape[0], before_bgr.shape[1])
        self._sums: NDArray[np.float64] = cv2.integral(self._mask).astype(np.float64)

    def count_px(self, boxes_px: Any) -> NDArray[np.float64]:
        """How many full-size pixels changed in each of the boxes (N, 4)."""
        height, width = self._mask.shape
        box = np.rint(np.asarray(boxes_px, float).reshape(-1, 4) / SCALE).astype(int)
        left, right = box[:, 0].clip(0, width), box[:, 2].clip(0, width)
        top, bottom = box[:, 1].clip(0, height), box[:, 3].clip(0, height)
        s = self._sums
        inside = s[bottom, right] - s[top, right] - s[bottom, left] + s[top, left]
        return np.asarray(inside * SCALE**2, np.float64)

    def without(self, boxes_px: Sequence[Box]) -> ChangeMap:
        """The same changes less those in the boxes."""
        other = copy.copy(self)
        other._mask = self._mask.copy()
        _blank(other._mask, boxes_px)
        other._sums = cv2.integral(other._mask).astype(np.float64)
        return other

    def largest_outside_px(self, boxes_px: Sequence[Box], area_px: NDArray[np.uint8] | None = None) -> float:
        """Size in full-size pixels of the largest connected change that lies in none of the boxes.

        ``area_px`` (H, W) uint8: only where it is not 0.
        """
        mask = self._mask.copy()
        if area_px is not None:
            small = cv2.resize(area_px, mask.shape[::-1], interpolation=cv2.INTER_NEAREST)
            mask[small == 0] = 0
        _blank(mask, boxes_px)
        sizes = cv2.connectedComponentsWithStats(mask, connectivity=8)[2][1:, cv2.CC_STAT_AREA]
        return float(sizes.max(initial=0)) * SCALE**2


def _blank(mask: NDArray[Any], boxes_px: Sequence[Box]) -> None:
    for left, top, right, bottom in boxes_px:
        y = slice(_at(top - BLUR_PX), _at(bottom + BLUR_PX) + 1)
        x = slice(_at(left - BLUR_PX), _at(right + BLUR_PX) + 1)
        mask[y, x] = 0


def _at(px: float) -> int:
    return max(round(px / SCALE), 0)


def _small(image_bgr: Picture) -> Grey:
    height, width = image_bgr.shape[:2]
    small = cv2.resize(image_bgr, (width // SCALE, height // SCALE), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8), np.float32)


def _difference(before: Grey, now: Grey) -> Grey:
    """Grey levels (h, w, 3) between ``now`` and what the light alone makes of ``before``, or less than 0.

    Pixels end at 255: nothing gets brighter than that, and nobody knows how bright what was that bright (or is right
    beside it) really was.
    """
    expected = cv2.threshold(cv2.multiply(before, _light(before, now)), 255.0, 0.0, cv2.THRESH_TRUNC)[1]
    beside = cv2.dilate(before, np.ones((5, 5), np.uint8))
    most = cv2.max(expected, cv2.threshold(beside, FULL, 255.0, cv2.THRESH_BINARY)[1])
    return np.asarray(cv2.max(cv2.subtract(expected, now), cv2.subtract(now, most)), np.float32)


def _light(before: Grey, now: Grey) -> Grey:
    """Factor (h, w, 3) by which the light changed, smooth over the picture."""
    columns, rows = GRID_WH
    height, width = before.shape[:2]
    ratio = (now[::4, ::4] + 4.0) / (before[::4, ::4] + 4.0)
    blocks = np.array([
        [np.median(block, axis=(0, 1)) for block in np.array_split(row, columns, axis=1)]
        for row in np.array_split(ratio, rows, axis=0)
    ], np.float32)
    return np.asarray(cv2.resize(blocks, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _slope(image: Grey) -> Grey:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    return np.asarray(cv2.magnitude(across, down), np.float32)
