"""What has happened in the game so far, what is in doubt, and how a doubt ends: by the table or by a person."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vision import events
from vision.edits import edited
from vision.events import SURE, Json
from vision.evidence import Known
from vision.explain import MAYBE, Explanation
from vision.reading import TableReading
from vision.throw import DieMemory
from vision.told import Branch, Hypothesis, Told, same_event

FIT = 8.0
"""Nats that a position may fall short of a perfect fit, all places together, and still be accepted."""

WORST_FIT = 4.4
"""The same for any single place: a missed piece is forgiven, one that is clearly too many is not."""

ASKED_BELOW = 0.75
"""Share of what is likeliest below which the players are asked. Above, but not sure, it stays open without a question:
the turns to come end most of such doubts, and what they do not end is believed to be what is likeliest."""

LIKELIER = 0.5
"""Share of its rivals' probability from which an earlier doubt is settled by the players going on: they were asked, and
every turn after it is clear."""

MOST_PENDING = 2
"""More things than these are not left open: the oldest is then believed to be what is likeliest."""

CERTAIN_FAULT, BENEFIT = 0.8, 0.15
"""Probability from which a doubtful turn is called wrong though a legal one of this probability may have been made."""

MOST_BRANCHES = 6
OFFERED = 3


@dataclass(frozen=True, slots=True)
class Question:
    """A doubt put to the players: ``options`` are the histories they can choose from, ``line`` the event."""

    options: tuple[Branch, ...]
    line: Json


class History:
    """The settled part of the game, and the branches that are possible since."""

    def __init__(self, game: Any, state: Any) -> None:
        self.game = game
        self._start = state
        self.branches: tuple[Branch, ...] = (Branch(state),)
        self.question: Question | None = None
        self._settled: list[Told] = []
        self._refused: Any = None
        self._over = False

    @property
    def branch(self) -> Branch:
        """The likeliest branch."""
        return self.branches[0]

    @property
    def state(self) -> Any:
        """The likeliest state of the game."""
        return self.branch.state

    @property
    def first(self) -> Any:
        """The state before the first turn."""
        return self._start

    @property
    def settled(self) -> Sequence[Told]:
        """Everything that is settled, oldest first."""
        return self._settled

    def copied(self) -> History:
        """The same as it stands; what happens to this one later does not change it."""
        other = copy.copy(self)
        other._settled = list(self._settled)
        return other

    def accepts(self, explanation: Explanation) -> bool:
        """Whether the best explanation is sure enough and leaves little unexplained."""
        # An earlier doubt that no look can end must not stop the game: what came later can be sure without it.
        return self._fits(explanation) and _sure(explanation) >= SURE

    def _fits(self, explanation: Explanation) -> bool:
        best, lacking = explanation.best, explanation.shortfall.values()
        if best.told is not None and best.told.after == self._refused:
            return False
        return sum(lacking) <= FIT and max(lacking, default=0.0) <= WORST_FIT

    def is_question(self, explanation: Explanation) -> bool:
        """Whether the players should say what happened: nothing explains the table, or several things do."""
        return not self._fits(explanation) or _likelihood(explanation) < ASKED_BELOW

    def settle(self, explanation: Explanation, reading: TableReading, t_s: float) -> list[Json]:
        """Take the best explanation for what happened; the lines of everything that is certain now."""
        best = explanation.best
        branch = _extended(best, reading)
        self._refused = None
        sure = _sure(explanation)
        return self._adopt(branch, t_s, sure, explanation.probability / sure if best.told else sure)

    def hold(self, explanation: Explanation, reading: TableReading, t_s: float, seen: bool = False) -> None:
        """Keep the likeliest explanations as branches: what comes next may tell which of them is right.

        ``seen``: later pictures are compared with this one, so that what it says counts for each of them now.
        """
        ranked = explanation.ranked[:MOST_BRANCHES]
        if seen:
            held = [(_extended(h, reading, t_s), math.log(max(p, 1e-9))) for h, p in ranked]
            self.branches = tuple(replace(branch, weight=weight) for branch, weight in held)
        else:
            # What hardly anything spoke for happens later, if it does, and then has its own time.
            likely = [h for h, p in ranked if h.told is None or p >= MAYBE]
            held_now = [*likely, *self._unlisted(likely)][:2 * MOST_BRANCHES]
            self.branches = tuple(_extended(h, reading, t_s) for h in held_now)

    def _unlisted(self, likely: Sequence[Hypothesis]) -> list[Hypothesis]:
        """That nothing has happened, for every branch of which ``likely`` does not say so."""
        named = [h.state for h in likely if h.told is None]
        others = sorted((b for b in self.branches if b.state not in named), key=lambda b: -b.weight)
        return [Hypothesis(b, None, b.state, b.weight, 0.0) for b in others]

    def leave_open(self, explanation: Explanation, reading: TableReading, t_s: float) -> list[Json]:
        """Keep a doubt without a question; the lines of older ones that are believed now."""
        self.hold(explanation, reading, t_s, seen=True)
        return self.give_up(t_s)

    def compare_with(self, known: Callable[[Any], Known]) -> None:
        """Later pictures are compared with the newest one; ``known``: what a state says of it."""
        self.branches = tuple(replace(branch, known=known(branch.state)) for branch in self.branches)

    def ask(self, explanation: Explanation, reading: TableReading, t_s: float) -> list[Json]:
        """Keep the likeliest explanations and put those that say something happened to the players."""
        self.hold(explanation, reading, t_s, seen=True)
        lines = self.give_up(t_s)
        told = _different(b for b in self.branches if b.pending)
        options = tuple(b for k, b in enumerate(told) if k < OFFERED or b.pending[-1].free)
        if not lines and self.question and {b.state for b in options} <= {b.state for b in self.question.options}:
            return []
        self.question = Question(options, events.needs_you(self.game, options, t_s))
        return [*lines, self.question.line]

    def give_up(self, t_s: float, keep: int = MOST_PENDING) -> list[Json]:
        """Nobody has ended a doubt, and more has happened since than ``keep`` things: what is likeliest is believed.

        In doubt for the accused: a legal turn that may well be it goes before one that breaks a rule.
        """
        lines: list[Json] = []
        while len(self.branch.pending) > keep:
            first, share = _likeliest_first(self.branches)
            lines.append(events.happened(self.game, first, t_s, share))
            self._settled.append(first if first.told_s is not None else replace(first, told_s=lines[-1]["t_s"]))
            agreeing = [b for b in self.branches if b.pending and same_event(b.pending[0], first)]
            self.branches = tuple(replace(b, pending=b.pending[1:]) for b in agreeing)
            self.question = None
        return lines

    def choose(self, number: int, t_s: float) -> list[Json]:
        """A person says which of the question's options is right (0, 1, ...). Raises ValueError for any other."""
        if self.question is None or not 0 <= number < len(self.question.options):
            raise ValueError(f"there is no alternative {number} to choose")
        option = self.question.options[number]
        count = len(option.pending)
        chosen = [told.after for told in option.pending]
        later = [b for b in self.branches if [told.after for told in b.pending[:count]] == chosen] or [option]
        lines = self._adopt(option, t_s, 1.0, 1.0, by="person")
        self.branches = tuple(replace(b, pending=b.pending[count:], weight=b.weight - later[0].weight) for b in later)
        return lines

    def say(self, what: str) -> None:
        """A person tells the face of a die that the camera does not read; it counts for the next turn."""
        self.branches = tuple(replace(b, die=replace(b.die, said=what)) for b in self.branches)

    def dismiss(self) -> None:
        """A person says that nothing has happened: back to what is settled."""
        last = self._settled[-1] if self._settled else None
        base = next((b for b in self.branches if not b.pending), None)
        if base is None:
            first = self.branch.pending[0]
            base = Branch(first.before, first.die, last=last)
        self.branches, self.question = (replace(base, weight=0.0),), None

    def undo(self, t_s: float) -> list[Json]:
        """Take the last settled turn or correction back. Raises ValueError when there is none."""
        if not self._settled:
            raise ValueError("there is nothing to undo")
        told = self._settled.pop()
        self._refused, self._over, self.question = told.after, False, None
        last = self._settled[-1] if self._settled else None
        self.branches = (Branch(told.before, told.die, last=last),)
        return [events.undo(self.game, told, t_s)]

    def edit(self, kind: str, index: int, line: Json | None, t_s: float) -> list[Json]:
        """A person changes entry ``index`` of ``settled``, inserts one before it, or removes it (``kind``).

        The lines take back everything from there on and tell it again, so that a record needs no further kind of line.
        Raises ValueError for an entry that there is not, RecordError for a turn that cannot have happened.
        """
        last = len(self._settled) - (kind != "insert")
        if not 0 <= index <= last:
            raise ValueError(f"there is no entry {index} to {kind}")
        after = self._settled[index:]
        state = after[0].before if after else self._settled[-1].after if self._settled else self._start
        told = edited(self.game, state, after if kind == "insert" else after[1:], None if kind == "remove" else line)
        die = self.branch.die
        undone = [undo for _ in after for undo in self.undo(t_s)]
        newest = told[-1] if told else self._settled[-1] if self._settled else None
        self.branches = (Branch(newest.after if newest else state, die, pending=tuple(told), last=newest),)
        self._refused = None
        again = self._adopt(self.branch, t_s, 1.0, 1.0)
        if kind != "remove":
            again[0]["by"] = "person"
        return undone + again

    def take(self, hypothesis: Hypothesis, reading: TableReading, t_s: float) -> list[Json]:
        """A person says that what stands on the table holds, whatever happened."""
        branch = _extended(hypothesis, reading)
        self._refused = None
        return self._adopt(branch, t_s, 1.0, 1.0, by="person")

    def replay(self, line: Json) -> None:
        """Apply a line of an earlier record (turn, correction, undo). Raises RecordError."""
        kind = line.get("type")
        if kind == "undo":
            self.undo(0.0)
        elif kind in ("turn", "correction"):
            told = replace(events.told(self.game, self.state, line), told_s=line.get("t_s"))
            last = self.branch.last
            if kind == "correction" and last is not None:
                told = replace(told, wrong=last if last.violations else last.wrong)
            self._adopt(Branch(told.after, pending=(told,), last=told), 0.0, 1.0, 1.0)

    def _adopt(self, branch: Branch, t_s: float, confidence: float, earlier: float, by: str = "") -> list[Json]:
        """Settle everything pending; ``confidence`` of the newest event, ``earlier`` of those in doubt before it."""
        lines = []
        for told in branch.pending:
            sure = earlier if told.asked_s is not None else confidence
            lines.append(events.happened(self.game, told, t_s, sure, by))
            self._settled.append(told if told.told_s is not None else replace(told, told_s=lines[-1]["t_s"]))
        self.branches = (replace(branch, pending=(), weight=0.0),)
        self.question = None
        outcome = self.game.outcome(branch.state)
        if lines and outcome is not None and not self._over:
            self._over = True
            lines.append(events.end(self.game, branch.state, t_s))
        return lines


