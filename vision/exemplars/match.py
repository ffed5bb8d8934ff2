"""Which of a set's exemplars a print shows: candidates that look alike meet in duels where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.exemplars.align import WAYS, Turns, begun, best_turns, fitted, likeness, sampled, spectra, stacked
from vision.exemplars.plates import LEAST_SEEN_PX, NOISE, Plate, atlas
from vision.exemplars.prints import DISC, SIDE_PX, Print

ROUGHLY, FEW, MANY = 60, 8, 18
"""So many plates and turns are tried roughly; so many of them are laid over a print as exactly as can be, the last
where the first leave it open."""

ROUGHLY_EACH, EXACTLY_EACH = 4, 2
"""Of them so many of one label at most: what was taught often must not crowd out the others."""

MOST_PLATES = 300
"""More than these are not compared; no set has so many different things."""

HIDDEN_COST = 0.3
"""Of two plates of one label, one that shows all of a print may fit so much worse than one that shows nothing of it."""

CLEAR = 0.85
"""A winner by this margin needs no further candidates."""

GROUND_PX = 300.0
"""The ground colour counts like so many pixels of detail: lamps change it, hands and shadows do not."""

EVERY_PX = 2
"""Every second pixel in both directions is compared: crops are finer than what a camera shows of a tile."""

_DIFFERENT = 0.02
_ENOUGH = 6.0
_STRANGE = 0.4
_SPARSE = np.zeros((SIDE_PX, SIDE_PX), np.bool_)
_SPARSE[::EVERY_PX, ::EVERY_PX] = True
_SPARSE &= DISC

Floats = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plate laid over a print. ``score``: its worst duel with another label, 1 where the print is this one in all
    that sets it apart, -1 where it is the other; ``cost``: share of the pixels that differ, 0..1."""

    index: int
    label: str
    score: float
    cost: float


@dataclass(frozen=True, slots=True)
class _Laid:
    """Plates as the print would show them: ``detail`` (K, P, 3) at P pixels of the print, seen there or not (K, P)."""

    index: tuple[int, ...]
    detail: Floats
    visible: NDArray[np.bool_]
    cost: NDArray[np.float64]


class Matcher:
    """Compares prints with plates, of which there must be some; candidates are told by their index."""

    def __init__(self, plates: Sequence[Plate]) -> None:
        self.plates = list(plates)[-MOST_PLATES:]
        prints = [plate.print_ for plate in self.plates]
        self._spectra = spectra(prints)
        self._levels = [stacked([p.levels[level] for p in prints]) for level in (0, 1)]
        self._details = atlas(prints, "detail")

    @property
    def labels(self) -> list[str]:
        """What the plates are called."""
        return [plate.label for plate in self.plates]

    def match(self, prints: Sequence[Print]) -> list[list[Candidate]]:
        """The candidates for each print, the best of each label, best first; none where too little is to be seen."""
        if not prints:
            return []
        turns = best_turns(prints, self._spectra)
        return [self._candidates(k, print_, turns) for k, print_ in enumerate(prints)]

    def _candidates(self, k: int, print_: Print, turns: Turns) -> list[Candidate]:
        which = np.repeat(np.arange(len(self.plates)), WAYS)
        first = begun(turns.turn[k].ravel().tolist(), turns.shift[k].ravel().tolist())
        likely = np.argsort(likeness(print_, self._levels[0], which, first))
        likely = _few_of_each(likely, which, self.labels, ROUGHLY_EACH)[:ROUGHLY]
        which = which[likely]
        rough = fitted(print_, self._levels[0], which, first[likely], 0)
        order = np.argsort(likeness(print_, self._levels[0], which, rough))
        order = _few_of_each(order, which, self.labels, EXACTLY_EACH)
        laid: list[_Laid] = []
        found: list[Candidate] = []
        inside = _SPARSE & print_.visible
        if inside.sum() * EVERY_PX**2 < LEAST_SEEN_PX:
            return []
        for group in (order[:FEW], order[FEW:MANY]):
            if len(group):
                laid.append(self._laid(print_, inside, which[group], rough[group]))
                found = self._duels(print_, inside, _best_of_labels(laid, self.labels))
            if found and found[0].score >= CLEAR:
                break
        return found

    def _laid(self, print_: Print, inside: NDArray[np.bool_], which: NDArray[np.int64], rough: Floats) -> _Laid:
        maps = fitted(print_, self._levels[1], which, rough, 1)
        y, x = np.nonzero(inside)
        shown = sampled(maps, np.stack([x, y]).astype(np.float64), self._details, which)
        detail, visible = shown[:, :, :3], shown[:, :, 3] > 0.9
        off = ((print_.detail[inside] - detail) ** 2).sum(axis=2) / NOISE**2
        seen = visible.sum(axis=1)
        cost = np.where(visible, off / (1 + off), 0.0).sum(axis=1) / np.maximum(seen, 1)
        cost = np.where(seen * EVERY_PX**2 < LEAST_SEEN_PX, 1.0, cost)
        return _Laid(tuple(int(j) for j in which), detail, visible, np.asarray(cost, np.float64))

    def _duels(self, print_: Print, inside: NDArray[np.bool_], laid: _Laid) -> list[Candidate]:
        grounds = np.stack([self.plates[j].print_.ground for j in laid.index])
        margins = _margins(print_.detail[inside], print_.ground, laid, grounds)
        found = [
            Candidate(j, self.plates[j].label, float(worst), float(cost))
            for j, worst, cost in zip(laid.index, margins, laid.cost, strict=True)
        ]
        return sorted(found, key=lambda c: (-c.score, c.cost))


