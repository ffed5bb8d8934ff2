"""How sure a score is: only doubts that would change the points count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from boxes import reading

from rules.dice_flick import Die
from vision.flick.doubt import SURE, doubts, options, with_doubts
from vision.flick.values import BoxReading, Option, Warned

BLUES = [Die(1, 1, "blue", 4), Die(1, 2, "blue", 4), Die(1, 3, "blue", 4), Die(5, 3, "white", 2)]


def box(other: dict[tuple[int, int], tuple[Option, ...]]) -> BoxReading:
    """The blue dice, and what some holes may hold instead."""
    read = reading(BLUES)
    return replace(read, options=tuple(other.get(hole.cell, ()) for hole in read.holes))


def die(colour: str, value: int, share: float) -> Option:
    return Option("die", colour, value, share)


@pytest.mark.parametrize(
    ("cell", "likely", "wanted"),
    [
        ((1, 1), (die("blue", 4, 0.8), die("blue", 5, 0.2)), 0.2),
        ((5, 3), (die("white", 2, 0.6), die("white", 3, 0.4)), 0.0),
        ((5, 1), (Option("empty", "empty", 0, 0.7), Option("marker", "bonus", 0, 0.3)), 0.0),
        ((1, 4), (Option("empty", "empty", 0, 0.7), die("blue", 4, 0.3)), 0.3),
    ],
    ids=["a die of the group", "a die that scores nothing", "a sticker that is known", "a die that would score too"],
)
def test_only_what_changes_the_points_is_a_doubt(
    cell: tuple[int, int], likely: tuple[Option, ...], wanted: float
) -> None:
    found = doubts(box({cell: likely}))
    assert found.get(cell, 0.0) == pytest.approx(wanted)


def test_a_doubtful_score_is_flagged_at_its_hole() -> None:
    checked = with_doubts(box({(1, 1): (die("blue", 4, 0.8), die("blue", 5, 0.2))}))
    assert checked.sure == pytest.approx(0.8)
    assert checked.warnings == (Warned("unsure", 1, 1),)


def test_a_sure_score_is_not_flagged() -> None:
    checked = with_doubts(box({(1, 1): (die("blue", 4, 0.97), die("blue", 5, 0.03))}))
    assert checked.sure >= SURE
    assert not checked.warnings


def test_doubts_add_up() -> None:
    torn = (die("blue", 4, 0.93), die("blue", 5, 0.07))
    checked = with_doubts(box({(1, 1): torn, (1, 2): torn}))
    assert checked.sure == pytest.approx(0.93**2)
    assert len(checked.warnings) == 2


def test_what_a_hole_may_hold() -> None:
    faces = np.array([0.0, 0.05, 0.95, 0.0, 0.0, 0.0])
    found = options({"green": 0.8, "pink": 0.1, "upgrade_green": 0.1, "white": 0.001}, faces)
    assert [(o.name, o.value) for o in found] == [("green", 3), ("pink", 6), ("upgrade_green", 0), ("green", 2)]
