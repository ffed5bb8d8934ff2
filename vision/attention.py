"""Looking again only where the table has changed: most of a picture at rest was read a moment ago."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.boxes import RIVAL_IOU, box_area, box_iou, suppress
from vision.detections import Detections
from vision.detector import OVERLAP, Detector, FreeDetector, load_detector

STEP_PX, LEAST_PX, LARGE_PX = 64, 192, 512
"""Sizes of the parts looked at, in pixels of the network's input: multiples of the first, of twice that beyond the
last, so that there are few."""

LOOK_PX = 20_000
"""What looking at one more part costs besides its pixels, as a number of pixels."""

MOST_COST = 0.6
"""Parts that cost more than this share of the whole picture are not worth it."""

TIMES = 2
"""A part that has changed is looked at this often, then it counts as known: whoever looks on sees everything anew."""

MARGIN_PX = 40
"""So much is shown around what has changed, in pixels of the network's input: a network needs surroundings."""

AROUND_PX = 8
"""A thing this close to a change (input pixels) may have changed with it."""

LEAST_LEVELS, NOISES, MOST_NOISE = 6.0, 6.0, 4.0
"""A pixel of the small picture has changed when it differs by this many levels and standard deviations of the noise."""

LEAST_MASS = 12.0
"""Pixels that differ count as a change together when their differences add up to this many times what one needs: less
are the edges of things that a camera's noise or a video's packing makes tremble."""

ELSEWHERE = 0.5
"""Changes elsewhere that cover this share of what was looked at once are a new event, not the same one with noise."""

SAME_IOU = 0.5
_SHRINK = 4
_QUARTILE = 0.32

Boxes = NDArray[np.float32]
Corners = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _View:
    """A part of the picture: what it must show (4,), and which changes it is there for."""

    box: Boxes
    changes: tuple[int, ...]


def load_attention(conf: float) -> Detector:
    """The detector that comes with the program, for the pictures of one camera; boxes of at least ``conf``.

    Raises ModelError.
    """
    detector = load_detector(conf=conf, free=True)
    return Attention(detector) if detector.is_free else detector


class Attention:
    """A :class:`vision.detector.Detector` for pictures of one camera, one after the other.

    What has not changed since it was looked at last is still there. Changes are looked at closely at the same scale as
    the whole picture, :data:`TIMES` in a row. The whole picture is looked at first, when much has changed, when
    something reaches beyond the part that is looked at, and when nothing has changed (there is time for it then).
    """

    def __init__(self, detector: FreeDetector, iou: float = OVERLAP) -> None:
        self._detector, self._iou = detector, iou
        self._small: Image | None = None
        self._scale = 1.0
        self._known = Detections.empty()
        self._changes, self._times = np.zeros((0, 4), np.float32), np.zeros(0, np.int64)

    def forget(self) -> None:
        """The camera was moved: look at everything anew."""
        self._small, self._changes, self._times = None, self._changes[:0], self._times[:0]

    def detect(self, image_bgr: Image) -> Detections:
        """See :class:`vision.detector.Detector`."""
        small = _small(image_bgr)
        if self._small is None or self._small.shape != small.shape:
            self.forget()
            return self._everything(image_bgr, small)
        height, width = image_bgr.shape[:2]
        self._scale = min(self._detector.size_wh[0] / width, self._detector.size_wh[1] / height)
        self._notice(np.clip(_changes(self._small, small) * _SHRINK, 0, _limit(image_bgr)).astype(np.float32))
        found = self._closely(image_bgr) if len(self._changes) else None
        if found is None:
            return self._everything(image_bgr, small)
        self._remember(self._small, small)
        self._known = found
        self._looked()
        return found

    def _everything(self, image: Image, small: Image) -> Detections:
        self._known, self._small = self._detector.look(image, self._detector.size_wh), small
        self._looked()
        return self._known

    def _remember(self, before: Image, small: Image) -> None:
        """Only where it was looked at: what changes slowly elsewhere must not go unnoticed."""
        for left, top, right, bottom in (self._changes / _SHRINK).round().astype(int):
            before[top:bottom, left:right] = small[top:bottom, left:right]

    def _looked(self) -> None:
        self._times -= 1
        self._changes, self._times = self._changes[self._times > 0], self._times[self._times > 0]

    def _notice(self, changes: Boxes) -> None:
        """What was looked at before and has changed again counts from the beginning, with the change before; what was
        looked at already is left alone when something else has changed since that is not small beside it."""
        again = _touch(self._changes, changes)
        self._times[_any(again)] = TIMES
        kept, new = self._times == TIMES, changes[~again.any(axis=0)]
        if len(new) and box_area(new).sum() >= ELSEWHERE * box_area(self._changes[~kept]).sum():
            self._changes, self._times = self._changes[kept], self._times[kept]
        self._changes = np.concatenate([self._changes, changes])
        self._times = np.concatenate([self._times, np.full(len(changes), TIMES)])

    def _closely(self, image: Image) -> Detections | None:
        """What is there now, from a look at the changes alone; None when that does not do."""
        changes, old = self._changes, self._known.xyxy_px
        views = self._views(changes, image)
        parts = [self._known.where(~_any(_touch(old, changes)))]
        for view in views or ():
            shown, mine = self._placed(view.box, image), changes[list(view.changes)]
            found = self._seen(image, shown, self._input_wh(view.box))
            replaced = old[_any(_touch(old, mine))]
            new = _any(_touch(found.xyxy_px, mine)) | _any(box_iou(found.xyxy_px, replaced) > SAME_IOU)
            if (new & _cut(found.xyxy_px, shown, image)).any():
                return None
            parts.append(found.where(new))
        return self._joined(parts) if views else None

    def _views(self, changes: Boxes, image: Image) -> list[_View] | None:
        """The parts of the picture to look at; None when the whole picture is cheaper."""
        near = _touch(_grown(changes, AROUND_PX / self._scale), self._known.xyxy_px)
        views = []
        for k, change in enumerate(changes):
            box = _grown(_bounds([change, *self._known.xyxy_px[near[k]]]), MARGIN_PX / self._scale)
            views.append(_View(np.clip(box, 0, _limit(image)), (k,)))
        views = self._merged(views)
        whole = self._detector.size_wh[0] * self._detector.size_wh[1]
        return views if sum(self._cost(view.box) for view in views) <= MOST_COST * whole else None

    def _merged(self, views: list[_View]) -> list[_View]:
        """As few parts as cost least: two are joined where one that costs no more shows both."""
        for i, one in enumerate(views):
            for j, other in enumerate(views[i + 1 :], i + 1):
                both = _bounds([one.box, other.box])
                if self._cost(both) <= self._cost(one.box) + self._cost(other.box):
                    joined = _View(both, one.changes + other.changes)
                    return self._merged([*views[:i], *views[i + 1 : j], *views[j + 1 :], joined])
        return views

    def _input_wh(self, box: Boxes) -> tuple[int, int]:
        """Size of the network's input that shows all of ``box`` (4,) at the scale of the whole picture."""
        sides = (box[2:] - box[:2]) * self._scale
        width, height = (max(LEAST_PX, _stepped(float(side))) for side in sides)
        return min(width, self._detector.size_wh[0]), min(height, self._detector.size_wh[1])

    def _cost(self, box: Boxes) -> int:
        width, height = self._input_wh(box)
        return width * height + LOOK_PX

    def _placed(self, box: Boxes, image: Image) -> Corners:
        """The part of the picture around ``box`` that has the shape of the network's input, moved into the picture."""
        limit = image.shape[1], image.shape[0]
        size = [round(side / self._scale) for side in self._input_wh(box)]
        low = [round(float(box[k] + box[k + 2] - size[k]) / 2) for k in (0, 1)]
        left, top = (max(0, min(low[k], limit[k] - size[k])) for k in (0, 1))
        return left, top, min(left + size[0], limit[0]), min(top + size[1], limit[1])

    def _seen(self, image: Image, shown: Corners, size_wh: tuple[int, int]) -> Detections:
        left, top, right, bottom = shown
        found = self._detector.look(np.ascontiguousarray(image[top:bottom, left:right]), size_wh)
        offset = np.array([left, top, left, top], np.float32)
        return Detections(found.xyxy_px + offset, found.class_id, found.confidence)

    def _joined(self, parts: Sequence[Detections]) -> Detections:
        xyxy, class_id, confidence = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("xyxy_px", "class_id", "confidence")
        )
        keep = suppress(xyxy, class_id, confidence, self._iou, RIVAL_IOU)
        return Detections(xyxy[keep], class_id[keep], confidence[keep])


