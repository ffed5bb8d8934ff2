"""A start position that is meant as it lies there: what would have to be set for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]

MOST_GUARDS = 8


def fix_of(setup: Mapping[str, Any], state: Any, place: Mapping[str, Any]) -> Json | None:
    """Fields of the setup with which a wrong ``place`` (see :mod:`web.position`) would be right; None where there are
    none, and things have to be moved on the table instead."""
    number = place["place"]
    if not place["wrong"] or type(number) is not int or place["tile"] is None:
        return None
    if place["tile"] != place["tile_seen"] and place["tile_seen"] is not None:
        return _other_tile(setup, number, str(place["tile_seen"]))
    guards = getattr(getattr(state, "config", None), "guards_start", None)
    if guards is None:
        return None
    expected, seen = place["pieces"].count("guard"), place["pieces_seen"].count("guard")
    others = [name for name in place["pieces_seen"] if name != "guard"]
    if expected == seen or others:
        return None
    moved = sorted({*guards, number} if seen else {*guards} - {number})
    return {"guards_start": moved} if 0 < len(moved) <= MOST_GUARDS else None


def _other_tile(setup: Mapping[str, Any], number: int, seen: str) -> Json | None:
    """The route with the tile that is seen there; the tile that was expected takes its place."""
    route = setup.get("route")
    if not isinstance(route, list) or not 1 <= number <= len(route) or seen in ("start", "finish", "verflixxt"):
        return None
    values = [0 if value == "luck" else value for value in route]
    value = 0 if seen == "luck" else int(seen)
    if value not in values:
        return None
    other = values.index(value)
    values[other], values[number - 1] = values[number - 1], value
    return {"route": values}
