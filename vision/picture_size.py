"""How large a picture file says it is, before anything is unpacked: small files can claim to be gigantic."""

from __future__ import annotations

import struct

SizeWh = tuple[int, int]

MOST_PIXELS = 2**27
"""Pictures larger than this (134 megapixels) are not unpacked: no camera makes them, and they fill the memory."""

_ALONE = frozenset({0x01, *range(0xD0, 0xDA)})
_NO_FRAME = frozenset({0xC4, 0xC8, 0xCC})


def size_of(data: bytes) -> SizeWh | None:
    """Width and height that a JPEG, PNG, BMP, WebP or TIFF file says it has, None for anything else."""
    for size in (jpeg_size, png_size, bmp_size, webp_size, tiff_size):
        try:
            found = size(data)
        except struct.error:  # cut off
            found = None
        if found is not None:
            return found
    return None


def jpeg_size(data: bytes) -> SizeWh | None:
    """Width and height that a JPEG says it has, None for anything else."""
    at = 2
    if data[:2] != b"\xff\xd8":
        return None
    while at + 9 <= len(data):
        marker = data[at + 1]
        if data[at] != 0xFF:
            return None
        if marker == 0xFF or marker in _ALONE:
            at += 1 if marker == 0xFF else 2
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        else:
            at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return None


def png_size(data: bytes) -> SizeWh | None:
    """The same for a PNG."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR" or len(data) < 24:
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def bmp_size(data: bytes) -> SizeWh | None:
    """The same for a BMP."""
    if data[:2] != b"BM":
        return None
    width, height = struct.unpack("<ii", data[18:26])
    return abs(width), abs(height)


def webp_size(data: bytes) -> SizeWh | None:
    """The same for a WebP file of any of its three kinds."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    if data[12:16] == b"VP8X":
        return _three(data[24:27]) + 1, _three(data[27:30]) + 1
    if data[12:16] == b"VP8L":
        bits = int(struct.unpack("<I", data[21:25])[0])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack("<HH", data[26:30])
    return width & 0x3FFF, height & 0x3FFF


def tiff_size(data: bytes) -> SizeWh | None:
    """The same for a TIFF file (its first picture)."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
    if order is None:
        return None
    at = int(struct.unpack(f"{order}I", data[4:8])[0])
    found = {}
    for number in range(int(struct.unpack(f"{order}H", data[at : at + 2])[0])):
        entry = data[at + 2 + 12 * number : at + 14 + 12 * number]
        tag, kind = struct.unpack(f"{order}HH", entry[:4])
        if tag in (256, 257):
            form, end = ("H", 10) if kind == 3 else ("I", 12)
            found[tag] = int(struct.unpack(order + form, entry[8:end])[0])
    return (found[256], found[257]) if len(found) == 2 else None


def _three(data: bytes) -> int:
    return int.from_bytes(data, "little") if len(data) == 3 else 0
