"""Compares small prints: tops of dice and tokens are found again in any turn, a little off and a little larger."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.exemplars.store import ExemplarSet

SIDE_PX, PART_PX = 32, 18
"""Tops are compared at this size; the middle of an exemplar, which stays on the face in any turn, is looked for."""

TURNS, SIZES = 24, (0.87, 1.0, 1.15)
"""In so many turns, and in these sizes: a box tells the size of a die only roughly."""

NEWEST = 4
"""More exemplars of one label than these are not compared."""

_DARK = 12.0

Floats = NDArray[np.float32]


class Tops:
    """The exemplars of one kind, prepared anew when the set has changed. Not safe to use from several threads."""

    def __init__(self, own: ExemplarSet, kind: str) -> None:
        self._own, self._kind, self._revision = own, kind, -1
        self._parts: dict[str, tuple[str, list[Floats]]] = {}

    def likeness(self, crop_bgr: Image) -> dict[str, float]:
        """For each label how alike its most alike exemplar is, -1..1; empty where none was taught."""
        best: dict[str, float] = {}
        for _, label, found in self._compared(crop_bgr):
            best[label] = max(found, best.get(label, -1.0))
        return best

    def nearest(self, crop_bgr: Image) -> str:
        """The exemplar that is most alike, empty where none was taught."""
        return max(self._compared(crop_bgr), key=lambda one: one[2], default=("", "", 0.0))[0]

    def _compared(self, crop_bgr: Image) -> list[tuple[str, str, float]]:
        top = _small(crop_bgr)
        return [
            (ident, label, max(_alike(top, part) for part in parts))
            for ident, (label, parts) in self._exemplars().items()
        ]

    def _exemplars(self) -> Mapping[str, tuple[str, list[Floats]]]:
        if self._revision != self._own.revision:
            self._revision = self._own.revision
            entries = [e for e in self._own.all(self._kind) if not e.doubted]
            kept = [e for k, e in enumerate(entries) if sum(o.label == e.label for o in entries[k + 1 :]) < NEWEST]
            old = self._parts
            self._parts = {
                e.ident: (e.label, old[e.ident][1] if e.ident in old else self._prepared(e.ident)) for e in kept
            }
        return self._parts

    def _prepared(self, ident: str) -> list[Floats]:
        return _parts(self._own.crop(ident)[:, :, :3])


def _small(crop_bgr: Image) -> Floats:
    """Lightness and two colour differences, logarithmic, (SIDE_PX, SIDE_PX, 3)."""
    fine = cv2.resize(crop_bgr, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    blue, green, red = np.moveaxis(np.log(fine + _DARK), 2, 0)
    lightness = (blue + green + red) / 3
    return np.dstack([lightness, 1.2 * (red - green), 0.8 * (blue - 0.5 * (green + red))]).astype(np.float32)


def _parts(crop_bgr: Image) -> list[Floats]:
    top, middle = _small(crop_bgr), (SIDE_PX - 1) / 2
    found: list[Floats] = []
    for size in SIZES:
        for k in range(TURNS):
            matrix = np.asarray(cv2.getRotationMatrix2D((middle, middle), 360 * k / TURNS, size), np.float64)
            matrix[:, 2] += (PART_PX - SIDE_PX) / 2
            part = cv2.warpAffine(top, matrix, (PART_PX, PART_PX), borderMode=cv2.BORDER_REPLICATE)
            found.append(np.asarray(part, np.float32))
    return found


def _alike(top: Floats, part: Floats) -> float:
    found = float(cv2.matchTemplate(top, part, cv2.TM_CCOEFF_NORMED).max())
    return found if math.isfinite(found) else -1.0


def shares(alike: Mapping[str, float], steepness: float, names: Sequence[str]) -> dict[str, float]:
    """Probabilities of the names by how alike their exemplars are; names without one are not among them."""
    known = {name: alike[name] for name in names if name in alike}
    top = max(known.values(), default=0.0)
    likely = {name: math.exp(steepness * (value - top)) for name, value in known.items()}
    total = sum(likely.values())
    return {name: value / total for name, value in likely.items()}
