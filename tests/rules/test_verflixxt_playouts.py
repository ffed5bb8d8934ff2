"""Random games of Verflixxt! in every variant, move counts, and that nothing else than the legal turns is legal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from check_game import perft, play_games
from hypothesis import given
from hypothesis import strategies as st
from verflixxt_positions import GAME, position, setup

from rules.protocol import Move
from rules.verflixxt import GUARD, OUT, State, Turn
from rules.verflixxt.layout import LAYOUTS

VARIANTS: dict[str, dict[str, Any]] = {
    "base": {},
    "one pawn each": {"pawns": 1},
    "two players": {"players": 2},
    "guards block": {"guard_blocks_taking": True},
    "guards next": {"guard_on_taken_tile": "next_tile"},
    "guards previous": {"guard_on_taken_tile": "previous_tile", "guard_in_finish": "not_allowed"},
    "v1 blocks": {"variant": "blocks"},
    "v1 luck last": {"variant": "luck_last", "fewest_luck": True},
    "v2": {"v2": True},
    "v2 pawns only": {"v2": True, "v2_guards": False},
    "v3 passed": {"v3": "passed_by_rearmost"},
    "v3 vacated": {"v3": "vacated", "players": 2, "pawns": 1},  # with many pawns the route runs away from them
    "v4": {"v4": True},
    "v4 strict": {"v4": True, "v4_alone": "nothing_else", "v2": True},
    "v5": {"v5": True},
    "v5 strict": {"v5": True, "v5_free": "empty", "v3": "passed_by_rearmost"},
}


def conserved(state: State) -> tuple[Any, ...]:
    """Tiles, pawns, and guards that are on the board or left it."""
    tiles = sorted(state.route + tuple(t for pile in state.collected for t in pile))
    assert len(state.guards) <= len(state.config.guards_start)
    assert all(list(places) == sorted(places) for places in (*state.pawns, state.guards))
    return tuple(tiles), tuple(len(places) for places in state.pawns)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=list(VARIANTS))
def test_random_games(options: dict[str, Any]) -> None:
    assert play_games(GAME, setup(**options), seed=1, games=2, conserved=conserved, candidates_every=37) > 12


@pytest.mark.parametrize("name", ["base", "guards block", "v3 passed", "v2"])
def test_random_games_with_mistakes(name: str) -> None:
    assert play_games(GAME, setup(**VARIANTS[name]), seed=2, games=2, conserved=conserved, mistakes=0.2) > 20


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIANTS.values(), ids=list(VARIANTS))
def test_thousands_of_random_games(options: dict[str, Any]) -> None:
    play_games(GAME, setup(**options), seed=3, games=150, conserved=conserved, candidates_every=211)
    play_games(GAME, setup(**options), seed=4, games=30, conserved=conserved, candidates_every=211, mistakes=0.15)


def test_random_route() -> None:
    route = list(LAYOUTS["standard"])
    random.Random(7).shuffle(route)
    raw = {**setup(variant="random"), "route": route}
    start = GAME.start(raw)
    assert sorted(start.config.value(tile) for tile in start.guards) == [0] * 6 + [7, 8]
    assert play_games(GAME, raw, seed=5, games=2, conserved=conserved) > 50


def physical_turns(state: State, roll: int) -> Iterator[Turn]:
    """Every turn in which at most one piece goes anywhere and at most one tile is taken."""
    pieces = [(f"pawn:{c}", p) for c, ps in zip(state.config.colours, state.pawns, strict=True) for p in set(ps)]
    pieces += [(GUARD, place) for place in set(state.guards)]
    for tile in (None, *state.route):
        taken = () if tile is None else (tile,)
        yield Turn(state.to_move, roll, (), taken)
        for piece, start in pieces:
            for to in (0, *state.route, state.config.finish):
                if to != start:
                    yield Turn(state.to_move, roll, (Move(piece, start, to),), taken)


@pytest.mark.parametrize("options", [{}, {"v2": True}, {"guard_blocks_taking": True}], ids=str)
@pytest.mark.parametrize("roll", [1, 3, 6])
def test_nothing_else_is_legal(options: dict[str, Any], roll: int) -> None:
    """All physical turns of one move and one tile: legal are exactly those that ``legal_actions`` names."""
    state = position(
        red=(0, 5, 31), blue=(5, 12, 33), yellow=(9, 9, 15), guards=(5, 10, 15, 31), gone=(6, 7, 32), **options
    )
    legal = {GAME.judge(state, action).state for action in GAME.legal_actions(state, roll)}
    found = {v.state for t in physical_turns(state, roll) if (v := GAME.judge(state, t)).legal}
    assert found == legal


def slow_count(state: State, roll: int) -> int:
    """Legal moves counted a second way: tile by tile along the row of places that still lie there."""
    row = [0, *state.route] + [33] * 6
    mine = {p for p in state.pawns[state.to_move] if p != 33}
    with_pawn = {p for places in state.pawns for p in places if p != 33}
    ends = {(p, "pawn", row[row.index(p) + roll]) for p in mine}
    ends |= {(p, "guard", row[row.index(p) + roll]) for p in state.guards if p in with_pawn}
    return len(ends)


def test_legal_moves_counted_twice() -> None:
    rng, turns = random.Random(11), 0
    state = GAME.start(setup())
    while GAME.outcome(state) is None:
        for roll in range(1, 7):
            assert len(GAME.legal_actions(state, roll)) == slow_count(state, roll)
        state = GAME.judge(state, rng.choice(GAME.legal_actions(state, rng.randint(1, 6)))).state
        turns += 1
    assert turns > 30


MIDDLE = {"red": (0, 5, 31), "blue": (5, 12, 33), "yellow": (9, 9, 15), "guards": (5, 9, 10, 15), "gone": (6, 7)}


@pytest.mark.parametrize(
    ("where", "counts"),
    [("start", (6, 36, 216, 2592)), ("middle", (36, 990, 24786))],
)
def test_move_counts(where: str, counts: tuple[int, ...]) -> None:
    """Legal sequences of 1, 2, 3, ... turns over all rolls; the last turn is also counted by :func:`slow_count`."""
    state = GAME.start(setup()) if where == "start" else position(**MIDDLE)
    for depth, count in enumerate(counts, 1):
        assert perft(GAME, state, depth) == slow_perft(state, depth) == count


def slow_perft(state: State, depth: int) -> int:
    if depth == 1:
        return sum(slow_count(state, roll) for roll in range(1, 7))
    return sum(
        slow_perft(GAME.judge(state, action).state, depth - 1)
        for roll in range(1, 7)
        for action in GAME.legal_actions(state, roll)
    )


def any_state(seed: int) -> State:
    """Any arrangement of pieces and tiles, also ones that no game leads to."""
    rng = random.Random(seed)
    owners = {tile: rng.choice((None, None, 0, 1, 2)) for tile in range(1, 33)}
    piles = [[tile for tile, owner in owners.items() if owner == player] for player in range(3)]
    for pile in piles:
        rng.shuffle(pile)
    return replace(
        GAME.start(setup()),
        to_move=rng.randrange(3),
        turns=rng.randrange(300),
        route=tuple(tile for tile, owner in owners.items() if owner is None),
        pawns=tuple(tuple(sorted(rng.choices(range(34), k=3))) for _ in range(3)),
        guards=tuple(sorted(rng.choices(range(34), k=rng.randrange(9)))),
        collected=tuple(tuple(pile) for pile in piles),
    )


def states() -> st.SearchStrategy[State]:
    return st.builds(any_state, st.integers(0, 10**6))


@given(states())
def test_states_as_text(state: State) -> None:
    assert GAME.state_from_text(setup(), GAME.state_to_text(state)) == state


@given(states(), st.integers(1, 6), st.data())
def test_any_candidate_as_line(state: State, roll: int, data: st.DataObject) -> None:
    """Turns of odd positions (pieces in gaps) write and read back, and judge without a fault."""
    found = list(GAME.candidates(state, roll))
    candidate = data.draw(st.sampled_from(found))
    line = {"type": "turn", **GAME.action_to_line(state, candidate.action)}
    assert GAME.action_from_line(state, line) == candidate.action
    assert conserved(candidate.verdict.state) == conserved(state)


@given(states(), states())
def test_difference_and_correction(before: State, after: State) -> None:
    """Any position becomes any other one by their difference, as long as no piece stands in a gap."""
    lying = {0, *after.route, 33}
    pawns = tuple(tuple(sorted(p if p in lying else 33 for p in places)) for places in after.pawns)
    guards = tuple(sorted(p if p in lying else 33 for p in after.guards))
    after = replace(after, pawns=pawns, guards=guards, turns=before.turns)
    change = GAME.difference(before, after)
    assert GAME.correct(before, change) == after
    line = {"type": "correction", **GAME.action_to_line(before, change)}
    assert GAME.action_from_line(before, line) == change


def test_guard_out_and_back() -> None:
    """A guard that left with its tile comes back when the tile is put back."""
    state = position(red=(9, 33, 33), guards=(9,))
    taken = GAME.judge(state, GAME.legal_actions(state, 2)[0]).state
    assert taken.guards == () and taken.collected[0] == (9,)
    change = GAME.difference(taken, replace(state, to_move=taken.to_move, turns=taken.turns))
    assert Move(GUARD, OUT, 9) in change.moves and change.returned == (9,)
    assert GAME.correct(taken, change).route == state.route
