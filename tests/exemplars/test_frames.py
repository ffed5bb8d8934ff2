"""Pictures that are kept of a set, and what fine-tuned readers are worth: written, read back, limited, damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn import PLANE, STARTED, table

from vision.exemplars.frames import MOST_FRAMES, Frames, Known
from vision.exemplars.store import ExemplarSet, Lesson
from vision.exemplars.tuned import Tuned

KNOWN = Known((("-3", (50.0, 80.0)),), (("4", (10.0, 20.0, 30.0, 40.0)),), ((1.0, 2.0, 3.0, 4.0),))


def test_a_picture_is_read_back_with_what_is_known_of_it(tmp_path: Path) -> None:
    frames = Frames(tmp_path / "frames")
    assert frames.keep(table(STARTED), PLANE, KNOWN)
    assert not frames.keep(table(STARTED), PLANE, KNOWN), "the next one comes too soon"
    assert frames.keep(table(STARTED), PLANE, KNOWN, always=True)
    assert len(frames) == 2
    image, plane, known = Frames(tmp_path / "frames").all()[0]
    assert image.shape == table(STARTED).shape and known == KNOWN
    assert plane.to_mm([(500, 300)]) == pytest.approx(PLANE.to_mm([(500, 300)]))


def test_the_oldest_make_room_and_damaged_ones_are_left_out(tmp_path: Path) -> None:
    frames = Frames(tmp_path)
    small = table([])[:60, :80]
    for _ in range(MOST_FRAMES + 2):
        frames.keep(small, PLANE, KNOWN, always=True)
    assert len(frames) == MOST_FRAMES and len(list(tmp_path.iterdir())) == 2 * MOST_FRAMES
    next(tmp_path.glob("*.json")).write_text("{")
    assert len(frames.all()) == MOST_FRAMES - 1


def test_a_set_in_memory_keeps_no_pictures() -> None:
    own = ExemplarSet("test")
    assert not own.frames.keep(table([]), PLANE, KNOWN) and own.frames.all() == [] and own.tuned.report() == {}


def test_tuned_readers_are_used_where_they_are_better_and_switched_back(tmp_path: Path) -> None:
    tuned = Tuned(tmp_path)
    tuned.note({"use": True, "tile": {"better": True}, "die": {"better": False}})
    assert tuned.reader("tile") is None, "there is no file"
    for kind in ("tile", "die"):
        (tmp_path / f"{kind}_reader.onnx").write_bytes(b"weights")
    assert tuned.reader("tile") == tmp_path / "tile_reader.onnx" and tuned.reader("die") is None
    tuned.use(False)
    assert tuned.reader("tile") is None
    tuned.use(True)
    assert tuned.reader("tile") is not None
    (tmp_path / "tuned.json").write_text("[")
    assert tuned.reader("tile") is None


def test_what_other_readers_said_is_forgotten(tmp_path: Path) -> None:
    own = ExemplarSet("test", tmp_path)
    own.add_all([Lesson("tile", "-3", table([])[:96, :96], None, "start", (0.25, 0.75))])
    assert ExemplarSet("", tmp_path).all()[0].said == (0.25, 0.75)
    own.other_readers()
    assert ExemplarSet("", tmp_path).all()[0].said == ()
