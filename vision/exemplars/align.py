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

WAYS, APART = 2, 7
"""So many turns of a print are followed up, so many steps apart: strokes and bars look alike in several."""

LEAST_PIXELS = 50
_STEPS = (5, 4)
_SOFT = (0.4, 0.35)
_TILT_COST, _SHIFT_COST = 0.01, 0.0025
_BLURRED_NOISE = 0.1
_Y, _X = np.mgrid[0:SIDE_PX, 0:SIDE_PX].astype(np.float32)

Floats = NDArray[np.float64]


def _lattice(step: int) -> NDArray[np.bool_]:
    grid = np.zeros((SIDE_PX, SIDE_PX), np.bool_)
    grid[::step, ::step] = True
    return grid & DISC


_SAMPLES = (_lattice(4), _lattice(3))


@dataclass(frozen=True, slots=True)
class Turns:
    """For Q prints against E in WAYS turns each, best first: ``distance`` (Q, E, WAYS), turn and shift as indices."""

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
    shape = ANGLES, len(queries), len(exemplars.energy)
    best, shift = np.full(shape, np.inf, np.float32), np.zeros(shape, np.int64)
    for k, moved in enumerate(SHIFTS_PX):
        rings = np.stack([q.rings(moved) for q in queries])
        waves = np.fft.rfft(rings * RING_WEIGHTS[None, :, None, None], axis=2).transpose(2, 0, 1, 3)
        flat = waves.reshape(ANGLES // 2 + 1, len(queries), RINGS * 3).astype(np.complex64)
        alike = np.fft.irfft(flat @ exemplars.waves, n=ANGLES, axis=0) / ANGLES
        found = (_energy(rings)[:, None] + exemplars.energy[None])[None] - 2 * alike
        better = found < best
        best[better], shift[better] = found[better], k
    return _ways(best, shift)


def _ways(best: NDArray[np.float32], shift: NDArray[np.int64]) -> Turns:
    """The best turns that are APART, from distances and shifts (ANGLES, Q, E)."""
    found = []
    for _ in range(WAYS):
        turn = best.argmin(axis=0)
        found.append((np.take_along_axis(best, turn[None], 0)[0], turn, np.take_along_axis(shift, turn[None], 0)[0]))
        away = (np.arange(ANGLES)[:, None, None] - turn[None]) % ANGLES
        best = np.where(np.minimum(away, ANGLES - away) < APART, np.inf, best).astype(np.float32)
    distance, turns, shifts = (np.stack([one[k] for one in found], axis=2) for k in range(3))
    return Turns(distance.astype(np.float64), turns, shifts)


def _energy(rings: NDArray[np.float32]) -> Floats:
    return np.asarray((RING_WEIGHTS[None, :, None, None] * rings**2).sum(axis=(1, 2, 3)) / ANGLES, np.float64)


def begun(turns: Sequence[int], shifts: Sequence[int]) -> Floats:
    """The maps (K, 2, 3) from a print's pixels to those of exemplars that turns and shifts suggest."""
    return np.stack([_turned(turn, shift) for turn, shift in zip(turns, shifts, strict=True)])


def fitted(query: Print, stack: NDArray[np.float32], which: NDArray[np.int64], first: Floats, level: int) -> Floats:
    """Better maps (K, 2, 3) than ``first`` from the query's pixels to those of the K exemplars ``which`` in ``stack``
    (see :func:`stacked`), all of one ``level``: 0 blurred, 1 sharp.

    Gauss-Newton on lightness with weights that let hidden and shaded parts count little. The camera's place is known:
    what leads far from a turn costs, the more so the less is seen.
    """
    here = _SAMPLES[level] & query.visible
    if here.sum() < LEAST_PIXELS:
        return first
    at = np.stack([_X[here], _Y[here]]).astype(np.float64)
    wanted = query.levels[level][:, :, 0][here]
    base = np.column_stack([np.ones(len(wanted)), ((at - CENTRE) / RADIUS_PX).T])
    maps, stiff = first, _stiffness(first)
    for _ in range(_STEPS[level]):
        step = _steps(maps, first, stiff, base, at, wanted, stack, which, _SOFT[level])
        maps = maps + step
        if np.abs(step[:, :, 2]).max() < 0.1:
            break
    return maps


def likeness(query: Print, stack: NDArray[np.float32], which: NDArray[np.int64], maps: Floats) -> Floats:
    """How unlike (K,) the blurred query is to each of the exemplars that lie over it so, 0..1."""
    here = _SAMPLES[0] & query.visible
    if here.sum() < LEAST_PIXELS:
        return np.ones(len(maps))
    seen = sampled(maps, np.stack([_X[here], _Y[here]]).astype(np.float64), stack, which)
    off = ((seen[:, :, 0] - query.levels[0][:, :, 0][here]) / _BLURRED_NOISE) ** 2
    visible = seen[:, :, 3] > 0.9
    return np.asarray((off / (1 + off) * visible).sum(axis=1) / np.maximum(visible.sum(axis=1), 1), np.float64)


def stacked(pictures: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Pictures (SIDE_PX, SIDE_PX, 4) one below the other."""
    return np.concatenate(pictures)


def _turned(turn: int, shift: int) -> Floats:
    angle = -turn * 2 * np.pi / ANGLES
    cos, sin = np.cos(angle), np.sin(angle)
    turned, middle = np.array([[cos, -sin], [sin, cos]]), np.array([CENTRE, CENTRE])
    return np.column_stack([turned, middle - turned @ (middle + SHIFTS_PX[shift])])


def sampled(
    maps: Floats, at: Floats, stack: NDArray[np.float32], which: NDArray[np.int64] | None = None
) -> NDArray[np.float32]:
    """What K pictures of a stack, all in turn or those ``which``, show where their maps take the pixels ``at`` (2, N):
    (K, N, 4). The last channel, visibility, is 0 outside a picture."""
    to = np.einsum("kij,jn->kin", maps[:, :, :2], at) + maps[:, :, 2:]
    outside = ((to < 0.5) | (to > SIDE_PX - 1.5)).any(axis=1)
    below = SIDE_PX * (np.arange(len(maps)) if which is None else which)[:, None]
    x, y = to[:, 0].astype(np.float32), (to[:, 1].clip(0, SIDE_PX - 1) + below).astype(np.float32)
    seen = np.asarray(cv2.remap(stack, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
    seen[:, :, 3][outside] = 0.0
    return seen


def _stiffness(first: Floats) -> Floats:
    """(K, 6, 6): what leaving the first map costs, for steps ``(shift, tilt, tilt)`` of x, then of y; turning is
    nearly free."""
    stiff = np.zeros((len(first), 6, 6))
    stiff[:, range(6), range(6)] = [_SHIFT_COST, _TILT_COST, _TILT_COST] * 2
    turning = np.zeros((len(first), 6))
    turning[:, 1:3], turning[:, 4:6] = -first[:, 1, :2], first[:, 0, :2]
    turning /= np.linalg.norm(turning, axis=1, keepdims=True)
    return np.asarray(stiff - 0.9 * _TILT_COST * turning[:, :, None] * turning[:, None, :], np.float64)


def _steps(
    maps: Floats, first: Floats, stiff: Floats, base: Floats, at: Floats, wanted: NDArray[np.float32],
    stack: NDArray[np.float32], which: NDArray[np.int64], soft: float,
) -> Floats:
    seen = sampled(maps, at, stack, which)
    off = seen[:, :, 0] - wanted
    weight = (seen[:, :, 3] > 0.9) / (1 + (off / soft) ** 2)
    slopes = np.concatenate([base * seen[:, :, 1:2], base * seen[:, :, 2:3]], axis=2)
    weighted = (slopes * weight[:, :, None]).transpose(0, 2, 1)
    normal = weighted @ slopes + stiff + 1e-6 * np.eye(6)
    gone = _as_steps(maps - first)
    pull = weighted @ off[:, :, None] + stiff @ gone[:, :, None]
    move = np.clip(-np.linalg.solve(normal, pull)[:, :, 0], -2, 2).reshape(-1, 2, 3)
    tilt = move[:, :, 1:] / RADIUS_PX
    return np.asarray(np.dstack([tilt, move[:, :, :1] - CENTRE * tilt.sum(axis=2, keepdims=True)]), np.float64)


def _as_steps(change: Floats) -> Floats:
    """A change of maps (K, 2, 3) as ``(shift, tilt, tilt)`` of x and y, (K, 6), in pixels."""
    tilt = change[:, :, :2]
    shift = change[:, :, 2:] + CENTRE * tilt.sum(axis=2, keepdims=True)
    return np.concatenate([shift, tilt * RADIUS_PX], axis=2).reshape(-1, 6)
