"""The second look at a small plate."""

from __future__ import annotations

import numpy as np
from boxes import lattice

from calibration.arrays import Image
from models.classes import DETECTOR_CLASSES
from vision.detections import Detections
from vision.flick.eyes import FlickEyes


class OneDie:
    """Finds a die at the same place of whatever picture it is given."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []

    def detect(self, image_bgr: Image) -> Detections:
        self.shapes.append(image_bgr.shape)
        box = np.array([[10, 20, 40, 50]], np.float32)
        return Detections(box, np.array([DETECTOR_CLASSES.index("die")]), np.array([0.8], np.float32))


def test_a_closer_look_speaks_of_the_whole_picture() -> None:
    detector = OneDie()
    eyes = FlickEyes(lambda size_wh: detector, None, None)  # type: ignore[arg-type]
    found = eyes.closer(np.zeros((700, 900, 3), np.uint8), lattice(200.0, 150.0), Detections.empty())
    assert detector.shapes == [(396, 396, 3)]
    assert found.xyxy_px.tolist() == [[132.0, 92.0, 162.0, 122.0]]


def test_a_closer_look_ends_where_the_picture_does() -> None:
    detector = OneDie()
    eyes = FlickEyes(lambda size_wh: detector, None, None)  # type: ignore[arg-type]
    eyes.closer(np.zeros((350, 900, 3), np.uint8), lattice(30.0, 40.0), Detections.empty())
    assert detector.shapes == [(350, 348, 3)]


def test_a_closer_look_forgets_nothing_beside_the_plate() -> None:
    eyes = FlickEyes(lambda size_wh: OneDie(), None, None)  # type: ignore[arg-type]
    boxes = np.array([[300, 250, 330, 280], [600, 600, 630, 630]], np.float32)
    before = Detections(boxes, np.array([DETECTOR_CLASSES.index("die")] * 2), np.array([0.7, 0.7], np.float32))
    found = eyes.closer(np.zeros((700, 900, 3), np.uint8), lattice(200.0, 150.0), before)
    assert found.xyxy_px.tolist() == [[132.0, 92.0, 162.0, 122.0], [600.0, 600.0, 630.0, 630.0]]
