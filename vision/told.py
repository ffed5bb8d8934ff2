"""What a history is made of: turns and corrections, and the branches between which nothing has decided yet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rules.protocol import Violation
from vision.evidence import Known
from vision.throw import DieMemory


@dataclass(frozen=True, slots=True)
class Told:
    """Something that happened: ``kind`` is ``"turn"`` or ``"correction"``; the states are the game's own.

    ``die``: what was known of the die before it happened; ``taken_back``: a correction to the position before the
    wrong turn, so that its roll is to be played again; ``asked_s``: when the players were asked about it, if they were;
    ``told_s``: when it was settled; ``free``: read off the table alone, because no turn of the rules explains it;
    ``rolls``: every throw that it may have been without any other difference, with its share, where that is not clear;
    ``wrong``: the turn that a correction puts right; ``partly``: it does so only in part, more must follow.
    """

    kind: str
    before: Any
    action: Any
    after: Any
    violations: tuple[Violation, ...] = ()
    roll: int = 0
    die: DieMemory = DieMemory()
    taken_back: bool = False
    asked_s: float | None = None
    told_s: float | None = None
    free: bool = False
    rolls: tuple[tuple[int, float], ...] = ()
    wrong: Told | None = None
    partly: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A history that is possible: its ``state`` now, what is not certain of it yet (``pending``), what came last.

    ``weight``: log-probability against other branches; ``last``: the last thing told, settled or not; ``known``: what
    it says of the picture that later ones are compared with.
    """

    state: Any
    die: DieMemory = DieMemory()
    weight: float = 0.0
    pending: tuple[Told, ...] = ()
    last: Told | None = None
    known: Known | None = None


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """``told`` happened after ``branch`` (None: nothing), leading to ``state``.

    ``prior``: its log-probability beforehand, the branch's included; ``score``: with the evidence, not normalised.
    """

    branch: Branch
    told: Told | None
    state: Any
    prior: float
    score: float


def same_event(a: Told | None, b: Told | None) -> bool:
    """Whether two stories end with the same event: it does not matter how the die is read, as long as the verdict is
    the same and the game goes on in the same way."""
    if a is None or b is None:
        return a is b
    if (a.kind, a.after) != (b.kind, b.after) or [v.rule for v in a.violations] != [v.rule for v in b.violations]:
        return False
    return bool(replace(a.action, roll=0) == replace(b.action, roll=0))
