"""The loop that every live referee shares: frames in, lines, snapshots and pictures out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from calibration.arrays import Image
from vision.events import Json
from vision.frames import Frame, FrameSource
from vision.hub import Hub
from vision.journal import Journal
from vision.why import NO_PICTURES

TICK_S = 0.5
"""A snapshot is published at least this often, so that viewers see the referee alive."""

SHOW_EVERY_S = 0.07
"""Pictures are shown to viewers no more often than this."""

READ_TIMEOUT_S = 0.5


class Steps(Protocol):
    """A referee of any game, as far as the loop knows it."""

    def step(self, image_bgr: Image, t_s: float) -> list[Json]:
        """The lines that became certain with this frame."""

    def finish(self, t_s: float) -> list[Json]:
        """The lines that become certain when no frame comes any more."""


R = TypeVar("R", bound=Steps)


def replayed(referee: Steps, source: FrameSource, progress: Callable[[float], None] | None) -> Iterator[Json]:
    """The lines of a recording; ``progress`` is told the time of every frame."""
    t_s = 0.0
    with source:
        for frame in source:
            t_s = frame.t_s
            yield from referee.step(frame.image_bgr, t_s)
            if progress is not None:
                progress(t_s)
    yield from referee.finish(t_s)


class LiveLoop(Generic[R]):
    """Referees a source until it ends or ``closing`` is set. A game says what is its own by overriding the methods
    without underscore; ``referee`` is None where it can only begin with a frame."""

    outdated: ClassVar[tuple[type[Exception], ...]] = (ValueError,)
    """What :meth:`obey` raises for a command that cannot be done any more."""

    def __init__(
        self, source: FrameSource, setup: Mapping[str, Any], hub: Hub, journal: Journal | None,
        closing: threading.Event | None, on_line: Callable[[Json], None] | None, referee: R | None = None,
    ) -> None:
        self._source, self._setup, self._hub, self._journal = source, setup, hub, journal
        self._closing, self._stays, self._on_line = closing or threading.Event(), closing is not None, on_line
        self._referee = referee
        self._lines: list[Json] = []
        self._settled: Image | None = None
        self._published: Json = {}
        self._published_at = self._shown_at = self._t_s = self._fps = 0.0

    def begin(self, image: Image) -> R | None:
        """The referee once a frame lets it begin; asked for every frame until then."""
        return None

    def go_on(self, referee: R, lines: Sequence[Json]) -> None:
        """An interrupted game: what had been played before."""
        raise NotImplementedError

    def obey(self, referee: R, command: Json) -> list[Json]:
        """The lines that a command of the page leads to."""
        raise NotImplementedError

    def snapshot(self, referee: R) -> Json:
        """The whole state of the game for the page."""
        raise NotImplementedError

    def drawn(self, referee: R, image: Image) -> Image:
        """The frame as viewers see it."""
        return image

    def before(self, image: Image | None) -> Image | None:
        """The picture that the journal keeps as the one before a line: where the line before was told."""
        return self._settled

    def run(self) -> None:
        """Until the source ends; then, with ``closing``, commands are served until that is set."""
        if self._referee is not None:
            self._resume(self._referee)
        while not self._closing.is_set() and not self._source.ended:
            self._commands()
            frame = self._source.read(READ_TIMEOUT_S)
            if frame is not None:
                self._frame(frame)
            elif self._referee is not None and not self._source.ended:
                self._publish(self._referee, {"state": "lost", "why": NO_PICTURES})
        if self._referee is not None:
            self._take(self._referee.finish(self._t_s), None)
        while self._stays and not self._closing.wait(0.1):
            self._commands()
            if self._referee is not None:
                self._publish(self._referee)

    def _frame(self, frame: Frame) -> None:
        if self._referee is None:
            self._referee = self.begin(frame.image_bgr)
        if self._referee is None:
            self._hub.show(frame.image_bgr)
            return
        passed = frame.t_s - self._t_s
        if 0 < passed < 2:
            self._fps += 0.1 * (1 / passed - self._fps)
        self._t_s = frame.t_s
        self._take(self._referee.step(frame.image_bgr, frame.t_s), frame.image_bgr)
        self._publish(self._referee)
        now = time.monotonic()
        if now - self._shown_at >= SHOW_EVERY_S:
            self._shown_at = now
            self._hub.show(self.drawn(self._referee, frame.image_bgr))

    def _resume(self, referee: R) -> None:
        if self._journal is None:
            return
        lines = self._journal.resume(self._setup)
        if lines is None:
            self._journal.begin(self._setup, datetime.now().astimezone().isoformat(timespec="seconds"))
            return
        self.go_on(referee, lines)
        self._lines = lines

    def _take(self, lines: list[Json], image: Image | None) -> None:
        if lines and self._journal is not None:
            with self._journal.together():
                for line in lines:
                    self._journal.add(line, self.before(image), image)
        for line in lines:
            self._lines.append(line)
            if self._on_line is not None:
                self._on_line(line)
        if lines and image is not None:
            self._settled = image

    def _commands(self) -> None:
        while not self._hub.commands.empty():
            command = self._hub.commands.get_nowait()
            if self._referee is None:
                continue
            try:
                self._take(self.obey(self._referee, command), None)
            except self.outdated:
                continue  # the question has been answered, nothing is left to undo, the turn is another now

    def _publish(self, referee: R, instead: Mapping[str, Any] | None = None) -> None:
        now = time.monotonic()
        new = {**self.snapshot(referee), **(instead or {})}
        calm = {k: v for k, v in new.items() if k not in ("t_s", "fps")}
        if calm != self._published or now - self._published_at > TICK_S:
            self._published, self._published_at = calm, now
            self._hub.publish(new)
