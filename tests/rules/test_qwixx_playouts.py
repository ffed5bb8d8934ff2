"""Random games of Qwixx Express, texts and corrections, and that nothing else than the legal rounds is legal."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from check_game import check_action_text, perft, play_games
from hypothesis import given, settings
from hypothesis import strategies as st
from qwixx_sheets import GAME, dice, setup, state

from rules.qwixx_express import Cross, Round, Sheet, State, Throw
from rules.qwixx_express.sheet import COLOURS, NUMBERS, ROWS, last_number

HOUSE_RULES: dict[str, dict[str, Any]] = {
    "base": {},
    "uneven segments": {"misthrow_segments": [1, 4, 0, 2]},
    "other": {"shared_after_skip": False, "fourth_misthrow_in_rerolls": "after_actions", "lock_counts": False},
}


def throws(seed: int, count: int = 400) -> list[int]:
    """Numbers of throws to draw from."""
    rng = random.Random(seed)
    return [rng.randrange(2 * 6**6 * 20) for _ in range(count)]


def sheets_grow(state: State) -> None:
    """Rows are in order, locks only after the last number, the misthrow area is not overfull."""
    for sheet in state.sheets:
        for name, row, lock in zip(ROWS, sheet.rows, sheet.locks, strict=True):
            assert list(row) == sorted(row, key=NUMBERS[name].index) and len(set(row)) == len(row)
            assert not lock or (row[-1] == last_number(name) and len(row) >= 6)
        assert 0 <= sheet.misthrow <= state.config.misthrow_fields


@pytest.mark.parametrize("options", HOUSE_RULES.values(), ids=list(HOUSE_RULES))
def test_random_games(options: dict[str, Any]) -> None:
    numbers = throws(1)
    turns = play_games(
        GAME, setup(**options), seed=1, games=12, rolls=numbers, conserved=sheets_grow, candidates_every=61
    )
    assert turns > 60


def test_random_games_with_mistakes() -> None:
    assert play_games(GAME, setup(), seed=2, games=4, rolls=throws(2), mistakes=0.2) > 10


@pytest.mark.slow
@pytest.mark.parametrize("options", HOUSE_RULES.values(), ids=list(HOUSE_RULES))
def test_thousands_of_random_games(options: dict[str, Any]) -> None:
    numbers = throws(3, 5000)
    play_games(
        GAME, setup(**options), seed=3, games=2000, rolls=numbers, conserved=sheets_grow, candidates_every=503
    )
    play_games(GAME, setup(**options), seed=4, games=200, rolls=numbers, mistakes=0.2)


BEFORE = state("red 2,3,4,5,6 green 9 F2", "red 3 blue 12,11,10,8,7 yellow 2,3,4,5,12* F6")


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("total", [2, 7, 12])
def test_nothing_else_is_legal(total: int, colour: str) -> None:
    """All rounds with at most one cross in each slot, in any row, with any misthrow fields: legal are those named."""
    throw = Throw(0, (dice(f"{total} {colour}"), dice("2 white")), (0, 1))
    legal = {GAME.judge(BEFORE, action).state for action in GAME.legal_actions(BEFORE, throw)}
    found = set()
    slots = [(1, 0), (1, 1), (2, 1), (2, 0)]
    numbers = {1: (total, 12), 2: (2, 7)}
    every = [
        [None, *(Cross(a, p, row, n, n == last_number(row)) for row in ROWS for n in numbers[a])] for a, p in slots
    ]
    for choice in product(*every[:3]):
        crosses = tuple(cross for cross in choice if cross is not None)
        for misthrow in ((0, 1), (2, 1), (0, 2), (2, 2), (0, 0)):
            verdict = GAME.judge(BEFORE, Round(throw, crosses, misthrow))
            if verdict.legal:
                found.add(verdict.state)
    assert found == legal


SHEETS = st.builds(
    lambda rows, locks, misthrow: Sheet(tuple(rows), tuple(locks), misthrow),
    st.tuples(*(st.sets(st.sampled_from(NUMBERS[n])).map(lambda s, n=n: tuple(k for k in NUMBERS[n] if k in s))
                for n in ROWS)),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.integers(0, 16),
)
STATES = st.builds(lambda sheets, rounds: replace(state(), sheets=sheets, rounds=rounds),
                   st.tuples(SHEETS, SHEETS), st.integers(0, 60))


@given(STATES)
def test_states_as_text(state: State) -> None:
    assert GAME.state_from_text(setup(), GAME.state_to_text(state)) == state


@given(STATES, STATES)
def test_difference_and_correction(before: State, after: State) -> None:
    after = replace(after, rounds=before.rounds)
    change = GAME.difference(before, after)
    assert GAME.correct(before, change) == after
    line = {"type": "correction", **GAME.action_to_line(before, change)}
    assert GAME.action_from_line(before, line) == change


@settings(deadline=None, max_examples=30)
@given(STATES, st.integers(0, 10**6), st.data())
def test_any_candidate_as_line(state: State, number: int, data: st.DataObject) -> None:
    """Odd sheets are judged, written and read back without a fault."""
    found = list(GAME.candidates(state, number))
    assert len({candidate.verdict.state for candidate in found}) == len(found)
    check_action_text(GAME, state, data.draw(st.sampled_from(found)).action)


@pytest.mark.parametrize(("before", "counts"), [(state(), (12, 119)), (BEFORE, (7, 41))], ids=["start", "middle"])
def test_move_counts(before: State, counts: tuple[int, ...]) -> None:
    """Legal sequences of 1 and 2 rounds over the same three throws."""
    assert tuple(perft(GAME, before, depth, throws(8, 3)) for depth in (1, 2)) == counts
