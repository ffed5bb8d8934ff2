"""Judges any physical turn of Spuk: all broken rules at once; the state follows the table."""

from __future__ import annotations

from rules.protocol import Move, RecordError, Verdict, Violation
from rules.spuk.faults import diagnose
from rules.spuk.moving import all_legal, can_move, legal_moves
from rules.spuk.scoring import is_over
from rules.spuk.state import At, State, Turn, after_moves


def judge_turn(state: State, turn: Turn) -> Verdict[State]:
    """All rules ``turn`` broke and the state after it. Raises RecordError when it cannot have happened."""
    _check_turn(state, turn)
    at = after_moves(state, turn.moves)
    legal = (turn.moves and _as_expected(state, turn)) or at in legal_tables(state, turn.player, turn.roll)
    return verdict(state, turn, at, bool(legal))


def legal_tables(state: State, player: int, roll: int) -> tuple[At, ...]:
    """Every table that a legal turn of this player leads to."""
    tables = [after_moves(state, moves) for moves in all_legal(state, player, roll)]
    return tuple(tables) or (state.at,)


def verdict(state: State, turn: Turn, at: At, legal: bool) -> Verdict[State]:
    """The verdict on a turn that leads to the table ``at``, given whether a legal move leads there, too."""
    broken = whose_turn(state, turn)
    if turn.rolled_early:
        broken += _rolled_early(state, turn)
    if not legal and not (turn.rolled_early and not turn.moves):
        broken += diagnose(state, turn)
    return Verdict(tuple(broken), state_after(state, turn, at))


def _check_turn(state: State, turn: Turn) -> None:
    names = state.config.names
    if not 0 <= turn.player < len(names):
        raise RecordError(f"there is no player number {turn.player}", f"Person Nummer {turn.player} gibt es nicht")
    if not 1 <= turn.roll <= 6:
        raise RecordError(
            f"roll is {turn.roll}; a die shows 1 to 6", f"roll ist {turn.roll}; ein Würfel zeigt 1 bis 6"
        )


def whose_turn(state: State, turn: Turn) -> list[Violation]:
    """Faults that have nothing to do with what was moved."""
    names = state.config.names
    if is_over(state):
        return [Violation("game_is_over", (("player", names[turn.player]),))]
    if turn.player == state.to_move or _declined(state, turn.player):
        return []
    return [Violation("out_of_turn", (("player", names[turn.player]), ("expected", names[state.to_move])))]


def _declined(state: State, player: int) -> bool:
    """Whether the next player may roll because the one before does without the second roll."""
    return state.extra and state.config.six_again == "may_decline" and player == _next(state, state.to_move)


def _rolled_early(state: State, turn: Turn) -> list[Violation]:
    if not turn.moves and not can_move(state, turn.player, turn.roll):
        return []
    return [Violation("rolled_before_moving", (("player", state.config.names[turn.player]), ("roll", turn.roll)))]


def _as_expected(state: State, turn: Turn) -> bool:
    """The usual case, quickly: the first move is an own figure's, and the rest are its consequences."""
    first: Move = turn.moves[0]
    start = first.start
    if first.piece != state.config.pieces[turn.player] or not isinstance(start, int):
        return False
    return legal_moves(state, turn.player, start, turn.roll) == turn.moves


def state_after(state: State, turn: Turn, at: At) -> State:
    """A 6 gives the same player the next turn."""
    again = turn.roll == 6
    to_move = turn.player if again else _next(state, turn.player)
    return State(state.config, to_move, state.turns + 1, at, again)


def _next(state: State, player: int) -> int:
    return (player + 1) % len(state.at)
