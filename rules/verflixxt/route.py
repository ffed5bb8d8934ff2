"""Counting along a route with gaps: places, positions, steps.

A *place* is a tile's number in the starting route and never changes. A *position* is where a place lies now: even
numbers are start (0), the tiles still lying (2, 4, ...) and the finish; a piece that stands in a gap, where its tile
was wrongly taken from under it, has the odd number in between.
"""

from __future__ import annotations

from collections.abc import Sequence


def position(route: Sequence[int], place: int, finish: int) -> int:
    """Twice the number of steps from the start, odd in a gap."""
    if place <= 0:
        return 0
    if place >= finish:
        return 2 * len(route) + 2
    if place in route:
        return 2 * route.index(place) + 2
    return 2 * gap_index(route, place) + 1


def gap_index(route: Sequence[int], place: int) -> int:
    """How many tiles lie before the gap that tile ``place`` has left; it goes back there."""
    return next((k for k, tile in enumerate(route) if tile > place), len(route))


def steps(route: Sequence[int], start: int, to: int, finish: int) -> int:
    """Tiles counted from one place to another, gaps skipped; negative when ``to`` lies behind ``start``."""
    ahead = position(route, to, finish) - position(route, start, finish)
    return (ahead + 1) // 2 if ahead >= 0 else -((1 - ahead) // 2)


def destination(route: Sequence[int], start: int, count: int, finish: int) -> int:
    """The place ``count`` tiles ahead (behind, when negative). Surplus steps end in the finish or on the start.

    >>> destination((1, 2, 3, 6, 7), 3, 2, 8)
    7
    """
    here = position(route, start, finish)
    index = here // 2 + count if count >= 0 else (here + 1) // 2 + count
    if index <= 0:
        return 0
    return finish if index > len(route) else route[index - 1]
