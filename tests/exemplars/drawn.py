"""A drawn table seen from straight above, 2 px to a mm: round tiles with numbers, in any turn and any light."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane

SIZE_WH = (1000, 600)
PLANE = TablePlane(((0.0, 0.0), (1000.0, 0.0), (1000.0, 600.0), (0.0, 600.0)), (500.0, 300.0), SIZE_WH)
Image = NDArray[np.uint8]
RED, GREEN, CREAM = (40, 40, 180), (60, 130, 50), (200, 235, 245)


def lid(value: str) -> Image:
    """A tile's print, 128 px for its square."""
    image = np.full((128, 128, 3), CREAM if value == "luck" else RED if value.startswith("-") else GREEN, np.uint8)
    if value == "luck":
        for dx, dy in ((-14, -14), (14, -14), (-14, 14), (14, 14)):
            cv2.circle(image, (64 + dx, 64 + dy), 13, (60, 140, 40), -1, cv2.LINE_AA)
        return image
    for _ in range(2):
        image = np.ascontiguousarray(image[::-1, ::-1])
        cv2.putText(image, value, (44, 34), cv2.FONT_HERSHEY_DUPLEX, 0.9, (255, 255, 255), 2, cv2.LINE_AA)
    cv2.circle(image, (64, 64), 12, (20, 20, 20), 2, cv2.LINE_AA)
    return image


def table(
    tiles: Sequence[tuple[str, tuple[float, float], float]], light: float = 1.0, seed: int = 0,
    covers_px: Sequence[tuple[float, float, float, float]] = (),
) -> Image:
    """Tiles as (value, centre in mm, turn in degrees) on a grey table, under a light that falls off to the right."""
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), (95, 110, 120), np.uint8)
    for value, (x, y), turn in tiles:
        matrix = cv2.getRotationMatrix2D((64, 64), turn, 88 / 128)
        matrix[:, 2] += (2 * x - 64 - 0.5, 2 * y - 64 - 0.5)
        drawn = cv2.warpAffine(lid(value), matrix, SIZE_WH, flags=cv2.INTER_AREA)
        mask = np.zeros(image.shape[:2], np.uint8)
        cv2.circle(mask, (round(2 * x), round(2 * y)), 44, 255, -1)
        image[mask > 0] = drawn[mask > 0]
    for left, top, right, bottom in covers_px:
        image[round(top) : round(bottom), round(left) : round(right)] = (30, 200, 230)
    shade = light * np.linspace(1.05, 0.75, SIZE_WH[0])[None, :, None]
    noise = np.random.default_rng(seed).normal(0, 2.5, image.shape)
    return np.clip(image * shade + noise, 0, 255).astype(np.uint8)


VALUES = ("-1", "-2", "-3", "-6", "-8", "-9", "luck", "+1", "+4", "+7")
STARTED = [(value, (40.0 + 47 * (k % 5), 60.0 + 60 * (k // 5)), 3.0 * k) for k, value in enumerate(VALUES)]
SHUFFLED = [
    (VALUES[(7 * k + 3) % 10], (50.0 + 60 * (k % 5), 80.0 + 70 * (k // 5)), 37.0 * k + 20) for k in range(10)
]