def _likeliest_first(branches: Sequence[Branch]) -> tuple[Told, float]:
    """The oldest thing in doubt that the branches make likeliest, and its share of their probability."""
    most = max(branch.weight for branch in branches)
    total = sum(math.exp(branch.weight - most) for branch in branches)
    shares: list[tuple[Told, float]] = []
    for first in (b.pending[0] for b in branches if b.pending):
        if not any(same_event(first, other) for other, _ in shares):
            like = [b for b in branches if b.pending and same_event(b.pending[0], first)]
            shares.append((first, sum(math.exp(b.weight - most) for b in like) / total))
    shares.sort(key=lambda pair: -pair[1])
    if shares[0][0].violations and shares[0][1] < CERTAIN_FAULT:
        legal = [pair for pair in shares if not pair[0].violations and pair[1] >= BENEFIT]
        return [*legal, shares[0]][0]
    return shares[0]


def _different(branches: Iterable[Branch]) -> list[Branch]:
    """Of stories that differ only in how a die is read, the likeliest."""
    kept: list[Branch] = []
    for branch in branches:
        if not any(_same_story(branch.pending, other.pending) for other in kept):
            kept.append(branch)
    return kept


def _same_story(a: Sequence[Told], b: Sequence[Told]) -> bool:
    return len(a) == len(b) and all(same_event(one, other) for one, other in zip(a, b, strict=True))


