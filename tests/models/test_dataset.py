"""Data sets on disk, crops for the readers, and the detector's score."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import crops, dataset
from models.classes import CROP_PX, DETECTOR_CLASSES, DIE_CLASSES, TILE_CLASSES
from models.scene.assets import Assets
from models.scoring import average_precision, matched, overlaps


def test_render_writes_a_yolo_data_set_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    yaml = dataset.render(tmp_path, 2, "train", size_wh=(192, 192), workers=1)
    first = (tmp_path / "images/train/scene_00000000.jpg").stat().st_mtime_ns
    dataset.render(tmp_path, 3, "train", size_wh=(192, 192), workers=1)
    assert len(list((tmp_path / "images/train").glob("*.jpg"))) == 3
    assert (tmp_path / "images/train/scene_00000000.jpg").stat().st_mtime_ns == first
    described = json.loads(yaml.read_text())
    assert list(described["names"].values()) == list(DETECTOR_CLASSES) and described["train"] == "images/train"


def test_cut_keeps_scale_and_moves_the_labels(tmp_path: Path) -> None:
    for kind in ("images", "labels"):
        (tmp_path / "in" / kind / "train").mkdir(parents=True)
    image = np.zeros((200, 300, 3), np.uint8)
    image[90:110, 140:180] = 255
    cv2.imwrite(str(tmp_path / "in/images/train/a.jpg"), image)
    (tmp_path / "in/labels/train/a.txt").write_text(f"4 {160 / 300} {100 / 200} {40 / 300} {20 / 200}\n")
    assert dataset.cut(tmp_path / "in", tmp_path / "out", 96, 3) == 3
    for k in range(3):
        crop = cv2.imread(str(tmp_path / f"out/images/train/a_{k}.jpg"))
        row = (tmp_path / f"out/labels/train/a_{k}.txt").read_text().split()
        assert crop is not None and crop.shape == (96, 96, 3) and row[0] == "4"
        x, y, w, h = (float(v) * 96 for v in row[1:])
        bright = crop[round(y - h / 2) + 2 : round(y + h / 2) - 2, round(x - w / 2) + 2 : round(x + w / 2) - 2]
        assert bright.mean() > 235


def test_photographs_are_added_by_source(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    for kind in ("images", "labels"):
        (photos / kind).mkdir(parents=True)
        (tmp_path / "out" / kind / "train").mkdir(parents=True)
    for name in ("a_1", "b_1"):
        cv2.imwrite(str(photos / f"images/{name}.jpg"), np.zeros((20, 20, 3), np.uint8))
        (photos / f"labels/{name}.txt").write_text("2 0.5 0.5 0.2 0.2\n")
    assert dataset.add_photos(tmp_path / "out", photos, ("a_",)) == 1
    (label,) = (tmp_path / "out/labels/train").glob("*.txt")
    assert "a_1" in label.name and label.read_text().split()[0] == str(DETECTOR_CLASSES.index("die"))


@pytest.mark.parametrize(("kind", "names"), [("die", DIE_CLASSES), ("tile", TILE_CLASSES)])
def test_crops_are_reproducible_and_of_known_classes(kind: str, names: tuple[str, ...]) -> None:
    first, classes = crops.make(kind, 6, 3, "train", None)
    again, classes_again = crops.make(kind, 6, 3, "train", None)
    other, _ = crops.make(kind, 6, 3, "val", None)
    assert first.shape == (6, CROP_PX, CROP_PX, 3) and classes.max() < len(names)
    assert np.array_equal(first, again) and np.array_equal(classes, classes_again) and not np.array_equal(first, other)


def test_square_crop_shows_the_box_with_its_margin() -> None:
    image = np.zeros((100, 100, 3), np.uint8)
    image[40:60, 40:60] = 200
    crop = crops.square_crop(image, (40, 40, 60, 60), margin=2.0)
    assert crop[32, 32].tolist() == [200] * 3 and crop[8, 8].tolist() == [0] * 3
    assert 0.2 < (crop[..., 0] > 100).mean() < 0.3


def test_no_die_crops_come_without_assets() -> None:
    crop = crops.no_die_crop(np.random.default_rng(0), Assets())
    assert crop.shape == (CROP_PX, CROP_PX, 3)


def test_overlaps_and_matching() -> None:
    truth = np.array([[0.0, 0, 10, 10], [20, 20, 30, 30]])
    found = np.array([[0.0, 0, 10, 10], [1, 0, 11, 10], [50, 50, 60, 60]])
    assert overlaps(found, truth)[0].tolist() == [1.0, 0.0]
    assert matched(found, np.array([0.5, 0.9, 0.8]), truth, 0.5).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("right", "total", "expected"),
    [([True, True], 2, 1.0), ([True, False], 2, 0.5), ([False, True], 1, 0.5), ([], 3, 0.0)],
)
def test_average_precision(right: list[bool], total: int, expected: float) -> None:
    confidence = np.linspace(0.9, 0.1, len(right))
    assert average_precision(confidence, np.array(right, bool), total) == pytest.approx(expected)


def test_negatives_have_empty_labels(tmp_path: Path) -> None:
    pictures, out = tmp_path / "photos", tmp_path / "out"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "table.jpg"), np.full((90, 120, 3), 90, np.uint8))
    (pictures / "notes.txt").write_text("not a picture")
    for kind in ("images", "labels"):
        (out / kind / "train").mkdir(parents=True)
    assert dataset.add_negatives(out, pictures) == 1
    assert (out / "labels/train/none_table.txt").read_text() == ""
    assert dataset.cut(out, tmp_path / "cut", 64, 2) == 2


def test_loose_things_are_cut_as_often_as_tiles_that_come_by_the_dozen() -> None:
    classes = np.array([DETECTOR_CLASSES.index("tile")] * 30 + [DETECTOR_CLASSES.index("die")], float)
    rng = np.random.default_rng(1)
    share = np.mean([dataset._pick(classes, rng) == 30 for _ in range(600)])
    assert 0.58 < share < 0.75
