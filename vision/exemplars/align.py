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


def fitted(query: Print, exemplars: Sequence[Print], turns: Sequence[int], shifts: Sequence[int]) -> Floats:
    """The affine maps (K, 2, 3) from the query's pixels to those of K exemplars, each from its turn and shift.

    Gauss-Newton on lightness, blurred first, with weights that let hidden and shaded parts count little.
    """
    maps = np.stack([_turned(turn, shift) for turn, shift in zip(turns, shifts, strict=True)])
    for level, (samples, steps, soft) in enumerate(zip(_SAMPLES, _STEPS, _SOFT, strict=True)):
        here = samples & query.visible
        if here.sum() < LEAST_PIXELS:
            return maps
        at = np.stack([_X[here], _Y[here]]).astype(np.float64)
        wanted = query.levels[level][:, :, 0][here]
        base = np.column_stack([np.ones(len(wanted)), ((at - CENTRE) / RADIUS_PX).T])
        atlas = np.concatenate([exemplar.levels[level] for exemplar in exemplars])
        for _ in range(steps):
            step = _steps(maps, base, at, wanted, atlas, soft)
            maps = maps + step
            if np.abs(step[:, :, 2]).max() < 0.1:
                break
    return maps


def _turned(turn: int, shift: int) -> Floats:
    angle = -turn * 2 * np.pi / ANGLES
    cos, sin = np.cos(angle), np.sin(angle)
    turned, middle = np.array([[cos, -sin], [sin, cos]]), np.array([CENTRE, CENTRE])
    return np.column_stack([turned, middle - turned @ (middle + SHIFTS_PX[shift])])


def sampled(maps: Floats, at: Floats, atlas: NDArray[np.float32]) -> NDArray[np.float32]:
    """What K pictures, one below the other in ``atlas`` (K * SIDE_PX, SIDE_PX, 4), show where their maps take the
    pixels ``at`` (2, N): (K, N, 4). The last channel, visibility, is 0 outside a picture."""
    to = np.einsum("kij,jn->kin", maps[:, :, :2], at) + maps[:, :, 2:]
    outside = ((to < 0.5) | (to > SIDE_PX - 1.5)).any(axis=1)
    below = SIDE_PX * np.arange(len(maps))[:, None]
    x, y = to[:, 0].astype(np.float32), (to[:, 1].clip(0, SIDE_PX - 1) + below).astype(np.float32)
    seen = np.asarray(cv2.remap(atlas, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
    seen[:, :, 3][outside] = 0.0
    return seen


def _steps(
    maps: Floats, base: Floats, at: Floats, wanted: NDArray[np.float32], atlas: NDArray[np.float32], soft: float
) -> Floats:
    seen = sampled(maps, at, atlas)
    off = seen[:, :, 0] - wanted
    weight = (seen[:, :, 3] > 0.9) / (1 + (off / soft) ** 2)
    slopes = np.concatenate([base * seen[:, :, 1:2], base * seen[:, :, 2:3]], axis=2)
    weighted = (slopes * weight[:, :, None]).transpose(0, 2, 1)
    normal = weighted @ slopes
    scale = np.trace(normal, axis1=1, axis2=2) / 6
    normal += 2e-2 * scale[:, None, None] * np.diag(_STIFF) + 1e-6 * np.eye(6)
    move = np.clip(-np.linalg.solve(normal, weighted @ off[:, :, None])[:, :, 0], -2, 2).reshape(-1, 2, 3)
    tilt = move[:, :, 1:] / RADIUS_PX
    return np.asarray(np.dstack([tilt, move[:, :, :1] - CENTRE * tilt.sum(axis=2, keepdims=True)]), np.float64)
