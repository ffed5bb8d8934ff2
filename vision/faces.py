"""Colour dice: six plain faces instead of pips. Which box holds one, and which colour is on top."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image

SIDE_PX = 48
"""A die's box is looked at in this size."""

UNSURE_OF_PIPS = 0.85
"""Where the reader of pips is surer than this of a face, the die has pips."""

LEAST_DETECTED = 0.25
"""Only boxes that the detector is at least this sure of can be colour dice: no reader of pips vouches for them."""

MOST_SATURATED_WHITE = 0.45
"""White in the warmest lamp light; a box of one colour all over looks white once it is balanced."""

SURELY_A_DIE = 0.6
"""Below this a coloured box needs a white body to count as a colour die."""

TOP_XY = (0.5, 0.31)
"""A place in the box that lies on the top face, and on a square painted there, from 40 degrees to straight above."""
_TOP_RADIUS = 0.08
_BODY_RADIUS = 0.42
_WHITE_BODY = 0.22
_LEAST_CHROMA = 22.0
_EVEN = 9.0
_HUES_DEG = (("red", -45.0, 58.0), ("yellow", 58.0, 112.0), ("green", 112.0, 212.0), ("blue", 212.0, 315.0))


def plain_face(image_bgr: Image, box_px: NDArray[np.float32], pips: NDArray[np.float32], detected: float) -> str:
    """The colour on top of a colour die in a box (4,): red, yellow, green, blue or white; ``""`` for anything else.

    ``pips`` (7,): what the reader of pips says; ``detected``: how sure the detector is that there is a die.
    """
    if detected < LEAST_DETECTED:
        return ""
    has_pips = float(pips[:-1].max()) >= UNSURE_OF_PIPS
    patch = _box(image_bgr, box_px)
    lab = _balanced(patch)
    top = _within(lab, TOP_XY, _TOP_RADIUS)
    if float(top.std(0).max()) > _EVEN:
        return ""
    lightness, a, b = np.median(top, axis=0)
    if np.hypot(a, b) < _LEAST_CHROMA:
        if detected < SURELY_A_DIE and float(pips[-1]) > UNSURE_OF_PIPS:
            return ""
        white = lightness > 60 and _free_of_pips(lab) and _saturation(patch) < MOST_SATURATED_WHITE
        return "white" if white and not has_pips else ""
    if (has_pips or detected < SURELY_A_DIE) and not _on_white(lab):
        return ""
    hue = float(np.degrees(np.arctan2(b, a)))
    return next((name for name, low, high in _HUES_DEG if (hue - low) % 360 < high - low), "")


def _box(image_bgr: Image, box_px: NDArray[np.float32]) -> Image:
    x1, y1, x2, y2 = (round(float(v)) for v in box_px)
    height, width = image_bgr.shape[:2]
    part = image_bgr[max(y1, 0) : max(min(y2, height), y1 + 2, 2), max(x1, 0) : max(min(x2, width), x1 + 2, 2)]
    if part.size == 0:
        part = np.zeros((2, 2, 3), np.uint8)
    return np.asarray(cv2.resize(part, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _balanced(patch_bgr: Image) -> NDArray[np.float32]:
    """CIELAB (H, W, 3), lightness 0..100, with the lightest parts of the die taken for white."""
    light = np.percentile(patch_bgr.reshape(-1, 3).astype(np.float32).min(1), 92)
    near = patch_bgr[patch_bgr.min(2) >= light].reshape(-1, 3).astype(np.float32).mean(0) + 1
    even = np.clip(patch_bgr / near * 235, 0, 255).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2LAB), np.float32)


def _within(lab: NDArray[np.float32], centre_xy: tuple[float, float], radius: float) -> NDArray[np.float32]:
    """The pixels (N, 3) of a disc, all in shares of the box."""
    y, x = (np.mgrid[0:SIDE_PX, 0:SIDE_PX] + 0.5) / SIDE_PX
    return np.asarray(lab[np.hypot(x - centre_xy[0], y - centre_xy[1]) < radius])


def _saturation(patch_bgr: Image) -> float:
    """Saturation 0..1 of the top face as the camera sees it."""
    top = np.median(_within(patch_bgr.astype(np.float32), TOP_XY, _TOP_RADIUS), axis=0)
    return float((top.max() - top.min()) / max(float(top.max()), 1.0))


def _on_white(lab: NDArray[np.float32]) -> bool:
    """Whether much of the die is white: a painted square on a white body, not a coloured body with pips."""
    body = _within(lab, (0.5, 0.5), _BODY_RADIUS)
    white = (np.hypot(body[:, 1], body[:, 2]) < 20) & (body[:, 0] > 35)
    return float(white.mean()) > _WHITE_BODY


def _free_of_pips(lab: NDArray[np.float32]) -> bool:
    """Whether nothing dark and colourless lies in the diamond that every top face covers."""
    y, x = (np.mgrid[0:SIDE_PX, 0:SIDE_PX] + 0.5) / SIDE_PX
    part = lab[np.abs(x - 0.5) / 0.3 + np.abs(y - 0.29) / 0.19 < 1]
    grey = np.hypot(part[:, 1], part[:, 2]) < _LEAST_CHROMA
    dark = part[:, 0] < 0.75 * np.median(part[:, 0])
    return float((grey & dark).mean()) < 0.04
