"""What counts as a change between two pictures of the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.change import ChangeMap

Image = NDArray[np.uint8]
PIECE = (300, 200, 324, 240)


def table(grain_seed: int, piece: bool = False, light: float = 1.0) -> Image:
    """Wood with stripes and a few tiles; a piece where asked for."""
    image = np.full((480, 640, 3), (60, 95, 130), np.uint8)
    for y in range(0, 480, 7):
        cv2.line(image, (0, y), (639, y), (55, 85, 118), 2)
    for x in range(60, 600, 90):
        cv2.circle(image, (x, 220), 36, (60, 60, 190), -1)
    if piece:
        cv2.rectangle(image, PIECE[:2], PIECE[2:], (150, 60, 30), -1)
    noise = np.random.default_rng(grain_seed).normal(0, 3, image.shape)
    return np.clip(image * light + noise, 0, 255).astype(np.uint8)


def test_grain_is_no_change() -> None:
    assert ChangeMap(table(1), table(2)).count_px([(0, 0, 640, 480)])[0] == 0


def test_a_piece_is_a_change_just_where_it_stands() -> None:
    change = ChangeMap(table(1), table(2, piece=True))
    here, elsewhere = change.count_px([PIECE, (400, 0, 640, 480)])
    size = (PIECE[2] - PIECE[0]) * (PIECE[3] - PIECE[1])
    assert 0.8 * size < here < 1.2 * size
    assert elsewhere == 0


@pytest.mark.parametrize("light", [0.7, 1.2])
def test_light_for_the_whole_table_is_no_change(light: float) -> None:
    assert ChangeMap(table(1), table(2, light=light)).count_px([(0, 0, 640, 480)])[0] < 200


@pytest.mark.parametrize(("shade", "light"), [((77, 218, 244), 1.2), ((250, 252, 254), 0.8), ((120, 180, 255), 0.7)])
def test_what_is_too_bright_for_the_camera_is_no_change(shade: tuple[int, int, int], light: float) -> None:
    """A lamp makes a bright field as bright as a pixel can be; without it, the field was brighter than it seemed."""
    pictures = []
    for level in (1.0, light) if light > 1 else (1 / light, 1.0):
        image = table(1).astype(np.float32)
        cv2.circle(image, (450, 100), 50, shade, -1)
        pictures.append(np.clip(image * level, 0, 255).astype(np.uint8))
    assert ChangeMap(pictures[0], pictures[1]).count_px([(380, 30, 520, 170)])[0] < 1600


def test_light_that_falls_off_over_the_picture_is_no_change() -> None:
    slope = np.linspace(0.8, 1.15, 640)[None, :, None]
    darker = np.clip(table(2) * slope, 0, 255).astype(np.uint8)
    assert ChangeMap(table(1), darker).count_px([(0, 0, 640, 480)])[0] < 600


def test_a_piece_is_seen_in_other_light() -> None:
    change = ChangeMap(table(1), table(2, piece=True, light=0.8))
    size = (PIECE[2] - PIECE[0]) * (PIECE[3] - PIECE[1])
    assert change.count_px([PIECE])[0] > 0.7 * size


def test_the_largest_change_outside_known_things() -> None:
    change = ChangeMap(table(1), table(2, piece=True))
    assert change.largest_outside_px([]) > 700
    assert change.largest_outside_px([PIECE]) < 100
    nowhere = np.zeros((480, 640), np.uint8)
    assert change.largest_outside_px([], nowhere) == 0


def test_where_nothing_counts() -> None:
    change = ChangeMap(table(1), table(2, piece=True), [PIECE])
    assert change.count_px([(0, 0, 640, 480)])[0] < 20


def test_pictures_must_have_one_shape() -> None:
    with pytest.raises(ValueError, match="different shapes"):
        ChangeMap(table(1), table(1)[:100])
