"""Whole pictures of a table about which it is known what lies where: what readers are fine-tuned with."""

from __future__ import annotations

import json
import os
import re
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.plane import TablePlane
from vision.reading import Box, Point

MOST_FRAMES = 40
"""More pictures than these are not kept; the oldest go first."""

LEAST_APART_S = 45.0
"""Pictures of a table that are taken sooner after the last one show hardly anything new."""

_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 92]
_NAME = re.compile(r"[0-9]{13}-[0-9a-f]{8}\.json")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a picture: tiles ``(value, pos_mm)``, dice ``(face, box_px)``, and what hides tiles."""

    tiles: tuple[tuple[str, Point], ...] = ()
    dice: tuple[tuple[str, Box], ...] = ()
    over_px: tuple[Box, ...] = ()


class Frames:
    """The kept pictures below ``folder`` (None: none are kept). Safe to use from several threads."""

    def __init__(self, folder: Path | None) -> None:
        self._folder, self._lock, self._last_s = folder, threading.Lock(), float("-inf")

    def __len__(self) -> int:
        return len(self._files())

    def keep(self, image_bgr: Image, plane: TablePlane, known: Known, always: bool = False) -> bool:
        """Keep a picture, unless there was one a moment ago (``always``: even then); whether it was kept."""
        with self._lock:
            now = time.monotonic()
            if self._folder is None or (not always and now - self._last_s < LEAST_APART_S):
                return False
            self._last_s = now
            try:
                self._write(image_bgr, plane, known)
            except OSError:
                return False  # a full disk or a folder without rights must not stop a game
            return True

    def _write(self, image: Image, plane: TablePlane, known: Known) -> None:
        assert self._folder is not None
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{time.time_ns() // 1_000_000:013d}-{uuid.uuid4().hex[:8]}"
        described = {
            "plane": plane.to_json(), "tiles": [[value, *pos] for value, pos in known.tiles],
            "dice": [[face, *box] for face, box in known.dice], "over": [list(box) for box in known.over_px],
        }
        (self._folder / f"{name}.jpg").write_bytes(bytes(cv2.imencode(".jpg", image, _JPEG)[1].tobytes()))
        part = self._folder / f"{name}.part"
        part.write_text(json.dumps(described), "utf-8")
        os.replace(part, self._folder / f"{name}.json")
        for old in self._files()[:-MOST_FRAMES]:
            old.unlink(missing_ok=True)
            old.with_suffix(".jpg").unlink(missing_ok=True)

    def all(self) -> list[tuple[Image, TablePlane, Known]]:
        """The pictures, oldest first; damaged ones are left out."""
        read = (_read(file) for file in self._files())
        return [one for one in read if one is not None]

    def _files(self) -> list[Path]:
        if self._folder is None or not self._folder.is_dir():
            return []
        return sorted(file for file in self._folder.iterdir() if _NAME.fullmatch(file.name))


def _read(file: Path) -> tuple[Image, TablePlane, Known] | None:
    try:
        data: Any = json.loads(file.read_text("utf-8"))
        image = cv2.imdecode(np.frombuffer(file.with_suffix(".jpg").read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        plane = TablePlane.from_json(data["plane"])
        known = Known(
            tuple((str(v), (float(x), float(y))) for v, x, y in data["tiles"]),
            tuple((str(face), _box(box)) for face, *box in data["dice"]),
            tuple(_box(box) for box in data["over"]),
        )
    except Exception:
        return None  # a damaged picture is left alone on the disk, the others go on
    return None if image is None else (np.asarray(image, np.uint8), plane, known)


def _box(values: Sequence[float]) -> Box:
    left, top, right, bottom = (float(v) for v in values)
    return left, top, right, bottom
