"""Which of the things that may have happened explains the table best, and how sure that is.

Nothing changed, a turn (the rules' candidates for every roll the die may show), or a wrong turn put right: each is
scored by the evidence for the position it leads to and by how likely it is beforehand. The state may itself be in
doubt: every :class:`Branch` is one history that is still possible.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.protocol import Place, Violation
from vision.corrections import corrections, joined
from vision.evidence import Evidence
from vision.offered import Changes, legal, offered
from vision.reading import TableReading
from vision.tables import TableAdapter
from vision.throw import THROWN_AGAIN
from vision.told import Branch, Hypothesis, Told, same_event

__all__ = [
    "MAYBE", "TURN", "Branch", "Explanation", "Hypothesis", "Told", "explain", "same_event", "with_unseen_turn",
]

TURN = -1.0
"""Log-probability of a turn beforehand, against nothing having changed."""

FORCED_PASS = -0.1
"""The same of a turn without a move, where the rules allow no other and the die was thrown once more."""

PASSED = -5.0
"""Log-probability that a throw with which no move is allowed is thrown once more by the same player."""

FIRST_FAULT, FURTHER_FAULT = -4.0, -2.5
"""How much less likely a turn is that breaks one rule, and every further one."""

RARE_FAULTS = {"more_than_one_move": -1.0, "game_is_over": -2.0}
"""Faults that hardly ever happen, and how much rarer they are than others."""

AGREEING = 24
"""So many of the likeliest hypotheses are asked whether they agree with the best one."""

AS_WELL = 0.5
"""Nats by which one story may fit less than another and still fit as well."""

MAYBE = 0.03
"""Probability from which something that may have happened is kept in mind."""

QUIET = 1.5
"""Nats that a reading may fall short of a perfect fit where no pixel says that anything has changed."""

UNSEEN_TURN = -3.0
"""Log-probability that a whole turn was made while nobody could look."""

UNLIKELY_ROLL = 3.0
"""Rolls this many nats behind the likeliest one are followed up only by legal turns."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """All hypotheses worth naming, best first, with probabilities that add up to (nearly) 1.

    ``shortfall``: how many nats the best one's position stays behind a perfect fit, by place (see ``lacking``);
    ``agreed``: probability of all that agree with the best one on what happened last and on what stands on the table
    now, whatever they say about earlier doubts; ``same``: of all that agree on what happened last, if need be on
    another table.
    """

    ranked: tuple[tuple[Hypothesis, float], ...]
    shortfall: Mapping[Place, float]
    agreed: float
    same: float = 0.0

    @property
    def best(self) -> Hypothesis:
        """The likeliest hypothesis."""
        return self.ranked[0][0]

    @property
    def probability(self) -> float:
        """Probability of the best one."""
        return self.ranked[0][1]

    @property
    def in_doubt(self) -> bool:
        """Whether something may well have happened."""
        return any(h.told is not None and p > MAYBE for h, p in self.ranked)

    @property
    def is_open(self) -> bool:
        """Whether something is not settled: now or since an earlier doubt."""
        return self.in_doubt or bool(self.best.branch.pending)

    @property
    def says_fault(self) -> bool:
        """Whether the best one says that a turn just made broke a rule."""
        return self.best.told is not None and bool(self.best.told.violations)

    @property
    def margin(self) -> float:
        """Nats between the best and the next one."""
        if len(self.ranked) < 2:
            return math.inf
        return self.ranked[0][0].score - self.ranked[1][0].score

    def with_another(self, other: Hypothesis) -> Explanation:
        """One more hypothesis among the ranked ones; what agrees is not counted again."""
        best = max(self.best.score, other.score)
        weights = [(h, p * math.exp(self.best.score - best) / self.probability) for h, p in self.ranked]
        weights = sorted([*weights, (other, math.exp(other.score - best))], key=lambda pair: -pair[1])
        total = sum(p for _, p in weights)
        return replace(self, ranked=tuple((h, p / total) for h, p in weights))


def explain(
    branches: Sequence[Branch], evidence: Evidence, reading: TableReading, adapter: TableAdapter[Any], keep: int = 6
) -> Explanation:
    """Rank what may have happened since ``branches``."""
    if len(branches) == 1 and _quiet(branches[0], evidence.given(branches[0].known), reading, adapter):
        nothing = Hypothesis(branches[0], None, branches[0].state, 0.0, 0.0)
        lacking = evidence.given(branches[0].known).shortfalls(adapter.contents(branches[0].state))
        return Explanation(((nothing, 1.0),), lacking, 1.0, 1.0)
    scored = _distinct(h for b in branches for h in _hypotheses(b, evidence.given(b.known), reading, adapter))
    total = sum(math.exp(h.score - scored[0].score) for h in scored)
    ranked = [(h, math.exp(h.score - scored[0].score) / total) for h in scored[:AGREEING]]
    shown = adapter.contents(scored[0].state)
    alike = [(h, p) for h, p in ranked if same_event(h.told, scored[0].told)]
    agreed = sum(p for h, p in alike if adapter.contents(h.state) == shown)
    lacking = evidence.given(scored[0].branch.known).lacking(shown)
    ranked[0] = _with_rolls(scored[0], alike), ranked[0][1]
    return Explanation(tuple(ranked[:keep]), lacking, agreed, sum(p for _, p in alike))


def _with_rolls(best: Hypothesis, alike: Sequence[tuple[Hypothesis, float]]) -> Hypothesis:
    """The best one with all the throws it may have been."""
    shares: dict[int, float] = {}
    for h, p in alike:
        if h.told is not None and h.told.kind == "turn":
            shares[h.told.roll] = shares.get(h.told.roll, 0.0) + p
    total = sum(shares.values())
    rolls = tuple((roll, p / total) for roll, p in shares.items() if p >= MAYBE * total)
    return replace(best, told=replace(best.told, rolls=rolls)) if best.told and len(rolls) > 1 else best


def _quiet(branch: Branch, evidence: Evidence, reading: TableReading, adapter: TableAdapter[Any]) -> bool:
    """Whether nothing at all has happened: no place looks different and everything is seen where it should be."""
    if branch.die.thrown_again(reading) or not evidence.looks_unchanged:
        return False
    return sum(evidence.shortfalls(adapter.contents(branch.state)).values()) <= QUIET


def _hypotheses(
    branch: Branch, evidence: Evidence, reading: TableReading, adapter: TableAdapter[Any]
) -> Iterable[Hypothesis]:
    """One for everything that may have happened after ``branch``.

    Of those between which no look at the table can tell, the likeliest beforehand stands for all.
    """
    base = adapter.contents(branch.state)
    level = evidence.log_likelihood(base)
    thrown_again = branch.die.thrown_again(reading)
    still = branch.weight + (_unplayed(branch, reading, adapter) if thrown_again else 0.0)
    options: dict[tuple[Any, ...], Hypothesis] = {(): Hypothesis(branch, None, branch.state, still, 0.0)}
    for told, prior, changes in _possible(branch, reading, adapter):
        if not changes and not thrown_again:
            continue
        prior += branch.weight
        key = told.kind, told.roll, changes
        if key not in options or prior > options[key].prior:
            before, whole = joined(branch, told, adapter)
            options[key] = Hypothesis(before, whole, whole.after, prior, evidence.gain(base, dict(changes)))
    return [replace(h, score=h.prior + level + h.score) for h in options.values()]


def _unplayed(branch: Branch, reading: TableReading, adapter: TableAdapter[Any]) -> float:
    """Log-probability that a throw was not played though the die was thrown again; hardly ever where the rules allow no
    move with it: then the next player has thrown."""
    table: Any = adapter
    rolls = adapter.rolls(branch.state, branch.die.faces(), branch.die.said)
    likely = {roll: math.exp(chance) for roll, chance in rolls.items()}
    idle = sum(p for roll, p in likely.items() if not any(changes for _, changes in legal(table, branch.state, roll)))
    share = idle / max(sum(likely.values()), 1e-9)
    return math.log(share * math.exp(PASSED) + (1.0 - share) * math.exp(THROWN_AGAIN))


def _distinct(hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """Best first; a story that can be told from two branches only once. One that began when it was not certain yet, and
    fits as well as having happened only now, has happened only now: a further hand may have ended it."""
    best: dict[tuple[Any, ...], Hypothesis] = {}
    for h in sorted(hypotheses, key=lambda h: -h.score):
        told = h.branch.pending if h.told is None else (*h.branch.pending, h.told)
        key = tuple((t.kind, t.roll, t.after) for t in told)
        first = best.setdefault(key, h)
        if first.told is None and h.told is not None and first.score - h.score < AS_WELL:
            best[key] = replace(h, score=first.score)
    return list(best.values())


def _possible(
    branch: Branch, reading: TableReading, adapter: TableAdapter[Any]
) -> Iterator[tuple[Told, float, Changes]]:
    """What may have happened, its log-probability beforehand, and the places that look different after it."""
    yield from corrections(branch, adapter)
    if adapter.game.outcome(branch.state) is not None:
        return
    rolls = adapter.rolls(branch.state, branch.die.rolls(reading), branch.die.said)
    likeliest = max(rolls.values())
    table: Any = adapter
    for roll, chance in rolls.items():
        turns = (offered if chance >= likeliest - UNLIKELY_ROLL else legal)(table, branch.state, roll)
        forced = not any(changes for candidate, changes in turns if candidate.verdict.legal)
        for candidate, changes in turns:
            faults = candidate.verdict.violations
            told = Told("turn", branch.state, candidate.action, candidate.verdict.state, faults, roll, branch.die)
            usual = FORCED_PASS if forced and not changes and not faults else TURN
            yield told, usual + chance + fault_prior(faults), changes


def with_unseen_turn(branches: Sequence[Branch], reading: TableReading, adapter: TableAdapter[Any]) -> list[Branch]:
    """The branches, and each of them with one more legal turn that was made while nobody could look."""
    longer = list(branches)
    for branch in branches:
        for told, prior, changes in _possible(branch, reading, adapter):
            if told.kind == "turn" and not told.violations and changes:
                weight = branch.weight + prior + UNSEEN_TURN
                die = branch.die.after_turn(reading)
                longer.append(Branch(told.after, die, weight, (*branch.pending, told), told, branch.known))
    return longer


def fault_prior(faults: Sequence[Violation]) -> float:
    """Log-probability of a turn that breaks these rules, against a legal one."""
    if not faults:
        return 0.0
    return FIRST_FAULT + (len(faults) - 1) * FURTHER_FAULT + sum(RARE_FAULTS.get(v.rule, 0.0) for v in faults)


