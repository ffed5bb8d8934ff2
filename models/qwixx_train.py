"""Training the reader of marks on score sheets of Qwixx Express."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import CROP_PX, MARK_CLASSES
from models.kept_crops import Crops, gather
from models.scene.assets import Assets
from models.scene.sheet import SheetScene, sheet_scene
from models.scene.sheet_flat import FlatSheet, flat_sheet

Image = NDArray[np.uint8]
Rng = np.random.Generator
SEEDS = {"train": 0, "val": 1_000_000, "test": 2_000_000}
SCENES = 25
"""Scenes of a chunk: about fifteen hundred crops."""

WIDE = 1.5
WIDE_PX = round(CROP_PX * WIDE)
"""Training crops show so much more than the reader sees, so that the field can be moved about in its view."""


def mark_crops(scene: SheetScene | FlatSheet, rng: Rng) -> Iterator[tuple[Image, int]]:
    """Wide crops of the fields of a scene with indices in MARK_CLASSES; of what is free only every second one."""
    from vision.qwixx.crops import field_square_mm, square_crop

    for field in scene.layout.fields:
        label = "hidden" if field.name in scene.hidden else scene.state[field.name]
        if label == "free" and rng.random() < 0.5:
            continue
        square = field_square_mm(field)
        middle = square.mean(0)
        crop = square_crop(scene.image, scene.to_px((square - middle) * WIDE + middle), WIDE_PX)
        yield crop, MARK_CLASSES.index(label)


def make_marks(first: int, scenes: int, split: str, assets: Path | None) -> Crops:
    """Crops of what fields bear, see :func:`make_crops`."""
    return make_crops(first, scenes, split, assets, mark_crops, 7)


def make_crops(
    first: int, scenes: int, split: str, assets: Path | None,
    cut: Callable[[SheetScene | FlatSheet, Rng], Iterator[tuple[Image, int]]], salt: int,
) -> Crops:
    """Crops of ``scenes`` scenes of one split from ``first`` on: whole scenes to validate, flat ones to train.

    ``cut``: cuts them out of a scene; ``salt``: tells the scenes of one kind of crops from those of another.
    """
    cv2.setNumThreads(1)
    files = Assets.load(assets, split)
    pairs: list[tuple[Image, int]] = []
    for seed in range(SEEDS[split] + first, SEEDS[split] + first + scenes):
        rng = np.random.default_rng([seed, salt])
        if split == "train":
            pairs += cut(flat_sheet(rng, files), rng)
        else:
            size = (1280, 720) if rng.random() < 0.4 else (960, 640)
            pairs += cut(sheet_scene(seed, files, size, crowd=0.6), rng)
    return np.stack([p[0] for p in pairs]), np.array([p[1] for p in pairs], np.int64)


def train_marks(
    work: Path, target: Path, chunks: int, epochs: int, assets: Path | None,
    told: Callable[[str], None] = print,
) -> float:
    """Train the reader and write it to ``target`` (ONNX); its accuracy on validation crops."""
    from models import mark_net

    crops, classes = gather(make_marks, SCENES, "fields", "train", chunks, work, assets, told)
    held, truth = gather(make_marks, SCENES, "fields", "val", 2, work, assets, told)
    net = mark_net.train(crops, classes, epochs, work / "mark_reader.pt", told=told)
    return mark_net.export(net, held, truth, target)
