"""All five games, played by a state machine that tries legal turns, mistakes and corrections in any order."""

from __future__ import annotations

import json
from typing import Any

import dice_flick_box
import nochmal_positions
import qwixx_sheets
import spuk_board
import verflixxt_positions
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules import game_named
from rules.record import Replay, line_text

SETUPS: dict[str, dict[str, Any]] = {
    "verflixxt": verflixxt_positions.setup(2, pawns=1),
    "verflixxt-nochmal": nochmal_positions.setup(2, pawns=1, worms=True),
    "spuk": spuk_board.setup("RB"),
    "dice-flick": dice_flick_box.setup("Anna", "Ben", rounds=2),
    "qwixx-express": qwixx_sheets.setup(),
}
PICK = st.integers(0, 10**6)


class AnyGame(RuleBasedStateMachine):
    """A game and its record side by side: both must always say the same."""

    @initialize(name=st.sampled_from(list(SETUPS)))
    def begin(self, name: str) -> None:
        self.setup = {"type": "setup", **SETUPS[name]}
        self.game = game_named(name)
        self.state = self.game.start(self.setup)
        self.record: Replay[Any, Any] = Replay(self.game, self.setup)
        self.before: Any = None

    def goes_on(self) -> bool:
        return hasattr(self, "state") and self.game.outcome(self.state) is None

    @precondition(goes_on)
    @rule(roll=st.integers(1, 6), pick=PICK)
    def legal_turn(self, roll: int, pick: int) -> None:
        legal = self.game.legal_actions(self.state, roll)
        verdict = self.play(legal[pick % len(legal)], roll)
        assert verdict["legal"] and not verdict["violations"]

    @precondition(goes_on)
    @rule(roll=st.integers(1, 6), pick=PICK)
    def any_turn(self, roll: int, pick: int) -> None:
        found = list(self.game.candidates(self.state, roll))
        candidate = found[pick % len(found)]
        verdict = self.play(candidate.action, roll)
        assert tuple(v["rule"] for v in verdict["violations"]) == tuple(
            violation.rule for violation in candidate.verdict.violations
        )

    def play(self, action: Any, roll: int) -> dict[str, Any]:
        self.before, self.roll = self.state, roll
        self.state = self.game.judge(self.state, action).state
        return self.told({"type": "turn", **self.game.action_to_line(self.before, action)})

    @precondition(lambda self: self.goes_on() and self.before is not None)
    @rule(pick=PICK)
    def put_right(self, pick: int) -> None:
        """The table is changed into what another turn with the same roll would have left."""
        legal = self.game.legal_actions(self.before, self.roll)
        if not legal:
            return
        wanted = self.game.judge(self.before, legal[pick % len(legal)]).state
        change = self.game.difference(self.state, wanted)
        self.told({"type": "correction", **self.game.action_to_line(self.state, change)})
        self.state = self.game.correct(self.state, change)
        assert self.state == wanted

    @rule()
    def nothing_happens(self) -> None:
        """The game may be over."""

    @rule()
    def wait(self) -> None:
        """Nothing happens: always possible, also when the game is over."""

    def told(self, line: dict[str, Any]) -> dict[str, Any]:
        return self.record.judged(json.loads(line_text(line)))

    @invariant()
    def record_agrees(self) -> None:
        if hasattr(self, "state"):
            assert self.record.state == self.state
            text = self.game.state_to_text(self.state)
            assert "\n" not in text and self.game.state_from_text(self.setup, text) == self.state
            for score in self.game.scores(self.state):
                assert score.total == sum(points for _, points in score.parts)


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(max_examples=15, stateful_step_count=16)
