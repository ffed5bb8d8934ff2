"""Generated boxes: the same seed gives the same picture, labels and truth fit together."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from models.classes import HOLE_CLASSES
from models.dataset import scene
from models.hole_crops import board_crops, lattice_points
from models.scene.assets import Assets
from models.scene.compose import Composer
from models.scene.flick import flick_picture, flick_scene
from models.scene.flick_dice import COUNTS
from vision.detections import Detections
from vision.flick.find import find_plate
from vision.flick.lattice import Lattice

SIZE = (400, 360)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_truth_and_labels(seed: int) -> None:
    image, labels, truth = flick_picture(np.random.default_rng(seed), Assets(), SIZE, hands=0.0)
    assert image.shape == (SIZE[1], SIZE[0], 3)
    assert [(h.row, h.col) for h in truth.holes] == [(r, c) for r in range(1, 6) for c in range(1, 6)]
    used = Counter(h.colour for h in truth.holes if h.content == "die")
    assert all(used[colour] <= most for colour, most in COUNTS.items())
    holes = [label for label in labels if label.name == "hole"]
    centres = Lattice.from_points(*lattice_points(truth)).centres_px()
    for label, (x, y) in zip(holes, centres, strict=True):
        x0, y0, x1, y1 = label.xyxy_px
        assert x0 < x < x1
        assert y0 < y < y1


def test_the_same_seed_gives_the_same_picture() -> None:
    one, other = (flick_scene(np.random.default_rng(7), Assets(), (320, 240))[0] for _ in range(2))
    assert np.array_equal(one, other)


def test_boxes_take_their_share_of_a_data_set() -> None:
    composer = Composer(Assets())
    assert any(label.name == "hole" for label in scene(composer, 5, (320, 240), 0.0, 1.0)[1])
    assert not any(label.name == "hole" for label in scene(composer, 5, (320, 240), 0.0, 0.0)[1])


def test_crops_have_classes() -> None:
    image, _, truth = flick_picture(np.random.default_rng(4), Assets(), SIZE, hands=0.0, around=False)
    crops, classes = board_crops(image, truth, np.random.default_rng(0))
    assert len(crops) == len(classes) > 20
    assert classes.max() < len(HOLE_CLASSES)


def test_the_plate_of_a_generated_box_is_found_without_networks() -> None:
    image, _, truth = flick_picture(np.random.default_rng(12), Assets(), (640, 480), hands=0.0)
    wanted = Lattice.from_points(*lattice_points(truth))
    fit = find_plate(image, Detections.empty())
    gap = np.hypot(*(fit.lattice.centres_px() - wanted.centres_px()).T).max()
    assert gap < 0.2 * wanted.pitch_px((2.0, 2.0))
