"""A score sheet: four rows of numbers with a lock each, and the misthrow area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")

ROWS = ("red", "yellow", "green", "blue")
WHITE = "white"
COLOURS = (*ROWS, WHITE)
"""What the colour die can show."""

NUMBERS: Mapping[str, tuple[int, ...]] = {
    "red": tuple(range(2, 13)),
    "yellow": tuple(range(2, 13)),
    "green": tuple(range(12, 1, -1)),
    "blue": tuple(range(12, 1, -1)),
}
"""The numbers of each row from left to right."""

MINUS_FIELDS = 4
NEEDED_FOR_LAST = 5


def last_number(row: str) -> int:
    """The number at the right end, beside the lock."""
    return NUMBERS[row][-1]


@dataclass(frozen=True, slots=True)
class Sheet:
    """``rows[k]``: numbers crossed in row :data:`ROWS` [k], from left to right; ``locks[k]``: its lock is crossed;
    ``misthrow``: fields crossed from the left in the misthrow area, -5 fields included."""

    rows: tuple[tuple[int, ...], ...] = ((), (), (), ())
    locks: tuple[bool, ...] = (False,) * 4
    misthrow: int = 0

    def row(self, name: str) -> tuple[int, ...]:
        """The numbers crossed in a row."""
        return self.rows[ROWS.index(name)]

    def with_cross(self, row: str, number: int, lock: bool) -> Sheet:
        """The sheet with this number (0: none) and, if ``lock``, the lock crossed."""
        k = ROWS.index(row)
        order = NUMBERS[row]
        numbers = set(self.rows[k]) | ({number} if number else set())
        crossed = tuple(n for n in order if n in numbers)
        return replace(self, rows=_put(self.rows, k, crossed), locks=_put(self.locks, k, lock or self.locks[k]))

    def without_cross(self, row: str, number: int, lock: bool) -> Sheet:
        """The sheet with this number (0: none) and, if ``lock``, the lock rubbed out."""
        k = ROWS.index(row)
        crossed = tuple(n for n in self.rows[k] if n != number)
        return replace(self, rows=_put(self.rows, k, crossed), locks=_put(self.locks, k, self.locks[k] and not lock))

    def is_left_of_last(self, row: str, number: int) -> bool:
        """Whether the number is crossed already or lies left of the last cross of its row."""
        crossed, order = self.row(row), NUMBERS[row]
        return bool(crossed) and order.index(number) <= order.index(crossed[-1])


def _put(values: tuple[T, ...], k: int, value: T) -> tuple[T, ...]:
    return (*values[:k], value, *values[k + 1:])


def minus_places(segments: Sequence[int]) -> tuple[int, ...]:
    """The places of the -5 fields in the misthrow area, counted from 1: (4, 8, 12, 16) for segments of three."""
    return tuple(accumulate(length + 1 for length in segments))


def minus_reached(segments: Sequence[int], misthrow: int) -> int:
    """How many -5 fields are crossed."""
    return sum(place <= misthrow for place in minus_places(segments))


def to_next_minus(segments: Sequence[int], misthrow: int) -> int:
    """How many fields lead up to and including the next -5 field; 0 when there is none left."""
    return next((place - misthrow for place in minus_places(segments) if place > misthrow), 0)
