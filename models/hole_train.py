"""Training of the hole reader (extra ``train``: torch): the readers' network on crops of generated boxes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models import reader_net
from models.classes import HOLE_CLASSES

Crops = NDArray[np.uint8]
Classes = NDArray[np.int64]


def augment(batch: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Light, a cast of colour, zoom, shift, a small turn; colours stay what they are, and up stays up."""
    n = len(batch)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    flip = torch.rand(n, 1, 1, 1, generator=generator) < 0.5
    batch = torch.where(flip, batch.flip(3), batch)
    batch = batch * torch.exp(0.15 * normal(n, 1, 1, 1) + 0.05 * normal(n, 3, 1, 1)) + 0.03 * normal(n, 1, 1, 1)
    zoom, angle = torch.exp(0.05 * normal(n)), 0.08 * normal(n)
    cos, sin = zoom * torch.cos(angle), zoom * torch.sin(angle)
    shift = 0.05 * normal(n, 2)
    matrix = torch.stack([torch.stack([cos, -sin, shift[:, 0]], 1), torch.stack([sin, cos, shift[:, 1]], 1)], 1)
    grid = nn.functional.affine_grid(matrix, list(batch.shape), align_corners=False)
    moved = nn.functional.grid_sample(batch.clamp_(0, 1), grid, padding_mode="border", align_corners=False)
    return reader_net._coarsened(moved, generator) if n >= 16 else moved


def train(
    crops: Crops, classes: Classes, epochs: int, batch: int = 128, rate: float = 2e-3, seed: int = 0,
    start: Path | None = None, told: Callable[[str], None] = print,
) -> nn.Module:
    """AdamW with one cycle; ``start``: weights to go on from."""
    torch.manual_seed(seed)
    net = reader_net.build(len(HOLE_CLASSES))
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True))
    net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.02)
    steps = max(2, epochs * (len(crops) // batch))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps, pct_start=0.1)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.02)
    generator = torch.Generator().manual_seed(seed)
    for epoch in range(epochs):
        net.train()
        order, total = torch.randperm(len(crops), generator=generator).numpy(), 0.0
        steps = len(crops) // batch
        for k in range(steps):
            chosen = np.sort(order[k * batch : (k + 1) * batch])
            images = augment(reader_net.to_input(crops[chosen]), generator)
            loss = loss_of(net(images.to(memory_format=torch.channels_last)), torch.from_numpy(classes[chosen]))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        told(f"epoch {epoch + 1}/{epochs}: loss {total / max(steps, 1):.4f}")
    return net.eval()


def export(net: nn.Module, held: Crops, truth: Classes, target: Path) -> float:
    """Write the reader (ONNX) with a fitted temperature; its accuracy on held-out crops."""
    logits = reader_net.logits_of(net, held)
    reader_net.export(net, target, HOLE_CLASSES, reader_net.fit_temperature(logits, truth))
    return float((logits.argmax(1) == truth).mean())
