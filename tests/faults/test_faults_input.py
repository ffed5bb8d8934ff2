"""Bad input, made up by the thousand: setups, pictures, calibrations. A sentence at most, never anything else."""

from __future__ import annotations

import copy
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration.errors import CalibrationError, CalibrationFileError, UserError
from calibration.plane import TablePlane, plane_from_setup
from rules.protocol import InputError
from tests.vision.toy import toy_plane
from vision.detector import load_detector
from vision.errors import ModelError
from vision.pictures import read_picture
from vision.readers import die_reader
from vision.watch import check_setup
from web.benchmark import ROLL_RANGE, bench_setup
from web.photos import jpeg_size, png_size, unpacked

MOST_PIXELS = 60_000_000

quick = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

junk = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=8)
    | st.sampled_from(["verflixxt", "red", "luck", "standard", "calibration", "../../etc/passwd", 0, -1, 1e308]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


def full_setup(game: str) -> dict[str, Any]:
    return {**bench_setup(game), "calibration": toy_plane().to_json(), "video": {"width": 960, "height": 600}}


def places(value: Any) -> list[tuple[Any, ...]]:
    """The ways to everything inside a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *way) for key, part in inside for way in places(part))]


def spoilt(draw: Any, value: Any) -> Any:
    """A copy of a JSON value with junk in a few places, or something missing."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 3))):
        way = draw(st.sampled_from([way for way in places(value) if way] or [("game",)]))
        holder = value
        for key in way[:-1]:
            holder = holder[key]
        if isinstance(holder, dict) and draw(st.integers(0, 4)) == 0:
            holder.pop(way[-1], None)
        elif isinstance(holder, dict | list):
            holder[way[-1]] = draw(junk)
    return value


@st.composite
def setups(draw: st.DrawFn) -> Any:
    if draw(st.integers(0, 9)) == 0:
        return draw(junk)
    return spoilt(draw, full_setup(draw(st.sampled_from(sorted(ROLL_RANGE)))))


@quick
@given(setups())
def test_a_spoilt_setup_is_refused_in_a_sentence_or_works(setup: Any) -> None:
    try:
        check_setup(setup)
    except InputError as error:
        assert error.text("de").strip() and error.text("en").strip()


@quick
@given(setups())
def test_a_spoilt_calibration_is_refused_in_a_sentence_or_works(setup: Any) -> None:
    if not isinstance(setup, dict):
        return
    try:
        plane = plane_from_setup(setup, (960, 600))
    except CalibrationError as error:
        assert error.sentence("de") and error.sentence("en")
    else:
        assert np.isfinite(plane.to_mm([[1.0, 2.0]])).all()


@quick
@given(st.data())
def test_a_kept_calibration_with_junk_in_it_is_refused(tmp_path_factory: Any, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "plane.json"
    text = json.dumps(spoilt(data.draw, toy_plane().to_json()))
    path.write_text(text[: data.draw(st.integers(0, 2 * len(text)))], "utf-8")
    try:
        plane = TablePlane.load(path)
    except CalibrationFileError as error:
        assert "plane.json" in error.sentence("de")
    else:
        assert np.isfinite(plane.to_mm([[1.0, 2.0]])).all()


def jpeg(width: int = 64, height: int = 48) -> bytes:
    picture = np.random.default_rng(2).integers(0, 255, (height, width, 3), np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def bomb_png(side: int) -> bytes:
    """A small file that says it is a black picture of ``side`` x ``side``."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 4096)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def bomb_bmp(side: int) -> bytes:
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, side, side, 1, 24, *[0] * 6)


def lying_jpeg(side: int) -> bytes:
    """A JPEG whose head says that it is huge."""
    data = bytearray(jpeg())
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", side, side)
    return bytes(data)


HEADS = [b"", b"\xff\xd8", b"\xff\xd8\xff\xc0", b"\x89PNG\r\n\x1a\n", b"BM", b"II*\0", b"RIFF\0\0\0\0WEBPVP8 "]
PICTURES = {"jpeg": jpeg(), "png": cv2.imencode(".png", np.eye(40, dtype=np.uint8) * 200)[1].tobytes()}


@quick
@given(st.sampled_from(sorted(PICTURES)), st.data())
def test_cut_off_and_garbled_pictures_do_no_harm(tmp_path_factory: Any, kind: str, data: st.DataObject) -> None:
    picture = bytearray(PICTURES[kind])
    for _ in range(data.draw(st.integers(0, 6))):
        picture[data.draw(st.integers(0, len(picture) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(picture[: data.draw(st.integers(0, len(picture)))])
    path = tmp_path_factory.getbasetemp() / f"picture.{kind}"
    path.write_bytes(cut)
    for image in (read_picture(path), unpacked(cut, jpeg_size(cut) or png_size(cut), MOST_PIXELS)):
        assert image is None or (image.ndim == 3 and image.shape[2] == 3 and image.size <= 3 * MOST_PIXELS)


@quick
@given(st.binary(max_size=200), st.sampled_from(HEADS))
def test_bytes_that_are_no_picture_are_none(tmp_path_factory: Any, rest: bytes, head: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "picture.bin"
    path.write_bytes(head + rest)
    read_picture(path)
    unpacked(head + rest, jpeg_size(head + rest) or png_size(head + rest), MOST_PIXELS)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("png", bomb_png(30_000)), ("bmp", bomb_bmp(30_000)), ("jpg", lying_jpeg(65_000)), ("jpg", b"\xff\xd8" * 5000),
    ],
)  # fmt: skip
def test_bombs_are_not_unpacked(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / f"bomb.{name}"
    path.write_bytes(data)
    assert read_picture(path) is None
    assert unpacked(data, jpeg_size(data) or png_size(data), MOST_PIXELS) is None
    assert unpacked(data, (10, 10), MOST_PIXELS) is None, "even where the size looked harmless"


@pytest.mark.parametrize("part", ["nothing", "half", "text", "another model"])
def test_broken_weights_are_told_in_a_sentence(tmp_path: Path, part: str) -> None:
    from models.classes import DETECTOR_ONNX, DIE_READER_ONNX, TILE_READER_ONNX

    whole = DETECTOR_ONNX.read_bytes()
    path = tmp_path / "weights.onnx"
    broken = {"nothing": b"", "half": whole[: len(whole) // 2], "text": b"my diary"}
    path.write_bytes(broken.get(part, DIE_READER_ONNX.read_bytes()))
    with pytest.raises(ModelError) as told:
        load_detector(path, "onnxruntime")
    assert "weights.onnx" in told.value.sentence("de") and "weights.onnx" in told.value.sentence("en")
    path.write_bytes(TILE_READER_ONNX.read_bytes() if part == "another model" else path.read_bytes())
    with pytest.raises(UserError, match="weights.onnx"):
        die_reader(path)
