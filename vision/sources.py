"""Where pictures come from: recordings (every frame, in order) and live sources (the newest frame only)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Image
from vision.errors import SourceError
from vision.frames import Capture, Frame, FrameSource
from vision.live import LiveSource, NewestFrame
from vision.pictures import SUFFIXES, natural_order, pictures_in, quiet_opencv, read_picture

__all__ = ["Frame", "FrameSource", "NewestFrame", "Recording", "open_source"]

FOLDER_FPS = 2.0
CAMERA_WH = (1920, 1080)
DEVICES = Path("/sys/class/video4linux")
quiet_opencv()  # counts only before the first video is opened
_STREAMS = ("http://", "https://", "rtsp://", "rtsps://")


class Recording(FrameSource):
    """Frames that a generator makes, all of them, in order; ``speed`` 1 is real time, None as fast as they go."""

    def __init__(self, name: str, frames: Iterator[Frame], speed: float | None = None) -> None:
        self.name = name
        self._frames = frames
        self._speed = speed
        self._began_s: float | None = None
        self._ended = False

    @property
    def ended(self) -> bool:
        """See :class:`FrameSource`."""
        return self._ended

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """See :class:`FrameSource`. Raises SourceError for a picture that cannot be read."""
        frame = next(self._frames, None)
        if frame is None:
            self.close()
        elif self._speed:
            self._wait(frame.t_s / self._speed)
        return frame

    def _wait(self, due_s: float) -> None:
        now = time.monotonic()
        if self._began_s is None:
            self._began_s = now - due_s
        time.sleep(max(0.0, self._began_s + due_s - now))

    def close(self) -> None:
        """See :class:`FrameSource`."""
        self._ended = True
        close = getattr(self._frames, "close", None)
        if close is not None:
            close()


def open_source(spec: str | int, *, fps: float = FOLDER_FPS, speed: float | None = None) -> FrameSource:
    """The source that ``spec`` names.

    A camera number (``0``), a device path (``/dev/video0``), an address (``http://``, ``https://``, ``rtsp://``), a
    video file, or a folder of pictures (``fps`` a second). ``speed`` 1 plays files in real time; None as fast as they
    are fetched. Raises SourceError.
    """
    text = str(spec).strip()
    if text.isdigit():
        return LiveSource(text, camera_opener(int(text)), "camera_closed")
    if text.startswith("/dev/"):
        return LiveSource(text, camera_opener(text), "camera_closed")
    if text.lower().startswith(_STREAMS):
        return LiveSource(text, stream_opener(text), "stream_closed")
    if not text or "://" in text:
        raise SourceError("unknown_source", source=text)
    return _recording(Path(text), fps, speed)


def _recording(path: Path, fps: float, speed: float | None) -> Recording:
    if path.is_dir():
        pictures = pictures_in(path)
        if not pictures:
            raise SourceError("folder_empty", source=str(path))
        return Recording(str(path), _folder_frames(pictures, fps), speed)
    if not path.is_file():
        raise SourceError("file_missing", source=str(path))
    return Recording(str(path), _video_frames(path), speed)


def _folder_frames(pictures: list[Path], fps: float) -> Iterator[Frame]:
    for number, path in enumerate(pictures):
        image = read_picture(path)
        if image is None:
            raise SourceError("picture_unreadable", source=str(path))
        yield Frame(image, number / fps, number)


def _video_frames(path: Path) -> Iterator[Frame]:
    """Open at once, so that a file that is no video is noticed here; then give the frames."""
    capture = cv2.VideoCapture(str(path)) if path.suffix.lower() not in SUFFIXES else None
    opened, image = capture.read() if capture is not None and capture.isOpened() else (False, None)
    if capture is None or not opened or image is None:
        raise SourceError("not_a_video", source=str(path))
    return _rest_of_video(capture, np.asarray(image, np.uint8))


def _rest_of_video(capture: Any, image: Image | None) -> Iterator[Frame]:
    """Frames at the times the file says; where it says none, or goes backwards, by its frame rate."""
    fps = float(capture.get(cv2.CAP_PROP_FPS))
    step_s = 1 / fps if 0.1 < fps < 1000 else 1 / 25
    number, t_s, start_s = 0, 0.0, float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
    try:
        while image is not None:
            yield Frame(image, t_s, number)
            ok, following = capture.read()
            told_s = float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000 - start_s
            t_s = round(told_s, 6) if told_s > t_s else t_s + step_s
            number, image = number + 1, np.asarray(following, np.uint8) if ok else None
    finally:
        capture.release()


def camera_opener(camera: int | str, size_wh: tuple[int, int] = CAMERA_WH) -> Callable[[], Capture]:
    """Opens a camera at (up to) ``size_wh``, with the system's own interface and no queue of old frames.

    A camera that was unplugged may come back under another number; on Linux it is known by its name again.
    """
    known = device_name(camera)

    def opened() -> Capture:
        way = {"linux": cv2.CAP_V4L2, "win32": cv2.CAP_DSHOW}.get(sys.platform, cv2.CAP_ANY)
        capture = cv2.VideoCapture(same_device(camera, known), way)
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_wh[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_wh[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture

    return opened


def device_name(camera: int | str, devices: Path = DEVICES) -> str:
    """What Linux calls the camera with this number or path; empty where it does not say."""
    try:
        return (devices / _device(camera) / "name").read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def same_device(camera: int | str, known: str, devices: Path = DEVICES) -> int | str:
    """``camera``, or where the camera called ``known`` is now, if it is there no longer."""
    if not known or device_name(camera, devices) == known:
        return camera
    others = sorted(devices.iterdir(), key=natural_order) if devices.is_dir() else []
    for other in others:
        if device_name(other.name, devices) == known and _index(other) in ("", "0"):
            return f"/dev/{other.name}"
    return camera


def _device(camera: int | str) -> str:
    return f"video{camera}" if isinstance(camera, int) else camera.removeprefix("/dev/")


def _index(device: Path) -> str:
    """A camera has several devices; that of index 0 gives the pictures."""
    try:
        return (device / "index").read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def stream_opener(address: str, timeout_s: float = 8.0) -> Callable[[], Capture]:
    """Opens a network stream, giving up after ``timeout_s``."""

    def opened() -> Capture:
        patience = int(timeout_s * 1000)
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, patience, cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience]
        return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)

    return opened
