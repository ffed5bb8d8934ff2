"""Fitting a 5 x 5 lattice to spots: three neighbours span it, then it grows hole by hole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.flick.blobs import Spots
from vision.flick.lattice import SIDE, Lattice, every_cell

Floats = NDArray[np.float64]
_NEIGHBOURS = 8
_TRIED = 40
_NEAR = 0.2
_REACH = SIDE - 1
_ROUNDS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A lattice and what speaks for it: ``matched`` (25,) weight of the spot at each hole, 0 where there is none."""

    lattice: Lattice
    matched: Floats
    rms: float

    @property
    def score(self) -> float:
        """Sum of the weights, less for a poor fit."""
        return float(self.matched.sum() - 20.0 * self.rms)


def fit_lattice(spots: Spots) -> Fit | None:
    """The best lattice through the spots, counted upright; None where nothing looks like one."""
    best: Fit | None = None
    for origin, along, across in _seeds(spots):
        fit = _grown(spots, origin, along, across)
        if fit and (best is None or fit.score > best.score):
            best = fit
            if best.matched.astype(bool).sum() >= 24:
                break
    return best


def _seeds(spots: Spots) -> list[tuple[Floats, Floats, Floats]]:
    """Spots with two neighbours that span a grid: origin and the two steps, the best supported first."""
    points, size = spots.centre_px, spots.size_px
    if len(points) < 6:
        return []
    way = points[None] - points[:, None]
    far = np.hypot(way[..., 0], way[..., 1])
    np.fill_diagonal(far, np.inf)
    alike = np.abs(np.log(size[None] / size[:, None])) < 0.6
    close = (far > 0.85 * size[:, None]) & (far < 3.0 * size[:, None]) & alike
    origins, first, second = [], [], []
    for i in range(len(points)):
        near = np.flatnonzero(close[i])
        near = near[np.argsort(far[i, near])][:_NEIGHBOURS]
        for a in range(len(near)):
            for b in range(a + 1, len(near)):
                origins.append(i)
                first.append(near[a])
                second.append(near[b])
    if not origins:
        return []
    o, u, v = points[origins], way[origins, first], way[origins, second]
    lu, lv = np.hypot(u[:, 0], u[:, 1]), np.hypot(v[:, 0], v[:, 1])
    sine = np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / (lu * lv)
    good = (sine > 0.6) & (np.maximum(lu, lv) < 1.8 * np.minimum(lu, lv))
    o, u, v, reach = o[good], u[good], v[good], np.minimum(lu, lv)[good]
    support = np.zeros(len(o))
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            spot = o + a * u + b * v
            gap = np.hypot(spot[:, None, 0] - points[None, :, 0], spot[:, None, 1] - points[None, :, 1])
            near = gap.argmin(1)
            support += np.where(gap[np.arange(len(o)), near] < _NEAR * reach, spots.weight[near], 0.0)
    order = np.argsort(-support, kind="stable")
    order = order[support[order] >= 2.2][:_TRIED]
    return [(o[k], u[k], v[k]) for k in order]


def _grown(spots: Spots, origin: Floats, along: Floats, across: Floats) -> Fit | None:
    """Match, fit, predict further out, until nothing new is found; then the best 5 x 5 window."""
    matrix = np.column_stack([along, across, origin])
    lattice = Lattice(np.vstack([matrix, [0.0, 0.0, 1.0]]))
    span = np.arange(-_REACH, _REACH + 1)
    cells = np.array([(x, y) for y in span for x in span], np.float64)
    reach, matched = 1.5, np.full(len(cells), -1)
    for _ in range(_ROUNDS):
        inside = np.abs(cells).max(1) <= reach
        now = np.where(inside, _matches(spots, lattice, cells), -1)
        hit = now >= 0
        if hit.sum() < 5:
            return None
        if reach > _REACH and (now == matched).all():
            break
        matched, reach = now, reach + 1
        refined = _refined(cells[hit], spots, now[hit], homography=reach > 3 and hit.sum() >= 9)
        if refined is None:
            return None
        lattice = refined
    return _window(spots, lattice, cells, matched)


def _matches(spots: Spots, lattice: Lattice, cells: Floats) -> NDArray[np.int64]:
    """The spot at each cell, -1 for none."""
    seen = lattice.to_px(cells)
    right, down = lattice.to_px(cells + [0.5, 0]), lattice.to_px(cells + [0, 0.5])
    pitch = 2 * np.minimum(np.hypot(*(right - seen).T), np.hypot(*(down - seen).T))
    gap = np.hypot(
        seen[:, None, 0] - spots.centre_px[None, :, 0], seen[:, None, 1] - spots.centre_px[None, :, 1]
    )
    nearest = gap.argmin(1)
    size = spots.size_px[nearest]
    fits = (gap[np.arange(len(cells)), nearest] < _NEAR * pitch) & (size < 1.25 * pitch) & (size > 0.3 * pitch)
    return np.where(fits & (pitch > 4) & (pitch < 1e4), nearest, -1)


def _refined(cells: Floats, spots: Spots, index: NDArray[np.int64], homography: bool) -> Lattice | None:
    points = spots.centre_px[index]
    if np.linalg.matrix_rank(cells - cells.mean(0)) < 2:
        return None
    if not homography:
        design = np.column_stack([cells, np.ones(len(cells))])
        affine, *_ = np.linalg.lstsq(design, points, rcond=None)
        return Lattice(np.vstack([affine.T, [0.0, 0.0, 1.0]]))
    slack = 0.12 * float(np.median(spots.size_px[index])) + 1.0
    matrix: Any = cv2.findHomography(cells, points, cv2.RANSAC, slack)[0]
    if matrix is None or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-9:
        return None
    return Lattice(np.asarray(matrix, np.float64))


def _window(spots: Spots, lattice: Lattice, cells: Floats, matched: NDArray[np.int64]) -> Fit | None:
    """The 5 x 5 window with the most weight."""
    weight = np.where(matched >= 0, spots.weight[matched], 0.0)
    table = np.zeros((2 * _REACH + 1, 2 * _REACH + 1))
    table[(cells[:, 1] + _REACH).astype(int), (cells[:, 0] + _REACH).astype(int)] = weight
    last = 2 * _REACH + 2 - SIDE
    sums = np.array([[table[y : y + SIDE, x : x + SIDE].sum() for x in range(last)] for y in range(last)])
    y, x = np.unravel_index(int(sums.argmax()), sums.shape)
    shift = np.array([[1.0, 0.0, x - _REACH], [0.0, 1.0, y - _REACH], [0.0, 0.0, 1.0]])
    first = np.array([x - _REACH, y - _REACH])
    used = (cells >= first).all(1) & (cells <= first + SIDE - 1).all(1) & (matched >= 0)
    if used.sum() < 8:
        return None
    gap = lattice.to_px(cells[used]) - spots.centre_px[matched[used]]
    upright = Lattice(lattice.matrix @ shift).upright()
    pitch = upright.pitch_px((2.0, 2.0))
    rms = float(np.sqrt((gap**2).sum(1).mean())) / max(pitch, 1e-6)
    return Fit(upright, _at_holes(spots, upright), rms)


def _at_holes(spots: Spots, lattice: Lattice) -> Floats:
    index = _matches(spots, lattice, every_cell())
    return np.asarray(np.where(index >= 0, spots.weight[index], 0.0))
