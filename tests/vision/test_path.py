"""Finding the route of Verflixxt! among everything that looks like a tile."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from rules import game_of
from tests.vision.fake_eyes import MILD, NONE, FakeEyes, Noise
from tests.vision.toy import SETUP, Toy
from vision.reading import TableReading, combine
from vision.tables import NotFound
from vision.tables.path import fill_in, tile_pitch_mm
from vision.tables.verflixxt import VerflixxtTable

TABLE = VerflixxtTable(game_of(SETUP))


def toy_and_reading(noise: Noise = NONE, seed: int = 0) -> tuple[Toy, TableReading]:
    toy = Toy(seed=seed)
    toy.rest(0.3)
    eyes = FakeEyes(toy.stills, toy.plane, noise, seed)
    return toy, combine([eyes.read(None, t) for t in (0.0, 0.1, 0.2)])


def worst_mm(toy: Toy, reading: TableReading) -> float:
    layout = TABLE.locate(reading, toy.state)
    return max(math.dist(layout[place].pos_mm, pos) for place, pos in toy.spots.items())


@pytest.mark.parametrize("seed", range(3))
def test_every_place_is_found(seed: int) -> None:
    assert worst_mm(*toy_and_reading(MILD, seed)) < 12


@pytest.mark.parametrize("seed", range(3))
def test_missed_tiles_are_filled_in(seed: int) -> None:
    toy, reading = toy_and_reading()
    kept = random.Random(seed).sample(reading.tiles, len(reading.tiles) - 5)
    assert worst_mm(toy, replace(reading, tiles=tuple(kept))) < 30


def test_collected_tiles_and_clutter_are_left_alone() -> None:
    toy, reading = toy_and_reading()
    again = [replace(t, pos_mm=(30.0 + 45 * k, 285.0)) for k, t in enumerate(reading.tiles[3:9])]
    assert worst_mm(toy, replace(reading, tiles=(*again, *reading.tiles))) < 3


def test_in_the_middle_of_a_game_gaps_keep_their_place() -> None:
    toy = Toy()
    for face, number in ((2, 0), (3, 0), (4, 1), (5, 1)):
        toy.state = toy.game.judge(toy.state, toy.game.legal_actions(toy.state, face)[number]).state
    assert len(toy.state.route) < 32
    toy.rest(0.3)
    reading = FakeEyes(toy.stills, toy.plane).read(None, 0.0)
    assert worst_mm(toy, reading) < 6


def test_random_routes_are_found_too() -> None:
    values = list(Toy().state.config.route_values)
    random.Random(5).shuffle(values)
    toy = Toy({**SETUP, "variant": "random", "route": values})
    toy.rest(0.3)
    assert worst_mm(toy, FakeEyes(toy.stills, toy.plane, MILD, 1).read(None, 0.0)) < 12


def test_too_few_tiles() -> None:
    toy, reading = toy_and_reading()
    with pytest.raises(NotFound) as problem:
        TABLE.locate(replace(reading, tiles=reading.tiles[::2]), toy.state)
    assert problem.value.reason == "too_few_tiles"
    assert problem.value.facts == {"found": 17, "needed": 24}


def test_another_route() -> None:
    _, reading = toy_and_reading()
    values = list(Toy().state.config.route_values)
    random.Random(2).shuffle(values)
    state = Toy({**SETUP, "variant": "random", "route": values}).state
    with pytest.raises(NotFound) as problem:
        TABLE.locate(reading, state)
    assert problem.value.reason in ("other_route", "too_few_tiles")


def test_small_shifts_are_followed_and_noise_is_not() -> None:
    toy, reading = toy_and_reading()
    layout = TABLE.locate(reading, toy.state)
    assert TABLE.follow(layout, reading, toy.state) is layout
    shifted = replace(reading, tiles=tuple(replace(t, pos_mm=(t.pos_mm[0] + 6, t.pos_mm[1])) for t in reading.tiles))
    moved = TABLE.follow(layout, shifted, toy.state)
    assert 2 < moved[5].pos_mm[0] - layout[5].pos_mm[0] < 6
    assert moved[0] == layout[0]


def test_filling_in_between_and_at_the_ends() -> None:
    filled = fill_in([None, (10.0, 0.0), None, None, (40.0, 0.0), None])
    assert [round(x) for x, _ in filled] == [-5, 10, 20, 30, 40, 55]


def test_filling_in_around_a_corner() -> None:
    corner = fill_in([(0.0, 0.0), (46.0, 0.0), None, (92.0, 46.0), (46.0, 46.0)])
    assert corner[2] == pytest.approx((92.0, 0.0), abs=1)


def test_pitch_of_nothing() -> None:
    assert tile_pitch_mm([]) == 0.0
