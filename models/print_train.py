"""Training the reader of what is printed on score sheets of Qwixx Express: numbers, locks, misthrow fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.classes import PRINT_CLASSES, PRINT_PX
from models.kept_crops import Crops, gather
from models.qwixx_train import SCENES, make_crops
from models.scene.sheet import SheetScene
from models.scene.sheet_flat import FlatSheet

Image = NDArray[np.uint8]
Rng = np.random.Generator
WIDE = 2.0
WIDE_PX = round(PRINT_PX * WIDE)
"""Training crops show so much more than the reader sees, so that the field can be moved about in its view."""

NONES = 14
"""So many crops of a sheet are of places without a field."""
_APART = 0.8
"""Such a place lies farther from every field than this share of its crop's side."""


def print_crops(scene: SheetScene | FlatSheet, rng: Rng) -> Iterator[tuple[Image, int]]:
    """Wide crops of the fields of a scene, and of places without one, with indices in PRINT_CLASSES."""
    from calibration.sheets.layout import LOCK, MISTHROW
    from vision.qwixx.crops import field_square_mm, square_crop

    def crop(square: NDArray[np.float64]) -> Image:
        middle = square.mean(0)
        return square_crop(scene.image, scene.to_px((square - middle) * WIDE + middle), WIDE_PX)

    fields = scene.layout.fields
    centres = np.array([one.centre_mm for one in fields])
    for field in fields:
        kind = str(field.value)
        if field.row == MISTHROW:
            kind = "minus" if field.minus else "small"
        elif field.value == LOCK:
            kind = "lock"
        if field.name in scene.hidden:
            kind = "none"
        yield crop(field_square_mm(field)), PRINT_CLASSES.index(kind)
    for _ in range(NONES):
        square = field_square_mm(fields[int(rng.integers(len(fields)))])
        side = square[1, 0] - square[0, 0]
        spot = rng.uniform(-0.15, 1.15, 2) * scene.layout.size_mm
        if np.linalg.norm(centres - spot, axis=1).min() > _APART * side:
            yield crop(square - square.mean(0) + spot), PRINT_CLASSES.index("none")


def make_prints(first: int, scenes: int, split: str, assets: Path | None) -> Crops:
    """Crops of what is printed, see :func:`models.qwixx_train.make_crops`."""
    return make_crops(first, scenes, split, assets, print_crops, 11)


def train_prints(
    work: Path, target: Path, chunks: int, epochs: int, assets: Path | None,
    told: Callable[[str], None] = print,
) -> float:
    """Train the reader and write it to ``target`` (ONNX); its accuracy on validation crops."""
    from models import print_net

    crops, classes = gather(make_prints, SCENES, "prints", "train", chunks, work, assets, told)
    held, truth = gather(make_prints, SCENES, "prints", "val", 2, work, assets, told)
    net = print_net.train(crops, classes, epochs, work / "print_reader.pt", told=told)
    return print_net.export(net, held, truth, target)
