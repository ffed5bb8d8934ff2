"""The pixels of a piece without its surroundings, as Lab, and small robust statistics on them."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image

Lab = NDArray[np.float32]
"""Pixels (N, 3): L 0..100, a and b about -100..100."""

_WORK_PX = 40
_CLUSTER_SAMPLE = 300
_RING = 0.4
_WEIGHT = np.array([0.5, 1.0, 1.0], np.float32)


def piece_pixels(image: Image, box_px: Any) -> Lab:
    """The Lab pixels (N, 3), N > 0, of the piece in ``box_px`` (4,).

    The middle of the box (an upright ellipse), less the pixels that look like the ring around the box and less
    the glints. Where that leaves too little (a piece of its background's colour), the middle of the box counts whole.
    """
    lab, box = _patch(image, box_px)
    middle, ring = _middle_and_ring(lab.shape[:2], box)
    inside = lab[middle]
    if not ring.any():
        return inside
    background = clusters(lab[ring], 4)
    foreign = distance(inside, background).min(axis=1) > 14.0
    kept = inside[foreign] if foreign.mean() > 0.3 else inside
    dull = ~((kept[:, 0] > 85) & (np.hypot(kept[:, 1], kept[:, 2]) < 18))
    return kept[dull] if dull.mean() > 0.5 else kept


def distance(pixels: Lab, centres: Lab) -> NDArray[np.float32]:
    """Distances (N, P) between pixels (N, 3) and centres (P, 3); lightness counts half, it changes with the light."""
    parts = [np.subtract.outer(pixels[:, k], centres[:, k]) * _WEIGHT[k] for k in range(3)]
    return np.asarray(np.sqrt(parts[0] ** 2 + parts[1] ** 2 + parts[2] ** 2), np.float32)


def clusters(pixels: Lab, count: int) -> Lab:
    """Up to ``count`` cluster centres of the pixels (k-means from far-apart pixels, the same every time).

    Clusters of less than a twelfth of the pixels are left out.
    """
    pixels = pixels[:: -(-len(pixels) // _CLUSTER_SAMPLE)]
    centres = pixels.mean(axis=0, keepdims=True)
    while len(centres) < min(count, len(pixels)):
        away = distance(pixels, centres).min(axis=1)
        pick = pixels[np.argsort(away)[int(0.95 * (len(pixels) - 1))]]
        centres = np.vstack([centres, pick[None]])
    before, shares = np.zeros(0, np.int64), np.ones(len(centres))
    for _ in range(6):
        nearest = distance(pixels, centres).argmin(axis=1)
        if np.array_equal(nearest, before):
            break
        before, shares = nearest, np.bincount(nearest, minlength=len(centres)) / len(pixels)
        centres = np.stack([
            _median(pixels[nearest == i]) if shares[i] else centre for i, centre in enumerate(centres)
        ])
    return np.asarray(centres[shares >= min(1 / 12, shares.max())], np.float32)


def _median(pixels: Lab) -> Lab:
    """The median (3,) of pixels (N, 3), N > 0; many times faster for few pixels than numpy's own."""
    middle = len(pixels) // 2
    ordered = np.sort(pixels, axis=0)
    return np.asarray(ordered[middle] if len(pixels) % 2 else (ordered[middle - 1] + ordered[middle]) / 2, np.float32)


def _patch(image: Image, box_px: Any) -> tuple[Lab, NDArray[np.float64]]:
    """The Lab patch around a box, shrunk to working size, and the box (4,) in it."""
    x1, y1, x2, y2 = (float(v) for v in np.asarray(box_px).reshape(4))
    margin = _RING * max(4.0, min(x2 - x1, y2 - y1))
    height, width = image.shape[:2]
    left, right = (int(np.clip(v, 0, width)) for v in (x1 - margin, np.ceil(x2 + margin)))
    top, bottom = (int(np.clip(v, 0, height)) for v in (y1 - margin, np.ceil(y2 + margin)))
    if right - left < 2 or bottom - top < 2:
        raise ValueError(f"box {box_px} lies outside the picture")
    scale = min(1.0, _WORK_PX / max(right - left, bottom - top))
    patch = image[top:bottom, left:right]
    if scale < 1:
        patch = np.asarray(cv2.resize(patch, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    return np.asarray(lab, np.float32), (np.array([x1, y1, x2, y2]) - [left, top, left, top]) * scale


def _middle_and_ring(
    shape: tuple[int, ...], box: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    y, x = np.mgrid[: shape[0], : shape[1]] + 0.5
    across = (x - (box[0] + box[2]) / 2) / max(1.0, box[2] - box[0])
    down = (y - (box[1] + box[3]) / 2) / max(1.0, box[3] - box[1])
    middle = (across / 0.33) ** 2 + (down / 0.42) ** 2 <= 1
    if not middle.any():
        middle[shape[0] // 2, shape[1] // 2] = True
    return middle, (np.abs(across) > 0.52) | (np.abs(down) > 0.52)
