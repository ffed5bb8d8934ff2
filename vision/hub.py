"""The one place where the referee and its viewers meet: the referee publishes, viewers subscribe, commands queue up.

A viewer that hangs never slows the referee: every subscriber has a bounded queue, and one that is full loses its
oldest entry (the page asks for the whole snapshot again when it notices a gap in ``seq``).
"""

from __future__ import annotations

import queue
import threading
import time
from typing import Any

from numpy.typing import NDArray

Json = dict[str, Any]

WATCHED_S = 3.0
"""Somebody watches who has asked for a picture within this time."""


class Hub:
    """Thread-safe exchange of events, the newest picture and commands.

    Events are JSON-ready dicts. ``snapshot`` is the whole state of the game as the page shows it, see
    ``ARCHITECTURE.md`` for its fields.
    """

    def __init__(self, queue_size: int = 256) -> None:
        self.commands: queue.Queue[Json] = queue.Queue()
        self._queue_size = queue_size
        self._lock = threading.Lock()
        self._subscribers: set[queue.Queue[Json]] = set()
        self._snapshot: Json = {"state": "waiting", "why": "", "seq": 0}
        self._frame: NDArray[Any] | None = None
        self._frame_number = 0
        self._asked_at = float("-inf")

    def publish(self, snapshot: Json) -> None:
        """Make ``snapshot`` the current one and hand it to every subscriber."""
        with self._lock:
            snapshot = {**snapshot, "seq": self._snapshot["seq"] + 1}
            self._snapshot = snapshot
            for subscriber in self._subscribers:
                _put_newest(subscriber, snapshot)

    def snapshot(self) -> Json:
        """The newest published snapshot."""
        with self._lock:
            return self._snapshot

    def subscribe(self) -> queue.Queue[Json]:
        """A queue that gets every snapshot from now on; give it back to :meth:`unsubscribe`."""
        subscriber: queue.Queue[Json] = queue.Queue(self._queue_size)
        with self._lock:
            self._subscribers.add(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: queue.Queue[Json]) -> None:
        """Forget a subscriber."""
        with self._lock:
            self._subscribers.discard(subscriber)

    def show(self, image_bgr: NDArray[Any]) -> None:
        """Make ``image_bgr`` (H, W, 3) uint8, overlay already drawn, the picture that viewers get."""
        with self._lock:
            self._frame = image_bgr
            self._frame_number += 1

    def watched(self) -> bool:
        """Whether somebody looks at the pictures at present; while nobody does, none need to be drawn."""
        with self._lock:
            return time.monotonic() - self._asked_at < WATCHED_S

    def picture(self) -> tuple[int, NDArray[Any] | None]:
        """The newest picture and its running number (0: none yet)."""
        with self._lock:
            self._asked_at = time.monotonic()
            return self._frame_number, self._frame


def _put_newest(target: queue.Queue[Json], item: Json) -> None:
    while True:
        try:
            target.put_nowait(item)
            return
        except queue.Full:
            try:
                target.get_nowait()
            except queue.Empty:
                continue
