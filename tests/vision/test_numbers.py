"""Numbers printed on tiles: cut out upright, read in any turn, and joined with what the tile reader says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.plane import TablePlane
from models.classes import NUMBER_CLASSES, TILE_CLASSES
from vision.numbers import TILE_MM, joined, number_rows, said, strips, upright_sheet
from vision.readers import number_reader

PX_PER_MM = 4.0
PLANE = TablePlane(((0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0)), (100.0, 100.0), (400, 400))
MIDDLE = (50.0, 50.0)
NONE = NUMBER_CLASSES.index("none")


def lid(text: str, turn_deg: float) -> np.ndarray:
    """A red or green tile in the middle of a grey table, its number printed at two ends, turned."""
    image = np.full((400, 400, 3), 120, np.uint8)
    ground = (40, 40, 190) if text.startswith("-") else (60, 150, 40)
    cv2.circle(image, (200, 200), int(TILE_MM / 2 * PX_PER_MM), ground, -1, cv2.LINE_AA)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 1.1, 2)
    for _ in range(2):
        image = np.ascontiguousarray(image[::-1, ::-1])
        at = (200 - width // 2, 200 + int(0.62 * TILE_MM / 2 * PX_PER_MM) + height // 2)
        cv2.putText(image, text, at, cv2.FONT_HERSHEY_DUPLEX, 1.1, (255, 255, 255), 2, cv2.LINE_AA)
    turned = cv2.getRotationMatrix2D((199.5, 199.5), turn_deg, 1.0)
    image = cv2.warpAffine(image, turned, (400, 400), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2), np.uint8)


@pytest.mark.parametrize("turn_deg", [0.0, 45.0, 101.0, 190.0])
def test_a_number_is_read_in_any_turn(turn_deg: float) -> None:
    reader = number_reader()
    for text in ("-10", "-7", "-6", "+8", "+2"):
        (row,) = number_rows(reader, lid(text, turn_deg), PLANE, [MIDDLE])
        assert NUMBER_CLASSES[int(row.argmax())] == text and row.max() > 0.6


def test_the_bare_table_shows_no_number() -> None:
    (row,) = number_rows(number_reader(), np.full((400, 400, 3), 120, np.uint8), PLANE, [MIDDLE])
    assert row[NONE] > 0.8


def test_the_first_strip_is_the_lower_edge_as_it_stands() -> None:
    image = lid("+3", 0.0)
    cut = strips(upright_sheet(image, PLANE, MIDDLE))
    here = image[200 + 20 : 200 + 89, 200 - 52 : 200 + 52]
    alike = cv2.resize(here, (48, 32), interpolation=cv2.INTER_AREA).astype(float)
    assert cut.shape == (16, 32, 48, 3)
    assert np.corrcoef(cut[0].ravel(), alike.ravel())[0, 1] > 0.9


def test_two_ends_that_agree_outvote_one_that_does_not() -> None:
    rows = np.full((4, len(NUMBER_CLASSES)), 0.001, np.float32)
    rows[:, NONE] = 0.9
    for strip, text in ((0, "-3"), (1, "-3"), (2, "-8")):
        rows[strip, NONE], rows[strip, NUMBER_CLASSES.index(text)] = 0.2, 0.7
    told = said(rows / rows.sum(1, keepdims=True))
    assert NUMBER_CLASSES[int(told.argmax())] == "-3" and abs(told.sum() - 1) < 1e-5


def kinds(**shares: float) -> np.ndarray:
    """What the tile reader says: shares of minus, plus and others, spread evenly over their classes."""
    rest = 1 - sum(shares.values())
    groups = {"minus": [n for n in TILE_CLASSES if n[0] == "-"], "plus": [n for n in TILE_CLASSES if n[0] == "+"]}
    others = [n for n in TILE_CLASSES if n[0] not in "+-"]
    row = dict.fromkeys(TILE_CLASSES, 0.0)
    for name, share in shares.items():
        members = groups.get(name, [name])
        for member in members:
            row[member] += share / len(members)
    for name in others:
        row[name] += rest / len(others)
    return np.array([row[name] for name in TILE_CLASSES], np.float32)


def number(text: str, sure: float) -> np.ndarray:
    row = np.full(len(NUMBER_CLASSES), 0.0, np.float32)
    row[NUMBER_CLASSES.index(text)], row[NONE] = sure, 1 - sure
    return row


@pytest.mark.parametrize(
    ("tile", "read", "value", "least"),
    [
        (kinds(minus=0.9), number("-4", 0.95), "-4", 0.9),
        (kinds(luck=0.9), number("+1", 0.03), "luck", 0.8),
        (kinds(plus=0.4), number("+5", 0.97), "+5", 0.8),
        (kinds(none=0.95), number("+5", 0.05), "none", 0.9),
    ],
)
def test_kind_and_number_are_joined(tile: np.ndarray, read: np.ndarray, value: str, least: float) -> None:
    whole = joined(tile, read)
    assert TILE_CLASSES[int(whole.argmax())] == value
    assert whole.max() > least and abs(whole.sum() - 1) < 1e-5
