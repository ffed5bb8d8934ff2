"""The end of a game of Verflixxt nochmal: base score, round tokens, unused worm tokens."""

from __future__ import annotations

from rules.nochmal.state import State
from rules.protocol import Outcome, Score
from rules.verflixxt.layout import LUCK, VERFLIXXT, tile_name
from rules.verflixxt.scoring import tile_points


def scores(state: State) -> tuple[Score, ...]:
    """Everybody's points if the game were counted now; a Verflixxt card that was wrongly taken counts nothing."""
    config = state.config
    result = []
    for player, name in enumerate(config.names):
        values = [config.value(tile) for tile in state.collected[player]]
        parts = tile_points(value for value in values if value != VERFLIXXT)
        parts += tuple((tile_name(VERFLIXXT), 0) for value in values if value == VERFLIXXT)
        parts += tuple((f"token:+{token}", token) for token in state.tokens[player])
        if state.worms[player]:
            parts += (("worms", state.worms[player]),)
        result.append(Score(name, sum(points for _, points in parts), parts))
    return tuple(result)


def outcome(state: State) -> Outcome | None:
    """Winners once all pawns are home, wherever Flixxy is."""
    if any(places[0] != state.config.finish for places in state.pawns):
        return None
    totals = [score.total for score in scores(state)]
    best = [player for player, total in enumerate(totals) if total == max(totals)]
    if state.config.fewest_luck:
        lucks = [sum(state.config.value(tile) == LUCK for tile in pile) for pile in state.collected]
        best = [player for player in best if lucks[player] == min(lucks[p] for p in best)]
    return Outcome(tuple(state.config.names[player] for player in best), "all_home")
