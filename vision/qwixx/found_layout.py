"""The layout of an unknown sheet, worked out from its picture: numbers and a lock in each band, misthrow fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.geometry import homography, transform
from calibration.sheets.layout import LOCK, MISTHROW, ROWS, Rect, SheetField, SheetLayout
from vision.qwixx.bands import Bands
from vision.qwixx.grid import Grid, fit_grid, rated
from vision.qwixx.lifted import shape_of
from vision.qwixx.misthrow_row import rated_misthrow
from vision.qwixx.place import SheetPlace, bent, fitted_bend
from vision.qwixx.prints import PrintReader, looks

BAND_MM = 160.0
"""The length that the bands of an unknown sheet are taken to have."""
STACK, STACKS = 0.47, (0.36, 0.62)
"""Height of all four bands together as a share of that, as it mostly is; the least and most it may seem to be."""

BELOW_MM = 46.0
MARGIN_MM = 8.0
FOUND = "found"
"""Name of layouts that were worked out from a picture."""

LEAST_LIKELY = 0.04
"""Misthrow fields whose outlines stand out less are none; of the others the reader of fields chooses."""

PITCH_MM, STEP_MM, STEPS_MM = 11.8, 18.5, (12.0, 25.0)
"""From number to number on a sheet fitted by its numbers; from row to row as it mostly is, and at least and at most."""

LOOK_SHARE, WIDTH_SHARE, HEIGHT_SHARE = 0.97, 0.86, 0.72
"""The side of a look as a share of a band's height; width and height of a field as shares of that and of the pitch."""

_SCALE = 5.0
_PARTS = 9
NUMBERS = 11
LEAST_STANDING = 0.25
_TOPS, _CROOKED = 2, 0.25
_LIGHT = 0.5
"""A place that has less of the band's colour is a field."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the fields of all four bands lie, mm from the bands' left end."""

    start: float
    pitch: float
    width: float
    lock: tuple[float, float]
    score: float


def rows_of_bands(
    image_bgr: Image, bands: Bands, prints: PrintReader | None = None
) -> list[tuple[SheetLayout, SheetPlace]]:
    """Layout and place of the sheet with these bands, in its own millimetres, without misthrow fields yet: as high as
    such sheets mostly are, and as it looks; none where no fields show.

    ``prints``: reads the printed numbers, by which the rows are fitted at once; without it, or where too few show, the
    fields are looked for by their colour.
    """
    outer = np.array([bands.quads_px[0, 0], bands.quads_px[0, 1], bands.quads_px[3, 2], bands.quads_px[3, 3]])
    shape = float(1 / shape_of(outer, (image_bgr.shape[1], image_bgr.shape[0])))
    if prints is not None and (by_numbers := _by_numbers(image_bgr, bands, outer, shape, prints)):
        return by_numbers
    shares = STACK, float(np.clip(shape, *STACKS))
    found = [_with_height(image_bgr, bands, outer, BAND_MM * share) for share in shares]
    shown = [one for one in found if one is not None]
    return [one for one in shown if prints is None or _right(image_bgr, prints, *one)]


