"""Tells kinds of pieces apart by what is known of the set on the table: its pawns may look like no other pawns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.exemplars.errors import SetError
from vision.exemplars.prints import SIDE_PX
from vision.exemplars.store import ExemplarSet, Lesson
from vision.reading import Box

KINDS = ("pawn", "guard", "flixxy")
"""What pieces are taught as."""

NATS, MOST_NATS = 1.8, 4.0
"""Nats between two kinds for each unit that one looks more alike, and the most that is believed; found on sets of the
validation split."""

ENOUGH = 6
"""So many exemplars of a kind are kept from one look at a known position."""

BOX_SHARE = 1.1
"""Side of the square that is kept of a piece, in parts of the longer side of its box."""

HEIGHTS = ((14, 40), (40, 62), (62, 84))
"""Rows of the square in which a piece's colour is looked at: head, body, foot."""

_MIDDLE = slice(40, 56)
_TONE, _LIT = 6.0, 50.0

Floats = NDArray[np.float64]


class PieceKnowledge:
    """What is known of a set's pieces. Not safe to use from several threads."""

    def __init__(self, own: ExemplarSet) -> None:
        self._own, self._revision = own, -1
        self._looks: list[tuple[str, Floats]] = []

    def kinds(
        self, image_bgr: Image, boxes_px: Sequence[Box], general: Sequence[Mapping[str, float]]
    ) -> list[dict[str, float]]:
        """The detector's probabilities of kinds for each box and what the set's own pieces say in one."""
        return [self._kind(image_bgr, box, row) for box, row in zip(boxes_px, general, strict=True)]

    def _kind(self, image: Image, box: Box, row: Mapping[str, float]) -> dict[str, float]:
        looks = [(kind, look) for kind, look in self._known() if kind in row]
        if len({kind for kind, _ in looks}) < 2:
            return dict(row)
        here = _look(piece_print(image, box), _slender(box))
        off: dict[str, float] = {}
        for kind, look in looks:
            off[kind] = min(float(np.abs(here - look).sum()), off.get(kind, np.inf))
        best, worst = min(off.values()), max(off.values())
        both = {
            name: share * math.exp(-min(NATS * (off.get(name, worst) - best), MOST_NATS)) for name, share in row.items()
        }
        total = sum(both.values())
        return {name: share / total for name, share in both.items()}

    def _known(self) -> list[tuple[str, Floats]]:
        if self._revision != self._own.revision:
            self._revision = self._own.revision
            entries = [e for e in self._own.all("piece") if not e.doubted and len(e.said) == 1]
            self._looks = [(e.label, _look(self._own.crop(e.ident)[:, :, :3], e.said[0])) for e in entries]
        return self._looks

    def learn(self, image_bgr: Image, pieces: Sequence[tuple[str, Box]], source: str) -> None:
        """Pieces in these boxes are of these kinds."""
        lessons = []
        for kind in KINDS:
            boxes = [box for name, box in pieces if name == kind][:ENOUGH]
            lessons += [
                Lesson("piece", kind, piece_print(image_bgr, box), None, source, (_slender(box),)) for box in boxes
            ]
        try:
            self._own.add_all(lessons)
        except SetError:
            return  # a full set goes on deciding


def _slender(box: Box) -> float:
    """Width of a box in parts of its height, at most 1."""
    return min(max(box[2] - box[0], 1.0) / max(box[3] - box[1], 1.0), 1.0)


def _look(crop_bgr: Image, slender: float) -> Floats:
    """Colours at HEIGHTS, free of the light, and how slender the piece is; sums of differences mean something."""
    lab = cv2.cvtColor(np.ascontiguousarray(crop_bgr[:, _MIDDLE]), cv2.COLOR_BGR2LAB).astype(np.float64)
    parts = []
    for top, bottom in HEIGHTS:
        light, red, yellow = np.median(lab[top:bottom].reshape(-1, 3), axis=0)
        parts += [tone * _LIT / max(light * 100 / 255 + 16, 20.0) for tone in (red - 128, yellow - 128)]
    return np.array([*(part / _TONE / len(parts) for part in parts), math.log(slender)], np.float64)


def piece_print(image_bgr: Image, box_px: Box) -> Image:
    """A square around a standing piece, (SIDE_PX, SIDE_PX, 3)."""
    left, top, right, bottom = box_px
    scale = BOX_SHARE * max(right - left, bottom - top, 2.0) / SIDE_PX
    middle = (left + right) / 2, (top + bottom) / 2
    matrix = np.array([[scale, 0, middle[0] - scale * SIDE_PX / 2], [0, scale, middle[1] - scale * SIDE_PX / 2]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(image_bgr, matrix, (SIDE_PX, SIDE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
