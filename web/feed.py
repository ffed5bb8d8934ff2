"""The chosen camera: gives pictures to the set-up pages, and is lent to the referee while a game is played."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, cast

from vision.frames import Frame, FrameSource
from vision.live import NewestFrame
from web.cameras import Camera

if TYPE_CHECKING:
    from calibration.arrays import Image

READ_S = 0.5
FIRST_S, FIRST_STEP_S = 1.0, 0.2
"""Of a recording, these pictures can be looked at before its game begins: nothing has happened in them yet."""

PHONE_GONE_S = 3.0


class Feed:
    """One camera that is open. A live one is read all the time, of a recording the first picture is shown.

    Raises SourceError where it does not open.
    """

    def __init__(self, camera: Camera, speed: float = 1.0) -> None:
        from vision.sources import open_source

        self.camera = camera
        self._speed = speed
        self._lock = threading.Lock()
        self._number, self._image = 0, cast("Image | None", None)
        self._first: list[Image] = []
        self._arrived_s = 0.0
        self._pump: threading.Thread | None = None
        self._pausing = threading.Event()
        self.phone = NewestFrame("phone") if camera.kind == "phone" else None
        self._source: FrameSource = self.phone or open_source(camera.spec, speed=speed)
        if self._source.live:
            self._start_pump()
        else:
            self._first_picture()

    @property
    def live(self) -> bool:
        """Whether pictures come by themselves."""
        return self._source.live

    @property
    def connected(self) -> bool:
        """Whether pictures come at present."""
        if self.phone is not None:
            return time.monotonic() - self._arrived_s < PHONE_GONE_S
        return not self.live or self._source.connected

    def picture(self) -> tuple[int, Image | None]:
        """The newest picture (H, W, 3) and its running number, 0 before the first."""
        with self._lock:
            return self._number, self._image

    def another(self) -> Image | None:
        """A picture to look at once more: the newest, of a recording that stands still the next of its first ones."""
        if self.live or self._number != 1 or not self._first:
            return self.picture()[1]
        with self._lock:
            self._first.append(self._first.pop(0))
            return self._first[-1]

    def lend(self) -> FrameSource:
        """The frames for a game; give it back with :meth:`take_back` when the game is over."""
        from vision.sources import open_source

        if self.live:
            self._stop_pump()
            return Lent(self, self._source)
        return Lent(self, open_source(self.camera.spec, speed=self._speed), own=True)

    def take_back(self) -> None:
        """The game is over: show pictures again."""
        if self.live and not self._source.ended and self._pump is None:
            self._start_pump()

    def close(self) -> None:
        """Let go of the camera."""
        self._stop_pump()
        self._source.close()

    def keep(self, image: Image) -> None:
        """Make ``image`` the newest picture."""
        with self._lock:
            self._number, self._image = self._number + 1, image
            self._arrived_s = time.monotonic()

    def _first_picture(self) -> None:
        due_s = 0.0
        with self._source:
            while (frame := self._source.read(READ_S)) is not None and frame.t_s <= FIRST_S:
                if frame.t_s >= due_s:
                    self._first.append(frame.image_bgr)
                    due_s += FIRST_STEP_S
        if self._first:
            self.keep(self._first[0])

    def _start_pump(self) -> None:
        self._pausing.clear()
        self._pump = threading.Thread(target=self._run, name="feed", daemon=True)
        self._pump.start()

    def _stop_pump(self) -> None:
        self._pausing.set()
        if self._pump is not None:
            self._pump.join(5)
            self._pump = None

    def _run(self) -> None:
        while not self._pausing.is_set() and not self._source.ended:
            frame = self._source.read(READ_S)
            if frame is not None:
                self.keep(frame.image_bgr)


class Lent(FrameSource):
    """The frames of a feed while a game has them; closing it leaves the camera open unless it is the game's own."""

    def __init__(self, feed: Feed, source: FrameSource, own: bool = False) -> None:
        self.name, self.live, self.paced = source.name, source.live, source.paced
        self._feed, self._source, self._own = feed, source, own
        self._closed = False

    @property
    def ended(self) -> bool:
        """See :class:`FrameSource`."""
        return self._closed or self._source.ended

    @property
    def connected(self) -> bool:
        """See :class:`FrameSource`."""
        return not self._closed and self._source.connected

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """See :class:`FrameSource`."""
        frame = None if self._closed else self._source.read(timeout_s)
        if frame is not None:
            self._feed.keep(frame.image_bgr)
        return frame

    def ease(self, every_s: float) -> None:
        """See :class:`FrameSource`."""
        self._source.ease(every_s)

    def close(self) -> None:
        """See :class:`FrameSource`."""
        self._closed = True
        self._source.ease(0.0)
        if self._own:
            self._source.close()
