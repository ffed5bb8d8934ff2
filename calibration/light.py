"""The light on the table, judged from pictures, in words that say what to do.

The limits were chosen on generated pictures; ``docs/light.md`` says how well they do on others.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.errors import CalibrationError

DARK_PART, DARK = 90.0, 60.0
"""Percentile of the brightness (0..255) of the play area, and its value below which dice can no longer be read: that
of what is bright, since a dark table top is no dark picture."""

GLARE_LEVEL, GLARE_SPOT, GLARE_SHARE = 250, 0.002, 0.005
"""Brightness that counts as burnt out; smallest spot and smallest share of the play area, all spots together."""

SHARP, SHARP_FINE, SHARP_COARSE, SHARP_PART = 1.75, 1.0, 3.0, 99.95
"""How much steeper the steepest edges must be when looked at finely than coarsely (standard deviations in pixels at
working size; percentile that counts as steepest). An edge as sharp as it can be has 3, one blurred by b pixels
sqrt((9 + b^2) / (1 + b^2)), whatever its contrast."""

STRIPS = 12

FLICKER = 0.012
"""Usual change of brightness from picture to picture (share of it) from which lamps flicker."""

_WORK_PX = 960


class LightFault(CalibrationError):
    """Something about the light or the sharpness that makes reading the table hard."""

    TEXTS = {
        "dark": (
            "Es ist zu dunkel: bitte eine Lampe näher holen oder dazustellen.",
            "It is too dark: bring a lamp closer or add one.",
        ),
        "glare": (
            "Etwas spiegelt: bitte Lampe oder Kamera ein Stück verschieben, bis der helle Fleck weg ist.",
            "Something glares: move the lamp or the camera a little until the bright spot is gone.",
        ),
        "blurred": (
            "Das Bild ist unscharf: bitte die Linse abwischen, scharf stellen und die Kamera fest aufstellen.",
            "The picture is blurred: wipe the lens, focus, and put the camera up firmly.",
        ),
        "flicker": (
            "Das Licht flackert: bitte eine andere Lampe nehmen oder die Bildrate der Kamera auf 25 oder 50 stellen.",
            "The light flickers: use another lamp, or set the camera to 25 or 50 pictures a second.",
        ),
    }


def light_faults(image: Image, corners_px: Points | None = None) -> list[LightFault]:
    """What is wrong with the light in a picture (H, W, 3), within the play area ``corners_px`` (4, 2) if known."""
    scale = min(1.0, _WORK_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    area = _area(grey, None if corners_px is None else corners_px * scale)
    found = {
        "dark": float(np.percentile(grey[area], DARK_PART)) < DARK,
        "glare": _glare(np.asarray(small.min(axis=2), np.uint8), area),
        "blurred": sharpness(grey, area & ~_near_burnt(grey)) < SHARP,
    }
    return [LightFault(reason) for reason, wrong in found.items() if wrong]


def sharpness(grey: NDArray[np.uint8], area: NDArray[np.bool_]) -> float:
    """How sharp the edges of a grey picture (H, W) are within ``area``, see :data:`SHARP`; 0 where there are none."""
    if not area.any():
        return 0.0
    fine, coarse = (
        float(np.percentile(_steepness(grey, sigma)[area], SHARP_PART)) for sigma in (SHARP_FINE, SHARP_COARSE)
    )
    return fine / coarse if coarse > 0 else 0.0


def _near_burnt(grey: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """What is burnt out, and as far around it as its edge reaches when looked at coarsely."""
    reach = 2 * round(3 * SHARP_COARSE) + 1
    burnt = (grey >= GLARE_LEVEL).astype(np.uint8)
    return np.asarray(cv2.dilate(burnt, np.ones((reach, reach), np.uint8)), np.bool_)


def _steepness(grey: NDArray[np.uint8], sigma: float) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(grey, (0, 0), sigma).astype(np.float32)
    return np.asarray(
        cv2.magnitude(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)), np.float32
    )


def brightness(image: Image) -> NDArray[np.float64]:
    """Mean brightness (0..255) of :data:`STRIPS` strips of a picture from top to bottom, for :func:`flickers`.

    Cameras expose row after row, so a lamp that flickers moves bands across the picture whose mean stays the same.
    """
    rows = image[::8, ::8].mean(axis=(1, 2))
    return np.array([part.mean() for part in np.array_split(rows, STRIPS)], np.float64)


def flickers(levels: Sequence[NDArray[np.float64]]) -> bool:
    """Whether pictures that followed each other (eight at least, as :func:`brightness` has them) become lighter and
    darker by themselves: usually, in most strips; a hand that comes and goes changes a few of them at times."""
    if len(levels) < 8:
        return False
    values = np.maximum(np.asarray(levels, np.float64), 1.0)
    steps = np.abs(np.diff(values, axis=0)) / values.mean(axis=0)
    return bool(np.median(steps) > FLICKER)


def _area(grey: NDArray[np.uint8], corners_px: Points | None) -> NDArray[np.bool_]:
    if corners_px is None:
        return np.ones(grey.shape, np.bool_)
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners_px).astype(np.int32), 1)
    return mask.astype(np.bool_) if mask.any() else np.ones(grey.shape, np.bool_)


def _glare(least: NDArray[np.uint8], area: NDArray[np.bool_]) -> bool:
    """Large spots that are burnt out in all three colours; white paper is not, in a well exposed picture."""
    burnt = ((least >= GLARE_LEVEL) & area).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(burnt)
    spots = stats[1:, cv2.CC_STAT_AREA]
    whole = int(area.sum())
    return bool(spots[spots > GLARE_SPOT * whole].sum() > GLARE_SHARE * whole)
