"""Training the reader of dice that lie in the holes of Dice Flick: flat, small, in the shade of the rim, glaring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import kept_crops
from models.classes import DIE_CLASSES
from models.dataset import SEED_OF_SPLIT
from models.hole_crops import lattice_points
from models.scene.assets import Assets
from models.scene.flick import FlickTruth, flick_picture
from models.scene.labels import Label
from models.scene.sensor import expose

Image = NDArray[np.uint8]
Rng = np.random.Generator
BOARDS = 10
"""Boards of a chunk: about five hundred crops."""

EXPOSURES = 3
"""So often each board is photographed, from as many distances, in other light."""

_STAR, _NONE = DIE_CLASSES.index("face"), DIE_CLASSES.index("none")
_SEEN, _EMPTY = 0.35, 4
_FIRST = 300_000


def make(first: int, boards: int, split: str, folder: Path | None) -> kept_crops.Crops:
    """Crops (N, CROP_PX, CROP_PX, 3) of dice and of holes without one, with their classes (N,) in DIE_CLASSES; a star
    counts as ``face``."""
    cv2.setNumThreads(1)
    assets = Assets.load(folder, split)
    pairs: list[tuple[Image, int]] = []
    for seed in range(first, first + boards):
        rng = np.random.default_rng((SEED_OF_SPLIT[split] + _FIRST + seed, 31))
        side = int(rng.choice([520, 640, 800], p=[0.35, 0.4, 0.25]))
        image, labels, truth = flick_picture(rng, assets, (side, side), hands=0.05, fill=(16, 20), around=False)
        dice = [label for label in labels if label.name == "die"]
        for _ in range(EXPOSURES):
            pairs += _photographed(image, dice, truth, rng)
    return np.stack([crop for crop, _ in pairs]), np.array([kind for _, kind in pairs], np.int64)


def _photographed(image: Image, dice: Sequence[Label], truth: FlickTruth, rng: Rng) -> Iterator[tuple[Image, int]]:
    """Crops and classes from one photograph of the plate, its dice 24 to 75 px wide."""
    from vision.readers import die_crop

    low = np.maximum(truth.corners_px.min(0) - 20, 0).astype(int)
    high = np.maximum(truth.corners_px.max(0) + 20, low + 8).astype(int)
    plate = np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]])
    wide = float(np.median([one.xyxy_px[2] - one.xyxy_px[0] for one in dice])) if dice else 40.0
    scale = min(1.0, float(np.exp(rng.uniform(np.log(24), np.log(75)))) / wide)
    if scale < 1:
        plate = np.asarray(cv2.resize(plate, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    seen = expose(plate, rng)
    size = np.array([seen.shape[1], seen.shape[0]])
    for one in dice:
        box = (np.array(one.xyxy_px) - np.tile(low, 2)) * scale
        if (box[:2] < -4).any() or (box[2:] > size + 4).any() or one.visible < _SEEN:
            continue
        starred = one.colour == "pink" and (truth.star_everywhere or one.value == "6")
        jitter = rng.normal(0, 0.05, 4) * np.tile(box[2:] - box[:2], 2)
        yield die_crop(seen, box + jitter), _STAR if starred else int(one.value) - 1
    moved = replace(truth, corners_px=(truth.corners_px - low) * scale)
    for box in _empty_holes(moved, wide * scale, size, rng):
        yield die_crop(seen, box), _NONE


def _empty_holes(truth: FlickTruth, wide: float, size_wh: NDArray[np.int64], rng: Rng) -> Iterator[NDArray[np.float64]]:
    """Boxes (4,) of about a die's size at holes without one, first those with stickers: many show a die."""
    from vision.flick.lattice import Lattice

    lattice = Lattice.from_points(*lattice_points(truth))
    free = [hole for hole in truth.holes if hole.content != "die" and hole.visible > 0.5]
    mixed = [free[int(k)] for k in rng.permutation(len(free))]
    for hole in sorted(mixed, key=lambda hole: not hole.marker)[:_EMPTY]:
        spot = np.array([(hole.col - 1.0, hole.row - 1.0)])
        middle = lattice.to_px(spot)[0] + rng.normal(0, 0.06 * wide, 2)
        half = wide * np.exp(rng.normal(0, 0.1)) / 2
        if (middle > 2 * half).all() and (middle < size_wh - 2 * half).all():
            yield np.concatenate([middle - half, middle + half])


def gather_pips(
    split: str, chunks: int, folder: Path, assets: Path | None, told: Callable[[str], None] = print
) -> kept_crops.Crops:
    """Crops of ``chunks`` times BOARDS boards; those kept in ``folder`` are not made again."""
    return kept_crops.gather(make, BOARDS, "pips", split, chunks, folder, assets, told)


def train_pips(
    work: Path, target: Path, chunks: int, epochs: int, assets: Path | None, told: Callable[[str], None] = print
) -> float:
    """Train the reader and write it to ``target`` (ONNX); its accuracy on validation crops. Needs torch.

    Goes on from the die reader's checkpoint, where ``work`` holds one.
    """
    import torch

    from models import reader_net

    crops, classes = gather_pips("train", 2 * chunks, work, assets, told)
    held, truth = gather_pips("val", 8, work, assets, told)
    torch.manual_seed(1)
    net = reader_net.build(len(DIE_CLASSES), wide=True)
    if (start := work / "die_reader.pt").exists():
        net.load_state_dict(torch.load(start, weights_only=True)["net"])
    checkpoint = work / "pip_reader.pt"
    reader_net.train(net, crops, classes, epochs, checkpoint, batch=128, rate=1.2e-3, free=True, told=told)
    logits = reader_net.logits_of(net, held)
    reader_net.export(net, target, DIE_CLASSES, reader_net.fit_temperature(logits, truth), half=True)
    return float((logits.argmax(1) == truth).mean())
