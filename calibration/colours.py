"""The colours of this set in this light: learnt from the known start position, general ones before that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from operator import getitem
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.errors import ColourError
from calibration.pixels import Lab, clusters, distance, piece_pixels

GENERAL: Mapping[str, tuple[tuple[float, float, float], ...]] = {
    "red": ((45, 62, 40), (30, 48, 32), (60, 55, 30), (18, 32, 18)),
    "blue": ((35, 10, -45), (22, 12, -30), (50, -2, -42), (60, -10, -35), (14, 8, -18)),
    "green": ((45, -40, 25), (30, -28, 18), (60, -42, 40), (20, -16, 10), (40, -25, 5)),
    "yellow": ((82, 2, 72), (65, 4, 58), (90, -6, 50), (48, 5, 44)),
    "black": ((12, 0, 0), (24, 0, -2), (5, 0, 0)),
    "orange": ((62, 42, 60), (48, 36, 48), (74, 30, 58)),
    "white": ((92, 0, 3), (76, 0, 2), (62, 0, 0), (84, 2, 12)),
    "purple": ((32, 35, -32), (22, 26, -22), (48, 38, -30), (38, 32, -12)),
    "wood": ((68, 12, 28), (54, 14, 28), (78, 8, 22), (42, 12, 22)),
}
"""Prototypes in Lab for each colour name: lit, in shade, pale."""

SHADE_L, LEAST_L = 50.0, 14.0
"""Pawns are compared as if lit to this lightness: shade moves a and b towards grey by the same factor as L + 16, so
that an orange pawn in the shade is nearer to a yellow one than to itself in the light. Darker pixels than ``LEAST_L``
are mostly noise."""

TOO_CLOSE = 22.0
_SPREAD_LEARNT, _SPREAD_GENERAL = 11.0, 16.0
_FAR = 4.0
_LOOKS = 3.0
_FLOOR = 0.002
_STARTS = 8
_FLAT = np.array((0.4, 1.0, 1.0), np.float32)
_MISCOUNT = 6.0
_NONE_FITS = -12.0
_SWAPPED = 10.0

HIDDEN = 0.4
"""A box of whose pixels more than this share lie further than ``TOO_CLOSE`` from its colour's median shows mostly what
stands before the piece, and teaches nothing."""


@dataclass(frozen=True, slots=True)
class ClosePair:
    """Two colours that are hard to tell apart in this light, and their distance in Lab."""

    first: str
    second: str
    distance: float

    def sentence(self, lang: str = "en") -> str:
        """A warning with what to do."""
        if lang.startswith("de"):
            return (
                f"Die Farben {self.first} und {self.second} sehen in diesem Licht fast gleich aus (Abstand "
                f"{self.distance:.0f}): bitte heller oder gleichmäßiger beleuchten oder eine andere Farbe nehmen."
            )
        return (
            f"The colours {self.first} and {self.second} look almost alike in this light (distance "
            f"{self.distance:.0f}): use more or more even light, or take another colour."
        )


@dataclass(frozen=True, slots=True, eq=False)
class SetColours:
    """Prototypes (P, 3) in Lab for each colour, and how far pixels usually lie from them (``spread``); ``even``: shade
    is taken out of pixels and prototypes."""

    prototypes: Mapping[str, Lab]
    spread: float
    learnt: bool
    even: bool = False

    @classmethod
    def general(cls, names: Iterable[str] = GENERAL) -> SetColours:
        """The general colours, for use before any were learnt. Raises ColourError for an unknown name."""
        return cls({name: _general(name) for name in names}, _SPREAD_GENERAL, learnt=False, even=True)

    @classmethod
    def from_start(cls, image: Image, boxes_px: Any, counts: Mapping[str, int]) -> SetColours:
        """Learn from pieces whose colours are known as a whole: ``counts`` names how many of each stand there.

        ``boxes_px`` (N, 4), in any order. Which box has which colour is worked out: groups of boxes that look alike,
        about as many in each as ``counts`` says, get the colours that fit them best together. Some boxes may be
        missing or double, but each colour needs one. Raises ColourError.
        """
        boxes = np.asarray(boxes_px, np.float64).reshape(-1, 4)
        if len(boxes) < len(counts):
            raise ColourError("pieces_missing", needed=sum(counts.values()), found=len(boxes))
        pixels = [without_shade(piece_pixels(image, box)) for box in boxes]
        assigned = _first_guess(pixels, tuple(counts), tuple(counts.values()))
        for _ in range(3):
            colours = cls(_learn(pixels, assigned, tuple(counts)), _SPREAD_LEARNT, learnt=True, even=True)
            logits = np.array([colours._logits(sample) for sample in pixels])
            assigned = np.where(logits.max(axis=1) > _NONE_FITS, logits.argmax(axis=1), -1)
        return cls(_renamed(colours.prototypes), _SPREAD_LEARNT, learnt=True, even=True)

    def logits(self, pixels: Lab) -> NDArray[np.float64]:
        """Log-likelihoods (K,) of a piece's pixels (N, 3), in the order of ``prototypes``."""
        return self._logits(without_shade(pixels) if self.even else pixels)

    def _logits(self, pixels: Lab) -> NDArray[np.float64]:
        nearest = np.stack([distance(pixels, p).min(axis=1) for p in self.prototypes.values()], axis=1)
        normed = np.minimum(nearest / self.spread, _FAR) ** 2
        return np.asarray(-0.5 * _LOOKS * normed.mean(axis=0), np.float64)

    def classify(self, image: Image, box_px: Any, among: Sequence[str] = ()) -> dict[str, float]:
        """Probability of each colour (of ``among``, or of all) for the piece in ``box_px`` (4,); they add up to 1.

        Raises ColourError for a name in ``among`` that is not known, ValueError for a box outside the picture.
        """
        names = tuple(self.prototypes)
        for name in among:
            if name not in names:
                raise ColourError("unknown_colour", colour=name, known=", ".join(names))
        logits = dict(zip(names, self.logits(piece_pixels(image, box_px)), strict=True))
        chosen = list(among) or list(names)
        values = np.array([logits[name] for name in chosen])
        likely = np.exp(values - values.max())
        shares = (1 - _FLOOR * len(chosen)) * likely / likely.sum() + _FLOOR
        return {name: float(share) for name, share in zip(chosen, shares, strict=True)}

    def close_pairs(self) -> list[ClosePair]:
        """The pairs of colours that are too close in this light, closest first."""
        pairs = [
            ClosePair(a, b, float(distance(self.prototypes[a], self.prototypes[b]).min()))
            for a, b in combinations(self.prototypes, 2)
        ]
        return sorted((pair for pair in pairs if pair.distance < TOO_CLOSE), key=lambda pair: pair.distance)

    def to_json(self) -> dict[str, Any]:
        """JSON-ready; reads back with :meth:`from_json`."""
        prototypes = {name: np.round(lab.astype(np.float64), 2).tolist() for name, lab in self.prototypes.items()}
        shown = {"learnt": self.learnt, "spread": self.spread, "even": self.even}
        return {"kind": "set_colours", **shown, "prototypes": prototypes}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SetColours:
        """Inverse of :meth:`to_json`. Raises KeyError, TypeError or ValueError for another shape."""
        lab = {str(name): np.array(rows, np.float32).reshape(-1, 3) for name, rows in data["prototypes"].items()}
        return cls(lab, float(data["spread"]), bool(data["learnt"]), bool(data.get("even", False)))


