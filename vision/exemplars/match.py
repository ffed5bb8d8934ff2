"""Which of a set's exemplars a print shows: candidates that look alike meet in duels where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.exemplars.align import Turns, best_turns, fitted, sampled, spectra
from vision.exemplars.prints import DISC, Print

FEW, MANY = 8, 14
"""So many exemplars are laid over a print, the second where the first leave it open."""

CLEAR = 0.85
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
    """An exemplar as the print would show it: ``detail`` (P, 3) at P pixels of the print, seen there or not (P,)."""

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

    @property
    def grounds(self) -> list[NDArray[np.float32]]:
        """The ground colours of the exemplars."""
        return [exemplar.ground for exemplar in self._exemplars]

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
        inside = DISC & print_.visible
        seen = print_.detail[inside]
        for group in (order[:FEW], order[FEW:MANY]):
            if group and len(seen) >= LEAST_SEEN_PX:
                laid += self._laid(print_, inside, seen, group, turns, k)
                found = self._duels(seen, print_.ground, laid)
            if found and found[0].score >= CLEAR:
                break
        return found

    def _laid(
        self, print_: Print, inside: NDArray[np.bool_], seen: NDArray[np.float32], group: Sequence[int], turns: Turns,
        k: int,
    ) -> list[_Laid]:
        exemplars = [self._exemplars[j] for j in group]
        maps = fitted(print_, exemplars, turns.turn[k, group].tolist(), turns.shift[k, group].tolist())
        atlas = np.concatenate([np.dstack([e.detail, e.visible.astype(np.float32)]) for e in exemplars])
        y, x = np.nonzero(inside)
        shown = sampled(maps, np.stack([x, y]).astype(np.float64), atlas)
        result = []
        for j, exemplar, detail in zip(group, exemplars, shown, strict=True):
            visible = detail[:, 3] > 0.9
            if visible.sum() >= LEAST_SEEN_PX:
                off = ((seen - detail[:, :3]) ** 2).sum(axis=1)[visible] / _NOISE**2
                result.append(_Laid(j, detail[:, :3], visible, exemplar.ground, float((off / (1 + off)).mean())))
        return result

    def _duels(
        self, seen: NDArray[np.float32], ground: NDArray[np.float32], laid: Sequence[_Laid]
    ) -> list[Candidate]:
        worst = [1.0] * len(laid)
        for a, one in enumerate(laid):
            for b in range(a + 1, len(laid)):
                if self.labels[one.index] != self.labels[laid[b].index]:
                    margin = _duel(seen, ground, one, laid[b])
                    worst[a], worst[b] = min(worst[a], margin), min(worst[b], -margin)
        found = [Candidate(x.index, self.labels[x.index], w, x.cost) for x, w in zip(laid, worst, strict=True)]
        return sorted(found, key=lambda c: (-c.score, c.cost))


def _duel(seen: NDArray[np.float32], ground: NDArray[np.float32], one: _Laid, other: _Laid) -> float:
    """1: the print is ``one`` where the two differ, -1: it is ``other``; near 0 where they hardly differ."""
    apart = one.detail - other.detail
    power = np.einsum("pc,pc->p", apart, apart)
    where = one.visible & other.visible & (power > _DIFFERENT)
    across = one.ground - other.ground
    total = float(power[where].sum() + GROUND_PX * (across**2).sum())
    if total <= 0.0:
        return 0.0
    along = np.einsum("pc,pc->p", seen - 0.5 * (one.detail + other.detail), apart)[where].sum()
    along += GROUND_PX * (ground - 0.5 * (one.ground + other.ground)) @ across
    return float(np.clip(2 * along / total, -1.5, 1.5)) * min(total / _ENOUGH, 1.0)
