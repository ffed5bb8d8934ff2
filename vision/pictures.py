"""Reading picture files: any path, turned upright by their EXIF orientation."""

from __future__ import annotations

import os
import re
from pathlib import Path

import cv2
import numpy as np

from calibration.arrays import Image
from vision.picture_size import MOST_PIXELS, size_of

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


def read_picture(path: Path) -> Image | None:
    """The picture (H, W, 3) uint8 in blue, green, red, turned as its EXIF data say; None if it is no picture.

    Raises OSError when the file cannot be opened.
    """
    return decoded(path.read_bytes())


def decoded(data: bytes, most_pixels: int = MOST_PIXELS) -> Image | None:
    """The same for the bytes of a picture file; None too where it says that it has more than ``most_pixels``."""
    width, height = size_of(data) or (1, 1)
    if not data or not 0 < width * height <= most_pixels:
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder, in the order a person would put them (2 before 10)."""
    return sorted((path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES), key=natural_order)


def natural_order(path: Path) -> list[tuple[bool, int, str]]:
    """Sort key: numbers in the name count as numbers."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", path.name)]


def quiet_opencv() -> None:
    """Keep OpenCV and its video libraries from writing to standard error: errors are told in our own words."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    log = getattr(getattr(cv2, "utils", None), "logging", None)
    if log is not None:
        log.setLogLevel(log.LOG_LEVEL_SILENT)
