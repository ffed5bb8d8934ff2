"""Dice Flick as one of the games: values in, values out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rules.dice_flick.claims import settle
from rules.dice_flick.grid import Cell, cells_of
from rules.dice_flick.house_rules import INFO
from rules.dice_flick.judging import check_possible, is_over, judge_turn
from rules.dice_flick.lines import state_from_text, state_to_text, turn_from_line, turn_to_line
from rules.dice_flick.score import best_of
from rules.dice_flick.state import State, Throw, Turn, box_after, covered_by, start_state
from rules.dice_flick.throws import legal_turns, plausible_faults, throw_numbered
from rules.dice_flick.values import Scoring
from rules.protocol import Candidate, Json, Outcome, Score, Verdict


class DiceFlick:
    """Dice Flick (Pegasus Spiele, 2021).

    What a roll is elsewhere is a :class:`Throw` here: the flicks of a turn and the box after them. A plain number
    stands for the throw that :func:`throw_numbered` makes of it.
    """

    name = "dice-flick"
    info = INFO

    def start(self, setup: Mapping[str, Any]) -> State:
        """An empty box, nobody has points. Raises SetupError."""
        return start_state(setup)

    def throw(self, state: State, roll: int | Throw) -> Throw:
        """The throw that ``roll`` stands for."""
        return throw_numbered(state, roll) if isinstance(roll, int) else roll

    def best(self, state: State, throw: Throw) -> Scoring:
        """The most points that the box allows after this throw, and where they come from."""
        return best_of(box_after(state, throw.board))

    def legal_actions(self, state: State, roll: int | Throw) -> tuple[Turn, ...]:
        """Everything that may be scored after this throw, the most points first; none when the throw breaks a rule."""
        turns = () if is_over(state) else legal_turns(state, self.throw(state, roll))
        return turns if turns and judge_turn(state, turns[0]).legal else ()

    def candidates(self, state: State, roll: int | Throw) -> Iterator[Candidate[State, Turn]]:
        """Every legal scoring, then what people count wrongly or leave lying."""
        throw = self.throw(state, roll)
        seen = set()
        for turn in (*legal_turns(state, throw), *plausible_faults(state, throw)):
            key = turn.claimed, turn.returned
            if key not in seen:
                seen.add(key)
                yield Candidate(turn, judge_turn(state, turn))

    def judge(self, state: State, action: Turn) -> Verdict[State]:
        """All faults of a turn. Raises RecordError when the dice do not add up."""
        return judge_turn(state, action)

    def correct(self, state: State, change: Turn) -> State:
        """Put right: the board is as in ``change`` (less what it returns), its claim replaces the last entry."""
        check_possible(state, Throw(None, change.throw.board))
        gone = change.returned or ()
        board = tuple(die for die in change.throw.board if die.cell not in gone)
        points = state.points
        if change.claimed is not None:
            row = (*points[change.player][:-1], change.claimed)
            points = (*points[:change.player], row, *points[change.player + 1:])
        to_move = state.to_move if change.next_player is None else change.next_player
        return State(state.config, to_move, board, points, state.kept, covered_by(state, board))

    def difference(self, before: State, after: State) -> Turn:
        """The correction that turns ``before`` into ``after``."""
        changed = [p for p, (old, new) in enumerate(zip(before.points, after.points, strict=True)) if old != new]
        player = changed[0] if changed else before.to_move
        claimed = after.points[player][-1] if changed and after.points[player] else None
        to_move = None if before.to_move == after.to_move else after.to_move
        return Turn(player, Throw(None, after.board), claimed, returned=(), next_player=to_move)

    def scores(self, state: State) -> tuple[Score, ...]:
        """The sum of each player's rounds."""
        return tuple(
            Score(name, sum(rounds), tuple((f"round:{k}", points) for k, points in enumerate(rounds, 1)))
            for name, rounds in zip(state.config.names, state.points, strict=True)
        )

    def outcome(self, state: State) -> Outcome | None:
        """After the last round the most points win; equal points share."""
        if not is_over(state):
            return None
        totals = [sum(rounds) for rounds in state.points]
        winners = tuple(n for n, total in zip(state.config.names, totals, strict=True) if total == max(totals))
        return Outcome(winners, "ten_rounds")

    def player_to_move(self, state: State) -> int:
        """Whose turn it is."""
        return state.to_move

    def action_to_line(self, state: State, action: Turn) -> Json:
        """The fields of a turn, with the best score, its groups and the dice that went back."""
        box = box_after(state, action.throw.board)
        best = best_of(box)
        return turn_to_line(state, action, best, self._returned(state, action))

    def _returned(self, state: State, action: Turn) -> tuple[Cell, ...]:
        if action.returned is not None:
            return action.returned
        box = box_after(state, action.throw.board)
        return cells_of(settle(box, best_of(box), action.claimed, None, action.scored).returned)

    def action_from_line(self, state: State, line: Mapping[str, Any]) -> Turn:
        """Read a line back. Raises RecordError naming the fault."""
        return turn_from_line(state, line)

    def state_to_text(self, state: State) -> str:
        """One line of text."""
        return state_to_text(state)

    def state_from_text(self, setup: Mapping[str, Any], text: str) -> State:
        """Inverse of :meth:`state_to_text` for the same setup. Raises RecordError."""
        return state_from_text(start_state(setup), text)

    def bag(self, state: State) -> dict[str, int]:
        """How many dice of each colour are in the bag, as far as it is known what lies in front of the players."""
        free = Counter(state.free_dice())
        free.subtract(colour for colour in state.kept if colour)
        return dict(free)
