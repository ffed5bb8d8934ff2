"""The reader of Dice Flick holes: its network and training (extra ``train``: torch).

It sees a hole beside the median of all holes of the same board, so that it knows this light and this plate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models import reader_net
from models.classes import HOLE_CLASSES, HOLE_PX

Crops = NDArray[np.uint8]
Classes = NDArray[np.int64]


def build() -> nn.Module:
    """(N, 6, 32, 32) RGB 0..1 of the hole and of the board's median hole, to (N, K) logits; about 0.15 M weights."""

    def block(i: int, o: int) -> list[nn.Module]:
        return [nn.Conv2d(i, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(), nn.MaxPool2d(2)]

    return nn.Sequential(
        *block(6, 20), *block(20, 40), *block(40, 72), nn.Flatten(), nn.Dropout(0.25),
        nn.Linear(72 * (HOLE_PX // 8) ** 2, 96), nn.ReLU(), nn.Linear(96, len(HOLE_CLASSES)),
    )


def with_medians(crops: Crops, boards: NDArray[np.int64]) -> Crops:
    """Crops (N, h, w, 3) shrunk and put beside the median crop of their board: (N, HOLE_PX, HOLE_PX, 6)."""
    small = np.stack([cv2.resize(c, (HOLE_PX, HOLE_PX), interpolation=cv2.INTER_AREA) for c in crops])
    out = np.empty((*small.shape[:3], 6), np.uint8)
    for board in np.unique(boards):
        own = boards == board
        out[own, :, :, :3] = small[own]
        out[own, :, :, 3:] = np.median(small[own], axis=0).astype(np.uint8)
    return out


def to_input(crops: Crops) -> torch.Tensor:
    """uint8 BGR BGR (N, s, s, 6) to float RGB RGB 0..1 (N, 6, s, s)."""
    rgb = crops[..., [2, 1, 0, 5, 4, 3]].transpose(0, 3, 1, 2)
    return torch.from_numpy(np.ascontiguousarray(rgb)).float().div_(255)


def augment(batch: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Light and a cast of colour on both halves, mirrored, moved, coarsened and noisy; up stays up."""
    n = len(batch)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    flip = torch.rand(n, 1, 1, 1, generator=generator) < 0.5
    batch = torch.where(flip, batch.flip(3), batch)
    cast = torch.exp(0.15 * normal(n, 1, 1, 1) + 0.07 * normal(n, 3, 1, 1))
    batch = batch * cast.repeat(1, 2, 1, 1) + 0.03 * normal(n, 1, 1, 1)
    zoom, angle = torch.exp(0.05 * normal(n)), 0.08 * normal(n)
    cos, sin = zoom * torch.cos(angle), zoom * torch.sin(angle)
    shift = 0.05 * normal(n, 2)
    matrix = torch.stack([torch.stack([cos, -sin, shift[:, 0]], 1), torch.stack([sin, cos, shift[:, 1]], 1)], 1)
    grid = nn.functional.affine_grid(matrix, list(batch.shape), align_corners=False)
    batch = nn.functional.grid_sample(batch.clamp_(0, 1), grid, padding_mode="border", align_corners=False)
    third = n // 3
    coarse = nn.functional.avg_pool2d(batch[:third], 2)
    batch[:third] = nn.functional.interpolate(coarse, scale_factor=2.0, mode="bilinear")
    return (batch + 0.015 * normal(*batch.shape)).clamp_(0, 1)


def train(
    crops: Crops, classes: Classes, epochs: int, batch: int = 64, rate: float = 2e-3, seed: int = 0,
    start: nn.Module | None = None, told: Callable[[str], None] = print, checkpoint: Path | None = None,
) -> nn.Module:
    """AdamW with one cycle on crops (N, s, s, 6) of :func:`with_medians`; ``start``: a network to go on with.

    ``checkpoint``: kept after every pass; where it is there, training goes on from it.
    """
    torch.manual_seed(seed)
    net = start or build()
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.02)
    steps = max(2, epochs * (len(crops) // batch))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps, pct_start=0.15)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.02)
    generator = torch.Generator().manual_seed(seed)
    parts: dict[str, Any] = {"net": net, "optimiser": optimiser, "schedule": schedule}
    for epoch in range(_taken_up(parts, checkpoint), epochs):
        net.train()
        order, total = torch.randperm(len(crops), generator=generator).numpy(), 0.0
        for k in range(len(crops) // batch):
            chosen = np.sort(order[k * batch : (k + 1) * batch])
            loss = loss_of(net(augment(to_input(crops[chosen]), generator)), torch.from_numpy(classes[chosen]))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        told(f"epoch {epoch + 1}/{epochs}: loss {total / max(len(crops) // batch, 1):.4f}")
        if checkpoint is not None:
            torch.save({"epoch": epoch + 1, **{name: part.state_dict() for name, part in parts.items()}}, checkpoint)
    return net.eval()


def _taken_up(parts: Mapping[str, Any], checkpoint: Path | None) -> int:
    """Put the parts into the state of a checkpoint; how many passes it has seen."""
    if checkpoint is None or not checkpoint.exists():
        return 0
    saved = torch.load(checkpoint, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(saved[name])
    return int(saved["epoch"])


def logits_of(net: nn.Module, crops: Crops) -> NDArray[np.float32]:
    """Logits (N, K) of crops (N, s, s, 6)."""
    with torch.no_grad():
        parts = [net.eval()(to_input(crops[k : k + 256])).numpy() for k in range(0, len(crops), 256)]
    return np.asarray(np.concatenate(parts), np.float32)


def export(net: nn.Module, held: Crops, truth: Classes, target: Path) -> float:
    """Write the reader (ONNX) with a fitted temperature; its accuracy on held-out crops."""
    logits = logits_of(net, held)
    temperature = reader_net.fit_temperature(logits, truth)
    reader_net.export(net, target, HOLE_CLASSES, temperature, (6, HOLE_PX, HOLE_PX))
    return float((logits.argmax(1) == truth).mean())
