"""The reader of what is printed on score sheets: its network and training (extra ``train``: torch).

It says where in the crop a field lies too, so that looks along a row add up to where its fields are.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models import reader_net
from models.classes import PRINT_CLASSES, PRINT_PX
from models.mark_net import PlacedNet, cut_out
from models.print_train import WIDE

KINDS = len(PRINT_CLASSES)
NONE = PRINT_CLASSES.index("none")
FAR = 0.42
"""How far a field may lie from the middle of its crop, as a share of the crop's side."""


class PrintNet(PlacedNet):
    """(N, 3, 40, 40) RGB 0..1 to (N, K + 2): logits of the classes, then how far right and down of the crop's middle
    the field's middle lies, as shares of the crop's side. 0.2 M weights."""

    def __init__(self) -> None:
        super().__init__()
        block = reader_net.block
        self.body = nn.Sequential(
            *block(3, 24, 2), *block(24, 48, 1), *block(48, 64, 2), *block(64, 64, 2),
            nn.Flatten(), nn.Dropout(0.15), nn.Linear(64 * (PRINT_PX // 8) ** 2, 96), nn.ReLU(),
        )
        self.head = nn.Linear(96, KINDS + 2)


def seen(
    wide: torch.Tensor, classes: torch.Tensor, generator: torch.Generator, moved: bool = True
) -> tuple[torch.Tensor, torch.Tensor]:
    """What the reader sees of wide crops (N, 3, W, W), and where in it the fields lie (N, 2).

    ``moved``: anywhere in view, larger or smaller, higher or wider, turned a little, in other light, coarser.
    """
    n = len(wide)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    zoom, turn, shift = torch.ones(n, 2), torch.zeros(n), torch.zeros(n, 2)
    if moved:
        zoom = torch.exp((0.13 * normal(n, 1) + 0.08 * normal(n, 2)).clamp(-0.4, 0.4))
        turn = 0.06 * normal(n)
        shift = (2 * torch.rand(n, 2, generator=generator) - 1) * FAR
        shift = torch.where((classes == NONE)[:, None], 0.2 * shift, shift)
    crops = cut_out(wide, zoom / WIDE, turn, shift, PRINT_PX)
    return (_worse(crops, generator) if moved else crops), shift


def _worse(crops: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Other light and another cast of colour; a third of them as coarse as a far camera sees them."""
    n = len(crops)
    light = torch.exp(0.22 * torch.randn(n, 1, 1, 1, generator=generator))
    cast = torch.exp(0.08 * torch.randn(n, 3, 1, 1, generator=generator))
    crops = crops * light * cast + 0.05 * torch.randn(n, 1, 1, 1, generator=generator)
    return reader_net.coarsened(crops.clamp(0, 1), generator, groups=6, part=3)


def train(
    wide: NDArray[np.uint8], classes: NDArray[np.int64], epochs: int, checkpoint: Path, batch: int = 128,
    rate: float = 3e-3, start: PrintNet | None = None, told: Callable[[str], None] = print,
) -> PrintNet:
    """AdamW with one cycle on wide crops (N, W, W, 3); what an interrupted run kept in ``checkpoint`` goes on.

    ``start``: a network to go on with.
    """
    torch.manual_seed(1)
    net = start or PrintNet()

    def loss_of(pick: NDArray[np.int64], generator: torch.Generator) -> torch.Tensor:
        truth = torch.from_numpy(classes[pick])
        crops, places = seen(reader_net.to_input(wide[pick]), truth, generator)
        out = net(crops.contiguous(memory_format=torch.channels_last))
        off = nn.functional.smooth_l1_loss(out[:, KINDS:], places, reduction="none", beta=0.03).sum(1)
        kinds: torch.Tensor = nn.functional.cross_entropy(out[:, :KINDS], truth, label_smoothing=0.03)
        return kinds + 2.0 * (off * (truth != NONE).float()).mean()

    reader_net.passes(net, loss_of, len(wide), epochs, batch, rate, checkpoint, weight_decay=0.03, told=told)
    return net


def outputs_of(
    net: PrintNet, wide: NDArray[np.uint8], classes: NDArray[np.int64], moved: bool = False
) -> NDArray[np.float32]:
    """What the network says about wide crops, (N, K + 2), then where the fields lay (N, 2)."""
    net.eval()
    generator, parts = torch.Generator().manual_seed(7), []
    with torch.inference_mode():
        for k in range(0, len(wide), 256):
            truth = torch.from_numpy(classes[k : k + 256])
            crops, places = seen(reader_net.to_input(wide[k : k + 256]), truth, generator, moved)
            parts.append(torch.cat([net(crops), places], 1))
    return np.asarray(torch.cat(parts).numpy(), np.float32)


def export(net: PrintNet, held: NDArray[np.uint8], truth: NDArray[np.int64], target: Path) -> float:
    """Write the reader (ONNX) with a fitted temperature; its accuracy on held-out crops moved about."""
    logits = outputs_of(net, held, truth, moved=True)[:, :KINDS]
    temperature = reader_net.fit_temperature(logits, truth)
    reader_net.export(net, target, PRINT_CLASSES, temperature, (3, PRINT_PX, PRINT_PX))
    return float((logits.argmax(1) == truth).mean())
