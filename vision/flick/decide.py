"""What each hole holds, decided for the whole box: the reader's word, the dice found, what the set has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.classes import HOLE_CLASSES
from rules.dice_flick import Markers, mask_of
from rules.dice_flick.values import COLOURS, DICE_IN_SET, GROUP_COLOURS

Floats = NDArray[np.float64]
MARKERS = (*(f"upgrade_{colour}" for colour in GROUP_COLOURS), "centre", "bonus")
LIMITS = {**{f"upgrade_{colour}": 1 for colour in GROUP_COLOURS}, "centre": 1, "bonus": 2}
_FLOOR = 1e-4
_FOUND, _MISSED = (-3.0, 3.5), -4.0
_WRONG_PLACE, _NO_STICKER = -5.0, -3.0
_BANNED = -60.0
_INDEX = {name: k for k, name in enumerate(HOLE_CLASSES)}
_DIE = np.array([name.split("_")[0] in COLOURS or name == "stacked" for name in HOLE_CLASSES])
_MIDDLE = 12


@dataclass(frozen=True, slots=True)
class Decided:
    """What a hole holds: ``content`` with its ``colour`` or ``marker``, the ``flaw`` of a die, ``sure`` 0..1."""

    content: str
    colour: str = ""
    marker: str = ""
    flaw: str = ""
    sure: float = 1.0


def decide(
    shares: Floats, dice: Mapping[int, float], layout: Markers | None, colours: Mapping[int, Floats]
) -> list[Decided]:
    """The 25 holes. ``shares`` (25, K): the reader's probabilities over HOLE_CLASSES.

    ``dice``: how sure it is that a die was found at a hole (index 0..24); ``colours``: log-likelihoods of a die's
    colour (in the order of COLOURS) by hole, from the colours of this set.
    """
    logits = np.log(np.maximum(shares, _FLOOR))
    for hole in range(25):
        sure = min(max(dice.get(hole, 0.0), 0.01), 0.99)
        logits[hole, _DIE] += float(np.clip(np.log(sure / (1 - sure)), *_FOUND)) if hole in dice else _MISSED
        for name, gain in zip(COLOURS, colours.get(hole, ()), strict=False):
            logits[hole, [_INDEX[name], _INDEX[f"{name}_cocked"]]] += gain
    logits += _sticker_logits(layout)
    _limit(logits)
    return [_decided(_shares(row)) for row in logits]


def turns_for(shares: Floats, layout: Markers, orders: Floats) -> int:
    """How many quarter turns (index into ``orders`` (4, 25)) let the stickers lie where the layout has them."""
    logits = np.log(np.maximum(shares, _FLOOR))
    wanted = _sticker_logits(layout)
    fits = []
    for order in orders.astype(int):
        turned = logits[order] + wanted
        top = turned.max(axis=1)
        fits.append(float((top + np.log(np.exp(turned - top[:, None]).sum(axis=1))).sum()))
    best = int(np.argmax(fits))
    return best if fits[best] > fits[0] + 2.0 else 0


def _sticker_logits(layout: Markers | None) -> Floats:
    """How much a sticker is expected in each hole, (25, K)."""
    logits = np.zeros((25, len(HOLE_CLASSES)))
    names = [_INDEX[name] for name in MARKERS]
    if layout is None:
        logits[_MIDDLE, [k for k in names if k != _INDEX["centre"]]] = _WRONG_PLACE
        logits[[h for h in range(25) if h != _MIDDLE], _INDEX["centre"]] = _WRONG_PLACE
        return logits
    logits[:, names] = _WRONG_PLACE - 1
    upgrades = ((f"upgrade_{colour}", mask) for colour, mask in layout.upgrades)
    for name, mask in (*upgrades, ("centre", layout.centre), ("bonus", layout.bonus)):
        logits[holes_of(mask), _INDEX[name]] = 0.0
        logits[holes_of(mask), _INDEX["empty"]] = _NO_STICKER
    return logits


def _limit(logits: Floats) -> None:
    """No more stickers of a kind and dice of a colour than there are: the least sure ones become something else."""
    groups = [([_INDEX[name]], most) for name, most in LIMITS.items()]
    groups += [([_INDEX[c], _INDEX[f"{c}_cocked"]], most) for c, most in DICE_IN_SET.items()]
    for _ in range(40):
        chosen = logits.argmax(axis=1)
        over = next(((ks, most) for ks, most in groups if np.isin(chosen, ks).sum() > most), None)
        if over is None:
            return
        rows = np.flatnonzero(np.isin(chosen, over[0]))
        others = np.delete(logits[rows], over[0], axis=1).max(axis=1)
        weakest = rows[int(np.argmin(logits[rows, chosen[rows]] - others))]
        logits[weakest, over[0]] = _BANNED


def _shares(logits: Floats) -> Floats:
    likely = np.exp(logits - logits.max())
    return np.asarray(likely / likely.sum())


def _decided(shares: Floats) -> Decided:
    """The likeliest content, then what it looks like."""
    sums = {"empty": shares[_INDEX["empty"]], "hidden": shares[_INDEX["hidden"]], "stacked": shares[_INDEX["stacked"]]}
    sums |= {name: shares[_INDEX[name]] for name in MARKERS}
    sums |= {c: shares[_INDEX[c]] + shares[_INDEX[f"{c}_cocked"]] for c in COLOURS}
    best = max(sums, key=lambda name: float(sums[name]))
    sure = float(sums[best])
    if best in COLOURS:
        flaw = "cocked" if shares[_INDEX[f"{best}_cocked"]] > shares[_INDEX[best]] else ""
        return Decided("die", best, "", flaw, sure)
    if best == "stacked":
        return Decided("die", max(COLOURS, key=lambda c: float(sums[c])), "", "stacked", sure)
    if best == "hidden":
        return Decided("empty", "", "", "hidden", sure)
    return Decided("empty", sure=sure) if best == "empty" else Decided("marker", "", best, "", sure)


def holes_of(mask: int) -> list[int]:
    """Indices 0..24 of the holes of a mask."""
    return [hole for hole in range(25) if mask >> hole & 1]


def cell_index(cell: tuple[int, int]) -> int:
    """Index 0..24 of a row and column."""
    return mask_of(cell).bit_length() - 1
