"""A toy table: games played on a drawn table seen from straight above, with everything about it known.

``Toy`` writes the frames of a recording and, in the format of ``boxes.json``, what each still shows, so that
:class:`tests.vision.fake_eyes.FakeEyes` can look at it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from calibration.standing import DIE, GUARD, PAWN, expected_box_px
from rules import game_of
from rules.verflixxt.layout import tile_name
from rules.verflixxt.state import State, Turn
from vision.reading import area, overlap_area

SIZE_MM = (480.0, 300.0)
SIZE_WH = (960, 600)
FPS = 10
PITCH_MM = 47.0

PAINT = {
    "table": (60, 95, 130), "plus": (70, 140, 50), "minus": (50, 50, 190), "luck": (205, 225, 230),
    "start": (170, 90, 40), "finish": (40, 120, 230), "red": (40, 40, 150), "blue": (140, 60, 30),
    "green": (40, 90, 30), "yellow": (40, 200, 240), "black": (25, 25, 25), "orange": (30, 100, 250),
    "guard": (120, 170, 205), "die": (240, 240, 240), "hand": (130, 160, 215),
}

SETUP: dict[str, Any] = {
    "game": "verflixxt", "variant": "standard",
    "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
}


def toy_plane() -> TablePlane:
    width, height = SIZE_WH
    return TablePlane(np.array([(0, 0), (width, 0), (width, height), (0, height)], float), SIZE_MM, SIZE_WH)


@dataclass
class Toy:
    """A game being recorded. Call the methods in the order in which things happen."""

    setup: dict[str, Any] = field(default_factory=lambda: dict(SETUP))
    seed: int = 0
    frames: list[NDArray[np.uint8]] = field(default_factory=list)
    stills: list[dict[str, Any]] = field(default_factory=list)
    light: float = 1.0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.game = game_of(self.setup)
        self.state: State = self.game.start(self.setup)
        self.plane = toy_plane()
        self.spots = _spots(self.state)
        self.die: tuple[float, float, int] = (430.0, 270.0, 5)
        self._feet: dict[tuple[str, int, int], tuple[float, float]] = {}

    @property
    def t_s(self) -> float:
        return len(self.frames) / FPS

    def rest(self, seconds: float = 1.0) -> None:
        """The table at rest."""
        self._hold(seconds, None)

    def hand(self, seconds: float = 0.5, over: int = 12) -> None:
        """A hand held still over a place."""
        self._hold(seconds, self.spots[over])

    def roll(self, face: int) -> None:
        """The die lies in a new place."""
        x = self.random.uniform(150.0, 400.0)
        while abs(x - self.die[0]) < 25.0:
            x = self.random.uniform(150.0, 400.0)
        self.die = (x, self.random.uniform(260.0, 280.0), face)
        self.rest()

    def move(self, turn: Turn) -> None:
        """Hand over the table, then the position after the turn, at rest."""
        self.hand(over=int(turn.moves[0].start) if turn.moves else 12)
        self.state = self.game.judge(self.state, turn).state
        self.rest()

    def put_right(self, target: State) -> None:
        """The players change the table to another position."""
        self.hand()
        self.state = target
        self.rest()

    def push_together(self) -> None:
        """The players close the gaps: tiles move up towards the start, with what stands on them."""
        self.hand()
        old, places = dict(self.spots), [_spots(self.state)[number] for number in range(1, 33)]
        self.spots.update(zip(self.state.route, places, strict=False))
        for key, (x, y) in self._feet.items():
            (ox, oy), (nx, ny) = old[key[2]], self.spots[key[2]]
            self._feet[key] = x + nx - ox, y + ny - oy
        self.rest(1.8)

    def play(self, face: int, turn: Turn) -> None:
        """A throw and the turn made with it."""
        self.roll(face)
        self.move(turn)

    def timed(self) -> Iterator[tuple[float, NDArray[np.uint8]]]:
        for number, frame in enumerate(self.frames):
            yield number / FPS, frame

    def _hold(self, seconds: float, hand_mm: tuple[float, float] | None) -> None:
        boxes = self._boxes()
        image = self._painted(boxes, hand_mm)
        if hand_mm is not None:
            x, y = hand_mm
            (left, top), (right, bottom) = self.plane.to_px([(x - 35, y - 35), (x + 35, SIZE_MM[1])])
            hand = (float(left), float(top), float(right), float(bottom))
            for box in boxes:
                box["visible"] = 1.0 - overlap_area(hand, box["xyxy"]) / area(box["xyxy"])
            boxes.append({"class": "hand", "xyxy": list(hand), "visible": 1.0})
        count = round(seconds * FPS)
        name = f"still{len(self.stills)}"
        self.stills.append({"name": name, "t0": self.t_s, "t1": self.t_s + seconds, "boxes": boxes})
        lit = (image * self.light).astype(np.int16)
        for _ in range(count):
            self.frames.append(cv2.add(lit, _grain()[len(self.frames) % 4], dtype=cv2.CV_8U))

    def _boxes(self) -> list[dict[str, Any]]:
        config = self.state.config
        boxes = [self._tile(number, tile_name(config.value(number))) for number in self.state.route]
        boxes += [self._tile(0, "start"), self._tile(config.finish, "finish")]
        boxes += [self._collected(k, tile_name(config.value(n))) for k, n in enumerate(self._taken())]
        for colour, places in zip(config.colours, self.state.pawns, strict=True):
            boxes += [self._piece("figure", colour, places[:k].count(place), place) for k, place in enumerate(places)]
        guards = self.state.guards
        boxes += [self._piece("guard", "wood", guards[:k].count(place), place) for k, place in enumerate(guards)]
        x, y, face = self.die
        boxes.append({"class": "die", "value": face, "xyxy": self._standing((x, y), DIE), "visible": 1.0})
        return boxes

    def _taken(self) -> list[int]:
        return [tile for pile in self.state.collected for tile in pile]

    def _tile(self, place: int, name: str) -> dict[str, Any]:
        return self._tile_at(self.spots[place], name, 38.0 if name in ("start", "finish") else 22.0)

    def _collected(self, number: int, name: str) -> dict[str, Any]:
        return self._tile_at((20.0 + 46.0 * (number % 10), 285.0 - 50 * (number // 10)), name, 22.0)

    def _tile_at(self, pos: tuple[float, float], name: str, radius: float) -> dict[str, Any]:
        x, y = pos
        (left, top), (right, bottom) = self.plane.to_px([(x - radius, y - radius), (x + radius, y + radius)])
        kind = name if name in ("start", "finish", "luck") else "plus" if name[0] == "+" else "minus"
        value = int(name) if name[0] in "+-" else 0
        return {"class": f"tile_{kind}", "value": value, "xyxy": [left, top, right, bottom], "visible": 1.0}

    def _piece(self, kind: str, colour: str, index: int, place: int) -> dict[str, Any]:
        key = colour, index, place
        if key not in self._feet:
            self._feet[key] = self._free_foot(place)
        foot = self._feet[key]
        body = GUARD if kind == "guard" else PAWN
        return {"class": kind, "colour": colour, "xyxy": self._standing(foot, body), "visible": 1.0}

    def _free_foot(self, place: int) -> tuple[float, float]:
        """Somewhere on a place, not too close to what already stands there."""
        reach = 26.0 if place in (0, self.state.config.finish) else 12.0
        x, y = self.spots[place]
        best = (x, y)
        for _ in range(60):
            angle, r = self.random.uniform(0, 2 * math.pi), reach * math.sqrt(self.random.random())
            best = (x + r * math.cos(angle), y + r * math.sin(angle))
            others = [foot for (_, _, p), foot in self._feet.items() if p == place]
            if all(math.dist(best, other) > 14.0 for other in others):
                break
        return best

    def _standing(self, foot: tuple[float, float], body: Any) -> list[float]:
        return [float(v) for v in expected_box_px(self.plane, [foot], body)[0]]

    def _painted(self, boxes: list[dict[str, Any]], hand_mm: tuple[float, float] | None) -> NDArray[np.float32]:
        image = np.full((SIZE_WH[1], SIZE_WH[0], 3), PAINT["table"], np.uint8)
        for box in boxes:
            name = box["class"].removeprefix("tile_")
            left, top, right, bottom = (round(v) for v in box["xyxy"])
            centre, half = ((left + right) // 2, (top + bottom) // 2), ((right - left) // 2, (bottom - top) // 2)
            if box["class"].startswith("tile"):
                cv2.ellipse(image, centre, half, 0, 0, 360, PAINT[name], -1)
                if box["value"]:
                    cv2.putText(image, str(box["value"]), (left + 20, bottom - 18), 0, 0.6, (250, 250, 250), 2)
            elif name == "die":
                cv2.rectangle(image, (left, top), (right, bottom), PAINT["die"], -1)
                cv2.putText(image, str(box["value"]), (left + 8, bottom - 8), 0, 0.9, (20, 20, 20), 2)
            else:
                cv2.ellipse(image, centre, half, 0, 0, 360, PAINT["guard" if name == "guard" else box["colour"]], -1)
        if hand_mm is not None:
            x, y = (int(v) for v in self.plane.to_px([hand_mm])[0])
            cv2.circle(image, (x, y), 70, PAINT["hand"], -1)
            cv2.rectangle(image, (x - 45, y), (x + 45, SIZE_WH[1]), PAINT["hand"], -1)
        return image.astype(np.float32)


@cache
def _grain() -> list[NDArray[np.int16]]:
    """The camera's noise, a few patterns of it that take turns."""
    noise = np.random.default_rng(1)
    return [noise.normal(0, 1.5, (SIZE_WH[1], SIZE_WH[0], 3)).astype(np.int16) for _ in range(4)]


def _spots(state: State) -> dict[int, tuple[float, float]]:
    """Four rows of eight, back and forth; start and finish on the left."""
    spots = {}
    for number in range(1, state.config.finish):
        row, column = divmod(number - 1, 8)
        x = 110.0 + PITCH_MM * (column if row % 2 == 0 else 7 - column)
        spots[number] = (x, 30.0 + 52.0 * row)
    spots[0], spots[state.config.finish] = (42.0, 38.0), (42.0, 186.0)
    return spots
