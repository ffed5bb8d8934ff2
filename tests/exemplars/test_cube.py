"""How a die lies is found from its edges, and tops are told apart: pips look the same after half a turn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.classes import DIE_CLASSES
from vision.exemplars.crops import top_print
from vision.exemplars.cube import fitted_cube
from vision.exemplars.knowledge import Knowledge
from vision.exemplars.store import ExemplarSet
from vision.exemplars.tops import Tops, evenness
from vision.reading import Box

Image = NDArray[np.uint8]
SIZE_WH = (1280, 720)
SIDE_MM = 16.0
BODY, SHADES = (120.0, 200.0, 225.0), (0.5, 0.75, 0.5, 0.75)


def camera() -> TablePlane:
    """The play area seen from the front at about 55 degrees."""
    corners = ((330.0, 180.0), (950.0, 180.0), (1120.0, 600.0), (160.0, 600.0))
    return TablePlane(corners, (510.0, 300.0), SIZE_WH)


def top(face: str) -> Image:
    """What is printed on a top, 96 px."""
    image = np.full((96, 96, 3), BODY, np.uint8)
    if face.startswith("pips"):
        spots = {"pips 1": [(48, 48)], "pips 3": [(24, 24), (48, 48), (72, 72)], "pips 2": [(24, 24), (72, 72)]}[face]
        for spot in spots:
            cv2.circle(image, spot, 9, (20, 20, 20), -1, cv2.LINE_AA)
        return image
    cv2.putText(image, face, (26, 70), cv2.FONT_HERSHEY_DUPLEX, 2.1, (20, 20, 20), 6, cv2.LINE_AA)
    return image


def die(
    face: str, foot_mm: tuple[float, float], turn_deg: float, light: float = 1.0
) -> tuple[Image, TablePlane, Box]:
    """A picture with one die in it, the plane, and the box around the die."""
    plane, image = camera(), np.full((SIZE_WH[1], SIZE_WH[0], 3), (90, 80, 70), np.uint8)
    angle = np.radians(turn_deg)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * SIDE_MM @ turned.T + foot_mm
    low, up = plane.to_px(square), plane.to_px(square, SIDE_MM)
    away = np.linalg.norm(square - plane.camera_mm()[:2], axis=1)
    for k in sorted(range(4), key=lambda k: -(away[k] + away[(k + 1) % 4])):
        side = np.round(np.stack([low[k], low[(k + 1) % 4], up[(k + 1) % 4], up[k]]) * 16).astype(np.int32)
        cv2.fillPoly(image, [side], tuple(SHADES[k] * c for c in BODY), cv2.LINE_AA, 4)
    corners = np.array([[0, 0], [96, 0], [96, 96], [0, 96]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, up.astype(np.float32))
    drawn = cv2.warpPerspective(top(face), matrix, SIZE_WH, flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.full((96, 96), 255, np.uint8), matrix, SIZE_WH)
    image[inside > 127] = drawn[inside > 127]
    noise = np.random.default_rng(3).normal(0, 2.0, image.shape)
    every = np.concatenate([low, up])
    (left, upper), (right, lower) = every.min(axis=0).tolist(), every.max(axis=0).tolist()
    return np.clip(image * light + noise, 0, 255).astype(np.uint8), plane, (left, upper, right, lower)


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 45.0, 70.0])
@pytest.mark.parametrize("off_px", [(0.0, 0.0), (1.5, -1.5)])
def test_a_die_is_as_large_as_it_is_in_any_turn(turn_deg: float, off_px: tuple[float, float]) -> None:
    image, plane, box = die("5", (220.0, 160.0), turn_deg)
    (left, up, right, down), (x, y) = box, off_px
    found = fitted_cube(image, plane, (left + x, up + y, right + x, down + y))
    assert found.side_mm == pytest.approx(SIDE_MM, rel=0.1)
    assert np.hypot(found.foot_mm[0] - 220, found.foot_mm[1] - 160) < 2.0
    assert abs((np.degrees(found.turn_rad) - turn_deg + 45) % 90 - 45) < 5


def test_digits_are_told_apart_after_one_example_each() -> None:
    own = ExemplarSet("test")
    for k, face in enumerate("123456"):
        own.add("die", face, top_print(*die(face, (150.0, 100.0), 25.0 * k)), None, "person")
    tops = Tops(own, "die")
    for k, face in enumerate("123456"):
        alike = tops.likeness(top_print(*die(face, (320.0, 190.0), 160.0 + 35 * k, 0.7)))
        assert max(alike, key=lambda name: alike[name]) == face and alike[face] > 0.75


@pytest.mark.parametrize(
    ("face", "even"), [("pips 1", True), ("pips 2", True), ("pips 3", True), ("4", False), ("7", False), ("3", False)]
)
def test_pips_look_the_same_after_half_a_turn_and_digits_do_not(face: str, even: bool) -> None:
    found = evenness(top_print(*die(face, (300.0, 150.0), 30.0)))
    assert found > 0.85 if even else found < 0.75


def general(face: str, sure: float) -> NDArray[np.float32]:
    """What a reader of pips says that is sure of a face."""
    row = [sure if name == face else (1 - sure) / (len(DIE_CLASSES) - 1) for name in DIE_CLASSES]
    return np.array([row], np.float32)


@pytest.mark.parametrize(("face", "read"), [("4", "none"), ("7", "none"), ("pips 1", "1")])
def test_what_is_no_pips_is_not_taken_for_pips(face: str, read: str) -> None:
    image, plane, box = die(face, (260.0, 140.0), 40.0)
    faces, shown = Knowledge(ExemplarSet("test")).dice(image, plane, [box], general("1", 0.98), pips_only=False)
    assert DIE_CLASSES[int(faces[0].argmax())] == read and shown == [{}]


def test_one_taught_face_does_not_swallow_the_others() -> None:
    known = Knowledge(ExemplarSet("test"))
    known.learn_die(*die("3", (200.0, 150.0), 10.0), "3")
    for face in ("3", "7"):
        image, plane, box = die(face, (300.0, 180.0), 75.0)
        faces, _ = known.dice(image, plane, [box], general("5", 0.6))
        assert DIE_CLASSES[int(faces[0].argmax())] == ("3" if face == "3" else "5")
