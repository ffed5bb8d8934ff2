"""The reader of Dice Flick holes: its network and training (extra ``train``: torch).

It sees the 25 holes of a board together: each beside the median of all, so that it knows this light and this plate,
and every hole's features beside those of the others, so that it knows what the same colour looks like elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models import reader_net
from models.classes import CROP_PX, HOLE_CLASSES
from models.hole_crops import UNKNOWN

Crops = NDArray[np.uint8]
Classes = NDArray[np.int64]
HOLES = 25
_TOKEN = 96


class HoleNet(nn.Module):
    """(25 n, 6, 64, 64) RGB 0..1 of whole boards, each hole and its board's median, to logits (25 n, K).

    ``boards``: whether more than one board comes at a time, as in training; the exported network reads one.
    """

    def __init__(self) -> None:
        super().__init__()

        def block(i: int, o: int, stride: int) -> list[nn.Module]:
            return [nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU()]

        self.body = nn.Sequential(
            *block(6, 16, 2), *block(16, 32, 2), *block(32, 64, 2), *block(64, 80, 1), nn.Conv2d(80, 32, 1), nn.ReLU(),
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * (CROP_PX // 8) ** 2, _TOKEN), nn.ReLU(),
        )
        self.query, self.key = nn.Linear(_TOKEN, 48), nn.Linear(_TOKEN, 48)
        self.mix = nn.Sequential(nn.Linear(4 * _TOKEN, 128), nn.ReLU(), nn.Dropout(0.15))
        self.head = nn.Linear(128 + _TOKEN, len(HOLE_CLASSES))
        self.boards = True

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Logits of the crops."""
        own = self.body(crops)
        own = own.view(-1, HOLES, _TOKEN) if self.boards else own.unsqueeze(0)
        alike = torch.softmax(self.query(own) @ self.key(own).transpose(1, 2) / 7.0, 2) @ own
        mean = own.mean(1, keepdim=True).expand_as(own)
        most = own.max(1, keepdim=True).values.expand_as(own)
        mixed = self.mix(torch.cat([own, alike, mean, most], 2))
        logits: torch.Tensor = self.head(torch.cat([mixed, own], 2)).flatten(0, 1)
        return logits


def to_input(boards: Crops) -> torch.Tensor:
    """uint8 BGR (B, 25, s, s, 3) to float (25 B, 6, s, s): RGB 0..1 of each hole and of its board's median."""
    medians = np.median(boards, axis=1, keepdims=True).astype(np.uint8)
    both = np.concatenate([boards[..., ::-1], np.broadcast_to(medians[..., ::-1], boards.shape)], axis=4)
    flat = both.reshape(-1, *both.shape[2:]).transpose(0, 3, 1, 2)
    return torch.from_numpy(np.ascontiguousarray(flat)).float().div_(255)


def augment(batch: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Boards mirrored, in other light and another cast of colour, coarser and noisy; each hole moved a little."""
    boards = len(batch) // HOLES

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    def same(values: torch.Tensor) -> torch.Tensor:
        return values.repeat_interleave(HOLES, 0)

    flip = same(torch.rand(boards, 1, 1, 1, generator=generator) < 0.5)
    batch = torch.where(flip, batch.flip(3), batch)
    cast = torch.exp(0.15 * normal(boards, 1, 1, 1) + 0.07 * normal(boards, 3, 1, 1))
    batch = batch * same(cast.repeat(1, 2, 1, 1)) + same(0.03 * normal(boards, 1, 1, 1))
    dx, dy = (int(v) for v in (1.5 * normal(2)).round().clamp(-3, 3))
    batch = torch.roll(batch, (dy, dx), (2, 3)).clamp_(0, 1)
    third = boards // 3 * HOLES
    coarse = nn.functional.avg_pool2d(batch[:third], 2)
    batch[:third] = nn.functional.interpolate(coarse, scale_factor=2.0, mode="bilinear")
    noisy = (batch[:, :3] + 0.015 * normal(len(batch), 3, *batch.shape[2:])).clamp_(0, 1)
    return torch.cat([noisy, batch[:, 3:]], 1)


def train(
    crops: Crops, classes: Classes, epochs: int, batch: int = 4, rate: float = 2e-3, seed: int = 0,
    start: HoleNet | None = None, told: Callable[[str], None] = print, checkpoint: Path | None = None,
) -> HoleNet:
    """AdamW with one cycle on boards (B, 25, s, s, 3) with classes (B, 25); ``batch``: boards in a step; ``start``: a
    network to go on with.

    ``checkpoint``: kept after every pass; where it is there, training goes on from it.
    """
    torch.manual_seed(seed)
    net = start or HoleNet()
    measure = nn.CrossEntropyLoss(label_smoothing=0.02, ignore_index=UNKNOWN)

    def loss_of(pick: NDArray[np.int64], generator: torch.Generator) -> torch.Tensor:
        chosen = np.sort(pick)
        seen = augment(to_input(crops[chosen]), generator).contiguous(memory_format=torch.channels_last)
        loss: torch.Tensor = measure(net(seen), torch.from_numpy(classes[chosen].ravel()))
        return loss

    reader_net.passes(net, loss_of, len(crops), epochs, batch, rate, checkpoint, seed, warm_up=0.15, told=told)
    return net


def logits_of(net: HoleNet, crops: Crops) -> NDArray[np.float32]:
    """Logits (25 B, K) of boards (B, 25, s, s, 3)."""
    net.eval()
    with torch.no_grad():
        parts = [net(to_input(crops[k : k + 8])).numpy() for k in range(0, len(crops), 8)]
    return np.asarray(np.concatenate(parts), np.float32)


def export(net: HoleNet, held: Crops, truth: Classes, target: Path) -> float:
    """Write the reader (ONNX) of one board with a fitted temperature; its accuracy on held-out boards."""
    known = truth.ravel() != UNKNOWN
    logits, classes = logits_of(net, held)[known], truth.ravel()[known]
    temperature = reader_net.fit_temperature(logits, classes)
    net.boards = False
    reader_net.export(net, target, HOLE_CLASSES, temperature, (6, CROP_PX, CROP_PX))
    net.boards = True
    return float((logits.argmax(1) == classes).mean())
