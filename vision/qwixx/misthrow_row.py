"""The misthrow fields of an unknown sheet: groups of small boxes, each group ending in a -5 box, on one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image

Vector = NDArray[np.float64]
Boxes = list[tuple[float, float, float, float, bool]]
"""x, y, width, height in mm, and whether it is a -5 box."""
LEAST_SCORE = 0.1
_COARSE = 2.0
_HALF_MM = 1.75
_LINES = 3
ENOUGH = 0.6
"""An edge that stands out more than this counts no more: a few strong boxes must not outvote the faint ones."""
INKED, BLANK = 0.3, -0.4
"""Where nothing at all is as strong as this, there is no box, crossed or not, and that counts against it."""
_LARGE = (1.0, 1.15, 1.3, 1.45, 1.6, 1.8, 2.0)
_GAPS = (0.08, 0.14, 0.2, 0.27, 0.35)
_BETWEEN = (0.25, 0.4, 0.55, 0.7, 0.9, 1.15)


@dataclass(frozen=True, slots=True)
class Row:
    """``start``, ``small``, ``large`` (width of a -5 box), ``gap``, ``between`` groups; ``middle`` height; all in mm.
    ``tall``: height of the boxes as a share of their width, which an unknown sheet's picture leaves open."""

    start: float
    small: float
    large: float
    gap: float
    between: float
    middle: float
    tall: float = 0.9

    def moved(self, step: Vector) -> Row:
        """With every number changed by one of ``step`` (7,)."""
        values = (self.start, self.small, self.large, self.gap, self.between, self.middle, self.tall)
        return Row(*(float(v + d) for v, d in zip(values, step, strict=True)))


def find_misthrow(strip_bgr: Image, scale: float, segments: Sequence[int]) -> Boxes | None:
    """The boxes in a strip of paper, ``scale`` pixels a mm.

    ``segments``: how many small boxes stand before each -5 box. None where no such row stands out.
    """
    rated = rated_misthrow(strip_bgr, scale, segments)
    return rated[0][0] if rated and rated[0][1] >= LEAST_SCORE else None


def rated_misthrow(strip_bgr: Image, scale: float, segments: Sequence[int]) -> list[tuple[Boxes, float]]:
    """What may be the boxes, and how well their outlines stand out, the likeliest first."""
    edges = _edges(strip_bgr, scale)
    outlines = Outlines(edges, scale, segments)
    climbed = [_climb(outlines, row) for row in _search(edges[0], scale, segments)]
    climbed.sort(key=lambda pair: -pair[1])
    return [(boxes_of(row, segments), score) for row, score in climbed]


def likely_heights(strip_bgr: Image, scale: float) -> list[float]:
    """At which heights of a strip such a row may lie, in mm from its top, the likeliest first."""
    return [(y + 0.5) / _COARSE for y in _likely_lines(_uprights(_edges(strip_bgr, scale)[0], scale))]


def _uprights(upright: NDArray[np.float32], scale: float) -> NDArray[np.float32]:
    """How much stands upright at each place, coarsely."""
    shrink = _COARSE / scale
    lines = cv2.resize(upright, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(lines, (1, 2 * round(_HALF_MM * _COARSE) + 1)), np.float32)


def boxes_of(row: Row, segments: Sequence[int]) -> Boxes:
    """Where the boxes of a row lie; -5 boxes are as high as wide unless that is far more than the small ones."""
    out: Boxes = []
    x, tall = row.start, min(row.large, 1.5 * row.small) * row.tall
    for count in segments:
        for k in range(count + 1):
            w, h = (row.large, tall) if k == count else (row.small, row.small * row.tall)
            out.append((x, row.middle - h / 2, w, h, k == count))
            x += w + (row.between if k == count else row.gap)
    return out


