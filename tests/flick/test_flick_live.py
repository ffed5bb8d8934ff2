"""The live referee on readings made up by the test: when it looks, what it writes, what people can say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from boxes import MARKERS, SETUP, in_ditch, picture, reading

from calibration.arrays import Image
from rules.dice_flick import Die, Markers
from vision.flick.errors import BoxError
from vision.flick.live import FlickReferee
from vision.flick.runner import obey
from vision.flick.values import BoxReading, Option
from vision.why import NOTHING

BLUE4, CENTRE, GREEN5 = Die(1, 1, "blue", 4), Die(3, 3, "yellow", 5), Die(1, 3, "green", 5)
FRAME: Image = np.zeros((8, 8, 3), np.uint8)


class Still:
    """A picture that never moves."""

    def update(self, image_bgr: Image, t_s: float) -> float:
        return 9.0


class Scene:
    """What the camera sees from now on, and a referee that watches it."""

    def __init__(self, setup: dict[str, Any] = SETUP) -> None:
        self.now: BoxReading | BoxError = reading()
        self.layouts: list[Markers | None] = []
        self.referee = FlickReferee(setup, self.read, Still())
        self.t_s = 0.0
        self.lines: list[dict[str, Any]] = []

    def read(self, image: Image, layout: Markers | None) -> BoxReading:
        self.layouts.append(layout)
        if isinstance(self.now, BoxError):
            raise self.now
        return self.now

    def show(self, now: BoxReading | BoxError, for_s: float = 3.0) -> list[dict[str, Any]]:
        self.now, new = now, []
        until = self.t_s + for_s
        while self.t_s < until:
            self.t_s += 0.1
            new += self.referee.step(FRAME if isinstance(now, BoxError) else picture(now), self.t_s)
        self.lines += new
        return new

    def watch(self, image: Image) -> None:
        """Six seconds of a picture."""
        for _ in range(60):
            self.t_s += 0.1
            self.referee.step(image, self.t_s)


def test_a_round_is_written_with_its_flicks_and_points() -> None:
    scene = Scene()
    for board in ((), (CENTRE,), (CENTRE, BLUE4)):
        assert scene.show(reading(board)) == []
    (line,) = scene.show(reading((BLUE4,)))
    assert line["type"] == "turn"
    assert line["player"] == "Anna"
    assert line["legal"]
    assert line["best_score"] == 10
    assert line["returned"] == [[3, 3]]
    assert [flick["landed"] for flick in line["flicks"]] == ["hole", "hole"]
    assert line["scores"] == {"Anna": 10, "Ben": 0}
    assert "Anna" in line["text"]["de"]


def test_a_flick_that_nobody_saw_is_asked_for_and_the_turn_can_be_ended() -> None:
    scene = Scene()
    scene.show(reading(()), for_s=20.0)
    assert scene.referee.why == NOTHING  # nobody has flicked yet
    scene.show(reading((BLUE4,)))
    assert scene.referee.why == NOTHING
    scene.show(reading((BLUE4,)), for_s=18.0)
    assert "Zug beenden" in scene.referee.why["de"] and "End the turn" in scene.referee.why["en"]
    assert scene.referee.state_name == "at_rest"
    scene.lines += scene.referee.next_turn(scene.t_s)
    scene.show(reading((BLUE4,)))
    assert [line["type"] for line in scene.lines] == ["turn"] and scene.referee.why == NOTHING


def test_one_look_that_differs_is_not_believed() -> None:
    scene = Scene()
    scene.show(reading((BLUE4,)))
    scene.show(reading((GREEN5,)), for_s=0.1)
    scene.show(reading((BLUE4,)))
    assert scene.referee.rounds.board == (BLUE4,)


def test_the_game_ends_after_its_rounds() -> None:
    scene = Scene()
    scene.show(reading())
    for _ in range(4):
        scene.lines += scene.referee.next_turn(scene.t_s, 0)
    assert scene.lines[-1]["type"] == "end"
    assert sorted(scene.lines[-1]["winners"]) == ["Anna", "Ben"]
    assert scene.referee.snapshot(scene.lines, 1.0, 10.0)["to_move"] is None


def test_a_box_out_of_sight_is_lost_and_found() -> None:
    scene = Scene()
    scene.show(reading())
    (lost,) = scene.show(BoxError("no_box"), for_s=8.0)
    assert lost["type"] == "lost"
    (found,) = scene.show(reading())
    assert found["type"] == "found"


def test_too_many_points_are_said_and_stand() -> None:
    scene = Scene()
    scene.show(reading((CENTRE, BLUE4)))
    (line,) = obey(scene.referee, {"do": "next", "points": 12}, scene.t_s)
    assert not line["legal"]
    assert [v["rule"] for v in line["violations"]] == ["scored_too_much"]
    assert line["by"] == "person"
    (change,) = obey(scene.referee, {"do": "points", "points": 10}, scene.t_s)
    assert change["type"] == "correction"
    assert change["scores"]["Anna"] == 10


def test_a_corrected_hole_stays_until_it_changes() -> None:
    scene = Scene()
    scene.show(reading((BLUE4,)))
    obey(scene.referee, {"do": "hole", "row": 1, "col": 1, "colour": "green", "value": 2}, scene.t_s)
    scene.show(reading((BLUE4,)))
    assert scene.referee.rounds.board == (Die(1, 1, "green", 2),)
    scene.show(reading())
    assert scene.referee.rounds.board == ()


def test_what_nobody_touched_is_not_read_anew() -> None:
    scene = Scene()
    scene.show(reading((BLUE4,)))
    seen = picture(reading((BLUE4,)))
    scene.now = reading((Die(1, 1, "blue", 5),))
    scene.watch(seen)
    assert scene.referee.rounds.board == (BLUE4,)


def test_what_may_be_a_die_is_one_where_something_new_lies() -> None:
    scene = Scene()
    always = in_ditch("green", 60.0, 0.3)
    scene.show(reading(maybe=(always,)))
    assert not scene.referee.rounds.flicks
    scene.show(reading(maybe=(always, in_ditch("blue", 200.0, 0.1))))
    assert [(f.die, f.landed) for f in scene.referee.rounds.flicks] == [("blue", "ditch")]
    scene.show(reading(maybe=(always,)))
    assert len(scene.referee.rounds.flicks) == 1
    assert not scene.referee.rounds.loose


def test_a_hole_that_looks_quite_another_holds_a_die() -> None:
    scene = Scene()
    scene.show(reading())
    likely = tuple(
        (Option("marker", "upgrade_green", 0, 0.7), Option("die", "green", 2, 0.2)) if cell == (2, 2) else ()
        for cell in ((r, c) for r in range(1, 6) for c in range(1, 6))
    )
    seen = picture(reading((Die(2, 2, "green", 2),)))
    scene.now = replace(reading(), options=likely)
    scene.watch(seen)
    assert scene.referee.rounds.board == (Die(2, 2, "green", 2),)


def test_a_die_printed_on_a_sticker_is_none() -> None:
    scene = Scene()
    scene.show(reading((Die(2, 4, "blue", 2),)))
    assert scene.referee.rounds.board == ()


def test_undo_takes_the_last_turn_back() -> None:
    scene = Scene()
    scene.show(reading())
    scene.show(reading((CENTRE, BLUE4)))
    scene.show(reading((BLUE4,)))
    (line,) = obey(scene.referee, {"do": "undo"}, scene.t_s)
    assert line["type"] == "undo"
    assert line["scores"] == {"Anna": 0, "Ben": 0}
    with pytest.raises(ValueError, match="nothing"):
        obey(scene.referee, {"do": "undo"}, scene.t_s)


def test_stickers_are_learnt_from_the_empty_box() -> None:
    scene = Scene({key: value for key, value in SETUP.items() if key != "markers"})
    scene.show(reading())
    scene.show(reading((BLUE4,)))
    assert scene.layouts[0] is None
    assert scene.layouts[-1] is not None
    assert scene.referee.snapshot([], 0.0, 0.0)["flick"]["markers"] == MARKERS


def test_a_game_goes_on_from_its_lines() -> None:
    scene = Scene()
    scene.show(reading())
    scene.show(reading((CENTRE, BLUE4)))
    scene.show(reading((BLUE4,)))
    again = Scene()
    for line in scene.lines:
        again.referee.replay(line)
    assert again.referee.rounds.state.points == scene.referee.rounds.state.points
    assert again.referee.rounds.board == (BLUE4,)


def test_snapshots_have_what_the_page_needs() -> None:
    scene = Scene()
    scene.show(reading())
    scene.show(reading((CENTRE,)))
    box = scene.referee.snapshot(scene.lines, 1.0, 10.0)["flick"]
    assert (box["round"], box["due"], box["best_score"]) == (1, 2, 10)
    assert box["table"] == [[], []]
    assert len(box["holes"]) == 25