def _by_numbers(
    image_bgr: Image, bands: Bands, outer: Points, shape: float, prints: PrintReader
) -> list[tuple[SheetLayout, SheetPlace]]:
    """The sheet by its printed numbers: at the proportions that such sheets mostly have, and at those it seems to."""
    height = BAND_MM * float(np.clip(shape, *STACKS))
    long = BAND_MM if shape <= STACKS[1] else BAND_MM * STACK / shape
    height = height if shape <= STACKS[1] else BAND_MM * STACK
    corners = np.array([(0, 0), (long, 0), (long, height), (0, height)])
    flat = SheetPlace(homography(corners, outer), (long, height))
    back = np.asarray(np.linalg.inv(flat.px_from_mm), np.float64)
    quads = [transform(back, quad) for quad in bands.quads_px]
    side = float(np.median([np.linalg.norm(q[3] + q[2] - q[0] - q[1]) / 2 for q in quads]))
    beyond = np.array([max(side, 160.0 - long), 0.0])
    lines = [((q[0] + q[3]) / 2 - beyond, (q[1] + q[2]) / 2 + beyond) for q in quads]
    grid = fit_grid(image_bgr, prints, flat, lines, LOOK_SHARE * side)
    if grid is None:
        return []
    px = flat.to_px(grid.centres_mm.reshape(-1, 2)).reshape(grid.centres_mm.shape)
    corners_px = np.array([px[0, 0], px[0, -1], px[3, -1], px[3, 0]])
    wide = (NUMBERS - 1) * PITCH_MM
    seen = wide / shape_of(corners_px, (image_bgr.shape[1], image_bgr.shape[0])) / (len(ROWS) - 1)
    steps = (float(np.clip(seen, *STEPS_MM)), STEP_MM)
    return [_on_grid(image_bgr, px, grid, step, side / _row_step(grid)) for step in steps]


def _row_step(grid: Grid) -> float:
    return float(np.abs(np.diff(grid.centres_mm[:, :, 1], axis=0)).mean())


def _on_grid(
    image_bgr: Image, px: Points, grid: Grid, step: float, thick: float
) -> tuple[SheetLayout, SheetPlace]:
    """The layout whose numbers lie on an even grid, rows ``step`` mm apart and ``thick`` of that high, and where they
    are seen (``px`` (4, 11, 2))."""
    high = step * min(thick, 1.0)
    first = np.array([MARGIN_MM + PITCH_MM, MARGIN_MM + high / 2])
    size = (2 * MARGIN_MM + BAND_MM, first[1] + 3 * step + high / 2 + BELOW_MM)
    columns, rows = np.meshgrid(np.arange(NUMBERS) * PITCH_MM, np.arange(len(ROWS)) * step)
    centres = first + np.stack([columns, rows], -1)
    matrix, _ = cv2.findHomography(centres.reshape(-1, 2), px.reshape(-1, 2))
    place = SheetPlace(np.asarray(matrix, np.float64), size)
    w, h = WIDTH_SHARE * PITCH_MM, HEIGHT_SHARE * high
    fields: list[SheetField] = []
    bands = []
    for row, middles in zip(ROWS, centres, strict=True):
        y = float(middles[0, 1])
        numbers = range(2, 13) if row in ROWS[:2] else range(12, 1, -1)
        fields += [SheetField(row, number, (float(x) - w / 2, y - h / 2, w, h))
                   for number, x in zip(numbers, middles[:, 0], strict=True)]
        lock, at = min(w, h), float(middles[-1, 0]) + grid.lock * PITCH_MM
        fields.append(SheetField(row, LOCK, (at - lock / 2, y - lock / 2, lock, lock)))
        bands.append((row, (MARGIN_MM, y - high / 2, BAND_MM, high)))
    layout = SheetLayout(FOUND, size, tuple(fields), tuple(bands))
    back = np.asarray(np.linalg.inv(place.px_from_mm), np.float64)
    off = transform(back, px.reshape(-1, 2)) - centres.reshape(-1, 2)
    bend = fitted_bend(centres.reshape(-1, 2), off, np.ones(len(off)), size)
    return layout, bent(place, bend)


def _right(image_bgr: Image, prints: PrintReader, layout: SheetLayout, place: SheetPlace) -> bool:
    """Whether the printed numbers are those that the layout has there."""
    spots = np.array([one.centre_mm for one in layout.fields if one.value != LOCK and one.row in ROWS])
    high = float(np.mean([rect[3] for _, rect in layout.bands]))
    return rated(looks(image_bgr, prints, place, spots, LOOK_SHARE * high).likely)[1] > 0


def below_bands(layout: SheetLayout) -> Rect:
    """The part of a sheet on which its misthrow fields must lie."""
    top = max(y + h for _, (_, y, _, h) in layout.bands) + 1.0
    return MARGIN_MM - 4, top, BAND_MM + 8, layout.size_mm[1] - top


