"""Training the readers of holes and of pips in them: crops are kept, interrupted runs go on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models import hole_crops, pip_train
from models.classes import CROP_PX, DIE_CLASSES, HOLE_CLASSES
from models.hole_train import BOARDS, gather_holes
from vision.flick.eyes import hole_reader
from vision.readers import die_reader


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


def test_dice_in_holes_are_cut_out_with_their_pips_and_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pip_train, "BOARDS", 1)
    crops, classes = pip_train.gather_pips("val", 1, tmp_path, None, lambda _: None)
    assert crops.shape == (len(classes), CROP_PX, CROP_PX, 3) and len(classes) > 20
    found = {DIE_CLASSES[k] for k in classes}
    assert "none" in found and len(found & set("123456")) > 3
    monkeypatch.setattr(pip_train, "make", None)
    again = pip_train.gather_pips("val", 1, tmp_path, None, lambda _: None)
    assert np.array_equal(again[0], crops) and np.array_equal(again[1], classes)


@pytest.mark.filterwarnings("ignore")
def test_the_pip_reader_is_trained_from_where_the_die_reader_is_and_keeps_half_of_its_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    torch = pytest.importorskip("torch")
    from models import reader_net

    crops = np.random.default_rng(1).integers(0, 255, (8, CROP_PX, CROP_PX, 3), np.uint8)
    made = crops, np.arange(8) % len(DIE_CLASSES)
    monkeypatch.setattr(pip_train, "gather_pips", lambda *_: made)
    net = reader_net.build(len(DIE_CLASSES), wide=True)
    torch.save({"net": net.state_dict()}, tmp_path / "die_reader.pt")
    pip_train.train_pips(tmp_path, tmp_path / "pip.onnx", 1, 0, None, lambda _: None)
    assert (tmp_path / "pip.onnx").stat().st_size < 1_300_000
    reader = die_reader(tmp_path / "pip.onnx")
    wanted = torch.softmax(torch.from_numpy(reader_net.logits_of(net, crops)) / reader._temperature, 1).numpy()
    assert np.abs(reader.read(crops) - wanted).max() < 5e-3
