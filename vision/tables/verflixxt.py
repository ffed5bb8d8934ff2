"""Verflixxt! on the table: a route of tiles between two large ones, pawns and guards standing on them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from rules.protocol import Place
from rules.verflixxt.layout import tile_name
from rules.verflixxt.state import START, State
from vision.reading import Point, TableReading, TileSeen
from vision.tables import Contents, Layout, NotFound, Spot
from vision.tables.path import Step, fill_in, find_path, tile_pitch_mm
from vision.tables.wandering import followed, laid_out, slots, wandered

LEAST_SHARE = 0.7
"""Share of the lying tiles that must be found before the route counts as found."""

LEAST_FIT = -2.9
"""Mean log-likelihood of a step from which the tiles lie as the route says. Where values are read without any hint it
is about -2; for tiles in another order below -3, because many must be passed over to find the right values."""

SMALL_RADIUS, END_RADIUS = 0.48, 0.87
"""Radius of a route tile and of an end tile (about three times as large) in distances of neighbours."""

ASIDE = 0.25
"""How often a piece in the finish is not there: players lay it aside."""

DRIFT = 0.5
"""Share of a small shift that one reading is believed."""

LEAST_DRIFT_MM, DRIFT_LIMIT_MM = 1.5, 12.0
"""Smaller shifts are only noise of the reading; greater ones are another tile."""


class VerflixxtTable:
    """Adapter of :mod:`vision.tables` for Verflixxt!. Places are 0 (start), tile numbers, ``finish``; where
    tiles wander also those of :func:`vision.tables.wandering.slots`."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def locate(self, reading: TableReading, state: State) -> Layout:
        """Every place of the route; tiles that were missed, and gaps, are filled in between their neighbours.

        Raises NotFound ``too_few_tiles`` (facts found, needed) or ``other_route`` (facts read, found).
        """
        config = state.config
        lying = {START: Step("start", is_end=True), config.finish: Step("finish", is_end=True)}
        numbers = [START, *state.route, config.finish]
        for before, number in zip(numbers, state.route, strict=False):
            lying[number] = Step(tile_name(config.value(number)), gap=max(number - before - 1, 0))
        path, fit = find_path(reading, [lying[n] for n in numbers])
        found = dict(zip(numbers, path, strict=True))
        _check(found, lying, fit)
        every = range(START, config.finish + 1)
        away = {number: tile.pos_mm for number in wandered(state) if (tile := found.get(number)) is not None}
        where = fill_in([None if number in away else _position(found.get(number)) for number in every])
        pitch = tile_pitch_mm([tile for tile in found.values() if tile])
        spots: dict[Place, Spot] = {k: _spot(k, pos, pitch, config.finish) for k, pos in zip(every, where, strict=True)}
        return laid_out(spots, state, away, pitch)

    def follow(self, layout: Layout, reading: TableReading, state: State) -> Layout:
        """Places shifted a little towards where their tiles were seen now."""
        away = wandered(state)
        lying_at = {away.get(number, number) for number in state.route}
        moved: dict[Place, Spot] = dict(layout)
        for tile in reading.tiles:
            lying = (p for p in layout if p in lying_at)
            place = min(lying, key=lambda p: math.dist(layout[p].pos_mm, tile.pos_mm), default=None)
            shift = math.dist(layout[place].pos_mm, tile.pos_mm) if place is not None else 0.0
            if place is not None and LEAST_DRIFT_MM < shift < DRIFT_LIMIT_MM:
                moved[place] = replace(layout[place], pos_mm=_towards(layout[place].pos_mm, tile.pos_mm))
        pitch = layout[START].radius_mm / END_RADIUS
        followed_mm = followed(moved if moved != layout else layout, reading, state, pitch)
        return followed_mm if followed_mm != layout else layout

    def contents(self, state: State) -> Mapping[Place, Contents]:
        """Pieces and tile of every place."""
        config, away = state.config, wandered(state)
        pieces: dict[Place, list[str]] = {}
        for guard in state.guards:
            pieces.setdefault(away.get(guard, guard), []).append("guard")
        for colour, places in sorted(zip(config.colours, state.pawns, strict=True)):
            for place in places:
                pieces.setdefault(away.get(place, place), []).append(f"pawn:{colour}")
        result = dict(_empty(config.route_values, state.route))
        result |= {name: contents_of((), "") for name in slots(state)}
        for number, name in away.items():
            result[number], result[name] = contents_of((), ""), contents_of((), tile_name(config.value(number)))
        for where, there in pieces.items():
            result[where] = contents_of(tuple(there), result[where].tile)
        return result

    def rolls(self, state: State, faces: Mapping[int, float], said: str) -> Mapping[int, float]:
        """The die is all there is."""
        return faces

    def place_name(self, state: State, place: Place) -> str:
        """``"start"``, ``"-3"``, ``"luck"``, ``"finish"``."""
        return state.config.tile(next((number for number, name in wandered(state).items() if name == place), place))


@cache
def contents_of(pieces: tuple[str, ...], tile: str | None) -> Contents:
    """The same object for the same contents: comparing them is quick then."""
    return Contents(pieces, tile)


@lru_cache(maxsize=256)
def _empty(values: tuple[int, ...], route: tuple[int, ...]) -> Mapping[Place, Contents]:
    """The places without any piece; ``values`` of all tiles, ``route``: those that still lie there."""
    lying = set(route)
    places: dict[Place, Contents] = {START: contents_of((), None), len(values) + 1: contents_of((), None)}
    for number, value in enumerate(values, 1):
        places[number] = contents_of((), tile_name(value) if number in lying else "")
    return places


def _check(found: Mapping[int, TileSeen | None], steps: Mapping[int, Step], fit: float) -> None:
    tiles = {number: tile for number, tile in found.items() if tile}
    needed = math.ceil(LEAST_SHARE * len(steps))
    if len(tiles) < max(needed, 2):
        raise NotFound("too_few_tiles", found=len(tiles), needed=needed)
    if fit < LEAST_FIT:
        read = sum(tile.prob(steps[number].name) > 0.3 for number, tile in tiles.items())
        raise NotFound("other_route", read=read, found=len(tiles))


def _position(tile: TileSeen | None) -> Point | None:
    return tile.pos_mm if tile else None


def _spot(number: int, pos_mm: Point, pitch_mm: float, finish: int) -> Spot:
    if number == START:
        return Spot(pos_mm, END_RADIUS * pitch_mm)
    if number == finish:
        return Spot(pos_mm, END_RADIUS * pitch_mm, miss=ASIDE)
    return Spot(pos_mm, SMALL_RADIUS * pitch_mm)


def _towards(old: Point, new: Point) -> Point:
    return old[0] + DRIFT * (new[0] - old[0]), old[1] + DRIFT * (new[1] - old[1])
