"""The four rows of numbers of an unknown sheet, fitted at once to all the printed numbers that looks along them see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.sheets.layout import ROWS
from vision.qwixx.place import SheetPlace, robust_fit
from vision.qwixx.prints import COLUMNS, LOCK_PRINT, NONE, PrintReader, Votes, looks, printed

Floats = NDArray[np.float64]
STEP = 0.22
"""Looks lie so far apart, in sides of a look."""

LEAST_LIKELY = 0.15
"""A look that takes its field for a number with less than this says nothing about that number."""

SHIFTS = (-3, -2, -1, 1, 2, 3)
LEAST_RIGHT, LEAST_AHEAD = 0.3, 0.5
"""The least mean likelihood of the numbers where they should be, of fields that show any; how much likelier they must
be there, in logarithms on average, than the same numbers so many columns aside."""

LOCK_STEPS, USUAL_LOCK = (0.8, 3.2), 1.3
"""How far right of the last number a lock may lie, in columns; and where it mostly does."""

_PITCHES_MM = np.arange(7.0, 18.01, 0.25)
_BIN_MM = 0.5
_AROUND = 0.3
_ROWS = np.arange(len(ROWS))


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """``centres_mm`` (4, 11, 2): the middles of the numbers of each row; ``lock``: how far the locks lie right of the
    last number, in columns; ``right``: mean likelihood of the numbers there, of fields that show any."""

    centres_mm: Floats
    lock: float
    right: float


def fit_grid(
    image_bgr: Image, reader: PrintReader, place: SheetPlace, rows: Sequence[tuple[Points, Points]], side_mm: float
) -> Grid | None:
    """The numbers along four lines, each from one point (2,) mm to another; None where they do not show in order.

    ``side_mm``: of a look, about a band's height.
    """
    votes = [_along(image_bgr, reader, place, start, end, side_mm) for start, end in rows]
    terms = _first(votes)
    if terms is None:
        return None
    centres = _fitted(votes, terms, side_mm)
    aside = side_mm * _AROUND * np.array([(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)])
    for _ in range(2):
        spots = (centres[:, :, None] + aside).reshape(-1, 2)
        seen = looks(image_bgr, reader, place, spots, side_mm)
        parts = np.split(np.arange(len(spots)), len(ROWS))
        votes = [Votes(seen.likely[part], seen.at_mm[part]) for part in parts]
        votes = [_joined(one, _beyond(image_bgr, reader, place, row, side_mm))
                 for one, row in zip(votes, centres, strict=True)]
        centres = _fitted(votes, centres, side_mm)
    right, ahead = rated(looks(image_bgr, reader, place, centres.reshape(-1, 2), side_mm).likely)
    if right < LEAST_RIGHT or ahead < LEAST_AHEAD:
        return None
    return Grid(centres, _lock(votes, centres), right)


def rated(likely: Floats) -> tuple[float, float]:
    """How well looks at the numbers (44, K), row by row, show what should be there.

    Their mean likelihood where any field is seen, and how far ahead that is of the best shift by some columns, in
    logarithms.
    """
    rows = likely.reshape(len(ROWS), COLUMNS, -1)
    seen = 1 - rows[:, :, NONE]
    given = rows / np.maximum(seen, 1e-3)[:, :, None]

    def mean(shift: int) -> tuple[float, float]:
        log = value = weight = 0.0
        for row, looked, sure in zip(ROWS, given, seen, strict=True):
            classes = printed(row)
            here = np.arange(COLUMNS)[max(0, -shift) : COLUMNS - max(0, shift)]
            likelihood = looked[here, classes[here + shift]]
            log += float((np.log(likelihood + 0.02) * sure[here]).sum())
            value += float((likelihood * sure[here]).sum())
            weight += float(sure[here].sum())
        return log / max(weight, 1e-6), value / max(weight, 1e-6)

    log, value = mean(0)
    return (value if seen.mean() > 0.2 else 0.0), log - max(mean(shift)[0] for shift in SHIFTS)


def _along(
    image_bgr: Image, reader: PrintReader, place: SheetPlace, start: Points, end: Points, side: float
) -> Votes:
    """What looks along a line say; those that see their field above or below it are looked at once more, there."""
    count = max(2, round(float(np.linalg.norm(end - start)) / (STEP * side)))
    spots = start + np.linspace(0, 1, count)[:, None] * (end - start)
    first = looks(image_bgr, reader, place, spots, side)
    sure = 1 - first.likely[:, NONE]
    if sure.sum() < 2:
        return first
    share = np.linspace(-1, 1, count)
    terms = np.stack([np.ones(count), share, share**2, share**3], 1)
    bow = robust_fit(terms, first.at_mm - spots, np.stack([sure, sure], 1), np.diag([0.05, 0.1, 0.2, 0.4]))
    moved = spots + np.stack([np.zeros(count), terms @ bow[:, 1]], 1)
    return looks(image_bgr, reader, place, moved, side)


def _beyond(
    image_bgr: Image, reader: PrintReader, place: SheetPlace, centres: Floats, side: float
) -> Votes:
    """What is right of a row's last number (11, 2): its lock."""
    step = centres[-1] - centres[-2]
    ways = np.arange(LOCK_STEPS[0], LOCK_STEPS[1], 0.3)
    return looks(image_bgr, reader, place, centres[-1] + ways[:, None] * step, side)


