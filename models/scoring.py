"""How boxes and probabilities are scored: overlap, average precision, calibration error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def overlaps(a: Array, b: Array) -> Array:
    """Intersection over union of boxes (N, 4) and (M, 4) as (N, M)."""
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    inter = np.clip(high - low, 0, None).prod(2)
    area = (a[:, 2:] - a[:, :2]).prod(1)[:, None] + (b[:, 2:] - b[:, :2]).prod(1)[None] - inter
    return np.asarray(inter / np.maximum(area, 1e-9))


def matched(found: Array, confidence: Array, truth: Array, least: float) -> NDArray[np.bool_]:
    """For every found box, best first, whether it takes a true box nobody took before (at least ``least`` overlap)."""
    right = np.zeros(len(found), bool)
    if not len(truth):
        return right
    table, free = overlaps(found, truth), np.ones(len(truth), bool)
    for k in np.argsort(-confidence):
        best = int(np.argmax(np.where(free, table[k], -1)))
        if free[best] and table[k, best] >= least:
            right[k], free[best] = True, False
    return right


def average_precision(confidence: Array, right: NDArray[np.bool_], total: int) -> float:
    """Area under the precision-recall curve, precision made monotone."""
    if not total or not len(right):
        return 0.0
    hits = right[np.argsort(-confidence)].cumsum()
    precision, recall = hits / np.arange(1, len(hits) + 1), hits / total
    best = np.maximum.accumulate(precision[::-1])[::-1]
    return float((np.diff(recall, prepend=0.0) * best).sum())


def calibration_error(confidence: Array, right: NDArray[np.bool_], bins: int = 10) -> float:
    """Expected calibration error: how far confidence and share of right ones are apart, on average over ``bins``."""
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    apart = [abs(confidence[place == b].mean() - right[place == b].mean()) * (place == b).sum() for b in set(place)]
    return float(np.sum(apart) / max(len(confidence), 1))
