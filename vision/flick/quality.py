"""Whether a picture is worth reading: light and sharpness."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Image
from vision.flick.errors import BoxError

DARK = 26.0
"""The brightest tenth of a readable picture is brighter than this (0..255)."""

BLURRED = 0.17
"""Generated plates have 0.45 to 0.77; blurred by a twentieth of the way from hole to hole, where pips vanish, half of
them fall below this."""


def check_light(image: Image) -> None:
    """Raises BoxError for a picture that is too dark."""
    small = cv2.resize(image, (64, 64), interpolation=cv2.INTER_AREA)
    if float(np.percentile(small.max(axis=2), 90)) < DARK:
        raise BoxError("dark")


def sharpness(plate: Image) -> float:
    """How sharp the plate is, 0..1: the share of its fine detail that a further blur would still take away.

    ``plate`` (N, N, 3) uint8, the plate seen from above. A sharp edge loses more to a blur than a soft one does.
    """
    grey = cv2.cvtColor(plate, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steps = np.abs(np.diff(cv2.GaussianBlur(grey, (0, 0), 0.8), axis=1))
    soft = np.abs(np.diff(cv2.GaussianBlur(grey, (0, 0), 2.4), axis=1))
    strong = steps > np.percentile(steps, 98)
    return float(1 - soft[strong].mean() / max(float(steps[strong].mean()), 1e-6))


def check_sharp(plate: Image) -> None:
    """Raises BoxError for a plate (N, N, 3), seen from above, that is too blurred for its pips to be read."""
    if sharpness(plate) < BLURRED:
        raise BoxError("blurred")
