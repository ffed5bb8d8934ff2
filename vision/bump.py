"""Has the camera been moved? Compares a table at rest with the picture for which the plane was measured."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image

MOVED_PX = 4.0
_WIDTH = 640
_TILES_WH = (4, 3)
_LEAST_TILES = 3
_LEAST_RESPONSE = 0.15


@dataclass(frozen=True, slots=True)
class Shift:
    """How far the picture has moved: ``px`` in the camera's pixels, and how many parts of the picture say so."""

    px: float
    tiles: int

    @property
    def known(self) -> bool:
        """Enough of the picture could be compared."""
        return self.tiles >= _LEAST_TILES

    @property
    def moved(self) -> bool:
        """The camera stands differently: the plane is stale."""
        return self.known and self.px > MOVED_PX


class CameraWatch:
    """Remembers a reference picture and measures how far later pictures have moved against it.

    The picture's edges are compared in 4 x 3 tiles by phase correlation; the median over the tiles that correlate is
    the shift. Pieces and hands spoil single tiles only, light changes the edges little, and a turn or a zoom of the
    camera moves most tiles too. About 10 ms, so ask when the table has come to rest, not at every frame.
    """

    def __init__(self, reference_bgr: Image) -> None:
        self._shape = reference_bgr.shape[:2]
        self._reference = _tiles(reference_bgr)
        height, width = self._reference[0].shape
        self._window = np.asarray(cv2.createHanningWindow((width, height), cv2.CV_32F), np.float32)

    def shift(self, image_bgr: Image) -> Shift:
        """How far ``image_bgr``, of the reference's size, has moved. Raises ValueError for another size."""
        if image_bgr.shape[:2] != self._shape:
            raise ValueError(f"picture of {image_bgr.shape[:2]} instead of {self._shape}")
        found = []
        for before, now in zip(self._reference, _tiles(image_bgr), strict=True):
            (x, y), response = cv2.phaseCorrelate(before, now, self._window)
            if response > _LEAST_RESPONSE:
                found.append(np.hypot(x, y))
        px = float(np.median(found)) * self._shape[1] / _WIDTH if found else 0.0
        return Shift(px, len(found))


def _tiles(image: Image) -> list[NDArray[np.float32]]:
    """The edges of the picture, 640 px wide, cut into tiles."""
    height = round(_WIDTH * image.shape[0] / image.shape[1])
    small = cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    edges = np.asarray(cv2.sqrt(cv2.magnitude(across, down)), np.float32)
    columns, rows = _TILES_WH
    width, height = _WIDTH // columns, height // rows
    return [
        np.ascontiguousarray(edges[row * height : (row + 1) * height, column * width : (column + 1) * width])
        for row in range(rows)
        for column in range(columns)
    ]
