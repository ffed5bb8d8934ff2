"""Runs the referee of Qwixx Express on a source of frames: live with a hub for viewers, or on a recording."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from calibration.arrays import Image
from rules.protocol import InputError
from vision.errors import PhotoError
from vision.events import Json
from vision.frames import Frame, FrameSource
from vision.hub import Hub
from vision.journal import Journal
from vision.motion import MotionGate
from vision.qwixx.dice import load_table_dice, read_hands, seats_of
from vision.qwixx.errors import SheetError
from vision.qwixx.live import Look, LookAt, QwixxReferee, seen_of
from vision.qwixx.rounds import SheetSeen
from vision.qwixx.sheet import load_mark_reader, read_sheets
from vision.snapshot import waiting
from vision.sources import open_source
from vision.why import NO_PICTURES

TICK_S, SHOW_EVERY_S, READ_TIMEOUT_S = 0.5, 0.07, 0.5
LookFor = Callable[[Mapping[str, Any]], LookAt]
"""Makes what looks at frames for a setup."""


def camera_look(setup: Mapping[str, Any]) -> LookAt:
    """Looks with the networks of this installation: dice by their place, printed sheets by their markers.

    Raises ModelError.
    """
    seats = seats_of(setup)
    eyes, reader = load_table_dice(), load_mark_reader()

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
    t_s = 0.0
    with open_source(video, speed=speed) as source:
        for frame in source:
            t_s = frame.t_s
            yield from referee.step(frame.image_bgr, t_s)
            if progress is not None:
                progress(t_s)
    yield from referee.finish(t_s)


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


class _Live:
    def __init__(
        self, source: FrameSource, setup: Mapping[str, Any], hub: Hub, journal: Journal | None,
        closing: threading.Event | None, on_line: Callable[[Json], None] | None, referee: QwixxReferee,
    ) -> None:
        self._source, self._setup, self._hub, self._journal = source, setup, hub, journal
        self._closing, self._stays, self._on_line = closing or threading.Event(), closing is not None, on_line
        self._referee = referee
        self._lines: list[Json] = []
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
            self._hub.show(frame.image_bgr)

    def _resume(self) -> None:
        if self._journal is None:
            return
        lines = self._journal.resume(self._setup)
        if lines is None:
            self._journal.begin(self._setup, datetime.now().astimezone().isoformat(timespec="seconds"))
            return
        for line in lines:
            self._referee.rounds.replay(line)
        self._lines = lines

    def _take(self, lines: list[Json], image: Image | None) -> None:
        for line in lines:
            self._lines.append(line)
            if self._journal is not None:
                self._journal.add(line, image, image)
            if self._on_line is not None:
                self._on_line(line)

    def _commands(self) -> None:
        while not self._hub.commands.empty():
            try:
                self._take(self._referee.obey(self._hub.commands.get_nowait(), self._t_s), None)
            except (ValueError, KeyError, TypeError, InputError, PhotoError):
                continue  # outdated, or about something that is not there

    def _publish(self, instead: Mapping[str, Any] | None = None) -> None:
        now = time.monotonic()
        new = {**self._referee.snapshot(self._lines, self._t_s, self._fps), **(instead or {})}
        calm = {k: v for k, v in new.items() if k not in ("t_s", "fps")}
        if calm != self._published or now - self._published_at > TICK_S:
            self._published, self._published_at = calm, now
            self._hub.publish(new)
