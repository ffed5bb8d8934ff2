"""Colour dice told from dice with pips, and what lies on top of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.scene.camera import Camera
from models.scene.colour_die import FACE_COLOURS, ColourDie, add_colour_die
from models.scene.raster import Light
from models.scene.stage import Stage
from vision.faces import top_colour, white_of


def stage(elevation_deg: float, seed: int) -> Stage:
    camera = Camera.looking_at((0, 0), 300, elevation_deg, 20, 0, 1200, (240, 240))
    white = np.ones(3)
    light = Light(np.array([150.0, -250, 700]), white * 0.55, white * 0.55, 4.0, 0.8)
    return Stage(camera, light, np.random.default_rng(seed))


def seen(one: Stage) -> tuple[np.ndarray, np.ndarray]:
    image, labels = one.paint(np.full((240, 240, 3), (60, 80, 110), np.uint8), 4.0)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8), np.array(labels[0].xyxy_px, np.float32)


@pytest.mark.parametrize("colour", FACE_COLOURS)
@pytest.mark.parametrize("elevation", [45.0, 60.0, 88.0])
def test_the_colour_on_top_is_read(colour: str, elevation: float) -> None:
    one = stage(elevation, 3)
    add_colour_die(one, ColourDie.draw(np.random.default_rng(5), colour, 16.0), (0.0, 0.0), 30.0)
    image, box = seen(one)
    assert top_colour(image, box) == colour


def test_a_box_at_the_rim_of_the_picture_is_no_trouble() -> None:
    image = np.full((20, 20, 3), 120, np.uint8)
    for corner in (18, 30):
        assert top_colour(image, np.array([corner, corner, 40, 40], np.float32)) in FACE_COLOURS


@pytest.mark.parametrize("colour", FACE_COLOURS)
@pytest.mark.parametrize("lamp_bgr", [(0.45, 0.75, 1.0), (1.0, 0.85, 0.65)], ids=["warm", "cold"])
def test_white_dice_tell_the_colour_of_the_light(colour: str, lamp_bgr: tuple[float, float, float]) -> None:
    one = stage(60.0, 3)
    add_colour_die(one, ColourDie.draw(np.random.default_rng(5), colour, 16.0), (0.0, 0.0), 30.0)
    image, box = seen(one)
    lit = np.asarray(image * np.array(lamp_bgr) * 0.9, np.uint8)
    white = np.array([235.0, 235, 235], np.float32) * np.array(lamp_bgr, np.float32) * 0.9
    assert top_colour(lit, box, white) == colour


def test_white_is_taken_from_white_dice_and_from_nothing_else() -> None:
    image = np.full((60, 120, 3), 30, np.uint8)
    image[10:40, 10:40] = (200, 180, 150)
    image[22:28, 22:28] = 10
    white = white_of(image, np.array([[10, 10, 40, 40]], np.float32))
    assert white is not None and np.abs(white - [201, 181, 151]).max() < 3
    assert white_of(image, np.zeros((0, 4), np.float32)) is None
