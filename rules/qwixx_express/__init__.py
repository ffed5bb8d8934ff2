"""Qwixx Express: stop, re-rolls, two actions, jokers, locks, misthrow fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.protocol import Candidate, Json, Outcome, Score, Verdict
from rules.qwixx_express import change, judging, lines, scoring, throws
from rules.qwixx_express.house_rules import INFO
from rules.qwixx_express.sheet import Sheet
from rules.qwixx_express.state import Config, Cross, Dice, Round, State, Throw, start_state

__all__ = ["Config", "Cross", "Dice", "QwixxExpress", "Round", "Sheet", "State", "Throw"]


class QwixxExpress:
    """Qwixx Express (NSV) for two.

    What a roll is elsewhere is a :class:`Throw` here: who called stop, both people's dice, the re-rolls. A plain
    number stands for the throw that :func:`rules.qwixx_express.throws.throw_numbered` makes of it.
    """

    name = "qwixx-express"
    info = INFO

    def start(self, setup: Mapping[str, Any]) -> State:
        """Two empty sheets. Raises SetupError."""
        return start_state(setup)

    def throw(self, state: State, roll: int | Throw) -> Throw:
        """The throw that ``roll`` stands for."""
        return throws.throw_numbered(state, roll) if isinstance(roll, int) else roll

    def legal_actions(self, state: State, roll: int | Throw) -> tuple[Round, ...]:
        """Every legal way to use this throw; none once the game is over."""
        if scoring.outcome(state) is not None:
            return ()
        return throws.legal_rounds(state, self.throw(state, roll))

    def candidates(self, state: State, roll: int | Throw) -> Iterator[Candidate[State, Round]]:
        """Legal rounds first, then plausible mistakes; each leaves other sheets."""
        throw = self.throw(state, roll)
        legal = throws.legal_rounds(state, throw)
        best: dict[object, Candidate[State, Round]] = {}
        for played in (*legal, *throws.plausible_faults(state, throw, legal)):
            if not self._fits(state, played):
                continue
            candidate = Candidate(played, judging.judge_round(state, played))
            key = candidate.verdict.state.sheets
            known = best.get(key)
            if known is None or len(candidate.verdict.violations) < len(known.verdict.violations):
                best[key] = candidate
        yield from sorted(best.values(), key=lambda candidate: len(candidate.verdict.violations))

    def _fits(self, state: State, played: Round) -> bool:
        """Whether the sheets have as many misthrow fields as the round crosses."""
        fields = state.config.misthrow_fields
        newly = played.misthrow or (0, 0)
        return all(sheet.misthrow + n <= fields for sheet, n in zip(state.sheets, newly, strict=True))

    def explain(
        self, state: State, throw: Throw, seen: tuple[Cross, ...], misthrow: tuple[int, int]
    ) -> Candidate[State, Round]:
        """How crosses seen on the sheets came about: the reading that breaks the fewest rules."""
        return throws.explain(state, throw, seen, misthrow)

    def judge(self, state: State, action: Round) -> Verdict[State]:
        """All broken rules and the sheets after the round. Raises RecordError when it cannot have happened."""
        return judging.judge_round(state, action)

    def correct(self, state: State, change_: Round) -> State:
        """The state after crosses were added or rubbed out. Raises RecordError."""
        return change.correct(state, change_)

    def difference(self, before: State, after: State) -> Round:
        """The correction that turns ``before`` into ``after``."""
        return change.difference(before, after)

    def scores(self, state: State) -> tuple[Score, ...]:
        """Everybody's points if the game were counted now."""
        return scoring.scores(state)

    def outcome(self, state: State) -> Outcome | None:
        """Why the game is over, or None."""
        return scoring.outcome(state)

    def player_to_move(self, state: State) -> int:
        """Both play at the same time; 0."""
        return 0

    def action_to_line(self, state: State, action: Round) -> Json:
        """The record fields of a round."""
        return lines.action_to_line(state, action)

    def action_from_line(self, state: State, line: Mapping[str, Any]) -> Round:
        """Read them back. Raises RecordError."""
        return lines.action_from_line(state, line)

    def state_to_text(self, state: State) -> str:
        """One line of text."""
        return lines.state_to_text(state)

    def state_from_text(self, setup: Mapping[str, Any], text: str) -> State:
        """Read it back. Raises RecordError."""
        return lines.state_from_text(setup, text)
