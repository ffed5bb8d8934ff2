"""Sheets without markers: found by their four coloured bands, red, yellow, green, blue from top to bottom."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.sheets.layout import ROWS

WORK_PX = 960
"""The longer side of the picture in which bands are looked for."""

HUES_DEG = {"red": (-35.0, 62.0), "yellow": (58.0, 112.0), "green": (110.0, 200.0), "blue": (215.0, 325.0)}
"""Hue in CIELAB of each band, generously: the lamp's colour shifts all of them."""

LEAST_CHROMA = 16.0
_LEAST_LENGTH_PX = 120.0
_LEAST_ASPECT = 3.2
_LEAST_FILL = 0.62


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A long coloured blob: ``centre`` (2,), ``along`` (2,) unit vector, ``length``, ``thick``, ``hull`` (N, 2), px."""

    centre: Points
    along: Points
    length: float
    thick: float
    hull: Points


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
    masks = colour_masks(np.asarray(small, np.uint8))
    blobs = [_blobs(mask) for mask in masks]
    sets = sorted(((_badness(four), four) for four in product(*blobs)), key=lambda pair: pair[0])
    chosen: list[tuple[Band, ...]] = []
    for badness, four in sets:
        if badness < 1 and not any(one is other for kept in chosen for one in kept for other in four):
            chosen.append(four)
    chosen.sort(key=lambda four: -sum(band.length for band in four))
    return [_bands(four, masks, shrink, small.shape[1::-1]) for four in chosen]


def colour_masks(image_bgr: Image) -> list[NDArray[np.uint8]]:
    """Where each band's colour is, (H, W) 0 or 255, after evening out the lamp's colour on what is white."""
    lab = cv2.cvtColor(_balanced(image_bgr), cv2.COLOR_BGR2LAB).astype(np.float32)
    a, b = lab[..., 1] - 128, lab[..., 2] - 128
    chroma = np.hypot(a, b)
    hue = np.degrees(np.arctan2(b, a))
    strong = chroma > np.maximum(LEAST_CHROMA, 0.16 * lab[..., 0])
    out = []
    for row in ROWS:
        low, high = HUES_DEG[row]
        inside = (hue - low) % 360 <= high - low
        mask = (strong & inside).astype(np.uint8) * 255
        out.append(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8))
    return out


def _balanced(image_bgr: Image) -> Image:
    """The picture with its brightest parts made grey, half way: paper is what is brightest on most tables."""
    bright = np.percentile(image_bgr.reshape(-1, 3), 97, axis=0) + 1.0
    gain = np.sqrt(bright.mean() / bright)
    return np.asarray(np.clip(image_bgr * gain, 0, 255), np.uint8)


def _blobs(mask: NDArray[np.uint8]) -> list[Band]:
    """Long blobs of a mask. Numbers and crosses cut bands to pieces: closing joins them again."""
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    contours = cv2.findContours(joined, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)[0]
    found = []
    for contour in contours:
        if len(contour) < 2 * _LEAST_LENGTH_PX * 0.8:
            continue
        hull = cv2.convexHull(contour)[:, 0].astype(np.float64)
        (x, y), (w, h), turn = cv2.minAreaRect(contour)
        if w < h:
            w, h, turn = h, w, turn + 90
        long_enough = w >= _LEAST_LENGTH_PX and w >= _LEAST_ASPECT * max(h, 1) and h >= 7
        if long_enough and cv2.contourArea(contour) > _LEAST_FILL * w * h:
            way = np.radians(turn)
            along = np.array([np.cos(way), np.sin(way)])
            found.append(Band(np.array([x, y]), along, float(w), float(h), hull))
    return sorted(found, key=lambda band: -band.length)[:6]


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
    thick = np.mean([band.thick for band in four])
    lengths = np.array([band.length for band in four])
    shifts = [float((band.centre - four[0].centre) @ mean) for band in four]
    line = np.abs(np.diff(shifts, 2)).max()
    return float(max(
        tilt / 14, float(steps.max() / steps.min()) / 1.9, float(lengths.max() / lengths.min()) / 1.7,
        float(steps.mean() / thick) / 2.2, float(0.75 * thick / steps.mean()), float(line) / (0.12 * lengths.mean()),
    ))


def _bands(
    four: tuple[Band, ...], masks: list[NDArray[np.uint8]], shrink: float, size_wh: tuple[int, int]
) -> Bands:
    down = four[3].centre - four[0].centre
    right = np.array([down[1], -down[0]])
    quads = [_quad(band, right) for band in four]
    low = min(float(band.hull.min()) for band in four)
    high = max(float((band.hull - size_wh).max()) for band in four)
    return Bands((np.array(quads) + 0.5) / shrink - 0.5, low < 2 or high > -3)


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