def _joined(one: Votes, other: Votes) -> Votes:
    return Votes(np.concatenate([one.likely, other.likely]), np.concatenate([one.at_mm, other.at_mm]))


def _said(row: int, votes: Votes) -> tuple[NDArray[np.int64], Points, Floats]:
    """For every look and number that it may show: the number's column, where it lies, how likely."""
    likely = votes.likely[:, printed(ROWS[row])]
    look, column = np.nonzero(likely > LEAST_LIKELY)
    return column, votes.at_mm[look], likely[look, column]


def _first(votes: Sequence[Votes]) -> Floats | None:
    """The middles (4, 11, 2) by the distance of columns that most looks agree on, each row from where it begins."""
    said = [_said(row, one) for row, one in enumerate(votes)]
    if sum(float(weight.sum()) for _, _, weight in said) < 4:
        return None
    best, found = -1.0, None
    for pitch in _PITCHES_MM:
        starts, total = [], 0.0
        for column, at, weight in said:
            start, mass = _mode(at[:, 0] - pitch * column, weight)
            starts.append((start, mass))
            total += mass
        if total > best:
            best, found = total, (float(pitch), starts)
    assert found is not None
    pitch, starts = found
    x = _evened(np.array([start for start, _ in starts]), np.array([mass for _, mass in starts]))
    y = [_height(one) for one in votes]
    columns = np.arange(COLUMNS)
    return np.stack([
        np.stack([x[row] + pitch * columns, np.full(COLUMNS, y[row])], 1) for row in range(len(ROWS))
    ])


def _height(votes: Votes) -> float:
    sure = 1 - votes.likely[:, NONE]
    return float(np.average(votes.at_mm[:, 1], weights=sure + 1e-6))


def _mode(values: Floats, weight: Floats) -> tuple[float, float]:
    """The value around which most weight lies, and how much."""
    if not len(values):
        return 0.0, 0.0
    bins = np.round((values - values.min()) / _BIN_MM).astype(int)
    counted = np.bincount(bins, weight)
    near = np.convolve(counted, [0.5, 1.0, 1.0, 1.0, 0.5], mode="same")[: len(counted)] if len(counted) > 4 else counted
    k = int(near.argmax())
    return float(values.min() + k * _BIN_MM), float(near[k])


def _evened(starts: Floats, masses: Floats) -> Floats:
    """Where the rows begin (4,): on a line through those that are surest."""
    terms = np.stack([np.ones(len(ROWS)), _ROWS - 1.5], 1)
    line = robust_fit(terms, np.stack([starts, starts], 1), np.stack([masses, masses], 1), np.diag([1e-6, 0.05]))
    return np.asarray(terms @ line[:, 0])


def _terms(row: NDArray[np.int64], column: NDArray[np.int64]) -> Floats:
    r, c = (row - 1.5) / 1.5, (column - 5.0) / 5.0
    return np.stack([np.ones(len(r)), c, r, c * r, c * c, r * r, c**3, c * c * r, c * r * r], 1)


_CALM = np.diag([1e-3, 0.01, 0.02, 0.1, 0.3, 0.3, 0.6, 0.6, 0.6])


def _fitted(votes: Sequence[Votes], before: Floats, side: float) -> Floats:
    """The middles (4, 11, 2) by a smooth shift of those before that goes through what the looks say."""
    rows, columns, offs, weights = [], [], [], []
    for row, one in enumerate(votes):
        column, at, weight = _said(row, one)
        off = at - before[row, column]
        near = (np.abs(off) < 0.55 * side).all(axis=1)
        rows.append(np.full(int(near.sum()), row))
        columns.append(column[near])
        offs.append(off[near])
        weights.append(weight[near])
    off, weight = np.concatenate(offs), np.concatenate(weights)
    if len(off) < 4:
        return before
    terms = _terms(np.concatenate(rows), np.concatenate(columns))
    bend = robust_fit(terms, off, np.repeat(weight[:, None], 2, axis=1), _CALM)
    every = np.indices((len(ROWS), COLUMNS)).reshape(2, -1)
    return before + (_terms(every[0], every[1]) @ bend).reshape(before.shape)


def _lock(votes: Sequence[Votes], centres: Floats) -> float:
    """How far the locks lie right of the last numbers, in columns: what most looks say."""
    steps, weights = [], []
    for one, row in zip(votes, centres, strict=True):
        step = row[-1] - row[-2]
        away = (one.at_mm - row[-1]) @ step / (step @ step)
        sure = one.likely[:, LOCK_PRINT] * ((away > LOCK_STEPS[0]) & (away < LOCK_STEPS[1]))
        steps.append(away[sure > LEAST_LIKELY])
        weights.append(sure[sure > LEAST_LIKELY])
    away, weight = np.concatenate(steps), np.concatenate(weights)
    if weight.sum() < 1:
        return USUAL_LOCK
    order = np.argsort(away)
    total = np.cumsum(weight[order])
    return float(away[order][int(np.searchsorted(total, total[-1] / 2))])