def with_misthrow(layout: SheetLayout, fields: Sequence[SheetField]) -> SheetLayout:
    """The layout with these misthrow fields instead of those it has."""
    kept = tuple(one for one in layout.fields if one.row != MISTHROW)
    return replace(layout, fields=(*kept, *fields))


def outlined_misthrow(
    image_bgr: Image, layout: SheetLayout, place: SheetPlace, segments: Sequence[int]
) -> list[tuple[SheetField, ...]]:
    """What may be the misthrow fields by their printed outlines, the likeliest first."""
    left, top, wide, high = below_bands(layout)
    rated = rated_misthrow(place.rectify(image_bgr, (left, top, wide, high), _SCALE), _SCALE, segments)
    return [
        tuple(SheetField(MISTHROW, k, (left + x, top + y, w, h), minus) for k, (x, y, w, h, minus) in enumerate(row, 1))
        for row, score in rated if score >= LEAST_LIKELY
    ]


def _with_height(
    image_bgr: Image, bands: Bands, outer: Points, height: float
) -> tuple[SheetLayout, SheetPlace] | None:
    """The layout if the bands together are that high, in mm."""
    size = (BAND_MM + 2 * MARGIN_MM, height + MARGIN_MM + BELOW_MM)
    corners = np.array([(0, 0), (BAND_MM, 0), (BAND_MM, height), (0, height)]) + MARGIN_MM
    place = SheetPlace(homography(corners, outer), size)
    rects = _band_rects(place, bands)
    bandness = [_bandness(place.rectify(image_bgr, rect, _SCALE)) for rect in rects]
    joint = find_columns(bandness)
    columns = [joint] * len(ROWS) if joint else find_columns_apart(bandness)
    if columns is None:
        return None
    fields: list[SheetField] = []
    for row, rect, part, own in zip(ROWS, rects, bandness, columns, strict=True):
        fields += _fields_of(row, rect, own, _rows_of(part, own))
    return SheetLayout(FOUND, size, tuple(fields), tuple(zip(ROWS, rects, strict=True))), place


def _band_rects(place: SheetPlace, bands: Bands) -> list[Rect]:
    """Each band as a rectangle on the sheet."""
    back = np.linalg.inv(place.px_from_mm)
    rects = []
    for quad in bands.quads_px:
        points = np.column_stack([quad, np.ones(4)]) @ back.T
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = points[:, :2] / points[:, 2:]
        top, bottom = (ay + by) / 2, (cy + dy) / 2
        rects.append((MARGIN_MM, float(top), BAND_MM, float(bottom - top)))
    return rects


def _bandness(strip: Image) -> NDArray[np.float32]:
    """How much each pixel (H, W) has the colour of the band's rim rather than of its light fields, 0..1.

    Both are taken from around it, as light falls unevenly.
    """
    pixels = cv2.GaussianBlur(strip, (0, 0), 0.7).astype(np.float32)
    rim = max(2, round(0.07 * len(strip)))
    edge, body = np.concatenate([pixels[1:rim], pixels[-rim:-1]]), pixels[rim:-rim]
    places = np.linspace(0, strip.shape[1] - 1, _PARTS)
    half = strip.shape[1] / _PARTS
    parts = [slice(max(0, round(x - half)), round(x + half) + 1) for x in places]
    paint = _along(places, [np.median(edge[:, part].reshape(-1, 3), axis=0) for part in parts], strip.shape[1])
    light = _along(places, [np.percentile(body[:, part].reshape(-1, 3), 85, axis=0) for part in parts], strip.shape[1])
    way = light - paint
    share = ((pixels - paint) * way).sum(2) / np.maximum((way * way).sum(1), 150.0)
    dark = pixels.sum(2) < 0.55 * paint.sum(1)
    return np.asarray(np.where(dark, 0.5, np.clip(1.25 - 2.0 * share, 0, 1)), np.float32)


