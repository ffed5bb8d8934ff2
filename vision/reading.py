"""What one look at the resting table shows, in millimetres and with probabilities, and how several looks combine.

Positions are table millimetres (x right, y down, origin at corner 0 of the play area), boxes are picture pixels
``(left, top, right, bottom)``. Every item says in how many of the combined looks it was seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from models.classes import DIE_CLASSES, TILE_CLASSES

Point = tuple[float, float]
Box = tuple[float, float, float, float]

SAME_TILE_MM = 18.0
"""Two looks show the same tile when its centres are closer than this (a tile is at least 40 mm wide)."""

SAME_PIECE_MM = 7.0
"""Two looks show the same piece when its feet are closer than this (a pawn's base is at least 12 mm wide)."""

SAME_DIE_MM = 9.0
"""Two looks show the same die when its centres are closer than this (a die is at least 12 mm wide)."""

EVEN_CONFIDENCE, CONFIDENCE_SLOPE = 0.35, 8.0
"""Detector confidence at which a thing is as likely real as not, and how fast that grows with confidence."""

FLOOR = 1e-4
"""Smallest probability a reader is believed: no reader is surer than this."""


@dataclass(frozen=True, slots=True)
class TileSeen:
    """A tile. ``probs`` is parallel to :data:`models.classes.TILE_CLASSES`; ``is_end``: one of the two large ones."""

    pos_mm: Point
    box_px: Box
    probs: tuple[float, ...]
    confidence: float
    is_end: bool = False
    seen: int = 1

    def prob(self, name: str) -> float:
        """Probability of the named class, never below :data:`FLOOR`."""
        return max(self.probs[TILE_CLASSES.index(name)], FLOOR)


@dataclass(frozen=True, slots=True)
class PieceSeen:
    """A standing piece: ``pos_mm`` is its foot, ``kinds`` and ``colours`` are (name, probability) pairs."""

    pos_mm: Point
    box_px: Box
    kinds: tuple[tuple[str, float], ...]
    colours: tuple[tuple[str, float], ...]
    confidence: float
    seen: int = 1


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die: ``probs`` is parallel to :data:`models.classes.DIE_CLASSES` (1..6, ``none``, ``face``: a colour die)."""

    pos_mm: Point
    box_px: Box
    probs: tuple[float, ...]
    confidence: float
    seen: int = 1


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand or an arm."""

    box_px: Box
    confidence: float
    seen: int = 1


@dataclass(frozen=True, slots=True)
class TableReading:
    """Everything seen on the table at ``t_s``; ``looks`` frames are combined in it. ``action``: probabilities of the
    symbols that an action die shows, empty where none lies there or none was taught."""

    t_s: float
    tiles: tuple[TileSeen, ...] = ()
    pieces: tuple[PieceSeen, ...] = ()
    dice: tuple[DieSeen, ...] = ()
    hands: tuple[HandSeen, ...] = ()
    looks: int = 1
    action: Mapping[str, float] = field(default_factory=dict)


class Eyes(Protocol):
    """Reads one frame. ``image_bgr`` is (H, W, 3) uint8."""

    def read(self, image_bgr: NDArray[np.uint8], t_s: float) -> TableReading:
        """What stands where in this frame."""


class Plane(Protocol):
    """The table plane, as far as readings need it (see :mod:`calibration.plane`)."""

    def to_mm(self, points_px: Any) -> NDArray[np.float64]:
        """(N, 2) pixels to (N, 2) millimetres on the table."""

    def to_px(self, points_mm: Any) -> NDArray[np.float64]:
        """(N, 2) millimetres on the table to (N, 2) pixels."""


def existence(item: TileSeen | PieceSeen | DieSeen | HandSeen, looks: int) -> float:
    """How likely the item is real, in 0.01..0.99: detector confidence, less where only some of the looks showed it.

    A detector's confidence is no probability: what it finds with 0.5 or more is nearly always there.
    """
    believed = 1.0 / (1.0 + math.exp(-(item.confidence - EVEN_CONFIDENCE) * CONFIDENCE_SLOPE))
    return min(max(believed * item.seen / max(looks, 1), 0.01), 0.99)


def combine(readings: Sequence[TableReading]) -> TableReading:
    """One reading from several looks at the same resting table.

    Items are matched by position; their log-probabilities are averaged (looks at a table that rests are anything but
    independent, so they sharpen nothing), positions are weighted by confidence. Raises ValueError without readings.
    """
    if not readings:
        raise ValueError("no readings to combine")
    return TableReading(
        t_s=readings[-1].t_s,
        tiles=tuple(_merge_tiles(g) for g in _groups([r.tiles for r in readings], _mm_closer(SAME_TILE_MM))),
        pieces=tuple(_merge_pieces(g) for g in _groups([r.pieces for r in readings], _mm_closer(SAME_PIECE_MM))),
        dice=tuple(_merge_dice(g) for g in _groups([r.dice for r in readings], _mm_closer(SAME_DIE_MM))),
        hands=tuple(_merge_hands(g) for g in _groups([r.hands for r in readings], _overlap_cost)),
        looks=sum(r.looks for r in readings),
        action=readings[-1].action,
    )


T = TypeVar("T", TileSeen, PieceSeen, DieSeen, HandSeen)
Placed = TypeVar("Placed", TileSeen, PieceSeen, DieSeen)


def _groups(looks: Iterable[Sequence[T]], cost: Callable[[Any, Any], float]) -> list[list[T]]:
    """Items of the same thing, one group a thing; ``cost`` is below 1 for two views of the same thing."""
    groups: list[list[T]] = []
    for items in looks:
        pairs = [(c, g, i) for g, group in enumerate(groups) for i, item in enumerate(items)
                 if (c := cost(group[-1], item)) < 1.0]
        taken_groups: set[int] = set()
        taken: set[int] = set()
        for _, g, i in sorted(pairs):
            if g not in taken_groups and i not in taken:
                groups[g].append(items[i])
                taken_groups.add(g)
                taken.add(i)
        groups.extend([item] for i, item in enumerate(items) if i not in taken)
    return groups


def _mm_closer(limit_mm: float) -> Callable[[Placed, Placed], float]:
    return lambda a, b: math.dist(a.pos_mm, b.pos_mm) / limit_mm


def _overlap_cost(a: HandSeen, b: HandSeen) -> float:
    return 1.0 - iou(a.box_px, b.box_px)


def iou(a: Box, b: Box) -> float:
    """Intersection over union of two boxes, 0..1."""
    both = overlap_area(a, b)
    return both / max(area(a) + area(b) - both, 1e-9)


def overlap_area(a: Box, b: Box) -> float:
    """Area of the intersection of two boxes."""
    return max(min(a[2], b[2]) - max(a[0], b[0]), 0.0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0.0)


def area(a: Box) -> float:
    """Area of a box."""
    return max(a[2] - a[0], 0.0) * max(a[3] - a[1], 0.0)


def _merge_tiles(group: list[TileSeen]) -> TileSeen:
    ends = sum(t.confidence if t.is_end else -t.confidence for t in group)
    return replace(_placed(group), probs=_mean_probs([t.probs for t in group]), is_end=ends > 0)


def _merge_pieces(group: list[PieceSeen]) -> PieceSeen:
    return replace(
        _placed(group), kinds=_mean_pairs([p.kinds for p in group]), colours=_mean_pairs([p.colours for p in group])
    )


def _merge_dice(group: list[DieSeen]) -> DieSeen:
    return replace(_placed(group), probs=_mean_probs([d.probs for d in group]))


def _merge_hands(group: list[HandSeen]) -> HandSeen:
    weights = [h.confidence for h in group]
    return HandSeen(_mean_box([h.box_px for h in group], weights), _mean(weights), sum(h.seen for h in group))


def _placed(group: list[Placed]) -> Placed:
    """The first of the group with mean position, box and confidence."""
    weights = [max(item.confidence, 1e-3) for item in group]
    x, y = _weighed([item.pos_mm for item in group], weights)
    return replace(
        group[0], pos_mm=(x, y), box_px=_mean_box([item.box_px for item in group], weights),
        confidence=_mean([item.confidence for item in group]), seen=sum(item.seen for item in group),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _mean_box(boxes: Sequence[Box], weights: Sequence[float]) -> Box:
    left, top, right, bottom = _weighed(boxes, weights)
    return left, top, right, bottom


def _weighed(rows: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """Weighted means of the columns; a few numbers at a time, for which numpy takes ten times as long."""
    total = sum(weights)
    return [sum(w * v for w, v in zip(weights, column, strict=True)) / total for column in zip(*rows, strict=True)]


def _mean_probs(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Normalised geometric mean."""
    logs = [sum(math.log(min(max(p, FLOOR), 1.0)) for p in column) / len(rows) for column in zip(*rows, strict=True)]
    mean = [math.exp(value) for value in logs]
    total = sum(mean)
    return tuple(p / total for p in mean)


def _mean_pairs(rows: Sequence[tuple[tuple[str, float], ...]]) -> tuple[tuple[str, float], ...]:
    names = list(dict.fromkeys(name for row in rows for name, _ in row))
    if not names:
        return ()
    table = [[_lookup(row, name) for name in names] for row in rows]
    return tuple(zip(names, _mean_probs(table), strict=True))


def _lookup(row: tuple[tuple[str, float], ...], name: str) -> float:
    return next((p for n, p in row if n == name), FLOOR)


def face_probs(die: DieSeen) -> Mapping[int, float]:
    """Probabilities of the faces 1..6 given that it is a die; they add up to 1."""
    faces = {int(name): max(die.probs[k], FLOOR) for k, name in enumerate(DIE_CLASSES) if name.isdigit()}
    total = sum(faces.values())
    return {face: p / total for face, p in faces.items()}


def is_die(die: DieSeen) -> float:
    """Probability that the crop holds a die with pips."""
    return sum(p for name, p in zip(DIE_CLASSES, die.probs, strict=True) if name.isdigit())
