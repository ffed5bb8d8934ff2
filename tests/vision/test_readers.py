"""Crop readers and the crops they are given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tiny_onnx

from calibration.plane import TablePlane
from models.classes import CROP_PX, TILE_CROP_MM
from vision.errors import ModelError
from vision.readers import CropReader, die_crop, tile_crop

WEIGHTS = np.array([[8.0, 0, 0], [0, 8.0, 0], [0, 0, 8.0]])
BGR = {"red": (0, 0, 255), "green": (0, 255, 0), "blue": (255, 0, 0)}


def crops(*names: str) -> np.ndarray:
    return np.stack([np.full((CROP_PX, CROP_PX, 3), BGR[name], np.uint8) for name in names])


def test_reads_crops_in_batches_of_any_size(tmp_path: Path) -> None:
    reader = CropReader(tiny_onnx.reader(tmp_path / "r.onnx", WEIGHTS), ("red", "green", "blue"))
    names = ["red", "blue", "green", "blue"] * 20
    shares = reader.read(crops(*names))
    assert shares.shape == (80, 3) and shares.dtype == np.float32
    assert np.allclose(shares.sum(axis=1), 1, atol=1e-5)
    assert [reader.classes[i] for i in shares.argmax(axis=1)] == names
    assert reader.read(np.zeros((0, 64, 64, 3), np.uint8)).shape == (0, 3)


@pytest.mark.parametrize(("metadata", "expected"), [({}, 8.0), ({"temperature": "4"}, 2.0)])
def test_temperature_from_the_file_softens_probabilities(
    tmp_path: Path, metadata: dict[str, str], expected: float
) -> None:
    reader = CropReader(tiny_onnx.reader(tmp_path / "r.onnx", WEIGHTS, metadata), ("red", "green", "blue"))
    sure = np.exp(expected) / (np.exp(expected) + 2)
    assert reader.read(crops("red"))[0, 0] == pytest.approx(sure, rel=1e-4)


def test_bad_readers_are_named(tmp_path: Path) -> None:
    good = tiny_onnx.reader(tmp_path / "r.onnx", WEIGHTS)
    with pytest.raises(ModelError, match=r"gives \(1, 3\) instead of \(1, 7\)"):
        CropReader(good, "1234567")
    with pytest.raises(ModelError, match="is missing"):
        CropReader(tmp_path / "none.onnx", "123")
    cold = tiny_onnx.reader(tmp_path / "cold.onnx", WEIGHTS, {"temperature": "cold"})
    with pytest.raises(ModelError, match="'cold' is no positive number"):
        CropReader(cold, "123")


@pytest.mark.parametrize(("width", "height"), [(40, 40), (16, 12), (200, 160)])
def test_die_crop_is_the_square_around_the_box(width: int, height: int) -> None:
    image = np.zeros((400, 400, 3), np.uint8)
    left, top = 200 - width // 2, 150 - height // 2
    image[top : top + height, left : left + width] = 255
    crop = die_crop(image, (left, top, left + width, top + height))
    assert crop.shape == (CROP_PX, CROP_PX, 3) and crop.dtype == np.uint8
    covered = (crop[..., 0] > 127).mean()
    assert covered == pytest.approx(width * height / (1.25 * max(width, height)) ** 2, abs=0.06)
    assert crop[32, 32, 0] == 255 and crop[0, 0, 0] == 0


def test_die_crop_at_the_edge_repeats_the_edge() -> None:
    image = np.full((100, 100, 3), 50, np.uint8)
    assert (die_crop(image, (-5, 90, 25, 110)) == 50).all()


def test_tile_crop_is_rectified_at_the_trained_size() -> None:
    plane = TablePlane(np.array([(100, 50), (1120, 50), (1120, 650), (100, 650)], float), (510.0, 300.0), (1280, 720))
    image = np.zeros((720, 1280, 3), np.uint8)
    (x1, y1), (x2, y2) = plane.to_px([(200 - 22, 100 - 22), (200 + 22, 100 + 22)]).round().astype(int)
    image[y1:y2, x1:x2] = 255
    crop = tile_crop(image, plane, (200.0, 100.0))
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    assert (crop[..., 0] > 127).mean() == pytest.approx((44 / TILE_CROP_MM) ** 2, abs=0.03)
