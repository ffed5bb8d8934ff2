"""The crop readers' network and its training (extra ``train``: torch)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.classes import CROP_PX

Crops = NDArray[np.uint8]
Classes = NDArray[np.int64]


def block(i: int, o: int, stride: int) -> list[nn.Module]:
    """A convolution of 3x3 with its normalisation, from ``i`` to ``o`` channels."""
    return [nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU()]


def build(classes: int, wide: bool = False) -> nn.Module:
    """A small convolutional network: (N, 3, 64, 64) RGB 0..1 to (N, classes) logits, about 0.4 M weights.

    ``wide``: half as many channels more, and one more layer; 0.6 M weights, three times the work.
    """
    channels = (24, 48, 64, 96, 128) if wide else (16, 32, 48, 64, 96)
    strides = (2, 1, 2, 2, 1)
    layers = [part for i, o, s in zip((3, *channels), channels, strides, strict=False) for part in block(i, o, s)]
    last = channels[-1]
    return nn.Sequential(
        *layers,
        *(block(last, last, 1) if wide else ()),
        nn.Conv2d(last, 32, 1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(32 * (CROP_PX // 8) ** 2, 128),
        nn.ReLU(),
        nn.Linear(128, classes),
    )


def to_input(crops_bgr: Crops) -> torch.Tensor:
    """uint8 BGR (N, 64, 64, 3) to float RGB 0..1 (N, 3, 64, 64)."""
    return torch.from_numpy(np.ascontiguousarray(crops_bgr[..., ::-1].transpose(0, 3, 1, 2))).float().div_(255)


def augment(batch: torch.Tensor, generator: torch.Generator, free: bool = False) -> torch.Tensor:
    """Light, colour cast, at times no colour; zoom, shift and turn a little: boxes are never exact.

    Half of the crops become as coarse as a far camera sees them. ``free``: mirrored and recoloured ones mean the same
    (dice, not printed numbers).
    """
    n = len(batch)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    def chance(share: float) -> torch.Tensor:
        return torch.rand(n, 1, 1, 1, generator=generator) < share

    if free:
        batch = torch.where(chance(0.5), batch.flip(3), batch)
        batch = torch.where(chance(0.3), batch[:, torch.randperm(3, generator=generator)], batch)
    batch = batch * torch.exp(0.18 * normal(n, 1, 1, 1) + 0.1 * normal(n, 3, 1, 1)) + 0.05 * normal(n, 1, 1, 1)
    batch = torch.where(chance(0.1), batch.mean(1, keepdim=True).expand_as(batch), batch).clamp_(0, 1)
    zoom, angle = torch.exp(0.09 * normal(n)), 0.1 * normal(n)
    cos, sin = zoom * torch.cos(angle), zoom * torch.sin(angle)
    shift = 0.08 * normal(n, 2)
    matrix = torch.stack([torch.stack([cos, -sin, shift[:, 0]], 1), torch.stack([sin, cos, shift[:, 1]], 1)], 1)
    grid = nn.functional.affine_grid(matrix, list(batch.shape), align_corners=False)
    batch = nn.functional.grid_sample(batch, grid, padding_mode="border", align_corners=False)
    return coarsened(batch, generator)


def coarsened(batch: torch.Tensor, generator: torch.Generator, groups: int = 8, part: int = 2) -> torch.Tensor:
    """One ``part``-th of the batch, in groups of one size each, shrunk to 14-40 px and enlarged again, with noise of
    its own."""
    parts = list(batch.chunk(part * groups))
    for k in range(min(groups, len(parts))):
        px = int(14 * (40 / 14) ** float(torch.rand(1, generator=generator)))
        small = nn.functional.interpolate(parts[k], (px, px), mode="bilinear", antialias=True)
        small = small + 0.02 * torch.randn(small.shape, generator=generator)
        parts[k] = nn.functional.interpolate(small, parts[k].shape[2:], mode="bilinear").clamp_(0, 1)
    return torch.cat(parts)


def passes(
    net: nn.Module,
    loss_of: Callable[[NDArray[np.int64], torch.Generator], torch.Tensor],
    count: int,
    epochs: int,
    batch: int,
    rate: float,
    checkpoint: Path | None,
    seed: int = 0,
    weight_decay: float = 0.02,
    warm_up: float = 0.1,
    told: Callable[[str], None] = print,
) -> None:
    """AdamW with one cycle over ``count`` examples; ``loss_of``: the loss of those with the given numbers (B,).

    ``checkpoint`` is kept after every pass; where it is there, training goes on from it. ``warm_up``: share of the
    steps in which the rate rises.
    """
    net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=weight_decay)
    steps = count // batch
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, max(epochs * steps, 2), pct_start=warm_up)
    parts: dict[str, Any] = {"net": net, "optimiser": optimiser, "schedule": schedule}
    for epoch in range(_taken_up(parts, checkpoint), epochs):
        net.train()
        generator = torch.Generator().manual_seed(seed + epoch)
        order, total = torch.randperm(count, generator=generator).numpy(), 0.0
        for k in range(steps):
            loss = loss_of(order[k * batch : (k + 1) * batch], generator)
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        told(f"epoch {epoch + 1}/{epochs}: loss {total / max(steps, 1):.4f}")
        if checkpoint is not None:
            torch.save({"epoch": epoch + 1, **{name: part.state_dict() for name, part in parts.items()}}, checkpoint)
    net.eval()


def _taken_up(parts: Mapping[str, Any], checkpoint: Path | None) -> int:
    """Put the parts into the state of a checkpoint; how many passes it has seen."""
    if checkpoint is None or not checkpoint.exists():
        return 0
    saved = torch.load(checkpoint, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(saved[name])
    return int(saved["epoch"])


def train(
    net: nn.Module,
    crops: Crops,
    classes: Classes,
    epochs: int,
    checkpoint: Path,
    seed: int = 0,
    batch: int = 256,
    rate: float = 2e-3,
    free: bool = False,
    told: Callable[[str], None] = print,
) -> nn.Module:
    """Train on crops (N, H, W, 3), see :func:`passes`. ``free``: see augment."""
    measure = nn.CrossEntropyLoss(label_smoothing=0.03)

    def loss_of(pick: NDArray[np.int64], generator: torch.Generator) -> torch.Tensor:
        seen = augment(to_input(crops[pick]), generator, free).contiguous(memory_format=torch.channels_last)
        loss: torch.Tensor = measure(net(seen), torch.from_numpy(classes[pick]))
        return loss

    passes(net, loss_of, len(crops), epochs, batch, rate, checkpoint, seed, told=told)
    return net


def logits_of(net: nn.Module, crops: Crops) -> NDArray[np.float32]:
    """Logits (N, K) of the network in evaluation mode."""
    net.eval()
    with torch.inference_mode():
        parts = [net(to_input(crops[k : k + 512])) for k in range(0, len(crops), 512)]
    return np.asarray(torch.cat(parts).numpy(), np.float32)


def fit_temperature(logits: NDArray[np.float32], classes: Classes) -> float:
    """The temperature that makes the probabilities of validation crops most honest (lowest log loss)."""

    def cost(t: float) -> float:
        z = logits / t
        z = z - z.max(1, keepdims=True)
        logp = z - np.log(np.exp(z).sum(1, keepdims=True))
        return float(-logp[np.arange(len(classes)), classes].mean())

    return float(min(np.geomspace(0.3, 4, 60), key=lambda t: cost(float(t))))


def export(
    net: nn.Module, file: Path, classes: tuple[str, ...], temperature: float,
    shape: tuple[int, int, int] = (3, CROP_PX, CROP_PX), half: bool = False,
) -> None:
    """Write ONNX for inputs of ``shape`` with a free batch dimension; class names and temperature in its metadata.

    ``half``: the file holds weights of 16 bits; the network still computes with 32.
    """
    import onnx

    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, *shape),),
        str(file),
        input_names=["crops"],
        output_names=["logits"],
        dynamic_axes={"crops": {0: "n"}, "logits": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(file))
    for key, value in (
        ("classes", json.dumps(classes)),
        ("temperature", f"{temperature:.4f}"),
        ("license", "AGPL-3.0-only"),
    ):
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    if half:
        _halve(model)
    onnx.save(model, str(file))


def _halve(model: Any) -> None:
    """Keep the large weights of an ONNX model as 16 bits, widened when it is loaded."""
    from onnx import TensorProto, helper, numpy_helper

    for weights in list(model.graph.initializer):
        values = numpy_helper.to_array(weights)
        if values.dtype != np.float32 or values.size < 1000:
            continue
        name = weights.name
        weights.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}_16"))
        model.graph.node.insert(0, helper.make_node("Cast", [f"{name}_16"], [name], to=TensorProto.FLOAT))
