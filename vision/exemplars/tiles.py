"""Reads tiles by what is known of the set on the table, and learns more of them while a game goes on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Image
from calibration.plane import TablePlane
from models.classes import TILE_CLASSES, TILE_CROP_MM
from vision.exemplars.crops import tile_print, visible
from vision.exemplars.decide import Decider, Floats, joined, shared_out
from vision.exemplars.meaning import TILE_WORDS, Meaning, tile_meaning
from vision.exemplars.prints import DISC, SIDE_PX, Print
from vision.exemplars.store import ExemplarSet, Lesson
from vision.numbers import unread
from vision.reading import Box, Point

LEAST_SHARE = 0.35
"""Less of a tile than this in view teaches nothing."""

SAME_SCORE, SAME_COST = 0.8, 0.22
"""An exemplar that beats all others by this and differs this little shows the same tile: evidence for its label."""

SAME_LOOK = 0.06
"""A tile that looks this much like an exemplar of its own teaches nothing new."""

SAME_PLACE_MM = 4.0
"""A tile that is seen further than this from where it lay has moved."""

BETTER_SHARE = 0.2
"""A tile of which so much more is in view than before is compared again."""


@dataclass(frozen=True, slots=True)
class _Place:
    pos_mm: Point
    share: float
    nats: Floats


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a look at a known position taught: how many new pictures, and those that it speaks against."""

    new: int
    contradicted: tuple[str, ...]


class TileKnowledge:
    """What is known of a set's tiles. Not safe to use from several threads."""

    def __init__(self, own: ExemplarSet) -> None:
        self._own, self._tiles = own, Decider(own, "tile")
        self._places: list[_Place] = []
        self._compared_with = (-1, 0)
        self._heard: list[tuple[Point, tuple[float, ...]]] = []
        self._meaning: tuple[int, Meaning] | None = None

    def values(
        self, image_bgr: Image, plane: TablePlane, centres_mm: Sequence[Point], pieces_px: Sequence[Box],
        general: Sequence[Sequence[float]], words: Sequence[Sequence[float]] = (),
    ) -> list[tuple[float, ...]]:
        """See :meth:`vision.exemplars.knowledge.Knowledge.values`."""
        said = [_words(row, words[k] if words else ()) for k, row in enumerate(general)]
        self._heard = list(zip(centres_mm, said, strict=True))
        if not centres_mm or self._tiles.matcher() is None:
            return [tuple(row) for row in general]
        own = self._compared(image_bgr, plane, centres_mm, pieces_px)
        meant = self._meant().shares(np.asarray(said, np.float64))
        probs = shared_out(joined(meant, own), TILE_CLASSES, self._own.counts)
        return [tuple(float(p) for p in row) for row in probs]

    def _meant(self) -> Meaning:
        """What the general readers' words mean on this set; found anew when the set has changed."""
        if self._meaning is None or self._meaning[0] != self._own.revision:
            known = [
                e for e in self._own.all("tile")
                if len(e.said) == TILE_WORDS and not e.doubted and e.label in TILE_CLASSES
            ]
            meaning = tile_meaning([e.said for e in known], [e.label for e in known], self._own.counts)
            self._meaning = self._own.revision, meaning
        return self._meaning[1]

    def _compared(
        self, image_bgr: Image, plane: TablePlane, centres_mm: Sequence[Point], pieces_px: Sequence[Box]
    ) -> Floats:
        """What the set's own tiles say about each place, (N, K) nats; places that were compared before are known."""
        if self._compared_with != (self._tiles.version, id(plane)):
            self._compared_with, self._places = (self._tiles.version, id(plane)), []
        here: list[_Place] = []
        fresh: list[int] = []
        prints: list[Print] = []
        for k, centre in enumerate(centres_mm):
            seen = visible(plane, centre, TILE_CROP_MM, pieces_px)
            share = float((seen & DISC).sum() / DISC.sum())
            old = next((p for p in self._places if math.dist(p.pos_mm, centre) < SAME_PLACE_MM), None)
            if old is None or share > old.share + BETTER_SHARE:
                fresh.append(k)
                prints.append(Print(plane.rectify(image_bgr, centre, TILE_CROP_MM, SIDE_PX), seen))
                old = _Place(centre, share, np.zeros(len(TILE_CLASSES)))
            here.append(old)
        for k, row in zip(fresh, self._tiles.log_likelihoods(prints, TILE_CLASSES), strict=True):
            here[k] = replace(here[k], nats=row)
        self._places = here
        return np.array([place.nats for place in here])

    def learn(
        self, image_bgr: Image, plane: TablePlane, tiles: Sequence[tuple[str, Point]], pieces_px: Sequence[Box],
        source: str,
    ) -> Learnt:
        """See :meth:`vision.exemplars.knowledge.Knowledge.learn_tiles`."""
        crops = [tile_print(image_bgr, plane, centre, pieces_px) for _, centre in tiles]
        prints = [Print(*crop) for crop in crops]
        labels = [label for label, _ in tiles]
        if source == "start":
            self._own.count(Counter(labels))
        familiar, against = self._judged(prints, labels)
        new = [
            Lesson("tile", label, *crop, source, self._said_of(pos))
            for (label, pos), crop, print_, old in zip(tiles, crops, prints, familiar, strict=True)
            if not old and print_.share >= LEAST_SHARE
        ]
        self._own.add_all(new)
        return Learnt(len(new), against)

    def _said_of(self, pos_mm: Point) -> tuple[float, ...]:
        return next((words for pos, words in self._heard if math.dist(pos, pos_mm) < SAME_PLACE_MM), ())

    def _judged(self, prints: Sequence[Print], labels: Sequence[str]) -> tuple[list[bool], tuple[str, ...]]:
        """Which prints are known well already; what is evidence for or against exemplars is counted."""
        matcher = self._tiles.matcher()
        if matcher is None:
            return [False] * len(prints), ()
        familiar: list[bool] = []
        nearest: dict[int, tuple[float, bool]] = {}
        for label, found in zip(labels, matcher.match(prints), strict=True):
            best = found[0] if found else None
            familiar.append(best is not None and best.label == label and best.cost < SAME_LOOK)
            if best is not None and best.score >= SAME_SCORE and best.cost <= SAME_COST:
                one = best.cost, best.label == label
                nearest[best.index] = min(one, nearest.get(best.index, one))
        # An exemplar shows one tile: only the tile that is most like it says whether its label is right.
        agreed, against = set[str](), set[str]()
        for index, (_, right) in nearest.items():
            (agreed if right else against).update(self._tiles.members(index))
        self._own.judge(agreed, against)
        return familiar, tuple(sorted(against))


def _words(general: Sequence[float], words: Sequence[float]) -> tuple[float, ...]:
    """What the readers said of one tile: together, of its kind, of its number."""
    return (*general, *(words or (*general, *(float(p) for p in unread()))))
