"""Reads dice by what is known of the set on the table: faces of its own dice, and which of two is the action die."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.plane import TablePlane
from models.classes import DIE_CLASSES
from vision.exemplars.crops import top_of, top_print
from vision.exemplars.cube import Cube, fitted_cube
from vision.exemplars.errors import SetError
from vision.exemplars.meaning import Meaning, face_meaning
from vision.exemplars.store import ExemplarSet, Lesson
from vision.exemplars.tops import Tops, evenness, shares
from vision.reading import Box

ACTIONS = ("must", "may", "may_not")
"""What the action die of Verflixxt nochmal can say; its symbols are taught."""

STEEPNESS = 30.0
"""Nats between two symbols or faces for each unit of likeness."""

VAGUE, FOUND, UNTAUGHT = 0.6, 0.7, 0.75
"""Faces less alike than this are all as unlikely, for the top was not found well; one that is more alike was met again;
what a face that nobody taught counts."""

EVEN, EVEN_WORTH, MOST_ODD = 0.79, 25.0, 8.0
"""How alike pips are to themselves after half a turn at least, nats against pips for each unit less, and the most."""

APART_WORTH, PIPS_WORTH = 25.0, 0.5
"""Nats for the action die for each unit that its symbols are more alike than the faces of other dice, and share of the
reader of pips' doubt that counts for it."""

UNKNOWN = 0.6
"""How alike the face of another die is, where none was taught."""

NO_ACTION_DIE, ALONE = 0.1, 1.0
"""How likely there is no action die among several dice, against one that is as likely it as not; beside a single die
that lies there both are as likely."""

MISTAKEN = 0.15
"""An exemplar that was this much more alike than those of the true symbol, and a person says it is something else, is
doubted."""

SAME_BOX_PX, SAME_LOOK = 1.5, 25.0
"""A box this far from where it was, whose top has changed by so many grey levels, need not be compared again."""

