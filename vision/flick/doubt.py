"""How sure the score of a box is: what else its holes may hold, and whether the points would be others then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rules.dice_flick import ScoringRules, best_score
from rules.dice_flick.grid import Cell
from rules.dice_flick.values import COLOURS, KNALLER_POINTS
from vision.flick.values import BoxReading, Hole, Option, Warned

LEAST = 0.01
"""Less likely contents are not looked at."""

SURE = 0.92
"""A score less sure than this is to be checked."""

POINTED_AT = 0.03
"""Then each hole is named that makes the score wrong with at least this probability; the likeliest in any case."""

_NEWCOMER = 30.0
"""How much more likely a die is in a hole that looks quite another than before."""


def options(shares: Mapping[str, float], faces: np.ndarray | None) -> tuple[Option, ...]:
    """What a hole may hold, the likeliest first. ``shares``: of the contents; ``faces`` (6,): of the pips of a die."""
    found = []
    for name, share in shares.items():
        if share < LEAST:
            continue
        if name == "pink":
            found.append(Option("die", name, KNALLER_POINTS, share))
        elif name in COLOURS:
            pips = np.full(6, 1 / 6) if faces is None else faces
            found += [Option("die", name, k + 1, share * float(p)) for k, p in enumerate(pips)]
        else:
            found.append(Option("empty" if name == "empty" else "marker", name, 0, share))
    return tuple(sorted((one for one in found if one.share >= LEAST), key=lambda one: -one.share))


def arrived(likely: Sequence[Option]) -> tuple[Option, ...]:
    """What a hole may hold in which something new lies, while it held no die before: most likely one."""
    shares = [one.share * (_NEWCOMER if one.content == "die" else 1.0) for one in likely]
    weighed = [replace(one, share=share / sum(shares)) for one, share in zip(likely, shares, strict=True)]
    return tuple(sorted(weighed, key=lambda one: -one.share))


def doubts(reading: BoxReading, rules: ScoringRules | None = None) -> dict[Cell, float]:
    """How likely each hole makes the score wrong, of those that may."""
    points = _points(reading, rules)
    found = {}
    for hole, other in zip(reading.holes, reading.options, strict=True):
        share = sum(o.share for o in other if not _is(hole, o) and _points(_with(reading, hole, o), rules) != points)
        if share > 0:
            found[hole.cell] = min(float(share), 1.0)
    return found


def with_doubts(reading: BoxReading, rules: ScoringRules | None = None) -> BoxReading:
    """The reading with how sure its score is, and with warnings for the holes that make it doubtful."""
    doubted = doubts(reading, rules) if reading.options else {}
    sure = float(np.prod([1 - share for share in doubted.values()]))
    if sure >= SURE or not doubted:
        return replace(reading, sure=sure)
    most = max(doubted.values())
    warned = {(w.row, w.col) for w in reading.warnings}
    unsure = [
        Warned("unsure", *cell) for cell, share in doubted.items()
        if share >= min(POINTED_AT, most) and cell not in warned
    ]
    return replace(reading, sure=sure, warnings=(*reading.warnings, *unsure))


def _points(reading: BoxReading, rules: ScoringRules | None) -> int:
    return best_score(reading.board, reading.markers, rules).score


def _is(hole: Hole, option: Option) -> bool:
    if option.content != hole.content:
        return False
    if hole.content == "die":
        return (hole.colour, hole.value) == (option.name, option.value)
    return hole.content == "empty" or hole.marker == option.name


def _with(reading: BoxReading, hole: Hole, option: Option) -> BoxReading:
    """The reading if that hole held something else."""
    die = option.content == "die"
    new = replace(
        hole, content=option.content, colour=option.name if die else "", value=option.value,
        marker=option.name if option.content == "marker" else "",
    )
    return replace(reading, holes=tuple(new if one.cell == hole.cell else one for one in reading.holes))
