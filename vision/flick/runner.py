"""Runs the Dice Flick referee on a source of frames: live with a hub for viewers, or on a recording."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from calibration.arrays import Image
from rules.dice_flick import Die, Markers
from rules.protocol import RecordError
from vision.events import Json
from vision.flick.draw import draw_result
from vision.flick.live import FlickReferee, ReadBox
from vision.flick.values import BoxReading
from vision.frames import FrameSource
from vision.hub import Hub
from vision.journal import Journal
from vision.loop import LiveLoop, replayed
from vision.motion import MotionGate
from vision.snapshot import waiting
from vision.sources import open_source

ReaderFor = Callable[[Mapping[str, Any]], ReadBox]
"""Makes what reads boxes for a setup."""


def camera_reader(setup: Mapping[str, Any]) -> ReadBox:
    """Reads boxes with the networks of this installation. Raises ModelError."""
    from vision.flick.eyes import load_flick_eyes
    from vision.flick.reading import read_box

    eyes = load_flick_eyes()

    def read(image: Image, layout: Markers | None) -> BoxReading:
        return read_box(image, eyes, layout)

    return read


def replay_flick(
    video: str, setup: Mapping[str, Any], speed: float | None = None,
    progress: Callable[[float], None] | None = None, reader_for: ReaderFor = camera_reader,
) -> Iterator[Json]:
    """Referee a recording; yields the lines as they become certain. Raises SetupError, SourceError or ModelError."""
    referee = FlickReferee(setup, reader_for(setup), MotionGate())
    yield from replayed(referee, open_source(video, speed=speed), progress)


def run_flick(
    source: FrameSource | str | int, setup: Mapping[str, Any], hub: Hub, journal: Journal | None = None, *,
    closing: threading.Event | None = None, on_line: Callable[[Json], None] | None = None,
    speed: float | None = 1.0, reader_for: ReaderFor = camera_reader,
) -> None:
    """Like :func:`vision.runner.run_referee`, for Dice Flick."""
    hub.publish(waiting(setup))
    frames = source if isinstance(source, FrameSource) else open_source(source, speed=speed)
    with frames:
        referee = FlickReferee(setup, reader_for(setup), MotionGate())
        _Live(frames, setup, hub, journal, closing, on_line, referee).run()


class _Live(LiveLoop[FlickReferee]):
    outdated = (ValueError, KeyError, TypeError, RecordError)

    def go_on(self, referee: FlickReferee, lines: Sequence[Json]) -> None:
        for line in lines:
            referee.replay(line)

    def obey(self, referee: FlickReferee, command: Json) -> list[Json]:
        return obey(referee, command, self._t_s)

    def snapshot(self, referee: FlickReferee) -> Json:
        return referee.snapshot(self._lines, self._t_s, self._fps)

    def drawn(self, referee: FlickReferee, image: Image) -> Image:
        if referee.reading is None or referee.state_name != "at_rest":
            return image
        return draw_result(image, referee.reading, referee.rounds.proposal())


def obey(referee: FlickReferee, command: Mapping[str, Any], t_s: float) -> list[Json]:
    """Do what a page asks: ``undo``, ``next`` (with ``points``), ``points`` of the last turn, ``hole``.

    Raises ValueError, KeyError, TypeError or RecordError for what cannot be done.
    """
    wanted = command.get("do")
    if wanted == "undo":
        return referee.undo(t_s)
    if wanted == "next":
        return referee.next_turn(t_s, command.get("points"))
    if wanted == "points":
        return referee.correct_points(int(command["points"]), t_s)
    if wanted == "hole":
        cell = int(command["row"]), int(command["col"])
        colour = command.get("colour")
        referee.correct_hole(cell, Die(*cell, str(colour), int(command["value"])) if colour else None)
    return []