def _general(name: str) -> Lab:
    if name not in GENERAL:
        raise ColourError("unknown_colour", colour=name, known=", ".join(GENERAL))
    return without_shade(np.array(GENERAL[name], np.float32))


def without_shade(lab: Lab) -> Lab:
    """Colours (N, 3) with a and b as they would be in a light in which L is ``SHADE_L``."""
    factor = (SHADE_L + 16) / (np.maximum(lab[:, :1], LEAST_L) + 16)
    return np.asarray(np.hstack([lab[:, :1], lab[:, 1:] * factor]), np.float32)


def _first_guess(pixels: Sequence[Lab], names: Sequence[str], counts: Sequence[int]) -> NDArray[np.int64]:
    """Colour index (N,) of each piece before anything is learnt, -1 for one that looks like none: groups of pieces that
    look alike, about as many as there should be, get the names which fit them best all together, whatever the light
    makes of each of them."""
    looks = _looks(pixels)
    general = [_general(name) * _FLAT for name in names]
    away = np.stack([distance(looks, colours).min(axis=1) for colours in general], axis=1)
    start = _assign(-away.astype(np.float64), counts)
    best, least = start, np.inf
    for centres in _starts(looks, start, len(names)):
        assigned, apart, middles = _grouped(looks, centres)
        order, strange = _named(middles, general)
        named = np.array([order.index(k) for k in range(len(names))])[assigned]
        missed = np.abs(np.bincount(named, minlength=len(names)) - counts)
        cost = float(np.minimum(apart, TOO_CLOSE).sum()) + strange + _MISCOUNT * float(np.maximum(missed - 1, 0).sum())
        if cost < least:
            best, least = np.where(apart < TOO_CLOSE, named, -1), cost
    return best


def _looks(samples: Iterable[Lab]) -> Lab:
    """What each of the samples (N, 3) looks like, (K, 3), with little weight on how light it is."""
    return np.asarray(np.array([np.median(sample, axis=0) for sample in samples], np.float32) * _FLAT, np.float32)


