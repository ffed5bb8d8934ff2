"""From nothing to an exported hole reader: boards generated (crops kept on disk), network trained, exported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from models import hole_crops, kept_crops

BOARDS = 40
"""Boards of a chunk: about a thousand holes."""

HELD = 4
"""Chunks of validation boards."""


def gather_holes(
    split: str, chunks: int, folder: Path, assets: Path | None, told: Callable[[str], None] = print
) -> kept_crops.Crops:
    """Crops (B, 25, 64, 64, 3) of ``chunks`` * BOARDS boards and their classes (B, 25); files that exist are kept."""
    return kept_crops.gather(hole_crops.make, BOARDS, "boards", split, chunks, folder, assets, told)


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
