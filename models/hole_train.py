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

Holes = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]


def gather_holes(
    split: str, chunks: int, folder: Path, assets: Path | None, told: Callable[[str], None] = print
) -> Holes:
    """Crops (N, 64, 64, 3) of ``chunks`` * BOARDS boards, their classes and boards; files that exist are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for k in range(chunks):
        file = folder / f"hole_{split}_{k:04d}.npz"
        if not file.exists():
            crops, classes, boards = hole_crops.make(k * BOARDS, BOARDS, split, assets)
            np.savez(file, x=crops, y=classes, b=boards)
        loaded = np.load(file)
        parts.append((loaded["x"], loaded["y"], loaded["b"]))
        told(f"holes for {split}: {k + 1}/{chunks} thousand")
    crops, classes, boards = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return crops, classes, boards


def train_holes(
    work: Path, target: Path, chunks: int, epochs: int, assets: Path | None, told: Callable[[str], None] = print
) -> float:
    """Train the reader and write it to ``target`` (ONNX); its accuracy on validation holes. Needs torch.

    Interrupted runs go on where they stopped.
    """
    from models import hole_net

    crops, classes, boards = gather_holes("train", chunks, work, assets, told)
    held, truth, held_boards = gather_holes("val", HELD, work, assets, told)
    net = hole_net.train(
        hole_net.with_medians(crops, boards), classes, epochs, told=told, checkpoint=work / "hole_reader.pt"
    )
    return hole_net.export(net, hole_net.with_medians(held, held_boards), truth, target)
