"""Flixxy's way round: start and finish count as cards, and after the finish the next lap begins on the start."""

from __future__ import annotations

from collections.abc import Sequence

from rules.verflixxt.route import position


def flight(route: Sequence[int], place: int, count: int, finish: int) -> int:
    """Where Flixxy comes to after ``count`` cards.

    >>> flight((1, 2, 3), 3, 3, 4)
    1
    """
    index = (position(route, place, finish) // 2 + count) % (len(route) + 2)
    if index == 0:
        return 0
    return finish if index > len(route) else route[index - 1]


def flown(route: Sequence[int], start: int, to: int, finish: int) -> int:
    """Cards counted from ``start`` on to ``to``, at least one."""
    ring = len(route) + 2
    count = (position(route, to, finish) // 2 - position(route, start, finish) // 2) % ring
    return count or ring


def reaches_finish(route: Sequence[int], start: int, to: int, finish: int) -> bool:
    """Whether Flixxy comes onto the finish or past it on its way; leaving the finish is no arrival."""
    if start == finish:
        return False
    return to == finish or position(route, to, finish) <= position(route, start, finish)
