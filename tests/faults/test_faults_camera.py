"""Cameras that fail in the middle of a game: the page says why, no turn is wrong or lost, it goes on by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.faults.table import (
    Image,
    Shot,
    at_rest,
    black,
    during,
    faultless,
    other_shape,
    refereed,
    resized,
    shots,
    toy,
    without,
)
from tests.vision.toy import FPS
from vision import loop
from vision.frames import Frame
from vision.health import FROZEN_S
from vision.why import BLANK, FROZEN, NO_PICTURES

REST = 4
"""The still in which most faults come: the first turn has been judged, the second is to come."""


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the clock."""
    monkeypatch.setattr(loop, "CALM_EVERY_S", 0.0)


def same(image: Image) -> Image:
    return toy().frames[round(at_rest(REST) * FPS)]


def fewer(tape: list[Shot]) -> list[Shot]:
    """The tape with smaller pictures from its middle on."""
    half = len(tape) // 2
    return tape[:half] + resized(tape[half:], (640, 400))


def slow(fps: float) -> list[Shot]:
    """Half the pictures of the tape, so many a second: everything takes longer."""
    return [shot and Frame(shot.image_bgr, k / fps, shot.number) for k, shot in enumerate(shots()[::2])]


def jumping() -> list[Shot]:
    """The tape with times that go to and fro, back by an hour, on by an hour, and stand still for a moment."""
    third = len(shots()) // 3

    def told(k: int, t_s: float) -> float:
        if 2 * third <= k < 2 * third + 3:
            return 2 * third / FPS + 7200.0
        return t_s + (0.25 if k % 2 else 0.0) - (3600.0 if third <= k < 2 * third else 0.0)

    return [shot and Frame(shot.image_bgr, told(k, shot.t_s), shot.number) for k, shot in enumerate(shots())]


def test_the_game_without_faults() -> None:
    played = [(kind, player, rules) for kind, player, _, _, _, rules in faultless().played]
    assert played == [("turn", "Anna", ()), ("turn", "Ben", ("wrong_count",)), ("correction", "Ben", ())]


@pytest.mark.parametrize(
    ("name", "tape", "why"),
    [
        ("covered for 4 s", lambda: during(shots(), at_rest(REST), 4.0, black), BLANK),
        ("frozen", lambda: during(shots(), at_rest(REST), FROZEN_S + 2.0, same), FROZEN),
        ("unplugged for 20 s", lambda: without(shots(), at_rest(REST), 20.0), NO_PICTURES),
        ("stalled for 5 s", lambda: without(shots(), at_rest(REST), 5.0), NO_PICTURES),
        ("stalled with a hand over the table", lambda: without(shots(), at_rest(3), 5.0), NO_PICTURES),
        ("turned on its side", lambda: during(shots(), at_rest(REST), 3.0, other_shape), None),
    ],
)
def test_a_fault_is_told_and_passes(name: str, tape: Callable[[], list[Shot]], why: dict[str, str] | None) -> None:
    evening = refereed(tape())
    lost = [shown["why"] for shown in evening.shown if shown["state"] == "lost"]
    assert lost, "viewers are told"
    assert all(words == why for words in lost) if why else all("480 × 600" in words["en"] for words in lost)
    assert evening.shown[-1]["state"] == "at_rest", "and it goes on by itself"
    assert (evening.played, evening.scores) == (faultless().played, faultless().scores)


@pytest.mark.parametrize(
    ("name", "tape"),
    [
        ("a dark picture, then fewer pixels", lambda: fewer(during(shots(), at_rest(REST), 0.1, black))),
        ("two pictures a second", lambda: slow(2.0)),
        ("times that jump", jumping),
    ],
)
def test_a_small_fault_changes_nothing(name: str, tape: Callable[[], list[Shot]]) -> None:
    evening = refereed(tape())
    assert not [shown["why"] for shown in evening.shown if shown["state"] == "lost"]
    assert (evening.played, evening.scores) == (faultless().played, faultless().scores)


def test_a_camera_that_never_shows_anything_is_told_before_the_game() -> None:
    evening = refereed([None] * 4)
    assert evening.shown[-1]["state"] == "waiting" and evening.shown[-1]["why"] == NO_PICTURES
