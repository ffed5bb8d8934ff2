"""From exemplars to probabilities: what they say by themselves, and together with a general reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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

TRUST, TRUSTS = 0.4, (0.0, 0.1, 0.2, 0.4, 0.7, 1.0)
"""How far the general reader is believed before its readings of a known position were seen, and what can be found."""

COST_WORTH = 0.15
"""How much cost a clearer win makes up for, between several tries at one thing."""

ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Best:
    """How well the exemplars of a kind fit one thing: ``cost`` of the best, ``body``: distance of ground colours."""

    cost: float
    body: float


class Decider:
    """Reads prints by the exemplars of some kinds in a set; prepared anew when the set has changed.

    ``idents``, ``labels``: of the exemplars in force, parallel to the matcher's.
    """

    def __init__(self, own: ExemplarSet, kinds: Sequence[str]) -> None:
        self._own, self._kinds = own, tuple(kinds)
        self._revision = -1
        self._matcher: Matcher | None = None
        self.idents: list[str] = []
        self.labels: list[str] = []

    def matcher(self) -> Matcher | None:
        """The exemplars that nothing speaks against, None while there are none."""
        if self._revision != self._own.revision:
            self._revision = self._own.revision
            entries = [e for kind in self._kinds for e in self._own.all(kind) if not e.doubted]
            self.idents, self.labels = [e.ident for e in entries], [e.label for e in entries]
            prints = [as_print(self._own.crop(e.ident)) for e in entries]
            self._matcher = Matcher(prints, self.labels) if entries else None
        return self._matcher

    def best(self, views: Sequence[Print]) -> Best | None:
        """How well any exemplar fits one thing, seen in several tries; None while there are none."""
        matcher = self.matcher()
        if matcher is None:
            return None
        costs = [c.cost for found in matcher.match(views) for c in found]
        middle = views[len(views) // 2].ground
        return Best(min(costs, default=1.0), min(float(np.linalg.norm(middle - g)) for g in matcher.grounds))

    def log_likelihoods(self, prints: Sequence[Print], classes: Sequence[str], views: int = 1) -> Floats:
        """What each print says for each class, (N, K) nats, 0 at best; all 0 where nothing is known.

        ``views``: so many prints in a row are tries at one thing; the one that fits an exemplar best counts.
        """
        matcher = self.matcher()
        if matcher is None:
            return np.zeros((len(prints) // views, len(classes)))
        taught, found = set(matcher.labels), matcher.match(prints)
        best = [best_view(found[k : k + views]) for k in range(0, len(found), views)]
        return np.array([_row(one, classes, taught) for one in best]).reshape(-1, len(classes))


def best_view(views: Sequence[Sequence[Candidate]]) -> Sequence[Candidate]:
    """Of several tries at one thing, the one that an exemplar fits best."""
    return min(views, key=lambda found: min((c.cost - COST_WORTH * c.score for c in found), default=1.0))


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


def joined(general: Floats, own: Floats, trust: float = 1.0) -> Floats:
    """Probabilities (N, K) of a general reader and of exemplars in one; ``own``: log-likelihoods; ``trust``: how far
    the general reader is believed, 0..1."""
    both = trust * np.log(np.clip(general, 1e-4, 1.0)) + own
    likely = np.exp(both - both.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float64)


def fitting_trust(general: Floats, truth: Sequence[int]) -> float:
    """How far to believe a general reader whose probabilities (N, K) met these true classes: the share of its
    certainty with which it would have been least surprised."""
    logs = np.log(np.clip(general, 1e-4, 1.0))

    def surprise(trust: float) -> float:
        rows = trust * logs
        norm = np.log(np.exp(rows - rows.max(axis=1, keepdims=True)).sum(axis=1)) + rows.max(axis=1)
        return float((norm - rows[np.arange(len(rows)), list(truth)]).mean())

    return min(TRUSTS, key=surprise)


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
