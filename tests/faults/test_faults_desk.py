"""Faults of the program itself: the game goes on from what was written, and the page never dies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vision.runner
import vision.watch
from calibration.plane import TablePlane
from tests.faults.table import StillEyes, Tape, at_rest, during, faultless, shots, toy
from tests.vision.playing import happenings
from vision import loop
from vision.errors import ModelError
from vision.frames import Frame, FrameSource
from vision.hub import Hub
from vision.journal import Journal
from vision.reading import Eyes, TableReading
from web.desk import STUMBLES, Desk, Ends, Job
from web.shelf import Shelf

REST = 3
"""The still in which the program stumbles: the first turn has been judged, the table rests for a while."""


class Plugged(FrameSource):
    """The part of a tape that one game sees: closing it leaves the camera plugged in."""

    live = True

    def __init__(self, tape: Tape) -> None:
        self.name, self._tape = tape.name, tape
        self._closed = False

    @property
    def ended(self) -> bool:
        return self._closed or self._tape.ended

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        return self._tape.read(timeout_s)

    def close(self) -> None:
        self._closed = True


class FakeFeed:
    """What the desk knows of a chosen camera."""

    live = True

    def __init__(self) -> None:
        self._tape = Tape(during(shots(), at_rest(REST), 4.0, lambda image: image))

    def lend(self) -> FrameSource:
        return Plugged(self._tape)

    def take_back(self) -> None:
        pass


class Stumbling(StillEyes):
    """Eyes with a fault of the program in them: they fail so many ``times`` while the table rests."""

    fallen = 0

    def __init__(self, plane: TablePlane, times: int) -> None:
        super().__init__(plane)
        self._times = times

    def read(self, image_bgr: object, t_s: float) -> TableReading:
        if t_s > at_rest(REST) + 0.5 and self.fallen < self._times:
            type(self).fallen += 1
            raise ZeroDivisionError("a fault of the program")
        return super().read(image_bgr, t_s)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the clock."""
    monkeypatch.setattr(loop, "CALM_EVERY_S", 0.0)
    monkeypatch.setattr(Stumbling, "fallen", 0)


def desk_with(monkeypatch: pytest.MonkeyPatch, folder: Path, eyes: Callable[[Any, Any], Eyes]) -> Desk:
    monkeypatch.setattr(vision.runner, "run_referee", ending_referee)
    monkeypatch.setattr(vision.watch, "camera_eyes", lambda plane, setup, **known: eyes(plane, setup))
    desk = Desk(Hub(), Shelf(folder))
    desk._now.feed = FakeFeed()  # type: ignore[assignment]
    return desk


run_referee = vision.runner.run_referee


def ending_referee(*given: Any, closing: threading.Event, **named: Any) -> None:
    """The referee, which does not stay when the tape has ended."""
    run_referee(*given, **named)


def let_play(desk: Desk, job: Job) -> None:
    desk.play(job)
    while (following := desk._next(Ends(threading.Event()))) is not None:
        desk._play(*following)


@pytest.mark.parametrize("on_disk", [True, False])
def test_a_game_goes_on_after_a_fault_of_the_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, on_disk: bool
) -> None:
    path = tmp_path / "games.sqlite" if on_disk else None
    desk = desk_with(monkeypatch, tmp_path, lambda plane, setup: Stumbling(plane, 1))
    let_play(desk, Job(toy().setup, journal=path))
    turns = desk.hub.snapshot()["turns"]
    assert [h for h in happenings(turns)] == faultless().played
    assert desk.problem is None and "ZeroDivisionError" in (tmp_path / "faults.log").read_text()
    if path is not None:
        journal = Journal(path)
        written = [h for h in happenings(journal.lines(1)) if h[0] in ("turn", "correction")]
        journal.close()
        assert written == faultless().played


def test_a_fault_that_comes_again_and_again_ends_the_game_but_not_the_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    desk = desk_with(monkeypatch, tmp_path, lambda plane, setup: Stumbling(plane, 99))
    let_play(desk, Job(toy().setup, journal=tmp_path / "games.sqlite"))
    assert Stumbling.fallen == STUMBLES
    assert desk.problem is not None and "ZeroDivisionError" in desk.problem["en"] and desk.problem["de"]
    assert desk.hub.snapshot()["state"] == "lost" and desk.setup is None


def test_broken_weights_are_told_on_the_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def eyes(plane: Any, setup: Any) -> Eyes:
        raise ModelError("weights_corrupt", path="detector.onnx", detail="protobuf")

    desk = desk_with(monkeypatch, tmp_path, eyes)
    let_play(desk, Job(toy().setup))
    assert desk.problem is not None and "detector.onnx" in desk.problem["de"] and "install" in desk.problem["en"]
    assert desk.hub.snapshot()["why"] == desk.problem


def test_a_damaged_journal_is_mended_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    journal = Journal(path)
    journal.begin(toy().setup, "2026-01-01")
    journal._base.execute("INSERT INTO lines (game, line) VALUES (1, '{\"type\": ')")
    journal.close()
    desk = desk_with(monkeypatch, tmp_path, lambda plane, setup: StillEyes(plane))
    let_play(desk, Job(toy().setup, journal=path, resume=True))
    assert path.with_name("games.sqlite.damaged-1").is_file()
    assert [h for h in happenings(desk.hub.snapshot()["turns"])] == faultless().played
