"""Training crops for the hole reader, from generated boxes: what each of the 25 holes holds, board by board."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import HOLE_CLASSES
from models.dataset import SEED_OF_SPLIT
from models.scene.assets import Assets
from models.scene.flick import FlickTruth, HoleTruth, flick_picture
from models.scene.sensor import expose

Image = NDArray[np.uint8]
UNKNOWN = -1
"""In place of a class that nobody can tell."""

_HIDDEN = 0.55


def hole_class(hole: HoleTruth) -> str:
    """The class of a hole, see :data:`models.classes.HOLE_CLASSES`."""
    if hole.visible < _HIDDEN:
        return "hidden"
    if hole.content == "die":
        return "stacked" if hole.stacked else f"{hole.colour}_cocked" if hole.cocked else hole.colour
    return hole.marker or "empty"


def lattice_points(truth: FlickTruth) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Four (column, row) positions (4, 2) and where they are in the picture (4, 2): the plate's corners."""
    out = 0.5 / truth.lattice_share[0]
    cells = np.array([(-out, -out), (out, -out), (out, out), (-out, out)]) + 2.0
    return cells, truth.corners_px


def board_crops(
    image: Image, truth: FlickTruth, rng: np.random.Generator, jitter: float = 0.03
) -> tuple[Image, NDArray[np.int64]]:
    """Crops (25, CROP_PX, CROP_PX, 3) of a board's holes, and their classes (25,), UNKNOWN for holes beyond the
    picture. ``jitter``: how far the corners of the lattice are off, in pitches.
    """
    from vision.flick.lattice import Lattice, every_cell, square_crop

    cells, corners = lattice_points(truth)
    pitch = Lattice.from_points(cells, corners).pitch_px((2.0, 2.0))
    lattice = Lattice.from_points(cells, corners + rng.normal(0, jitter * pitch, (4, 2)))
    height, width = image.shape[:2]
    crops: list[Image] = []
    classes = np.full(25, UNKNOWN)
    for k, ((col, row), hole) in enumerate(zip(every_cell(), truth.holes, strict=True)):
        x, y, side = lattice.crop_box((float(col), float(row)))
        dx, dy, grow = rng.normal(0, jitter / 2, 3)
        crops.append(square_crop(image, x + dx * side / 1.4, y + dy * side / 1.4, side * np.exp(grow)))
        if 0.3 * side < x < width - 0.3 * side and 0.3 * side < y < height - 0.3 * side:
            classes[k] = HOLE_CLASSES.index(hole_class(hole))
    return np.array(crops, np.uint8), classes


def _exposed(image: Image, truth: FlickTruth, rng: np.random.Generator) -> tuple[Image, FlickTruth]:
    """The part of the picture around the plate as a camera sees it."""
    x0, y0 = np.maximum(truth.corners_px.min(0) - 20, 0).astype(int)
    x1, y1 = np.maximum(truth.corners_px.max(0) + 20, [x0 + 8, y0 + 8]).astype(int)
    moved = replace(truth, corners_px=truth.corners_px - [x0, y0])
    return expose(np.ascontiguousarray(image[y0:y1, x0:x1]), rng), moved


def make(first: int, count: int, split: str, folder: Path | None) -> tuple[Image, NDArray[np.int64]]:
    """``count`` generated boxes of a split, from seed ``first`` on: crops (count, 25, CROP_PX, CROP_PX, 3) and classes
    (count, 25), see :func:`board_crops`."""
    assets = Assets.load(folder, split)
    cv2.setNumThreads(1)
    parts = []
    for seed in range(first, first + count):
        rng = np.random.default_rng((SEED_OF_SPLIT[split] + seed, 11))
        side = int(rng.choice([360, 440, 560, 720], p=[0.25, 0.3, 0.3, 0.15]))
        image, _, truth = flick_picture(rng, assets, (side, side), hands=0.12, fill=(0, 14), around=False)
        parts.append(board_crops(*_exposed(image, truth, rng), rng))
    return np.stack([part[0] for part in parts]), np.stack([part[1] for part in parts])
