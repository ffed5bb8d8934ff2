"""The loop on the stills of a rendered game, with eyes that know the truth and see it badly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from calibration.plane import plane_from_setup
from tests.vision.fake_eyes import MILD, NONE, FakeEyes, Noise
from vision.referee import Referee
from vision.watch import adapter_of

CLIPS = Path(__file__).parents[3] / "shared" / "clips"

pytestmark = pytest.mark.skipif(not CLIPS.is_dir(), reason="the rendered clips are not part of the project")


class Still:
    """A motion gate for held stills: still since the present one began."""

    since_s = 0.0

    def update(self, image_bgr: object, t_s: float) -> float:
        return t_s - self.since_s


def refereed(clip: Path, noise: Noise, seed: int) -> list[dict[str, Any]]:
    setup = json.loads((clip / "setup.json").read_text("utf-8"))
    stills = json.loads((clip / "boxes.json").read_text("utf-8"))["stills"]
    plane = plane_from_setup(setup, (1280, 720))
    adapter, gate = adapter_of(setup), Still()
    referee = Referee(adapter, adapter.game.start(setup), FakeEyes(stills, plane, noise, seed), plane, gate)
    lines = []
    for still in stills:
        image = cv2.imread(str(clip / "stills" / f"{still['name']}.jpg"))
        gate.since_s = still["t0"]
        for step in range(round((still["t1"] - still["t0"]) * 10) + 1):
            lines += referee.step(image, still["t0"] + step / 10)
    return lines


def compared(clip: Path, lines: list[dict[str, Any]]) -> tuple[int, int]:
    """How many events were told right, and how many lines are wrong."""
    events = json.loads((clip / "truth.json").read_text("utf-8"))["events"]
    begins = [e["t_rest"] for e in events] + [float("inf")]
    right = wrong = 0
    for line in lines:
        if line["type"] not in ("turn", "correction"):
            continue
        number = max((k for k, t in enumerate(begins) if t <= line["t_s"] + 0.05), default=0)
        good = fits(line, events[number])
        right, wrong = right + good, wrong + (not good)
    return right, wrong


def fits(line: dict[str, Any], event: dict[str, Any]) -> bool:
    moves = {(m["from"] if m["from"] != "start" else 0, m["to"]) for m in line["moves"] if m["to"] != "out"}
    same = moves == {(m["from"], m["to"]) for m in event["moves"]}
    if event["type"] == "corrected":
        return same and line["type"] == "correction"
    taken = line.get("taken_tiles", []) == event.get("taken_tiles", [])
    return same and taken and line["roll"] == event["roll"] and line["legal"] == event["legal"]


@pytest.mark.parametrize(("name", "least"), [("verflixxt_a", 9), ("spuk_a", 6)])
def test_with_good_eyes_nearly_every_event_is_told_and_none_wrongly(name: str, least: int) -> None:
    """In Spuk one stays a question: two figures on one field, one of which should have been thrown out."""
    right, wrong = compared(CLIPS / name, refereed(CLIPS / name, NONE, 0))
    assert wrong == 0
    assert right >= least


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["verflixxt_a", "spuk_a"])
def test_with_bad_eyes_most_are_told_and_none_wrongly(name: str, seed: int) -> None:
    right, wrong = compared(CLIPS / name, refereed(CLIPS / name, MILD, seed))
    assert wrong == 0
    assert right >= (7 if name == "verflixxt_a" else 5)
