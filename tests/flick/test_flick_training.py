"""Training the hole reader: crops are kept, interrupted runs go on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models import hole_crops
from models.classes import HOLE_CLASSES
from models.hole_train import BOARDS, gather_holes


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """Boards of one hole each instead of generated ones; which chunks were made."""
    asked: list[tuple[int, str]] = []

    def make(first: int, count: int, split: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        asked.append((first, split))
        boards = np.arange(first, first + count)
        return np.zeros((count, 64, 64, 3), np.uint8), boards % len(HOLE_CLASSES), boards

    monkeypatch.setattr(hole_crops, "make", make)
    return asked


def test_holes_are_made_once(made: list[tuple[int, str]], tmp_path: Path) -> None:
    first = gather_holes("train", 2, tmp_path, None, lambda _: None)
    again = gather_holes("train", 3, tmp_path, None, lambda _: None)
    assert made == [(0, "train"), (BOARDS, "train"), (2 * BOARDS, "train")]
    assert len(first[0]) == 2 * BOARDS
    assert len(np.unique(again[2])) == 3 * BOARDS


def test_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from models import hole_net

    crops = np.random.default_rng(0).integers(0, 255, (64, 32, 32, 6), np.uint8)
    classes = np.arange(64) % len(HOLE_CLASSES)
    said: list[str] = []

    def told(line: str) -> None:
        said.append(line.split(":")[0])
        if said == ["epoch 1/2", "epoch 2/2"]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hole_net.train(crops, classes, 2, batch=32, told=told, checkpoint=tmp_path / "hole.pt")
    hole_net.train(crops, classes, 2, batch=32, told=told, checkpoint=tmp_path / "hole.pt")
    assert said == ["epoch 1/2", "epoch 2/2", "epoch 2/2"]
