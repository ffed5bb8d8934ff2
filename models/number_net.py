"""The reader of the numbers that are printed on tiles: a strip of the tile in which the number stands upright.

Numbers of eight pixels somewhere on a crop of a whole tile are not learnt in hours; in the middle of a strip they are
learnt in minutes. The run time looks at a strip for every turn that a tile may lie in (``vision/numbers.py``).
Training pictures are lids, printed once and then cut out in a turn, light and sharpness of their own in every batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.classes import NUMBER_CLASSES, NUMBER_WH, STRIP_ACROSS, TILE_CLASSES
from models.reader_net import block, export, fit_temperature
from models.scene.assets import Assets
from models.scene.textures import TileStyle, table_texture, tile_texture

LID_PX = 96
UPRIGHT_DEG = 14.0
"""Numbers count as upright up to this turn; from CROOKED_DEG on as none."""
CROOKED_DEG = (32.0, 58.0)
NONE = NUMBER_CLASSES.index("none")


def build(classes: int = len(NUMBER_CLASSES)) -> nn.Module:
    """(N, 3, 32, 48) RGB 0..1 to (N, classes) logits; 0.3 M weights."""
    width, height = NUMBER_WH
    return nn.Sequential(
        *block(3, 16, 1), *block(16, 32, 2), *block(32, 48, 1), *block(48, 64, 2), *block(64, 96, 2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(96 * (width // 8) * (height // 8), 96),
        nn.ReLU(),
        nn.Linear(96, classes),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lids:
    """``prints`` (N, 4, LID_PX, LID_PX) uint8 RGBA; ``classes`` (N,) of TILE_CLASSES; ``at`` (N,): how far from the
    middle the numbers stand, in half widths of the tile; ``tables`` (M, 3, 64, 64) uint8 RGB."""

    prints: NDArray[np.uint8]
    classes: NDArray[np.int64]
    at: NDArray[np.float32]
    tables: NDArray[np.uint8]


def print_lids(count: int, seed: int, split: str, assets: Path | None) -> Lids:
    """``count`` lids, each in a style of its own, and a table for every fourth."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, {"train": 0, "val": 1, "test": 2}[split], 8])
    files = Assets.load(assets, split)
    numbers = [k for k, name in enumerate(TILE_CLASSES) if name[0] in "+-"]
    others = [TILE_CLASSES.index(name) for name in ("luck", "luck", "verflixxt", "start", "finish", "back")]
    prints, classes, at = [], [], []
    for _ in range(count):
        k = int(rng.choice(numbers if rng.random() < 0.85 else others))
        style = TileStyle.draw(rng, files)
        lid = cv2.resize(tile_texture(TILE_CLASSES[k], style, rng), (LID_PX, LID_PX), interpolation=cv2.INTER_AREA)
        prints.append(lid[..., [2, 1, 0, 3]].transpose(2, 0, 1))
        classes.append(k)
        at.append(2 * style.text_at if style.edges > 1 else 0.0)
    tops = [cv2.resize(table_texture(rng, files)[:256, :256], (64, 64))[..., ::-1] for _ in range(count // 4)]
    tables = np.stack(tops).transpose(0, 3, 1, 2)
    return Lids(np.stack(prints), np.array(classes, np.int64), np.array(at, np.float32), np.ascontiguousarray(tables))


def strips(lids: Lids, count: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Strips (count, 3, 32, 48) RGB 0..1 cut from random lids, and their classes (count,) of NUMBER_CLASSES."""

    def uniform(low: float, high: float, *shape: int) -> torch.Tensor:
        return low + (high - low) * torch.rand(*(shape or (count,)), generator=generator)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*(shape or (count,)), generator=generator)

    pick = torch.randint(len(lids.prints), (count,), generator=generator).numpy()
    crooked = torch.rand(count, generator=generator) < 0.2
    sign = torch.where(torch.rand(count, generator=generator) < 0.5, 1.0, -1.0)
    off = torch.where(crooked, sign * uniform(*CROOKED_DEG), UPRIGHT_DEG * (2 * uniform(0, 1) - 1))
    middle = torch.from_numpy(lids.at[pick])
    headlong = (torch.rand(count, generator=generator) < 0.5) & (middle > 0)
    turn = torch.deg2rad(off) + np.pi * headlong
    half = torch.tensor(STRIP_ACROSS) * torch.exp(0.11 * normal(count, 1))
    half = half * torch.exp(0.06 * normal(count, 2))
    cos, sin = torch.cos(turn), torch.sin(turn)
    x0, y0 = 0.06 * normal(), torch.where(middle > 0, 0.62, 0.0) + 0.05 * normal()
    matrix = torch.stack(
        [
            torch.stack([cos * half[:, 0], -sin * half[:, 1], cos * x0 - sin * y0], 1),
            torch.stack([sin * half[:, 0], cos * half[:, 1], sin * x0 + cos * y0], 1),
        ],
        1,
    )
    width, height = NUMBER_WH
    grid = nn.functional.affine_grid(matrix, [count, 4, height, width], align_corners=False)
    sheet = torch.from_numpy(lids.prints[pick]).float().div_(255)
    lying = nn.functional.grid_sample(sheet, grid, padding_mode="zeros", align_corners=False)
    under = torch.randint(len(lids.tables), (count,), generator=generator).numpy()
    table = torch.from_numpy(lids.tables[under, :, 16 : 16 + height, 8 : 8 + width]).float().div_(255)
    seen = table * (1 - lying[:, 3:]) + lying[:, :3] * lying[:, 3:]
    return _seen_by_a_camera(seen, generator), torch.from_numpy(_named(lids.classes[pick], crooked.numpy()))


def _named(tiles: NDArray[np.int64], crooked: NDArray[np.bool_]) -> NDArray[np.int64]:
    names = [TILE_CLASSES[k] for k in tiles]
    numbers = [NUMBER_CLASSES.index(name) if name in NUMBER_CLASSES else NONE for name in names]
    return np.where(crooked, NONE, np.array(numbers, np.int64))


def _seen_by_a_camera(batch: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Uneven light, colour casts, things in the way, coarse pixels (coarser along one direction), noise."""
    n, _, height, width = batch.shape

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    def chance(share: float) -> torch.Tensor:
        return (torch.rand(n, 1, 1, 1, generator=generator) < share).float()

    shade = nn.functional.interpolate(0.15 * normal(n, 1, 2, 3), (height, width), mode="bilinear")
    batch = batch * torch.exp(0.35 * normal(n, 1, 1, 1) - 0.15 + 0.12 * normal(n, 3, 1, 1) + shade)
    batch = batch + 0.06 * normal(n, 1, 1, 1).abs()
    y, x = torch.meshgrid(torch.linspace(-1, 1, height), torch.linspace(-1, 1, width), indexing="ij")
    at, wide = 0.9 * normal(n, 2, 1, 1), 0.15 + 0.35 * torch.rand(n, 2, 1, 1, generator=generator)
    blob = ((x - at[:, :1]) / wide[:, :1]) ** 2 + ((y - at[:, 1:]) / wide[:, 1:]) ** 2
    solid = chance(0.25) * torch.sigmoid(10 * (1 - blob))
    batch = (batch * (1 - solid) + solid * torch.rand(n, 3, 1, 1, generator=generator)).clamp_(0, 1)
    parts = list(batch[torch.arange(n)].chunk(10))
    for k in range(min(8, len(parts))):
        share = 0.3 + 0.7 * torch.rand(2, generator=generator)
        coarse = (max(9, int(height * float(share[0]))), max(14, int(width * float(share[1]))))
        small = nn.functional.interpolate(parts[k], coarse, mode="bilinear", antialias=True)
        small = small + 0.03 * torch.rand(1, generator=generator) * normal(*small.shape)
        parts[k] = nn.functional.interpolate(small, (height, width), mode="bilinear")
    return torch.cat(parts).clamp_(0, 1)


def train(
    target: Path,
    checkpoint: Path,
    lids: int = 6000,
    steps: int = 3700,
    batch: int = 160,
    rate: float = 2e-3,
    assets: Path | None = None,
    told: Callable[[str], None] = print,
) -> float:
    """Train the reader, going on from ``checkpoint`` if it is there, and write it to ``target`` (ONNX).

    Returns the share of validation strips that it reads right.
    """
    prints, held = print_lids(lids, 21, "train", assets), print_lids(400, 22, "val", assets)
    seen, truth = strips(held, 1500, torch.Generator().manual_seed(3))
    net = build().to(memory_format=torch.channels_last)
    optimiser, first = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.02), 0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(saved["net"])
        optimiser.load_state_dict(saved["optimiser"])
        first = int(saved["step"])
    measure = nn.CrossEntropyLoss(label_smoothing=0.03)
    for step in range(first, steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, 0.05 + step / (0.03 * steps)) * 0.5 * (1 + math.cos(math.pi * step / steps))
        net.train()
        crops, classes = strips(prints, batch, torch.Generator().manual_seed(step))
        loss = measure(net(crops.contiguous(memory_format=torch.channels_last)), classes)
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        if step % 200 == 199 or step == steps - 1:
            told(f"step {step + 1}/{steps}: loss {float(loss.detach()):.3f}, right {_right(net, seen, truth):.1%}")
            saved = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "step": step + 1}
            torch.save(saved, checkpoint)
    net.eval()
    with torch.inference_mode():
        logits = np.asarray(net(seen).numpy(), np.float32)
    width, height = NUMBER_WH
    export(net, target, NUMBER_CLASSES, fit_temperature(logits, truth.numpy()), (3, height, width))
    return _right(net, seen, truth)


def _right(net: nn.Module, strips_seen: torch.Tensor, truth: torch.Tensor) -> float:
    net.eval()
    with torch.inference_mode():
        return float((net(strips_seen).argmax(1) == truth).float().mean())
