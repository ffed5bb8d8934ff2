"""The end of a game of Verflixxt! and what the tiles are worth (rule text: worth of the tiles, variants 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.protocol import Outcome, Score
from rules.verflixxt.layout import LUCK, tile_name
from rules.verflixxt.state import State

Parts = tuple[tuple[str, int], ...]


def tile_points(values: Iterable[int]) -> Parts:
    """Labels and points of collected tiles: each luck tile turns the then highest minus tile into a plus tile.

    A turned tile is labelled ``"luck:-8"``.

    >>> tile_points([-8, 0, 0, 3])
    (('luck:-8', 8), ('luck', 0), ('luck', 0), ('+3', 3))
    """
    tiles = list(values)
    minus = sorted(k for k, value in enumerate(tiles) if value < 0)
    minus.sort(key=lambda k: tiles[k])
    turned = set(minus[: tiles.count(LUCK)])
    return tuple(
        (f"luck:{tile_name(value)}", -value) if k in turned else (tile_name(value), value)
        for k, value in enumerate(tiles)
    )


def is_over(state: State) -> bool:
    """True when nobody may move any more."""
    return end_reason(state) is not None


def end_reason(state: State) -> str | None:
    """``"all_home"``, ``"first_player_home"`` (variant 4), ``"one_pawn_left"`` (variant 5), or None."""
    finish, config = state.config.finish, state.config
    home = 0
    for places in state.pawns:
        if places[0] == finish:
            home += 1
    if home == len(state.pawns):
        return "all_home"
    if config.v4 and home:
        return "first_player_home"
    if config.v5 and sum(place != finish for places in state.pawns for place in places) == 1:
        return "one_pawn_left"
    return None


def end_tiles(state: State) -> tuple[tuple[int, ...], ...]:
    """Tiles that each player must take because variant 4 has ended the game: where a pawn stands alone."""
    none: tuple[tuple[int, ...], ...] = ((),) * len(state.pawns)
    if not state.config.v4 or end_reason(state) != "first_player_home":
        return none
    alone = state.config.v4_alone
    everywhere = [place for places in state.pawns for place in places]
    return tuple(
        tuple(
            place
            for place in places
            if place in state.route
            and everywhere.count(place) == 1
            and (alone == "one_pawn" or place not in state.guards)
        )
        for places in state.pawns
    )


def last_penalty(state: State) -> tuple[int, int] | None:
    """(player, tile) when variant 5 has ended the game: the highest free minus tile for the last pawn's owner."""
    config = state.config
    if not config.v5 or end_reason(state) != "one_pawn_left":
        return None
    owner = next(p for p, places in enumerate(state.pawns) if places[0] != config.finish)
    taken = set(state.guards)
    if config.v5_free == "empty":
        taken |= {place for places in state.pawns for place in places}
    free = [tile for tile in state.route if config.value(tile) < 0 and tile not in taken]
    return (owner, min(free, key=config.value)) if free else None


def scores(state: State) -> tuple[Score, ...]:
    """Everybody's points if the game were counted now; the tiles of variants 4 and 5 count once the game is over."""
    config = state.config
    extra, penalty = end_tiles(state), last_penalty(state)
    result = []
    for player, name in enumerate(config.names):
        parts = tile_points(config.value(tile) for tile in state.collected[player] + extra[player])
        if penalty is not None and penalty[0] == player:
            value = config.value(penalty[1])
            parts += ((f"end:{tile_name(value)}", value),)
        result.append(Score(name, sum(points for _, points in parts), parts))
    return tuple(result)


def outcome(state: State) -> Outcome | None:
    """The winners once the game is over; a tie is shared, or goes to the fewest luck tiles (``fewest_luck``)."""
    why = end_reason(state)
    if why is None:
        return None
    return Outcome(winners(state), why)


def winners(state: State) -> tuple[str, ...]:
    """Who would win if the game were counted now."""
    totals = [score.total for score in scores(state)]
    best = [player for player, total in enumerate(totals) if total == max(totals)]
    if state.config.fewest_luck:
        lucks = [sum(state.config.value(tile) == LUCK for tile in pile) for pile in state.collected]
        best = [player for player in best if lucks[player] == min(lucks[p] for p in best)]
    return tuple(state.config.names[player] for player in best)