def _along(places: NDArray[np.float64], values: Sequence[NDArray[np.float64]], width: int) -> NDArray[np.float64]:
    """Colours at places along a strip for each of its columns, (W, 3)."""
    every = np.arange(width)
    return np.stack([np.interp(every, places, channel) for channel in np.array(values).T], 1)


def find_columns(bandness: Sequence[NDArray[np.float32]]) -> Columns | None:
    """The regular fields that show in all four bands (H, W): gaps of the band's colour, fields that have it not."""
    profile = np.median([_profile(part) for part in bandness], axis=0)
    best, found = LEAST_STANDING, None
    for pitch in _pitches(len(profile)):
        start, score = _standing(profile, pitch)
        if len(start) and score.max() > best:
            best, found = float(score.max()), (float(start[int(score.argmax())]), float(pitch))
    return _columns_at(profile, *found, best) if found else None


def find_columns_apart(bandness: Sequence[NDArray[np.float32]]) -> list[Columns] | None:
    """The fields of each band for itself, where the bands' ends were not seen well: as wide everywhere, their starts
    on one line."""
    profiles = [_profile(part) for part in bandness]
    best, found = LEAST_STANDING, None
    for pitch in _pitches(len(profiles[0])):
        tops = [_tops(*_standing(profile, pitch), pitch) for profile in profiles]
        for choice in product(*tops):
            starts, scores = np.array(choice).T
            if np.abs(np.diff(starts, 2)).max() < _CROOKED * pitch and scores.mean() > best:
                best, found = float(scores.mean()), (starts, float(pitch))
    if found is None:
        return None
    each = [_columns_at(profile, float(start), found[1], best)
            for profile, start in zip(profiles, found[0], strict=True)]
    known = [one for one in each if one is not None]
    if len(known) < 2:
        return None
    low, high = (float(np.median([one.lock[k] - one.start for one in known])) for k in (0, 1))
    width = float(np.median([one.width for one in known]))
    inset = float(np.median([one.start - start / _SCALE for one, start in zip(each, found[0], strict=True) if one]))
    return [
        Columns(at := start / _SCALE + inset, found[1] / _SCALE, width, (at + low, at + high), best)
        for start in found[0].tolist()
    ]


def _profile(bandness: NDArray[np.float32]) -> NDArray[np.float64]:
    """How much of the band's colour there is along it (W,), in the middle of its height."""
    return np.asarray(bandness[round(0.25 * len(bandness)) : round(0.75 * len(bandness))].mean(0), np.float64)


def _pitches(length: int) -> NDArray[np.float64]:
    return np.arange(length / 15.0, length / 11.4, 0.25)


