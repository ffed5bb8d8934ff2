"""Fine-tunes the crop readers with a set's own pictures (extra ``train``: torch); never for the worse.

Every fourth picture is held back. A reader is replaced only where it reads more of what is held back, and generated
validation crops no worse. Batches are half of the set, half generated, so that nothing general is forgotten.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.classes import DIE_CLASSES, DIE_READER_ONNX, NUMBER_CLASSES, TILE_CLASSES, TILE_READER_ONNX
from models.crops import make
from models.reader_net import augment, export, fit_temperature, logits_of, to_input

Crops = NDArray[np.uint8]
Classes = NDArray[np.int64]
Told = Callable[[str, float], None]

HELD_EVERY = 4
LEAST_HIDDEN = 0.5
"""A tile of which less is in view is no example."""

TURNS_OF_A_TILE, COPIES_OF_A_DIE = 6, 6
GENERATED, CHECKED = 500, 200
STEPS, BATCH, RATE = 200, 96, 3e-4
MOST_LOST = 0.03
"""A tuned reader, which is used with this set only, may read this share fewer of the generated crops."""

WEIGHTS = {"tile": (TILE_READER_ONNX, TILE_CLASSES), "die": (DIE_READER_ONNX, DIE_CLASSES)}


@dataclass(frozen=True, slots=True)
class Examples:
    """Crops of a set: ``x`` (N, 64, 64, 3), ``y`` (N,), and for measuring the rows (M, ...) of each held thing."""

    x: Crops
    y: Classes
    held_x: Crops
    held_y: Classes
    rows: NDArray[np.float32] | None = None


class TooFew(ValueError):
    """There are too few pictures to tune with and to hold back."""


def tune(frames: Sequence[Any], folder: Path, told: Told) -> dict[str, Any]:
    """Fine-tune the readers with ``frames`` (see :meth:`vision.exemplars.frames.Frames.all`) and write those that
    have become better into ``folder``. The report of :class:`vision.exemplars.tuned.Tuned`; raises TooFew."""
    began, busy = time.monotonic(), time.process_time()
    if len(frames) < 2:
        raise TooFew
    held = frames[HELD_EVERY - 1 :: HELD_EVERY] or frames[-1:]
    taught = [one for one in frames if not any(one is other for other in held)]
    folder.mkdir(parents=True, exist_ok=True)
    report: dict[str, Any] = {"use": True, "frames": len(frames), "held": len(held)}
    kinds = [kind for kind in ("tile", "die") if any(_things(kind, one[2]) for one in taught)]
    torch.set_num_threads(max((os.cpu_count() or 2) - 1, 1))  # a game may be running
    for k, kind in enumerate(kinds):
        def part(share: float, k: int = k, kind: str = kind) -> None:
            told(kind, (k + share) / len(kinds))

        examples = _examples(kind, taught, held)
        if len(examples.x) and len(examples.held_x):
            report[kind] = _tuned(kind, examples, folder, part)
    report["seconds"], report["busy_seconds"] = round(time.monotonic() - began), round(time.process_time() - busy)
    return report


def _things(kind: str, known: Any) -> Any:
    return known.tiles if kind == "tile" else known.dice


def _tuned(kind: str, examples: Examples, folder: Path, told: Callable[[float], None]) -> dict[str, Any]:
    """Tune one reader; its entry in the report."""
    file, classes = WEIGHTS[kind]
    old, net = from_onnx(file), from_onnx(file)
    general, truth = make(kind, GENERATED, 77_001, "train", None)
    told(0.15)
    checked, expected = make(kind, CHECKED, 77_002, "val", None)
    told(0.25)
    before, was = _right(kind, old, examples), _accuracy(kind, old, checked, expected)
    _train(net, (examples.x, examples.y), (general, truth), lambda share: told(0.25 + 0.7 * share))
    after, now = _right(kind, net, examples), _accuracy(kind, net, checked, expected)
    better = after > before and now >= was - MOST_LOST
    if better:
        logits = np.concatenate([logits_of(net, checked), logits_of(net, examples.held_x)])
        temperature = fit_temperature(logits, np.concatenate([expected, examples.held_y]))
        export(net, folder / f"{kind}_reader.onnx", classes, temperature)
    told(1.0)
    count = len(examples.held_y) if examples.rows is None else len(examples.rows)
    return {
        "before": round(before, 4), "after": round(after, 4), "count": count, "better": better,
        "general_before": round(was, 4), "general_after": round(now, 4),
    }  # fmt: skip


def _train(
    net: nn.Module, own: tuple[Crops, Classes], general: tuple[Crops, Classes], told: Callable[[float], None]
) -> None:
    generator, measure = torch.Generator().manual_seed(5), nn.CrossEntropyLoss(label_smoothing=0.03)
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, STEPS, pct_start=0.1)
    rng = np.random.default_rng(6)
    net.train()
    for step in range(STEPS):
        picks = [rng.integers(0, len(part[1]), BATCH // 2) for part in (own, general)]
        crops = np.concatenate([part[0][pick] for part, pick in zip((own, general), picks, strict=True)])
        classes = np.concatenate([part[1][pick] for part, pick in zip((own, general), picks, strict=True)])
        # A set's own dice keep their colours and are never mirrored: digits are no pips.
        loss = measure(net(augment(to_input(crops), generator, False)), torch.from_numpy(classes))
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        schedule.step()
        if step % 10 == 9:
            told((step + 1) / STEPS)
    net.eval()


def _accuracy(kind: str, net: nn.Module, crops: Crops, classes: Classes) -> float:
    """The share of generated crops that is read right; of tiles only the kind: numbers have a reader of their own."""
    read = logits_of(net, crops).argmax(1)
    if kind == "tile":
        names = enumerate(TILE_CLASSES)
        kinds = np.array([0 if name[0] == "-" else 1 if name[0] == "+" else 2 + k for k, name in names])
        read, classes = kinds[read], kinds[classes]
    return float((read == classes).mean())


def _right(kind: str, net: nn.Module, examples: Examples) -> float:
    """The share of the things held back that is read right, tiles together with the reader of numbers."""
    logits = logits_of(net, examples.held_x)
    if examples.rows is None:
        return float((logits.argmax(1) == examples.held_y).mean())
    from vision.numbers import joined
    from vision.values import TURNS_DEG

    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    probs = (likely / likely.sum(axis=1, keepdims=True)).reshape(-1, len(TURNS_DEG), len(TILE_CLASSES))
    kinds = probs[np.arange(len(probs)), probs.max(axis=2).argmax(axis=1)]
    read = [int(joined(kind, row).argmax()) for kind, row in zip(kinds, examples.rows, strict=True)]
    return float(np.mean(np.array(read) == examples.held_y[:: len(TURNS_DEG)]))


def _examples(kind: str, taught: Sequence[Any], held: Sequence[Any]) -> Examples:
    return _tile_examples(taught, held) if kind == "tile" else _die_examples(taught, held)


def _tile_examples(taught: Sequence[Any], held: Sequence[Any]) -> Examples:
    from vision.numbers import number_rows
    from vision.readers import number_reader, tile_crop
    from vision.values import TURNS_DEG

    rng, numbers = np.random.default_rng(4), number_reader()
    x, y, held_x, held_y = [], list[int](), [], list[int]()
    rows = []
    for image, plane, known in taught:
        for value, pos in _in_view(plane, known):
            turns = rng.uniform(0, 360, TURNS_OF_A_TILE)
            x += [tile_crop(image, plane, pos, float(turn)) for turn in turns]
            y += [TILE_CLASSES.index(value)] * TURNS_OF_A_TILE
    for image, plane, known in held:
        seen = _in_view(plane, known)
        held_x += [tile_crop(image, plane, pos, turn) for _, pos in seen for turn in TURNS_DEG]
        held_y += [TILE_CLASSES.index(value) for value, _ in seen for _ in TURNS_DEG]
        if seen:
            rows.append(number_rows(numbers, image, plane, [pos for _, pos in seen]))
    found = np.concatenate(rows) if rows else np.zeros((0, len(NUMBER_CLASSES)), np.float32)
    return Examples(_stacked(x), np.array(y, np.int64), _stacked(held_x), np.array(held_y, np.int64), found)


def _in_view(plane: Any, known: Any) -> list[tuple[str, Any]]:
    from models.classes import TILE_CROP_MM
    from vision.exemplars.crops import visible

    return [
        (value, pos) for value, pos in known.tiles
        if value in TILE_CLASSES and visible(plane, pos, TILE_CROP_MM, known.over_px).mean() >= LEAST_HIDDEN
    ]


def _die_examples(taught: Sequence[Any], held: Sequence[Any]) -> Examples:
    from vision.readers import die_crop

    rng = np.random.default_rng(4)

    def cut(frames: Sequence[Any], copies: int) -> tuple[Crops, Classes]:
        x, y = [], list[int]()
        for image, _, known in frames:
            for face, box in known.dice:
                if face in DIE_CLASSES:
                    off = 0.04 * (box[2] - box[0]) * rng.normal(size=(copies, 4)) * (copies > 1)
                    x += [die_crop(image, np.array(box) + one) for one in off]
                    y += [DIE_CLASSES.index(face)] * copies
        return _stacked(x), np.array(y, np.int64)

    return Examples(*cut(taught, COPIES_OF_A_DIE), *cut(held, 1))


def _stacked(crops: Sequence[Crops]) -> Crops:
    return np.stack(crops) if crops else np.zeros((0, 64, 64, 3), np.uint8)


def from_onnx(file: Path) -> nn.Module:
    """The network of an exported reader: a chain of convolutions, ReLU, flattening and matrices.

    Raises ValueError for anything else.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(file)).graph
    values = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    layers: list[nn.Module] = []
    for node in graph.node:
        given = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        layers.append(_layer(node.op_type, given, [values[name] for name in node.input[1:]]))
    return nn.Sequential(*layers).eval()


def _layer(what: str, given: dict[str, Any], weights: Sequence[torch.Tensor]) -> nn.Module:
    made: nn.Conv2d | nn.Linear
    if what == "Conv":
        out, into, high, wide = weights[0].shape
        made = nn.Conv2d(into, out, (high, wide), tuple(given["strides"]), tuple(given["pads"][:2]))
    elif what == "Gemm" and given.get("transB", 0) == 1:
        made = nn.Linear(weights[0].shape[1], weights[0].shape[0])
    elif what in ("Relu", "Flatten"):
        return nn.ReLU() if what == "Relu" else nn.Flatten()
    else:
        raise ValueError(f"{what} is no layer of a reader")
    with torch.no_grad():
        made.weight.copy_(weights[0])
        if made.bias is not None:
            made.bias.copy_(weights[1])
    return made
