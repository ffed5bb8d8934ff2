"""Letterboxing, decoding of a detector's raw output and non-maximum suppression, as plain functions on arrays."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from models.classes import DETECTOR_CLASSES
from vision.runtime import rgb_planes

Floats = NDArray[np.float32]

RIVALS = (("pawn", "guard"), ("tile", "end_tile"))
"""Classes that one thing is easily given both of; see :func:`suppress`."""

RIVAL_IOU = 0.65
LEAST_CLASSES = DETECTOR_CLASSES.index("hand") + 1
_GREY = 114
_MOST_BOXES = 2000
_AT_A_TIME = 128


@dataclass(frozen=True, slots=True)
class Letterbox:
    """How a picture was fitted into the detector's input: scaled by ``scale``, then moved by ``offset_px``."""

    scale: float
    offset_px: tuple[int, int]
    picture_wh: tuple[int, int]

    def to_picture(self, xyxy: Floats) -> Floats:
        """Boxes (N, 4) in input pixels as boxes in the picture's pixels, clipped to it."""
        boxes = (xyxy - np.array(self.offset_px * 2, np.float32)) / np.float32(self.scale)
        limit = np.array(self.picture_wh * 2, np.float32)
        return np.asarray(np.clip(boxes, 0, limit), np.float32)


def letterbox(image_bgr: Image, size_wh: tuple[int, int]) -> tuple[Floats, Letterbox]:
    """A picture as network input (1, 3, H, W), RGB 0..1: fitted into ``size_wh``, centred on grey."""
    height, width = image_bgr.shape[:2]
    scale = min(size_wh[0] / width, size_wh[1] / height)
    new_w, new_h = max(1, round(width * scale)), max(1, round(height * scale))
    left, top = (size_wh[0] - new_w) // 2, (size_wh[1] - new_h) // 2
    canvas = np.full((size_wh[1], size_wh[0], 3), _GREY, np.uint8)
    if scale != 1:
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        image_bgr = np.asarray(cv2.resize(image_bgr, (new_w, new_h), interpolation=way), np.uint8)
    canvas[top : top + new_h, left : left + new_w] = image_bgr
    return rgb_planes(canvas[None]), Letterbox(scale, (left, top), (width, height))


def decode(
    output: Floats, conf: float, iou: float, rival_iou: float = RIVAL_IOU
) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Boxes (N, 4) x1, y1, x2, y2 in input pixels, classes (N,), confidences (N,) from a raw output.

    Understands (1, 4 + K, M) with cx, cy, w, h and K class scores (then suppressed with ``iou``) and the end-to-end
    form (1, M, 6) with x1, y1, x2, y2, score, class. K may be smaller than the number of classes: weights trained
    before the last classes were added. Only boxes of at least ``conf``. Raises ValueError for others.
    """
    classes = len(DETECTOR_CLASSES)
    if output.ndim == 3 and output.shape[0] == 1 and 4 + LEAST_CLASSES <= output.shape[1] <= 4 + classes:
        xyxy, class_id, score = _raw(output[0].T, conf)
    elif output.ndim == 3 and output.shape[0] == 1 and output.shape[2] == 6:
        rows = output[0][output[0][:, 4] >= conf]
        xyxy, class_id, score = rows[:, :4], rows[:, 5].round().astype(np.int64), rows[:, 4]
    else:
        raise ValueError(f"{output.shape} instead of (1, {4 + classes}, M) or (1, M, 6)")
    keep = suppress(xyxy, class_id, score, iou, rival_iou)
    return xyxy[keep], class_id[keep], score[keep]


def _raw(rows: Floats, conf: float) -> tuple[Floats, NDArray[np.int64], Floats]:
    score = rows[:, 4:].max(axis=1)
    rows, score = rows[score >= conf], score[score >= conf]
    strongest = np.argsort(-score, kind="stable")[:_MOST_BOXES]
    rows, score = rows[strongest], score[strongest]
    centre, half = rows[:, :2], rows[:, 2:4] / 2
    class_id = np.asarray(rows[:, 4:].argmax(axis=1), np.int64)
    return np.asarray(np.hstack([centre - half, centre + half]), np.float32), class_id, np.asarray(score, np.float32)


def suppress(
    xyxy: Floats, class_id: NDArray[np.int64], score: Floats, iou: float, rival_iou: float = RIVAL_IOU
) -> NDArray[np.int64]:
    """Indices of the boxes that survive non-maximum suppression, strongest first.

    Within one class boxes may overlap up to ``iou``, between the rivals of :data:`RIVALS` up to ``rival_iou``: two
    rivals that overlap more are one thing seen twice.
    """
    group = class_id.copy()
    for first, second in RIVALS:
        group[class_id == DETECTOR_CLASSES.index(second)] = DETECTOR_CLASSES.index(first)
    order = np.argsort(-score, kind="stable")
    gone = np.zeros(len(order), bool)
    kept: list[int] = []
    for begin in range(0, len(order), _AT_A_TIME):
        some = order[begin : begin + _AT_A_TIME]
        overlap = box_iou(xyxy[some], xyxy[order])
        allowed = np.where(class_id[some][:, None] == class_id[order], iou, rival_iou)
        bars = (overlap > allowed) & (group[some][:, None] == group[order])
        for row, best in enumerate(some, begin):
            if not gone[row]:
                kept.append(int(best))
                gone |= bars[row - begin]
    return np.array(kept, np.int64)


def box_iou(first: Floats, second: Floats) -> Floats:
    """Intersection over union (N, M) of boxes (N, 4) and (M, 4), x1, y1, x2, y2."""
    shared = shared_area(first, second)
    union = box_area(first)[:, None] + box_area(second)[None] - shared
    return np.asarray(shared / np.maximum(union, 1e-9), np.float32)


def shared_area(first: Floats, second: Floats) -> Floats:
    """What boxes (N, 4) and (M, 4), x1, y1, x2, y2, have in common, (N, M)."""
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    return np.asarray(np.prod(np.clip(high - low, 0, None), axis=2))


def box_area(boxes: Floats) -> Floats:
    """Areas (N,) of boxes (N, 4), x1, y1, x2, y2."""
    return np.asarray(np.prod(np.clip(boxes[:, 2:] - boxes[:, :2], 0, None), axis=1))
