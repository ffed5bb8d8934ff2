"""Which parts of the picture look as they did before: what nobody touched need not be read anew."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.flick.lattice import SIDE, Lattice, every_cell, square_crop
from vision.flick.values import LooseDie

Floats = NDArray[np.float32]
SIDE_PX = 16
SAME = 0.095
"""A hole counts as unchanged up to this difference, as a share of the board's range of brightness."""

_LIGHT = 2.5
"""When the light changes all holes do a little: a hole must change this many times more than most."""

_BESIDE, _ALONE = 0.25, 0.4
"""A die stands out into the crops of its neighbours: they must change more than this share of it to be looked at again,
more than the second to hold something new."""

_APART = 9.0
"""Another thing lies there from this mean difference on (of 255), the whole picture's change of light taken out."""

_MIDDLE = 0.15
_MOVED = 0.12
"""The box counts as moved when its holes lie this many pitches elsewhere."""


def appearance(image: Image, lattice: Lattice) -> Floats:
    """What the holes look like, (25, 16, 16, 3), brightness and colour cast of the whole board taken out."""
    crops = [square_crop(image, *lattice.crop_box((float(x), float(y)))) for x, y in every_cell()]
    small = np.stack([cv2.resize(crop, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA) for crop in crops])
    shown = small.astype(np.float32)
    low, high = np.percentile(shown, [3, 97], axis=(0, 1, 2))
    return np.asarray((shown - low) / np.maximum(high - low, 12.0), np.float32)


def changes(before: Floats, now: Floats) -> Floats:
    """How much each hole differs, (25,), from 0: the strongest difference of a part of it."""
    apart = np.abs(before - now).mean(axis=3)[:, 2:-2, 2:-2]
    parts = apart.reshape(len(apart), 3, 4, 3, 4).mean(axis=(2, 4)).reshape(len(apart), 9)
    return np.asarray(np.sort(parts, axis=1)[:, -3:].mean(axis=1), np.float32)


def touched(before: Floats, now: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The holes that may hold something else than before, (25,), and those that certainly look so, (25,)."""
    apart = changes(before, now).reshape(SIDE, SIDE)
    around = np.pad(apart, 1)
    most = np.maximum.reduce([around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]])
    other = apart > max(SAME, _LIGHT * float(np.median(apart)))
    return (other & (apart > _BESIDE * most)).ravel(), (other & (apart > _ALONE * most)).ravel()


def moved(before: Lattice, now: Lattice) -> bool:
    """Whether the box lies elsewhere than before."""
    return bool(np.abs(now.centres_px() - before.centres_px()).max() > _MOVED * now.pitch_px((2.0, 2.0)))


class Surroundings:
    """The picture at the last look and the dice that lay in no hole then: what is new beside the holes."""

    def __init__(self, image: Image, lattice: Lattice, dice: Iterable[LooseDie]) -> None:
        self._image, self._lattice, self.dice = _smooth(image), lattice, tuple(dice)

    def now(
        self, image: Image, lattice: Lattice, sure: Iterable[LooseDie], maybe: Iterable[LooseDie]
    ) -> list[LooseDie]:
        """The dice that lie in no hole now: where nothing changed, those of the last look; elsewhere whatever may be
        one. After the box was moved only the sure ones."""
        if image.shape != self._image.shape or moved(self._lattice, lattice):
            return list(sure)
        apart = np.abs(_smooth(image) - self._image)
        found = [die for die in self.dice if not _differs(apart, die)]
        for die in sorted((*sure, *maybe), key=lambda die: -die.confidence):
            if _differs(apart, die) and not any(_overlaps(die, other) for other in found):
                found.append(die)
        return found


def _smooth(image: Image) -> Floats:
    """The picture without its noise and without its light's brightness and colour."""
    soft = cv2.blur(image, (3, 3)).astype(np.float32)
    return np.asarray(soft - np.median(soft[::8, ::8], axis=(0, 1)), np.float32)


def _differs(apart: Floats, die: LooseDie) -> bool:
    x1, y1, x2, y2 = die.box_px
    dx, dy = _MIDDLE * (x2 - x1), _MIDDLE * (y2 - y1)
    part = apart[max(round(y1 + dy), 0) : max(round(y2 - dy), 1), max(round(x1 + dx), 0) : max(round(x2 - dx), 1)]
    return bool(part.size and part.mean(axis=(0, 1)).max() > _APART)


def _overlaps(die: LooseDie, other: LooseDie) -> bool:
    """Whether the middle of one die lies in the other's box."""
    x1, y1, x2, y2 = die.box_px
    x, y = (other.box_px[0] + other.box_px[2]) / 2, (other.box_px[1] + other.box_px[3]) / 2
    return x1 < x < x2 and y1 < y < y2
