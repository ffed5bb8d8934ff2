"""A camera that is moved during a game: noticed, measured anew, nothing judged in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.scene.textures import marker_texture
from tests.vision.fake_eyes import FakeEyes
from tests.vision.playing import happenings, referee_for, run
from tests.vision.toy import SIZE_MM, SIZE_WH, Toy, toy_plane
from vision.reading import TableReading
from vision.steady import FOUND, MOVED, STEADY, Steady, moved_px

Image = NDArray[np.uint8]
BUMP_PX = (14.0, 9.0)


class Bumped:
    """A toy recording whose camera is moved at ``t_s``."""

    def __init__(self, toy: Toy, t_s: float) -> None:
        self.toy, self.t_s = toy, t_s

    def frames(self) -> Iterator[tuple[float, Image]]:
        matrix = np.array([(1, 0, BUMP_PX[0]), (0, 1, BUMP_PX[1])], np.float64)
        for t_s, image in self.toy.timed():
            if t_s < self.t_s - 0.01:
                yield t_s, image
            else:
                yield t_s, cv2.warpAffine(image, matrix, SIZE_WH, borderMode=cv2.BORDER_REPLICATE)

    def read(self, image: Image, t_s: float) -> TableReading:
        return self.eyes.read(image, t_s)

    @property
    def eyes(self) -> FakeEyes:
        return FakeEyes(self.stills(), self.plane)

    plane: TablePlane = toy_plane()

    def replane(self, plane: TablePlane) -> None:
        self.plane = plane

    def stills(self) -> list[dict[str, Any]]:
        """What each still shows, in the pixels of the camera as it stands then; those the bump cuts in two, twice."""
        after = [s | {"t0": max(s["t0"], self.t_s), "boxes": [_shifted(b) for b in s["boxes"]]}
                 for s in self.toy.stills if s["t1"] > self.t_s]
        return [s for s in self.toy.stills if s["t0"] < self.t_s - 0.01] + after


def _shifted(box: dict[str, Any]) -> dict[str, Any]:
    dx, dy = BUMP_PX
    left, top, right, bottom = box["xyxy"]
    return box | {"xyxy": [left + dx, top + dy, right + dx, bottom + dy]}


def game() -> tuple[Bumped, Any, list[dict[str, Any]]]:
    toy = Toy()
    toy.rest(0.8)
    toy.play(3, toy.game.legal_actions(toy.state, 3)[0])
    bump_s = toy.t_s
    toy.rest(1.5)
    toy.play(2, toy.game.legal_actions(toy.state, 2)[0])
    bumped = Bumped(toy, bump_s)
    referee = referee_for(toy.setup, bumped, toy.plane)
    return bumped, referee, run(referee, bumped.frames())


def test_a_bump_is_noticed_and_the_game_goes_on() -> None:
    bumped, referee, lines = game()
    said = [(line["type"], line["t_s"]) for line in lines if line["type"] in ("lost", "found")]
    assert [kind for kind, _ in said] == ["found", "lost", "found"]
    assert bumped.t_s <= said[1][1] <= bumped.t_s + 1.0 and said[2][1] <= bumped.t_s + 5.0
    assert "camera" in next(line for line in lines if line["type"] == "lost")["why"]["en"]
    assert [h[:3] for h in happenings(lines) if h[0] != "lost"] == [("turn", "Anna", 3), ("turn", "Ben", 2)]
    assert referee.history.state == bumped.toy.state
    np.testing.assert_allclose(referee.plane.corners_px, toy_plane().corners_px + BUMP_PX, atol=1.0)


def marked(dx: float = 0.0, dy: float = 0.0) -> Image:
    """A plain table with its four markers, the camera moved by so many pixels."""
    image = np.full((720, 1280, 3), 130, np.uint8)
    cv2.circle(image, (640, 330), 60, (60, 60, 190), -1)
    for number, (x, y) in enumerate(MARKS):
        sheet = cv2.resize(marker_texture(number)[:, :, :3], (64, 64), interpolation=cv2.INTER_AREA)
        image[y - 32:y + 32, x - 32:x + 32] = sheet
    matrix = np.array([(1, 0, dx), (0, 1, dy)], np.float64)
    return np.asarray(cv2.warpAffine(image, matrix, (1280, 720), borderMode=cv2.BORDER_REPLICATE), np.uint8)


MARKS = ((200, 120), (1080, 120), (1080, 600), (200, 600))


def test_markers_say_where_the_table_is_now() -> None:
    plane = TablePlane(np.array(MARKS, float) - 0.5, (550.0, 300.0), (1280, 720))
    steady = Steady(plane, marked())
    assert steady.check(marked()) == STEADY
    assert [steady.check(marked(20, -12)) for _ in range(2)] == [MOVED, FOUND]
    np.testing.assert_allclose(steady.plane.corners_px, plane.corners_px + (20, -12), atol=0.7)
    assert steady.check(marked(20, -12)) == STEADY


def dotted(down_px: float) -> Image:
    """A table with markers and a pattern, seen by a camera that was moved so that it comes out further down."""
    image, chance = marked(), np.random.default_rng(4)
    for x, y, r in zip(*(chance.integers(a, b, 150) for a, b in ((260, 1020), (160, 560), (4, 14))), strict=True):
        cv2.circle(image, (int(x), int(y)), int(r), [int(v) for v in chance.integers(0, 255, 3)], -1)
    shift = np.array([(1, 0, 0), (0, 1, down_px)], np.float64)
    return np.asarray(cv2.warpAffine(image, shift, (1280, 720), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_where_a_bump_puts_markers_out_of_view_the_picture_says_where_the_table_is() -> None:
    plane = TablePlane(np.array(MARKS, float) - 0.5, (550.0, 300.0), (1280, 720))
    steady = Steady(plane, dotted(0))
    assert [steady.check(dotted(105)) for _ in range(2)] == [MOVED, FOUND]
    np.testing.assert_allclose(steady.plane.corners_px, plane.corners_px + (0, 105), atol=1.0)
    np.testing.assert_allclose(steady.moved_from.corners_px, plane.corners_px)
    assert [steady.check(dotted(0)) for _ in range(2)] == [MOVED, FOUND]
    assert moved_px(steady.plane, plane) < 1.0


def test_a_camera_that_is_put_back_is_found_where_it_was() -> None:
    toy = Toy()
    toy.rest(0.2)
    steady = Steady(toy.plane, toy.frames[0])
    away = np.full_like(toy.frames[0], 0)
    away[:, 40:] = toy.frames[0][:, :-40]
    assert steady.check(away) == MOVED
    assert steady.check(np.full_like(away, 90)) == MOVED
    assert [steady.check(toy.frames[1]) for _ in range(2)] == [MOVED, FOUND]
    assert moved_px(steady.plane, toy.plane) < 1.0


@pytest.mark.parametrize("level", [0.6, 1.4])
def test_a_lamp_moves_no_camera(level: float) -> None:
    toy = Toy()
    toy.rest(0.2)
    steady = Steady(toy.plane, toy.frames[0])
    lit = np.clip(toy.frames[1].astype(np.float32) * level, 0, 255).astype(np.uint8)
    assert steady.check(lit) == STEADY
    assert SIZE_MM == steady.plane.size_mm