LATELY = 16
"""So many tops that were compared last are remembered."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)  # without slots: evenness is costly, and most dice are never asked for it
class _Top:
    box_px: Box
    cube: Cube
    crop: Image
    faces: Mapping[str, float]
    symbols: Mapping[str, float]

    @cached_property
    def even(self) -> float:
        """See :func:`vision.exemplars.tops.evenness`."""
        return evenness(self.crop)


class DieKnowledge:
    """What is known of a set's dice. Not safe to use from several threads."""

    def __init__(self, own: ExemplarSet) -> None:
        self._own = own
        self._faces, self._actions = Tops(own, "die"), Tops(own, "action_die")
        self._tops: list[_Top] = []
        self._lately: list[_Top] = []
        self._heard: list[tuple[Box, tuple[float, ...]]] = []
        self._seen_with = -1
        self._action: _Top | None = None
        self._meaning: tuple[int, Meaning] | None = None

    def read(
        self, image_bgr: Image, plane: TablePlane, boxes_px: Sequence[Box], general: NDArray[np.float32],
        pips_only: bool = True,
    ) -> tuple[Floats, list[dict[str, float]]]:
        """See :meth:`vision.exemplars.knowledge.Knowledge.dice`."""
        faces = np.asarray(general, np.float64)
        self._heard = [(box, tuple(float(p) for p in row)) for box, row in zip(boxes_px, faces, strict=True)]
        if not boxes_px or (pips_only and not self._faces and not self._actions):
            return faces, [{} for _ in boxes_px]
        if self._seen_with != self._own.revision:
            self._lately, self._seen_with = [], self._own.revision
        self._tops = [self._compared(image_bgr, plane, box) for box in boxes_px]
        self._lately = [*self._tops, *(old for old in self._lately if old not in self._tops)][:LATELY]
        faces = self._with_own_faces(faces)
        if not pips_only:
            faces = np.array([_doubted(row, top) for row, top in zip(faces, self._tops, strict=True)])
        if not self._actions:
            return faces, [{} for _ in self._tops]
        shown = self._shown(np.asarray(general, np.float64))
        for k, symbols in enumerate(shown):
            if sum(symbols.values()) > 0.5:
                faces[k] = [float(name == "none") for name in DIE_CLASSES]
                self._action = self._tops[k]
        return faces, shown

    def _with_own_faces(self, general: Floats) -> Floats:
        taught = {name for top in self._tops for name in top.faces}
        if not taught:
            return general
        strange = {name: VAGUE if name in ("none", "face") else UNTAUGHT for name in DIE_CLASSES}
        alike = [[top.faces.get(name, strange[name]) for name in DIE_CLASSES] for top in self._tops]
        likely = self._meant().shares(general) * np.exp(STEEPNESS * np.maximum(np.array(alike), VAGUE))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float64)

    def _shown(self, general: Floats) -> list[dict[str, float]]:
        """For each die the probabilities of the symbols of the action die; at most one of them is it."""
        odds = []
        for top, row in zip(self._tops, general, strict=True):
            pips = float(row[:6].max())
            apart = max(top.symbols.values()) - max(top.faces.values(), default=UNKNOWN)
            odds.append(APART_WORTH * apart + PIPS_WORTH * math.log((1.05 - pips) / (pips + 0.05)))
        most, none = max(odds), NO_ACTION_DIE if len(odds) > 1 else ALONE
        likely = [math.exp(one - most) for one in odds]
        total = sum(likely) + none * math.exp(min(-most, 50.0))
        return [
            {name: one / total * share for name, share in shares(top.symbols, STEEPNESS, ACTIONS).items()}
            for one, top in zip(likely, self._tops, strict=True)
        ]

    def _compared(self, image: Image, plane: TablePlane, box: Box) -> _Top:
        for top in self._lately:
            if max(abs(a - b) for a, b in zip(top.box_px, box, strict=True)) < SAME_BOX_PX:
                crop = top_of(image, plane, top.cube)
                if _changed(top.crop, crop) < SAME_LOOK:
                    return top
        cube = fitted_cube(image, plane, box)
        crop = top_of(image, plane, cube)
        return _Top(box, cube, crop, self._faces.likeness(crop), self._actions.likeness(crop))

    def _meant(self) -> Meaning:
        if self._meaning is None or self._meaning[0] != self._own.revision:
            known = [e for e in self._own.all("die") if len(e.said) == len(DIE_CLASSES) and not e.doubted]
            meaning = face_meaning([e.said for e in known], [e.label for e in known])
            self._meaning = self._own.revision, meaning
        return self._meaning[1]

    def learn(self, image_bgr: Image, plane: TablePlane, box_px: Box, face: str, source: str) -> None:
        """See :meth:`vision.exemplars.knowledge.Knowledge.learn_die`."""
        kind = "action_die" if face in ACTIONS else "die"
        said = next((row for box, row in self._heard if math.dist(box, box_px) < 2 * SAME_BOX_PX), ())
        self._keep(Lesson(kind, face, top_print(image_bgr, plane, box_px), None, source, said))

    def correct(self, symbol: str) -> None:
        """A person told the action die that was last seen otherwise."""
        if self._action is None or symbol not in ACTIONS:
            return
        alike = self._actions.likeness(self._action.crop)
        best = max(alike, key=lambda name: alike[name], default=symbol)
        if best != symbol and alike[best] - alike.get(symbol, -1.0) >= MISTAKEN:
            self._own.judge(contradicted=[self._actions.nearest(self._action.crop)])
        self._keep(Lesson("action_die", symbol, self._action.crop, None, "person"))

    def _keep(self, lesson: Lesson) -> None:
        try:
            self._own.add_all([lesson])
        except SetError:
            return  # a full set goes on deciding


def _doubted(row: Floats, top: _Top) -> Floats:
    """Faces (K,) of a top once it is known how alike it is to itself after half a turn, unless its face was taught."""
    if max(top.faces.values(), default=0.0) >= FOUND:
        return row
    odds = math.exp(-min(max(EVEN - top.even, 0.0) * EVEN_WORTH, MOST_ODD))
    left = np.concatenate([row[:6] * odds, row[6:]])
    left[DIE_CLASSES.index("none")] += float(row[:6].sum()) * (1 - odds)
    return np.asarray(left / left.sum(), np.float64)


def _changed(before: Image, now: Image) -> float:
    """By how many grey levels the part of a top has changed that has changed most, a thirtieth of it."""
    off = cv2.blur(cv2.absdiff(before, now), (3, 3)).max(axis=2)
    return float(np.quantile(off, 1 - 1 / 30))
