"""Which of a set's exemplars a print shows: candidates that look alike meet in duels where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.exemplars.align import Turns, best_turns, fitted, laid_over, spectra
from vision.exemplars.prints import DISC, Print

FEW, MANY = 6, 12
"""So many exemplars are laid over a print, the second where the first leave it open."""

CLEAR = 0.6
"""A winner by this margin needs no further candidates."""

LEAST_SEEN_PX = 400
"""Fewer pixels seen on both prints say nothing."""

GROUND_PX = 300.0
"""The ground colour counts like so many pixels of detail: lamps change it, hands and shadows do not."""

_DIFFERENT = 0.02
_ENOUGH = 6.0
_NOISE = 0.15


@dataclass(frozen=True, slots=True)
class Candidate:
    """An exemplar laid over a print. ``score``: its worst duel, 1 where the print is this one in all that sets it
    apart, -1 where it is the other; ``cost``: share of the pixels that differ, 0..1; ``label`` as it was taught."""

    index: int
    label: str
    score: float
    cost: float


@dataclass(frozen=True, slots=True)
class _Laid:
    index: int
    detail: NDArray[np.float32]
    visible: NDArray[np.bool_]
    ground: NDArray[np.float32]
    cost: float


class Matcher:
    """Compares prints with exemplars; ``labels`` parallel to ``exemplars``. Neither may be empty."""

    def __init__(self, exemplars: Sequence[Print], labels: Sequence[str]) -> None:
        self._exemplars, self.labels = list(exemplars), list(labels)
        self._spectra = spectra(self._exemplars)

    def match(self, prints: Sequence[Print]) -> list[list[Candidate]]:
        """The candidates for each print, best first; none where too little of it is to be seen."""
        if not prints:
            return []
        turns = best_turns(prints, self._spectra)
        return [self._candidates(k, print_, turns) for k, print_ in enumerate(prints)]

    def _candidates(self, k: int, print_: Print, turns: Turns) -> list[Candidate]:
        order = [int(j) for j in np.argsort(turns.distance[k])]
        laid: list[_Laid] = []
        found: list[Candidate] = []
        for group in (order[:FEW], order[FEW:MANY]):
            laid += [one for j in group if (one := self._lay(print_, j, int(turns.turn[k, j]), int(turns.shift[k, j])))]
            found = self._duels(print_, laid)
            if found and found[0].score >= CLEAR:
                break
        return found

    def _lay(self, print_: Print, j: int, turn: int, shift: int) -> _Laid | None:
        matrix = fitted(print_, self._exemplars[j], turn, shift)
        if matrix is None:
            return None
        detail, visible = laid_over(self._exemplars[j], matrix)
        seen = DISC & print_.visible & visible
        if seen.sum() < LEAST_SEEN_PX:
            return None
        off = ((print_.detail - detail) ** 2).sum(axis=2)[seen] / _NOISE**2
        return _Laid(j, detail, visible, self._exemplars[j].ground, float((off / (1 + off)).mean()))

    def _duels(self, print_: Print, laid: Sequence[_Laid]) -> list[Candidate]:
        worst = [1.0] * len(laid)
        for a, one in enumerate(laid):
            for b in range(a + 1, len(laid)):
                if self.labels[one.index] != self.labels[laid[b].index]:
                    margin = _duel(print_, one, laid[b])
                    worst[a], worst[b] = min(worst[a], margin), min(worst[b], -margin)
        found = [Candidate(x.index, self.labels[x.index], w, x.cost) for x, w in zip(laid, worst, strict=True)]
        return sorted(found, key=lambda c: (-c.score, c.cost))


def _duel(print_: Print, one: _Laid, other: _Laid) -> float:
    """1: the print is ``one`` where the two differ, -1: it is ``other``; near 0 where they hardly differ."""
    apart = one.detail - other.detail
    power = (apart**2).sum(axis=2)
    where = DISC & print_.visible & one.visible & other.visible & (cv2.GaussianBlur(power, (0, 0), 1.0) > _DIFFERENT)
    across = one.ground - other.ground
    total = float(power[where].sum() + GROUND_PX * (across**2).sum())
    if total <= 0.0:
        return 0.0
    along = float(((print_.detail - 0.5 * (one.detail + other.detail)) * apart).sum(axis=2)[where].sum())
    along += GROUND_PX * float((print_.ground - 0.5 * (one.ground + other.ground)) @ across)
    return float(np.clip(2 * along / total, -1.5, 1.5)) * min(total / _ENOUGH, 1.0)
