"""Finds a known sequence of tiles among everything that looks like a tile: a beam search over paths on the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from vision.reading import Point, TableReading, TileSeen, existence

BEAM = 120
"""Paths kept after each step."""

MISSED = -7.0
"""Log-probability of a tile that was not found at all; less likely than one whose value was misread."""

MISREAD = 0.07
"""Share of tiles whose value is read wrongly with any confidence."""

CLOSED_PITCH = 1.05
"""Usual distance of neighbours in tile widths; people leave a little air."""

REACH = 2.2
"""Neighbours are never further apart than this many tile widths."""


@dataclass(frozen=True, slots=True)
class Step:
    """A tile to be found: class ``name``; ``gap``: tiles that may be missing before it; ``is_end``: a large one."""

    name: str
    gap: int = 0
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class _Path:
    score: float
    used: int
    found: tuple[int, ...]
    last: int
    since: int


def tile_pitch_mm(tiles: Sequence[TileSeen]) -> float:
    """Usual distance of a small tile to its nearest neighbour (their width, if they touch); 0 for fewer than two."""
    small = [tile.pos_mm for tile in tiles if not tile.is_end]
    nearest = sorted(
        min(math.dist(a, b) for k, b in enumerate(small) if k != i) for i, a in enumerate(small)
    ) if len(small) > 1 else []
    return nearest[len(nearest) // 2] if nearest else 0.0


def find_path(reading: TableReading, steps: Sequence[Step]) -> tuple[list[TileSeen | None], float]:
    """The likeliest path through ``reading.tiles``: the detection of each step, None where it was not found, and the
    mean log-likelihood of a step (near 0: everything is found, values and distances are as they should be)."""
    tiles = reading.tiles
    pitch = tile_pitch_mm(tiles) or 1.0
    around = [
        sorted((math.dist(a.pos_mm, b.pos_mm) / pitch, k) for k, b in enumerate(tiles) if b is not a) for a in tiles
    ]
    real = [math.log(existence(tile, reading.looks)) for tile in tiles]
    beam = [_Path(0.0, 0, (), -1, 0)]
    for number, step in enumerate(steps):
        reads = [real[k] + _reads(tile, step) for k, tile in enumerate(tiles)]
        before = steps[number - 1] if number else step
        wide = step.is_end or before.is_end
        grown = [longer for path in beam for longer in _grow(path, step, reads, around, wide)]
        beam = sorted(grown, key=lambda p: -p.score)[:BEAM]
    best = beam[0]
    return [tiles[k] if k >= 0 else None for k in best.found], best.score / max(len(steps), 1)


def _grow(
    path: _Path, step: Step, reads: Sequence[float], around: Sequence[Sequence[tuple[float, int]]], wide: bool
) -> list[_Path]:
    """The path with one more step: not found, or any tile that is near enough."""
    gap = path.since + step.gap
    grown = [_Path(path.score + MISSED, path.used, (*path.found, -1), path.last, gap + 1)]
    candidates = around[path.last] if path.last >= 0 else [(0.0, k) for k in range(len(reads))]
    for pitches, k in candidates:
        near = _nearness(pitches, gap, wide) if path.last >= 0 else 0.0
        if near == -math.inf:
            break
        if not path.used >> k & 1:
            grown.append(_Path(path.score + reads[k] + near, path.used | 1 << k, (*path.found, k), k, 0))
    return grown


def _reads(tile: TileSeen, step: Step) -> float:
    value = math.log((1.0 - MISREAD) * tile.prob(step.name) + MISREAD / len(tile.probs))
    return value if tile.is_end == step.is_end else value - 1.5


def _nearness(pitches: float, gap: int, wide: bool) -> float:
    """Log-likelihood of the distance of two tiles between which up to ``gap`` are missing."""
    furthest = CLOSED_PITCH * (gap + 1) + (0.6 if wide else 0.0)
    if pitches > furthest + REACH - CLOSED_PITCH:
        return -math.inf
    off = max(CLOSED_PITCH - pitches, pitches - furthest, 0.0)
    return -0.5 * (off / 0.25) ** 2


def fill_in(found: Sequence[Point | None], end_pitches: float = 1.5) -> list[Point]:
    """Positions with the missing ones put in: between neighbours, in even steps or around a corner, whichever fits the
    usual step better; at the ends straight on.

    Needs two known positions. An end tile is ``end_pitches`` times as far out as a step.
    """
    known = [k for k, pos in enumerate(found) if pos is not None]
    return [pos if pos is not None else _missing(found, known, k, end_pitches) for k, pos in enumerate(found)]


def _missing(found: Sequence[Point | None], known: Sequence[int], k: int, end_pitches: float) -> Point:
    low = max((i for i in known if i < k), default=-1)
    high = min((i for i in known if i > k), default=-1)
    if low < 0:
        return _between(found, known[0], known[1], known[0] - (known[0] - k) * end_pitches)
    if high < 0:
        return _between(found, known[-2], known[-1], known[-1] + (k - known[-1]) * end_pitches)
    middle = _between(found, low, high, k)
    if high - low > 2:
        return middle
    corners = [_straight_on(found, low - 1, low), _straight_on(found, high + 1, high)]
    return min([middle, *(c for c in corners if c is not None)], key=lambda pos: _unevenness(found, low, pos, high))


def _straight_on(found: Sequence[Point | None], before: int, at: int) -> Point | None:
    """One more step in the direction from ``before`` to ``at``, where both are known."""
    if not 0 <= before < len(found) or found[before] is None:
        return None
    return _between(found, before, at, 2 * at - before)


def _unevenness(found: Sequence[Point | None], low: int, pos: Point, high: int) -> float:
    """How far the steps to both neighbours are from the usual step."""
    near = [(a, b) for a, b in zip(found, found[1:], strict=False) if a is not None and b is not None]
    steps = sorted(math.dist(a, b) for a, b in near)
    usual = steps[len(steps) // 2] if steps else 0.0
    a, b = found[low], found[high]
    assert a is not None and b is not None
    return abs(math.dist(a, pos) - usual) + abs(math.dist(pos, b) - usual)


def _between(found: Sequence[Point | None], low: int, high: int, at: float) -> Point:
    """Linear in the index, through two known positions."""
    a, b = found[low], found[high]
    assert a is not None and b is not None
    share = (at - low) / (high - low)
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
