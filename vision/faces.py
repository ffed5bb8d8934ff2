"""Colour dice: six plain faces instead of pips. Which colour lies on top of one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image

SIDE_PX = 48
"""A die's box is looked at in this size."""

TOP_XY = (0.5, 0.31)
"""A place in the box that lies on the top face, and on a square painted there, from 40 degrees to straight above."""

MOST_SATURATED_WHITE = 0.45
"""White in the warmest lamp light is no more saturated than this."""

_TOP_RADIUS = 0.08
_LEAST_CHROMA = 22.0
_HUES_DEG = (("red", -45.0, 58.0), ("yellow", 58.0, 112.0), ("green", 112.0, 212.0), ("blue", 212.0, 315.0))


def top_colour(image_bgr: Image, box_px: NDArray[np.float32], white_bgr: NDArray[np.float32] | None = None) -> str:
    """The colour on top of the colour die in a box (4,): red, yellow, green, blue or white.

    ``white_bgr`` (3,): what white looks like in this light, where something white is known.
    """
    lab = _balanced(_box(image_bgr, box_px), white_bgr)
    _, a, b = np.median(_within(lab, TOP_XY, _TOP_RADIUS), axis=0)
    if np.hypot(a, b) < _LEAST_CHROMA:
        return "white"
    hue = float(np.degrees(np.arctan2(b, a)))
    return next(name for name, low, high in _HUES_DEG if (hue - low) % 360 < high - low)


def _box(image_bgr: Image, box_px: NDArray[np.float32]) -> Image:
    x1, y1, x2, y2 = (round(float(v)) for v in box_px)
    height, width = image_bgr.shape[:2]
    part = image_bgr[max(y1, 0) : max(min(y2, height), y1 + 2, 2), max(x1, 0) : max(min(x2, width), x1 + 2, 2)]
    if part.size == 0:
        part = np.zeros((2, 2, 3), np.uint8)
    return np.asarray(cv2.resize(part, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def white_of(image_bgr: Image, boxes_px: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """What white looks like on white dice in boxes (N, 4), (3,) BGR; None without any."""
    if not len(boxes_px):
        return None
    patches = np.stack([_box(image_bgr, box)[SIDE_PX // 5 : -SIDE_PX // 4, SIDE_PX // 5 : -SIDE_PX // 5]
                        for box in boxes_px]).reshape(-1, 3).astype(np.float32)
    level = patches.sum(1)
    return np.asarray(np.median(patches[level >= np.percentile(level, 60)], axis=0) + 1, np.float32)


def _balanced(patch_bgr: Image, white_bgr: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """CIELAB (H, W, 3), lightness 0..100, with the lightest parts of the die taken for white unless they are no white.

    A die of one colour all over has no white in sight; then the light is taken for white, or what is known of it.
    """
    if white_bgr is not None:
        even = np.clip(patch_bgr / white_bgr * 235, 0, 255).astype(np.float32) / 255
        return np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2LAB), np.float32)
    light = np.percentile(patch_bgr.reshape(-1, 3).astype(np.float32).min(1), 92)
    near = patch_bgr[patch_bgr.min(2) >= light].reshape(-1, 3).astype(np.float32).mean(0) + 1
    if near.min() < (1 - MOST_SATURATED_WHITE) * near.max():
        near = np.full(3, near.max(), np.float32)
    even = np.clip(patch_bgr / near * 235, 0, 255).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2LAB), np.float32)


def _within(lab: NDArray[np.float32], centre_xy: tuple[float, float], radius: float) -> NDArray[np.float32]:
    """The pixels (N, 3) of a disc, all in shares of the box."""
    y, x = (np.mgrid[0:SIDE_PX, 0:SIDE_PX] + 0.5) / SIDE_PX
    return np.asarray(lab[np.hypot(x - centre_xy[0], y - centre_xy[1]) < radius])
