"""A score sheet as a test draws it: four bands with numbers and a lock, misthrow fields below, and where they lie."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Image

COLOURS = ((50, 50, 210), (40, 200, 240), (70, 160, 60), (190, 90, 50))
SIZE = (1000, 620)
"""Width and height of the sheet; 5 pixels a mm."""

LEFT, TOP, STEP, WIDE, HIGH, PITCH = 60, 50, 105, 50, 66, 62
BOX, MISTHROW_Y = 34, 500
MISTHROW_END = LEFT + 12 * 42 + 3 * 58 + BOX
CORNERS = [[140.0, 50.0], [1140.0, 50.0], [1140.0, 670.0], [140.0, 670.0]]
SPOTS = (
    (LEFT, TOP), (LEFT + WIDE, TOP + HIGH), (LEFT + 10 * PITCH + WIDE, TOP + HIGH), (815, TOP + 33),
    *((LEFT, TOP + k * STEP) for k in (1, 2, 3)), (LEFT, MISTHROW_Y), (MISTHROW_END, MISTHROW_Y + BOX),
)


def paper() -> Image:
    """The sheet alone, seen from straight above."""
    width, height = SIZE
    sheet = np.full((height, width, 3), 238, np.uint8)
    for k, colour in enumerate(COLOURS):
        y = TOP + k * STEP
        cv2.rectangle(sheet, (LEFT - 25, y - 12), (880, y + HIGH + 12), colour, -1)
        for j in range(11):
            x = LEFT + j * PITCH
            cv2.rectangle(sheet, (x, y), (x + WIDE, y + HIGH), (232, 236, 236), -1)
            number = j + 2 if k < 2 else 12 - j
            cv2.putText(sheet, str(number), (x + 8, y + 44), 0, 0.9, colour, 2, cv2.LINE_AA)
        cv2.circle(sheet, (815, y + 33), 25, (232, 236, 236), -1)
    x = LEFT
    for k in range(16):
        minus = k % 4 == 3
        cv2.rectangle(sheet, (x, MISTHROW_Y), (x + BOX, MISTHROW_Y + BOX), (60, 60, 66), 2)
        if minus:
            cv2.putText(sheet, "-5", (x + 5, MISTHROW_Y + 23), 0, 0.5, (60, 60, 66), 1, cv2.LINE_AA)
        x += 58 if minus else 42
    return sheet


def table() -> Image:
    """The sheet in the middle of a darker table (720, 1280, 3)."""
    image = np.full((720, 1280, 3), (70, 90, 110), np.uint8)
    image[50:670, 140:1140] = paper()
    return image
