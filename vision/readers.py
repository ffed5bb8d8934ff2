"""Reading small crops: the value of a tile, the top face of a die."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.plane import TablePlane
from models.classes import (
    CROP_PX,
    DIE_CLASSES,
    DIE_MARGIN,
    DIE_READER_ONNX,
    NUMBER_CLASSES,
    NUMBER_READER_ONNX,
    NUMBER_WH,
    TILE_CLASSES,
    TILE_CROP_MM,
    TILE_READER_ONNX,
)
from vision.errors import ModelError
from vision.runtime import OnnxRuntimeNetwork, checked_path, rgb_planes

_BATCH = 32


class CropReader:
    """A network that tells which of ``classes`` each crop shows.

    ONNX, input (N, 3, H, W) RGB 0..1, output logits (N, K), then ``more`` numbers that are no classes. The metadata
    key ``temperature`` (default 1) divides the logits, so that the probabilities mean what they say. Raises ModelError.
    """

    def __init__(
        self, path: Path, classes: Sequence[str], size_wh: tuple[int, int] = (CROP_PX, CROP_PX), more: int = 0
    ) -> None:
        self.classes, self._more = tuple(classes), more
        self._network = OnnxRuntimeNetwork(checked_path(Path(path)))
        self._temperature = _temperature(path, self._network.metadata.get("temperature", "1"))
        given = self._output(np.zeros((1, *size_wh[::-1], 3), np.uint8)).shape
        if given != (1, len(self.classes) + more):
            expected = f"(1, {len(self.classes) + more})"
            raise ModelError("wrong_output", path=str(path), given=str(given), expected=expected)

    def read(self, crops_bgr: Image) -> NDArray[np.float32]:
        """Probabilities (N, K) for crops (N, H, W, 3) uint8; each row adds up to 1."""
        return self.read_all(crops_bgr)[0]

    def read_all(self, crops_bgr: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """As :meth:`read`, and what else the network says (N, ``more``)."""
        parts = [self._output(crops_bgr[i : i + _BATCH]) for i in range(0, len(crops_bgr), _BATCH)]
        count = len(self.classes)
        if not parts:
            return np.zeros((0, count), np.float32), np.zeros((0, self._more), np.float32)
        out = np.concatenate(parts)
        logits = out[:, :count] / self._temperature
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float32), out[:, count:]

    def _output(self, crops_bgr: Image) -> NDArray[np.float32]:
        return self._network(rgb_planes(crops_bgr))


def tile_reader(path: Path = TILE_READER_ONNX) -> CropReader:
    """The reader of tile values (:data:`models.classes.TILE_CLASSES`). Raises ModelError."""
    return CropReader(path, TILE_CLASSES)


def number_reader(path: Path = NUMBER_READER_ONNX) -> CropReader:
    """The reader of printed numbers (:data:`models.classes.NUMBER_CLASSES`) in strips. Raises ModelError."""
    return CropReader(path, NUMBER_CLASSES, NUMBER_WH)


def die_reader(path: Path = DIE_READER_ONNX) -> CropReader:
    """The reader of die faces (:data:`models.classes.DIE_CLASSES`). Raises ModelError."""
    return CropReader(path, DIE_CLASSES)


def die_crop(image_bgr: Image, box_px: Any) -> Image:
    """The crop (64, 64, 3) of a die: a square around its box (4,), see :data:`models.classes.DIE_MARGIN`.

    Beyond the picture its edge is repeated. Shrinking averages, enlarging interpolates.
    """
    x1, y1, x2, y2 = (float(v) for v in np.asarray(box_px).reshape(4))
    side = max(2, round(DIE_MARGIN * max(x2 - x1, y2 - y1)))
    left, top = round((x1 + x2 - side) / 2), round((y1 + y2 - side) / 2)
    height, width = image_bgr.shape[:2]
    columns = np.clip(np.arange(left, left + side), 0, width - 1)
    rows = np.clip(np.arange(top, top + side), 0, height - 1)
    way = cv2.INTER_AREA if side > CROP_PX else cv2.INTER_LINEAR
    crop = cv2.resize(image_bgr[np.ix_(rows, columns)], (CROP_PX, CROP_PX), interpolation=way)
    return np.asarray(crop, np.uint8)


def tile_crop(image_bgr: Image, plane: TablePlane, pos_mm: Any, angle_deg: float = 0.0) -> Image:
    """The crop (64, 64, 3) of a tile at ``pos_mm`` (2,), seen from straight above, as the tile reader wants it."""
    return plane.rectify(image_bgr, pos_mm, TILE_CROP_MM, CROP_PX, angle_deg)


def _temperature(path: Path, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if value <= 0:
        raise ModelError("weights_corrupt", path=str(path), detail=f"temperature {text!r} is no positive number")
    return value
