"""The end of a game of Spuk: three figures (long game: five) at the treasure."""

from __future__ import annotations

from rules.protocol import Outcome, Score
from rules.spuk.state import State


def home_counts(state: State) -> list[int]:
    """How many figures of each player have reached the treasure."""
    treasure = state.config.board.treasure
    return [fields.count(treasure) for fields in state.at]


def is_over(state: State) -> bool:
    """Whether somebody has enough figures at the treasure, or no figure can ever move again."""
    treasure, to_win = state.config.board.treasure, state.config.to_win
    for fields in state.at:
        if fields[-1] == treasure and fields.count(treasure) >= to_win:
            return True
    return _stuck(state)


def _stuck(state: State) -> bool:
    """All figures that are not home wait on square fields: nobody is left who could carry them across."""
    board = state.config.board
    river = board.river
    for fields in state.at:
        if fields[0] < river:
            return False
    return all(field == river or field >= board.wall for fields in state.at for field in fields)


def scores(state: State) -> tuple[Score, ...]:
    """Figures at the treasure."""
    return tuple(
        Score(name, home, (("home", home),) if home else ())
        for name, home in zip(state.config.names, home_counts(state), strict=True)
    )


def outcome(state: State) -> Outcome | None:
    """``treasure_reached``: somebody has enough figures there; ``nobody_can_move``: the most figures there win."""
    if not is_over(state):
        return None
    home = home_counts(state)
    why = "treasure_reached" if max(home) >= state.config.to_win else "nobody_can_move"
    winners = tuple(name for name, count in zip(state.config.names, home, strict=True) if count == max(home))
    return Outcome(winners, why)
