"""Things in a picture that may be holes: compact spots of one brightness or colour, by classical means."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image

Floats = NDArray[np.float64]
WORK_PX = 640
"""The longer side of the picture that is searched."""

_LEAST, _MOST = 0.022, 0.24
_SOLID, _LONG, _FULL = 0.86, 2.6, 0.6
_MERGE = 0.3
_KEPT = 220


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """``centre_px`` (N, 2), ``size_px`` (N,) root of the area, ``weight`` (N,) how much speaks for a hole or die."""

    centre_px: Floats
    size_px: Floats
    weight: Floats

    def __len__(self) -> int:
        return len(self.centre_px)

    def scaled(self, factor: float) -> Spots:
        """The same spots in a picture ``factor`` times as large."""
        return Spots(self.centre_px * factor, self.size_px * factor, self.weight)

    def chosen(self, which: NDArray[np.bool_]) -> Spots:
        """The spots of a mask (N,)."""
        return Spots(self.centre_px[which], self.size_px[which], self.weight[which])

    @classmethod
    def none(cls) -> Spots:
        """No spots."""
        return cls(np.zeros((0, 2)), np.zeros(0), np.zeros(0))

    @classmethod
    def joined(cls, *parts: Spots) -> Spots:
        """All of them together."""
        return cls(
            np.concatenate([p.centre_px for p in parts]),
            np.concatenate([p.size_px for p in parts]),
            np.concatenate([p.weight for p in parts]),
        )


def find_spots(image: Image) -> Spots:
    """Spots of a picture (H, W, 3) uint8 BGR, in its pixels."""
    scale = WORK_PX / max(image.shape[:2])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.0), cv2.COLOR_BGR2LAB)
    short = min(size)
    found = []
    for channel, bias in ((0, 4), (1, 2), (2, 2)):
        plane = np.ascontiguousarray(lab[:, :, channel])
        for share in (0.12, 0.26):
            block = int(short * share) | 1
            mean = cv2.blur(plane, (block, block))
            for sign in (1, -1):
                apart = np.asarray(cv2.subtract(plane, mean) if sign > 0 else cv2.subtract(mean, plane), np.uint8)
                found += _compact(((apart > bias) * np.uint8(255)), short)
    return _merged(np.array(found).reshape(-1, 3)).scaled(1 / scale)


def _compact(mask: NDArray[np.uint8], short: int) -> list[tuple[float, float, float]]:
    """Centre and size of the compact outlines of a mask."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    low, high = (_LEAST * short) ** 2, (_MOST * short) ** 2
    found = []
    for outline in outlines:
        area = cv2.contourArea(outline)
        if not low < area < high:
            continue
        (x, y), (w, h), _ = cv2.minAreaRect(outline)
        if max(w, h) > _LONG * min(w, h) or area < _FULL * w * h:
            continue
        if area >= _SOLID * cv2.contourArea(cv2.convexHull(outline)):
            found.append((x, y, float(np.sqrt(area))))
    return found


def _merged(found: Floats) -> Spots:
    """Outlines around the same spot become one; those seen most often first."""
    centres, sizes, weights = [], [], []
    left = found[np.argsort(-found[:, 2])] if len(found) else found
    while len(left):
        x, y, size = left[0]
        near = (np.hypot(left[:, 0] - x, left[:, 1] - y) < _MERGE * size) & (left[:, 2] > 0.45 * size)
        group = left[near]
        centres.append(np.median(group[:, :2], axis=0))
        sizes.append(float(np.median(group[:, 2])))
        weights.append(min(1.0, 0.35 + 0.1 * len(group)))
        left = left[~near]
    order = np.argsort(-np.array(weights), kind="stable")[:_KEPT]
    if not len(order):
        return Spots.none()
    return Spots(np.array(centres)[order], np.array(sizes)[order], np.array(weights)[order])
