"""Pictures of one thing laid over each other: one clearer print instead of many, however often it was taught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.exemplars.align import WAYS, begun, best_turns, fitted, sampled, spectra
from vision.exemplars.prints import DISC, SIDE_PX, Print

SAME_THING = 0.25
"""Prints of one label that differ by no more than this share of what is drawn on them show the same thing."""

NOISE = 0.15
"""How much two pictures of one print differ at a pixel."""

LEAST_SEEN_PX = 400
"""Fewer pixels seen on both prints say nothing."""

_Y, _X = np.mgrid[0:SIDE_PX, 0:SIDE_PX]
_EVERYWHERE = np.stack([_X.ravel(), _Y.ravel()]).astype(np.float64)

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Plate:
    """What ``members`` (names of exemplars) show together, and as what they were taught."""

    print_: Print
    label: str
    members: tuple[str, ...]


def plates(exemplars: Mapping[str, Print], label: str) -> list[Plate]:
    """Exemplars of one label that show the same thing in one; what looks otherwise stays by itself."""
    made: list[Plate] = []
    left = sorted(exemplars, key=lambda name: -exemplars[name].share)
    while left:
        plate, left = _laid_together(exemplars, label, left)
        made.append(plate)
    return made


def _laid_together(exemplars: Mapping[str, Print], label: str, left: Sequence[str]) -> tuple[Plate, list[str]]:
    """The plate that the first of ``left`` begins, and what does not belong to it."""
    first, others = exemplars[left[0]], [exemplars[name] for name in left[1:]]
    if not others:
        return Plate(first, label, (left[0],)), []
    maps, costs = _fitting(first, others)
    lying = sampled(maps, _EVERYWHERE, atlas(others, "tones")).reshape(-1, SIDE_PX, SIDE_PX, 4)
    same = [k for k, cost in enumerate(costs) if cost <= SAME_THING]
    members = (left[0], *(left[1 + k] for k in same))
    rest = [left[1 + k] for k, cost in enumerate(costs) if cost > SAME_THING]
    return Plate(_mean(first, lying[same]) if same else first, label, members), rest


def _fitting(first: Print, others: Sequence[Print]) -> tuple[NDArray[np.float64], list[float]]:
    """How each of the others lies under the first one's pixels, in the turn that fits best, and how unlike it is."""
    turns = best_turns([first], spectra(others))
    maps: list[NDArray[np.float64]] = []
    costs: list[float] = []
    for k, other in enumerate(others):
        tries, which = begun(turns.turn[0, k].tolist(), turns.shift[0, k].tolist()), np.zeros(WAYS, np.int64)
        for level in (0, 1):
            tries = fitted(first, other.levels[level], which, tries, level)
        shown = sampled(tries, _EVERYWHERE, atlas([other], "detail"), which).reshape(-1, SIDE_PX, SIDE_PX, 4)
        each = [unlike(first.detail, seen[:, :, :3], (seen[:, :, 3] > 0.9) & first.visible & DISC) for seen in shown]
        maps.append(tries[int(np.argmin(each))])
        costs.append(min(each))
    return np.stack(maps), costs


def _mean(first: Print, lying: Floats) -> Print:
    """``lying``: (K, S, S, 4) tones and visibility in the frame of ``first``; each in the light of the first."""
    seen = lying[:, :, :, 3] > 0.9
    total, count = np.where(first.visible[:, :, None], first.tones, 0.0), first.visible.astype(np.float32)
    for tones, here in zip(lying[:, :, :, :3], seen, strict=True):
        both = here & first.visible & DISC
        light = np.median(first.tones[both] - tones[both], axis=0)
        total = total + np.where(here[:, :, None], tones + light, 0.0)
        count = count + here
    known = count > 0
    return Print.of(np.where(known[:, :, None], total / np.maximum(count, 1)[:, :, None], first.tones), known)


def unlike(one: Floats, other: Floats, seen: NDArray[np.bool_]) -> float:
    """How much of what is drawn where both are ``seen`` differs: 0 the same, 1 nothing in common."""
    if seen.sum() < LEAST_SEEN_PX:
        return 1.0
    off = float(((one - other) ** 2).sum(axis=2)[seen].sum())
    drawn = float((one**2).sum(axis=2)[seen].sum() + (other**2).sum(axis=2)[seen].sum())
    return off / max(drawn, 1e-9)


def atlas(prints: Sequence[Print], what: str) -> Floats:
    """Prints one below the other, (K * SIDE_PX, SIDE_PX, 4), the last channel says what is seen of them."""
    return np.concatenate([np.dstack([getattr(p, what), p.visible.astype(np.float32)]) for p in prints])
