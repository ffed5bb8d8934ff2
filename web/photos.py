"""Pictures that a browser sends, looked at before anything large is unpacked."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calibration.arrays import Image


def unpacked(data: bytes, size_wh: tuple[int, int] | None, most_pixels: int) -> Image | None:
    """The picture (H, W, 3) uint8, upright; None for one that is too large, or none at all (``size_wh`` None)."""
    if size_wh is None or not 0 < size_wh[0] * size_wh[1] <= most_pixels:
        return None
    import cv2
    import numpy as np

    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(image, np.uint8)


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a JPEG says it has, None for anything else. Looks before anything is unpacked."""
    at = 2
    if data[:2] != b"\xff\xd8":
        return None
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5:at + 9])
            return width, height
        at += 2 + int(struct.unpack(">H", data[at + 2:at + 4])[0])
    return None


def png_size(data: bytes) -> tuple[int, int] | None:
    """The same for a PNG."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height
