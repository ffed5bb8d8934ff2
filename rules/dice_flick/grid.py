"""Sets of the 5 x 5 holes as bits of one integer, bit (row - 1) * 5 + (col - 1), and their connected parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SIDE = 5
Cell = tuple[int, int]
"""Row and column, both 1..5."""

CENTRE: Cell = (3, 3)
FULL = (1 << SIDE * SIDE) - 1
ROWS = tuple(0b11111 << SIDE * r for r in range(SIDE))
COLS = tuple(sum(1 << SIDE * r + c for r in range(SIDE)) for c in range(SIDE))
_NOT_FIRST_COL = FULL & ~COLS[0]
_NOT_LAST_COL = FULL & ~COLS[-1]


def mask_of(*cells: Cell) -> int:
    """The set of these holes."""
    mask = 0
    for row, col in cells:
        mask |= 1 << (row - 1) * SIDE + col - 1
    return mask


def bits(mask: int) -> Iterator[int]:
    """The positions of the set bits, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cells_of(mask: int) -> tuple[Cell, ...]:
    """The holes of a set by row, then column."""
    return tuple((b // SIDE + 1, b % SIDE + 1) for b in bits(mask))


def is_hole(cells: Iterable[int]) -> bool:
    """Whether row and column both lie in 1..5."""
    return all(1 <= n <= SIDE for n in cells)


def components(mask: int) -> list[int]:
    """The orthogonally connected parts of a set."""
    parts = []
    while mask:
        part, grown = 0, mask & -mask
        while grown != part:
            part = grown
            grown |= (part << SIDE) | (part >> SIDE) | ((part & _NOT_LAST_COL) << 1) | ((part & _NOT_FIRST_COL) >> 1)
            grown &= mask
        parts.append(part)
        mask ^= part
    return parts
