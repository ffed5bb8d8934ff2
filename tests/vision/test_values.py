"""Tile values: the clearest turn counts, and a tile that lies still is read a few times only."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from calibration.plane import TablePlane
from vision.readers import CropReader
from vision.values import AT_ONCE, READ_TIMES, TURNS_DEG, TileValues

PLANE = TablePlane(((100.0, 100.0), (500.0, 100.0), (500.0, 400.0), (100.0, 400.0)), (400.0, 300.0), (640, 480))
IMAGE = np.full((480, 640, 3), 90, np.uint8)


class ReadsThirdTurn:
    """Sure in the third turn of every tile only."""

    classes = ("a", "b", "c")

    def __init__(self) -> None:
        self.crops = 0

    def read(self, crops_bgr: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        self.crops += len(crops_bgr)
        rows = np.tile([0.4, 0.35, 0.25], (len(crops_bgr), 1))
        rows[2 :: len(TURNS_DEG)] = [0.05, 0.9, 0.05]
        return rows.astype(np.float32)


def test_the_clearest_turn_counts_and_reading_stops() -> None:
    reader = ReadsThirdTurn()
    values = TileValues(cast(CropReader, reader))
    for _ in range(READ_TIMES + 3):
        (first, second) = values.read(IMAGE, PLANE, [(100.0, 100.0), (200.0, 100.0)])
    assert np.argmax(first) == np.argmax(second) == 1 and abs(sum(first) - 1) < 1e-6
    assert reader.crops == READ_TIMES * 2 * len(TURNS_DEG)


def test_no_look_waits_for_many_tiles_to_be_read_a_third_time() -> None:
    reader = ReadsThirdTurn()
    values, read = TileValues(cast(CropReader, reader)), []
    for _ in range(4 + 20 // AT_ONCE):
        before = reader.crops
        values.read(IMAGE, PLANE, [(15.0 * k, 100.0) for k in range(20)])
        read.append((reader.crops - before) // len(TURNS_DEG))
    assert read == [20, 20, *[AT_ONCE] * (20 // AT_ONCE), 20 % AT_ONCE, 0]


def test_a_tile_that_moved_is_read_again() -> None:
    reader = ReadsThirdTurn()
    values = TileValues(cast(CropReader, reader))
    for _ in range(READ_TIMES):
        values.read(IMAGE, PLANE, [(100.0, 100.0)])
    before = reader.crops
    values.read(IMAGE, PLANE, [(101.0, 100.0)])
    assert reader.crops == before
    values.read(IMAGE, PLANE, [(120.0, 100.0)])
    assert reader.crops == before + len(TURNS_DEG)


def test_no_tiles_no_values() -> None:
    assert TileValues(cast(CropReader, ReadsThirdTurn())).read(IMAGE, PLANE, []) == []
