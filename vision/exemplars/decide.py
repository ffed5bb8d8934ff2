"""From exemplars to probabilities: what they say by themselves, and together with a general reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.exemplars.crops import as_print
from vision.exemplars.match import Candidate, Matcher
from vision.exemplars.prints import Print
from vision.exemplars.store import ExemplarSet

Floats = NDArray[np.float64]

STEEPNESS = 4.0
"""Nats that a class gains with each unit of its score; fitted on validation sets."""

UNMET = -1.1
"""The score of a taught class none of whose exemplars came near."""

ALIKE, UNLIKE = 0.35, 0.7
"""Cost of the best candidate up to which a print surely shows something taught, from which surely not."""

SHRUG = 0.02
"""Share of readings that exemplars get wrong with any confidence."""

ROUNDS = 12


class Decider:
    """Reads prints by the exemplars of some kinds in a set; prepared anew when the set has changed.

    ``labels``: what the exemplars in force were taught as.
    """

    def __init__(self, own: ExemplarSet, kinds: Sequence[str]) -> None:
        self._own, self._kinds = own, tuple(kinds)
        self._revision = -1
        self._matcher: Matcher | None = None
        self._idents: list[str] = []
        self.labels: list[str] = []

    def matcher(self) -> Matcher | None:
        """The exemplars that nothing speaks against, None while there are none."""
        if self._revision != self._own.revision:
            self._revision = self._own.revision
            entries = [e for kind in self._kinds for e in self._own.all(kind) if not e.doubted]
            self._idents, self.labels = [e.ident for e in entries], [e.label for e in entries]
            prints = [as_print(self._own.crop(e.ident)) for e in entries]
            self._matcher = Matcher(prints, self.labels) if entries else None
        return self._matcher

    def members(self, index: int) -> list[str]:
        """The exemplars that make up a plate of the matcher."""
        return [] if self._matcher is None else [self._idents[k] for k in self._matcher.plates[index].members]

    def log_likelihoods(self, prints: Sequence[Print], classes: Sequence[str]) -> Floats:
        """What each print says for each class, (N, K) nats, 0 at best; all 0 where nothing is known."""
        matcher = self.matcher()
        if matcher is None:
            return np.zeros((len(prints), len(classes)))
        taught = set(matcher.labels)
        return np.array([_row(one, classes, taught) for one in matcher.match(prints)]).reshape(-1, len(classes))


def _row(found: Sequence[Candidate], classes: Sequence[str], taught: set[str]) -> Floats:
    if not found:
        return np.zeros(len(classes))
    best: dict[str, float] = {}
    for candidate in found:
        best[candidate.label] = max(candidate.score, best.get(candidate.label, UNMET))
    strange = float(np.clip((found[0].cost - ALIKE) / (UNLIKE - ALIKE), 0, 1))
    other = UNMET + strange * (1.0 - UNMET) if len(taught) > 1 else UNMET * (1 - strange)
    scores = np.array([best.get(name, UNMET if name in taught else other) for name in classes])
    likely = np.exp(STEEPNESS * (scores - scores.max()))
    return np.asarray(np.log((1 - SHRUG) * likely / likely.sum() + SHRUG / len(classes)), np.float64)


def joined(general: Floats, own: Floats) -> Floats:
    """Probabilities (N, K) of a general reader and of exemplars in one; ``own``: log-likelihoods."""
    both = np.log(np.clip(general, 1e-4, 1.0)) + own
    likely = np.exp(both - both.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float64)


def shared_out(probs: Floats, classes: Sequence[str], counts: Mapping[str, int]) -> Floats:
    """Probabilities (N, K) once every class can be there only as often as the set has it.

    Alternating normalisation of rows and of classes that are claimed too often.
    """
    most = np.array([float(counts.get(name, len(probs))) for name in classes])
    shares = probs.copy()
    for _ in range(ROUNDS):
        claimed = shares.sum(axis=0)
        shares = shares * np.minimum(1.0, most / np.maximum(claimed, 1e-9))
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
    return shares
