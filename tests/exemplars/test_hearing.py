"""The action die that the camera reads counts as if it had been told; what a person says is not touched."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from models.classes import DIE_CLASSES
from vision.hearing import heard, teach_roll
from vision.history import History
from vision.reading import DieSeen, TableReading


class Told:
    """A history, as far as the action die is concerned."""

    def __init__(self, said: str = "") -> None:
        self.branch = self
        self.die = self
        self.said = said

    def say(self, what: str) -> None:
        self.said = what


@pytest.mark.parametrize(
    ("said", "before", "action", "expected"),
    [
        ("", "", {"must": 0.95, "may": 0.03}, "must"),
        ("", "", {"must": 0.6, "may": 0.4}, ""),
        ("", "", {}, ""),
        ("may", "", {"must": 0.95}, "may"),
        ("may", "may", {"must": 0.95}, "must"),
    ],
)
def test_the_action_die_is_heard(said: str, before: str, action: dict[str, float], expected: str) -> None:
    history = Told(said)
    now = heard(cast(History, history), TableReading(0.0, action=action), before)
    assert history.said == expected
    assert now == (expected if expected == "must" else before)


class Learns:
    """Eyes that note what they are taught."""

    def __init__(self) -> None:
        self.taught: list[tuple[Any, str]] = []

    def learn_die(self, image: Any, box: Any, face: str) -> None:
        self.taught.append((box, face))


@pytest.mark.parametrize(
    ("lines", "faces"),
    [
        ([{"type": "turn", "roll": 4}], ["4"]), ([{"type": "correction"}], []),
        ([{"type": "turn", "roll": None}], []), ([], []),
    ],
)
def test_a_settled_turn_teaches_the_die_that_lies_there(lines: list[dict[str, Any]], faces: list[str]) -> None:
    probs = tuple(0.5 * (name in "45") for name in DIE_CLASSES)
    die = DieSeen((10.0, 10.0), (1.0, 2.0, 30.0, 40.0), probs, 0.9)
    eyes = Learns()
    teach_roll(cast(Any, eyes), lines, TableReading(0.0, dice=(die,)), np.zeros((4, 4, 3), np.uint8))
    assert [face for _, face in eyes.taught] == faces
    assert all(box == die.box_px for box, _ in eyes.taught)


def test_eyes_that_cannot_learn_are_left_alone() -> None:
    teach_roll(cast(Any, object()), [{"type": "turn", "roll": 4}], TableReading(0.0), np.zeros((4, 4, 3), np.uint8))
