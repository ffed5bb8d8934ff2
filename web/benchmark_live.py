"""Whole recordings refereed live, as users have it: a camera that goes by the clock, the loop with its threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from web.benchmark_loop import Jpegs, Json, plane_for

if TYPE_CHECKING:
    from calibration.arrays import Image

HELD_S = 2.0
"""The last picture is shown for so much longer, so that the last verdict can be told."""

RESTED_S = 0.3
"""A table that has not moved for so long is at rest: the verdict was for the last such time before it was told."""


@dataclass(slots=True)
class Watched:
    """``delays_s``: from the moment the table lies still to each verdict; ``gate_s``: what each picture that passed
    the gate cost (health and motion); ``given``: pictures that the camera gave."""

    delays_s: list[float] = field(default_factory=list)
    gate_s: list[float] = field(default_factory=list)
    given: int = 0

    def add(self, other: Watched) -> None:
        """Count another recording with this one."""
        self.delays_s += other.delays_s
        self.gate_s += other.gate_s
        self.given += other.given


class _Film:
    """``cv2.VideoCapture`` of a camera that shows pictures by the clock, whether somebody fetches them or not."""

    def __init__(self, jpegs: Jpegs) -> None:
        self.jpegs, self.began_s, self._shown = jpegs, 0.0, -1
        self.over = threading.Event()

    def isOpened(self) -> bool:  # noqa: N802
        return not self.over.is_set()

    def grab(self) -> bool:
        now = time.monotonic()
        self.began_s = self.began_s or now
        late = sum(t_s <= now - self.began_s for t_s, _ in self.jpegs[self._shown + 1 :])
        self._shown += max(late, 1)
        if self._shown >= len(self.jpegs):
            self.over.set()
            return False
        time.sleep(max(0.0, self.began_s + self.jpegs[self._shown][0] - time.monotonic()))
        return True

    def read(self) -> tuple[bool, Any]:
        return (True, _unpacked(self.jpegs[self._shown][1])) if self.grab() else (False, None)

    def release(self) -> None:
        pass


def watched(jpegs: Jpegs, setup: Json) -> Watched:
    """Referee pictures that come by the clock, which takes as long as the recording is."""
    from vision.hub import Hub
    from vision.live import LiveSource
    from vision.runner import run_referee
    from vision.watch import camera_eyes

    still_from, told_s, ends = _still_from(jpegs, setup), list[float](), threading.Event()
    eyes = camera_eyes(plane_for(setup, _size_wh(jpegs)), setup)

    def note(line: Json) -> None:
        if line["type"] in ("turn", "correction") and not ends.is_set():
            told_s.append(time.monotonic())

    film = _Film([*jpegs, *_held(jpegs)])
    with _gates() as gate_s:
        source = LiveSource("film", lambda: film, "camera_closed")
        arguments = {"closing": ends, "on_line": note, "eyes_for": lambda plane, setup: eyes}
        thread = threading.Thread(target=run_referee, args=(source, setup, Hub()), kwargs=arguments)
        thread.start()
        film.over.wait()
        ends.set()
        thread.join(20)
    delays_s = [t_s - film.began_s - _rest_before(still_from, t_s - film.began_s) for t_s in told_s]
    return Watched(delays_s, gate_s, len(film.jpegs))


def _held(jpegs: Jpegs) -> Jpegs:
    (t_s, last), step_s = jpegs[-1], jpegs[1][0] - jpegs[0][0]
    return [(t_s + k * step_s, last) for k in range(1, round(HELD_S / step_s) + 1)]


def _rest_before(still_from: Sequence[tuple[float, float]], t_s: float) -> float:
    """When the last rest began that a picture before ``t_s`` shows."""
    return [since_s for at_s, since_s in still_from if at_s <= t_s and at_s - since_s >= RESTED_S][-1]


def _still_from(jpegs: Jpegs, setup: Json) -> list[tuple[float, float]]:
    """Of each picture: when it was taken, and since when nothing had moved then."""
    from vision.motion import MotionGate

    gate, result = MotionGate(plane_for(setup, _size_wh(jpegs))), []
    for t_s, data in jpegs:
        result.append((t_s, t_s - gate.update(_unpacked(data), t_s)))
    return result


def _size_wh(jpegs: Jpegs) -> tuple[int, int]:
    height, width = _unpacked(jpegs[0][1]).shape[:2]
    return width, height


def _unpacked(data: bytes) -> Image:
    import cv2
    import numpy as np

    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


@contextmanager
def _gates() -> Iterator[list[float]]:
    """Seconds that each picture takes in the health check and the motion gate, while this lasts."""
    from vision.health import Health
    from vision.motion import MotionGate

    check, update, spent_s, before = Health.check, MotionGate.update, list[float](), [0.0]

    def timed_check(self: Any, frame: Any) -> Any:
        began = time.perf_counter()
        found = check(self, frame)
        before[0] = time.perf_counter() - began
        return found

    def timed_update(self: Any, image_bgr: Any, t_s: float) -> float:
        began = time.perf_counter()
        still_s = update(self, image_bgr, t_s)
        spent_s.append(before[0] + time.perf_counter() - began)
        return still_s

    Health.check, MotionGate.update = timed_check, timed_update  # type: ignore[method-assign]
    try:
        yield spent_s
    finally:
        Health.check, MotionGate.update = check, update  # type: ignore[method-assign]
