"""Score sheets without markers: bands that something cuts or joins, and paper that is bowed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.geometry import transform
from vision.qwixx.bands import find_bands
from vision.qwixx.found_layout import find_columns, find_columns_apart
from vision.qwixx.lifted import lifted_bend, shift_of_height

COLOURS = ((50, 50, 210), (40, 200, 240), (70, 160, 60), (190, 90, 50))
LEFT, RIGHT, TOP, STEP, THICK = 150, 800, 120, 70, 50


def sheet() -> Image:
    """Four bands with light fields on white paper (540, 960, 3)."""
    image = np.full((540, 960, 3), 235, np.uint8)
    for k, colour in enumerate(COLOURS):
        top = TOP + k * STEP
        cv2.rectangle(image, (LEFT, top), (RIGHT, top + THICK), colour, -1)
        for x in range(LEFT + 20, LEFT + 500, 45):
            cv2.rectangle(image, (x, top + 10), (x + 36, top + THICK - 10), (225, 225, 230), -1)
    return image


def with_pen(colour: tuple[int, int, int], start: tuple[int, int], end: tuple[int, int]) -> Image:
    image = sheet()
    cv2.line(image, start, end, colour, 16)
    return image


@pytest.mark.parametrize(
    "image",
    [sheet(), with_pen((30, 30, 30), (500, 60), (420, 480))],
    ids=["free", "a pen across all of them"],
)
def test_bands_are_found_with_a_pen_on_them(image: Image) -> None:
    (bands,) = find_bands(image)
    wanted = [[(LEFT, y), (RIGHT, y), (RIGHT, y + THICK), (LEFT, y + THICK)]
              for y in range(TOP, TOP + 4 * STEP, STEP)]
    assert np.abs(bands.quads_px - np.array(wanted)).max() < 8
    assert not bands.cut


def test_an_end_that_is_hidden_lies_where_the_other_bands_end() -> None:
    image = sheet()
    cv2.rectangle(image, (LEFT - 40, TOP - 20), (LEFT + 90, TOP + THICK + 5), (60, 80, 110), -1)
    (bands,) = find_bands(image)
    assert abs(bands.quads_px[0, 0, 0] - LEFT) < 10


def test_bands_of_little_colour_are_found() -> None:
    pale = sheet().astype(np.float32)
    grey = pale.mean(axis=2, keepdims=True)
    image = np.clip((0.2 * pale + 0.8 * grey) * 0.7, 0, 255).astype(np.uint8)
    (bands,) = find_bands(image)
    assert abs(bands.quads_px[0, 0, 0] - LEFT) < 8 and abs(bands.quads_px[3, 2, 0] - RIGHT) < 8


def test_bands_are_not_made_up() -> None:
    image = sheet()
    image[: TOP + 2 * STEP - 10] = 235
    assert not find_bands(image)


def test_a_lifted_point_appears_away_from_the_camera() -> None:
    focal, size_wh = 1.1 * 1280, (1280, 720)
    low = np.radians(50.0)
    rotation = np.array([[1, 0, 0], [0, np.sin(low), -np.cos(low)], [0, np.cos(low), np.sin(low)]])
    rotation = np.diag([1.0, 1.0, 1.0]) @ rotation
    camera = np.array([[focal, 0, 640], [0, focal, 360], [0, 0, 1.0]])
    middle = np.array([100.0, 70.0, 0.0])
    place = np.array([0, 0, 500.0]) - rotation @ middle
    matrix = camera @ np.column_stack([rotation[:, 0], rotation[:, 1], place])
    way = shift_of_height(matrix, (200.0, 140.0), size_wh)
    up = np.cross(rotation[:, 0], rotation[:, 1])
    for sign in (-1.0, 1.0):
        seen = camera @ (rotation @ middle + place + sign * up)
        moved = transform(np.linalg.inv(matrix), (seen[:2] / seen[2])[None])[0] - middle[:2]
        if np.allclose(moved, way, atol=0.02):
            assert abs(way[0]) < 1e-6 and abs(way[1]) > 0.5
            break
    else:
        pytest.fail(f"{way} is neither up nor down")


def test_a_bow_is_found_from_its_outlines() -> None:
    shares = np.array([(x, y) for y in np.linspace(-0.8, 0.8, 5) for x in np.linspace(-0.9, 0.9, 9)])
    way, shifts = np.array([0.1, -1.2]), np.arange(-90, 91) / 10
    lift = 4.0 * (1 - shares[:, 0] ** 2)
    curves = np.exp(-0.5 * ((shifts[None, None] - (lift[:, None] * way)[:, :, None]) / 0.3) ** 2)
    bend = lifted_bend(curves, shifts, shares, way)
    assert bend[[0, 3], 1] == pytest.approx([4.0 * way[1], -4.0 * way[1]], abs=0.1)
    assert np.abs(bend[:, 1]).sum() == pytest.approx(8 * abs(way[1]), abs=0.3)


def test_a_lock_that_looks_like_a_number_is_no_number() -> None:
    band = np.ones((60, 800), np.float32)
    for k in range(12):
        band[8:52, 22 + 58 * k : 22 + 58 * k + 50] = 0.45 if k == 0 else 0.05  # the first number is crossed
    columns = find_columns([band] * 4)
    assert columns is not None
    assert columns.start * 5 == pytest.approx(22, abs=6)
    assert columns.lock[0] * 5 == pytest.approx(22 + 11 * 58, abs=8)


def test_bands_whose_ends_are_not_seen_have_their_columns_each() -> None:
    bands = []
    for start in (60, 46, 33, 20):
        band = np.ones((60, 800), np.float32)
        for k in range(12):
            band[8:52, start + 55 * k + (8 if k == 11 else 0) : start + 55 * k + 46] = 0.05
        bands.append(band)
    columns = find_columns_apart(bands)
    assert columns is not None
    assert [one.start * 5 for one in columns] == pytest.approx([60, 46, 33, 20], abs=6)
    assert columns[0].pitch * 5 == pytest.approx(55, abs=1)
    assert columns[3].lock[0] * 5 == pytest.approx(20 + 11 * 55 + 8, abs=8)
    assert find_columns_apart([np.ones((60, 800), np.float32)] * 4) is None
