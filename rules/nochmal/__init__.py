"""Verflixxt nochmal (Ravensburger 2006): Flixxy, action die, round tokens, ordered stacks, worm tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.nochmal import candidates, change, judge, lines, moves, scoring, state
from rules.nochmal.layout import INFO
from rules.nochmal.state import Config, Roll, State, Turn, Worm, roll_of
from rules.protocol import Candidate, Json, Outcome, Score, Verdict

__all__ = ["Config", "Nochmal", "Roll", "State", "Turn", "Worm"]


class Nochmal:
    """The game as :class:`rules.protocol.Game` wants it.

    A roll is both dice, :class:`Roll`; as a whole number 1 to 6 it comes with the action die on ``"may"``, 7 to 12 on
    ``"may_not"``, 13 to 18 on ``"must"``.
    """

    name = "verflixxt-nochmal"
    info = INFO

    def start(self, setup: Mapping[str, Any]) -> State:
        """The state before the first turn. Raises SetupError."""
        return state.start_state(setup)

    def legal_actions(self, state: State, roll: int | Roll) -> tuple[Turn, ...]:
        """Every legal turn of the player to move with at most one worm token; none once the game is over."""
        return moves.legal_actions(state, roll_of(state, roll))

    def candidates(self, state: State, roll: int | Roll) -> Iterator[Candidate[State, Turn]]:
        """Legal turns first, then plausible illegal ones; each leaves a different table."""
        return candidates.candidates(state, roll_of(state, roll))

    def judge(self, state: State, action: Turn) -> Verdict[State]:
        """All broken rules and the state after the turn. Raises RecordError when it cannot have happened."""
        return judge.judge(state, action)

    def correct(self, state: State, change_: Turn) -> State:
        """The state after a physical change that is no turn. Raises RecordError."""
        return change.correct(state, change_)

    def difference(self, before: State, after: State) -> Turn:
        """The physical change that turns ``before`` into ``after``."""
        return change.difference(before, after)

    def scores(self, state: State) -> tuple[Score, ...]:
        """Everybody's points if the game were counted now."""
        return scoring.scores(state)

    def outcome(self, state: State) -> Outcome | None:
        """Why the game is over, or None."""
        return scoring.outcome(state)

    def player_to_move(self, state: State) -> int:
        """Index of the player whose turn it is."""
        return state.to_move

    def action_to_line(self, state: State, action: Turn) -> Json:
        """The record fields of a turn."""
        return lines.action_to_line(state, action)

    def action_from_line(self, state: State, line: Mapping[str, Any]) -> Turn:
        """Read them back. Raises RecordError."""
        return lines.action_from_line(state, line)

    def state_to_text(self, state: State) -> str:
        """One line of text."""
        return lines.state_to_text(state)

    def state_from_text(self, setup: Mapping[str, Any], text: str) -> State:
        """Read it back. Raises RecordError."""
        return lines.state_from_text(setup, text)
