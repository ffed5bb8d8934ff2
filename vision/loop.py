"""The loop that every live referee shares: frames in, lines, snapshots and pictures out."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from calibration.arrays import Image
from vision.aside import Thinker, Told
from vision.events import Json
from vision.frames import Frame, FrameSource
from vision.health import Health, usable
from vision.hub import Hub
from vision.journal import Journal
from vision.why import NO_PICTURES, Text

TICK_S = 0.5
"""A snapshot is published at least this often, so that viewers see the referee alive."""

SHOW_EVERY_S = 0.07
"""Pictures are shown to viewers no more often than this."""

READ_TIMEOUT_S, THINKING_TIMEOUT_S = 0.5, 0.02
"""So long is waited for a frame, and while the referee thinks beside the loop."""

UNWATCHED_EVERY_S = 2.0
"""While nobody looks, a picture this often is enough: whoever comes next sees no old one."""

CALM_S, CALM_EVERY_S = 2.0, 0.12
"""When nothing has happened for ``CALM_S``, a frame every ``CALM_EVERY_S`` is enough to see that something does."""

CALM_STATES = frozenset({"at_rest", "needs_you", "waiting"})

WRITE_AGAIN_S = 5.0
"""What the journal could not write is tried again this often."""

BAD_S = 1.0
"""One bad picture is passed over in silence; viewers are told when nothing usable came for this long."""


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
        for frame in usable(source):
            t_s = frame.t_s
            yield from referee.step(frame.image_bgr, t_s)
            if progress is not None:
                progress(t_s)
    yield from referee.finish(t_s)


class LiveLoop(ABC, Generic[R]):
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
        self._health = Health(source.live)
        self._bad_since_s: float | None = None
        self._undrawn: Image | None = None
        self._calm_since_s = self._read_at = self._written_at = self._given_at = 0.0
        self._thinker: Thinker | None = None
        self._drawable: R | None = None

    def begin(self, image: Image) -> R | None:
        """The referee once a frame lets it begin; asked for every frame until then."""
        return None

    @abstractmethod
    def go_on(self, referee: R, lines: Sequence[Json]) -> None:
        """An interrupted game: what had been played before."""

    @abstractmethod
    def obey(self, referee: R, command: Json) -> list[Json]:
        """The lines that a command of the page leads to."""

    @abstractmethod
    def snapshot(self, referee: R) -> Json:
        """The whole state of the game for the page."""

    def drawn(self, referee: R, image: Image) -> Image:
        """The frame as viewers see it."""
        return image

    def drawable(self, referee: R) -> R:
        """What can be drawn while the referee thinks beside the loop."""
        return referee

    def before(self, image: Image | None) -> Image | None:
        """The picture that the journal keeps as the one before a line: where the line before was told."""
        return self._settled

    def run(self) -> None:
        """Until the source ends; then, with ``closing``, commands are served until that is set."""
        if self._referee is not None:
            self._resume(self._referee)
        while not self._closing.is_set() and not self._source.ended:
            self._collect()
            self._commands()
            self._spare()
            frame = self._source.read(THINKING_TIMEOUT_S if self._thinking else READ_TIMEOUT_S)
            if frame is not None:
                self._given_at = time.monotonic()
                self._frame(frame)
            else:
                self._no_frame()
        self._finish()
        while self._stays and not self._closing.wait(0.1):
            self._commands()
            if self._referee is not None:
                self._publish(self._referee)

    @property
    def _thinking(self) -> bool:
        return self._thinker is not None and self._thinker.busy

    def _no_frame(self) -> None:
        lately = time.monotonic() - self._given_at < READ_TIMEOUT_S
        if not self._source.ended and not (self._thinking and lately):
            self._without(NO_PICTURES)

    def _collect(self) -> None:
        """What the referee has thought of meanwhile, whether frames come or not."""
        if self._thinker is not None and self._referee is not None and self._told(self._thinker.told()):
            self._publish(self._referee)

    def _finish(self) -> None:
        if self._thinker is not None:
            self._told(self._thinker.close())
        if self._referee is not None:
            self._take(self._referee.finish(self._t_s), None)
            if self._undrawn is not None:
                self._hub.show(self.drawn(self._referee, self._undrawn))

    def _without(self, why: Text) -> None:
        """Nothing can be seen: viewers are told why, the referee is not asked."""
        if self._referee is not None:
            self._publish(self._referee, {"state": "lost", "why": why})
        elif self._hub.snapshot().get("why") != why:
            self._hub.publish({**self._hub.snapshot(), "why": why})

    def _passed_over(self, frame: Frame, why: Text) -> None:
        if self._bad_since_s is None:
            self._bad_since_s = frame.t_s
        if abs(frame.t_s - self._bad_since_s) >= BAD_S:
            self._without(why)
            self._hub.show(frame.image_bgr)

    def _frame(self, given: Frame) -> None:
        frame = self._health.check(given)
        if not isinstance(frame, Frame):
            self._passed_over(given, frame)
            return
        self._bad_since_s = None
        if self._referee is None:
            self._referee = self.begin(frame.image_bgr)
        if self._referee is None:
            self._hub.show(frame.image_bgr)
            return
        passed = frame.t_s - self._t_s
        if 0 < passed < 2:
            self._fps += 0.1 * (1 / passed - self._fps)
        self._t_s = frame.t_s
        if self._thinker is None:
            self._take(self._referee.step(frame.image_bgr, frame.t_s), frame.image_bgr)
        else:
            if not self._thinking:
                self._drawable = self.drawable(self._referee)
            self._told(self._thinker.take(frame))
        self._publish(self._referee)
        self._show(self._referee, frame.image_bgr)

    def _told(self, told: Told) -> bool:
        """Take what the referee has thought of beside the loop; whether it has thought to an end."""
        for lines, image in told:
            self._take(lines, image)
        return bool(told)

    def _show(self, referee: R, image: Image) -> None:
        now, self._undrawn = time.monotonic(), image
        if now - self._shown_at >= (SHOW_EVERY_S if self._hub.watched() else UNWATCHED_EVERY_S):
            self._shown_at, self._undrawn = now, None
            drawable = self._drawable if self._thinking else None
            self._hub.show(self.drawn(drawable or referee, image))

    def _spare(self) -> None:
        """Leave the computer alone while the table lies still: take frames of a live source less often."""
        if not self._source.live:
            return
        calm = self._t_s - self._calm_since_s >= CALM_S and self._published.get("state") in CALM_STATES
        self._source.ease(0.8 * CALM_EVERY_S if calm else 0.0)
        if calm:
            self._closing.wait(max(0.0, self._read_at + CALM_EVERY_S - time.monotonic()))
        self._read_at = time.monotonic()

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
        self._write_again()
        while not self._thinking and not self._hub.commands.empty():
            command = self._hub.commands.get_nowait()
            if self._referee is None:
                continue
            try:
                self._take(self.obey(self._referee, command), None)
            except self.outdated:
                continue  # the question has been answered, nothing is left to undo, the turn is another now

    def _write_again(self) -> None:
        now = time.monotonic()
        if self._journal is not None and self._journal.problem and now - self._written_at > WRITE_AGAIN_S:
            self._written_at = now
            self._journal.write()

    def _publish(self, referee: R, instead: Mapping[str, Any] | None = None) -> None:
        now = time.monotonic()
        if self._thinking:  # nobody may touch the referee: the newest snapshot goes on
            if not self._published:
                return
            known = {**self._published, "t_s": round(self._t_s, 2), "fps": round(self._fps, 1)}
        else:
            known = self.snapshot(referee)
        new = {**known, "warning": self._journal and self._journal.problem, **(instead or {})}
        calm = {k: v for k, v in new.items() if k not in ("t_s", "fps")}
        changed = calm != self._published
        if changed:
            self._calm_since_s = self._t_s
        if changed or now - self._published_at > TICK_S:
            self._published, self._published_at = calm, now
            self._hub.publish(new)
