"""Pictures that a browser sends, looked at before anything large is unpacked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.picture_size import jpeg_size, png_size

if TYPE_CHECKING:
    from calibration.arrays import Image

__all__ = ["jpeg_size", "png_size", "unpacked"]


def unpacked(data: bytes, size_wh: tuple[int, int] | None, most_pixels: int) -> Image | None:
    """The picture (H, W, 3) uint8, upright; None for one that is too large, or none at all (``size_wh`` None)."""
    if size_wh is None or not 0 < size_wh[0] * size_wh[1] <= most_pixels:
        return None
    from vision.pictures import decoded

    return decoded(data, most_pixels)
