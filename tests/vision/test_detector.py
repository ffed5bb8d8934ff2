"""Letterboxing, decoding and suppression as functions; loading and running through onnxruntime."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
import tiny_onnx

from models.classes import DETECTOR_CLASSES
from vision import detector as module
from vision.boxes import box_iou, decode, letterbox, suppress
from vision.detector import load_detector
from vision.errors import ModelError

PAWN, GUARD, DIE, TILE, END = (DETECTOR_CLASSES.index(n) for n in ("pawn", "guard", "die", "tile", "end_tile"))


def raw(*boxes: tuple[float, float, float, float, int, float]) -> np.ndarray:
    """A raw output (1, 10, M) with boxes cx, cy, w, h of a class with a score."""
    out = np.zeros((1, 4 + len(DETECTOR_CLASSES), len(boxes)), np.float32)
    for i, (cx, cy, w, h, class_id, score) in enumerate(boxes):
        out[0, :4, i], out[0, 4 + class_id, i] = (cx, cy, w, h), score
    return out


@pytest.mark.parametrize(
    ("picture_wh", "scale", "offset"),
    [
        ((1280, 720), 1.0, (0, 8)), ((640, 360), 2.0, (0, 8)), ((2560, 1440), 0.5, (0, 8)),
        ((720, 1280), 0.575, (433, 0)),
    ],
)
def test_letterbox_fits_and_boxes_come_back(
    picture_wh: tuple[int, int], scale: float, offset: tuple[int, int]
) -> None:
    image = np.zeros((picture_wh[1], picture_wh[0], 3), np.uint8)
    image[..., 2] = 255
    tensor, fitted = letterbox(image, (1280, 736))
    assert tensor.shape == (1, 3, 736, 1280) and tensor.dtype == np.float32
    assert fitted.scale == pytest.approx(scale) and fitted.offset_px == offset
    assert tensor[0, :, 368, 640].tolist() == [1, 0, 0]
    corner = tensor[0, :, 0, 0]
    assert np.allclose(corner, 114 / 255) if any(offset) else True
    whole = np.array([[offset[0], offset[1], 1280 - offset[0], 736 - offset[1]]], np.float32)
    assert np.allclose(fitted.to_picture(whole), [[0, 0, *picture_wh]], atol=2)
    beyond = np.array([[-50, -50, 5000, 5000]], np.float32)
    assert fitted.to_picture(beyond).tolist() == [[0, 0, *picture_wh]]


def test_decode_turns_centres_into_corners_and_drops_the_unsure() -> None:
    xyxy, class_id, score = decode(raw((100, 50, 20, 10, DIE, 0.9), (300, 300, 20, 20, PAWN, 0.2)), 0.25, 0.6)
    assert xyxy.tolist() == [[90, 45, 110, 55]]
    assert class_id.tolist() == [DIE] and score.tolist() == pytest.approx([0.9])


def test_decode_understands_the_end_to_end_form() -> None:
    rows = np.zeros((1, 300, 6), np.float32)
    rows[0, 0] = (10, 20, 30, 60, 0.8, GUARD)
    rows[0, 1] = (11, 20, 30, 60, 0.7, PAWN)
    xyxy, class_id, _ = decode(rows, 0.25, 0.6)
    assert xyxy.tolist() == [[10, 20, 30, 60]] and class_id.tolist() == [GUARD]


@pytest.mark.parametrize("shape", [(1, 84, 100), (1, 100, 7), (10, 100), (2, 10, 100)])
def test_decode_refuses_other_shapes(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="instead of"):
        decode(np.zeros(shape, np.float32), 0.25, 0.6)


def test_decode_of_nothing_is_empty() -> None:
    xyxy, class_id, score = decode(raw(), 0.25, 0.6)
    assert xyxy.shape == (0, 4) and class_id.shape == score.shape == (0,)


@pytest.mark.parametrize(
    ("first", "second", "shift", "kept"),
    [
        (PAWN, PAWN, 2, 1), (PAWN, PAWN, 8, 2), (PAWN, PAWN, 4.5, 1), (PAWN, GUARD, 2, 1), (PAWN, GUARD, 4.5, 2),
        (TILE, END, 2, 1), (PAWN, DIE, 0, 2), (PAWN, TILE, 0, 2),
    ],
)
def test_suppression_within_a_class_and_between_rivals(first: int, second: int, shift: float, kept: int) -> None:
    boxes = np.array([[0, 0, 20, 40], [shift, 0, 20 + shift, 40]], np.float32)
    keep = suppress(boxes, np.array([second, first]), np.array([0.6, 0.9], np.float32), 0.6)
    assert len(keep) == kept and keep[0] == 1


def test_rivals_are_both_kept_when_asked_for() -> None:
    boxes = np.array([[0, 0, 20, 40], [0, 0, 20, 40], [1, 0, 21, 40]], np.float32)
    scores = np.array([0.6, 0.9, 0.8], np.float32)
    assert suppress(boxes, np.array([PAWN, GUARD, PAWN]), scores, 0.6, 1.0).tolist() == [1, 2]


def test_iou_of_known_boxes() -> None:
    a = np.array([[0, 0, 10, 10]], np.float32)
    b = np.array([[0, 0, 10, 10], [5, 0, 15, 10], [20, 20, 30, 30], [3, 3, 3, 3]], np.float32)
    assert box_iou(a, b)[0].tolist() == pytest.approx([1, 1 / 3, 0, 0])


@pytest.mark.parametrize("in_shape", [(1, 3, "height", "width"), ("batch", 3, "h", "w"), (1, 3, 736, 1280)])
def test_onnxruntime_runs_models_with_free_and_fixed_input(tmp_path: Path, in_shape: tuple[int | str, ...]) -> None:
    rows = raw((640, 368, 40, 80, PAWN, 0.9), (8, 376, 30, 20, DIE, 0.5))
    path = tiny_onnx.detector(tmp_path / "d.onnx", rows, in_shape)
    found = load_detector(path, "onnxruntime").detect(np.zeros((360, 640, 3), np.uint8))
    assert found.xyxy_px.tolist() == [[310, 160, 330, 200], [0, 179, 11.5, 189]]
    assert found.class_id.tolist() == [PAWN, DIE]
    assert len(load_detector(path, "onnxruntime", conf=0.6).detect(np.zeros((360, 640, 3), np.uint8))) == 1


def test_a_fixed_input_keeps_its_own_size(tmp_path: Path) -> None:
    path = tiny_onnx.detector(tmp_path / "d.onnx", raw((320, 192, 40, 80, PAWN, 0.9)), (1, 3, 384, 640))
    found = load_detector(path, "onnxruntime").detect(np.zeros((720, 1280, 3), np.uint8))
    assert found.xyxy_px.tolist() == [[600, 280, 680, 440]]


def test_missing_and_broken_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="model file .*none.onnx is missing"):
        load_detector(tmp_path / "none.onnx")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"this is no model")
    with pytest.raises(ModelError) as caught:
        load_detector(broken, "onnxruntime")
    assert caught.value.reason == "weights_corrupt" and "\n" not in str(caught.value)
    other = tiny_onnx.detector(tmp_path / "coco.onnx", np.zeros((1, 84, 5), np.float32))
    with pytest.raises(ModelError, match=r"gives \(1, 84, 5\)"):
        load_detector(other, "onnxruntime")
    unlike = tiny_onnx.reader(tmp_path / "reader.onnx", np.ones((3, 7)))
    with pytest.raises(ModelError):
        load_detector(unlike, "onnxruntime")


def test_unknown_and_missing_backends_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny_onnx.detector(tmp_path / "d.onnx", raw((640, 368, 40, 80, PAWN, 0.9)))
    with pytest.raises(ModelError, match="no backend tensorrt: choose one of auto, onnxruntime"):
        load_detector(path, "tensorrt")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for backend, extra in (("openvino", "openvino"), ("ultralytics", "train")):
        with pytest.raises(ModelError, match=rf'schiri\[{extra}\]'):
            load_detector(path, backend)


def test_auto_takes_openvino_only_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny_onnx.detector(tmp_path / "d.onnx", raw((640, 368, 40, 80, PAWN, 0.9)))
    monkeypatch.setattr(module, "installed", lambda package: False)
    assert len(load_detector(path, "auto").detect(np.zeros((736, 1280, 3), np.uint8))) == 1


@pytest.mark.skipif(importlib.util.find_spec("openvino") is None, reason="OpenVINO is not installed")
def test_openvino_gives_the_same(tmp_path: Path) -> None:
    path = tiny_onnx.detector(tmp_path / "d.onnx", raw((640, 368, 40, 80, PAWN, 0.9)))
    image = np.zeros((720, 1280, 3), np.uint8)
    one, other = (load_detector(path, backend).detect(image) for backend in ("onnxruntime", "openvino"))
    assert np.allclose(one.xyxy_px, other.xyxy_px) and np.allclose(one.confidence, other.confidence)
