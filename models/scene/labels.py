"""Labels of a generated picture."""

from __future__ import annotations

from dataclasses import dataclass

from models.classes import DETECTOR_CLASSES


@dataclass(frozen=True, slots=True)
class Label:
    """One thing in a picture: whole box clipped to the picture, seen share of it, and what there is to read."""

    name: str
    xyxy_px: tuple[float, float, float, float]
    visible: float
    value: str = ""
    colour: str = ""
    pos_mm: tuple[float, float] = (0.0, 0.0)

    def yolo(self, size_wh: tuple[int, int]) -> str:
        """A line of a YOLO label file."""
        x0, y0, x1, y1 = self.xyxy_px
        w, h = size_wh
        k = DETECTOR_CLASSES.index(self.name)
        return f"{k} {(x0 + x1) / 2 / w:.6f} {(y0 + y1) / 2 / h:.6f} {(x1 - x0) / w:.6f} {(y1 - y0) / h:.6f}"
