"""Runs the referee on a source of frames: live with a hub for viewers, or on a recording as fast as it goes."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from calibration.arrays import Image
from calibration.errors import CalibrationError
from calibration.plane import TablePlane
from vision import overlay
from vision.aside import Aside, Passed
from vision.commands import obey
from vision.events import Json
from vision.frames import FrameSource
from vision.health import usable
from vision.hub import Hub
from vision.journal import Journal
from vision.loop import LiveLoop
from vision.motion import MotionGate
from vision.recorder import COMMANDS, LINES, Recorder, is_kept, kept_frames, kept_lines
from vision.referee import Motion, Referee
from vision.snapshot import snapshot, waiting
from vision.sources import Recording, open_source
from vision.watch import SHEETS, WHOLE_BOX, EyesFor, camera_eyes, check_setup, new_referee, plane_of

RETRY_S = 1.0


def replay_lines(
    video: str, setup: Mapping[str, Any], *, speed: float | None = None,
    progress: Callable[[float], None] | None = None, eyes_for: EyesFor = camera_eyes, commands: Sequence[Json] = (),
) -> Iterator[Json]:
    """Referee a recording; yields the lines as they become certain, sentences as ``{"de", "en"}``.

    ``speed`` 1 is real time, None as fast as it goes; ``progress`` is told the time of every frame; ``commands``: what
    people told the referee of a game of tiles or figures, oldest first, each with its time ``at_s`` (a kept game has
    its own). The setup is checked before the first line. Raises SetupError, SourceError, PlaneError, MarkerError or
    ModelError.
    """
    check_setup(setup)
    if setup["game"] in SHEETS:
        from vision.qwixx.runner import replay_qwixx

        return replay_qwixx(video, setup, speed, progress)
    if setup["game"] in WHOLE_BOX:
        from vision.flick.runner import replay_flick

        return replay_flick(video, setup, speed, progress)
    if is_kept(Path(video)):
        return _kept(Path(video), setup, speed, progress, eyes_for)
    return _replayed(open_source(video, speed=speed), setup, progress, eyes_for, commands=commands)


def _replayed(
    source: FrameSource, setup: Mapping[str, Any], progress: Callable[[float], None] | None, eyes_for: EyesFor,
    lines: Sequence[Json] = (), commands: Sequence[Json] = (),
) -> Iterator[Json]:
    """``lines``: what had been played before; ``commands``: what people told the referee, oldest first."""
    referee: Referee | None = None
    t_s, waiting_commands = 0.0, deque(commands)
    with source:
        for frame in usable(source):
            referee = referee or _prepared(setup, frame.image_bgr, eyes_for, lines)
            t_s = frame.t_s
            yield from referee.step(frame.image_bgr, t_s)
            while waiting_commands and waiting_commands[0]["at_s"] <= t_s:
                with suppress(ValueError):
                    yield from obey(referee, waiting_commands.popleft(), t_s)
            if progress is not None:
                progress(t_s)
    if referee is not None:
        yield from referee.finish(t_s)


def _prepared(setup: Mapping[str, Any], image: Image, eyes_for: EyesFor, lines: Sequence[Json]) -> Referee:
    referee = new_referee(setup, image, eyes_for)
    if lines:
        _go_on(referee, lines)
    return referee


def _go_on(referee: Referee, lines: Sequence[Json]) -> None:
    """An interrupted game: what had been played before."""
    referee.resumed = True
    for line in lines:
        referee.history.replay(line)


def _kept(
    folder: Path, setup: Mapping[str, Any], speed: float | None, progress: Callable[[float], None] | None,
    eyes_for: EyesFor,
) -> Iterator[Json]:
    """A game kept by ``serve --record``, with what had been played before and what people said meanwhile."""
    lines, commands = kept_lines(folder, LINES), kept_lines(folder, COMMANDS)
    yield from lines
    yield from _replayed(Recording(str(folder), kept_frames(folder), speed), setup, progress, eyes_for, lines, commands)


def _measured(setup: Mapping[str, Any], image: Image) -> dict[str, Any]:
    """The setup with the plane that the referee uses, as a file keeps it."""
    return {**setup, "calibration": plane_of(setup, image).to_json()}


def run_referee(
    source: FrameSource | str | int, setup: Mapping[str, Any], hub: Hub, journal: Journal | None = None, *,
    closing: threading.Event | None = None, on_line: Callable[[Json], None] | None = None,
    speed: float | None = 1.0, eyes_for: EyesFor = camera_eyes,
) -> None:
    """Referee a source until it ends or ``closing`` is set; after a recording has ended, go on serving commands
    until then (without ``closing``, return).

    ``source``: frames, or what :func:`vision.sources.open_source` takes (``speed`` is for recordings). With a
    ``journal`` an unfinished game of the same setup goes on where it was. ``on_line`` is told every new line. From a
    :class:`vision.recorder.Recorder` the game is kept.
    Raises SetupError, SourceError, PlaneError, MarkerError or ModelError.
    """
    check_setup(setup)
    if setup["game"] in SHEETS:
        from vision.qwixx.runner import run_qwixx

        return run_qwixx(source, setup, hub, journal, closing=closing, on_line=on_line, speed=speed)
    if setup["game"] in WHOLE_BOX:
        from vision.flick.runner import run_flick

        return run_flick(source, setup, hub, journal, closing=closing, on_line=on_line, speed=speed)
    hub.publish(waiting(setup))
    frames = source if isinstance(source, FrameSource) else open_source(source, speed=speed)
    with frames:
        _Live(frames, setup, hub, journal, closing, on_line, eyes_for).run()


class _Live(LiveLoop[Referee]):
    def __init__(
        self, source: FrameSource, setup: Mapping[str, Any], hub: Hub, journal: Journal | None,
        closing: threading.Event | None, on_line: Callable[[Json], None] | None, eyes_for: EyesFor,
    ) -> None:
        super().__init__(source, setup, hub, journal, closing, on_line)
        self._eyes_for, self._retry_at = eyes_for, 0.0
        self._passed: Passed | None = None
        self._recorder = source if isinstance(source, Recorder) else None

    def begin(self, image: Image) -> Referee | None:
        """The referee once the table can be measured; a live source gets time to show its markers."""
        now = time.monotonic()
        if now < self._retry_at:
            return None
        try:
            setup = self._setup if self._recorder is None else _measured(self._setup, image)
            referee = new_referee(setup, image, self._eyes_for, self._gate)
        except CalibrationError as error:
            if not self._source.live:
                raise
            self._retry_at = now + RETRY_S
            self._hub.publish(waiting(self._setup, {"de": error.sentence("de"), "en": error.sentence("en")}))
            return None
        self._resume(referee)
        if self._recorder is not None:
            self._recorder.begin(setup, self._lines)
        if self._passed is not None:
            self._thinker = Aside(referee, self._passed)
        return referee

    def _gate(self, plane: TablePlane) -> Motion:
        if not self._source.paced:
            return MotionGate(plane)
        self._passed = Passed(plane)
        return self._passed

    def go_on(self, referee: Referee, lines: Sequence[Json]) -> None:
        _go_on(referee, lines)

    def obey(self, referee: Referee, command: Json) -> list[Json]:
        if self._recorder is not None:
            self._recorder.note(command, self._t_s)
        return obey(referee, command, self._t_s)

    def snapshot(self, referee: Referee) -> Json:
        return snapshot(referee, self._setup, self._lines, self._t_s, self._fps)

    def drawn(self, referee: Referee, image: Image) -> Image:
        return overlay.draw(image, referee)

    def drawable(self, referee: Referee) -> Referee:
        return referee.copied()
