"""Runs the Dice Flick referee on a source of frames: live with a hub for viewers, or on a recording."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from calibration.arrays import Image
from rules.dice_flick import Die, Markers
from rules.protocol import RecordError
from vision.events import Json
from vision.flick.draw import draw_result
from vision.flick.live import FlickReferee, ReadBox
from vision.flick.values import BoxReading
from vision.frames import Frame, FrameSource
from vision.hub import Hub
from vision.journal import Journal
from vision.motion import MotionGate
from vision.snapshot import waiting
from vision.sources import open_source
from vision.why import NO_PICTURES

TICK_S, SHOW_EVERY_S, READ_TIMEOUT_S = 0.5, 0.07, 0.5

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
    t_s = 0.0
    with open_source(video, speed=speed) as source:
        for frame in source:
            t_s = frame.t_s
            yield from referee.step(frame.image_bgr, t_s)
            if progress is not None:
                progress(t_s)
    yield from referee.finish(t_s)


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


class _Live:
    def __init__(
        self, source: FrameSource, setup: Mapping[str, Any], hub: Hub, journal: Journal | None,
        closing: threading.Event | None, on_line: Callable[[Json], None] | None, referee: FlickReferee,
    ) -> None:
        self._source, self._setup, self._hub, self._journal = source, setup, hub, journal
        self._closing, self._stays, self._on_line = closing or threading.Event(), closing is not None, on_line
        self._referee = referee
        self._lines: list[Json] = []
        self._settled: Image | None = None
        self._published: Json = {}
        self._published_at = self._shown_at = self._t_s = self._fps = 0.0

    def run(self) -> None:
        self._resume()
        while not self._closing.is_set() and not self._source.ended:
            self._commands()
            frame = self._source.read(READ_TIMEOUT_S)
            if frame is not None:
                self._frame(frame)
            elif not self._source.ended:
                self._publish({"state": "lost", "why": NO_PICTURES})
        self._take(self._referee.finish(self._t_s), None)
        while self._stays and not self._closing.wait(0.1):
            self._commands()
            self._publish()

    def _frame(self, frame: Frame) -> None:
        passed = frame.t_s - self._t_s
        if 0 < passed < 2:
            self._fps += 0.1 * (1 / passed - self._fps)
        self._t_s = frame.t_s
        self._take(self._referee.step(frame.image_bgr, frame.t_s), frame.image_bgr)
        self._publish()
        now = time.monotonic()
        if now - self._shown_at >= SHOW_EVERY_S:
            self._shown_at = now
            self._hub.show(self._drawn(frame.image_bgr))

    def _drawn(self, image: Image) -> Image:
        reading = self._referee.reading
        if reading is None or self._referee.state_name != "at_rest":
            return image
        return draw_result(image, reading, self._referee.rounds.proposal())

    def _resume(self) -> None:
        if self._journal is None:
            return
        lines = self._journal.resume(self._setup)
        if lines is None:
            self._journal.begin(self._setup, datetime.now().astimezone().isoformat(timespec="seconds"))
            return
        for line in lines:
            self._referee.replay(line)
        self._lines = lines

    def _take(self, lines: list[Json], image: Image | None) -> None:
        for line in lines:
            self._lines.append(line)
            if self._journal is not None:
                self._journal.add(line, self._settled, image)
            if self._on_line is not None:
                self._on_line(line)
        if lines and image is not None:
            self._settled = image

    def _commands(self) -> None:
        while not self._hub.commands.empty():
            try:
                self._take(obey(self._referee, self._hub.commands.get_nowait(), self._t_s), None)
            except (ValueError, KeyError, TypeError, RecordError):
                continue  # outdated, or about a box that has not been seen

    def _publish(self, instead: Mapping[str, Any] | None = None) -> None:
        now = time.monotonic()
        new = {**self._referee.snapshot(self._lines, self._t_s, self._fps), **(instead or {})}
        calm = {k: v for k, v in new.items() if k not in ("t_s", "fps")}
        if calm != self._published or now - self._published_at > TICK_S:
            self._published, self._published_at = calm, now
            self._hub.publish(new)


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