def _extended(hypothesis: Hypothesis, reading: TableReading, asked_s: float | None = None) -> Branch:
    """The branch after a hypothesis, the die as ``reading`` shows it; ``asked_s``: if it is put to the players."""
    branch, told = hypothesis.branch, hypothesis.told
    if told is None:
        return replace(branch, die=branch.die.seeing(reading), weight=hypothesis.prior)
    if asked_s is not None:
        told = replace(told, asked_s=asked_s)
    pending = (*branch.pending, told)
    return Branch(
        hypothesis.state, _die_after(branch, told, reading), hypothesis.prior, pending, told, branch.known
    )


def _sure(explanation: Explanation) -> float:
    """How sure the newest event of the best explanation is.

    Where the players were asked about something before it and have gone on, they need not agree on that.
    """
    best = explanation.best
    if best.told is None:
        return explanation.probability
    asked = any(told.asked_s is not None for told in best.branch.pending)
    if asked and explanation.agreed < SURE and explanation.probability >= LIKELIER * explanation.same:
        return explanation.same
    return explanation.agreed


def _likelihood(explanation: Explanation) -> float:
    """How likely the best explanation is; where nothing has happened since an earlier doubt, what it says of that."""
    if explanation.best.told is not None:
        return max(explanation.same, explanation.agreed)
    story = explanation.best.branch.pending
    return sum(p for h, p in explanation.ranked if h.told is None and _same_story(h.branch.pending, story))


def _die_after(branch: Branch, told: Told, reading: TableReading) -> DieMemory:
    if told.kind == "turn":
        return branch.die.after_turn(reading)
    return branch.die.taken_back() if told.taken_back else branch.die.seeing(reading)