def _stepped(side: float) -> int:
    step = STEP_PX if side <= LARGE_PX else 2 * STEP_PX
    return int(np.ceil(side / step)) * step


def _small(image: Image) -> Image:
    height, width = image.shape[:2]
    half_wh, size_wh = ((max(1, width // by), max(1, height // by)) for by in (_SHRINK // 2, _SHRINK))
    half = cv2.resize(image, half_wh, interpolation=cv2.INTER_AREA)  # twice by two is many times faster than by four
    return np.asarray(cv2.resize(half, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def _changes(before: Image, now: Image) -> Boxes:
    """Boxes (N, 4) of what has changed between two small pictures, in their pixels."""
    difference = cv2.absdiff(now, before)
    sample = now[::7, ::7].astype(np.int16) - before[::7, ::7]
    noise = float(np.quantile(np.abs(sample - np.median(sample, axis=(0, 1))), 0.25)) / _QUARTILE
    limit = LEAST_LEVELS + NOISES * min(noise, MOST_NOISE)
    blue, green, red = cv2.split(difference)
    strongest = cv2.max(cv2.max(blue, green), red)
    changed = cv2.threshold(strongest, limit, 255, cv2.THRESH_BINARY)[1]
    joined = cv2.dilate(changed, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    at = changed > 0
    mass = np.bincount(labels[at], strongest[at], minlength=len(stats))
    x, y, width, height = stats[mass >= LEAST_MASS * limit, :4].T
    return np.column_stack([x, y, x + width, y + height]).astype(np.float32)


def _cut(boxes: Boxes, shown: Corners, image: Image) -> NDArray[np.bool_]:
    """Which boxes (N, 4) may go on beyond the part that is shown, where the picture does."""
    limit, cut = (0, 0, image.shape[1], image.shape[0]), np.zeros(len(boxes), bool)
    for side, sign in enumerate((1, 1, -1, -1)):
        if shown[side] != limit[side]:
            cut |= sign * (boxes[:, side] - shown[side]) <= 2
    return cut


def _touch(a: Boxes, b: Boxes) -> NDArray[np.bool_]:
    """Which boxes of (N, 4) and (M, 4) overlap, (N, M)."""
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    return np.asarray((high > low).all(axis=2))


def _any(table: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray(table.any(axis=1))


def _grown(boxes: Boxes, by: float) -> Boxes:
    return boxes + np.array([-by, -by, by, by], np.float32)


def _bounds(boxes: Sequence[Boxes]) -> Boxes:
    every = np.stack(boxes)
    return np.concatenate([every[:, :2].min(axis=0), every[:, 2:].max(axis=0)])


def _limit(image: Image) -> Boxes:
    return np.array([image.shape[1], image.shape[0]] * 2, np.float32)
