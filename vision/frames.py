"""Frames, and what gives them: the common side of recordings and live sources."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

from calibration.arrays import Image


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture (H, W, 3) uint8, when it was taken (seconds since the source began), and its running number from 0."""

    image_bgr: Image
    t_s: float
    number: int


class FrameSource(ABC):
    """Frames one after the other. A context manager; iterating gives frames until the source has ended.

    ``name``: what a person calls it. ``live``: whether frames are lost when they are not fetched in time. ``paced``:
    whether they come by the clock, so that more of them come while one is thought about.
    """

    name: str = ""
    live: bool = False
    paced: bool = False

    @property
    @abstractmethod
    def ended(self) -> bool:
        """Whether no frame will come any more."""

    @property
    def connected(self) -> bool:
        """Whether frames come at present (a live source may reconnect)."""
        return not self.ended

    @abstractmethod
    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """The next frame; None when there is none within ``timeout_s``, or when the source has ended."""

    def ease(self, every_s: float) -> None:  # noqa: B027 (most sources have nothing to save)
        """From now on a frame every ``every_s`` is enough (0: as many as there are); a live source may save work."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files, cameras and threads. More than once does no harm."""

    def __iter__(self) -> Iterator[Frame]:
        while not self.ended:
            frame = self.read()
            if frame is not None:
                yield frame

    def __enter__(self) -> FrameSource:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that is used; ``grab()``, to take a frame without unpacking it, is optional."""

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        """Whether it opened."""

    def read(self) -> tuple[bool, Any]:
        """The next frame, if there is one."""

    def release(self) -> None:
        """Close it."""
