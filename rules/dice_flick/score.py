"""The exact best score of a box.

Knaller lines are chosen first (each Knaller its row, its column, or none) and take all their dice; every white die
left then takes one colour; connected parts of one colour score when they are large enough. Every combination is looked
at: at most 9 sets of lines times 27 colourings, with the parts of a colouring counted once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from rules.dice_flick.grid import COLS, ROWS, SIDE, bits, cells_of, components
from rules.dice_flick.values import GROUP_COLOURS, KNALLER_POINTS, Board, Group, Markers, Scoring, ScoringRules

Lines = tuple[int, ...]
"""The set of holes that each Knaller's line covers (0: it chooses none)."""


@dataclass(frozen=True, slots=True)
class Box:
    """A board made ready for counting: sets of holes, and the points of the die in each hole (centre doubled)."""

    dice: int
    pinks: tuple[int, ...]
    whites: int
    members: dict[str, int]
    markers: dict[str, int]
    points: tuple[int, ...]
    centre: int
    rules: ScoringRules

    def sum(self, mask: int) -> int:
        """The points of the dice in these holes, not counting groups' doubling."""
        points = self.points
        return sum([points[b] for b in bits(mask)])


def box_of(board: Board, markers: Markers, rules: ScoringRules, dead: int = 0) -> Box:
    """Make a board ready for counting. ``dead`` are markers that count no more although no die lies on them."""
    dice = whites = 0
    members = dict.fromkeys(GROUP_COLOURS, 0)
    pinks = []
    points = [0] * (SIDE * SIDE)
    for die in board:
        at = (die.row - 1) * SIDE + die.col - 1
        bit = 1 << at
        dice |= bit
        points[at] = (KNALLER_POINTS if die.colour == "pink" else die.value) * (2 if markers.centre & bit else 1)
        if die.colour == "pink":
            pinks.append(at)
        elif die.colour == "white":
            whites |= bit
        else:
            members[die.colour] |= bit
    visible = {c: markers.upgrade(c) & ~dice & ~dead for c in GROUP_COLOURS}
    return Box(dice, tuple(pinks), whites, members, visible, tuple(points), markers.centre & dice, rules)


def lines_of(box: Box) -> set[int]:
    """The row and the column of every Knaller, as sets of dice."""
    return {line & box.dice for b in box.pinks for line in (ROWS[b // SIDE], COLS[b % SIDE])}


def line_choices(box: Box) -> dict[int, Lines]:
    """Every set of dice that Knaller lines can take, with one choice of lines that takes it."""
    none = (0,) if box.rules.knaller_optional else ()
    each = [(*none, ROWS[b // SIDE] & box.dice, COLS[b % SIDE] & box.dice) for b in box.pinks]
    found: dict[int, Lines] = {}
    for lines in product(*each):
        union = 0
        for line in lines:
            union |= line
        found.setdefault(union, lines)
    return found


def valid_parts(box: Box, colour: str, dice: int) -> list[int]:
    """The connected parts that score when these dice have this colour: sets of dice and visible markers."""
    if not dice:
        return []
    markers = box.markers[colour]
    needed = -1 if box.rules.whites_alone else box.members[colour] | markers
    smallest = box.rules.min_group
    return [p for p in components(dice | markers) if p & dice and p.bit_count() >= smallest and p & needed]


def part_points(box: Box, part: int, colour: str) -> int:
    """The points of a group: the pips, the centre die twice, and the whole doubled by a visible upgrade marker."""
    points = box.sum(part)
    if not part & box.markers[colour]:
        return points
    if part & box.centre and box.rules.centre_and_upgrade == "once":
        return 2 * points - box.sum(part & box.centre)
    return 2 * points


def _subsets(mask: int) -> list[int]:
    """Every subset of a set, the empty one first."""
    subsets = [0]
    for b in bits(mask):
        subsets += [s | 1 << b for s in subsets]
    return subsets


def _best_colouring(box: Box, free: int) -> tuple[int, tuple[int, ...]]:
    """The most points from the dice in ``free`` without lines, and the white dice that go to each group colour."""
    alone = box.sum(box.centre & free)
    whites = _subsets(box.whites & free)
    gain: list[dict[int, int]] = []
    for colour in GROUP_COLOURS:
        own = box.members[colour] & free
        table = {}
        for jokers in whites:
            parts = valid_parts(box, colour, own | jokers)
            table[jokers] = sum([part_points(box, p, colour) - (alone if p & box.centre else 0) for p in parts])
        gain.append(table)
    every = whites[-1]
    best, choice = -1, (0, 0, 0)
    for first, points in gain[0].items():
        for second in whites:
            if second & first:
                continue
            third = every & ~first & ~second
            total = points + gain[1][second] + gain[2][third]
            if total > best:
                best, choice = total, (first, second, third)
    return best + alone, choice


def best_score(board: Board, markers: Markers, rules: ScoringRules | None = None, dead: int = 0) -> Scoring:
    """The most points that this box allows, the groups they come from, and the dice that return to the bag.

    Equal totals: the first found, in a fixed order, so that the same box always gives the same answer.
    """
    return best_of(box_of(board, markers, rules or ScoringRules(), dead))


def best_of(box: Box) -> Scoring:
    """:func:`best_score` of a box that is ready for counting."""
    best = -1
    found: tuple[int, Lines, tuple[int, ...]] = (0, (), (0, 0, 0))
    for union, lines in line_choices(box).items():
        points, jokers = _best_colouring(box, box.dice & ~union)
        points += box.sum(union)
        if points > best:
            best, found = points, (union, lines, jokers)
    return _scoring(box, *found)


def line_groups(box: Box, lines: Lines) -> list[Group]:
    """The groups of chosen lines; a die on two lines belongs to the first."""
    groups, taken = [], 0
    for line in lines:
        if fresh := line & ~taken:
            groups.append(Group("line", cells_of(fresh), box.sum(fresh)))
            taken |= fresh
    return groups


def _scoring(box: Box, union: int, lines: Lines, jokers: tuple[int, ...]) -> Scoring:
    """Everything that these lines and this colouring allow, written out."""
    groups, taken = line_groups(box, lines), union
    for colour, whites in zip(GROUP_COLOURS, jokers, strict=True):
        for part in valid_parts(box, colour, (box.members[colour] & ~union) | whites):
            groups.append(Group("colour", cells_of(part), part_points(box, part, colour), colour))
            taken |= part & box.dice
    if box.centre & ~taken:
        groups.append(Group("centre", cells_of(box.centre), box.sum(box.centre)))
        taken |= box.centre
    return Scoring(sum(g.points for g in groups), tuple(groups), cells_of(taken))
