"""Endless training crops of tiles: printed lids laid on table tops anew in every batch, beside fully drawn scenes.

A drawn scene costs 30 ms and shows one printing once. A lid is drawn once and then seen in thousands of lights, turns
and sharpnesses, which is what reading numbers of eight pixels takes.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.classes import CROP_PX, TILE_CLASSES
from models.reader_net import More, to_input
from models.scene.assets import Assets
from models.scene.textures import TileStyle, tile_texture

LID_PX = 96
"""Lids are kept in this size: one and a half times what a crop can show."""

NONE = TILE_CLASSES.index("none")


def lids(count: int, seed: int, split: str, assets: Path | None) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """``count`` printed lids (N, LID_PX, LID_PX, 4) uint8 BGRA, each in a style of its own, and their classes (N,)."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, {"train": 0, "val": 1, "test": 2}[split], 8])
    files = Assets.load(assets, split)
    prints, classes = [], []
    for _ in range(count):
        k = int(rng.choice(19)) if rng.random() < 0.88 else int(rng.choice([10, 19, 20, 21, 22]))
        lid = tile_texture(TILE_CLASSES[k], TileStyle.draw(rng, files), rng)
        prints.append(np.asarray(cv2.resize(lid, (LID_PX, LID_PX), interpolation=cv2.INTER_AREA), np.uint8))
        classes.append(k)
    return np.stack(prints), np.array(classes, np.int64)


def endless(prints: NDArray[np.uint8], classes: NDArray[np.int64], tables: NDArray[np.uint8]) -> More:
    """Fresh crops for the training: random lids of ``prints`` on random ``tables`` (N, CROP_PX, CROP_PX, 3) BGR."""

    def more(count: int, generator: torch.Generator) -> tuple[torch.Tensor, NDArray[np.int64]]:
        pick = torch.randint(len(prints), (count,), generator=generator).numpy()
        under = torch.randint(len(tables), (count,), generator=generator).numpy()
        return laid(prints[pick], to_input(tables[under]), generator), classes[pick]

    return more


def laid(prints: NDArray[np.uint8], tables: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Lids (N, LID_PX, LID_PX, 4) laid on crops of tables (N, 3, CROP_PX, CROP_PX): crops of the same shape, RGB 0..1.

    Upright give or take 24 degrees, or head down, a little misplaced and foreshortened as a rectified crop is.
    """
    n = len(prints)

    def spread(low: float, high: float, *shape: int) -> torch.Tensor:
        return low + (high - low) * torch.rand(*(shape or (n,)), generator=generator)

    sheet = torch.from_numpy(np.ascontiguousarray(prints[..., [2, 1, 0, 3]].transpose(0, 3, 1, 2))).float().div_(255)
    across = spread(0.74, 0.99)
    turn = torch.deg2rad(spread(-24, 24)) + np.pi * (torch.rand(n, generator=generator) < 0.5)
    stretch = torch.exp(0.04 * torch.randn(n, generator=generator))
    cos, sin = torch.cos(turn) / across, torch.sin(turn) / across
    shift = 0.05 * torch.randn(n, 2, generator=generator)
    matrix = torch.stack(
        [torch.stack([cos * stretch, -sin, shift[:, 0]], 1), torch.stack([sin * stretch, cos, shift[:, 1]], 1)], 1
    )
    grid = nn.functional.affine_grid(matrix, [n, 4, CROP_PX, CROP_PX], align_corners=False)
    lying = nn.functional.grid_sample(sheet, grid, padding_mode="zeros", align_corners=False)
    colour, cover = lying[:, :3], lying[:, 3:]
    shade = nn.functional.interpolate(
        0.12 * torch.randn(n, 1, 3, 3, generator=generator), (CROP_PX, CROP_PX), mode="bicubic"
    )
    light = torch.exp(spread(-0.8, 0.35, n, 1, 1, 1) + 0.12 * torch.randn(n, 3, 1, 1, generator=generator) + shade)
    return _glare(tables * (1 - cover) + colour * light * cover, generator).clamp_(0, 1)


def _glare(batch: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """A pale veil over a part of some crops, and things that stand on the tile on others: blobs of one colour."""
    n = len(batch)
    y, x = torch.meshgrid(*(torch.linspace(-1, 1, CROP_PX),) * 2, indexing="ij")

    def blob(size: float) -> torch.Tensor:
        at = 0.5 * torch.randn(n, 2, 1, 1, generator=generator)
        wide = size * (0.4 + torch.rand(n, 2, 1, 1, generator=generator))
        return ((x - at[:, 0]) / wide[:, 0]) ** 2 + ((y - at[:, 1]) / wide[:, 1]) ** 2

    def chance(share: float) -> torch.Tensor:
        return (torch.rand(n, 1, 1, generator=generator) < share).float()

    veil = chance(0.25) * torch.exp(-blob(0.8)) * torch.rand(n, 1, 1, generator=generator)
    batch = batch + 0.6 * veil[:, None]
    for share in (0.4, 0.2):
        solid = (chance(share) * torch.sigmoid(12 * (1 - blob(0.26))))[:, None]
        batch = batch * (1 - solid) + solid * torch.rand(n, 3, 1, 1, generator=generator)
    return batch
