"""Verflixxt nochmal on the table: Flixxy, orange cards, the action die as people tell it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.classes import DIE_CLASSES
from models.scene.script import play
from models.scene.studio import start_table
from rules import game_of
from rules.nochmal.layout import STANDARD
from rules.protocol import Move
from rules.verflixxt.layout import tile_name
from vision.explain import Branch
from vision.reading import DieSeen, TableReading
from vision.tables.nochmal import NochmalTable
from vision.throw import DieMemory

SETUP: dict[str, Any] = {
    "game": "verflixxt-nochmal", "variant": "standard",
    "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
}
GAME = game_of(SETUP)
TABLE = NochmalTable(GAME)


def test_flixxy_stands_among_the_pieces_and_moves_with_its_state() -> None:
    start = GAME.start(SETUP)
    assert TABLE.contents(start)[0].pieces == ("flixxy", *("pawn:blue",) * 3, *("pawn:red",) * 3)
    moved = replace(start, flixxy=9)
    assert TABLE.contents(moved)[9].pieces == ("flixxy",)
    assert TABLE.contents(moved)[9].tile == "verflixxt"
    assert "flixxy" not in TABLE.contents(moved)[0].pieces
    gone = TABLE.contents(replace(start, flixxy="out"))
    assert all("flixxy" not in content.pieces for content in gone.values())


@pytest.mark.parametrize("count", [5, 6, 7, 8])
def test_many_players_begin_and_play(count: int) -> None:
    colours = GAME.info.colours[:count]
    players = [{"name": f"P{k}", "colour": colour} for k, colour in enumerate(colours)]
    setup = SETUP | {"players": players, "route": [tile_name(v) for v in STANDARD]}
    start = GAME.start(setup)
    crowd = TABLE.contents(start)[0].pieces
    assert [crowd.count(f"pawn:{colour}") for colour in colours] == [len(start.pawns[0])] * count
    lines = play(setup, count + 2, seed=count, mistakes=0.0)
    assert [line["player"] for line in lines[1:]] == [f"P{k % count}" for k in range(len(lines) - 1)]
    assert len(lines) > count
    setup |= {"guards_start": list(start.guards), "pieces_per_player": len(start.pawns[0])}
    on_start = [piece.name for piece in start_table(setup, np.random.default_rng(1)).pieces if piece.at == 0]
    assert sorted(on_start) == sorted(crowd)


@pytest.mark.parametrize(("said", "kind"), [("may", 0), ("may_not", 1), ("must", 2)])
def test_the_action_die_that_was_told_is_likeliest(said: str, kind: int) -> None:
    rolls = TABLE.rolls(GAME.start(SETUP), {3: -0.1, 5: -2.0}, said)
    assert max(rolls, key=lambda roll: rolls[roll]) == 3 + 6 * kind
    assert len(rolls) == 6 and all(math.isfinite(chance) for chance in rolls.values())


def test_untold_everything_is_allowed_and_without_flixxy_there_is_one_die() -> None:
    start = GAME.start(SETUP)
    assert TABLE.rolls(start, {3: -0.1}, "") == {3: -0.1}
    assert TABLE.rolls(replace(start, flixxy="out"), {3: -0.1}, "must") == {3: -0.1}


def test_a_told_must_makes_the_move_of_a_pawn_illegal() -> None:
    start = GAME.start(SETUP)
    wrong = [c for c in GAME.candidates(start, 3 + 12) if c.action.moves == (Move("pawn:red", 0, 3),)]
    assert wrong[0].verdict.rules == ("must_move_flixxy",)


def test_what_was_told_counts_for_one_turn() -> None:
    die = DieSeen((10.0, 10.0), (0, 0, 20, 20), tuple(float(name == "3") for name in DIE_CLASSES), 0.9)
    branch = Branch(GAME.start(SETUP), DieMemory(thrown=die, said="must"))
    assert branch.die.seeing(TableReading(1.0, dice=(die,))).said == "must"
    assert branch.die.after_turn(TableReading(1.0, dice=(die,))).said == ""