def _grouped(looks: Lab, centres: Lab) -> tuple[NDArray[np.int64], NDArray[np.float32], Lab]:
    """k-means from ``centres``: group (N,) of each piece, how far it is from the group's middle, and the middles."""
    for _ in range(5):
        assigned = distance(looks, centres).argmin(axis=1)
        centres = np.stack([
            np.median(looks[assigned == k], axis=0) if (assigned == k).any() else centre
            for k, centre in enumerate(centres)
        ])
    away = distance(looks, centres)
    return away.argmin(axis=1), away.min(axis=1), np.asarray(centres, np.float32)


def _starts(looks: Lab, start: NDArray[np.int64], count: int) -> Iterator[Lab]:
    """Centres (K, 3) to begin with: those of a first assignment, and pieces far apart from each other and from each of
    the pieces in turn."""
    if all((start == k).any() for k in range(count)):
        yield np.stack([np.median(looks[start == k], axis=0) for k in range(count)])
    for first in looks[:: -(-len(looks) // _STARTS)]:
        centres = first[None]
        while len(centres) < count:
            centres = np.vstack([centres, looks[distance(looks, centres).min(axis=1).argmax()][None]])
        yield centres


def _named(centres: Lab, general: Sequence[Lab]) -> tuple[list[int], float]:
    """Which of the centres (K, 3) each colour has, and how far they are from the general colours together."""
    away = np.stack([distance(centres, colours).min(axis=1) for colours in general]).tolist()
    cost = {order: sum(map(getitem, away, order)) for order in permutations(range(len(general)))}
    best = min(cost, key=cost.__getitem__)
    return list(best), float(cost[best])


def _renamed(prototypes: Mapping[str, Lab]) -> dict[str, Lab]:
    """The prototypes, each under the name that its colour is much nearer to: pawns that hide each other at the start
    may have drawn two names to each other's pieces."""
    middles = _looks(prototypes.values())
    general = [_general(name) * _FLAT for name in prototypes]
    away = [float(distance(middles[k : k + 1], colours).min()) for k, colours in enumerate(general)]
    order, strange = _named(middles, general)
    if sum(away) - strange < _SWAPPED:
        return dict(prototypes)
    learnt = list(prototypes.values())
    return {name: learnt[k] for name, k in zip(prototypes, order, strict=True)}


def _learn(pixels: Sequence[Lab], assigned: NDArray[np.int64], names: Sequence[str]) -> dict[str, Lab]:
    """Prototypes of each colour from the pooled pixels of its pieces; general ones where it got no piece.

    A neighbour's or the table's pixels in a piece's box must not become a prototype: a cluster counts only where
    it is clearly closer to its own colour's median than to any other's.
    """
    pools = {
        name: _seen_well([p for p, a in zip(pixels, assigned, strict=True) if a == i]) for i, name in enumerate(names)
    }
    found = {name: clusters(np.vstack(pool), 4) if pool else _general(name) for name, pool in pools.items()}
    medians = {
        name: np.median(np.vstack(pool), axis=0)[None] if pool else found[name][:1] for name, pool in pools.items()
    }
    return {name: _own(centres, name, medians) for name, centres in found.items()}


def _seen_well(pool: list[Lab]) -> list[Lab]:
    """The samples that mostly look like their colour does; all of them where none does."""
    if len(pool) < 2:
        return pool
    median = np.median(np.vstack(pool), axis=0)[None]
    kept = [sample for sample in pool if (distance(sample, median)[:, 0] > TOO_CLOSE).mean() <= HIDDEN]
    return kept or pool


def _own(centres: Lab, name: str, medians: Mapping[str, Lab]) -> Lab:
    others = [median for other, median in medians.items() if other != name]
    if not others:
        return centres
    near = distance(centres, medians[name])[:, 0]
    own = (near < 0.6 * distance(centres, np.vstack(others)).min(axis=1)) | (near == near.min())
    return np.asarray(centres[own], np.float32)


def _assign(logits: NDArray[np.float64], counts: Sequence[int]) -> NDArray[np.int64]:
    """Colour index (N,) of each box, -1 for boxes too many: the best sum of ``logits`` (N, K) within the counts.

    Boxes choose by how sure they are, then pairs are swapped while that helps.
    """
    left = list(counts)
    assigned = np.full(len(logits), -1)
    for index in np.argsort(-logits, axis=None):
        box, colour = divmod(int(index), len(counts))
        if assigned[box] < 0 and left[colour] > 0:
            assigned[box], left[colour] = colour, left[colour] - 1
    while _swap_once(logits, assigned):
        pass
    return assigned


def _swap_once(logits: NDArray[np.float64], assigned: NDArray[np.int64]) -> bool:
    for i, j in combinations(np.flatnonzero(assigned >= 0), 2):
        a, b = assigned[i], assigned[j]
        if logits[i, b] + logits[j, a] > logits[i, a] + logits[j, b] + 1e-9:
            assigned[i], assigned[j] = b, a
            return True
    return False
