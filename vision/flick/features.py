"""What tells a hole of Dice Flick apart from the others of its board, as numbers for a small classifier."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from models.classes import HOLE_PX

Floats = NDArray[np.float32]
_COARSE = 6
_HUES = 8
_RAISED = 0.07

_y, _x = np.mgrid[0:HOLE_PX, 0:HOLE_PX].astype(np.float32) / (HOLE_PX - 1) - 0.5
_NEAR = np.exp(-((_x**2 + (_y - _RAISED) ** 2) / (2 * 0.2**2))).astype(np.float32)
_RIM = ((np.abs(_x) > 0.4) | (np.abs(_y) > 0.4)).astype(np.float32)


def hole_features(crops_bgr: Image, median_bgr: Image) -> Floats:
    """Numbers (N, F) for the crops (N, s, s, 3) of holes, s = HOLE_PX, and the median crop (s, s, 3) of their board."""
    lab, usual = _lab(crops_bgr), _lab(median_bgr[None])[0]
    apart = lab - usual
    differs = np.clip((np.sqrt(np.einsum("nhwc,nhwc->nhw", apart, apart)) - 7) / 14, 0, 1)
    weight = differs * _NEAR + 1e-4
    whole = weight.sum(axis=(1, 2))[:, None]
    mean = np.einsum("nhwc,nhw->nc", lab, weight) / whole
    square = np.einsum("nhwc,nhwc,nhw->nc", lab, lab, weight) / whole
    under = np.einsum("hwc,nhw->nc", usual, weight) / whole
    floor = _over(np.einsum("hwc,hw->c", usual, _NEAR) / _NEAR.sum(), len(lab))
    rim = _over(np.einsum("hwc,hw->c", usual, _RIM) / _RIM.sum(), len(lab))
    parts = [
        np.einsum("nhw,hw->n", differs, _NEAR)[:, None] / _NEAR.sum(), differs.mean(axis=(1, 2))[:, None],
        np.einsum("nhw,hw->n", differs, _RIM)[:, None] / _RIM.sum(),
        mean, np.sqrt(np.maximum(square - mean**2, 0)), mean - under, floor, rim, apart.mean(axis=(1, 2)),
        _shape(weight, whole), _levels(lab, weight), _hues(lab, weight, whole), _edges(lab, weight), _coarse(apart),
        _colour(mean), _colour(mean - floor), _colour(rim), _colour(floor),
    ]
    return np.concatenate([np.asarray(part, np.float32) for part in parts], axis=1)


def _lab(bgr: Image) -> Floats:
    n, height, width = bgr.shape[:3]
    tall = bgr.reshape(n * height, width, 3).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(tall, cv2.COLOR_BGR2LAB), np.float32).reshape(n, height, width, 3)


def _over(row: Floats, count: int) -> Floats:
    return np.repeat(row[None], count, axis=0)


def _shape(weight: Floats, whole: Floats) -> Floats:
    """Middle and extent of what differs."""
    moments = np.stack([_x, _y, _x * _x, _y * _y, _x * _y])
    mean = np.einsum("nhw,khw->nk", weight, moments) / whole
    x, y = mean[:, 0], mean[:, 1]
    return np.stack([x, y, mean[:, 2] - x * x, mean[:, 3] - y * y, mean[:, 4] - x * y], axis=1)


def _levels(lab: Floats, weight: Floats) -> Floats:
    """Quantiles of lightness and of both colour axes among what differs most."""
    n, kept = len(lab), HOLE_PX * HOLE_PX // 5
    top = np.argpartition(-weight.reshape(n, -1), kept, axis=1)[:, :kept]
    chosen = np.sort(np.take_along_axis(lab.reshape(n, -1, 3), top[:, :, None], axis=1), axis=1)
    at = [round(q * (kept - 1)) for q in (0.08, 0.3, 0.5, 0.7, 0.92)]
    return chosen[:, at].reshape(n, -1)


def _hues(lab: Floats, weight: Floats, whole: Floats) -> Floats:
    """How much of each hue there is, weighted by how colourful it is."""
    chroma = np.hypot(lab[..., 1], lab[..., 2])
    share = weight * np.minimum(chroma, 60) / 60
    angles = np.arange(_HUES) * (2 * np.pi / _HUES)
    found = []
    for angle in angles:
        near = (lab[..., 1] * np.cos(angle) + lab[..., 2] * np.sin(angle)) / (chroma + 1e-3)
        found.append((share * np.clip(near - 0.5, 0, 1)).sum(axis=(1, 2)))
    return np.stack(found, axis=1) / whole


def _edges(lab: Floats, weight: Floats) -> Floats:
    light = lab[..., 0]
    steps = np.abs(np.diff(light, axis=2))[:, :-1] + np.abs(np.diff(light, axis=1))[:, :, :-1]
    inner = weight[:, :-1, :-1]
    return ((steps * inner).sum(axis=(1, 2)) / inner.sum(axis=(1, 2)))[:, None]


def _coarse(apart: Floats) -> Floats:
    """How the hole differs from the usual one, place by place."""
    n, cell = len(apart), HOLE_PX // _COARSE
    side = cell * _COARSE
    off = (HOLE_PX - side) // 2
    inner = apart[:, off : off + side, off : off + side]
    return inner.reshape(n, _COARSE, cell, _COARSE, cell, 3).mean(axis=(2, 4)).reshape(n, -1)


def _colour(lab: Floats) -> Floats:
    """Colourfulness and hue of colours (N, 3)."""
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    return np.stack([chroma, lab[:, 1] / (chroma + 4), lab[:, 2] / (chroma + 4)], axis=1)
