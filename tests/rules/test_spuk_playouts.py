"""Random games of Spuk, move counts, texts, and that nothing else than the legal turns is legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from check_game import perft, play_games
from hypothesis import given, settings
from hypothesis import strategies as st
from spuk_board import COLOURS, GAME, NUMBERED, RIVER, TREASURE, WALL, setup, state

from rules.protocol import Move
from rules.spuk import State, Turn

HOUSE_RULES: dict[str, dict[str, Any]] = {
    "base": {},
    "two players": {"players": "RB"},
    "long": {"variant": "5_to_win"},
    "start not counted": {"start_counted": False},
    "exact": {"square_overshoot": "exact"},
    "share": {"occupied_numbered": "share", "river_landing": "share"},
    "next free": {"river_landing": "next_free", "own_blocks": True},
    "decline": {"six_again": "may_decline"},
}


def conserved(state: State) -> tuple[int, ...]:
    """Everybody keeps all figures, somewhere on the board, sorted."""
    assert all(list(fields) == sorted(fields) and 0 <= fields[0] and fields[-1] <= TREASURE for fields in state.at)
    return tuple(len(fields) for fields in state.at)


def no_field_shared(state: State) -> None:
    """After legal turns a field holds one figure, but for the start and the treasure."""
    on_path = [field for fields in state.at for field in fields if 0 < field < TREASURE]
    assert len(set(on_path)) == len(on_path)


@pytest.mark.parametrize("options", HOUSE_RULES.values(), ids=list(HOUSE_RULES))
def test_random_games(options: dict[str, Any]) -> None:
    def held(state: State) -> tuple[int, ...]:
        if state.config.occupied_numbered == "illegal":
            no_field_shared(state)
        return conserved(state)

    assert play_games(GAME, setup(**options), seed=1, games=1, conserved=held, candidates_every=211) > 40


@pytest.mark.parametrize("name", ["base", "share"])
def test_random_games_with_mistakes(name: str) -> None:
    raw = setup(players="RB", **HOUSE_RULES[name])
    assert play_games(GAME, raw, seed=2, games=1, conserved=conserved, mistakes=0.05) > 20


@pytest.mark.slow
@pytest.mark.parametrize("options", HOUSE_RULES.values(), ids=list(HOUSE_RULES))
def test_thousands_of_random_games(options: dict[str, Any]) -> None:
    play_games(GAME, setup(**options), seed=3, games=400, conserved=conserved, candidates_every=503)
    play_games(GAME, setup(**options), seed=4, games=40, conserved=conserved, candidates_every=101, mistakes=0.1)


def physical_turns(state: State, roll: int) -> Iterator[Turn]:
    """Every turn that moves one figure, or one figure and one other that stands on the field it comes to."""
    def place(field: int) -> int | str:
        return "home" if field == TREASURE else field

    pieces = [(f"pawn:{COLOURS['RBYG'[p]]}", f) for p, fields in enumerate(state.at) for f in sorted(set(fields))]
    yield Turn(state.to_move, roll)
    for piece, start in pieces:
        for to in range(TREASURE + 1):
            if to == start:
                continue
            first = Move(piece, place(start), place(to))
            yield Turn(state.to_move, roll, (first,))
            for other, field in pieces:
                if field == to and 0 < to < TREASURE:
                    for end in range(TREASURE + 1):
                        if end != field:
                            yield Turn(state.to_move, roll, (first, Move(other, field, place(end))))


@pytest.mark.parametrize("roll", range(1, 7))
@pytest.mark.parametrize("where", ["R3,9,20 B6,14,23 Y26,28 G10,13", "R11,14 B12,27 Y28", "R13,22,28 B14,17,25 Y16,24"])
def test_nothing_else_is_legal(where: str, roll: int) -> None:
    """All turns of one figure and one consequence: the legal tables are those of the legal actions of that size."""
    before = state(where)
    legal = {GAME.judge(before, a).state for a in GAME.legal_actions(before, roll) if len(a.moves) <= 2}
    found = {v.state for t in physical_turns(before, roll) if (v := GAME.judge(before, t)).legal}
    assert found == legal


def slow_count(state: State, roll: int) -> int:
    """Legal turns counted a second way: field by field along the path; passing counts as one."""
    standing = {field for fields in state.at for field in fields}
    ends = 0
    for field in set(state.at[state.to_move]) - {RIVER, WALL, TREASURE}:
        path = range(field + 1, field + roll + (0 if field == 0 else 1))
        squares = [f for f in path if f in (RIVER, WALL)]
        if path and squares:
            ends += squares[0] == path[-1] or squares[0] not in standing
        elif path:
            ends += not (path[-1] in NUMBERED and path[-1] in standing)
    return max(ends, 1)


def slow_perft(state: State, depth: int) -> int:
    if depth == 1:
        return sum(slow_count(state, roll) for roll in range(1, 7))
    return sum(
        slow_perft(GAME.judge(state, action).state, depth - 1)
        for roll in range(1, 7)
        for action in GAME.legal_actions(state, roll)
    )


@pytest.mark.parametrize(("where", "counts"), [("", (6, 41, 280)), ("R3,9,20 B6,14,23 Y26,28 G10,13", (22, 365, 3640))])
def test_move_counts(where: str, counts: tuple[int, ...]) -> None:
    """Legal sequences of 1, 2, 3 turns over all rolls, the last turn also counted by :func:`slow_count`."""
    assert tuple(perft(GAME, state(where), depth) for depth in (1, 2, 3)) == counts
    assert tuple(slow_perft(state(where), depth) for depth in (1, 2, 3)) == counts


FIELDS = st.lists(st.integers(0, TREASURE), min_size=5, max_size=5).map(sorted).map(tuple)
STATES = st.builds(
    lambda at, to_move, turns, extra: replace(state(""), at=at, to_move=to_move, turns=turns, extra=extra),
    st.tuples(FIELDS, FIELDS, FIELDS, FIELDS), st.integers(0, 3), st.integers(0, 400), st.booleans(),
)


@given(STATES)
def test_states_as_text(state: State) -> None:
    assert GAME.state_from_text(setup(), GAME.state_to_text(state)) == state


@settings(deadline=None, max_examples=30)
@given(STATES, st.integers(1, 6), st.data())
def test_any_candidate_as_line(state: State, roll: int, data: st.DataObject) -> None:
    """Odd positions (several figures on a field) are judged, written and read back without a fault."""
    found = list(GAME.candidates(state, roll))
    assert len({candidate.verdict.state.at for candidate in found}) == len(found)
    candidate = data.draw(st.sampled_from(found))
    line = {"type": "turn", **GAME.action_to_line(state, candidate.action)}
    assert GAME.action_from_line(state, line) == candidate.action
    assert conserved(candidate.verdict.state) == conserved(state)


@given(STATES, STATES)
def test_difference_and_correction(before: State, after: State) -> None:
    after = replace(after, turns=before.turns, extra=before.extra)
    change = GAME.difference(before, after)
    assert GAME.correct(before, change) == after
    line = {"type": "correction", **GAME.action_to_line(before, change)}
    assert GAME.action_from_line(before, line) == change


@given(STATES, st.integers(1, 6))
def test_squares_and_numbers_are_safe(state: State, roll: int) -> None:
    """No legal turn throws a figure from a square, or from a numbered field by landing on it."""
    for action in GAME.legal_actions(state, roll):
        for move in action.moves[1:]:
            if move.start in (RIVER, WALL):
                assert move.to == ("home" if move.start == WALL else RIVER + 1)
            elif move.start == action.moves[0].to:
                assert not state.config.board.numbers[int(move.start)]
