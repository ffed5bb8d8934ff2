"""Sheets without markers: found by their four coloured bands, red, yellow, green, blue from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.sheets.layout import ROWS

WORK_PX = 960
"""The longer side of the picture in which bands are looked for."""

HUES_DEG = {"red": (-35.0, 62.0), "yellow": (58.0, 112.0), "green": (110.0, 200.0), "blue": (215.0, 325.0)}
"""Hue in CIELAB of each band, generously: the lamp's colour shifts all of them."""

BALANCES = (0.5, 1.0, 0.0)
"""How far the lamp's colour is evened out; the next where no sheet shows with the one before."""

LEAST_CHROMA, PALE = 16.0, 0.5
"""Less colour than this is none; in dim or coloured light, where no sheet shows, this share of it is some."""

_LEAST_LENGTH_PX = 120.0
_LEAST_ASPECT = 3.2
_LEAST_FILL = 0.62
_LEAST_SEEN = 0.12
_MOSTLY = 0.85
_AROUND = 0.22
_GAP = 1.2
"""A band that is looked for between others: its least share of seen pixels, from which share of its length on it lies
where it is seen and not where the others say, how far beyond it may reach; the widest gap in a band; the last two in
thicknesses of a band."""

_UNEVEN = 1.8
"""The thickest band of a sheet seen in perspective against the thinnest."""

_ENDS = 0.012
"""Ends of bands lie on one line up to this share of a band's length."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A long coloured blob: ``centre`` (2,), ``along`` (2,) unit vector, ``length``, ``thick``, ``hull`` (N, 2), px;
    ``whole``: it was found by itself, not by where the others lie."""

    centre: Points
    along: Points
    length: float
    thick: float
    hull: Points
    whole: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """Four bands of one sheet: ``quads_px`` (4, 4, 2), each clockwise from the sheet's top left, in picture pixels;
    ``cut``: whether one of them runs out of the picture."""

    quads_px: Points
    cut: bool


