"""Variant 3 of Verflixxt!: tiles that wander to the place before the finish are looked for there."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from models.classes import TILE_CLASSES
from rules import game_of
from rules.protocol import Move
from rules.verflixxt.state import State, Turn
from vision.reading import Point, TableReading, TileSeen
from vision.tables.verflixxt import VerflixxtTable
from vision.tables.wandering import SLOTS, slot

SETUP: dict[str, Any] = {
    "game": "verflixxt", "variant": "standard", "options": {"v3": "vacated"},
    "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
}
GAME = game_of(SETUP)
TABLE = VerflixxtTable(GAME)
PITCH, END = 47.5, 67.0


def row(*names: str) -> TableReading:
    """Tiles in one row from left to right, the first and last of them large."""
    tiles, x = [], 0.0
    for k, name in enumerate(names):
        large = k in (0, len(names) - 1)
        x += 0.0 if k == 0 else END if large or k == 1 else PITCH
        if name:
            tiles.append(tile_at((x, 100.0), name, large))
    return TableReading(0.0, tiles=tuple(tiles))


def tile_at(pos_mm: Point, name: str, large: bool = False) -> TileSeen:
    return TileSeen(pos_mm, (0, 0, 1, 1), tuple(float(c == name) for c in TILE_CLASSES), 0.95, large)


def names(state: State, gap: int = 0, *more: str) -> list[str]:
    config = state.config
    return ["start", *("" if k == gap else config.tile(k) for k in range(1, config.finish)), *more, "finish"]


def after_red_left_3() -> State:
    state = GAME.start(SETUP)
    for roll, move in ((3, Move("pawn:red", 0, 3)), (2, Move("pawn:blue", 0, 2)), (2, Move("pawn:red", 3, 5))):
        turn = next(turn for turn in GAME.legal_actions(state, roll) if turn.moves == (move,))
        state = GAME.judge(state, turn).state
    return state


def test_a_tile_that_wandered_and_what_stands_on_it_are_before_the_finish() -> None:
    state = after_red_left_3()
    contents = TABLE.contents(replace(state, guards=(*state.guards, 3)))
    assert contents[3] == contents[slot(2)] == replace(contents[3], pieces=(), tile="")
    assert (contents[slot(1)].tile, contents[slot(1)].pieces) == ("-3", ("guard",))
    assert TABLE.place_name(state, slot(1)) == "-3"


def test_a_tile_left_where_it_lay_looks_otherwise_than_one_that_wandered() -> None:
    state = GAME.start(SETUP)
    state = GAME.judge(state, Turn(0, 3, (Move("pawn:red", 0, 3),))).state
    state = GAME.judge(state, Turn(1, 2, (Move("pawn:blue", 0, 2),))).state
    move = (Move("pawn:red", 3, 5),)
    forgotten, right = (GAME.judge(state, Turn(0, 2, move, wandered=tiles)) for tiles in ((), (3,)))
    assert (forgotten.rules, right.rules) == (("must_lay_tile_before_finish",), ())
    assert TABLE.contents(forgotten.state) != TABLE.contents(right.state)


def test_without_the_variant_there_are_no_such_places() -> None:
    plain = {**SETUP, "options": {}}
    game = game_of(plain)
    state = game.start(plain)
    assert slot(1) not in VerflixxtTable(game).contents(state)
    assert slot(1) not in VerflixxtTable(game).locate(row(*names(state)), state)


def test_places_are_kept_free_in_line_with_the_last_tile() -> None:
    state = GAME.start(SETUP)
    layout = TABLE.locate(row(*names(state)), state)
    last = layout[state.config.finish - 1].pos_mm
    for k in range(1, SLOTS + 1):
        assert layout[slot(k)].pos_mm == pytest.approx((last[0] + k * PITCH, last[1]), abs=1.0)


@pytest.mark.parametrize("followed", [True, False], ids=["followed", "found anew"])
def test_the_finish_that_was_pushed_away_is_followed(followed: bool) -> None:
    state = after_red_left_3()
    before = TABLE.locate(row(*names(GAME.start(SETUP))), GAME.start(SETUP))
    now = row(*names(state, 3, "-3"))
    layout = TABLE.follow(before, now, state) if followed else TABLE.locate(now, state)
    last = before[state.config.finish - 1].pos_mm[0]
    assert layout[3].pos_mm == pytest.approx(before[3].pos_mm, abs=1.0)
    assert layout[state.config.finish].pos_mm[0] == pytest.approx(last + PITCH + END, abs=1.0)
    assert [layout[slot(k)].pos_mm[0] - last for k in (1, 2)] == pytest.approx([PITCH, 2 * PITCH], abs=1.5)
    assert math.dist(layout[slot(1)].pos_mm, now.tiles[-2].pos_mm) < 1.5
