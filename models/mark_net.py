"""The reader of marks on score sheets: its network and training (extra ``train``: torch).

Beside what a field bears it says where in the crop the field lies, so that a sheet found inexactly can be put right.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models import reader_net
from models.classes import CROP_PX, MARK_CLASSES
from models.qwixx_train import WIDE

Crops = NDArray[np.uint8]
Classes = NDArray[np.int64]
KINDS = len(MARK_CLASSES)
_HIDDEN = MARK_CLASSES.index("hidden")
_FAR = 0.3
"""How far a field may lie from the middle of its crop, as a share of the crop's side."""


class PlacedNet(nn.Module):
    """A network whose ``body`` and ``head`` give logits, then where in its crop what it sees lies."""

    body: nn.Module
    head: nn.Module

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Logits and places of the crops."""
        out: torch.Tensor = self.head(self.body(crops))
        return out


class MarkNet(PlacedNet):
    """(N, 3, 64, 64) RGB 0..1 to (N, K + 2): logits of the classes, then how far right and down of the crop's middle
    the field's middle lies, as shares of the crop's side. 0.33 M weights."""

    def __init__(self) -> None:
        super().__init__()

        def block(i: int, o: int, size: int, stride: int) -> list[nn.Module]:
            return [nn.Conv2d(i, o, size, stride, size // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU()]

        self.body = nn.Sequential(
            *block(3, 16, 5, 2), *block(16, 32, 3, 2), *block(32, 64, 3, 2), *block(64, 64, 3, 1),
            nn.Conv2d(64, 32, 1), nn.ReLU(), nn.Flatten(), nn.Dropout(0.15),
            nn.Linear(32 * (CROP_PX // 8) ** 2, 128), nn.ReLU(),
        )
        self.head = nn.Linear(128, KINDS + 2)


def seen(wide: torch.Tensor, generator: torch.Generator, moved: bool = True) -> tuple[torch.Tensor, torch.Tensor]:
    """What the reader sees of wide crops (N, 3, W, W), and where in it the fields lie (N, 2).

    ``moved``: half of them lie anywhere up to a third of a side off, the others nearly in the middle; all turned a
    little, nearer or farther, in other light, coarser and noisy. Otherwise as they are.
    """
    n = len(wide)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    zoom, turn, shift = torch.ones(n, 2), torch.zeros(n), torch.zeros(n, 2)
    if moved:
        zoom, turn = torch.exp(0.06 * normal(n, 1) + 0.05 * normal(n, 2)), 0.04 * normal(n)
        anywhere = (2 * torch.rand(n, 2, generator=generator) - 1) * _FAR
        far = torch.rand(n, 1, generator=generator) < 0.5
        shift = torch.where(far, anywhere, 0.035 * normal(n, 2)).clamp(-_FAR, _FAR)
    crops = cut_out(wide, zoom / WIDE, turn, shift, CROP_PX)
    return (_worse(crops, generator) if moved else crops), shift


def cut_out(
    wide: torch.Tensor, zoom: torch.Tensor, turn: torch.Tensor, shift: torch.Tensor, side_px: int
) -> torch.Tensor:
    """The middle of wide crops (N, 3, W, W), as much of it as ``zoom`` (N, 2) says, turned by ``turn`` (N,) radians;
    what was in the middle then lies ``shift`` (N, 2) sides right and down of it."""
    cos, sin = torch.cos(turn), torch.sin(turn)
    spin = torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1) * zoom[:, :, None]
    at = -2 * (spin @ shift[:, :, None])
    grid = nn.functional.affine_grid(torch.cat([spin, at], 2), [len(wide), 3, side_px, side_px], align_corners=False)
    crops: torch.Tensor = nn.functional.grid_sample(wide, grid, padding_mode="border", align_corners=False)
    return crops


def _worse(crops: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Other light and another cast of colour; a part of them as coarse as a far camera sees them, with noise."""
    n = len(crops)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    crops = crops * torch.exp(0.18 * normal(n, 1, 1, 1) + 0.07 * normal(n, 3, 1, 1)) + 0.05 * normal(n, 1, 1, 1)
    grey = torch.rand(n, 1, 1, 1, generator=generator) < 0.06
    crops = torch.where(grey, crops.mean(1, keepdim=True).expand_as(crops), crops).clamp(0, 1)
    return reader_net.coarsened(crops, generator, groups=6, part=3)


def train(
    wide: Crops, classes: Classes, epochs: int, checkpoint: Path, batch: int = 128, rate: float = 3e-3,
    start: MarkNet | None = None, told: Callable[[str], None] = print,
) -> MarkNet:
    """AdamW with one cycle on wide crops (N, W, W, 3); what an interrupted run kept in ``checkpoint`` goes on.

    ``start``: a network to go on with.
    """
    torch.manual_seed(1)
    net = start or MarkNet()

    def loss_of(pick: Classes, generator: torch.Generator) -> torch.Tensor:
        return _loss(net, wide[pick], classes[pick], generator)

    reader_net.passes(
        net, loss_of, len(wide), epochs, batch, rate, checkpoint, weight_decay=0.03, warm_up=0.12, told=told
    )
    return net


def _loss(net: MarkNet, wide: Crops, classes: Classes, generator: torch.Generator) -> torch.Tensor:
    crops, places = seen(reader_net.to_input(wide), generator)
    out, truth = net(crops.contiguous(memory_format=torch.channels_last)), torch.from_numpy(classes)
    off = nn.functional.smooth_l1_loss(out[:, KINDS:], places, reduction="none", beta=0.02).sum(1)
    shown = (truth != _HIDDEN).float()
    marks: torch.Tensor = nn.functional.cross_entropy(out[:, :KINDS], truth, label_smoothing=0.02)
    return marks + 1.5 * (off * shown).mean()


def outputs_of(net: MarkNet, wide: Crops) -> NDArray[np.float32]:
    """What the network says about wide crops seen as they are, (N, K + 2)."""
    net.eval()
    generator = torch.Generator()
    with torch.inference_mode():
        parts = [net(seen(reader_net.to_input(wide[k : k + 256]), generator, moved=False)[0])
                 for k in range(0, len(wide), 256)]
    return np.asarray(torch.cat(parts).numpy(), np.float32)


def export(net: MarkNet, held: Crops, truth: Classes, target: Path) -> float:
    """Write the reader (ONNX) with a fitted temperature; its accuracy on held-out crops."""
    logits = outputs_of(net, held)[:, :KINDS]
    reader_net.export(net, target, MARK_CLASSES, reader_net.fit_temperature(logits, truth))
    return float((logits.argmax(1) == truth).mean())
