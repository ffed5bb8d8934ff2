"""Which scorings a box allows, and what is wrong with the one a player claims.

Scoring is voluntary, so every selection of whole groups is legal; the claim names points, the dice put back, or the
groups themselves. The dice that return to the bag leave the board whatever the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from rules.dice_flick.grid import bits, cells_of, components, mask_of
from rules.dice_flick.score import Box, line_choices, line_groups, lines_of, part_points, valid_parts
from rules.dice_flick.values import GROUP_COLOURS, Group, Scoring
from rules.protocol import RecordError, Violation


@dataclass(frozen=True, slots=True)
class Settled:
    """What a turn's scoring came to: points written down, holes emptied, rules broken."""

    points: int
    returned: int
    violations: tuple[Violation, ...] = ()


def scorings(box: Box, usable: int | None = None) -> Iterator[Scoring]:
    """Every way to score this box (each points-and-dice pair once). ``usable``: only these dice may be scored."""
    dice = box.dice if usable is None else box.dice & usable
    seen = set()
    for union, lines in line_choices(box).items():
        if union & ~dice:
            continue
        for parts in _colourings(box, dice & ~union):
            for chosen in product((False, True), repeat=len(parts)):
                for scoring in _with_centre(box, lines, [p for p, c in zip(parts, chosen, strict=True) if c], dice):
                    key = scoring.returned, scoring.score
                    if key not in seen:
                        seen.add(key)
                        yield scoring


def _colourings(box: Box, free: int) -> Iterator[list[tuple[int, str]]]:
    """The scoring parts under every choice of the jokers' colours."""
    jokers = tuple(bits(box.whites & free))
    seen = set()
    for choice in product(GROUP_COLOURS, repeat=len(jokers)):
        dice = {c: box.members[c] & free for c in GROUP_COLOURS}
        for joker, colour in zip(jokers, choice, strict=True):
            dice[colour] |= 1 << joker
        parts = [(part, c) for c in GROUP_COLOURS for part in valid_parts(box, c, dice[c])]
        if tuple(parts) not in seen:
            seen.add(tuple(parts))
            yield parts


def _with_centre(box: Box, lines: tuple[int, ...], parts: list[tuple[int, str]], dice: int) -> Iterator[Scoring]:
    groups = line_groups(box, lines)
    groups += [Group("colour", cells_of(p), part_points(box, p, c), c) for p, c in parts]
    taken = 0
    for line in lines:
        taken |= line
    for part, _ in parts:
        taken |= part & box.dice
    yield _scoring(groups, taken)
    if centre := box.centre & dice & ~taken:
        yield _scoring([*groups, Group("centre", cells_of(centre), box.sum(centre))], taken | centre)


def _scoring(groups: list[Group], taken: int) -> Scoring:
    return Scoring(sum(g.points for g in groups), tuple(groups), cells_of(taken))


def settle(
    box: Box, best: Scoring, claimed: int | None, returned: int | None, scored: tuple[Group, ...] | None,
) -> Settled:
    """Judge a claim against the box. Raises RecordError when it does not say which dice went back."""
    if scored is not None:
        return _settle_groups(box, best, scored, claimed, returned)
    if returned is not None:
        return _settle_dice(box, best, claimed, returned)
    if claimed is None or claimed == best.score:
        return Settled(best.score, mask_of(*best.returned))
    if claimed > best.score:
        return Settled(claimed, mask_of(*best.returned), _wrong_points(claimed, [], best))
    return _settle_points(box, claimed)


def _wrong_points(claimed: int, possible: list[int], best: Scoring) -> tuple[Violation, ...]:
    """What is wrong with these points when the dice that went back can only give the possible ones."""
    if claimed > best.score:
        return (Violation("scored_too_much", (("claimed", claimed), ("worth", best.score))),)
    return () if claimed in possible else (Violation("score_not_possible", (("claimed", claimed),)),)


