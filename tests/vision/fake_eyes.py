"""Eyes that look into the truth instead of the picture, and see it badly on purpose."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calibration.plane import TablePlane
from calibration.standing import DIE, GUARD, PAWN, foot_mm
from models.classes import DIE_CLASSES, TILE_CLASSES
from vision.reading import Box, DieSeen, HandSeen, PieceSeen, TableReading, TileSeen

COLOURS = ("red", "blue", "green", "yellow", "black", "orange")


@dataclass(frozen=True)
class Noise:
    """How badly the eyes see. All but ``jitter`` (share of a box's size) and ``false`` (a look) are probabilities.

    Half of the misses and mistakes last as long as the table rests, half are new at every look.
    """

    miss: float = 0.0
    jitter: float = 0.0
    false: float = 0.0
    colour: float = 0.0
    kind: float = 0.0
    value: float = 0.0
    face: float = 0.0
    hand_miss: float = 0.0


NONE = Noise()
MILD = Noise(miss=0.02, jitter=0.04, false=0.3, colour=0.02, kind=0.02, value=0.05, face=0.03, hand_miss=0.05)
HARD = Noise(miss=0.06, jitter=0.08, false=1.0, colour=0.06, kind=0.05, value=0.15, face=0.08, hand_miss=0.15)


class FakeEyes:
    """The :class:`vision.reading.Eyes` of a recording whose boxes are known (``boxes.json``)."""

    def __init__(self, stills: Sequence[dict[str, Any]], plane: TablePlane, noise: Noise = NONE, seed: int = 0) -> None:
        self._stills, self._plane, self._noise, self._seed = stills, plane, noise, seed

    @classmethod
    def of_clip(cls, folder: Path, plane: TablePlane, noise: Noise = NONE, seed: int = 0) -> FakeEyes:
        return cls(json.loads((folder / "boxes.json").read_text())["stills"], plane, noise, seed)

    def replane(self, plane: TablePlane) -> None:
        self._plane = plane

    def read(self, image_bgr: object, t_s: float) -> TableReading:
        started = [still for still in self._stills if still["t0"] <= t_s + 0.05]
        still = (started or list(self._stills))[-1]
        lasting = random.Random(f"{self._seed} {still['name']}")
        fresh = random.Random(f"{self._seed} {t_s:.3f}")
        return _Look(self._plane, self._noise, lasting, fresh).read(still["boxes"], t_s)


class _Look:
    def __init__(self, plane: TablePlane, noise: Noise, lasting: random.Random, fresh: random.Random) -> None:
        self._plane, self._noise, self._lasting, self._fresh = plane, noise, lasting, fresh

    def read(self, boxes: Iterable[dict[str, Any]], t_s: float) -> TableReading:
        tiles: list[TileSeen] = []
        pieces: list[PieceSeen] = []
        dice: list[DieSeen] = []
        hands: list[HandSeen] = []
        for thing in boxes:
            kind = thing["class"]
            missed = self._happens(self._miss_chance(thing))
            box = self._shaken(thing["xyxy"])
            if missed:
                continue
            if kind == "hand":
                hands.append(HandSeen(box, self._confidence()))
            elif kind == "die":
                dice.append(self._die(box, int(thing["value"])))
            elif kind in ("figure", "guard"):
                pieces.append(self._piece(box, kind, thing.get("colour", "")))
            elif kind.startswith("tile"):
                tiles.append(self._tile(box, thing))
        for _ in range(int(self._noise.false + self._fresh.random())):
            pieces.append(self._imagined(tiles))
        return TableReading(t_s, tuple(tiles), self._standing(pieces), tuple(dice), tuple(hands))

    def _standing(self, pieces: Sequence[PieceSeen]) -> tuple[PieceSeen, ...]:
        """The pieces with their feet on the table, where their boxes say."""
        boxes = [piece.box_px for piece in pieces]
        bodies = [GUARD if max(p.kinds, key=lambda pair: pair[1])[0] == "guard" else PAWN for p in pieces]
        feet = {body: foot_mm(self._plane, boxes, body) if boxes else [] for body in (PAWN, GUARD)}
        return tuple(
            replace(piece, pos_mm=(float(feet[body][k][0]), float(feet[body][k][1])))
            for k, (piece, body) in enumerate(zip(pieces, bodies, strict=True))
        )

    def _miss_chance(self, thing: dict[str, Any]) -> float:
        if thing["class"] == "hand":
            return self._noise.hand_miss
        visible = thing.get("visible", 1.0)
        hidden = 1.0 if visible < 0.25 else 0.5 if visible < 0.45 else 0.0
        return max(hidden, self._noise.miss)

    def _happens(self, chance: float) -> bool:
        lasts, now = self._lasting.random() < chance / 2, self._fresh.random() < chance / 2
        return chance >= 1.0 or lasts or now

    def _confidence(self) -> float:
        return self._fresh.uniform(0.6, 0.95)

    def _shaken(self, xyxy: Sequence[float]) -> Box:
        width, height = xyxy[2] - xyxy[0], xyxy[3] - xyxy[1]
        off = [self._fresh.gauss(0, self._noise.jitter) for _ in range(4)]
        left, top = xyxy[0] + off[0] * width, xyxy[1] + off[1] * height
        right, bottom = xyxy[2] + off[2] * width, xyxy[3] + off[3] * height
        return left, top, right, bottom

    def _probs(self, right: int, count: int, mistake: float, sure: float = 0.93) -> tuple[float, ...]:
        top = self._fresh.uniform(sure, 0.9995)
        wrong = self._lasting.randrange(count)
        if self._happens(mistake):
            top, right = self._fresh.uniform(0.4, 0.9), wrong
        return tuple(top if k == right else (1 - top) / (count - 1) for k in range(count))

    def _tile(self, box: Box, thing: dict[str, Any]) -> TileSeen:
        end = thing["class"] in ("tile_start", "tile_finish")
        value = thing.get("value", 0)
        name = thing["class"].removeprefix("tile_") if end else "luck" if value == 0 else f"{value:+d}"
        probs = self._probs(TILE_CLASSES.index(name), len(TILE_CLASSES), self._noise.value)
        x, y = self._plane.to_mm([((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)])[0]
        return TileSeen((float(x), float(y)), box, probs, self._confidence(), end)

    def _piece(self, box: Box, kind: str, colour: str) -> PieceSeen:
        kinds = self._probs(kind == "guard", 2, self._noise.kind)
        right = COLOURS.index(colour) if colour in COLOURS else self._lasting.randrange(len(COLOURS))
        colours = self._probs(right, len(COLOURS), self._noise.colour if colour in COLOURS else 0.5)
        return PieceSeen(
            (0.0, 0.0), box, tuple(zip(("pawn", "guard"), kinds, strict=True)),
            tuple(zip(COLOURS, colours, strict=True)), self._confidence(),
        )

    def _die(self, box: Box, value: int) -> DieSeen:
        probs = self._probs(value - 1, len(DIE_CLASSES), self._noise.face, sure=0.995)
        x, y = foot_mm(self._plane, [box], DIE)[0]
        return DieSeen((float(x), float(y)), box, probs, self._confidence())

    def _imagined(self, tiles: Sequence[TileSeen]) -> PieceSeen:
        """A piece on some tile that is not there."""
        left, top, right, bottom = self._fresh.choice(tiles).box_px if tiles else (600.0, 300.0, 660.0, 360.0)
        x, y = self._fresh.uniform(left, right), self._fresh.uniform(top, bottom)
        piece = self._piece((x - 12, y - 30, x + 12, y + 6), "figure", self._fresh.choice(COLOURS))
        return replace(piece, confidence=self._fresh.uniform(0.25, 0.6))
