"""The referee in a thread with a hub, and on recordings; resuming; commands; what viewers see."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from rules.protocol import SetupError
from rules.verflixxt.state import Turn
from tests.vision.fake_eyes import FakeEyes
from tests.vision.playing import happenings
from tests.vision.toy import FPS, SETUP, SIZE_WH, Toy
from vision.frames import Frame
from vision.hub import Hub
from vision.journal import Journal
from vision.reading import Eyes
from vision.runner import replay_lines, run_referee
from vision.snapshot import settled_lines
from vision.sources import Recording


def legal(toy: Toy, face: int) -> Turn:
    return toy.game.legal_actions(toy.state, face)[0]


@pytest.fixture(scope="module")
def toy() -> Toy:
    toy = Toy({**SETUP, "calibration": {"corners_px": [[0, 0], [960, 0], [960, 600], [0, 600]], "size_mm": [480, 300]}})
    toy.rest(0.8)
    for face in (3, 2):
        toy.play(face, legal(toy, face))
    return toy


def recording(toy: Toy, frames: slice = slice(None)) -> Recording:
    def made() -> Iterator[Frame]:
        for number, image in list(enumerate(toy.frames))[frames]:
            yield Frame(image, number / FPS, number)

    return Recording("toy", made())


def eyes_of(toy: Toy) -> Any:
    def eyes(plane: Any, setup: Any) -> Eyes:
        return FakeEyes(toy.stills, plane)

    return eyes


def test_a_recording_is_refereed_and_published(toy: Toy) -> None:
    hub, said = Hub(), list[dict[str, Any]]()
    viewer = hub.subscribe()
    run_referee(recording(toy), toy.setup, hub, on_line=said.append, eyes_for=eyes_of(toy))
    assert [h[0] for h in happenings(said)] == ["turn", "turn"]
    snapshot = hub.snapshot()
    assert [line["player"] for line in snapshot["turns"]] == ["Anna", "Ben"]
    assert (snapshot["game"], snapshot["turn"], snapshot["to_move"]) == ("verflixxt", 3, "Anna")
    assert snapshot["players"] == [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    assert [s["player"] for s in snapshot["scores"]] == ["Anna", "Ben"]
    assert snapshot["needs_you"] is None and snapshot["end"] is None
    states = []
    while not viewer.empty():
        states.append(viewer.get_nowait()["state"])
    assert states[0] == "waiting" and {"settling", "hand_in_view", "move_seen", "at_rest"} <= set(states)


def test_what_people_said_during_a_recording_counts_at_its_time(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.runner.open_source", lambda *_, **__: recording(toy))
    between = toy.stills[4]["t0"] - 0.1
    said = [{"do": "nonsense", "at_s": 0.5}, {"do": "undo", "at_s": between}]
    lines = list(replay_lines("toy", toy.setup, eyes_for=eyes_of(toy), commands=said))
    assert [line["type"] for line in lines][:3] == ["found", "turn", "undo"]
    assert between <= lines[2]["t_s"] < between + 0.2


def test_viewers_get_pictures_with_the_overlay(toy: Toy) -> None:
    hub = Hub()
    run_referee(recording(toy), toy.setup, hub, eyes_for=eyes_of(toy))
    number, picture = hub.picture()
    assert number >= 1
    assert picture is not None and picture.shape == toy.frames[-1].shape
    drawn = np.abs(picture.astype(int) - toy.frames[-1]).max(axis=2) > 60
    assert 2_000 < int(drawn.sum()) < 200_000


def test_a_killed_game_goes_on_where_it_was(toy: Toy, tmp_path: Path) -> None:
    half = toy.stills[4]["t0"]
    cut = round(half * FPS)
    journal = Journal(tmp_path / "games.sqlite")
    run_referee(recording(toy, slice(0, cut)), toy.setup, Hub(), journal, eyes_for=eyes_of(toy))
    journal.close()
    again, hub = Journal(tmp_path / "games.sqlite"), Hub()
    run_referee(recording(toy, slice(cut, None)), toy.setup, hub, again, eyes_for=eyes_of(toy))
    turns = [line for line in again.lines() if line["type"] == "turn"]
    assert [line["player"] for line in turns] == ["Anna", "Ben"]
    assert [line["turn"] for line in hub.snapshot()["turns"]] == [1, 2]
    number = next(k for k, line in enumerate(again.lines()) if line["type"] == "turn" and line["turn"] == 2)
    before, after = again.pictures(number)
    assert before and after
    again.close()


def test_commands_are_obeyed_after_the_recording_has_ended(toy: Toy) -> None:
    hub, closing = Hub(), threading.Event()
    arguments = {"closing": closing, "eyes_for": eyes_of(toy)}
    thread = threading.Thread(target=run_referee, args=(recording(toy), toy.setup, hub), kwargs=arguments)
    thread.start()
    try:
        wait_for(lambda: len(hub.snapshot().get("turns", [])) == 2)
        hub.commands.put({"do": "choose", "index": 0})
        hub.commands.put({"do": "undo"})
        wait_for(lambda: len(hub.snapshot()["turns"]) == 1)
        assert hub.snapshot()["to_move"] == "Ben"
    finally:
        closing.set()
        thread.join(10)
    assert not thread.is_alive()


def wait_for(condition: Any, patience_s: float = 60.0) -> None:
    until = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < until, "waited too long"
        time.sleep(0.05)


def test_a_video_file_is_replayed(toy: Toy, tmp_path: Path) -> None:
    path = tmp_path / "toy.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE_WH)
    for image in toy.frames:
        writer.write(image)
    writer.release()
    times: list[float] = []
    lines = list(replay_lines(str(path), toy.setup, progress=times.append, eyes_for=eyes_of(toy)))
    assert [h[:3] for h in happenings(lines)] == [("turn", "Anna", 3), ("turn", "Ben", 2)]
    assert len(times) == len(toy.frames)


def test_a_game_nobody_knows_is_refused_at_once(tmp_path: Path) -> None:
    setup = {**SETUP, "game": "mikado"}
    with pytest.raises(SetupError, match="mikado"):
        replay_lines(str(tmp_path / "missing.mp4"), setup)


def test_a_wrong_set_up_is_refused_before_the_video_is_opened(tmp_path: Path) -> None:
    setup = {**SETUP, "players": [{"name": "A", "colour": "pink"}, {"name": "B", "colour": "red"}]}
    with pytest.raises(SetupError, match="pink"):
        replay_lines(str(tmp_path / "missing.mp4"), setup)


def test_each_undo_takes_one_line_back() -> None:
    lines = [{"type": t, "n": n} for n, t in enumerate(["found", "turn", "turn", "undo", "needs_you", "turn"])]
    assert [line["n"] for line in settled_lines(lines)] == [1, 5]
