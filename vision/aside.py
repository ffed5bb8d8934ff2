"""Thinking beside the loop: while the referee looks at the table, every frame still passes the motion gate, and viewers
get pictures."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Protocol

from calibration.arrays import Image
from calibration.plane import TablePlane
from vision.events import Json
from vision.frames import Frame
from vision.motion import MotionGate
from vision.patience import PATIENT
from vision.referee import Referee

AT_ONCE_S = 0.02
"""Most frames need no look: they are waited for this long."""

Told = list[tuple[list[Json], Image]]
"""Lines, and the picture they came from."""


class Thinker(Protocol):
    """A referee that may be asked beside the loop, one frame after the other. While it is ``busy`` nobody else may
    touch it."""

    @property
    def busy(self) -> bool:
        """Whether it still thinks."""

    def take(self, frame: Frame) -> Told:
        """Take the next frame; what became certain since the last one."""

    def told(self, within_s: float = 0.0) -> Told:
        """What became certain, if it has thought to an end (which is waited for so long)."""

    def close(self) -> Told:
        """Wait for the last thought."""


class Passed:
    """A motion gate that frames have passed already when the referee asks for what it says."""

    def __init__(self, plane: TablePlane) -> None:
        self.gate, self.still_s = MotionGate(plane), 0.0

    def update(self, image_bgr: Image, t_s: float) -> float:
        """See :class:`vision.referee.Motion`."""
        return self.still_s

    def replane(self, plane: TablePlane) -> None:
        """See :meth:`vision.motion.MotionGate.replane`."""
        self.gate.replane(plane)


class Aside:
    """A :class:`Thinker` for ``referee``, whose motion gate is ``passed``.

    Frames that come while it thinks are not shown to it, but for the last one on which something moved: so it sees a
    part of the frames, as from a slower camera, and misses no movement.
    """

    def __init__(self, referee: Referee, passed: Passed) -> None:
        self._referee, self._passed = referee, passed
        self._worker = ThreadPoolExecutor(1, "referee")
        self._thought: Future[Told] | None = None
        self._moved: tuple[Frame, float] | None = None

    @property
    def busy(self) -> bool:
        """See :class:`Thinker`."""
        return self._thought is not None

    def take(self, frame: Frame) -> Told:
        """See :class:`Thinker`."""
        still_s = self._passed.gate.update(frame.image_bgr, frame.t_s)
        told = self.told()
        if self.busy:
            if still_s < PATIENT.settle_s:
                self._moved = frame, still_s
            return told
        shown = [(frame, still_s)] if self._moved is None else [self._moved, (frame, still_s)]
        self._moved = None
        self._thought = self._worker.submit(self._think, shown)
        return told + self.told(AT_ONCE_S)

    def told(self, within_s: float = 0.0) -> Told:
        """See :class:`Thinker`. Raises what the referee raised."""
        if self._thought is None or not wait([self._thought], within_s).done:
            return []
        thought, self._thought = self._thought, None
        return thought.result()

    def close(self) -> Told:
        """See :class:`Thinker`."""
        self._worker.shutdown()
        return self.told()

    def _think(self, shown: Sequence[tuple[Frame, float]]) -> Told:
        told = []
        for frame, self._passed.still_s in shown:
            told.append((self._referee.step(frame.image_bgr, frame.t_s), frame.image_bgr))
        return told
