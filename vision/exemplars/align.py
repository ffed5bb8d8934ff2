"""Lays one print over another: first any turn at once, then an affine fit that a hidden part does not disturb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.exemplars.prints import ANGLES, CENTRE, DISC, RADIUS_PX, RING_WEIGHTS, RINGS, SIDE_PX, Print

SHIFTS_PX = ((0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (0.0, -2.0))
"""How far the centre of a tile may be off; the fit does the rest."""

LEAST_PIXELS = 50
_STEPS = (5, 4)
_SOFT = (0.4, 0.35)
_STIFF = np.array([0.05, 1.0, 1.0, 0.05, 1.0, 1.0])
_Y, _X = np.mgrid[0:SIDE_PX, 0:SIDE_PX].astype(np.float32)

Floats = NDArray[np.float64]


def _lattice(step: int) -> NDArray[np.bool_]:
    grid = np.zeros((SIDE_PX, SIDE_PX), np.bool_)
    grid[::step, ::step] = True
    return grid & DISC


_SAMPLES = (_lattice(4), _lattice(3))


@dataclass(frozen=True, slots=True)
class Turns:
    """For Q prints against E: ``distance`` (Q, E) in the best turn, that turn, and the shift, as indices."""

    distance: Floats
    turn: NDArray[np.int64]
    shift: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Spectra:
    """Prints as they are compared in every turn at once; made once for exemplars."""

    energy: Floats
    waves: NDArray[np.complex64]


def spectra(prints: Sequence[Print]) -> Spectra:
    """The exemplars' side of :func:`best_turns`."""
    rings = np.stack([p.rings() for p in prints])
    waves = np.fft.rfft(rings, axis=2).transpose(2, 1, 3, 0).reshape(ANGLES // 2 + 1, RINGS * 3, len(prints))
    return Spectra(_energy(rings), waves.conj().astype(np.complex64))


def best_turns(queries: Sequence[Print], exemplars: Spectra) -> Turns:
    """Compare every query with every exemplar in all turns and a few shifts."""
    shape = len(queries), len(exemplars.energy)
    best, turn, shift = np.full(shape, np.inf), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for k, moved in enumerate(SHIFTS_PX):
        rings = np.stack([q.rings(moved) for q in queries])
        waves = np.fft.rfft(rings * RING_WEIGHTS[None, :, None, None], axis=2).transpose(2, 0, 1, 3)
        flat = waves.reshape(ANGLES // 2 + 1, len(queries), RINGS * 3).astype(np.complex64)
        alike = np.fft.irfft(flat @ exemplars.waves, n=ANGLES, axis=0) / ANGLES
        found = _energy(rings)[:, None] + exemplars.energy[None] - 2 * alike.max(axis=0)
        better = found < best
        best[better], turn[better], shift[better] = found[better], alike.argmax(axis=0)[better], k
    return Turns(best, turn, shift)


def _energy(rings: NDArray[np.float32]) -> Floats:
    return np.asarray((RING_WEIGHTS[None, :, None, None] * rings**2).sum(axis=(1, 2, 3)) / ANGLES, np.float64)


def fitted(query: Print, exemplar: Print, turn: int, shift: int) -> Floats | None:
    """The affine map (2, 3) from the query's pixels to the exemplar's, None where too little is to be seen.

    Gauss-Newton on lightness, blurred first, with weights that let hidden and shaded parts count little.
    """
    angle = -turn * 2 * np.pi / ANGLES
    cos, sin = np.cos(angle), np.sin(angle)
    turned, middle = np.array([[cos, -sin], [sin, cos]]), np.array([CENTRE, CENTRE])
    matrix = np.column_stack([turned, middle - turned @ (middle + SHIFTS_PX[shift])])
    for samples, seen, kept, steps, soft in zip(
        _SAMPLES, query.levels, exemplar.levels, _STEPS, _SOFT, strict=True
    ):
        here = samples & query.visible
        x, y, wanted = _X[here].astype(np.float64), _Y[here].astype(np.float64), seen[:, :, 0][here]
        base = np.column_stack([np.ones_like(x), (x - CENTRE) / RADIUS_PX, (y - CENTRE) / RADIUS_PX])
        for _ in range(steps):
            step = _step(matrix, base, (x, y), wanted, kept, soft)
            if step is None:
                return None
            matrix = matrix + step
            if np.abs(step[:, 2]).max() < 0.1 and np.abs(step[:, :2]).max() < 0.003:
                break
    return matrix


def _step(
    matrix: Floats, base: Floats, at: tuple[Floats, Floats], wanted: NDArray[np.float32], kept: NDArray[np.float32],
    soft: float,
) -> Floats | None:
    to_x, to_y = (row[0] * at[0] + row[1] * at[1] + row[2] for row in matrix)
    seen = cv2.remap(kept, to_x.astype(np.float32), to_y.astype(np.float32), cv2.INTER_LINEAR).reshape(-1, 4)
    visible = seen[:, 3] > 0.9
    if visible.sum() < LEAST_PIXELS:
        return None
    off = seen[:, 0] - wanted
    weight = visible / (1 + (off / soft) ** 2)
    slopes = np.concatenate([base * seen[:, 1:2], base * seen[:, 2:3]], axis=1)
    weighted = slopes * weight[:, None]
    normal = weighted.T @ slopes
    normal += np.diag(2e-2 * np.trace(normal) / 6 * _STIFF + 1e-6)
    move = np.clip(-np.linalg.solve(normal, weighted.T @ off), -2, 2).reshape(2, 3)
    tilt = move[:, 1:] / RADIUS_PX
    return np.asarray(np.column_stack([tilt, move[:, 0] - tilt.sum(axis=1) * CENTRE]), np.float64)


def laid_over(exemplar: Print, matrix: Floats) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The exemplar's detail as the query would show it, and where it is visible."""
    layers = np.dstack([exemplar.detail, exemplar.visible.astype(np.float32)])
    out = cv2.warpAffine(layers, matrix, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(out[:, :, :3], np.float32), out[:, :, 3] > 0.9
