"""Live sources: a thread of their own keeps the newest frame; old ones are dropped, lost cameras come back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import cv2
import numpy as np

from calibration.arrays import Image
from vision.errors import SourceError
from vision.frames import Capture, Frame, FrameSource

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 5.0


class NewestFrame(FrameSource):
    """A slot for one frame: whoever puts a newer one in replaces the old one. For pictures pushed from outside."""

    live = paced = True

    def __init__(self, name: str) -> None:
        self.name = name
        self._changed = threading.Condition()
        self._newest: Frame | None = None
        self._count = 0
        self._ended = False
        self._began_s = time.monotonic()

    @property
    def ended(self) -> bool:
        """See :class:`FrameSource`."""
        return self._ended

    def put(self, image_bgr: Image) -> None:
        """Make ``image_bgr`` (H, W, 3) uint8, taken now, the newest frame."""
        with self._changed:
            self._newest = Frame(image_bgr, time.monotonic() - self._began_s, self._count)
            self._count += 1
            self._changed.notify_all()

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """See :class:`FrameSource`; a frame is given once."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._ended, timeout_s)
            frame, self._newest = self._newest, None
            return None if self._ended else frame

    def close(self) -> None:
        """See :class:`FrameSource`."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()


class LiveSource(NewestFrame):
    """A camera or stream. ``opener`` opens it, now and again whenever it was lost.

    Raises SourceError with ``reason`` when it does not open or gives no picture at first.
    """

    def __init__(self, name: str, opener: Callable[[], Capture], reason: str, first_pause_s: float = _FIRST_PAUSE_S):
        super().__init__(name)
        self._opener = opener
        self._first_pause_s = first_pause_s
        self._closing = threading.Event()
        self._every_s = self._taken_s = 0.0
        capture = self._opened()
        if capture is None or not self._take(capture):
            if capture is not None:
                capture.release()
            raise SourceError(reason, source=name)
        self._connected = True
        self._thread = threading.Thread(target=self._run, args=(capture,), name=f"source {name}", daemon=True)
        self._thread.start()

    @property
    def connected(self) -> bool:
        """Whether frames come at present."""
        return self._connected and not self.ended

    def close(self) -> None:
        """See :class:`FrameSource`."""
        self._closing.set()
        super().close()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=2.0)

    def ease(self, every_s: float) -> None:
        """See :class:`FrameSource`: frames in between are not unpacked, which is most of their cost."""
        self._every_s = every_s

    def _run(self, capture: Capture | None) -> None:
        while not self._closing.is_set():
            self._connected = capture is not None and self._take(capture)
            if not self._connected:
                if capture is not None:
                    capture.release()
                capture = self._reopened()
        if capture is not None:
            capture.release()

    def _reopened(self) -> Capture | None:
        """Open again, with longer and longer pauses, until a capture opens; None when the source is closed."""
        pause_s = self._first_pause_s
        while not self._closing.wait(pause_s):
            capture = self._opened()
            if capture is not None:
                return capture
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
        return None

    def _opened(self) -> Capture | None:
        try:
            capture = self._opener()
        except (OSError, cv2.error):  # some drivers throw for what others only deny
            return None
        if capture.isOpened():
            return capture
        capture.release()
        return None

    def _take(self, capture: Capture) -> bool:
        """Take the next frame; False where the camera gives none any more."""
        grab = getattr(capture, "grab", None)
        try:
            if grab is not None and time.monotonic() - self._taken_s < self._every_s:
                return bool(grab())
            ok, image = capture.read()
        except (OSError, cv2.error):
            return False
        if not ok or image is None or not np.size(image):
            return False
        self._taken_s = time.monotonic()
        self.put(_in_colour(np.asarray(image, np.uint8)))
        return True


def _in_colour(image: Image) -> Image:
    """The picture as (H, W, 3), whatever the camera gives: grey, one channel, or with transparency."""
    if image.ndim == 3 and image.shape[2] == 3:
        return image
    if image.ndim == 3 and image.shape[2] == 4:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2BGR), np.uint8)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
