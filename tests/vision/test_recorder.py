"""A game kept while it is played, refereed again: the same lines."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calibration.errors import UserError
from tests.vision.killed_game import CORNERS
from tests.vision.test_runner import eyes_of, legal, recording, wait_for
from tests.vision.toy import SETUP, Toy
from vision.events import in_language
from vision.frames import Frame
from vision.hub import Hub
from vision.recorder import COMMANDS, Recorder, is_kept
from vision.runner import replay_lines, run_referee
from vision.sources import Recording


def test_a_kept_game_gives_the_same_record(tmp_path: Path) -> None:
    toy = Toy({**SETUP, "calibration": CORNERS})
    toy.rest(0.8)
    toy.play(3, legal(toy, 3))
    toy.play(2, legal(toy, 2))
    hub, closing, said = Hub(), threading.Event(), list[dict[str, Any]]()
    kept = Recorder(recording(toy), tmp_path / "game")
    arguments = {"closing": closing, "eyes_for": eyes_of(toy), "on_line": said.append}
    thread = threading.Thread(target=run_referee, args=(kept, toy.setup, hub), kwargs=arguments)
    thread.start()
    try:
        wait_for(lambda: len(hub.snapshot().get("turns", [])) == 2, 300.0)
        turn = {"player": "Anna", "roll": 4, "moves": [{"piece": "pawn:red", "from": "start", "to": 3}], "taken": []}
        hub.commands.put({"do": "change", "index": 0, "turn": turn})
        wait_for(lambda: any(line.get("by") == "person" for line in said), 300.0)
    finally:
        closing.set()
        thread.join(60)
    assert is_kept(tmp_path / "game")
    setup = json.loads((tmp_path / "game" / "setup.json").read_text("utf-8"))
    again = list(replay_lines(str(tmp_path / "game"), setup, eyes_for=eyes_of(toy)))
    assert in_language(again, "en") == in_language(said, "en")
    assert [line["type"] for line in again] == ["found", "turn", "turn", "undo", "undo", "turn", "turn"]


def test_where_nothing_moves_few_pictures_are_kept(tmp_path: Path) -> None:
    toy = Toy()
    toy.rest(0.1)

    def still() -> Iterator[Frame]:
        for number in range(80):
            yield Frame(toy.frames[0], number / 10, number)

    source = Recorder(Recording("still", still()), tmp_path)
    times = [frame.t_s for frame in source]
    assert times[:20] == [k / 10 for k in range(20)]
    assert 30 <= len(times) <= 40 and max(b - a for a, b in zip(times, times[1:], strict=False)) <= 0.51


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="cannot be written to"):
        Recorder(Recording("none", iter(())), tmp_path / "file")


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    (tmp_path / COMMANDS).write_text("{no json")
    (tmp_path / "setup.json").write_text("{}")
    with pytest.raises(UserError, match="damaged"):
        list(replay_lines(str(tmp_path), {**SETUP}))