def find_bands(image_bgr: Image) -> list[Bands]:
    """Every set of four bands that make a sheet, the largest first."""
    height, width = image_bgr.shape[:2]
    shrink = min(1.0, WORK_PX / max(height, width))
    small = cv2.resize(image_bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else image_bgr
    chosen: list[tuple[Band, ...]] = []
    for share, balance in product((1.0, PALE), BALANCES):
        masks = colour_masks(np.asarray(small, np.uint8), balance, share)
        blobs = [_blobs(mask) for mask in masks]
        chosen = _chosen(product(*blobs)) or _chosen(_completed(blobs, masks))
        if chosen:
            break
    chosen.sort(key=lambda four: -sum(band.length for band in four))
    return [_bands(four, shrink, small.shape[1::-1]) for four in chosen]


def _chosen(sets: Iterable[tuple[Band, ...]]) -> list[tuple[Band, ...]]:
    """The sets that look like the bands of a sheet, the best of those that lie on each other."""
    rated = sorted(((_badness(four), four) for four in sets), key=lambda pair: pair[0])
    chosen: list[tuple[Band, ...]] = []
    for badness, four in rated:
        if badness < 1 and not any(_on(one, other) for kept in chosen for one in kept for other in four):
            chosen.append(four)
    return chosen


def _on(one: Band, other: Band) -> bool:
    return float(np.linalg.norm(one.centre - other.centre)) < 0.8 * max(one.thick, other.thick)


def _completed(blobs: list[list[Band]], masks: list[NDArray[np.uint8]]) -> Iterator[tuple[Band, ...]]:
    """Sets of which two bands are seen well and the others, cut or joined to something else, are where they should."""
    for first, second in combinations(range(len(ROWS)), 2):
        for one, other in product(blobs[first], blobs[second]):
            if max(one.length, other.length) > 1.4 * min(one.length, other.length):
                continue
            down = other.centre - one.centre
            right = np.array([down[1], -down[0]])
            quads = _quad(one, right), _quad(other, right)
            bands: list[Band | None] = []
            for k in range(len(ROWS)):
                share = (k - first) / (second - first)
                known = one if k == first else other if k == second else None
                bands.append(known or _inside(masks[k], quads[0] + share * (quads[1] - quads[0])))
            if all(bands):
                yield tuple(band for band in bands if band is not None)


def _inside(mask: NDArray[np.uint8], quad: Points) -> Band | None:
    """The band that a mask shows in and around a quad (4, 2); None where little of it is seen."""
    down = (quad[3] + quad[2] - quad[0] - quad[1]) / 2
    wide = quad + np.array([-_AROUND, -_AROUND, _AROUND, _AROUND])[:, None] * down
    region = np.zeros_like(mask)
    cv2.fillConvexPoly(region, np.round(wide).astype(np.int32), 255)
    seen = cv2.bitwise_and(mask, region)
    area = cv2.contourArea(quad.astype(np.float32))
    contours = cv2.findContours(seen, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    parts = [c for c in contours if len(c) > 8]
    if not parts or cv2.countNonZero(seen) < _LEAST_SEEN * area:
        return None
    band, expected = _around(np.concatenate(parts)[:, 0], whole=False), _around(quad, whole=False)
    return band if band.length > _MOSTLY * expected.length else expected


def colour_masks(image_bgr: Image, balance: float = BALANCES[0], share: float = 1.0) -> list[NDArray[np.uint8]]:
    """Where each band's colour is, (H, W) 0 or 255, after evening out the lamp's colour on what is white.

    ``share``: of the colour that is else needed.
    """
    lab = cv2.cvtColor(_balanced(image_bgr, balance), cv2.COLOR_BGR2LAB).astype(np.float32)
    a, b = lab[..., 1] - 128, lab[..., 2] - 128
    chroma = np.hypot(a, b)
    hue = np.degrees(np.arctan2(b, a))
    strong = chroma > share * np.maximum(LEAST_CHROMA, 0.16 * lab[..., 0])
    out = []
    for row in ROWS:
        low, high = HUES_DEG[row]
        inside = (hue - low) % 360 <= high - low
        mask = (strong & inside).astype(np.uint8) * 255
        out.append(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8))
    return out


def _balanced(image_bgr: Image, balance: float) -> Image:
    """The picture with its brightest parts made grey, ``balance`` of the way: paper is what is brightest on most
    tables."""
    bright = np.percentile(image_bgr.reshape(-1, 3), 97, axis=0) + 1.0
    gain = (bright.mean() / bright) ** balance
    return np.asarray(np.clip(image_bgr * gain, 0, 255), np.uint8)


def _blobs(mask: NDArray[np.uint8]) -> list[Band]:
    """Long blobs of a mask. Numbers and crosses cut bands to pieces: closing joins them again."""
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    contours = cv2.findContours(joined, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)[0]
    found = []
    for contour in contours:
        if len(contour) < 2 * _LEAST_LENGTH_PX * 0.8:
            continue
        band = _around(contour[:, 0], whole=True)
        w, h = band.length, band.thick
        long_enough = w >= _LEAST_LENGTH_PX and w >= _LEAST_ASPECT * max(h, 1) and h >= 7
        if long_enough and cv2.contourArea(band.hull.astype(np.float32)) > _LEAST_FILL * w * h:
            found.append(band)
    return sorted(_joined(found), key=lambda band: -band.length)[:6]


def _joined(found: list[Band]) -> list[Band]:
    """Blobs that go on behind a gap, such as a pen, become one."""
    left, out = sorted(found, key=lambda band: -band.length), []
    while left:
        band = left.pop(0)
        for other in [one for one in left if _goes_on(band, one)]:
            left.remove(other)
            band = _around(np.concatenate([band.hull, other.hull]), whole=True)
        out.append(band)
    return out


def _goes_on(band: Band, other: Band) -> bool:
    way = other.centre - band.centre
    across = abs(float(way @ np.array([-band.along[1], band.along[0]])))
    gap = abs(float(way @ band.along)) - (band.length + other.length) / 2
    thick = (band.thick + other.thick) / 2
    return bool(
        abs(float(band.along @ other.along)) > 0.99 and across < 0.35 * thick and -thick < gap < _GAP * thick
        and max(band.thick, other.thick) < 1.4 * min(band.thick, other.thick)
    )


def _around(outline: NDArray[Any], whole: bool) -> Band:
    """The band that these points (N, 2) belong to."""
    points = np.asarray(outline, np.float32)
    (x, y), (w, h), turn = cv2.minAreaRect(points)
    if w < h:
        w, h, turn = h, w, turn + 90
    way = np.radians(turn)
    hull = cv2.convexHull(points)[:, 0].astype(np.float64)
    return Band(np.array([x, y]), np.array([np.cos(way), np.sin(way)]), float(w), float(h), hull, whole)


def _badness(four: tuple[Band, ...]) -> float:
    """How little four blobs look like the bands of one sheet; below 1 they do."""
    down = four[3].centre - four[0].centre
    far = float(np.linalg.norm(down))
    if far < 20:
        return 9.0
    right = np.array([down[1], -down[0]]) / far
    along = [band.along if band.along @ right > 0 else -band.along for band in four]
    mean = np.sum(along, 0)
    mean /= np.linalg.norm(mean)
    tilt = max(float(np.degrees(np.arccos(np.clip(one @ mean, -1, 1)))) for one in along)
    across = np.array([-mean[1], mean[0]])
    places = [float((band.centre - four[0].centre) @ across) for band in four]
    steps = np.diff(places)
    if (steps <= 0).any():
        return 9.0
    thicks = np.array([band.thick for band in four])
    thick = thicks.mean()
    lengths = np.array([band.length for band in four])
    shifts = [float((band.centre - four[0].centre) @ mean) for band in four]
    line = np.abs(np.diff(shifts, 2)).max()
    return float(max(
        tilt / 14, float(thicks.max() / thicks.min()) / _UNEVEN, float(steps.max() / steps.min()) / 1.9,
        float(lengths.max() / lengths.min()) / 1.7, float(steps.mean() / thick) / 2.2,
        float(0.75 * thick / steps.mean()), float(line) / (0.12 * lengths.mean()),
    ))


def _bands(four: tuple[Band, ...], shrink: float, size_wh: tuple[int, int]) -> Bands:
    down = four[3].centre - four[0].centre
    right = np.array([down[1], -down[0]])
    quads = np.array([_quad(band, right) for band in four])
    low = min(float(band.hull.min()) for band in four)
    high = max(float((band.hull - size_wh).max()) for band in four)
    votes = np.array([2.0 if band.whole else 1.0 for band in four])
    return Bands((_even_ends(quads, votes) + 0.5) / shrink - 0.5, low < 2 or high > -3)


def _even_ends(quads: Points, votes: Points) -> Points:
    """The bands (4, 4, 2) with ends that lie on one line on each side: what hides an end makes a band shorter.

    ``votes`` (4,): how much each band's ends count.
    """
    out = quads.copy()
    length = float(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1).max())
    for sides in (((0, 1), (3, 2)), ((1, 0), (2, 3))):
        (upper, upper_start), (lower, lower_start) = sides
        ends = (quads[:, upper] + quads[:, lower]) / 2
        starts = (quads[:, upper_start] + quads[:, lower_start]) / 2
        point, normal, near = _end_line(ends, votes, (ends - starts).mean(0) / length, _ENDS * length)
        for k in np.flatnonzero(~near):
            for corner, start in sides:
                out[k, corner] = _onto(quads[k, corner], quads[k, start], point, normal)
    return out


