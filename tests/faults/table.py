"""A live game on a drawn table whose camera misbehaves on purpose: no threads, no waiting, the same every time.

A :class:`Tape` is what the camera gives: frames, and ``None`` where it gives none. :func:`refereed` lets the live loop
play it and tells what was written and what viewers were shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from rules.protocol import Move
from rules.verflixxt.state import Turn
from tests.vision.fake_eyes import FakeEyes
from tests.vision.killed_game import CORNERS
from tests.vision.playing import happenings
from tests.vision.toy import FPS, SETUP, Toy
from vision.frames import Frame, FrameSource
from vision.hub import Hub
from vision.journal import Journal
from vision.reading import TableReading
from vision.runner import run_referee

Image = NDArray[np.uint8]
Shot = Frame | None

THUMB_WH = (96, 60)
ALIKE = 12.0
"""Mean difference (levels) up to which a picture shows one of the known stills."""


@cache
def toy() -> Toy:
    """Two turns and a correction: Anna moves right, Ben too far and puts it right."""
    toy = Toy({**SETUP, "calibration": CORNERS})
    toy.rest(0.8)
    toy.play(3, toy.game.legal_actions(toy.state, 3)[0])
    right = toy.game.judge(toy.state, toy.game.legal_actions(toy.state, 2)[0]).state
    toy.play(2, Turn(1, 2, (Move("pawn:blue", 0, 4),)))
    toy.put_right(right)
    return toy


def shots() -> list[Shot]:
    """The game as a faultless camera shows it."""
    return [Frame(image, k / FPS, k) for k, image in enumerate(toy().frames)]


def at_rest(still: int) -> float:
    """A moment in the middle of a still, in seconds."""
    still_ = toy().stills[still]
    return float((still_["t0"] + still_["t1"]) / 2)


class Tape(FrameSource):
    """Plays shots as a live camera would give them."""

    live = True

    def __init__(self, shots: Iterable[Shot]) -> None:
        self.name = "tape"
        self._shots = list(shots)
        self._next = 0

    @property
    def ended(self) -> bool:
        return self._next >= len(self._shots)

    @property
    def connected(self) -> bool:
        return not self.ended and self._shots[self._next] is not None

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        self._next += 1
        return self._shots[self._next - 1]

    def close(self) -> None:
        self._next = len(self._shots)


class StillEyes(FakeEyes):
    """Knows the stills of the game by their looks, whatever the time says; sees nothing in other pictures."""

    def __init__(self, plane: TablePlane, of: Toy | None = None) -> None:
        of = of or toy()
        super().__init__(of.stills, plane)
        firsts = [of.frames[round(still["t0"] * FPS)] for still in of.stills]
        self._thumbs = np.stack([_thumb(image) for image in firsts])

    def read(self, image_bgr: object, t_s: float) -> TableReading:
        off = np.abs(self._thumbs - _thumb(np.asarray(image_bgr, np.uint8))).mean(axis=(1, 2, 3))
        nearest = int(off.argmin())
        if off[nearest] > ALIKE:
            return TableReading(t_s)
        return FakeEyes([{**self._stills[nearest], "t0": 0.0}], self._plane).read(image_bgr, t_s)


@dataclass(frozen=True)
class Evening:
    """``lines``: what the referee wrote; ``shown``: every snapshot that viewers got, in order."""

    lines: list[dict[str, Any]]
    shown: list[dict[str, Any]]

    @property
    def played(self) -> list[tuple[Any, ...]]:
        """Turns and corrections in short."""
        return [h for h in happenings(self.lines) if h[0] in ("turn", "correction")]

    @property
    def scores(self) -> dict[str, int]:
        return {score["player"]: score["total"] for score in self.shown[-1]["scores"]}

    def said(self) -> list[tuple[str, str, str]]:
        """State and reason (German, English) as they followed each other."""
        told = [(s["state"], s["why"]["de"], s["why"]["en"]) for s in self.shown if isinstance(s["why"], dict)]
        return [words for k, words in enumerate(told) if k == 0 or words != told[k - 1]]


def refereed(tape: Iterable[Shot], journal: Journal | None = None, hub: Hub | None = None) -> Evening:
    """Let the live loop play a tape to its end."""
    lines: list[dict[str, Any]] = []
    hub = hub or Hub()
    shown: list[dict[str, Any]] = []
    publish = hub.publish

    def published(snapshot: dict[str, Any]) -> None:
        shown.append(snapshot)
        publish(snapshot)

    hub.publish = published  # type: ignore[method-assign]
    run_referee(
        Tape(tape), toy().setup, hub, journal, on_line=lines.append, eyes_for=lambda plane, setup: StillEyes(plane)
    )
    return Evening(lines, shown)


@cache
def faultless() -> Evening:
    """The game without any fault."""
    return refereed(shots())


def during(tape: list[Shot], start_s: float, seconds: float, change: Callable[[Image], Image]) -> list[Shot]:
    """The tape with ``seconds`` more at ``start_s``, in which every picture (the table at rest) is ``change``-d."""
    first = next(shot for shot in tape if shot is not None and shot.t_s >= start_s)
    held = [toy().frames[first.number + k % 2] for k in range(round(seconds * FPS))]
    spoilt = [Frame(change(image), first.t_s + k / FPS, first.number) for k, image in enumerate(held)]
    return [*_before(tape, first.t_s), *spoilt, *_later(tape, first.t_s, seconds)]


def without(tape: list[Shot], start_s: float, seconds: float) -> list[Shot]:
    """The tape with a pause of ``seconds`` at ``start_s`` in which the camera gives nothing."""
    return [*_before(tape, start_s), *[None] * round(2 * seconds), *_later(tape, start_s, seconds)]


def _before(tape: list[Shot], t_s: float) -> Iterator[Shot]:
    return (shot for shot in tape if shot is None or shot.t_s < t_s)


def _later(tape: list[Shot], t_s: float, seconds: float) -> Iterator[Shot]:
    for shot in tape:
        if shot is not None and shot.t_s >= t_s:
            yield Frame(shot.image_bgr, shot.t_s + seconds, shot.number)


def resized(tape: Iterable[Shot], size_wh: tuple[int, int]) -> list[Shot]:
    """The tape with pictures of another size."""
    def smaller(image: Image) -> Image:
        return np.asarray(cv2.resize(image, size_wh), np.uint8)

    return [shot and Frame(smaller(shot.image_bgr), shot.t_s, shot.number) for shot in tape]


def black(image: Image) -> Image:
    """The lens covered: dark, with the sensor's noise."""
    return np.asarray(np.random.default_rng(int(image[0, 0, 0])).integers(0, 9, image.shape), np.uint8)


def other_shape(image: Image) -> Image:
    """Half of the picture only: 480 x 600."""
    return np.ascontiguousarray(image[:, :480])


def _thumb(image: Image) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(image, THUMB_WH, interpolation=cv2.INTER_AREA), np.float32)

