"""What a detector found in one picture: one frozen type with checked shapes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.classes import DETECTOR_CLASSES


@dataclass(frozen=True, slots=True)
class Detections:
    """N boxes of one picture.

    ``xyxy_px`` float32 (N, 4): left, top, right, bottom in pixels of the full picture; ``class_id`` int64 (N,):
    index into :data:`models.classes.DETECTOR_CLASSES`; ``confidence`` float32 (N,) in 0..1.
    Raises ValueError when shapes or ranges do not fit.
    """

    xyxy_px: NDArray[np.float32]
    class_id: NDArray[np.int64]
    confidence: NDArray[np.float32]

    def __post_init__(self) -> None:
        n = len(self.xyxy_px)
        if self.xyxy_px.shape != (n, 4) or self.class_id.shape != (n,) or self.confidence.shape != (n,):
            raise ValueError(
                f"shapes do not fit: boxes {self.xyxy_px.shape}, classes {self.class_id.shape}, "
                f"confidences {self.confidence.shape}; expected (N, 4), (N,), (N,)"
            )
        if n and not (0 <= self.class_id.min() and self.class_id.max() < len(DETECTOR_CLASSES)):
            raise ValueError(f"class index outside 0..{len(DETECTOR_CLASSES) - 1}")

    def __len__(self) -> int:
        return len(self.xyxy_px)

    @classmethod
    def empty(cls) -> Detections:
        """No boxes."""
        return cls(np.zeros((0, 4), np.float32), np.zeros(0, np.int64), np.zeros(0, np.float32))

    def of(self, *names: str) -> Detections:
        """Only the boxes of the named classes."""
        wanted = [DETECTOR_CLASSES.index(name) for name in names]
        return self.where(np.isin(self.class_id, wanted))

    def where(self, keep: NDArray[np.bool_]) -> Detections:
        """Only the boxes whose ``keep`` (N,) is true."""
        return Detections(self.xyxy_px[keep], self.class_id[keep], self.confidence[keep])
