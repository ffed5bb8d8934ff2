"""Which throw of the die counts: it must lie in a new place or show a new face since the last turn was decided."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from vision.reading import SAME_DIE_MM, DieSeen, Point, TableReading, combine, existence, face_probs, is_die

SAME_FACE = 0.003
"""Below this probability that two looks show the same face, the die was turned: a throw hardly ever ends where the last
one lay, so that a face misread once is likelier."""

REAL_DIE = 0.3
"""Least probability that something is a die at all."""

SURELY = 3
"""How much more the detector's confidence says than the reader's about which of two dice has pips: a power."""

SCENERY_MM = 6.0
"""How exactly print that looks like a die is found again."""

UNSEEN_THROW = -0.7
"""Log-probability of a throw that was noticed only together with its move."""

THROWN_AGAIN = -2.5
"""Log-probability that the die, thrown twice since the last turn, counts with its second face."""

NOT_THROWN = -4.0
"""Log-probability of a turn though the die lies as it lay."""

LAY_THERE = -1.5
"""The same before the first turn: the die may have been thrown before anybody looked."""

RIVAL = 0.1
"""How well, against the die that counts, another thrown one must do to come into question instead."""

LEAST_FACE = 1e-3
"""Faces less likely than this are not followed up."""


@dataclass(frozen=True, slots=True)
class DieMemory:
    """``used``: the die as it lay for the last turn (or at the start); ``thrown``: its throw since then, if any;
    ``said``: what a person told since then about a die that the camera does not read; ``scenery_mm``: where there was
    something like a die when the game began that is none (or another one), and does not count while it lies there;
    ``first``: no turn has been decided yet; ``others_mm``: where more things like dice lay when the last one was.
    """

    used: DieSeen | None = None
    thrown: DieSeen | None = None
    said: str = ""
    scenery_mm: tuple[Point, ...] = ()
    first: bool = True
    others_mm: tuple[Point, ...] = ()

    def seeing(self, reading: TableReading) -> DieMemory:
        """What is known after a look at a table on which nothing else has changed."""
        die = best_die(reading, self.scenery_mm)
        if die is None:
            return self
        if self.thrown is not None:
            return replace(self, thrown=_joined(self.thrown, die) if same_throw(self.thrown, die) else die)
        if self.used is None:
            others = tuple(other.pos_mm for other in reading.dice if other is not die)
            return replace(self, used=die, scenery_mm=self.scenery_mm or others)
        return self if same_throw(self.used, die) else replace(self, thrown=die)

    def after_turn(self, reading: TableReading) -> DieMemory:
        """What is known after a turn was decided by ``reading``: its throw is used up."""
        die = best_die(reading, self.scenery_mm)
        others = tuple(other.pos_mm for other in reading.dice if other is not die)
        after = replace(self, said="", first=False, others_mm=others)
        if self.thrown is None:
            return replace(after, used=die or self.used)
        return replace(after, used=self.thrown, thrown=None).seeing(reading)

    def taken_back(self) -> DieMemory:
        """The last throw counts again: its move was taken back."""
        return replace(self, used=None, thrown=self.thrown or self.used)

    def thrown_again(self, reading: TableReading) -> bool:
        """Whether the die was thrown once more though the last throw has not been played yet."""
        die = best_die(reading, self.scenery_mm)
        return self.thrown is not None and die is not None and not same_throw(self.thrown, die)

    def was_thrown(self, reading: TableReading) -> bool:
        """Whether the die was thrown since the last turn was decided."""
        die = best_die(reading, self.scenery_mm)
        fresh = die is not None and self.used is not None and not same_throw(self.used, die)
        return self.thrown is not None or fresh

    def rolls(self, reading: TableReading) -> dict[int, float]:
        """Log-probability of each face for a turn that ``reading`` shows finished.

        Where two dice were thrown, as with an action die, either may be the one that counts.
        """
        die = best_die(reading, self.scenery_mm)
        rivals = self._rivals(die, reading) if die is not None else []
        return _either(self._rolls(die), rivals) if rivals else self._rolls(die)

    def _rivals(self, die: DieSeen, reading: TableReading) -> list[tuple[DieSeen, float]]:
        """Other dice that were thrown since the last turn, and how likely each counts, against ``die``."""
        lay = (*self.scenery_mm, *self.others_mm, *((self.used.pos_mm,) if self.used else ()))
        fresh = [
            other for other in reading.dice
            if other is not die and all(math.dist(other.pos_mm, at) > SAME_DIE_MM for at in lay)
        ]
        found = [(other, _rank(other, reading.looks) / _rank(die, reading.looks)) for other in fresh]
        return [(other, share) for other, share in found if share >= RIVAL]

    def _rolls(self, die: DieSeen | None) -> dict[int, float]:
        if self.thrown is not None:
            if die is None or same_throw(self.thrown, die):
                return _faces(_joined(self.thrown, die) if die else self.thrown, 0.0)
            again = _faces(die, THROWN_AGAIN)
            first = _faces(self.thrown, 0.0)
            return {face: max(first.get(face, -math.inf), again.get(face, -math.inf)) for face in first | again}
        as_it_lay = LAY_THERE if self.first else NOT_THROWN
        if die is None:
            return _faces(self.used, as_it_lay) if self.used else {face: NOT_THROWN - 1.8 for face in range(1, 7)}
        moved = self.used is None or not same_throw(self.used, die)
        return _faces(die, UNSEEN_THROW if moved else as_it_lay)

    def faces(self) -> dict[int, float]:
        """Log-probability of each face of the throw that waits for its move; nothing without one."""
        return _faces(self.thrown, 0.0) if self.thrown is not None else {}

    def face(self) -> int | None:
        """The likeliest face of the throw that waits for its move, None without one."""
        if self.thrown is None:
            return None
        probs = face_probs(self.thrown)
        return max(probs, key=lambda face: probs[face])


def best_die(reading: TableReading, scenery_mm: Sequence[Point] = ()) -> DieSeen | None:
    """The detection that is most likely the die, None where nothing looks like one; ``scenery_mm`` does not count.

    A real die is read clearly: print that looks like one is taken for many faces at once. Of two that both are, as with
    an action die beside it, the one with pips is found more surely.
    """
    dice = [d for d in reading.dice if all(math.dist(d.pos_mm, at) > SCENERY_MM for at in scenery_mm)]
    best = max(dice, key=lambda die: _rank(die, reading.looks), default=None)
    return best if best and existence(best, reading.looks) * is_die(best) >= REAL_DIE else None


def _rank(die: DieSeen, looks: int) -> float:
    """How well something does as the die with pips."""
    return max(existence(die, looks) * is_die(die) * die.confidence**SURELY * max(face_probs(die).values()), 1e-6)


def _either(faces: Mapping[int, float], rivals: Sequence[tuple[DieSeen, float]]) -> dict[int, float]:
    """Log-probabilities of the faces where other dice may be the one that counts."""
    most = max(faces.values())
    total = 1.0 + sum(share for _, share in rivals)
    mixed = {face: math.exp(chance - most) / total for face, chance in faces.items()}
    for die, share in rivals:
        for face, p in face_probs(die).items():
            mixed[face] = mixed.get(face, 0.0) + share / total * p
    return {face: most + math.log(p) for face, p in mixed.items() if p >= LEAST_FACE}


def same_throw(a: DieSeen, b: DieSeen) -> bool:
    """Whether two looks may show the same throw: same place and not certainly another face."""
    if math.dist(a.pos_mm, b.pos_mm) > SAME_DIE_MM:
        return False
    one, other = face_probs(a), face_probs(b)
    return sum(one[face] * other[face] for face in one) >= SAME_FACE


def _joined(a: DieSeen, b: DieSeen) -> DieSeen:
    """Both looks at one throw in one; where it lies counts from the newer."""
    both = combine([TableReading(0.0, dice=(a,)), TableReading(0.0, dice=(b,))]).dice
    return replace(both[0], pos_mm=b.pos_mm, box_px=b.box_px, seen=1)


def _faces(die: DieSeen, prior: float) -> dict[int, float]:
    return {face: prior + math.log(p) for face, p in face_probs(die).items() if p >= LEAST_FACE}
