"""What each hole holds, decided for the whole box: the reader's word, the dice found, what the set has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from models.classes import HOLE_CLASSES
from rules.dice_flick import Markers, mask_of
from rules.dice_flick.values import COLOURS, DICE_IN_SET, GROUP_COLOURS

Floats = NDArray[np.float64]
MARKERS = (*(f"upgrade_{colour}" for colour in GROUP_COLOURS), "centre", "bonus")
LIMITS = {**{f"upgrade_{colour}": 1 for colour in GROUP_COLOURS}, "centre": 1, "bonus": 2}
_FLOOR = 1e-4
_WITH_STICKERS = np.array([0.626, 1.054, 4.144, -0.492, 1.189, -4.117, -3.381])
_WITHOUT = np.array([-5.043, 0.735, 5.335, 0.292, 0.49, 0.0, 0.0])
"""How much speaks for a die (log odds) where the detector has a box: always, by its confidence (log odds), by the
reader of faces, by the reader of holes (log odds against a sticker, and against everything else), by a sticker that
lies there, by how likely the die has that sticker's colour (a die may be printed on it). Fitted on boards of the split
``val``, with and without known stickers."""

_MISSED = np.array([-4.0, 0.9])
"""Where the detector has no box: always, and by the reader of holes (log odds against everything else). On those boards
there never was a die without a box; only a reader that is quite sure speaks for one."""
_WRONG_PLACE, _NO_STICKER = -5.0, -3.0
_BANNED = -60.0
_INDEX = {name: k for k, name in enumerate(HOLE_CLASSES)}
_DIE = np.array([name.split("_")[0] in COLOURS or name == "stacked" for name in HOLE_CLASSES])
_COLOURED = np.array([name.split("_")[0] in COLOURS for name in HOLE_CLASSES])
_STICKER = np.array([name in MARKERS for name in HOLE_CLASSES])
_MIDDLE = 12


@dataclass(frozen=True, slots=True)
class Found:
    """A box at a hole: how sure the detector is that it is a die, and the reader of faces, 0..1."""

    box: float
    face: float = 1.0


@dataclass(frozen=True, slots=True)
class Decided:
    """What a hole holds: ``content`` with its ``colour`` or ``marker``, the ``flaw`` of a die, ``sure`` 0..1.

    ``shares``: how likely each content is: a colour, a sticker, ``empty``.
    """

    content: str
    colour: str = ""
    marker: str = ""
    flaw: str = ""
    sure: float = 1.0
    shares: Mapping[str, float] = field(default_factory=dict)


def decide(
    shares: Floats, dice: Mapping[int, Found], layout: Markers | None, colours: Mapping[int, Floats]
) -> list[Decided]:
    """The 25 holes. ``shares`` (25, K): the reader's probabilities over HOLE_CLASSES.

    ``dice``: the box found at a hole (index 0..24); ``colours``: log-likelihoods of a die's
    colour (in the order of COLOURS) by hole, from the colours of this set.
    """
    logits = np.log(np.maximum(shares, _FLOOR))
    facts = None if layout is None else _sticker_facts(shares, layout)
    named = {} if layout is None else dict(_stickers(layout))
    odds = np.array([
        _die_odds(logits[hole], dice.get(hole), None if facts is None else facts[hole]) for hole in range(25)
    ])
    for hole, gains in colours.items():
        for name, gain in zip(COLOURS, gains, strict=True):
            logits[hole, [_INDEX[name], _INDEX[f"{name}_cocked"]]] += gain
    logits += _sticker_logits(layout)
    logits[:, _DIE] -= _log_sum(logits[:, _DIE]) + np.logaddexp(0, -odds)[:, None]
    logits[:, ~_DIE] -= _log_sum(logits[:, ~_DIE]) + np.logaddexp(0, odds)[:, None]
    _limit(logits)
    return [_decided(_shares(row), named.get(hole, "empty")) for hole, row in enumerate(logits)]


def _sticker_facts(shares: Floats, layout: Markers) -> Floats:
    """For each hole (25, 2): whether a sticker lies there, and how likely a die there has the sticker's own colour."""
    facts = np.zeros((25, 2))
    facts[holes_of(layout.all_upgrades | layout.centre | layout.bonus), 0] = 1.0
    for colour, mask in layout.upgrades:
        hole = holes_of(mask)
        own = shares[hole][:, [_INDEX[colour], _INDEX[f"{colour}_cocked"]]].sum(axis=1)
        facts[hole, 1] = own / np.maximum(shares[hole][:, _COLOURED].sum(axis=1), 1e-6)
    return facts


