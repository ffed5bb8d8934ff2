"""The last clear picture after a bump: moved so that it can be compared with those after it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.toy import SIZE_WH, toy_plane
from vision.carried import carried
from vision.change import ChangeMap
from vision.reading import DieSeen, TableReading

FACES = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def picture() -> np.ndarray:
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), 150, np.uint8)
    for k in range(24):
        cv2.circle(image, (120 + 140 * (k % 6), 110 + 110 * (k // 6)), 28, (40, 40 + 8 * k, 190), -1)
    return image


def test_picture_and_boxes_follow_the_plane() -> None:
    before, matrix = toy_plane(), np.array([(1, 0.01, 14.0), (-0.01, 1, 9.0)], np.float64)
    corners = cv2.transform(before.corners_px.reshape(-1, 1, 2), matrix).reshape(4, 2)
    now = replace(before, corners_px=corners)
    seen_now = cv2.warpAffine(picture(), matrix, SIZE_WH, borderMode=cv2.BORDER_REPLICATE)
    die = DieSeen((10.0, 10.0), (200.0, 100.0, 230.0, 130.0), FACES, 0.9)
    moved, reading = carried(picture(), TableReading(1.0, dice=(die,)), before, now)
    inner = [(60, 60, SIZE_WH[0] - 60, SIZE_WH[1] - 60)]
    assert ChangeMap(moved, seen_now).count_px(inner)[0] < 0.002 * SIZE_WH[0] * SIZE_WH[1]
    assert ChangeMap(picture(), seen_now).count_px(inner)[0] > 0.01 * SIZE_WH[0] * SIZE_WH[1]
    assert reading.dice[0].box_px == pytest.approx((215.0, 107.0, 245.3, 136.7), abs=0.5)
    assert reading.dice[0].pos_mm == die.pos_mm
