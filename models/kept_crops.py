"""Crops to train readers with, made in chunks that are kept: an interrupted run goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Crops = tuple[NDArray[np.uint8], NDArray[np.int64]]
Make = Callable[[int, int, str, Path | None], Crops]
"""Makes the crops of so many scenes from a first one on, of a split, with assets from a folder."""


def gather(
    make: Make, scenes: int, name: str, split: str, chunks: int, folder: Path, assets: Path | None,
    told: Callable[[str], None],
) -> Crops:
    """The crops and classes of ``chunks`` times ``scenes`` scenes; chunks that ``folder`` holds under ``name`` are not
    made again."""
    folder.mkdir(parents=True, exist_ok=True)
    parts: list[Crops] = []
    for k in range(chunks):
        file = folder / f"{name}_{split}_{k:04d}.npz"
        if not file.exists():
            crops, classes = make(k * scenes, scenes, split, assets)
            np.savez(file, x=crops, y=classes)
        loaded = np.load(file)
        parts.append((loaded["x"], loaded["y"]))
        told(f"{name} for {split}: {k + 1}/{chunks}")
    return np.concatenate([crops for crops, _ in parts]), np.concatenate([classes for _, classes in parts])
