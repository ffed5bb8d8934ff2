"""Misthrow fields of an unknown sheet by the reader's word: each look along their line says where the next field is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.sheets.layout import MISTHROW, Rect, SheetField
from vision.qwixx.crops import FIELD_MARGIN, square_crop
from vision.qwixx.marks import MarkReader
from vision.qwixx.misthrow_row import likely_heights
from vision.qwixx.place import SheetPlace
from vision.qwixx.prints import MINUS, SMALL, PrintReader, looks

Floats = NDArray[np.float64]
SIDE_MM = 6.0
"""Looks are as large as fields of this width ask for."""

STEP_MM = 1.2
TRUSTED = 0.28
"""A look that sees its field farther off than this share of its side does not count."""

_FINE_MM = 0.25
_SPREAD_MM = 0.5
_PITCHES = np.arange(4.4, 10.1, 0.2)
_TO_MINUS = (1.0, 1.08, 1.17, 1.27, 1.4)
_TO_NEXT = (1.05, 1.2, 1.4, 1.6, 1.85, 2.15)
_SMALL, _KIND = 0.84, 0.5
"""How far from field to field; from the last small one to the -5 field and from there to the next small one, as shares
of that; how wide a small field is as a share of it. What the kinds of fields say counts so much."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Looks along a line: where fields are seen (``density`` (N,) every _FINE_MM from ``left``), their height; ``kind``
    (N,): from 1, where a small field is printed, to -1, where a -5 field is; 0 where nobody knows."""

    left: float
    density: Floats
    middle: float
    kind: Floats


def voted_misthrow(
    image_bgr: Image, reader: MarkReader, place: SheetPlace, below: Rect, segments: Sequence[int],
    prints: PrintReader | None = None,
) -> list[tuple[SheetField, ...]]:
    """What may be the misthrow fields in a part of the sheet (left, top, width, height in mm), the likeliest first.

    ``segments``: small fields before each -5 field; ``prints``: tells -5 fields from small ones, so that none is taken
    for its neighbour.
    """
    rated = []
    for middle in likely_heights(place.rectify(image_bgr, below, 5.0), 5.0):
        line = _looked_along(image_bgr, reader, place, below, below[1] + middle)
        if prints is not None:
            line = replace(line, kind=_kinds(image_bgr, prints, place, line))
        score, fields = _fitted(line, segments)
        rated.append((score, fields))
    rated.sort(key=lambda pair: -pair[0])
    return [fields for _, fields in rated]


def _looked_along(image_bgr: Image, reader: MarkReader, place: SheetPlace, below: Rect, middle: float) -> Line:
    """Where the reader sees fields along a height: twice, as the first look corrects the height."""
    x = np.arange(below[0] + 3, below[0] + below[2] - 3, STEP_MM)
    side = FIELD_MARGIN * SIDE_MM
    density = np.zeros(round(below[2] / _FINE_MM))
    for _ in range(2):
        half = side / 2 * np.array([(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)])
        crops = np.stack([square_crop(image_bgr, place.to_px(half + (at, middle))) for at in x])
        likely, off = reader.read(crops)
        weight = np.clip(1 - np.abs(off[:, 0]) / TRUSTED, 0, 1) * (1 - likely[:, -1])
        votes = np.bincount(
            np.clip(np.round((x + off[:, 0] * side - below[0]) / _FINE_MM), 0, len(density) - 1).astype(int),
            weight, len(density),
        )
        density = cv2.GaussianBlur(votes[None], (0, 0), _SPREAD_MM / _FINE_MM)[0]
        strong = weight > 0.3
        if strong.any():
            middle += float(np.clip(np.median(off[strong, 1]), -0.2, 0.2)) * side
    density = np.minimum(density / max(float(np.percentile(density, 90)), 1e-6), 1.0)
    return Line(below[0], density, middle, np.zeros(len(density)))


def _kinds(image_bgr: Image, prints: PrintReader, place: SheetPlace, line: Line) -> Floats:
    """Which kind of field is printed along a line, (N,): see :class:`Line`."""
    count = len(line.density)
    x = np.arange(line.left + 3, line.left + count * _FINE_MM - 3, STEP_MM)
    seen = looks(
        image_bgr, prints, place, np.stack([x, np.full(len(x), line.middle)], 1), FIELD_MARGIN * SIDE_MM
    )
    at = np.clip(np.round((seen.at_mm[:, 0] - line.left) / _FINE_MM), 0, count - 1).astype(int)
    small, minus = (
        cv2.GaussianBlur(np.bincount(at, seen.likely[:, kind], count)[None], (0, 0), 2 * _SPREAD_MM / _FINE_MM)[0]
        for kind in (SMALL, MINUS)
    )
    return np.asarray((small - minus) / (small + minus + 0.02), np.float64)


def _fitted(line: Line, segments: Sequence[int]) -> tuple[float, tuple[SheetField, ...]]:
    """The row of fields that most votes speak for, and how well: votes at its fields less those between them."""
    steps, signs = _steps(segments), _signs(segments)
    best: float = -1.0
    row: Floats = np.zeros(4)
    for pitch, minus, following in product(_PITCHES, _TO_MINUS, _TO_NEXT):
        pattern = steps[:, 1:] @ np.array([pitch, pitch * minus, pitch * following])
        start = np.arange(2.0, len(line.density) * _FINE_MM - pattern[-1] - 2.0, 0.5)
        if not len(start):
            continue
        rated = _scores(line, start[:, None] + pattern, signs)
        k = int(rated.argmax())
        if rated[k] > best:
            best = float(rated[k])
            row = np.array([start[k], pitch, pitch * minus, pitch * following], np.float64)
    if best < 0:
        return best, ()
    finer = _drawn(line, steps, row)
    centres, score = steps @ finer, float(_scores(line, (steps @ finer)[None], signs)[0])
    if score < best:
        centres, score = steps @ row, best
    return score, tuple(_fields(line, centres, float(row[1]), segments))


def _steps(segments: Sequence[int]) -> Floats:
    """For each field (N, 4): a one, and how many steps lie before it: between small ones, to a -5 field, from one."""
    rows, now = [], np.array([1.0, 0, 0, 0])
    for count in segments:
        for k in range(count + 1):
            rows.append(now.copy())
            now[1 if k < count - 1 else 2 if k == count - 1 else 3] += 1
    return np.array(rows)


def _signs(segments: Sequence[int]) -> Floats:
    """1 for each small field, -1 for each -5 field, (N,)."""
    return np.array([-1.0 if k == count else 1.0 for count in segments for k in range(count + 1)])


def _scores(line: Line, at: Floats, signs: Floats) -> Floats:
    """How well rows of middles (R, N) of fields of these kinds fit what is seen."""
    last = len(line.density) - 1
    seen, gaps = (line.density[np.clip(np.round(v / _FINE_MM).astype(int), 0, last)].mean(1)
                  for v in (at, (at[:, 1:] + at[:, :-1]) / 2))
    kinds = line.kind[np.clip(np.round(at / _FINE_MM).astype(int), 0, last)]
    return np.asarray(seen - 0.5 * gaps + _KIND * ((kinds * signs).mean(1) if line.kind.any() else 0.0))


def _drawn(line: Line, steps: Floats, row: Floats) -> Floats:
    """The row (4,) drawn to the votes around each of its fields."""
    places = np.arange(len(line.density)) * _FINE_MM
    for _ in range(4):
        centres = steps @ row
        around = line.density * (np.abs(places[None] - centres[:, None]) < 0.42 * row[1])
        weight = around.sum(1)
        off = (around * (places[None] - centres[:, None])).sum(1) / np.maximum(weight, 1e-6)
        scaled = steps * weight[:, None]
        row = row + np.linalg.solve(steps.T @ scaled + 0.05 * np.eye(4), scaled.T @ off)
    return row


def _fields(line: Line, centres: Floats, pitch: float, segments: Sequence[int]) -> Iterator[SheetField]:
    minus = [k == count for count in segments for k in range(count + 1)]
    small = _SMALL * pitch
    for k, (centre, large) in enumerate(zip(centres.tolist(), minus, strict=False), 1):
        side = small * (1.2 if large else 1.0)
        yield SheetField(
            MISTHROW, k, (line.left + centre - side / 2, line.middle - side / 2, side, side), large
        )
