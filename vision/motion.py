"""Is anything moving on the table? Cheap enough for every frame; times in seconds, whatever the frame rate."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.corners import corners_mm
from calibration.plane import TablePlane

SETTLE_S = 0.4
MARGIN_MM = 60.0
_WIDTH = 320
_LEAST_STEP, _NOISE_STEPS, _NOISE_RANGE = 5.0, 5.0, (0.4, 12.0)
_QUARTILE = 0.32  # the lower quartile of a normal distribution's deviations: right while a hand covers half the table
_BLOB_PX, _BLOB_PART = 5, 0.3
_GAP_S = 2.0

Small = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Motion:
    """What one frame says: how long nothing has changed (``still_s``), and which part of the table changes now."""

    t_s: float
    still_s: float
    settle_s: float
    changed: float

    @property
    def moving(self) -> bool:
        """Something changes in this very frame."""
        return self.still_s == 0

    @property
    def at_rest(self) -> bool:
        """Nothing has changed for the settling time."""
        return self.still_s >= self.settle_s - 1e-9


class MotionGate:
    """Compares each frame with those of the last ``settle_s`` seconds, so that slow movement counts as well.

    Pictures are shrunk to 320 px; only the play area of ``plane`` with ``margin_mm`` around it counts (without a plane,
    everything). A change of the whole picture's brightness is taken out, and what counts as a change rises with the
    camera's noise, measured in the same comparison. A change must cover a small blob, single pixels do not count.
    """

    def __init__(
        self, plane: TablePlane | None = None, *, settle_s: float = SETTLE_S, margin_mm: float = MARGIN_MM
    ) -> None:
        self.settle_s = settle_s
        self._plane = plane
        self._margin_mm = margin_mm
        self._table: _Table | None = None
        self._past: deque[tuple[float, Small]] = deque()
        self._still_from_s = 0.0
        self.motion = Motion(0.0, 0.0, settle_s, 0.0)

    def update(self, image_bgr: Image, t_s: float) -> float:
        """Take the next frame (H, W, 3), of time ``t_s``; seconds for which nothing has changed, 0 while it moves.

        ``motion`` says more. A jump in time starts anew.
        """
        small = _shrunk(image_bgr)
        table, plane = self._table, self._plane  # another thread may replace the plane meanwhile
        if table is None or table.plane is not plane or table.mask.shape != small.shape[:2]:
            self._table = table = _Table(plane, _mask(plane, image_bgr.shape, small.shape, self._margin_mm))
            self._past.clear()
        if self._past and not 0 <= t_s - self._past[-1][0] <= _GAP_S:
            self._past.clear()
        if not self._past:
            self._still_from_s = t_s
            changed = 0.0
        else:
            changed = self._compare(table, small, t_s)
        self._remember(small, t_s)
        self.motion = Motion(t_s, t_s - self._still_from_s, self.settle_s, changed)
        return self.motion.still_s

    def replane(self, plane: TablePlane) -> None:
        """The camera was moved: watch the play area where ``plane`` says it is now."""
        self._plane = plane

    def _compare(self, table: _Table, small: Small, t_s: float) -> float:
        """Move ``still_from`` on to the first frame that looks like this one; return the part that changes now."""
        changed = table.changed_part(small, self._past[-1][1])
        # What leaves and comes back in between was seen to move when it did.
        if changed == 0 and table.changed_part(small, self._past[0][1]) == 0:
            return changed
        alike_from_s = t_s
        for index, (then_s, past) in enumerate(reversed(self._past)):
            if (changed if index == 0 else table.changed_part(small, past)) > 0:
                self._still_from_s = max(self._still_from_s, alike_from_s)
                break
            alike_from_s = then_s
        return changed

    def _remember(self, small: Small, t_s: float) -> None:
        """Keep the newest frame, and older ones a fifth of the settling time apart."""
        spacing_s = self.settle_s / 5
        if len(self._past) > 1 and self._past[-1][0] - self._past[-2][0] < spacing_s - 1e-9:
            self._past.pop()
        self._past.append((t_s, small))
        while len(self._past) > 1 and self._past[1][0] <= t_s - self.settle_s:
            self._past.popleft()


class _Table:
    """The part of the shrunk picture that counts, and the comparison of two pictures there."""

    def __init__(self, plane: TablePlane | None, mask: Small) -> None:
        self.plane, self.mask = plane, mask
        self._area = max(1, int(cv2.countNonZero(mask)))
        self._sample = np.flatnonzero(mask)[::97]
        left, top, width, height = cv2.boundingRect(mask)
        self._rows, self._columns = slice(top, top + height), slice(left, left + width)
        self._counts = np.ascontiguousarray(mask[self._rows, self._columns])

    def changed_part(self, now: Small, then: Small) -> float:
        """The part of the table that differs in blobs between two pictures; 0 when they look alike."""
        here, before = (picture.reshape(-1, 3)[self._sample].astype(np.int16) for picture in (now, then))
        difference = here - before
        shift = np.median(difference, axis=0)
        off = np.abs(difference - shift).ravel()
        noise = float(np.partition(off, len(off) // 4)[len(off) // 4]) / _QUARTILE
        step = _LEAST_STEP + _NOISE_STEPS * float(np.clip(noise, *_NOISE_RANGE))
        now, then = now[self._rows, self._columns], then[self._rows, self._columns]
        signed = cv2.subtract(now, then, dtype=cv2.CV_16S)
        alike = cv2.inRange(signed, shift - step, shift + step)
        different = cv2.bitwise_and(cv2.bitwise_not(alike), self._counts)
        if not cv2.countNonZero(different):
            return 0.0
        dense = cv2.blur(different, (_BLOB_PX, _BLOB_PX))
        blobs = cv2.threshold(dense, 255 * _BLOB_PART, 255, cv2.THRESH_BINARY)[1]
        return float(cv2.countNonZero(blobs) / self._area)


def _shrunk(image: Image) -> Small:
    """The picture 320 px wide, as (h, 320, 3); halved step by step, which is a quarter of the work."""
    height = max(1, round(_WIDTH * image.shape[0] / image.shape[1]))
    while image.shape[1] >= 4 * _WIDTH:
        half_wh = image.shape[1] // 2, max(1, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half_wh, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)


def _mask(
    plane: TablePlane | None, shape: tuple[int, ...], small: tuple[int, ...], margin_mm: float
) -> Small:
    """255 where the picture counts, (h, w)."""
    if plane is None:
        return np.full(small[:2], 255, np.uint8)
    plane = plane.scaled_to((shape[1], shape[0]))
    outward = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64) * margin_mm
    outline = plane.to_px(corners_mm(plane.size_mm) + outward) * (small[1] / shape[1])
    mask = cv2.fillConvexPoly(np.zeros(small[:2], np.uint8), outline.round().astype(np.int32), 255)
    return np.asarray(mask, np.uint8) if cv2.countNonZero(mask) else np.full(small[:2], 255, np.uint8)
