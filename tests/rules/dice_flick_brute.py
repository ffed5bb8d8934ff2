"""The best score of a box counted a second way, with sets and recursion in place of bits; slow and plain."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rules.dice_flick import Die

Cell = tuple[int, int]
UPGRADES = {(2, 2): "green", (2, 4): "blue", (4, 4): "yellow"}
CENTRE = (3, 3)


def points(die: Die) -> int:
    pips = 6 if die.colour == "pink" else die.value
    return 2 * pips if die.cell == CENTRE else pips


def connected(cells: set[Cell]) -> list[set[Cell]]:
    groups: list[set[Cell]] = []
    for row, col in cells:
        beside = [g for g in groups if g & {(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)}]
        groups = [g for g in groups if g not in beside] + [set().union({(row, col)}, *beside)]
    return groups


def group_points(group: set[Cell], dice: dict[Cell, Die]) -> int:
    pips = sum(points(dice[cell]) for cell in group if cell in dice)
    return 2 * pips if any(cell not in dice for cell in group) else pips


def line_sets(dice: dict[Cell, Die]) -> Iterator[set[Cell]]:
    """The dice that lines take, for every choice of row, column or nothing for each Knaller."""
    pinks = [cell for cell, die in dice.items() if die.colour == "pink"]
    for choice in product(("none", "row", "col"), repeat=len(pinks)):
        taken: set[Cell] = set()
        for (row, col), line in zip(pinks, choice, strict=True):
            taken |= {c for c in dice if (line == "row" and c[0] == row) or (line == "col" and c[1] == col)}
        yield taken


def brute_best(board: tuple[Die, ...]) -> int:
    """Every choice of lines, then every choice of colours for the whites that are left, then all groups."""
    dice = {die.cell: die for die in board}
    visible = {cell: colour for cell, colour in UPGRADES.items() if cell not in dice}
    best = 0
    for taken in line_sets(dice):
        rest = {cell: die for cell, die in dice.items() if cell not in taken}
        whites = [cell for cell, die in rest.items() if die.colour == "white"]
        for colours in product(("green", "blue", "yellow"), repeat=len(whites)):
            as_colour = {cell: die.colour for cell, die in rest.items()} | dict(zip(whites, colours, strict=True))
            total, scored = sum(points(dice[cell]) for cell in taken), set(taken)
            for colour in ("green", "blue", "yellow"):
                members = {c for c, k in (*as_colour.items(), *visible.items()) if k == colour}
                for group in connected(members):
                    if len(group) >= 3 and group & rest.keys():
                        total += group_points(group, rest)
                        scored |= group
            if CENTRE in rest and CENTRE not in scored:
                total += points(rest[CENTRE])
            best = max(best, total)
    return best


def partial_best(board: tuple[Die, ...]) -> int:
    """For small boards: groups are any connected parts of three or more, not only whole ones; every white in one."""
    dice = {die.cell: die for die in board}
    visible = {cell: colour for cell, colour in UPGRADES.items() if cell not in dice}
    return max(
        sum(points(dice[c]) for c in taken) + _partial(frozenset(dice) - taken, dice, visible)
        for taken in line_sets(dice)
    )


def _partial(free: frozenset[Cell], dice: dict[Cell, Die], visible: dict[Cell, str]) -> int:
    """The most from these dice: the first one scores in some group, alone on the centre, or not at all."""
    if not free:
        return 0
    first = min(free)
    rest = free - {first}
    best = _partial(rest, dice, visible) + (points(dice[first]) if first == CENTRE else 0)
    for colour in ("green", "blue", "yellow"):
        if dice[first].colour not in (colour, "white"):
            continue
        holes = {c for c in free if dice[c].colour in (colour, "white")}
        holes |= {c for c, k in visible.items() if k == colour}
        for group in _parts_with(first, holes):
            if len(group) >= 3:
                left = {cell: k for cell, k in visible.items() if cell not in group}
                best = max(best, group_points(set(group), dice) + _partial(free - group, dice, left))
    return best


def _parts_with(first: Cell, holes: set[Cell]) -> set[frozenset[Cell]]:
    """Every connected set of these holes that contains the first one."""
    found = {frozenset({first})}
    edge = set(found)
    while edge:
        grown = set()
        for part in edge:
            for row, col in part:
                for cell in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                    if cell in holes and cell not in part:
                        grown.add(part | {cell})
        edge = grown - found
        found |= edge
    return found
