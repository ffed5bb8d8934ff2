"""The route of a shuffled game as it lies on the table: which tile follows which, and what they are worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.reading import Point, TileSeen

TURN_MM = 30.0
"""How much longer a way may be that has no turn about in it."""


def in_order(tiles: Sequence[TileSeen]) -> list[TileSeen]:
    """The small tiles in the order of the route: from the start tile to the finish tile, short and with few turns.

    The nearest tile straight ahead comes first, then any stretch is turned round while that makes the way better.
    On a lattice many ways are equally short; people lay rows.
    """
    small = [tile for tile in tiles if not tile.is_end]
    start = next((t.pos_mm for t in tiles if t.is_end and t.prob("start") >= t.prob("finish")), None)
    finish = next((t.pos_mm for t in tiles if t.is_end and t.prob("finish") > t.prob("start")), None)
    points = [start or (min(t.pos_mm for t in small) if small else (0.0, 0.0))]
    way, left = list[Any](), list(small)
    while left:
        nearest = min(left, key=lambda tile: _effort([*points[-2:], tile.pos_mm]))
        left.remove(nearest)
        way.append(nearest)
        points.append(nearest.pos_mm)
    return _untangled(way, start, finish)


def _untangled(way: list[TileSeen], start: Point | None, finish: Point | None) -> list[TileSeen]:
    first, last = ([start] if start else []), ([finish] if finish else [])

    def effort(order: Sequence[TileSeen]) -> float:
        return _effort([*first, *(tile.pos_mm for tile in order), *last])

    best, better = effort(way), True
    while better:
        better = False
        for i in range(len(way) - 1):
            for j in range(i + 1, len(way)):
                turned = [*way[:i], *way[i:j + 1][::-1], *way[j + 1:]]
                if (tried := effort(turned)) < best - 1e-6:
                    way, best, better = turned, tried, True
    return way


def _effort(points: Sequence[Point]) -> float:
    """Length of a way in mm, a turn about counting as much as :data:`TURN_MM`."""
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(points, points[1:], strict=False)]
    lengths = [math.hypot(*step) or 1e-9 for step in steps]
    turns = sum(
        1 - (a[0] * b[0] + a[1] * b[1]) / (m * n)
        for a, b, m, n in zip(steps, steps[1:], lengths, lengths[1:], strict=False)
    )
    return sum(lengths) + TURN_MM / 2 * turns


def cards_of(setup: Mapping[str, Any]) -> tuple[int, ...]:
    """The values that a shuffled route of this game has; its Verflixxt cards lie at fixed places."""
    from rules.nochmal.layout import SHUFFLED
    from rules.verflixxt.layout import LAYOUTS

    return SHUFFLED if setup.get("game") == "verflixxt-nochmal" else LAYOUTS["standard"]


def values_of(tiles: Sequence[TileSeen], cards: Sequence[int]) -> tuple[list[int | None], list[float]]:
    """A value of ``cards`` for each tile, each as often as it is there, and how sure that is.

    The surest readings choose first; a tile for which nothing is left gets None.
    """
    from models.classes import TILE_CLASSES
    from rules.verflixxt.layout import tile_name

    left = Counter(tile_name(value) for value in cards)
    wanted = [
        (tile.probs[TILE_CLASSES.index(name)], k, name) for k, tile in enumerate(tiles) for name in left
    ]
    values: list[int | None] = [None] * len(tiles)
    sure = [0.0] * len(tiles)
    for prob, k, name in sorted(wanted, reverse=True):
        if sure[k] == 0.0 and left[name] > 0:
            left[name] -= 1
            values[k], sure[k] = 0 if name == "luck" else int(name), round(prob, 3)
    return values, sure
