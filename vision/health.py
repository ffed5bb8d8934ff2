"""Frames that the referee must not see: black, frozen, of another shape. Says why, and lets the next good one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.frames import Frame
from vision.why import BLANK, FROZEN, Text, other_shape

DARK_LEVEL = 30
"""A picture whose brightest percent stays below this level of 255 shows nothing."""

FLAT_LEVELS = 8
"""So does one whose levels lie this close together: a broken stream in one colour, a lamp into the lens."""

FROZEN_S = 10.0
"""A live picture that is the same to the last bit for this long does not come from the lens: sensors have noise."""

SAME_SHAPE = 0.02
"""Pictures whose width to height differs by less than this part show the same, only larger or smaller."""

LEAST_STEP_S = 0.001
"""Times that do not go on are taken to go on by this much."""

_SAMPLE_ROWS = 90
_LIVELY = 12.0

Sample = NDArray[np.uint8]


class Health:
    """Looks at every frame before the referee does; one per source. ``live``: pictures should never repeat.

    Frames of another size and the same shape are brought to the size of the first; times that stand still or go back
    are moved on, so that the referee's seconds always pass.
    """

    def __init__(self, live: bool = False) -> None:
        self._live = live
        self._size_wh: tuple[int, int] | None = None
        self._t_s = self._late_s = self._changed_s = 0.0
        self._begun = False
        self._sample: Sample | None = None

    def check(self, frame: Frame) -> Frame | Text:
        """The frame as the referee may see it, or why it may not."""
        t_s = self._time(frame.t_s)
        image = frame.image_bgr
        sample = _sample(image)
        same = self._sample is not None and np.array_equal(self._sample, sample)
        self._sample = sample
        if not same:
            self._changed_s = t_s
        if _blank(sample):
            return BLANK
        if self._live and t_s - self._changed_s >= FROZEN_S:
            return FROZEN
        size_wh = image.shape[1], image.shape[0]
        self._size_wh = self._size_wh or size_wh
        if size_wh != self._size_wh:
            if abs(size_wh[0] * self._size_wh[1] / (size_wh[1] * self._size_wh[0]) - 1) > SAME_SHAPE:
                return other_shape(size_wh, self._size_wh)
            image = np.asarray(cv2.resize(image, self._size_wh, interpolation=cv2.INTER_AREA), np.uint8)
        return replace(frame, image_bgr=image, t_s=t_s)

    def _time(self, told_s: float) -> float:
        if self._begun and told_s + self._late_s <= self._t_s:
            self._late_s = self._t_s + LEAST_STEP_S - told_s
        self._begun, self._t_s = True, told_s + self._late_s
        return self._t_s


def usable(frames: Iterable[Frame], live: bool = False) -> Iterator[Frame]:
    """The frames that the referee may see."""
    health = Health(live)
    for frame in frames:
        seen = health.check(frame)
        if isinstance(seen, Frame):
            yield seen


def _sample(image: Image) -> Sample:
    """Some pixels of the picture, spread over all of it."""
    step = max(1, min(image.shape[:2]) // _SAMPLE_ROWS)
    return np.ascontiguousarray(image[step // 2 :: step, step // 2 :: step])


def _blank(sample: Sample) -> bool:
    if float(cv2.meanStdDev(sample)[1].max()) > _LIVELY:  # most pictures, for a tenth of the cost
        return False
    low, high = np.percentile(sample.reshape(-1, sample.shape[-1]), (1, 99), axis=0)
    return bool(high.max() < DARK_LEVEL or (high - low).max() < FLAT_LEVELS)
