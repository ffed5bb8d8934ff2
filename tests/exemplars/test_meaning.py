"""What readers' words mean on a set: as they are where they fit, only their numbers where signs are read wrongly."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from models.classes import DIE_CLASSES, NUMBER_CLASSES, TILE_CLASSES
from vision.exemplars.meaning import AS_IT_IS, TILE_WORDS, face_meaning, tile_meaning

ROUTE = [*(str(v) for v in range(-8, 0)), *(f"+{v}" for v in range(1, 9))]


def row(names: tuple[str, ...], wanted: str, sure: float = 0.9) -> list[float]:
    """Probabilities of a reader that reads ``wanted``."""
    rest = (1 - sure) / (len(names) - 1)
    return [sure if name == wanted else rest for name in names]


def words(together: str, kind: str, number: str) -> list[float]:
    return [*row(TILE_CLASSES, together), *row(TILE_CLASSES, kind), *row(NUMBER_CLASSES, number)]


def as_they_are(value: str) -> list[float]:
    return words(value, value, value)


def blue_minus(value: str) -> list[float]:
    """A reader that takes every tile for its back and every number for one above zero."""
    return words("back", "back" if value[0] == "-" else "luck", f"+{value[1:]}")


@pytest.mark.parametrize(("said", "ways_right"), [(as_they_are, 16), (blue_minus, 16)])
def test_values_are_read_as_the_set_has_shown_them(said: object, ways_right: int) -> None:
    assert callable(said)
    known = [said(value) for value in ROUTE]
    meaning = tile_meaning(known, ROUTE, Counter(ROUTE))
    read = [TILE_CLASSES[int(np.argmax(shares))] for shares in meaning.shares(np.array(known))]
    assert sum(a == b for a, b in zip(read, ROUTE, strict=True)) == ways_right


def test_before_anything_is_known_words_mean_what_they_say() -> None:
    meaning = tile_meaning([], [], {})
    assert meaning.weights[0] == pytest.approx(AS_IT_IS)
    assert TILE_CLASSES[int(np.argmax(meaning.shares(np.array([as_they_are("-3")]))))] == "-3"
    assert len(as_they_are("-3")) == TILE_WORDS


def test_faces_that_are_always_read_as_others_are_understood() -> None:
    other = {"1": "4", "2": "5", "3": "6", "4": "1", "5": "2", "6": "3"}
    known = [row(DIE_CLASSES, other[face]) for face in other for _ in range(2)]
    meaning = face_meaning(known, [face for face in other for _ in range(2)])
    assert DIE_CLASSES[int(np.argmax(meaning.shares(np.array([row(DIE_CLASSES, "5")]))))] == "2"
