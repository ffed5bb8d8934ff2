"""Variant 3 of Verflixxt!: where the tiles lie that wander to the place right before the finish."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.protocol import Place
from vision.reading import Point, TableReading
from vision.tables import Layout, Spot

SLOTS = 3
"""So many places are watched for tiles that wander; further tiles are believed to be where they should."""

PUSHED = (0.4, 2.6)
"""How far, in distances of neighbours, the finish is pushed away to make room."""


def slot(number: int) -> str:
    """The place of the tile that wandered as the ``number``-th of those that lie there, counted from 1."""
    return f"before_finish_{number}"


def slots(state: Any) -> tuple[str, ...]:
    """The places for tiles that wander; none where they do not."""
    return () if state.config.v3 == "off" else tuple(slot(k + 1) for k in range(SLOTS))


def wandered(state: Any) -> dict[int, str]:
    """The place of every tile that lies behind one with a higher number."""
    if state.config.v3 == "off":
        return {}
    highest, away = 0, list[int]()
    for tile in state.route:
        if tile < highest:
            away.append(tile)
        highest = max(highest, tile)
    return {tile: slot(min(k + 1, SLOTS)) for k, tile in enumerate(away)}


def laid_out(spots: Mapping[Place, Spot], state: Any, found: Mapping[int, Point], pitch_mm: float) -> Layout:
    """``spots`` and the places for wandering tiles: where these were ``found``, else on the line to the finish."""
    places = slots(state)
    if not places:
        return spots
    at = {name: found[tile] for tile, name in wandered(state).items() if tile in found}
    return {**spots, **_in_line(spots, state, at, pitch_mm)}


def followed(layout: Layout, reading: TableReading, state: Any, pitch_mm: float) -> Layout:
    """The finish where it is seen now, if it was pushed away, and what lies in line with it."""
    finish = layout[state.config.finish]
    far = [(math.dist(tile.pos_mm, finish.pos_mm), tile.pos_mm) for tile in reading.tiles if tile.is_end]
    pushed = [(away, pos) for away, pos in far if PUSHED[0] * pitch_mm < away < PUSHED[1] * pitch_mm]
    stays = any(away <= PUSHED[0] * pitch_mm for away, _ in far)
    if not slots(state) or stays or not pushed:
        return layout
    moved = {**layout, state.config.finish: replace(finish, pos_mm=min(pushed)[1])}
    at = {name: layout[name].pos_mm for name in wandered(state).values()}
    return {**moved, **_in_line(moved, state, at, pitch_mm)}


def _in_line(
    spots: Mapping[Place, Spot], state: Any, known: Mapping[str, Point], pitch_mm: float
) -> dict[Place, Spot]:
    """The places for wandering tiles, one behind the other from the last tile towards the finish."""
    last, finish = spots[state.config.finish - 1], spots[state.config.finish].pos_mm
    (x, y), long = last.pos_mm, math.dist(last.pos_mm, finish) or 1.0
    step = pitch_mm * (finish[0] - x) / long, pitch_mm * (finish[1] - y) / long
    result: dict[Place, Spot] = {}
    for name in slots(state):
        x, y = known.get(name, (x + step[0], y + step[1]))
        result[name] = replace(last, pos_mm=(x, y))
    return result