def _few_of_each(
    order: NDArray[np.int64], which: NDArray[np.int64], labels: Sequence[str], most: int
) -> NDArray[np.int64]:
    """``order`` without those that come after ``most`` others of their label."""
    seen: Counter[str] = Counter()
    kept: list[int] = []
    for k in order:
        label = labels[int(which[k])]
        seen[label] += 1
        if seen[label] <= most:
            kept.append(int(k))
    return np.array(kept, np.int64)


def _best_of_labels(laid: Sequence[_Laid], labels: Sequence[str]) -> _Laid:
    """Of the plates of one label, the one that fits best: more pictures make no label stronger or weaker."""
    index = [j for one in laid for j in one.index]
    cost = np.concatenate([one.cost for one in laid])
    hidden = np.concatenate([1 - one.visible.mean(axis=1) for one in laid])
    best: dict[str, int] = {}
    for k in np.argsort(cost + HIDDEN_COST * hidden):
        best.setdefault(labels[index[k]], int(k))
    kept = list(best.values())
    detail, visible = (np.concatenate([getattr(one, what) for one in laid])[kept] for what in ("detail", "visible"))
    return _Laid(tuple(index[k] for k in kept), detail, visible, cost[kept])


def _margins(seen: Floats, ground: Floats, laid: _Laid, grounds: Floats) -> NDArray[np.float64]:
    """Each plate's worst duel (K,). A duel: 1 where the print is the one where the two differ, -1 where it is the
    other; near 0 where they hardly differ."""
    count = len(laid.index)
    worst = np.ones(count)
    if count < 2:
        return worst
    one, other = np.triu_indices(count, 1)
    apart = laid.detail[one] - laid.detail[other]
    power = np.einsum("npc,npc->np", apart, apart)
    strange = ((seen[None] - laid.detail) ** 2).sum(axis=2) / _STRANGE**2
    where = (laid.visible[one] & laid.visible[other] & (power > _DIFFERENT)).astype(np.float32)
    where /= 1 + np.minimum(strange[one], strange[other]) ** 2
    across, weight = grounds[one] - grounds[other], GROUND_PX / EVERY_PX**2
    total = (power * where).sum(axis=1) + weight * (across**2).sum(axis=1)
    off = seen[None] - 0.5 * (laid.detail[one] + laid.detail[other])
    along = (np.einsum("npc,npc->np", off, apart) * where).sum(axis=1)
    along += weight * ((ground - 0.5 * (grounds[one] + grounds[other])) * across).sum(axis=1)
    margin = np.clip(2 * along / np.maximum(total, 1e-9), -1.5, 1.5)
    margin *= np.minimum(total * EVERY_PX**2 / _ENOUGH, 1.0)
    np.minimum.at(worst, one, margin)
    np.minimum.at(worst, other, -margin)
    return worst
