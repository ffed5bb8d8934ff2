"""Compares small prints: tops of dice and tokens are found again in any turn, a little off and a little larger."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.exemplars.prints import CENTRE, SIDE_PX, Print
from vision.exemplars.store import ExemplarSet

ANGLES, RINGS, RADIUS_PX = 72, 10, 32.0
"""A top is compared on so many circles around its middle, in so many turns; what lies further out may be a side."""

SIZES, SHIFTS_PX = (0.9, 1.0, 1.1), (-6.0, -3.0, 0.0, 3.0, 6.0)
"""So much larger it may be than it was found, and so far off."""

NEWEST = 4
"""More exemplars of one label than these are not compared."""

_RADII = np.linspace(4.0, RADIUS_PX, RINGS)
_WEIGHTS = (_RADII / _RADII.sum()).astype(np.float32)
_TURNS = np.arange(ANGLES) * 2 * np.pi / ANGLES
_PLACES = [(size, x, y) for size in SIZES for x in SHIFTS_PX for y in SHIFTS_PX]
_Y, _X = np.mgrid[0:SIDE_PX, 0:SIDE_PX].astype(np.float32)

Floats = NDArray[np.float32]
Waves = NDArray[np.complex64]


class Tops:
    """The exemplars of one kind, prepared anew when the set has changed. Not safe to use from several threads."""

    def __init__(self, own: ExemplarSet, kind: str) -> None:
        self._own, self._kind, self._revision = own, kind, -1
        self._waves: dict[str, Waves] = {}
        self._known: list[tuple[str, str]] = []

    def __bool__(self) -> bool:
        self._prepare()
        return bool(self._known)

    def likeness(self, crop_bgr: Image) -> dict[str, float]:
        """For each label how alike its most alike exemplar is, -1..1; empty where none was taught."""
        best: dict[str, float] = {}
        for (_, label), alike in self._compared(crop_bgr):
            best[label] = max(alike, best.get(label, -1.0))
        return best

    def nearest(self, crop_bgr: Image) -> str:
        """The exemplar that is most alike, empty where none was taught."""
        return max(self._compared(crop_bgr), key=lambda one: one[1], default=(("", ""), 0.0))[0][0]

    def _compared(self, crop_bgr: Image) -> list[tuple[tuple[str, str], float]]:
        self._prepare()
        if not self._known:
            return []
        here = _waves(Print(crop_bgr), _PLACES) * np.repeat(_WEIGHTS, 3)[:, None]
        others = np.concatenate([self._waves[ident] for ident, _ in self._known], axis=2)
        alike = np.fft.irfft(here.transpose(0, 2, 1) @ others.conj(), n=ANGLES, axis=0) / ANGLES
        return [(known, float(one)) for known, one in zip(self._known, alike.max(axis=(0, 1)), strict=True)]

    def _prepare(self) -> None:
        if self._revision == self._own.revision:
            return
        self._revision = self._own.revision
        entries = [e for e in self._own.all(self._kind) if not e.doubted]
        kept = [e for k, e in enumerate(entries) if sum(o.label == e.label for o in entries[k + 1 :]) < NEWEST]
        self._known, old = [(e.ident, e.label) for e in kept], self._waves
        self._waves = {ident: old[ident] if ident in old else self._prepared(ident) for ident, _ in self._known}

    def _prepared(self, ident: str) -> Waves:
        return _waves(Print(np.ascontiguousarray(self._own.crop(ident)[:, :, :3])), [(1.0, 0.0, 0.0)])


def _waves(top: Print, places: Sequence[tuple[float, float, float]]) -> Waves:
    """(ANGLES // 2 + 1, RINGS * 3, K): what is drawn on circles around K places, without its mean, all equally
    strong, as waves: a turn shifts them."""
    size, right, down = (np.array(part)[:, None, None] for part in zip(*places, strict=True))
    x = CENTRE + right + size * _RADII[:, None] * np.cos(_TURNS)
    y = CENTRE + down + size * _RADII[:, None] * np.sin(_TURNS)
    flat = (-1, ANGLES)
    seen = cv2.remap(
        top.looks, x.reshape(flat).astype(np.float32), y.reshape(flat).astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).reshape(len(places), RINGS, ANGLES, 3)
    weight = _WEIGHTS[:, None, None] / ANGLES
    seen = seen - (seen * weight).sum(axis=(1, 2), keepdims=True)
    seen = seen / (np.sqrt((seen**2 * weight).sum(axis=(1, 2, 3), keepdims=True)) + 1e-4)
    waves = np.fft.rfft(seen, axis=2).transpose(2, 1, 3, 0)
    return np.asarray(waves.reshape(ANGLES // 2 + 1, RINGS * 3, len(places)), np.complex64)


def evenness(crop_bgr: Image) -> float:
    """How alike a top is to itself turned by half a turn, -1..1: pips are, symbols and digits hardly ever."""
    looks, best = Print(crop_bgr).looks, -1.0
    for right in range(-8, 9, 2):
        for down in range(-8, 9, 2):
            matrix = np.array([[-1.0, 0.0, SIDE_PX - 1 + right], [0.0, -1.0, SIDE_PX - 1 + down]])
            turned = cv2.warpAffine(looks, matrix, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE)
            inside = np.hypot(_X - CENTRE - right / 2, _Y - CENTRE - down / 2) < RADIUS_PX - 1
            one, other = (part[inside] - part[inside].mean(axis=0) for part in (looks, turned))
            power = float((one**2).sum() * (other**2).sum())
            best = max(best, float((one * other).sum()) / math.sqrt(power + 1e-9))
    return best


def shares(alike: Mapping[str, float], steepness: float, names: Sequence[str]) -> dict[str, float]:
    """Probabilities of the names by how alike their exemplars are; names without one are not among them."""
    known = {name: alike[name] for name in names if name in alike}
    top = max(known.values(), default=0.0)
    likely = {name: math.exp(steepness * (value - top)) for name, value in known.items()}
    total = sum(likely.values())
    return {name: value / total for name, value in likely.items()}
