"""Made-up games and their recordings, without the video: what is played, and that the table shows it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from models.scene.assets import Assets
from models.scene.recording import Director, Extras
from models.scene.script import UNSEEN, play
from models.scene.spuk_board import board_setup
from models.scene.studio import FINISH_MM, PITCH_MM, Look
from rules import game_of
from rules.nochmal.layout import SHUFFLED, read_guards, with_verflixxt_cards
from rules.verflixxt.layout import LAYOUTS, tile_name
from vision.events import told

PLAYERS = [{"name": "Anna", "colour": "red", "seat": "bottom"}, {"name": "Ben", "colour": "blue", "seat": "top"}]
CARDS = with_verflixxt_cards(SHUFFLED, "random")
NOCHMAL: dict[str, Any] = {
    "game": "verflixxt-nochmal", "variant": "random", "players": PLAYERS,
    "route": [tile_name(value) for value in CARDS], "guards_start": list(read_guards({}, CARDS)),
}
BASE: dict[str, Any] = {
    "game": "verflixxt", "variant": "standard", "players": PLAYERS, "route": list(LAYOUTS["standard"]),
    "guards_start": list(range(9, 17)),
}
WANDERING: dict[str, Any] = {**BASE, "options": {"v3": "vacated"}}
SPUK: dict[str, Any] = {
    "game": "spuk", "variant": "3_to_win", "players": PLAYERS, "pieces_per_player": 3, "board": board_setup()
}
SIZE_WH = (320, 180)


@pytest.mark.parametrize("setup", [NOCHMAL, BASE, WANDERING, SPUK], ids=["nochmal", "base", "wandering", "spuk"])
def test_a_made_up_game_is_what_the_rules_say_of_it(setup: dict[str, Any]) -> None:
    game, broken = game_of(setup), set()
    for seed in range(4):
        state = game.start(setup)
        for line in play(setup, 8, seed, 0.5)[1:]:
            said = told(game, state, line)
            if line["type"] == "turn":
                assert [v.rule for v in said.violations] == [r for r in (line["broken_rule"],) if r]
                broken.add(line["broken_rule"])
            state = said.after
    assert len(broken) >= 4 and not broken & set(UNSEEN)


def director(lines: list[dict[str, Any]]) -> Director:
    look = Look.draw(5, lines[0], Assets(), SIZE_WH)
    return Director(lines[0], lines[1:], look, 5, Extras())


def line_of(**more: Any) -> dict[str, Any]:
    return {"type": "turn", "turn": 1, "player": "Anna", "roll": 3, "moves": [], "taken_tiles": [], **more}


def test_flixxy_flies_the_action_die_is_told_and_a_card_is_passed() -> None:
    flight = {"piece": "flixxy", "from": "start", "to": 3}
    passed = {"tile": tile_name(CARDS[1]), "number": 2, "to": "Ben"}
    played = director([{"type": "setup", **NOCHMAL}, line_of(action_die="must", moves=[flight], passed=passed)])
    before = played.studio.still(played.table).copy()
    frames = list(played.frames())
    bird = next(piece for piece in played.table.pieces if piece.name == "flixxy")
    assert bird.at == 3 and np.hypot(*np.subtract(bird.pos_mm, played.table.spots[3])) < 22
    assert played.table.action == "must" and played.table.tiles[2][1] < 0
    assert played.commands == [{"do": "action_die", "value": "must", "at_s": played.events[0]["t_roll"] + 0.3}]
    assert np.abs(frames[-1].astype(int) - before).max() > 60
    assert played.events[0]["passed"] == passed


def test_a_tile_that_wanders_is_laid_before_the_finish_which_makes_room() -> None:
    there, on = ({"piece": "pawn:red", "from": a, "to": b} for a, b in (("start", 3), (3, 6)))
    lines = [line_of(moves=[there]), line_of(turn=2, moves=[on], wandered=[3])]
    played = director([{"type": "setup", **WANDERING}, *lines])
    table = played.table
    last = len(table.spots) - 1
    before, guarded = dict(table.tiles), (table.pieces[-1].at, table.pieces[-1].pos_mm)
    list(played.frames())
    ahead = np.subtract(before[last], table.spots[last - 1]) / FINISH_MM
    assert np.subtract(table.tiles[last], before[last]) == pytest.approx(ahead * PITCH_MM, abs=3.0)
    assert np.subtract(table.tiles[3], table.spots[last - 1]) == pytest.approx(ahead * PITCH_MM, abs=3.0)
    assert table.spots[3] == table.tiles[3]
    assert (table.pieces[-1].at, table.pieces[-1].pos_mm) == guarded
    assert played.events[1]["wandered"] == [3]


def test_what_stands_on_a_tile_moves_with_it() -> None:
    table = director([{"type": "setup", **BASE}]).table
    guard = next(piece for piece in table.pieces if piece.at == 9)
    before = guard.pos_mm
    table.shift(9, (10.0, -4.0))
    assert np.subtract(guard.pos_mm, before) == pytest.approx((10.0, -4.0))
