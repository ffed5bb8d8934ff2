"""From nothing to an exported hole reader: boards generated (crops kept on disk), network trained, exported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models import hole_crops

BOARDS = 40
"""Boards of a chunk: about a thousand holes."""

HELD = 4
"""Chunks of validation boards."""

Holes = tuple[NDArray[np.uint8], NDArray[np.int64]]


def gather_holes(
    split: str, chunks: int, folder: Path, assets: Path | None, told: Callable[[str], None] = print
) -> Holes:
    """Crops (B, 25, 64, 64, 3) of ``chunks`` * BOARDS boards and their classes (B, 25); files that exist are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for k in range(chunks):
        file = folder / f"boards_{split}_{k:04d}.npz"
        if not file.exists():
            crops, classes = hole_crops.make(k * BOARDS, BOARDS, split, assets)
            np.savez(file, x=crops, y=classes)
        loaded = np.load(file)
        parts.append((loaded["x"], loaded["y"]))
        told(f"holes for {split}: {k + 1}/{chunks} thousand")
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def train_holes(
    work: Path, target: Path, chunks: int, epochs: int, assets: Path | None, told: Callable[[str], None] = print
) -> float:
    """Train the reader and write it to ``target`` (ONNX); its accuracy on validation holes. Needs torch.

    Interrupted runs go on where they stopped.
    """
    from models import hole_net

    crops, classes = gather_holes("train", chunks, work, assets, told)
    held, truth = gather_holes("val", HELD, work, assets, told)
    net = hole_net.train(crops, classes, epochs, told=told, checkpoint=work / "hole_reader.pt")
    return hole_net.export(net, held, truth, target)
