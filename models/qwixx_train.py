"""Training the reader of marks on score sheets of Qwixx Express."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import CROP_PX, MARK_CLASSES
from models.scene.assets import Assets
from models.scene.sheet import SheetScene, sheet_scene
from models.scene.sheet_flat import FlatSheet, flat_sheet

Image = NDArray[np.uint8]
Rng = np.random.Generator
Crops = tuple[NDArray[np.uint8], NDArray[np.int64]]
SEEDS = {"train": 0, "val": 1_000_000, "test": 2_000_000}
FIELDS_PER_SCENE = 40
SCENES = 25
"""Scenes of a chunk: a thousand crops."""


def mark_crops(scene: SheetScene | FlatSheet, rng: Rng, count: int) -> Iterator[tuple[Image, int]]:
    """Crops of fields of a scene, placed as inexactly as a found sheet is, with indices in MARK_CLASSES."""
    from vision.qwixx.crops import field_square_mm, square_crop

    weight = np.array([2.5 if scene.state[f.name] != "free" or f.name in scene.hidden else 1.0
                       for f in scene.layout.fields])
    picked = rng.choice(len(weight), min(count, len(weight)), replace=False, p=weight / weight.sum())
    for field in (scene.layout.fields[int(k)] for k in picked):
        square = field_square_mm(field)
        middle, side = square.mean(0), float(np.ptp(square[:, 0]))
        turn = np.radians(rng.normal(0, 1.5))
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        grow = np.exp(rng.normal(0, 0.03) + rng.normal(0, 0.03, 2))
        moved = ((square - middle) * grow) @ spin.T + middle + rng.normal(0, 0.025, 2) * side
        label = "hidden" if field.name in scene.hidden else scene.state[field.name]
        yield square_crop(scene.image, scene.to_px(moved)), MARK_CLASSES.index(label)


def make_marks(first: int, scenes: int, split: str, assets: Path | None) -> Crops:
    """Crops of ``scenes`` scenes of one split from ``first`` on: whole scenes to validate, flat ones to train."""
    cv2.setNumThreads(1)
    files = Assets.load(assets, split)
    pairs: list[tuple[Image, int]] = []
    for seed in range(SEEDS[split] + first, SEEDS[split] + first + scenes):
        rng = np.random.default_rng([seed, 7])
        if split == "train":
            pairs += mark_crops(flat_sheet(rng, files), rng, FIELDS_PER_SCENE)
        else:
            size = (1280, 720) if rng.random() < 0.4 else (960, 640)
            pairs += mark_crops(sheet_scene(seed, files, size, crowd=0.6), rng, FIELDS_PER_SCENE)
    return np.stack([p[0] for p in pairs]), np.array([p[1] for p in pairs], np.int64)


def gather(
    split: str, chunks: int, folder: Path, assets: Path | None, told: Callable[[str], None] = print
) -> Crops:
    """``chunks`` thousand crops, kept in ``folder``: an interrupted run goes on where it stopped."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for k in range(chunks):
        file = folder / f"mark_{split}_{k:04d}.npz"
        if not file.exists():
            crops, classes = make_marks(k * SCENES, SCENES, split, assets)
            np.savez(file, x=crops, y=classes)
        loaded = np.load(file)
        parts.append((loaded["x"], loaded["y"]))
        told(f"mark crops for {split}: {k + 1}/{chunks} thousand")
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def mark_net(classes: int) -> Any:
    """A small convolutional network: (N, 3, 64, 64) RGB 0..1 to (N, classes) logits, some 40,000 weights."""
    from torch import nn

    def block(i: int, o: int, size: int) -> list[nn.Module]:
        return [nn.Conv2d(i, o, size, 2, size // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU()]

    return nn.Sequential(
        *block(3, 12, 5), *block(12, 24, 3), *block(24, 48, 3), *block(48, 48, 3), nn.Flatten(), nn.Dropout(0.1),
        nn.Linear(48 * (CROP_PX // 16) ** 2, classes),
    )


def train_marks(
    work: Path, target: Path, chunks: int, epochs: int, assets: Path | None,
    told: Callable[[str], None] = print,
) -> float:
    """Train the reader and write it to ``target`` (ONNX); its accuracy on validation crops."""
    import torch

    from models import reader_net

    crops, classes = gather("train", chunks, work, assets, told)
    held, truth = gather("val", 2, work, assets, told)
    torch.manual_seed(1)
    net = mark_net(len(MARK_CLASSES))
    reader_net.train(net, crops, classes, epochs, work / "mark_reader.pt", told=told)
    logits = reader_net.logits_of(net, held)
    reader_net.export(net, target, MARK_CLASSES, reader_net.fit_temperature(logits, truth))
    return float((logits.argmax(1) == truth).mean())
