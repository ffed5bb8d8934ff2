from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.light import brightness, flickers, light_faults
from calibration.quads import around, clockwise, largest_quad


def table(level: int = 140) -> Image:
    """A table with sharp things on it."""
    image = np.full((720, 1280, 3), level, np.uint8)
    for x in range(200, 1100, 90):
        cv2.rectangle(image, (x, 300), (x + 50, 350), (level // 3, level // 2, level), -1)
    return image


def reasons(image: Image) -> list[str]:
    return [fault.reason for fault in light_faults(image)]


def test_good_light_has_no_fault() -> None:
    assert reasons(table()) == []


def test_dark_blurred_and_glaring_pictures_are_told_apart() -> None:
    assert "dark" in reasons(table(30))
    assert reasons(np.asarray(cv2.GaussianBlur(table(), (0, 0), 6), np.uint8)) == ["blurred"]
    shining = table()
    cv2.circle(shining, (640, 500), 90, (255, 255, 255), -1)
    assert reasons(shining) == ["glare"]


def test_only_the_play_area_counts() -> None:
    image = table()
    image[:200] = 255
    assert [f.reason for f in light_faults(image)] == ["glare"]
    corners = np.array([(150, 250), (1150, 250), (1150, 400), (150, 400)], float)
    assert light_faults(image, corners) == []


def test_a_dark_table_top_in_good_light_is_not_dark() -> None:
    image = np.full((720, 1280, 3), 25, np.uint8)
    image[200:500, 200:900] = table()[200:500, 200:900]
    assert reasons(image) == []
    assert "dark" in reasons(np.asarray(image * 0.3, np.uint8))


def test_every_fault_says_what_to_do() -> None:
    for fault in light_faults(np.zeros((200, 300, 3), np.uint8)):
        assert ": " in fault.sentence("de") and ": " in fault.sentence("en")


@pytest.mark.parametrize(
    ("levels", "expected"),
    [([100.0] * 12, False), ([100.0, 104.0] * 6, True), ([100.0, 120.0] * 3, False), (list(range(100, 112)), False)],
)
def test_flicker(levels: list[float], expected: bool) -> None:
    assert flickers([np.full(12, level) for level in levels]) is expected


def test_a_lamp_that_flickers_moves_bands_across_the_picture() -> None:
    rows = np.arange(720)[:, None, None]
    bands = [table() * (1 + 0.1 * np.sin(2 * np.pi * (rows / 360 + 0.3 * k))) for k in range(12)]
    seen = [brightness(np.asarray(image, np.uint8)) for image in bands]
    assert np.std([levels.mean() for levels in seen]) < 1.0, "as bright on the whole"
    assert flickers(seen)
    assert not flickers([brightness(table()) for _ in range(12)])


def test_a_hand_that_comes_and_goes_is_no_flicker() -> None:
    hand = table()
    hand[400:, 500:900] = 30
    assert not flickers([brightness(hand if k in (3, 4, 8, 9) else table()) for k in range(12)])


def test_a_sheet_of_paper_is_proposed() -> None:
    image = np.full((720, 1280, 3), (40, 60, 90), np.uint8)
    sheet = np.array([(300, 150), (900, 180), (1000, 560), (220, 520)])
    cv2.fillConvexPoly(image, sheet.astype(np.int32), (235, 235, 235))
    found = largest_quad(image)
    assert found is not None
    assert np.abs(found - sheet).max() < 6
    assert largest_quad(np.full((720, 1280, 3), 90, np.uint8)) is None


def test_a_frame_around_tiles_stays_in_the_picture() -> None:
    boxes = [(100 + 60 * k, 100, 150 + 60 * k, 200) for k in range(6)]
    frame = around(boxes, (1280, 720))
    assert frame is not None and (frame >= 0).all()
    assert (frame.min(axis=0) <= (100, 100)).all() and (frame.max(axis=0) >= (450, 200)).all()
    assert around(boxes[:3], (1280, 720)) is None
    shuffled = np.array([(10, 90), (90, 12), (95, 95), (10, 10)], float)
    assert clockwise(shuffled).tolist() == [[10, 10], [90, 12], [95, 95], [10, 90]]
