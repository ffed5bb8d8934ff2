"""What is certain only waits for its time of rest, and needs no more looks than it must."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calibration.plane import TablePlane
from rules.protocol import Move
from rules.verflixxt.state import Turn
from tests.vision.fake_eyes import FakeEyes
from tests.vision.playing import happenings, referee_for, run
from tests.vision.toy import Toy
from vision.patience import PATIENT, Patience
from vision.reading import TableReading


class CountingEyes(FakeEyes):
    """Eyes that note when they look."""

    def __init__(self, stills: list[dict[str, Any]], plane: TablePlane) -> None:
        super().__init__(stills, plane)
        self.looked_s: list[float] = []

    def read(self, image_bgr: object, t_s: float) -> TableReading:
        self.looked_s.append(t_s)
        return super().read(image_bgr, t_s)


Frames = list[tuple[float, Any]]


def played() -> tuple[Toy, CountingEyes, Frames, Any]:
    """A throw and a turn of Anna's, whose hand is too quick to be seen; the frames, and a referee for them."""
    toy = Toy()
    toy.rest(0.8)
    toy.play(3, toy.game.legal_actions(toy.state, 3)[0])
    eyes = CountingEyes(toy.stills, toy.plane)
    hands = [s for s in toy.stills if any(box["class"] == "hand" for box in s["boxes"])]
    frames = [(t_s, image) for t_s, image in toy.timed() if not any(s["t0"] <= t_s < s["t1"] for s in hands)]
    return toy, eyes, frames, referee_for(toy.setup, eyes, toy.plane)


def until_certain(referee: Any, frames: Frames, rest_s: float) -> tuple[float, Any]:
    """The frame with which the last turn became certain."""
    for t_s, image in frames:
        lines = referee.step(image, t_s)
        if referee._certain is not None and t_s > rest_s:
            assert happenings(lines) == []
            return t_s, image
    raise AssertionError("never certain")


@pytest.mark.parametrize(("patience", "needed"), [(PATIENT, 1), (replace(PATIENT, plain=1.1), PATIENT.least_looks)])
def test_a_plain_turn_needs_one_look_a_doubtful_one_two_and_both_their_rest(patience: Patience, needed: int) -> None:
    toy, eyes, frames, referee = played()
    referee._patience = patience
    told_s = next(t_s for t_s, image in frames if "turn" in [line["type"] for line in referee.step(image, t_s)])
    looks = [t_s for t_s in eyes.looked_s if t_s > toy.stills[-1]["t0"]]
    assert len(looks) == needed
    assert PATIENT.turn_s - 1e-9 <= told_s - looks[0] <= PATIENT.turn_s + 0.1


def test_the_rest_counts_from_when_a_hand_that_lay_still_is_gone() -> None:
    toy = Toy()
    toy.rest(0.8)
    toy.play(3, toy.game.legal_actions(toy.state, 3)[0])
    hand, after = toy.stills[-2:]
    assert "hand" in [box["class"] for box in hand["boxes"]] and hand["t1"] - hand["t0"] > PATIENT.turn_s
    referee = referee_for(toy.setup, FakeEyes(toy.stills, toy.plane), toy.plane)
    told_s = [t_s for t_s, image in toy.timed() if "turn" in [line["type"] for line in referee.step(image, t_s)]]
    assert len(told_s) == 1 and told_s[0] - after["t0"] >= PATIENT.settle_s + PATIENT.turn_s


def test_an_illegal_turn_is_never_plain() -> None:
    toy = Toy()
    toy.rest(0.8)
    toy.play(3, Turn(0, 3, (Move("pawn:red", 0, 5),)))
    eyes = CountingEyes(toy.stills, toy.plane)
    lines = run(referee_for(toy.setup, eyes, toy.plane), toy.timed())
    assert [line["legal"] for line in lines if line["type"] == "turn"] == [False]
    assert len([t_s for t_s in eyes.looked_s if t_s > toy.stills[-1]["t0"]]) == PATIENT.least_looks


def test_a_hand_that_comes_back_in_time_takes_it_back() -> None:
    toy, _, frames, referee = played()
    t_s, image = until_certain(referee, frames, toy.stills[-1]["t0"])
    assert happenings(referee.step(255 - image, t_s + 0.1)) == [] and referee._certain is None
    assert happenings(referee.step(255 - image, t_s + 0.5)) == []


def test_what_a_person_says_meanwhile_counts() -> None:
    toy, eyes, frames, referee = played()
    t_s, image = until_certain(referee, frames, toy.stills[-1]["t0"])
    before = len(eyes.looked_s)
    referee.say("must")
    assert referee._certain is None
    referee.step(image, t_s + 0.2)
    assert len(eyes.looked_s) == before + 1


def test_a_table_long_at_rest_is_looked_at_once_and_ever_less_often() -> None:
    toy, eyes, frames, referee = played()
    for t_s, image in frames:
        referee.step(image, t_s)
    end_s, image = frames[-1]
    eyes.looked_s.clear()
    for half in range(1, 180):
        referee.step(image, end_s + half / 2)
    pauses = [later - sooner for sooner, later in zip(eyes.looked_s, eyes.looked_s[1:], strict=False)]
    assert pauses and all(a <= b + 1e-6 for a, b in zip(pauses, pauses[1:], strict=False))
    assert PATIENT.again_s - 0.5 <= pauses[0] and pauses[-1] == pytest.approx(PATIENT.seldom_s, abs=0.51)
