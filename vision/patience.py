"""How long the referee waits before it believes what it sees."""

from __future__ import annotations

from dataclasses import dataclass

from vision.explain import Explanation


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the referee waits, in seconds.

    ``settle_s``: a picture must be still this long before it is read; ``look_every_s``: between two looks at a table at
    rest; ``least_looks``: looks before anything is decided; ``turn_s``: rest before a turn counts, for the hand may
    come back; ``fault_s``: before one is called illegal, or taken back, for it may only be half done; ``search_s``:
    rest without a clear explanation before rarer ones are searched for; ``ask_s``: before the players are asked, for
    whoever goes on at once ends most doubts and answers no question; ``again_s``: a table that stays at rest is looked
    at again after this, then after twice the time and so on, at least every ``seldom_s``; ``camera_s``: and whether the
    camera stands where it stood this often; ``blocked_s``: something that covers the table longer than this makes the
    referee lose it. ``certain``: an explanation this likely needs no further look, only its time of rest; ``plain``: a
    legal turn this likely after the first look needs no second one.
    """

    settle_s: float = 0.2
    look_every_s: float = 0.15
    least_looks: int = 2
    search_s: float = 1.2
    ask_s: float = 2.5
    turn_s: float = 0.38
    fault_s: float = 0.58
    again_s: float = 5.0
    seldom_s: float = 20.0
    camera_s: float = 0.5
    blocked_s: float = 8.0
    certain: float = 0.99
    plain: float = 0.995

    def is_plain(self, explanation: Explanation, still_s: float) -> bool:
        """Whether one look says enough: a turn, and a legal one; or nothing, on a table long at rest."""
        if explanation.best.told is None and (still_s < self.again_s or explanation.best.branch.pending):
            return False
        return not explanation.says_fault and explanation.probability >= self.plain

    def next_look_s(self, still_s: float) -> float:
        """When a table that has been still for so long, and of which nothing is unclear, is looked at again."""
        return min(max(self.again_s, still_s), self.seldom_s)

    def before(self, explanation: Explanation) -> float:
        """How long the table must rest before this explanation is believed."""
        told = explanation.best.told
        if told is None:
            return 0.0
        if told.partly:
            return self.ask_s
        return self.fault_s if told.violations or told.taken_back else self.turn_s


PATIENT = Patience()