def _standing(profile: NDArray[np.float64], pitch: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the first number may begin, and how well eleven fields and the gaps between them show then."""
    length = len(profile)
    sums = np.concatenate([[0.0], np.cumsum(profile)])

    def mean(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b = (np.clip(np.round(v).astype(int), 0, length) for v in (low, high))
        return np.asarray((sums[b] - sums[a]) / np.maximum(b - a, 1))

    start = np.arange(0.0, min(1.3 * pitch, length - 11.0 * pitch), 1.0)
    if not len(start):
        return start, start
    edges = start[:, None] + np.arange(NUMBERS + 1) * pitch
    gaps = mean(edges - 1.0, edges + 1.01)
    inside = mean(edges[:, :-1] + 0.2 * pitch, edges[:, 1:] - 0.2 * pitch)
    return start, np.minimum(gaps, 0.9).mean(1) - inside.mean(1) - 0.3 * (inside.max(1) - inside.min(1))


def _tops(start: NDArray[np.float64], score: NDArray[np.float64], pitch: float) -> list[tuple[float, float]]:
    """The best starts with their scores, apart from each other."""
    kept: list[tuple[float, float]] = []
    for k in np.argsort(-score):
        if len(kept) == _TOPS:
            break
        if all(abs(float(start[k]) - other) > 0.5 * pitch for other, _ in kept):
            kept.append((float(start[k]), float(score[k])))
    return kept


def _columns_at(profile: NDArray[np.float64], start: float, pitch: float, score: float) -> Columns | None:
    """The columns of fields that begin about there; None where no lock shows behind them."""
    before = start - pitch
    if before > -0.1 * pitch:
        low, high = (max(0, round(before + share * pitch)) for share in (0.2, 0.8))
        if float(profile[low:high].mean()) < _LIGHT:
            start = before  # the lock was taken for the last number
    first, last = _inner_edges(profile, start, pitch)
    lock = _lock(profile, start + NUMBERS * pitch, pitch)
    if lock is None:
        return None
    return Columns(
        (start + first) / _SCALE, pitch / _SCALE, (last - first) / _SCALE, (lock[0] / _SCALE, lock[1] / _SCALE), score
    )


def _inner_edges(profile: NDArray[np.float64], start: float, pitch: float) -> tuple[float, float]:
    """Where a field begins and ends inside its pitch, px."""
    steps = np.arange(0, pitch, 0.25)
    places = np.arange(len(profile))
    folded = np.mean([np.interp(start + k * pitch + steps, places, profile) for k in range(NUMBERS)], axis=0)
    middle = float(np.median(folded))
    level = (middle + max(float(folded[:4].mean()), float(folded[-4:].mean()), middle + 0.1)) / 2
    half = len(steps) // 2
    left = next((k for k in range(half) if folded[k] < level), 0)
    right = next((k for k in range(len(steps) - 1, half, -1) if folded[k] < level), len(steps) - 1)
    return float(steps[left]), float(steps[right])


def _lock(profile: NDArray[np.float64], after: float, pitch: float) -> tuple[float, float] | None:
    """Start and end of the lock to the right of the numbers, px; its picture may have the band's colour."""
    first = int(after)
    light = np.flatnonzero(profile[first : len(profile) - round(0.2 * pitch)] < 0.6) + first
    if not len(light):
        return None
    runs = np.split(light, np.flatnonzero(np.diff(light) > 0.3 * pitch) + 1)
    for run in runs:
        if 0.45 * pitch <= run[-1] + 1 - run[0] <= 1.6 * pitch:
            return float(run[0]), float(run[-1] + 1)
    return None


def _rows_of(bandness: NDArray[np.float32], columns: Columns) -> tuple[float, float]:
    """Top and bottom of the number fields inside a band, mm from its top."""
    inner = [
        bandness[:, round((columns.start + k * columns.pitch + 0.2 * columns.width) * _SCALE) :
                 round((columns.start + k * columns.pitch + 0.8 * columns.width) * _SCALE)].mean(1)
        for k in range(NUMBERS)
    ]
    profile = np.median(inner, axis=0)
    half = len(profile) // 2
    level = (float(np.median(profile)) + 1) / 2
    top = next((k for k in range(half, -1, -1) if profile[k] > level and profile[max(k - 1, 0)] > level), 0)
    bottom = next(
        (k for k in range(half, len(profile)) if profile[k] > level and profile[min(k + 1, len(profile) - 1)] > level),
        len(profile),
    )
    return (top + 1) / _SCALE, bottom / _SCALE


def _fields_of(row: str, band: Rect, columns: Columns, rows: tuple[float, float]) -> list[SheetField]:
    x, y, _, _ = band
    numbers = range(2, 13) if row in ROWS[:2] else range(12, 1, -1)
    top, bottom = rows
    fields = [
        SheetField(row, number, (x + columns.start + k * columns.pitch, y + top, columns.width, bottom - top))
        for k, number in enumerate(numbers)
    ]
    left, right = columns.lock
    side = right - left
    middle = y + (top + bottom) / 2
    return [*fields, SheetField(row, LOCK, (x + left, middle - side / 2, side, side))]