def _end_line(
    ends: Points, votes: Points, outwards: Points, slack: float
) -> tuple[Points, Points, NDArray[np.bool_]]:
    """The line on which most of the ends (4, 2) lie, of equal ones the outermost: a point, its normal, which do."""
    lines = []
    for a, b in combinations(range(len(ends)), 2):
        way = (ends[b] - ends[a]) / max(float(np.linalg.norm(ends[b] - ends[a])), 1e-6)
        normal = np.array([-way[1], way[0]])
        near = np.abs((ends - ends[a]) @ normal) < slack
        lines.append((float(votes[near].sum()), float(ends[near].mean(0) @ outwards), ends[a], normal, near))
    best = max(lines, key=lambda line: line[:2])
    return best[2], best[3], best[4]


def _onto(end: Points, start: Points, point: Points, normal: Points) -> Points:
    """Where the line from ``start`` to ``end`` meets the line through ``point``."""
    way = end - start
    slope = float(way @ normal)
    return start + way * (float((point - start) @ normal) / slope) if abs(slope) > 1e-6 else end


def _quad(band: Band, right: Points) -> Points:
    """The corners (4, 2) of a band from lines through its edges, clockwise from the top left of the sheet."""
    along = band.along if band.along @ right > 0 else -band.along
    across = np.array([-along[1], along[0]])
    local = np.stack([(band.hull - band.centre) @ along, (band.hull - band.centre) @ across], 1)
    dense = _dense(local)
    half = band.length / 2
    inner = dense[np.abs(dense[:, 0]) < 0.88 * half]
    top, bottom = (_line(inner[inner[:, 1] < 0], 0), _line(inner[inner[:, 1] > 0], 0))
    middle = dense[np.abs(dense[:, 1]) < 0.3 * band.thick]
    left, end = _line(middle[middle[:, 0] < 0], 1), _line(middle[middle[:, 0] > 0], 1)
    corners = [_cross(top, left), _cross(top, end), _cross(bottom, end), _cross(bottom, left)]
    return np.array([band.centre + x * along + y * across for x, y in corners])


def _dense(polygon: Points) -> Points:
    """Points along a closed outline, about one a pixel."""
    parts = []
    for start, end in zip(polygon, np.roll(polygon, -1, 0), strict=True):
        count = max(1, round(float(np.linalg.norm(end - start))))
        parts.append(start + np.linspace(0, 1, count, endpoint=False)[:, None] * (end - start))
    return np.concatenate(parts)


def _line(points: Points, free: int) -> tuple[int, float, float]:
    """The line through points (N, 2): the other coordinate as slope * coordinate ``free`` + start, outliers ignored."""
    at, value = points[:, free], points[:, 1 - free]
    slope, start = 0.0, float(np.median(value)) if len(value) else 0.0
    weight = np.ones_like(at)
    for _ in range(4):
        if len(at) < 3 or np.ptp(at) < 2:
            break
        slope, start = (float(v) for v in np.polyfit(at, value, 1, w=np.sqrt(weight)))
        weight = 1 / (1 + (value - slope * at - start) ** 2)
    return free, slope, start


def _cross(level: tuple[int, float, float], upright: tuple[int, float, float]) -> tuple[float, float]:
    """Where y = a x + b and x = c y + d meet."""
    _, a, b = level
    _, c, d = upright
    x = (c * b + d) / (1 - a * c)
    return x, a * x + b
