"""Runs the referee of Qwixx Express on a source of frames: live with a hub for viewers, or on a recording."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from calibration.arrays import Image
from rules.protocol import InputError
from vision.dice import load_dice_eyes
from vision.errors import PhotoError
from vision.events import Json
from vision.frames import FrameSource
from vision.hub import Hub
from vision.journal import Journal
from vision.loop import LiveLoop, replayed
from vision.motion import MotionGate
from vision.qwixx.dice import read_hands, seats_of
from vision.qwixx.errors import SheetError
from vision.qwixx.live import Look, LookAt, QwixxReferee, seen_of
from vision.qwixx.rounds import SheetSeen
from vision.qwixx.sheet import load_mark_reader, read_sheets
from vision.snapshot import waiting
from vision.sources import open_source

LookFor = Callable[[Mapping[str, Any]], LookAt]
"""Makes what looks at frames for a setup."""


def camera_look(setup: Mapping[str, Any]) -> LookAt:
    """Looks with the networks of this installation: dice by their place, printed sheets by their markers.

    Raises ModelError.
    """
    seats = seats_of(setup)
    eyes, reader = load_dice_eyes(), load_mark_reader()

    def look(image: Image) -> Look:
        sheets: list[SheetSeen | None] = [None, None]
        papers = []
        try:
            for reading in read_sheets(image, reader):
                papers.append(reading.place.corners_px())
                if reading.copy in (0, 1):
                    sheets[reading.copy] = seen_of(reading)
        except SheetError:
            pass  # no sheet in view, or not well enough: photos of the sheets do as well
        return Look(read_hands(image, eyes, seats, papers), (sheets[0], sheets[1]))

    return look


def replay_qwixx(
    video: str, setup: Mapping[str, Any], speed: float | None = None,
    progress: Callable[[float], None] | None = None, look_for: LookFor = camera_look,
) -> Iterator[Json]:
    """Referee a recording; yields the lines as they become certain. ``setup["stops"]`` says when who called Stopp and
    when a round was over: ``{"t_s": 7.2, "player": "Anna"}``, ``{"t_s": 15, "do": "done"}``.

    Raises SetupError, SourceError or ModelError.
    """
    referee = QwixxReferee(setup, look_for(setup), MotionGate())
    yield from replayed(referee, open_source(video, speed=speed), progress)


def run_qwixx(
    source: FrameSource | str | int, setup: Mapping[str, Any], hub: Hub, journal: Journal | None = None, *,
    closing: threading.Event | None = None, on_line: Callable[[Json], None] | None = None,
    speed: float | None = 1.0, look_for: LookFor = camera_look,
) -> None:
    """Like :func:`vision.runner.run_referee`, for Qwixx Express."""
    hub.publish(waiting(setup))
    frames = source if isinstance(source, FrameSource) else open_source(source, speed=speed)
    with frames:
        referee = QwixxReferee(setup, look_for(setup), MotionGate())
        _Live(frames, setup, hub, journal, closing, on_line, referee).run()


class _Live(LiveLoop[QwixxReferee]):
    outdated = (ValueError, KeyError, TypeError, InputError, PhotoError)

    def go_on(self, referee: QwixxReferee, lines: Sequence[Json]) -> None:
        for line in lines:
            referee.rounds.replay(line)

    def obey(self, referee: QwixxReferee, command: Json) -> list[Json]:
        return referee.obey(command, self._t_s)

    def snapshot(self, referee: QwixxReferee) -> Json:
        return referee.snapshot(self._lines, self._t_s, self._fps)

    def before(self, image: Image | None) -> Image | None:
        return image
