"""Setups: what is accepted, and that every fault is named where it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from verflixxt_positions import setup

from rules import GAMES, game_named, game_of
from rules.options import Option
from rules.protocol import SetupError
from rules.verflixxt import Verflixxt
from rules.verflixxt.layout import INFO, LAYOUTS

CLIP = Path(__file__).parents[3] / "shared/clips/verflixxt_a/setup.json"
STANDARD = list(LAYOUTS["standard"])
ANNA, BEN = {"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}

BAD: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, 'game: "chess" is not known'),
    ({"variant": "spiral"}, 'variant: "spiral" is not known; allowed: standard, random, blocks, luck_last'),
    ({"variant": "random"}, 'route: missing; variant "random" needs'),
    ({"options": {"v9": True}}, 'options: unknown house rule "v9"'),
    ({"options": {"guard_on_taken_tile": "eat"}}, 'options: guard_on_taken_tile is "eat"; allowed: "remove"'),
    ({"options": {"v2": 1}}, "options: v2 is 1; allowed: false, true"),
    ({"options": ["v2"]}, "options: expected an object"),
    ({"options": {"v4": True, "v5": True}}, "options: v4 and v5"),
    ({"players": [ANNA]}, "players: Verflixxt! is for 2 to 6 players, found 1"),
    ({"players": [ANNA, "Ben"]}, "players: player 2 is not an object"),
    ({"players": [ANNA, {"name": " ", "colour": "blue"}]}, "players: player 2 has no name"),
    ({"players": [ANNA, {"name": "Ben", "colour": "pink"}]}, 'player 2 (Ben): unknown colour "pink"; allowed: red'),
    ({"players": [ANNA, {"name": "Ben"}]}, 'player 2 (Ben): unknown colour ""'),
    ({"players": [ANNA, {"name": "Ben", "colour": ["red"]}]}, "player 2 (Ben): unknown colour"),
    ({"players": [ANNA, {**BEN, "seat": "roof"}]}, 'player 2 (Ben): unknown seat "roof"'),
    ({"players": [ANNA, {"name": "Ben", "colour": "red"}]}, 'two players have the colour "red"'),
    ({"players": [ANNA, {"name": "Anna", "colour": "blue"}]}, 'two players are called "Anna"'),
    ({"pieces_per_player": 7}, "pieces_per_player: expected 1, 2 or 3, found 7"),
    ({"route": "standard"}, 'route: expected a list, found "standard"'),
    ({"route": [*STANDARD[:-1], "x"]}, 'route: tile 32 is "x"'),
    ({"route": [*STANDARD[:-1], True]}, "route: tile 32 is true"),
    ({"route": [*STANDARD[:-1], -9]}, "route: not the game's 32 tiles (32 found): too many of -9, missing -10"),
    ({"route": STANDARD[:-2]}, "(30 found): missing -10, -9"),
    ({"guards_start": [9, 40]}, "guards_start: expected tile numbers from 1 to 32, found [9, 40]"),
    ({"guards_start": list(range(1, 10))}, "guards_start: the game has 8 guards"),
    ({"guards_start": [9, 9]}, "guards_start: the game has 8 guards"),
]


@pytest.mark.parametrize(("change", "sentence"), BAD, ids=[row[1][:40] for row in BAD])
def test_bad_setup(change: dict[str, Any], sentence: str) -> None:
    raw = {"game": "verflixxt", "players": [ANNA, BEN], **change}
    with pytest.raises(SetupError) as fault:
        game_of(raw).start(raw)
    assert sentence in str(fault.value)
    assert "\n" not in fault.value.text("de")
    assert fault.value.text("de") != fault.value.text("en")


@pytest.mark.parametrize("raw", [None, [], {}, {"game": 3}])
def test_no_game(raw: object) -> None:
    with pytest.raises(SetupError):
        game_of(raw)


@pytest.mark.skipif(not CLIP.exists(), reason="the shared clips are not here")
def test_setup_of_the_clip() -> None:
    raw = json.loads(CLIP.read_text(encoding="utf-8"))
    state = game_of(raw).start(raw)
    assert state.config.names == ("P1", "P2") and state.config.colours == ("red", "blue")
    assert state.config.route_values == LAYOUTS["standard"]
    assert state.guards == tuple(range(9, 17))
    assert state.pawns == ((0, 0, 0),) * 2


@pytest.mark.parametrize(("players", "pawns"), [(2, 3), (4, 3), (5, 2), (6, 2)])
def test_pawns_per_player(players: int, pawns: int) -> None:
    who = [{"name": colour.title(), "colour": colour} for colour in INFO.colours[:players]]
    state = Verflixxt().start({"game": "verflixxt", "players": who})
    assert state.pawns == ((0,) * pawns,) * players


def test_route_in_words() -> None:
    route = ["luck" if v == 0 else f"{v:+d}" for v in STANDARD]
    assert Verflixxt().start({**setup(), "route": route}).config.route_values == LAYOUTS["standard"]


def test_layouts_have_the_games_tiles() -> None:
    assert {tuple(sorted(layout)) for layout in LAYOUTS.values()} == {tuple(sorted(STANDARD))}
    state = Verflixxt().start(setup(variant="luck_last"))
    assert state.guards == tuple(range(9, 17)) and state.config.route_values[-6:] == (0,) * 6


def test_every_game_describes_its_house_rules() -> None:
    """Sentences in both languages for every option and choice, defaults among the choices, names once."""
    for name in GAMES:
        info = game_named(name).info
        assert info.name == name
        options: list[Option] = list(info.options)
        assert len({option.name for option in options}) == len(options)
        for option in options:
            assert option.text("de").endswith(".") and option.text("en").endswith(".")
            assert not option.choices or option.default in [choice.value for choice in option.choices]
            assert all(choice.de and choice.en for choice in option.choices)
        assert info.variants and all(choice.de and choice.en for choice in info.variants)
