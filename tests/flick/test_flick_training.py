"""Training the hole reader: crops are kept, interrupted runs go on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models import hole_crops
from models.classes import CROP_PX, HOLE_CLASSES
from models.hole_train import BOARDS, gather_holes
from vision.flick.eyes import hole_reader


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """Black boards instead of generated ones; which chunks were made."""
    asked: list[tuple[int, str]] = []

    def make(first: int, count: int, split: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
        asked.append((first, split))
        return np.zeros((count, 25, 2, 2, 3), np.uint8), np.full((count, 25), first)

    monkeypatch.setattr(hole_crops, "make", make)
    return asked


def test_holes_are_made_once(made: list[tuple[int, str]], tmp_path: Path) -> None:
    first = gather_holes("train", 2, tmp_path, None, lambda _: None)
    again = gather_holes("train", 3, tmp_path, None, lambda _: None)
    assert made == [(0, "train"), (BOARDS, "train"), (2 * BOARDS, "train")]
    assert len(first[0]) == 2 * BOARDS
    assert again[1][:, 0].tolist() == np.repeat([0, BOARDS, 2 * BOARDS], BOARDS).tolist()


def test_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from models import hole_net

    crops = np.random.default_rng(0).integers(0, 255, (4, 25, CROP_PX, CROP_PX, 3), np.uint8)
    classes = np.arange(100).reshape(4, 25) % len(HOLE_CLASSES)
    said: list[str] = []

    def told(line: str) -> None:
        said.append(line.split(":")[0])
        if said == ["epoch 1/2", "epoch 2/2"]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hole_net.train(crops, classes, 2, batch=2, told=told, checkpoint=tmp_path / "hole.pt")
    hole_net.train(crops, classes, 2, batch=2, told=told, checkpoint=tmp_path / "hole.pt")
    assert said == ["epoch 1/2", "epoch 2/2", "epoch 2/2"]


@pytest.mark.filterwarnings("ignore")
def test_the_exported_reader_says_what_the_trained_one_does(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from models import hole_net

    crops = np.random.default_rng(0).integers(0, 255, (2, 25, CROP_PX, CROP_PX, 3), np.uint8)
    net = hole_net.HoleNet().eval()
    hole_net.export(net, crops, np.zeros((2, 25), np.int64), tmp_path / "hole.onnx")
    wanted = hole_net.logits_of(net, crops).reshape(2, 25, -1)
    reader = hole_reader(tmp_path / "hole.onnx")
    for board, logits in zip(crops, wanted, strict=True):
        assert np.array_equal(reader.read(board).argmax(axis=1), logits.argmax(axis=1))