def _settle_points(box: Box, claimed: int) -> Settled:
    """Fewer points than possible were claimed, and nobody said from which dice."""
    if claimed == 0:
        return Settled(0, 0)
    fitting = [] if box.rules.partial_groups else [s for s in scorings(box) if s.score == claimed]
    if len(fitting) == 1:
        return Settled(claimed, mask_of(*fitting[0].returned))
    if fitting or box.rules.partial_groups:
        raise RecordError(
            f'claimed: {claimed} points can come from different dice; add "returned": [[row, col], ...]',
            f'claimed: {claimed} Punkte gehen mit verschiedenen Würfeln; ergänze "returned": [[Zeile, Spalte], ...]',
        )
    return Settled(claimed, 0, (Violation("score_not_possible", (("claimed", claimed),)),))


def _settle_dice(box: Box, best: Scoring, claimed: int | None, returned: int) -> Settled:
    """The dice that went back are known: are they whole groups, and worth what was claimed?"""
    options = list(scorings(box, returned if box.rules.partial_groups else None))
    exact = [s.score for s in options if mask_of(*s.returned) == returned]
    if exact:
        points = max(exact) if claimed is None else claimed
        return Settled(points, returned, _wrong_points(points, exact, best))
    points = best.score if claimed is None else claimed
    violations = list(_wrong_points(points, [points], best))
    target = min(points, best.score)
    fitting = [mask_of(*s.returned) for s in options if s.score == target]
    if not fitting:
        violations.append(Violation("score_not_possible", (("claimed", points),)))
    else:
        violations += _compare(returned, min(fitting, key=lambda dice: ((dice ^ returned).bit_count(), dice)))
    return Settled(points, returned, tuple(violations))


def _compare(returned: int, scored: int) -> list[Violation]:
    """The dice that should have gone back but did not, and the other way round."""
    kept = [Violation("die_not_returned", _at(b)) for b in cells_of(scored & ~returned)]
    return kept + [Violation("returned_unscored_die", _at(b)) for b in cells_of(returned & ~scored)]


def _at(cell: tuple[int, int]) -> tuple[tuple[str, int], ...]:
    return ("row", cell[0]), ("col", cell[1])


def _settle_groups(
    box: Box, best: Scoring, scored: tuple[Group, ...], claimed: int | None, returned: int | None
) -> Settled:
    """The groups themselves are claimed: each must be one, no die may be in two, the points must add up."""
    violations, taken, worth = [], 0, 0
    for group in sorted(scored, key=lambda g: g.kind != "line"):
        mask = mask_of(*group.cells)
        violations += [Violation("die_scored_twice", _at(c)) for c in cells_of(mask & taken & box.dice)]
        points = _group_points(box, group, mask, taken)
        if points is None:
            violations.append(Violation("not_a_group", (("cells", " ".join(f"{r}/{c}" for r, c in group.cells)),)))
        worth += points or 0
        taken |= mask & box.dice
    points = worth if claimed is None else claimed
    violations += _wrong_points(points, [worth], best)
    if returned is not None:
        violations += _compare(returned, taken)
    return Settled(points, taken if returned is None else returned, tuple(violations))


def _group_points(box: Box, group: Group, mask: int, taken: int) -> int | None:
    """The points of a claimed group, or None when it is none."""
    if group.kind == "line":
        return box.sum(mask) if mask in {line & ~taken for line in lines_of(box)} else None
    if group.kind == "centre":
        return box.sum(mask) if mask == box.centre else None
    fitting = [part_points(box, mask, c) for c in GROUP_COLOURS if _is_group(box, c, mask, taken)]
    return max(fitting, default=None)


def _is_group(box: Box, colour: str, mask: int, taken: int) -> bool:
    """Whether these holes are one group of this colour, with no die of the colour left out beside it."""
    own, markers = box.members[colour], box.markers[colour]
    if mask & ~(own | markers | box.whites) or not mask & box.dice or len(components(mask)) != 1:
        return False
    if mask.bit_count() < box.rules.min_group or not (box.rules.whites_alone or mask & (own | markers)):
        return False
    around = next(p for p in components(mask | ((own | markers) & ~taken)) if p & mask)
    return box.rules.partial_groups or around == mask
