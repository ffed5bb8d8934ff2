"""From exemplars to probabilities: what they say by themselves, and together with a general reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.exemplars.crops import as_print
from vision.exemplars.match import Candidate, Matcher
from vision.exemplars.plates import Plate, plates
from vision.exemplars.prints import Print
from vision.exemplars.store import ExemplarSet

Floats = NDArray[np.float64]

STEEPNESS = 4.0
"""Nats that a class gains with each unit of its score; fitted on validation sets."""

UNMET = -1.1
"""The score of a taught class none of whose exemplars came near."""

ALIKE, UNLIKE = 0.35, 0.7
"""Cost of the best candidate up to which a print surely shows something taught, from which surely not."""

OTHERS = 0.4
"""How much a print that shows nothing taught speaks for what was not taught, where all of a start position was."""

SHRUG = 0.02
"""Share of readings that exemplars get wrong with any confidence."""

ROUNDS = 12


class Decider:
    """Reads prints by the exemplars of one kind in a set. ``version`` grows when they have changed."""

    def __init__(self, own: ExemplarSet, kind: str) -> None:
        self._own, self._kind = own, kind
        self._revision, self.version = -1, 0
        self._matcher: Matcher | None = None
        self._plates: dict[str, tuple[tuple[str, ...], list[Plate]]] = {}

    def matcher(self) -> Matcher | None:
        """The exemplars that nothing speaks against, None while there are none."""
        if self._revision != self._own.revision:
            self._revision = self._own.revision
            by_label: dict[str, list[str]] = {}
            for one in self._own.all(self._kind):
                if not one.doubted:
                    by_label.setdefault(one.label, []).append(one.ident)
            old = {label: idents for label, (idents, _) in self._plates.items()}
            if {label: tuple(idents) for label, idents in by_label.items()} != old:
                self._plates = {label: self._laid(label, tuple(idents)) for label, idents in by_label.items()}
                every = [plate for _, plates in self._plates.values() for plate in plates]
                self._matcher, self.version = Matcher(every) if every else None, self.version + 1
        return self._matcher

    def _laid(self, label: str, idents: tuple[str, ...]) -> tuple[tuple[str, ...], list[Plate]]:
        if label in self._plates and self._plates[label][0] == idents:
            return self._plates[label]
        return idents, plates({ident: as_print(self._own.crop(ident)) for ident in idents}, label)

    def members(self, index: int) -> tuple[str, ...]:
        """The exemplars that make up a plate of the matcher."""
        return () if self._matcher is None else self._matcher.plates[index].members

    def log_likelihoods(self, prints: Sequence[Print], classes: Sequence[str]) -> Floats:
        """What each print says for each class, (N, K) nats, 0 at best; all 0 where nothing is known."""
        matcher = self.matcher()
        if matcher is None:
            return np.zeros((len(prints), len(classes)))
        taught = set(matcher.labels)
        others = OTHERS if self._own.counts and taught.issuperset(self._own.counts) else 1.0
        rows = [_row(one, classes, taught, others) for one in matcher.match(prints)]
        return np.array(rows).reshape(-1, len(classes))


def _row(found: Sequence[Candidate], classes: Sequence[str], taught: set[str], others: float) -> Floats:
    if not found:
        return np.zeros(len(classes))
    best: dict[str, float] = {}
    for candidate in found:
        best[candidate.label] = max(candidate.score, best.get(candidate.label, UNMET))
    strange = others * float(np.clip((found[0].cost - ALIKE) / (UNLIKE - ALIKE), 0, 1))
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
