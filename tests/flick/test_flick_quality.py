"""Pictures that are not worth reading say why; holes that look the same count as untouched."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from boxes import lattice, picture, reading

from rules.dice_flick import Die
from vision.flick.errors import BoxError
from vision.flick.quality import check_light, check_sharp, sharpness
from vision.flick.unchanged import SAME, appearance, changes


def plate(blur: float) -> np.ndarray:
    image = np.full((300, 300, 3), 170, np.uint8)
    for k in range(25):
        cv2.circle(image, (30 + 60 * (k % 5), 30 + 60 * (k // 5)), 20, (60, 50, 40), -1)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), blur) if blur else image, np.uint8)


def test_a_sharp_plate_is_sharper_than_a_blurred_one() -> None:
    check_sharp(plate(0))
    assert sharpness(plate(0)) > sharpness(plate(3)) > sharpness(plate(9))
    with pytest.raises(BoxError) as caught:
        check_sharp(plate(9))
    assert caught.value.reason == "blurred"


def test_a_dark_picture_is_said() -> None:
    check_light(plate(0))
    with pytest.raises(BoxError) as caught:
        check_light(np.asarray(plate(0) // 12, np.uint8))
    assert caught.value.reason == "dark"


def test_only_the_hole_with_a_new_die_has_changed() -> None:
    before, after = (picture(reading(dice)) for dice in ((), (Die(2, 3, "blue", 4),)))
    brighter = np.asarray(np.clip(after * 1.2, 0, 255), np.uint8)
    changed = changes(appearance(before, lattice()), appearance(brighter, lattice()))
    assert np.flatnonzero(changed > SAME).tolist() == [7]
