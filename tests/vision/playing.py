"""Runs a referee over frames, with eyes that look into the truth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from calibration.plane import TablePlane
from rules import game_of
from tests.vision.fake_eyes import NONE, FakeEyes, Noise
from tests.vision.toy import Toy
from vision.motion import MotionGate
from vision.reading import Eyes
from vision.referee import Referee
from vision.watch import adapter_of


def referee_for(setup: dict[str, Any], eyes: Eyes, plane: TablePlane) -> Referee:
    return Referee(adapter_of(setup), game_of(setup).start(setup), eyes, plane, MotionGate(plane))


def watch(toy: Toy, noise: Noise = NONE, seed: int = 0) -> tuple[Referee, list[dict[str, Any]]]:
    """Everything the referee writes about a toy recording."""
    referee = referee_for(toy.setup, FakeEyes(toy.stills, toy.plane, noise, seed), toy.plane)
    return referee, run(referee, toy.timed())


def run(referee: Referee, frames: Iterable[tuple[float, Any]]) -> list[dict[str, Any]]:
    lines, t_s = [], 0.0
    for t_s, image in frames:
        lines += referee.step(image, t_s)
    return lines + referee.finish(t_s)


def happenings(lines: Iterable[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What the lines say in short: kind, player, roll, pawn and guard moves, tiles, broken rules."""
    short: list[tuple[Any, ...]] = []
    for line in lines:
        if line["type"] in ("turn", "correction"):
            moves = tuple((m["piece"], m["from"], m["to"]) for m in line["moves"])
            rules = tuple(v["rule"] for v in line.get("violations", ()))
            short.append((line["type"], line["player"], line.get("roll"), moves, tuple(line["taken"]), rules))
        elif line["type"] != "found":
            short.append((line["type"],))
    return short
