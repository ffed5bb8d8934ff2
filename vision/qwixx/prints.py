"""The reader of what is printed on a score sheet: which field a place shows, and where in its crop that field lies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.sheets.layout import ROWS
from models.classes import PRINT_CLASSES, PRINT_PX, PRINT_READER_ONNX
from vision.qwixx.crops import square_crop
from vision.qwixx.place import SheetPlace
from vision.readers import CropReader

Floats = NDArray[np.float64]
COLUMNS = 11
LOCK_PRINT, SMALL, MINUS, NONE = (PRINT_CLASSES.index(name) for name in ("lock", "small", "minus", "none"))
_SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) / 2


class PrintReader(Protocol):
    """Tells what is printed in fields and where they lie."""

    def read(self, crops_bgr: Image) -> tuple[Floats, Floats]:
        """For crops (N, 40, 40, 3): probabilities (N, K) over :data:`models.classes.PRINT_CLASSES`, and where the
        field's middle lies (N, 2), right and down of the crop's middle, as shares of its side."""
        ...


class NetworkPrints:
    """A print reader from an ONNX file: see :class:`vision.readers.CropReader`, with the place as two more numbers."""

    def __init__(self, path: Path = PRINT_READER_ONNX) -> None:
        self._reader = CropReader(path, PRINT_CLASSES, (PRINT_PX, PRINT_PX), more=2)

    def read(self, crops_bgr: Image) -> tuple[Floats, Floats]:
        """See :class:`PrintReader`."""
        likely, off = self._reader.read_all(crops_bgr)
        return likely.astype(np.float64), off.astype(np.float64)


@cache
def load_print_reader() -> PrintReader:
    """The reader of what is printed. Raises ModelError."""
    return NetworkPrints()


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """What looks at a sheet say: ``likely`` (N, K) over PRINT_CLASSES for the field that each sees, ``at_mm`` (N, 2)
    where its middle lies."""

    likely: Floats
    at_mm: Points


def looks(
    image_bgr: Image, reader: PrintReader, place: SheetPlace, spots_mm: Points, side_mm: float
) -> Votes:
    """What squares of this side around spots (N, 2) show; those outside the picture show nothing."""
    quads = place.to_px((spots_mm[:, None] + side_mm * _SQUARE).reshape(-1, 2)).reshape(-1, 4, 2)
    likely = np.zeros((len(spots_mm), len(PRINT_CLASSES)))
    likely[:, NONE] = 1.0
    at = spots_mm.astype(np.float64).copy()
    height, width = image_bgr.shape[:2]
    middle = quads.mean(axis=1)
    inside = ((middle > 0) & (middle < (width, height))).all(axis=1).nonzero()[0]
    if len(inside):
        crops = np.stack([square_crop(image_bgr, quads[k], PRINT_PX) for k in inside])
        likely[inside], off = reader.read(crops)
        at[inside] += off * side_mm
    return Votes(likely, at)


def printed(row: str) -> NDArray[np.int64]:
    """The classes of a row's numbers from left to right (11,)."""
    numbers = range(2, 13) if row in ROWS[:2] else range(12, 1, -1)
    return np.array([PRINT_CLASSES.index(str(number)) for number in numbers])
