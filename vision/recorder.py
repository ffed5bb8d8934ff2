"""Keeps a live game so that it can be refereed again exactly: pictures, commands, setup, and what was known before.

The referee is given what is kept, not what the camera gave: pictures that went through JPEG, times in whole
milliseconds, a plane that went through the setup's file. So the kept game gives the same lines as the live one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import SourceError
from vision.events import Json
from vision.frames import Frame, FrameSource
from vision.motion import MotionGate
from vision.pictures import read_picture

QUALITY = 92
STILL_S, IDLE_EVERY_S = 2.0, 0.45
"""Where nothing has moved for ``STILL_S``, a picture every ``IDLE_EVERY_S`` is enough, for the referee as well."""

SETUP, LINES, COMMANDS = "setup.json", "lines.jsonl", "commands.jsonl"
_PREFIX = "t"


class Recorder(FrameSource):
    """A source whose frames are kept in ``folder`` from :meth:`begin` on.

    Raises SourceError for a folder that cannot be written to.
    """

    def __init__(self, source: FrameSource, folder: Path) -> None:
        self.name, self.live = source.name, source.live
        self.folder = folder
        self._source = source
        self._gate = MotionGate()
        self._kept_s = -1.0
        self._newest: tuple[float, bytes] | None = None
        self._begun = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / COMMANDS).touch()
        except OSError as error:
            raise SourceError("record_closed", source=str(folder)) from error

    @property
    def ended(self) -> bool:
        """See :class:`FrameSource`."""
        return self._source.ended

    @property
    def connected(self) -> bool:
        """See :class:`FrameSource`."""
        return self._source.connected

    def ease(self, every_s: float) -> None:
        """See :class:`FrameSource`."""
        self._source.ease(every_s)

    def close(self) -> None:
        """See :class:`FrameSource`."""
        self._source.close()

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """See :class:`FrameSource`; the picture as it is kept."""
        while True:
            frame = self._source.read(timeout_s)
            if frame is None:
                return None
            t_s = round(frame.t_s, 3)
            still_s = self._gate.update(frame.image_bgr, t_s)
            if t_s > self._kept_s and not (still_s > STILL_S and t_s - self._kept_s < IDLE_EVERY_S):
                return self._keep(frame, t_s)

    def begin(self, setup: Mapping[str, Any], lines: Sequence[Json]) -> None:
        """The referee starts with the newest frame; ``lines``: what has been played before."""
        (self.folder / SETUP).write_text(json.dumps(setup, ensure_ascii=False, indent=1), encoding="utf-8")
        if lines:
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            (self.folder / LINES).write_text(text, encoding="utf-8")
        self._begun = True
        if self._newest is not None:
            self._write(*self._newest)

    def note(self, command: Json, t_s: float) -> None:
        """A person's command, obeyed after the frame of ``t_s``."""
        if self._begun:
            with suppress(OSError), (self.folder / COMMANDS).open("a", encoding="utf-8") as out:
                out.write(json.dumps({**command, "at_s": t_s}, ensure_ascii=False) + "\n")

    def _keep(self, frame: Frame, t_s: float) -> Frame:
        self._kept_s = t_s
        data = cv2.imencode(".jpg", frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
        self._newest = t_s, data.tobytes()
        if self._begun:
            self._write(*self._newest)
        return Frame(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), t_s, frame.number)

    def _write(self, t_s: float, data: bytes) -> None:
        try:
            (self.folder / f"{_PREFIX}{round(t_s * 1000):09d}.jpg").write_bytes(data)
        except OSError:  # no room left: the game goes on, kept up to here
            self._begun = False


def free_folder(folder: Path) -> Path:
    """``folder``, or the first of ``folder/2``, ``folder/3``, ... in which no game is kept yet."""
    number, free = 1, folder
    while is_kept(free):
        number += 1
        free = folder / str(number)
    return free


def is_kept(folder: Path) -> bool:
    """Whether a folder holds a game that :class:`Recorder` kept."""
    return (folder / COMMANDS).is_file() and (folder / SETUP).is_file()


def kept_frames(folder: Path) -> Iterator[Frame]:
    """The frames of a kept game at their own times. Raises SourceError for a picture that cannot be read."""
    for number, path in enumerate(sorted(folder.glob(f"{_PREFIX}*.jpg"))):
        image = read_picture(path)
        if image is None or not path.stem[1:].isdigit():
            raise SourceError("picture_unreadable", source=str(path))
        yield Frame(image, int(path.stem[1:]) / 1000, number)


def kept_lines(folder: Path, name: str) -> list[Json]:
    """The JSON lines of ``LINES`` or ``COMMANDS`` of a kept game. Raises SourceError for others."""
    path = folder / name
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        return [dict(json.loads(line)) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError, TypeError) as error:
        raise SourceError("record_unreadable", source=str(path)) from error