def _die_odds(logits: Floats, found: Found | None, sticker: Floats | None) -> float:
    """How much speaks for a die in a hole, log odds. ``sticker`` (2,): see _sticker_facts, None where nobody knows."""
    die, none, other = (float(_log_sum(logits[None, kind])[0, 0]) for kind in (_DIE, ~_DIE, _STICKER))
    if found is None:
        return float(_MISSED @ np.array([1.0, die - none]))
    sure = min(max(found.box, 0.02), 0.98)
    box = np.log(sure / (1 - sure))
    facts = np.array([1.0, box, found.face, die - other, die - none, *(np.zeros(2) if sticker is None else sticker)])
    return float(facts @ (_WITHOUT if sticker is None else _WITH_STICKERS))


def _log_sum(logits: Floats) -> Floats:
    """Logarithm of the sum of what rows (N, K) stand for, (N, 1)."""
    top = logits.max(axis=1, keepdims=True)
    return np.asarray(top + np.log(np.exp(logits - top).sum(axis=1, keepdims=True)))


def turns_for(shares: Floats, layout: Markers, orders: Floats) -> int:
    """How many quarter turns (index into ``orders`` (4, 25)) let the stickers lie where the layout has them."""
    logits = np.log(np.maximum(shares, _FLOOR))
    wanted = _sticker_logits(layout)
    fits = []
    for order in orders.astype(int):
        turned = logits[order] + wanted
        fits.append(float(_log_sum(turned).sum()))
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
    for hole, name in _stickers(layout):
        logits[hole, _INDEX[name]] = 0.0
        logits[hole, _INDEX["empty"]] = _NO_STICKER
    return logits


def _stickers(layout: Markers) -> list[tuple[int, str]]:
    """Each hole with a sticker, and which."""
    upgrades = ((f"upgrade_{colour}", mask) for colour, mask in layout.upgrades)
    named = (*upgrades, ("centre", layout.centre), ("bonus", layout.bonus))
    return [(hole, name) for name, mask in named for hole in holes_of(mask)]


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


def _decided(shares: Floats, bottom: str) -> Decided:
    """The likeliest content, then what it looks like. ``bottom``: a sticker known to lie there, else ``empty``."""
    sums = {name: float(shares[_INDEX[name]]) for name in ("empty", "hidden", "stacked", *MARKERS)}
    if bottom != "empty":
        sums |= {**dict.fromkeys(("empty", *MARKERS), 0.0), bottom: sum(sums[n] for n in ("empty", *MARKERS))}
    sums |= {c: float(shares[_INDEX[c]] + shares[_INDEX[f"{c}_cocked"]]) for c in COLOURS}
    best = max(sums, key=lambda name: sums[name])
    sure, colour = sums[best], max(COLOURS, key=lambda c: sums[c])
    stacked, hidden = sums.pop("stacked"), sums.pop("hidden")
    sums[colour] += stacked
    sums[bottom] += hidden
    if best in COLOURS:
        flaw = "cocked" if shares[_INDEX[f"{best}_cocked"]] > shares[_INDEX[best]] else ""
        found = Decided("die", best, "", flaw, sure)
    elif best == "stacked":
        found = Decided("die", colour, "", "stacked", sure)
    else:
        flaw, lies = ("hidden", bottom) if best == "hidden" else ("", best)
        found = Decided("empty", flaw=flaw, sure=sure) if lies == "empty" else Decided("marker", "", lies, flaw, sure)
    return replace(found, shares=sums)


def holes_of(mask: int) -> list[int]:
    """Indices 0..24 of the holes of a mask."""
    return [hole for hole in range(25) if mask >> hole & 1]


def cell_index(cell: tuple[int, int]) -> int:
    """Index 0..24 of a row and column."""
    return mask_of(cell).bit_length() - 1
