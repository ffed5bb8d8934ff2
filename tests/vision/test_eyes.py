"""From detections and crops to a reading, with stand-ins for the networks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.standing import GUARD, PAWN, expected_box_px
from models.classes import DETECTOR_CLASSES, DIE_CLASSES, TILE_CLASSES
from tests.vision.toy import SIZE_WH, toy_plane
from vision.detections import Detections
from vision.eyes import TableEyes
from vision.fits import best_name

PLANE = toy_plane()
RED, BLUE, WOOD = (40, 40, 190), (170, 60, 30), (120, 170, 205)


class Found:
    """A detector that always finds the same."""

    def __init__(self, *things: tuple[str, tuple[float, ...], float]) -> None:
        self._detections = Detections(
            np.array([box for _, box, _ in things], np.float32).reshape(-1, 4),
            np.array([DETECTOR_CLASSES.index(name) for name, _, _ in things], np.int64),
            np.array([confidence for _, _, confidence in things], np.float32),
        )

    def detect(self, image_bgr: object) -> Detections:
        return self._detections


class Reads:
    """A crop reader that is sure of one class."""

    def __init__(self, classes: tuple[str, ...], name: str) -> None:
        self.classes = classes
        self._row = np.array([float(c == name) for c in classes], np.float32)

    def read(self, crops: np.ndarray) -> np.ndarray:
        return np.tile(self._row, (len(crops), 1))


def eyes(*things: tuple[str, tuple[float, ...], float]) -> TableEyes:
    tiles, dice = Reads(TILE_CLASSES, "-3"), Reads(DIE_CLASSES, "4")
    return TableEyes(PLANE, Found(*things), tiles, dice, ["red", "blue"])  # type: ignore[arg-type]


def box(x: float, y: float, body: object = PAWN) -> tuple[float, ...]:
    return tuple(float(v) for v in expected_box_px(PLANE, [(x, y)], body)[0])  # type: ignore[arg-type]


def table(*painted: tuple[tuple[float, ...], tuple[int, int, int]]) -> np.ndarray:
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), (60, 95, 130), np.uint8)
    for (left, top, right, bottom), colour in painted:
        centre, half = (round((left + right) / 2), round((top + bottom) / 2)), (round(right - left) // 2,) * 2
        cv2.ellipse(image, centre, half, 0, 0, 360, colour, -1)
    return image


def test_everything_is_read_where_it_stands() -> None:
    red, guard = box(100, 100), box(300, 100, GUARD)
    tile, die, hand = (500.0, 200.0, 588.0, 288.0), (700.0, 400.0, 735.0, 435.0), (0.0, 300.0, 200.0, 600.0)
    things = [("pawn", red, 0.8), ("guard", guard, 0.7), ("tile", tile, 0.9), ("die", die, 0.9), ("hand", hand, 0.6)]
    reading = eyes(*things).read(table((red, RED), (guard, WOOD)), 2.5)
    assert reading.t_s == 2.5
    assert [best_name(piece) for piece in reading.pieces] == ["pawn:red", "guard"]
    assert reading.pieces[0].pos_mm == pytest.approx((100, 100), abs=1)
    assert reading.pieces[1].pos_mm == pytest.approx((300, 100), abs=1)
    assert reading.tiles[0].pos_mm == pytest.approx((272, 122), abs=1)
    assert reading.tiles[0].prob("-3") > 0.99 and not reading.tiles[0].is_end
    assert reading.dice[0].probs[3] == 1.0
    assert reading.hands[0].confidence == pytest.approx(0.6)


def test_one_thing_found_as_pawn_and_as_guard_is_one_piece() -> None:
    first = box(100, 100)
    second = (first[0] + 1, first[1] + 1, first[2] + 1, first[3] + 1)
    reading = eyes(("guard", first, 0.6), ("pawn", second, 0.3)).read(table((first, WOOD)), 0.0)
    assert len(reading.pieces) == 1
    kinds = dict(reading.pieces[0].kinds)
    assert kinds["guard"] == pytest.approx(2 / 3, abs=0.01)


def test_nothing_found_is_an_empty_reading() -> None:
    reading = eyes().read(table(), 1.0)
    assert (reading.tiles, reading.pieces, reading.dice, reading.hands) == ((), (), (), ())


def test_colours_are_learnt_from_pawns_that_are_known() -> None:
    boxes = [box(60.0 + 40 * k, 100) for k in range(4)]
    odd_red, odd_blue = (90, 60, 130), (130, 70, 90)
    image = table(*zip(boxes, [odd_red, odd_blue, odd_red, odd_blue], strict=True))
    looking = eyes(*(("pawn", b, 0.8) for b in boxes))
    assert looking.learn(image, boxes, {"red": 2, "blue": 2})  # type: ignore[arg-type]
    names = [best_name(piece) for piece in sorted(looking.read(image, 0.0).pieces, key=lambda p: p.pos_mm)]
    assert names == ["pawn:red", "pawn:blue"] * 2


def test_too_few_pawns_teach_nothing() -> None:
    assert not eyes().learn(table(), [box(100, 100)], {"red": 3, "blue": 3})  # type: ignore[list-item]
