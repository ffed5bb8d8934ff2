"""What a general reader's words mean on one set: as they are, or only what known things of the set have shown.

A reader that was trained on red minus tiles reads digits on blue ones well and their sign badly; on tally marks it
reads nothing. Which of a few ways to take its words fits a set is found out from things whose labels are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from models.classes import DIE_CLASSES, NUMBER_CLASSES, TILE_CLASSES

Floats = NDArray[np.float64]

AS_IT_IS = 0.9
"""How likely a reader's words mean what they say, before anything was seen of the set."""

SLIP = 0.03
"""Share of its certainty that a reader is never believed with."""

OWN_WORD = 1.0
"""So many known things weigh as much as the assumption that a reader's word for a class is its name."""

RARE = 0.1
"""A class that a start position does not have is as likely as this share of one that it has once."""

KINDS, NUMBERS = len(TILE_CLASSES), len(NUMBER_CLASSES)
TILE_WORDS = 2 * KINDS + NUMBERS
"""Length of what is kept of the readers' words about a tile: both in one, kinds alone, numbers alone."""

_NONE = NUMBER_CLASSES.index("none")
_GROUP = np.array([0 if name[0] == "-" else 1 if name[0] == "+" else 2 + k for k, name in enumerate(TILE_CLASSES)])
_GROUPS = np.unique(_GROUP, return_inverse=True)[1]


def _number_share(signed: bool) -> Floats:
    """(KINDS, NUMBERS): how a tile of each class makes the reader of numbers speak, with or without a true sign."""
    table = np.zeros((KINDS, NUMBERS))
    for k, name in enumerate(TILE_CLASSES):
        fits = [
            j for j, word in enumerate(NUMBER_CLASSES[:_NONE])
            if name[0] in "+-" and (word == name or (not signed and word[1:] == name[1:]))
        ]
        table[k, fits] = 0.8 / max(len(fits), 1)
        table[k, _NONE] = 0.2 if fits else 1.0
    table = 0.97 * table + 0.03 / NUMBERS
    return np.asarray(table / table.sum(axis=1, keepdims=True), np.float64)


_SIGNED, _UNSIGNED = _number_share(True), _number_share(False)


class Meaning:
    """Ways to take the words (N, W) of general readers, weighed by how well they name things that are known.

    ``known``: words (M, W) about things of ``truth`` (M,), as indices of classes; ``expected`` (K,): how often the set
    has each class. ``ways``: each gives shares (N, K) for words, learnt from words and truth.
    """

    def __init__(
        self, ways: Sequence[Way], known: Floats, truth: Sequence[int], expected: Floats
    ) -> None:
        self._ways, self._known, self._expected = ways, known, expected
        self._truth = np.array(truth, np.int64)
        rest = (1 - AS_IT_IS) / max(len(ways) - 1, 1)
        nats = np.log([AS_IT_IS, *[rest] * (len(ways) - 1)])
        if len(known):
            rows = np.arange(len(known))
            for k, way in enumerate(ways):
                named = way(known, known, self._truth, expected, True)
                nats[k] += np.log(_careful(named)[rows, self._truth]).sum()
        likely = np.exp(nats - nats.max())
        self.weights: Floats = np.asarray(likely / likely.sum(), np.float64)

    def shares(self, words: Floats) -> Floats:
        """Probabilities (N, K) that the words about N things stand for."""
        if not len(words):
            return np.zeros((0, len(self._expected)))
        parts = [
            weight * _careful(way(words, self._known, self._truth, self._expected, False))
            for weight, way in zip(self.weights, self._ways, strict=True) if weight > 1e-4
        ]
        total = np.sum(parts, axis=0)
        return np.asarray(total / total.sum(axis=1, keepdims=True), np.float64)


Way = Callable[[Floats, Floats, "NDArray[np.int64]", Floats, bool], Floats]
"""From words, known words and their truth, what is expected, and whether the words are the known ones themselves (each
then is named by the others alone) to shares (N, K)."""


def tile_meaning(known: Sequence[Sequence[float]], labels: Sequence[str], counts: Mapping[str, int]) -> Meaning:
    """For words of TILE_WORDS about tiles."""
    ways: tuple[Way, ...] = (_as_read, _kinds_and(_SIGNED), _kinds_and(_UNSIGNED), _kinds_and(None))
    expected = np.array([float(counts.get(name, 0)) for name in TILE_CLASSES]) + RARE
    return Meaning(ways, _table(known, TILE_WORDS), [TILE_CLASSES.index(label) for label in labels], expected)


def face_meaning(known: Sequence[Sequence[float]], labels: Sequence[str]) -> Meaning:
    """For words of len(DIE_CLASSES) about dice."""
    count = len(DIE_CLASSES)
    ways: tuple[Way, ...] = (lambda words, *_: words, _confused)
    return Meaning(ways, _table(known, count), [DIE_CLASSES.index(label) for label in labels], np.ones(count))


def _table(rows: Sequence[Sequence[float]], width: int) -> Floats:
    return np.asarray(rows, np.float64).reshape(-1, width)


def _as_read(words: Floats, *_: object) -> Floats:
    return words[:, :KINDS]


def _kinds_and(numbers: Floats | None) -> Way:
    """Kinds as the set has shown them, numbers as a table says (None: numbers say nothing)."""

    def way(words: Floats, known: Floats, truth: NDArray[np.int64], expected: Floats, itself: bool) -> Floats:
        groups = np.eye(_GROUPS.max() + 1)[_GROUPS]
        shares = _learnt(
            words[:, KINDS : 2 * KINDS], known[:, KINDS : 2 * KINDS], _GROUPS[truth], groups.T, itself
        )[:, _GROUPS] * expected
        if numbers is not None:
            shares = shares * (words[:, 2 * KINDS :] @ numbers.T)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)

    return way


def _confused(words: Floats, known: Floats, truth: NDArray[np.int64], expected: Floats, itself: bool) -> Floats:
    shares = _learnt(words, known, truth, np.eye(words.shape[1]), itself) * expected
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)


def _learnt(words: Floats, known: Floats, group: NDArray[np.int64], own: Floats, itself: bool) -> Floats:
    """How well words (N, J) fit each group (N, G), by what was said about known things of the group.

    ``own`` (G, J): the words that are a group's name; assumed as long as nothing is known of it.
    """
    count = own.shape[1]
    named = 0.7 * own / own.sum(axis=1, keepdims=True) + 0.3 / count
    said = OWN_WORD * named
    np.add.at(said, group, known)
    fits = words @ (said / said.sum(axis=1, keepdims=True)).T
    if itself:
        for k, g in enumerate(group):
            without = said[g] - known[k]
            fits[k, g] = words[k] @ (without / without.sum())
    return np.asarray(fits, np.float64)


def _careful(shares: Floats) -> Floats:
    return np.asarray((1 - SLIP) * shares + SLIP / shares.shape[1], np.float64)
