"""What eyes know about the set on the table, and how they learn more of it while a game goes on."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.plane import TablePlane
from models.classes import DIE_CLASSES, TILE_CLASSES, TILE_CROP_MM
from vision.exemplars.crops import SIZES, tile_print, token_print, top_print, visible
from vision.exemplars.decide import TRUST, Decider, Floats, best_view, fitting_trust, joined, shared_out
from vision.exemplars.errors import SetError
from vision.exemplars.prints import DISC, SIDE_PX, Print
from vision.exemplars.store import ExemplarSet
from vision.reading import Box, Point

ACTIONS = ("must", "may", "may_not")
"""What the action die of Verflixxt nochmal can say; its symbols are taught."""

WORMS = ("extra_turn", "to_bottom", "move_others", "swap")
"""What a worm token of Verflixxt nochmal can be spent on; its symbols are taught."""

LEAST_SHARE = 0.35
"""Less of a tile than this in view teaches nothing."""

SAME_SCORE, SAME_COST = 0.8, 0.22
"""An exemplar that beats all others by this and differs this little shows the same tile: evidence for its label."""

MISTAKEN = 0.5
"""An exemplar that decided a reading by this, and a person says it is something else, is doubted."""

SAME_LOOK = 0.06
"""A tile that looks this much like an exemplar of its own teaches nothing new."""

LEAST_PAIRS = 12
"""The general reader is judged by so many tiles at least."""

FACE_TRUST = 0.5
"""How far the general reader of pips is believed once faces of the set's own die were taught: people teach them where
it goes wrong."""

ANOTHER_DIE = 1 / 3
"""Share of the dice that lie on a table with an action die that are it, before anybody has looked."""

FIT_WORTH, BODY_WORTH, MOST_NATS = 10.0, 10.0, 4.0
"""Nats for the action die when its symbols fit better than the faces of other dice, by cost, and when the colour of its
body does, by distance; neither counts more than the third."""

OTHER_BODY = 0.25
"""A body whose colour differs by this from all that were taught speaks against the action die, lamps allowed for."""

UNFIT = 0.5
"""Where no face of another die was taught, a symbol that differs by this cost is as likely none."""


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


class Knowledge:
    """Reads tiles and dice by what is known of ``own``. Safe to use from several threads."""

    def __init__(self, own: ExemplarSet) -> None:
        self.own = own
        self._lock = threading.RLock()
        self._tiles, self._faces, self._actions = (Decider(own, (kind,)) for kind in ("tile", "die", "action_die"))
        self._worms = Decider(own, ("worm",))
        self._last_action: list[Image] = []
        self._places: list[_Place] = []
        self._general: list[tuple[Point, Sequence[float]]] = []
        self._compared_with = (-1, 0)

    # Tiles.

    def values(
        self, image_bgr: Image, plane: TablePlane, centres_mm: Sequence[Point], pieces_px: Sequence[Box],
        general: Sequence[Sequence[float]],
    ) -> list[tuple[float, ...]]:
        """Probabilities (N, len(TILE_CLASSES)) of the general reader and of the set's own tiles in one, with no value
        more often than the set has it; a tile that lies still is compared once."""
        with self._lock:
            self._general = list(zip(centres_mm, general, strict=True))
            if not centres_mm or self._tiles.matcher() is None:
                return [tuple(row) for row in general]
            own = self._compared(image_bgr, plane, centres_mm, pieces_px)
            trust = TRUST if self.own.trust is None else self.own.trust
            both = joined(np.asarray(general, np.float64), own, trust)
            probs = shared_out(both, TILE_CLASSES, self.own.counts)
            return [tuple(float(p) for p in row) for row in probs]

    def _compared(
        self, image_bgr: Image, plane: TablePlane, centres_mm: Sequence[Point], pieces_px: Sequence[Box]
    ) -> Floats:
        """What the set's own tiles say about each place, (N, K) nats; places that were compared before are known."""
        if self._compared_with != (self.own.revision, id(plane)):
            self._compared_with, self._places = (self.own.revision, id(plane)), []
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
            here.append(_Place(centre, share, np.zeros(len(TILE_CLASSES))) if k in fresh or old is None else old)
        for k, row in zip(fresh, self._tiles.log_likelihoods(prints, TILE_CLASSES), strict=True):
            here[k] = replace(here[k], nats=row)
        self._places = here
        return np.array([place.nats for place in here])

    def learn_tiles(
        self, image_bgr: Image, plane: TablePlane, tiles: Sequence[tuple[str, Point]], pieces_px: Sequence[Box],
        source: str = "start",
    ) -> Learnt:
        """Take tiles whose values are known for what they are; exemplars with another label are doubted."""
        with self._lock:
            crops = [tile_print(image_bgr, plane, centre, pieces_px) for _, centre in tiles]
            prints = [Print(*crop) for crop in crops]
            labels = [label for label, _ in tiles]
            if source == "start":
                self.own.count(Counter(labels))
                self._weigh(tiles)
            familiar, against = self._judged(prints, labels)
            new = [
                (label, crop)
                for label, crop, print_, old in zip(labels, crops, prints, familiar, strict=True)
                if not old and print_.share >= LEAST_SHARE
            ]
            self.own.add_all([("tile", label, crop, seen, source) for label, (crop, seen) in new])
            return Learnt(len(new), against)

    def _weigh(self, tiles: Sequence[tuple[str, Point]]) -> None:
        """Find out how far the general reader may be believed: what it has just read against what lies there."""
        pairs = [
            (row, TILE_CLASSES.index(label)) for label, pos in tiles for centre, row in self._general
            if label in TILE_CLASSES and math.dist(centre, pos) < SAME_PLACE_MM
        ]
        if len(pairs) >= LEAST_PAIRS:
            self.own.believe(fitting_trust(np.array([row for row, _ in pairs], np.float64), [k for _, k in pairs]))

    def _judged(self, prints: Sequence[Print], labels: Sequence[str]) -> tuple[list[bool], tuple[str, ...]]:
        """Which prints are known well already; what is evidence for or against exemplars is counted."""
        matcher = self._tiles.matcher()
        if matcher is None:
            return [False] * len(prints), ()
        familiar, agreed, against = [], set[str](), set[str]()
        for label, found in zip(labels, matcher.match(prints), strict=True):
            best = found[0] if found else None
            familiar.append(best is not None and best.label == label and best.cost < SAME_LOOK)
            if best is not None and best.score >= SAME_SCORE and best.cost <= SAME_COST:
                (agreed if best.label == label else against).add(self._tiles.idents[best.index])
        self.own.judge(agreed, against)
        return familiar, tuple(sorted(against))

    # Dice.

    def dice(
        self, image_bgr: Image, plane: TablePlane, boxes_px: Sequence[Box], general: NDArray[np.float32]
    ) -> tuple[Floats, list[dict[str, float]]]:
        """Faces (N, 7) as the set's own dice correct the reader's ``general`` ones, and for each box the
        probabilities that it is the action die showing a symbol (empty where none was taught).

        A box that most likely is the action die is no die for the game: its face is ``none``.
        """
        with self._lock:
            if not len(boxes_px) or (self._faces.matcher() is None and self._actions.matcher() is None):
                return np.asarray(general, np.float64), [{} for _ in boxes_px]
            tops = [[Print(top_print(image_bgr, plane, box, size)) for size in SIZES] for box in boxes_px]
            faces = np.asarray(general, np.float64)
            if self._faces.matcher() is not None:
                own = self._faces.log_likelihoods([view for top in tops for view in top], DIE_CLASSES, len(SIZES))
                faces = joined(faces, own, FACE_TRUST)
            if self._actions.matcher() is None:
                return faces, [{} for _ in boxes_px]
            shown = [self._symbols(top, row) for top, row in zip(tops, general, strict=True)]
            for k, symbols in enumerate(shown):
                if sum(symbols.values()) > 0.5:
                    faces[k] = [float(name == "none") for name in DIE_CLASSES]
                    self._last_action = [top_print(image_bgr, plane, boxes_px[k], size) for size in SIZES]
            return faces, shown

    def _symbols(self, top: Sequence[Print], general: NDArray[np.float32]) -> dict[str, float]:
        """Probabilities of the symbols of the action die for a die's top in a few sizes; what they lack to 1 is how
        likely it is another die."""
        mine, others = self._actions.best(top), self._faces.best(top)
        if mine is None:
            return {}
        pips = float(general[:6].max())
        odds = math.log(ANOTHER_DIE / (1 - ANOTHER_DIE)) + 0.5 * math.log((1.05 - pips) / (pips + 0.05))
        if others is None:
            odds += float(np.clip(FIT_WORTH * (UNFIT - mine.cost), -MOST_NATS, MOST_NATS))
            odds += float(np.clip(BODY_WORTH * (OTHER_BODY - mine.body), -MOST_NATS, 1.0))
        else:
            odds += float(np.clip(FIT_WORTH * (others.cost - mine.cost), -MOST_NATS, MOST_NATS))
            odds += float(np.clip(BODY_WORTH * (others.body - mine.body), -MOST_NATS, MOST_NATS))
        sure = 1 / (1 + math.exp(-odds))
        names = [name for name in ACTIONS if name in self._actions.labels]
        nats = self._actions.log_likelihoods(top, names, len(top))[0]
        shares = np.exp(nats) / np.exp(nats).sum()
        return {name: sure * float(share) for name, share in zip(names, shares, strict=True)}

    def learn_die(self, image_bgr: Image, plane: TablePlane, box_px: Box, face: str, source: str = "game") -> None:
        """The die in a box shows this face (``"1"`` .. ``"6"``), or this symbol of the action die."""
        kind = "action_die" if face in ACTIONS else "die"
        self._add(kind, face, top_print(image_bgr, plane, box_px), source)

    def token(self, image_bgr: Image, plane: TablePlane, pos_mm: Point) -> dict[str, float]:
        """Probabilities of the worm tokens' symbols for the token at ``pos_mm``; empty while none was taught."""
        with self._lock:
            if self._worms.matcher() is None:
                return {}
            print_ = Print(token_print(image_bgr, plane, pos_mm))
            shares = np.exp(self._worms.log_likelihoods([print_], WORMS)[0])
            return dict(zip(WORMS, (float(p) for p in shares / shares.sum()), strict=True))

    def learn_token(
        self, image_bgr: Image, plane: TablePlane, pos_mm: Point, symbol: str, source: str = "person"
    ) -> None:
        """The worm token at ``pos_mm`` shows this symbol."""
        self._add("worm", symbol, token_print(image_bgr, plane, pos_mm), source)

    def correct_action(self, face: str) -> None:
        """A person told the action die that was last seen otherwise."""
        with self._lock:
            if not self._last_action or face not in ACTIONS:
                return
            matcher = self._actions.matcher()
            best = best_view(matcher.match([Print(crop) for crop in self._last_action]))[:1] if matcher else []
            if best and best[0].label != face and best[0].score >= MISTAKEN:
                self.own.judge(contradicted=[self._actions.idents[best[0].index]])
            self._add("action_die", face, self._last_action[len(SIZES) // 2], "person")

    def _add(self, kind: str, label: str, crop: Image, source: str) -> None:
        try:
            self.own.add(kind, label, crop, None, source)
        except SetError:
            return  # a full set goes on deciding

