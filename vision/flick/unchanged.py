"""Which holes look as they did before: what nobody touched need not be read anew."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.flick.lattice import Lattice, every_cell, square_crop

Floats = NDArray[np.float32]
SIDE_PX = 16
SAME = 0.075
"""A hole counts as unchanged up to this difference, as a share of the board's range of brightness."""


def appearance(image: Image, lattice: Lattice) -> Floats:
    """What the holes look like, (25, 16, 16, 3), brightness and colour cast of the whole board taken out."""
    crops = [square_crop(image, *lattice.crop_box((float(x), float(y)))) for x, y in every_cell()]
    small = np.stack([cv2.resize(crop, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA) for crop in crops])
    shown = small.astype(np.float32)
    low, high = np.percentile(shown, [3, 97], axis=(0, 1, 2))
    return np.asarray((shown - low) / np.maximum(high - low, 12.0), np.float32)


def changes(before: Floats, now: Floats) -> Floats:
    """How much each hole differs, (25,), from 0: the strongest difference of a part of it."""
    apart = np.abs(before - now).mean(axis=3)[:, 2:-2, 2:-2]
    parts = apart.reshape(len(apart), 3, 4, 3, 4).mean(axis=(2, 4)).reshape(len(apart), 9)
    return np.asarray(np.sort(parts, axis=1)[:, -3:].mean(axis=1), np.float32)
