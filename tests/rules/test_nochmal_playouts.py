"""Random games of Verflixxt nochmal, move counts, odd positions."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from check_game import perft, play_games
from hypothesis import given
from hypothesis import strategies as st
from nochmal_positions import FIN, GAME, position, setup

from rules.nochmal import Roll, State
from rules.nochmal.layout import SHUFFLED
from rules.nochmal.state import tokens_left
from rules.verflixxt.layout import VERFLIXXT

ROLLS = range(1, 19)


def shuffled(seed: int) -> list[int]:
    route = list(SHUFFLED)
    random.Random(seed).shuffle(route)
    return route


SETUPS: dict[str, dict[str, Any]] = {
    "standard": setup(),
    "random, two players": setup(2, "random", 2, route=shuffled(1)),
    "five players": setup(5, "random", 2, route=shuffled(2)),
    "worms": setup(2, "random", 2, route=shuffled(3), worms=True),
    "few worms": setup(3, "random", 1, route=shuffled(4), worms=True, worm_tokens=[1, 0, 1, 0]),
    "fifth lap": setup(2, "standard", 2, flixxy_leaves="after_fifth_lap", guard_blocks_taking=True),
    "guards move on": setup(3, guard_on_taken_tile="previous_tile", guard_in_finish="not_allowed", fewest_luck=True),
}


def conserved(state: State) -> tuple[Any, ...]:
    """Cards, pawns, round tokens; Verflixxt cards stay on the route in legal games."""
    piles = [tile for pile in (*state.collected, state.removed) for tile in pile]
    tokens = sorted([*tokens_left(state.tokens), *(token for won in state.tokens for token in won)])
    assert sum(state.worms) <= state.config.worm_count
    return sorted((*state.route, *piles)), tokens, [len(places) for places in state.pawns]


@pytest.mark.parametrize("raw", SETUPS.values(), ids=list(SETUPS))
def test_random_games(raw: dict[str, Any]) -> None:
    options = {"rolls": ROLLS, "conserved": conserved}
    assert play_games(GAME, raw, seed=1, games=1, candidates_every=61, **options) > 10
    state = GAME.start(raw)
    assert len({GAME.state_to_text(GAME.judge(state, a).state) for a in GAME.legal_actions(state, Roll(3, "may"))}) > 1


@pytest.mark.parametrize("name", ["standard", "worms"])
def test_random_games_with_mistakes(name: str) -> None:
    assert play_games(GAME, SETUPS[name], seed=2, games=1, rolls=ROLLS, conserved=conserved, mistakes=0.2) > 10


@pytest.mark.slow
@pytest.mark.parametrize("raw", SETUPS.values(), ids=list(SETUPS))
def test_thousands_of_random_games(raw: dict[str, Any]) -> None:
    play_games(GAME, raw, seed=3, games=150, rolls=ROLLS, conserved=conserved, candidates_every=211)
    play_games(GAME, raw, seed=4, games=30, rolls=ROLLS, conserved=conserved, candidates_every=211, mistakes=0.15)


def test_verflixxt_cards_stay() -> None:
    """However a legal game goes, the four orange cards lie on the route at its end."""
    rng = random.Random(5)
    state = GAME.start(SETUPS["five players"])
    while GAME.outcome(state) is None:
        state = GAME.judge(state, rng.choice(GAME.legal_actions(state, rng.choice(ROLLS)))).state
    assert sum(state.config.value(tile) == VERFLIXXT for tile in state.route) == 4


def slow_count(state: State, number: int, die: str) -> int:
    """Legal moves without worm tokens, counted a second way."""
    row = [0, *state.route] + [FIN] * 6
    mine = {p for p in state.pawns[state.to_move] if p != FIN}
    company = {p for places in state.pawns for p in places if p != FIN} | {state.flixxy}
    ends = {(p, "pawn", row[row.index(p) + number]) for p in mine}
    ends |= {(p, "guard", row[row.index(p) + number]) for p in state.guards if p in company and p != FIN}
    return {"must": 1, "may_not": len(ends), "may": len(ends) + 1}[die]


MIDDLE = {
    "red": (0, 5, 31), "blue": (5, 12, FIN), "yellow": (9, 9, 15), "guards": (5, 10, 15, 17), "flixxy": 17,
    "gone": (6, 7), "stacks": ((1, 2), (3,), ()),
}  # fmt: skip


@pytest.mark.parametrize(("where", "counts"), [("start", (24, 576)), ("middle", (84, 5568))])
def test_move_counts(where: str, counts: tuple[int, ...]) -> None:
    """Legal sequences of turns over all faces of both dice; every last turn is counted a second way."""
    state = GAME.start(setup()) if where == "start" else position(**MIDDLE)
    for depth, count in enumerate(counts, 1):
        assert perft(GAME, state, depth, ROLLS) == slow_perft(state, depth) == count


def slow_perft(state: State, depth: int) -> int:
    if depth == 1:
        return sum(slow_count(state, n, die) for n in range(1, 7) for die in ("must", "may", "may_not"))
    actions = (action for roll in ROLLS for action in GAME.legal_actions(state, roll))
    return sum(slow_perft(GAME.judge(state, action).state, depth - 1) for action in actions)


def any_state(seed: int) -> State:
    """Any arrangement of pieces, cards and tokens, also ones that no game leads to."""
    rng = random.Random(seed)
    start = GAME.start(setup(worms=True))
    owners = {tile: rng.choice((None, None, 0, 1, 2, 3)) for tile in range(1, FIN)}
    piles = [[tile for tile, owner in owners.items() if owner == player] for player in range(4)]
    for pile in piles:
        rng.shuffle(pile)
    tokens = [rng.choice((None, 0, 1, 2)) for _ in range(4)]
    lying = [0, *(tile for tile, owner in owners.items() if owner is None), FIN]
    return replace(
        start,
        to_move=rng.randrange(3),
        turns=rng.randrange(300),
        route=tuple(lying[1:-1]),
        pawns=tuple(tuple(sorted(rng.choices(lying, k=3))) for _ in range(3)),
        guards=tuple(sorted(rng.choices(lying, k=rng.randrange(9)))),
        collected=tuple(tuple(pile) for pile in piles[:3]),
        flixxy=rng.choice([*lying, "out"]),
        removed=tuple(piles[3]),
        tokens=tuple(tuple(t for t, owner in enumerate(tokens, 1) if owner == p) for p in range(3)),
        worms=tuple(rng.randrange(3) for _ in range(3)),
        laps=rng.randrange(5),
        extra=rng.randrange(2),
    )


STATES = st.builds(any_state, st.integers(0, 10**6))


@given(STATES)
def test_states_as_text(state: State) -> None:
    assert GAME.state_from_text(setup(worms=True), GAME.state_to_text(state)) == state


@given(STATES, st.integers(1, 18), st.data())
def test_any_candidate_as_line(state: State, roll: int, data: st.DataObject) -> None:
    candidate = data.draw(st.sampled_from(list(GAME.candidates(state, roll))))
    line = {"type": "turn", **GAME.action_to_line(state, candidate.action)}
    assert GAME.action_from_line(state, line) == candidate.action
    assert conserved(candidate.verdict.state) == conserved(state)


@given(STATES, STATES)
def test_difference_and_correction(before: State, after: State) -> None:
    after = replace(after, turns=before.turns)
    change = GAME.difference(before, after)
    assert GAME.correct(before, change) == after
    line = {"type": "correction", **GAME.action_to_line(before, change)}
    assert GAME.action_from_line(before, line) == change
