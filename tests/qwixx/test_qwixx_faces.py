"""Colour dice told from dice with pips, and what lies on top of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.scene.camera import Camera
from models.scene.colour_die import FACE_COLOURS, ColourDie, add_colour_die, white_die
from models.scene.raster import Light
from models.scene.stage import Stage
from vision.faces import plain_face

UNSURE = np.array([0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.3], np.float32)
SURE = np.array([0.01, 0.95, 0.01, 0.01, 0.01, 0.0, 0.01], np.float32)


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
    assert plain_face(image, box, UNSURE, 0.8) == colour
    assert plain_face(image, box, UNSURE, 0.1) == ""


@pytest.mark.parametrize("seed", range(4))
def test_a_white_die_with_pips_is_no_colour_die(seed: int) -> None:
    one = stage(60.0, seed)
    one.add_die(white_die(np.random.default_rng(seed), 16.0), (0.0, 0.0), 25.0)
    image, box = seen(one)
    assert plain_face(image, box, SURE, 0.9) == ""


def test_a_box_at_the_rim_of_the_picture_is_no_trouble() -> None:
    image = np.full((20, 20, 3), 120, np.uint8)
    assert plain_face(image, np.array([18, 18, 40, 40], np.float32), SURE, 0.9) in ("", *FACE_COLOURS)
    assert plain_face(image, np.array([30, 30, 40, 40], np.float32), SURE, 0.9) == ""
