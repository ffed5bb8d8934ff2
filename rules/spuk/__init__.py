"""Spuk (Ravensburger 1974): figures run to the treasure, helping and throwing out each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rules.protocol import Candidate, Json, Outcome, Score, Verdict
from rules.spuk import candidates, judging, lines, scoring
from rules.spuk.board import Board, read_board
from rules.spuk.house_rules import INFO
from rules.spuk.state import HOME, Config, State, Turn, after_moves, start_state

__all__ = ["HOME", "Board", "Config", "Spuk", "State", "Turn", "read_board"]


class Spuk:
    """The game as :class:`rules.protocol.Game` wants it; everything is done by the modules of this package."""

    name = "spuk"
    info = INFO

    def start(self, setup: Mapping[str, Any]) -> State:
        """All figures on the start. Raises SetupError."""
        return start_state(setup)

    def legal_actions(self, state: State, roll: int) -> tuple[Turn, ...]:
        """Every legal turn of the player to move for this roll, passing included; none once the game is over."""
        return () if scoring.is_over(state) else candidates.legal_turns(state, roll)

    def candidates(self, state: State, roll: int) -> Iterator[Candidate[State, Turn]]:
        """Legal turns first, then plausible illegal ones; each leaves a different table."""
        return candidates.candidates(state, roll)

    def judge(self, state: State, action: Turn) -> Verdict[State]:
        """All broken rules and the state after the turn. Raises RecordError when it cannot have happened."""
        return judging.judge_turn(state, action)

    def correct(self, state: State, change: Turn) -> State:
        """The state after a physical change that is no turn. Raises RecordError."""
        after = replace(state, at=after_moves(state, change.moves))
        if change.next_player is None:
            return after
        return replace(after, to_move=change.next_player, extra=change.again)

    def difference(self, before: State, after: State) -> Turn:
        """The physical change that turns ``before`` into ``after``."""
        return lines.difference(before, after)

    def scores(self, state: State) -> tuple[Score, ...]:
        """Figures at the treasure."""
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
