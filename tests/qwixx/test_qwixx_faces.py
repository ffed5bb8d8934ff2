"""Colour dice told from dice with pips, and what lies on top of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.scene.camera import Camera
from models.scene.colour_die import FACE_COLOURS, ColourDie, add_colour_die
from models.scene.raster import Light
from models.scene.stage import Stage
from vision.faces import top_colour


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
