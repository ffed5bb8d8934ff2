"""A recorded game from a written one: a record's turns are played by hands on a rendered table, with exact truth.

The input is a record (setup line, then ``turn`` and ``correction`` lines); the output is a video, the
setup with its calibration, a truth file (``events`` with ``t_roll`` and ``t_rest``, seconds), and what people tell the
page meanwhile (``commands.jsonl``: the action die of Verflixxt nochmal).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.scene.assets import Assets
from models.scene.pip_die import Die
from models.scene.studio import AREA_MM, END_MM, FINISH_MM, PITCH_MM, TILE_MM, Look, Spot, Studio, start_table
from models.scene.video import write_video

Image = NDArray[np.uint8]
Json = dict[str, Any]

FPS = 10
SEATS = {"bottom": (0.3, 1.16), "top": (0.3, -0.1), "left": (-0.14, 0.5), "right": (1.12, 0.5)}


@dataclass(frozen=True, slots=True)
class Extras:
    """What else happens: ``bump_before``: the camera is knocked before this entry of the game; ``lamp_before``: the
    light changes to ``lamp`` times its level; ``clutter``: things beside the play area; ``empty_hands``: share of
    turns before which a hand is held over the table for nothing."""

    bump_before: int | None = None
    lamp_before: int | None = None
    lamp: float = 0.7
    clutter: int = 0
    empty_hands: float = 0.0


class Director:
    """Plays the lines of a record on a table and yields frames; notes when each roll and each rest began."""

    def __init__(
        self, setup: Mapping[str, Any], lines: Sequence[Mapping[str, Any]], look: Look, seed: int,
        extras: Extras = Extras(),
    ) -> None:  # fmt: skip
        self.setup, self.lines, self.rng = setup, lines, np.random.default_rng(seed)
        self.grain = np.random.default_rng([seed, 1])
        self.extras, self.level = extras, 1.0
        self.table, self.studio = start_table(setup, self.rng), Studio(look, seed)
        self.names = [p["name"] for p in setup["players"]]
        self.sides = {"bottom": 90.0, "top": 270.0, "left": 180.0, "right": 0.0}
        self.clock, self.events, self.commands = 0, list[Json](), list[Json]()

    def frames(self) -> Iterator[Image]:
        """The whole recording, FPS pictures a second, with sensor noise."""
        for image in self._clean():
            self.clock += 1
            grain = self.grain.standard_normal(image.shape[:2], np.float32) * np.float32(self.studio.look.noise)
            lit = image.astype(np.float32) * np.float32(self.level) + grain[:, :, None]
            yield np.clip(lit, 0, 255, out=lit).astype(np.uint8)

    def _clean(self) -> Iterator[Image]:
        yield from self._hold(1.6)
        for number, line in enumerate(self.lines):
            yield from self._disturb(number)
            side = self.sides[self._seat(line)]
            event: Json = {"type": "turn" if line["type"] == "turn" else "corrected", "turn": line["turn"]}
            if line["type"] == "turn":
                event["player"], event["roll"] = self.names.index(line["player"]), line["roll"]
                yield from self._throw(int(line["roll"]), side, line.get("action_die"))
                event["t_roll"] = self.clock / FPS
                if "action_die" in line:
                    said = {"do": "action_die", "value": line["action_die"], "at_s": event["t_roll"] + 0.3}
                    self.commands.append(said)
                yield from self._hold(float(self.rng.uniform(0.9, 1.4)))
            yield from self._play(line, side)
            event["t_rest"] = self.clock / FPS
            self.events.append(event | _told(line))
            yield from self._hold(float(self.rng.uniform(1.2, 1.7)))

    def _disturb(self, number: int) -> Iterator[Image]:
        """Whatever is no move."""
        extras = self.extras
        if extras.bump_before == number:
            for _ in range(2):
                self.studio.look = self.studio.look.bumped(self.rng)
                yield self.studio.still(self.table)
            self.events.append({"type": "bump", "t_s": self.clock / FPS})
            yield from self._hold(2.0)
        if extras.lamp_before == number:
            for level in np.linspace(self.level, extras.lamp, 4):
                self.level = float(level)
                yield from self._hold(1 / FPS)
            yield from self._hold(0.8)
        if self.rng.random() < extras.empty_hands:
            over = self.table.spots[int(self.rng.integers(len(self.table.spots)))]
            path = [*_line(self._outside(over, 90.0), (*over, 40.0), 4), *[(*over, 40.0)] * 6]
            yield from self._reach([*path, *_line((*over, 40.0), self._outside(over, 90.0), 4)], 90.0, number)
            yield from self._hold(0.8)

    def _seat(self, line: Mapping[str, Any]) -> str:
        turns = [event["player"] for event in self.events if "player" in event]
        return self._seat_of(self.names.index(line["player"]) if "player" in line else turns[-1])

    def _seat_of(self, player: int) -> str:
        return str(self.setup["players"][player].get("seat", "bottom"))

    def _hold(self, seconds: float) -> Iterator[Image]:
        for _ in range(round(seconds * FPS)):
            yield self.studio.still(self.table)

    def _reach(self, path: Sequence[tuple[float, float, float]], side: float, seed: int) -> Iterator[Image]:
        for x, y, z in path:
            yield self.studio.with_hand(self.table, (x, y), z, side, seed)

    def _outside(self, spot: Spot, side: float) -> tuple[float, float, float]:
        return spot[0] + 420 * float(np.cos(np.radians(side))), spot[1] + 420 * float(np.sin(np.radians(side))), 60.0

    def _throw(self, value: int, side: float, action: str | None = None) -> Iterator[Image]:
        table, seed = self.table, int(self.rng.integers(1 << 30))
        old = table.die_pos
        yield from self._reach(_line(self._outside(old, side), (*old, 8.0), 4), side, seed)
        table.die_in_hand = True
        new = self._free_for_die(old)
        yield from self._reach(_line((*old, 8.0), (*new, 70.0), 3), side, seed)
        turned = Die.draw(np.random.default_rng(int(self.rng.integers(1 << 30))), value)
        table.die = dataclasses.replace(table.die, faces=turned.faces, flips=turned.flips)
        table.die_pos, table.die_in_hand = new, False
        if action is not None:
            table.action, table.action_pos = action, self._free_for_die(new)
        yield from self._reach(_line((*new, 70.0), self._outside(new, side), 4), side, seed)

    def _free_for_die(self, taken: Spot) -> Spot:
        """Where a die comes to rest, not where another lies (or lay)."""
        left, right, top, bottom = self.table.die_zone
        new = taken
        while np.hypot(new[0] - taken[0], new[1] - taken[1]) < 22:
            new = (float(self.rng.uniform(left, right)), float(self.rng.uniform(top, bottom)))
        return new

    def _play(self, line: Mapping[str, Any], side: float) -> Iterator[Image]:
        for tile in line.get("returned_tiles", []):
            self.table.tiles[int(tile)] = self.table.spots[int(tile)]
            yield from self._hold(0.1)
        for move in line.get("moves", []):
            if move["to"] != "out":
                yield from self._carry(move, side)
        for tile in line.get("taken_tiles", []):
            leaving = [(m["piece"], int(m["from"])) for m in line["moves"] if m["to"] == "out" and m["from"] == tile]
            yield from self._take(int(tile), leaving, self._seat(line), side)
        if line.get("passed") and line["passed"]["to"] is not None:
            to = self.names.index(line["passed"]["to"])
            yield from self._take(int(line["passed"]["number"]), [], self._seat_of(to), side)
        for tile in line.get("wandered", []):
            yield from self._wander(int(tile), side)

    def _carry(self, move: Mapping[str, Any], side: float) -> Iterator[Image]:
        start, to = self._place(move["from"]), self._place(move["to"])
        table, seed = self.table, int(self.rng.integers(1 << 30))
        piece = next(p for p in table.pieces if p.name == move["piece"] and p.at == start)
        old = piece.pos_mm
        yield from self._reach(_line(self._outside(old, side), (*old, 26.0), 4), side, seed)
        table.in_hand = piece
        new = table.free_spot(to)
        yield from self._reach(_line((*old, 50.0), (*new, 30.0), 5), side, seed)
        piece.at, piece.pos_mm, table.in_hand = to, new, None
        yield from self._reach(_line((*new, 32.0), self._outside(new, side), 4), side, seed)

    def _take(self, tile: int, leaving: list[tuple[str, int]], seat: str, side: float) -> Iterator[Image]:
        table, seed = self.table, int(self.rng.integers(1 << 30))
        old = table.tiles[tile]
        fx, fy = SEATS[seat]
        n = table.given.get(seat, 0)
        table.given[seat] = n + 1
        upright = seat in ("left", "right")
        new = (fx * AREA_MM[0] + (0 if upright else n * 48.0), fy * AREA_MM[1] + (n * 48.0 if upright else 0))
        yield from self._reach(_line(self._outside(old, side), (*old, 10.0), 3), side, seed)
        for name, place in leaving:
            piece = next(p for p in table.pieces if p.name == name and p.at == place)
            piece.at = "out"
        table.tiles[tile] = new
        yield from self._reach(_line((*new, 12.0), self._outside(new, side), 4), side, seed)

    def _wander(self, tile: int, side: float) -> Iterator[Image]:
        """A tile, with the guards on it, is laid right before the finish, which is pushed away to make room for it."""
        table, seed, last = self.table, int(self.rng.integers(1 << 30)), len(self.table.spots) - 1
        old, finish, before = np.array(table.tiles[tile]), np.array(table.tiles[last]), np.array(table.spots[last - 1])
        ahead = (finish - before) / np.linalg.norm(finish - before)
        for place, shift in ((last, ahead * PITCH_MM), (tile, finish - ahead * (FINISH_MM - PITCH_MM) - old)):
            here = table.tiles[place]
            yield from self._reach(_line(self._outside(here, side), (*here, 10.0), 3), side, seed)
            table.shift(place, (float(shift[0]), float(shift[1])))
            there = table.tiles[place]
            yield from self._reach(_line((*there, 12.0), self._outside(there, side), 4), side, seed)

    def _place(self, place: Any) -> int | str:
        last = len(self.table.spots) - 1
        named: dict[Any, int | str] = {"start": 0, "finish": last, "home": last, "out": "out"}
        return named[place] if place in named else int(place)


def _told(line: Mapping[str, Any]) -> Json:
    """What the truth says of a line: guards that leave with their tile stand apart from the moves."""
    moves = line.get("moves", [])
    kept = ("taken_tiles", "returned_tiles", "legal", "broken_rule", "action_die", "passed", "wandered")
    truth = {key: line[key] for key in kept if key in line}
    leaving = sum(m["to"] == "out" for m in moves)
    return truth | {"moves": [m for m in moves if m["to"] != "out"], "removed_guards": leaving}


def _line(a: tuple[float, float, float], b: tuple[float, float, float], steps: int) -> list[tuple[float, float, float]]:
    return [tuple(float(v) for v in np.array(a) + (np.array(b) - a) * t) for t in np.linspace(0, 1, steps)]  # type: ignore[misc]


def record(
    lines: Sequence[Mapping[str, Any]], out: Path, seed: int, assets: Assets, extras: Extras = Extras(),
    size_wh: tuple[int, int] = (1280, 720),
) -> Path:  # fmt: skip
    """Write ``video.mp4``, ``setup.json``, ``truth.json`` and ``commands.jsonl`` (where people tell anything) to the
    folder ``out``; the video's path."""
    setup = dict(lines[0])
    look = Look.draw(seed, setup, assets, size_wh, extras.clutter)
    director = Director(setup, lines[1:], look, seed, extras)
    out.mkdir(parents=True, exist_ok=True)
    video = write_video(out / "video.mp4", director.frames(), FPS)
    corners = np.array([[0, 0, 0], [AREA_MM[0], 0, 0], [*AREA_MM, 0], [0, AREA_MM[1], 0]], float)
    setup["calibration"] = {"corners_px": np.round(look.camera.project(corners), 2).tolist(), "size_mm": list(AREA_MM)}
    setup |= {"markers": "aruco", "die_mm": director.table.die.side_mm}
    if "route" in setup:
        setup |= {"tile_across_flats_mm": TILE_MM, "end_tile_across_flats_mm": END_MM}
    setup["marker"] = {"dictionary": "DICT_4X4_50", "size_mm": 30, "ids": [0, 1, 2, 3]}
    setup.pop("type", None)
    (out / "setup.json").write_text(json.dumps(setup, indent=1))
    played = [event for event in director.events if event["type"] != "bump"]
    others = [event for event in director.events if event["type"] == "bump"]
    truth = {"events": played, "others": others, "duration_s": director.clock / FPS}
    (out / "truth.json").write_text(json.dumps(truth, indent=1))
    if director.commands:
        (out / "commands.jsonl").write_text("".join(json.dumps(command) + "\n" for command in director.commands))
    return video
