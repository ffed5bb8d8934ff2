"""Small readers for record lines and one-line texts that several games share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.protocol import Move, Place, RecordError
from rules.setup import is_whole, shown

__all__ = [
    "fault",
    "groups_from_text",
    "groups_text",
    "player_index",
    "read_moves",
    "read_roll",
    "shown",
    "wanted_list",
]


def fault(field: str, found: object, en: str, de: str) -> RecordError:
    """``<field>: expected <en>, found <found>``."""
    return RecordError(
        f"{field}: expected {en}, found {shown(found)}", f"{field}: erwartet {de}, gefunden {shown(found)}"
    )


def player_index(value: object, names: Sequence[str], default: int) -> int:
    """The index of a player by name (or by index, from 0); ``default`` when there is none. Raises RecordError."""
    if value is None:
        return default
    if isinstance(value, str) and value in names:
        return names.index(value)
    if is_whole(value) and 0 <= value < len(names):  # type: ignore[operator]
        return int(value)  # type: ignore[call-overload, no-any-return]
    known = ", ".join(names)
    raise RecordError(
        f"unknown player {shown(value)}; players are {known}", f"{shown(value)} spielt nicht mit; es spielen {known}"
    )


def read_roll(line: Mapping[str, Any]) -> int:
    """The ``roll`` of a line, 1 to 6. Raises RecordError."""
    roll = line.get("roll")
    if is_whole(roll) and 1 <= roll <= 6:  # type: ignore[operator]
        return int(roll)  # type: ignore[arg-type]
    raise fault("roll", roll, "1 to 6", "1 bis 6")


def wanted_list(value: object, field: str) -> list[Any]:
    """``value`` if it is a list. Raises RecordError."""
    if isinstance(value, list):
        return value
    raise fault(field, value, "a list", "eine Liste")


def optional_list(line: Mapping[str, Any], field: str) -> list[Any]:
    """The list under ``field``, empty when it is missing or null. Raises RecordError when it is something else."""
    return [] if line.get(field) is None else wanted_list(line[field], field)


def read_moves(line: Mapping[str, Any], places: Mapping[object, Place]) -> tuple[Move, ...]:
    """The ``moves`` of a line; ``places`` maps every way to write a place to the place. Raises RecordError."""
    moves = []
    for entry in optional_list(line, "moves"):
        if not isinstance(entry, Mapping) or not isinstance(entry.get("piece"), str):
            raise fault("moves", entry, '{"piece", "from", "to"}', '{"piece", "from", "to"}')
        ends = []
        for end in ("from", "to"):
            place = entry.get(end)
            if isinstance(place, bool) or not isinstance(place, int | str) or place not in places:
                raise fault(f"moves: {entry['piece']}: {end}", place, "a place of this game", "einen Platz des Spiels")
            ends.append(places[place])
        moves.append(Move(entry["piece"], ends[0], ends[1]))
    return tuple(moves)


def groups_text(groups: Iterable[Iterable[int]]) -> str:
    """Numbers with ``,`` between, runs of three or more as ``4-8``, ``/`` between groups, ``-`` for an empty one.

    >>> groups_text(((1, 2, 3, 7), (), (5, 5)))
    '1-3,7/-/5,5'
    """
    return "/".join(_runs(tuple(group)) or "-" for group in groups)


def _runs(numbers: tuple[int, ...]) -> str:
    parts: list[str] = []
    k = 0
    while k < len(numbers):
        end = k
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1:
            end += 1
        if end - k >= 2:
            parts.append(f"{numbers[k]}-{numbers[end]}")
            k = end + 1
        else:
            parts.append(str(numbers[k]))
            k += 1
    return ",".join(parts)


def groups_from_text(text: str) -> tuple[tuple[int, ...], ...]:
    """Inverse of :func:`groups_text`. Raises RecordError."""
    groups = []
    for group in text.split("/"):
        numbers: list[int] = []
        for part in group.split(",") if group != "-" else []:
            first, dash, last = part.partition("-")
            if not first.isdecimal() or (dash and not last.isdecimal()) or len(part) > 9:
                raise fault("state", text, "whole numbers", "ganze Zahlen")
            numbers += range(int(first), int(last) + 1) if dash else (int(first),)
        groups.append(tuple(numbers))
    return tuple(groups)
