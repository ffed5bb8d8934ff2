"""How well what was found is read: top faces of dice, values of tiles, on pictures whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from models.classes import DIE_CLASSES, TILE_CLASSES
from models.scene.labels import Label
from models.scoring import calibration_error, overlaps

if TYPE_CHECKING:
    from calibration.plane import TablePlane
    from vision.detections import Detections

LEAST_VISIBLE = 0.5
"""Things hidden more than half are not asked for."""


@dataclass(frozen=True, slots=True)
class Read:
    """One value: what kind of thing, what it is, what was read, and how sure the reader was (0..1)."""

    kind: str
    true: str
    read: str
    confidence: float


class ValueReaders:
    """The readers that the run time uses. Raises ModelError when one of them cannot be loaded."""

    def __init__(self) -> None:
        from vision.readers import die_reader, number_reader, tile_reader

        self._die, self._tile, self._number = die_reader(), tile_reader(), number_reader()

    def read(
        self, image: NDArray[np.uint8], found: Detections, labels: Sequence[Label], plane: TablePlane | None
    ) -> list[Read]:
        """Dice where the detector found them; tiles where they lie, if the plane is known."""
        asked = [label for label in labels if label.visible >= LEAST_VISIBLE]
        dice = self._dice(image, found, [label for label in asked if label.name == "die"])
        tiles = [label for label in asked if label.name in ("tile", "end_tile") and label.value in TILE_CLASSES]
        return dice + (self._tiles(image, plane, tiles) if plane is not None and tiles else [])

    def _dice(self, image: NDArray[np.uint8], found: Detections, dice: Sequence[Label]) -> list[Read]:
        from vision.readers import die_crop

        boxes = found.of("die").xyxy_px.astype(np.float64)
        shared = overlaps(np.array([d.xyxy_px for d in dice]).reshape(-1, 4), boxes)
        pairs = zip(dice, shared, strict=True)
        seen = [(_face(die), boxes[row.argmax()]) for die, row in pairs if row.max(initial=0) > 0.5]
        if not seen:
            return []
        told = self._die.read(np.stack([die_crop(image, box) for _, box in seen]))
        return [
            Read("die", value, DIE_CLASSES[int(row.argmax())], float(row.max()))
            for (value, _), row in zip(seen, told, strict=True)
        ]

    def _tiles(self, image: NDArray[np.uint8], plane: TablePlane, tiles: Sequence[Label]) -> list[Read]:
        from vision.values import TileValues

        told = TileValues(self._tile, self._number).read(image, plane, [tile.pos_mm for tile in tiles])
        return [
            Read("tile", tile.value, TILE_CLASSES[int(np.argmax(row))], max(row))
            for tile, row in zip(tiles, told, strict=True)
        ]


def _face(die: Label) -> str:
    """What the reader should say: pips, or that it is a colour die."""
    return die.value if die.value in DIE_CLASSES else "face"


def values_table(values: Sequence[Read]) -> str:
    """Accuracy and calibration error by kind, and by value, in Markdown; nothing if nothing was to be read."""
    lines = ["| read | things | right | calibration error | right by value |", "|---|---|---|---|---|"]
    for kind in sorted({v.kind for v in values}):
        mine = [v for v in values if v.kind == kind]
        right = np.array([v.true == v.read for v in mine])
        error = calibration_error(np.array([v.confidence for v in mine]), right)
        each = sorted({v.true for v in mine})
        by_value = ", ".join(f"{t}: {np.mean([v.read == t for v in mine if v.true == t]):.0%}" for t in each)
        lines.append(f"| {kind} | {len(mine)} | {right.mean():.1%} | {error:.3f} | {by_value} |")
    return "\n".join(lines) if len(lines) > 2 else ""