def _edges(strip_bgr: Image, scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Upright and level edges (H, W) as far as they stand out from what is around."""
    smooth = cv2.GaussianBlur(strip_bgr, (0, 0), 0.8).astype(np.float32)
    out = []
    for across, down in ((1, 0), (0, 1)):
        strength = np.abs(cv2.Sobel(smooth, cv2.CV_32F, across, down)).max(2)
        around = cv2.blur(strength, (round(30 * scale), round(12 * scale)))
        out.append(np.asarray(np.minimum(strength / (around + 4.0), 4.0), np.float32))
    return out[0], out[1]


def _search(upright: NDArray[np.float32], scale: float, segments: Sequence[int]) -> list[Row]:
    """A first guess on each of the likeliest heights: every pair of edges as ends, every set of proportions."""
    tall = _uprights(upright, scale)
    guesses = []
    for y in _likely_lines(tall):
        best, guess = 0.0, None
        profile = _evidence(tall[y], tall[y] - cv2.blur(tall[y][None], (9, 1))[0])
        pairs = _pairs(profile)
        if not len(pairs):
            continue
        for ratios in product(_LARGE, _GAPS, _BETWEEN):
            large, gap, between = ratios
            unit = _edges_at(Row(0.0, 1.0, large, gap, between, 0.0), segments)
            side = (pairs[:, 1] - pairs[:, 0]) / unit[-1]
            fits = (side >= 4.0 * _COARSE) & (side <= 9.0 * _COARSE)
            if not fits.any():
                continue
            at = pairs[fits, :1] + side[fits, None] * unit
            score = profile[np.round(at).astype(int)].mean(1)
            k = int(score.argmax())
            if score[k] > best:
                start, small = float(pairs[fits][k, 0]), float(side[fits][k])
                best = float(score[k])
                sizes = np.array([start, small, small * large, small * gap, small * between, y]) / _COARSE
                guess = Row(*(float(v) for v in sizes + [0.25, 0, 0, 0, 0, 0.25]))
        guesses += [guess] if guess else []
    return guesses


def _evidence(strength: NDArray[Any], standing: NDArray[Any]) -> Vector:
    """For an outline there: how far it stands out; among crosses it does not, but blank paper speaks against it."""
    return np.where(strength < INKED, BLANK, np.clip(standing, 0.0, ENOUGH))


def _likely_lines(tall: NDArray[Any]) -> list[int]:
    """The heights at which most upright edges stand one beside the other, apart from each other."""
    margin = round(_HALF_MM * _COARSE) + 1
    energy = np.sort(tall, axis=1)[:, -tall.shape[1] // 4 :].mean(1)
    energy[:margin] = energy[len(energy) - margin :] = 0
    chosen: list[int] = []
    for y in np.argsort(-energy):
        if len(chosen) < _LINES and all(abs(int(y) - other) > 2.0 * _COARSE for other in chosen):
            chosen.append(int(y))
    return chosen


def _pairs(profile: NDArray[Any]) -> Vector:
    """Edges that may be the first and the last of the row, (N, 2) px."""
    inner = profile[1:-1]
    peaks = np.flatnonzero((inner >= profile[:-2]) & (inner > profile[2:]) & (inner > 0.05)) + 1.0
    width = len(profile)
    return np.array([(a, b) for a in peaks[peaks < 0.45 * width] for b in peaks if b - a > 0.45 * width], np.float64)


def _edges_at(row: Row, segments: Sequence[int]) -> Vector:
    """Left and right edges of all boxes, (2 * boxes,)."""
    return np.array([edge for x, _, w, _, _ in boxes_of(row, segments) for edge in (x, x + w)])


class Outlines:
    """How well outlines of boxes lie on edges, against the lines beside them; quick by running sums."""

    def __init__(
        self, edges: tuple[NDArray[np.float32], NDArray[np.float32]], scale: float, segments: Sequence[int]
    ) -> None:
        self.scale, self.segments = scale, tuple(segments)
        self._sums = [np.vstack([np.zeros(strength.shape[1]), np.cumsum(cv2.blur(strength, (2, 1)), 0)])
                      for strength in (edges[0], np.ascontiguousarray(edges[1].T))]

    def score(self, row: Row) -> float:
        """The mean over all sides of all boxes."""
        if min(row.small, row.gap, row.between) <= 0.2 or row.large < 0.95 * row.small or not 0.5 < row.tall < 1.7:
            return -1.0
        x, y, w, h = np.array([box[:4] for box in boxes_of(row, self.segments)]).T
        sides = [
            self._side(0, np.concatenate([x, x + w]), np.tile(y, 2), np.tile(h, 2)),
            self._side(1, np.concatenate([y, y + h]), np.tile(x, 2), np.tile(w, 2)),
        ]
        return float(np.mean(sides))

    def _side(self, which: int, at: Vector, start: Vector, length: Vector) -> Vector:
        sums = self._sums[which]
        low = np.clip(np.round((start + 0.15 * length) * self.scale).astype(int), 0, len(sums) - 2)
        high = np.clip(np.round((start + 0.85 * length) * self.scale).astype(int) + 1, low + 1, len(sums) - 1)
        aside = max(2, round(0.9 * self.scale))
        column = np.round(at * self.scale).astype(int)
        outside = (column < aside) | (column >= sums.shape[1] - aside)
        column = np.clip(column, aside, sums.shape[1] - aside - 1)

        def mean(columns: NDArray[np.int64]) -> Vector:
            return np.asarray((sums[high, columns] - sums[low, columns]) / (high - low))

        standing = mean(column) - 0.5 * (mean(column - aside) + mean(column + aside))
        return np.where(outside, BLANK, _evidence(mean(column), standing))


def _climb(outlines: Outlines, row: Row) -> tuple[Row, float]:
    """Improve a row number by number until nothing helps; the row and its score."""
    best = outlines.score(row)
    count = sum(outlines.segments) + len(outlines.segments)
    steps = [*(np.eye(7) * [1, 1, 1, 1, 1, 1, 0.2]), *np.array([
        (-count / 4, 0.5, 0, 0, 0, 0, 0), (-count / 4, 0, 0, 0.5, 0, 0, 0), (0, 1, 0, -1, 0, 0, 0),
        (-1.5, 0, 0, 0, 1, 0, 0), (0, 0, 1, 0, -1, 0, 0),
    ])]
    for reach in (0.6, 0.3, 0.15, 0.08):
        for _ in range(10):
            trials = [row.moved(sign * reach * step) for step in steps for sign in (-1, 1)]
            scores = [outlines.score(trial) for trial in trials]
            k = int(np.argmax(scores))
            if scores[k] <= best + 1e-6:
                break
            best, row = scores[k], trials[k]
    return row, best
