"""Tells kinds of pieces apart by what is known of the set on the table: its pawns may look like no other pawns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.arrays import Image
from vision.exemplars.errors import SetError
from vision.exemplars.prints import SIDE_PX
from vision.exemplars.store import ExemplarSet, Lesson
from vision.exemplars.tops import Tops, shares
from vision.reading import Box

KINDS = ("pawn", "guard", "flixxy")
"""What pieces are taught as."""

SURE = 0.9
"""Where the detector is as sure of a kind as this, nothing is compared."""

STEEPNESS = 12.0
"""Nats between two kinds for each unit of likeness."""

ENOUGH = 6
"""So many exemplars of a kind are kept from one look at a known position."""

BOX_SHARE = 1.1
"""Side of the square that is kept of a piece, in parts of the longer side of its box."""


class PieceKnowledge:
    """What is known of a set's pieces. Not safe to use from several threads."""

    def __init__(self, own: ExemplarSet) -> None:
        self._own, self._pieces = own, Tops(own, "piece", turns=1)

    def kinds(
        self, image_bgr: Image, boxes_px: Sequence[Box], general: Sequence[Mapping[str, float]]
    ) -> list[dict[str, float]]:
        """The detector's probabilities of kinds for each box and what the set's own pieces say in one."""
        return [
            dict(row) if max(row.values()) >= SURE else self._kind(image_bgr, box, row)
            for box, row in zip(boxes_px, general, strict=True)
        ]

    def _kind(self, image: Image, box: Box, row: Mapping[str, float]) -> dict[str, float]:
        own = shares(self._pieces.likeness(piece_print(image, box)), STEEPNESS, [name for name in KINDS if name in row])
        if len(own) < 2:
            return dict(row)
        least = min(own.values())
        both = {name: share * own.get(name, least) for name, share in row.items()}
        total = sum(both.values())
        return {name: share / total for name, share in both.items()}

    def learn(self, image_bgr: Image, pieces: Sequence[tuple[str, Box]], source: str) -> None:
        """Pieces in these boxes are of these kinds."""
        lessons = []
        for kind in KINDS:
            boxes = [box for name, box in pieces if name == kind][:ENOUGH]
            lessons += [Lesson("piece", kind, piece_print(image_bgr, box), None, source) for box in boxes]
        try:
            self._own.add_all(lessons)
        except SetError:
            return  # a full set goes on deciding


def piece_print(image_bgr: Image, box_px: Box) -> Image:
    """A square around a standing piece, (SIDE_PX, SIDE_PX, 3)."""
    left, top, right, bottom = box_px
    scale = BOX_SHARE * max(right - left, bottom - top, 2.0) / SIDE_PX
    middle = (left + right) / 2, (top + bottom) / 2
    matrix = np.array([[scale, 0, middle[0] - scale * SIDE_PX / 2], [0, scale, middle[1] - scale * SIDE_PX / 2]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(image_bgr, matrix, (SIDE_PX, SIDE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
