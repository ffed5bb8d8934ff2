"""Whole recorded games through the real pipeline: detector, readers, evidence, rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from vision.runner import replay_lines

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "web" / "demo"
GAMES = ROOT / "tests" / "games"
CLIP = ROOT.parent / "shared" / "clips" / "verflixxt_a"

Json = dict[str, Any]


def physical(event: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    """Piece, from and to of every move on the table."""
    seen = [m for m in event["moves"] if "out" not in (m["from"], m["to"])]
    return {(str(m["piece"]), str(m["from"]), str(m["to"])) for m in seen}


def replayed(video: Path, setup: Mapping[str, Any]) -> list[Json]:
    return [line for line in replay_lines(str(video), setup) if line["type"] in ("turn", "correction", "needs_you")]


@pytest.mark.parametrize(("video", "game", "wrong"), [
    pytest.param(DEMO / "verflixxt.mp4", "verflixxt/01", 3, id="demo"),
    pytest.param(GAMES / "verflixxt" / "02" / "video.mp4", "verflixxt/02", 1, id="four players, tiles shuffled"),
    pytest.param(GAMES / "spuk" / "01" / "video.mp4", "spuk/01", 1, id="Spuk, sixes and a figure thrown out"),
])
def test_a_recorded_game_is_refereed_as_it_was_played(video: Path, game: str, wrong: int) -> None:
    setup = json.loads((video.parent / "setup.json").read_text("utf-8"))
    truth = json.loads((GAMES / game / "truth.json").read_text("utf-8"))["events"]
    lines = replayed(video, setup)
    assert [line["type"] for line in lines] == ["turn" if e["type"] == "turn" else "correction" for e in truth]
    for line, event in zip(lines, truth, strict=True):
        assert event["t_rest"] - 0.3 <= line["t_s"] <= event["t_rest"] + 1.0, line
        assert physical(line) == physical(event)
        if line["type"] == "turn":
            assert line["roll"] == event["roll"] and line["legal"] == event["legal"]
            broken = {event["broken_rule"]} - {None}
            assert {violation["rule"] for violation in line["violations"]} == broken
    assert sum(not line.get("legal", True) for line in lines) == wrong


@pytest.mark.slow
@pytest.mark.skipif(not CLIP.is_dir(), reason="the test clips are not part of the project")
def test_a_clip_of_another_renderer_is_refereed_right() -> None:
    setup = json.loads((CLIP / "setup.json").read_text("utf-8"))
    truth = [e for e in json.loads((CLIP / "truth.json").read_text("utf-8"))["events"] if e["type"] == "turn"]
    turns = [line for line in replayed(CLIP / "video.mp4", setup) if line["type"] == "turn"]
    right = [t["roll"] == e["roll"] and t["legal"] == e["legal"] for t, e in zip(turns, truth, strict=False)]
    assert sum(right) >= 0.8 * len(truth)
