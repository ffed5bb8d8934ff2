"""Reading the dice of a photo: detector and reader together, with tiny networks whose answers are known."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import tiny_onnx

from models.classes import DETECTOR_CLASSES, DIE_CLASSES
from vision.detections import Detections
from vision.dice import BODY_COLOURS, DiceEyes, joint_confidence, load_dice_eyes, read_dice, read_photo
from vision.errors import ModelError, PhotoError

DIE, PAWN = DETECTOR_CLASSES.index("die"), DETECTOR_CLASSES.index("pawn")
SIDE = 480


def raw(*boxes: tuple[float, float, float, int, float]) -> np.ndarray:
    """A raw output (1, 10, M) with squares cx, cy, side of a class with a score."""
    out = np.zeros((1, 4 + len(DETECTOR_CLASSES), len(boxes)), np.float32)
    for i, (cx, cy, side, class_id, score) in enumerate(boxes):
        out[0, :4, i], out[0, 4 + class_id, i] = (cx, cy, side, side), score
    return out


def photo() -> np.ndarray:
    """A grey table with a red, a green and a blue square, at 100, 240 and 380 px."""
    image = np.full((SIDE, SIDE, 3), (96, 96, 96), np.uint8)
    for x, colour in ((100, (30, 30, 200)), (240, (50, 160, 40)), (380, (190, 70, 20))):
        cv2.rectangle(image, (x - 20, 220), (x + 20, 260), colour, -1)
    return image


@pytest.fixture
def eyes(tmp_path: Path) -> DiceEyes:
    """Finds the three squares (the first twice, a part of it, a pawn); the reader calls red 6, green 3, blue no die."""
    rows = raw(
        (200, 480, 80, DIE, 0.9), (204, 480, 80, DIE, 0.3), (480, 480, 80, DIE, 0.4), (760, 480, 80, DIE, 0.4),
        (480, 200, 60, PAWN, 0.9), (200, 800, 60, DIE, 0.01), (190, 470, 44, DIE, 0.3),
    )
    weights = np.zeros((3, len(DIE_CLASSES)))
    for channel, face in enumerate(("6", "3", "none")):
        weights[channel, DIE_CLASSES.index(face)] = 40
    return load_dice_eyes(
        tiny_onnx.detector(tmp_path / "detector.onnx", rows), tiny_onnx.reader(tmp_path / "reader.onnx", weights),
        "onnxruntime",
    )


def test_dice_from_left_to_right_with_value_colour_and_box(eyes: DiceEyes) -> None:
    dice = read_dice(photo(), eyes)
    assert [(die["value"], die["colour"]) for die in dice] == [(6, "red"), (3, "green")]
    assert [die["box_px"] for die in dice] == [[80, 220, 120, 260], [220, 220, 260, 260]]
    assert all(list(die) == ["value", "colour", "box_px", "confidence"] for die in dice)
    assert 0.3 < dice[1]["confidence"] <= dice[0]["confidence"] <= 1


@pytest.mark.parametrize(
    ("sure", "beside_wide", "seen"),
    [(0.7, (), True), (0.3, (), False), (0.3, (80,), False), (0.3, (80, 80), True), (0.3, (80, 150), False)],
)
def test_an_unsure_colour_die_needs_dice_of_its_size(
    sure: float, beside_wide: tuple[int, ...], seen: bool, tmp_path: Path
) -> None:
    """The blue square is a colour die; the red ones beside it are sixes, some far larger than it."""
    image = np.full((SIDE, SIDE, 3), (96, 96, 96), np.uint8)
    cv2.rectangle(image, (80, 80), (120, 120), (190, 70, 20), -1)
    rows = [(200, 200, 80, DIE, sure)]
    for k, wide in enumerate(beside_wide):
        cv2.rectangle(image, (260, 100 + 160 * k), (330, 160 + 160 * k), (30, 30, 200), -1)
        rows.append((590, 260 + 320 * k, wide, DIE, 0.9))
    weights = np.zeros((3, len(DIE_CLASSES)))
    for channel, face in enumerate(("6", "3", "face")):
        weights[channel, DIE_CLASSES.index(face)] = 40
    networks = tiny_onnx.detector(tmp_path / "d.onnx", raw(*rows)), tiny_onnx.reader(tmp_path / "r.onnx", weights)
    found = read_dice(image, load_dice_eyes(*networks, "onnxruntime"))
    assert [die["colour"] for die in found if die["value"] == "face"] == ["blue"] * seen
    assert [die["value"] for die in found if die["value"] != "face"] == [6] * len(beside_wide)


def test_a_file_is_read_like_a_picture(tmp_path: Path, eyes: DiceEyes) -> None:
    path = tmp_path / "würfel.png"
    path.write_bytes(cv2.imencode(".png", photo())[1].tobytes())
    assert read_dice(path, eyes) == read_dice(str(path), eyes) == read_dice(photo(), eyes)


@pytest.mark.parametrize(
    ("shape", "size_wh"), [((720, 1280), (1280, 960)), ((853, 640), (960, 1280)), ((640, 640), (960, 960))]
)
def test_the_detectors_input_has_the_shape_of_the_photo(
    shape: tuple[int, int], size_wh: tuple[int, int], eyes: DiceEyes
) -> None:
    asked: list[tuple[int, int]] = []

    class Nothing:
        def detect(self, image_bgr: np.ndarray) -> Detections:
            return Detections.empty()

    def load(size: tuple[int, int]) -> Nothing:
        asked.append(size)
        return Nothing()

    lazy = DiceEyes(load, eyes.reader)
    for _ in range(2):
        assert read_dice(np.zeros((*shape, 3), np.uint8), lazy) == []
    assert asked == [size_wh]


def test_joint_confidence_grows_with_both_and_falls_with_none() -> None:
    boxes = np.zeros((4, 4), np.float32)
    found = Detections(boxes, np.full(4, DIE), np.array([0.9, 0.9, 0.1, 0.1], np.float32))
    faces = np.full((4, 7), 0.01, np.float32)
    faces[:, 2], faces[[1, 3], 6] = 0.95, 0.9
    sure, doubted, faint, nothing = joint_confidence(found, faces)
    assert sure > max(faint, doubted) and min(faint, doubted) > nothing
    assert sure > 0.9 and nothing < 0.1


@pytest.mark.parametrize(("name", "bgr"), [
    ("red", (40, 30, 170)), ("blue", (160, 70, 20)), ("green", (60, 130, 30)), ("yellow", (40, 190, 220)),
    ("black", (28, 28, 30)), ("white", (225, 228, 230)), ("brown", (40, 70, 110)), ("purple", (120, 40, 90)),
])
def test_bodies_are_named(name: str, bgr: tuple[int, int, int]) -> None:
    image = np.full((100, 100, 3), (100, 140, 120), np.uint8)
    image[30:70, 30:70] = bgr
    for x in (42, 58):
        cv2.circle(image, (x, x), 4, (250, 250, 250) if name != "white" else (20, 20, 20), -1)
    shares = BODY_COLOURS.classify(image, (30, 30, 70, 70))
    assert max(shares, key=lambda colour: shares[colour]) == name


def test_unreadable_photos_are_named(tmp_path: Path, eyes: DiceEyes) -> None:
    with pytest.raises(PhotoError, match="photo .*none.jpg does not exist"):
        read_dice(tmp_path / "none.jpg", eyes)
    for name, content in (("text.jpg", b"no picture"), ("empty.jpg", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(PhotoError, match=f"{name} is no picture"):
            read_photo(tmp_path / name)
    with pytest.raises(PhotoError, match="is no picture"):
        read_photo(tmp_path)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="detector.onnx is missing"):
        load_dice_eyes(tmp_path / "detector.onnx", tmp_path / "reader.onnx")
