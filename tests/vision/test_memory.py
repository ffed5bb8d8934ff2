"""Things that look as they did are still there, found again or not."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import TILE_CLASSES
from vision.change import ChangeMap
from vision.memory import remembered
from vision.reading import PieceSeen, TableReading, TileSeen

Image = NDArray[np.uint8]


def pawn(x: float, confidence: float = 0.8, seen: int = 2, red: float = 0.9) -> PieceSeen:
    colours = (("red", red), ("blue", 1 - red))
    return PieceSeen((x, 50.0), (x - 10, 30, x + 10, 60), (("pawn", 0.95), ("guard", 0.05)), colours, confidence, seen)


def picture(*at: int) -> Image:
    image = np.full((120, 320, 3), 150, np.uint8)
    for x in at:
        cv2.ellipse(image, (x, 45), (9, 14), 0, 0, 360, (40, 40, 160), -1)
    return image


def test_a_pawn_that_is_not_found_again_is_remembered_while_it_looks_the_same() -> None:
    before = TableReading(0.0, pieces=(pawn(60), pawn(160)), looks=2)
    now = remembered(TableReading(1.0, looks=4), before, ChangeMap(picture(60, 160), picture(60)))
    assert [(piece.pos_mm[0], piece.seen) for piece in now.pieces] == [(60, 4)]


def test_a_pawn_that_is_found_again_is_averaged_with_the_earlier_reading() -> None:
    before = TableReading(0.0, pieces=(pawn(60, red=0.9),), looks=2)
    reading = TableReading(1.0, pieces=(pawn(62, red=0.3, seen=3), pawn(250, seen=3)), looks=3)
    now = remembered(reading, before, ChangeMap(picture(60), picture(60, 250)))
    assert [round(piece.pos_mm[0]) for piece in now.pieces] == [61, 250]
    assert 0.3 < dict(now.pieces[0].colours)["red"] < 0.9
    assert now.pieces[1] == reading.pieces[1]


def test_a_tile_is_remembered_too() -> None:
    tile = TileSeen((200.0, 60.0), (175, 35, 225, 85), tuple(1 / len(TILE_CLASSES) for _ in TILE_CLASSES), 0.9, seen=2)
    before = TableReading(0.0, tiles=(tile,), looks=2)
    assert len(remembered(TableReading(1.0, looks=2), before, ChangeMap(picture(), picture())).tiles) == 1
    assert not remembered(TableReading(1.0, looks=2), before, ChangeMap(picture(), picture(200))).tiles
