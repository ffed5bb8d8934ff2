"""The path of Spuk: fields read from a setup, and where thrown figures go.

Source: the German rule text ("Spuk - Spielanleitung & Regeln"). The number of fields and the places of the numbered
ones differ from copy to copy, so every board is given by its fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.protocol import SetupError
from rules.setup import is_whole, shown

KINDS = ("start", "round", "numbered", "square", "treasure")
START = 0


@dataclass(frozen=True, slots=True)
class Board:
    """The fields from start (0) to treasure, by index.

    ``kinds[i]`` is one of :data:`KINDS`, ``numbers[i]`` the number of a numbered field, else 0. ``lower[i]`` is the
    next numbered field behind i (0: the start), ``thrown_to[i]`` the one after that, where a figure goes that is
    thrown out.
    """

    kinds: tuple[str, ...]
    numbers: tuple[int, ...]
    river: int
    wall: int
    lower: tuple[int, ...]
    thrown_to: tuple[int, ...]

    @property
    def treasure(self) -> int:
        """The index of the last field."""
        return len(self.kinds) - 1

    def is_square(self, field: int) -> bool:
        """Whether this is one of the two square fields."""
        return field == self.river or field == self.wall

    def next_square(self, field: int) -> int:
        """The first square after this field; the treasure when there is none."""
        if field < self.river:
            return self.river
        return self.wall if field < self.wall else self.treasure

    def label(self, field: int) -> str:
        """A field in one word: ``start``, ``home``, else its index."""
        if field == START:
            return "start"
        return "home" if field == self.treasure else str(field)


def board_of(kinds: tuple[str, ...], numbers: tuple[int, ...]) -> Board:
    """A board from its fields' kinds and numbers, unchecked."""
    lower, last = [], START
    for field, number in enumerate(numbers):
        lower.append(last)
        last = field if number else last
    river, wall = (k for k, kind in enumerate(kinds) if kind == "square")
    return Board(kinds, numbers, river, wall, tuple(lower), tuple(lower[field] for field in lower))


def read_board(raw: Mapping[str, Any]) -> Board:
    """The board of a setup, ``{"board": {"fields": [{"index", "kind", "number"}, ...]}}``. Raises SetupError."""
    board = raw.get("board")
    fields = board.get("fields") if isinstance(board, Mapping) else None
    if not isinstance(fields, list | tuple) or not fields:
        raise SetupError(
            "board: fields are missing; list every field from start to treasure as {index, kind, number}",
            "board: fields fehlt; nenne jedes Feld vom Start bis zum Schatz als {index, kind, number}",
        )
    read = [_field(entry, k) for k, entry in enumerate(fields)]
    kinds, numbers = tuple(kind for kind, _ in read), tuple(number for _, number in read)
    _check_kinds(kinds)
    _check_numbers(numbers)
    return board_of(kinds, numbers)


def _field(entry: object, index: int) -> tuple[str, int]:
    if not isinstance(entry, Mapping):
        raise SetupError(f"board: field {index} is not an object", f"board: Feld {index} ist kein Objekt")
    if entry.get("index", index) != index:
        raise SetupError(
            f"board: field number {shown(entry.get('index'))} stands where {index} should be; give them in order",
            f"board: Feld {shown(entry.get('index'))} steht, wo {index} stehen müsste; nenne sie der Reihe nach",
        )
    kind, number = entry.get("kind"), entry.get("number")
    if kind not in KINDS:
        raise SetupError(
            f"board: field {index} has kind {shown(kind)}; allowed: {', '.join(KINDS)}",
            f"board: Feld {index} hat die Art {shown(kind)}; erlaubt: {', '.join(KINDS)}",
        )
    if (kind == "numbered") != is_whole(number):
        raise SetupError(
            f"board: field {index} is {kind} with number {shown(number)}; numbered fields, and only they, have one",
            f"board: Feld {index} ist {kind} mit Nummer {shown(number)}; genau die nummerierten haben eine",
        )
    return str(kind), number or 0


def _check_kinds(kinds: tuple[str, ...]) -> None:
    last = len(kinds) - 1
    for kind, places, en, de in (
        ("start", [0], "the first field", "das erste Feld"),
        ("treasure", [last], "the last field", "das letzte Feld"),
    ):
        if [k for k, found in enumerate(kinds) if found == kind] != places:
            raise SetupError(f"board: exactly {en} must be the {kind}", f"board: genau {de} muss {kind} sein")
    squares = [k for k, kind in enumerate(kinds) if kind == "square"]
    if len(squares) != 2 or squares[1] != last - 1 or squares[1] == squares[0] + 1:
        raise SetupError(
            f"board: square fields are {squares}; there must be two, one before the river with fields behind it, "
            "one before the wall as the last field before the treasure",
            f"board: quadratische Felder sind {squares}; es müssen zwei sein, eines vor dem Fluss mit Feldern "
            "dahinter, eines vor der Mauer als letztes vor dem Schatz",
        )


def _check_numbers(numbers: tuple[int, ...]) -> None:
    found = [number for number in numbers if number]
    if found != list(range(1, len(found) + 1)):
        raise SetupError(
            f"board: numbered fields are {found}; they must run 1, 2, 3, ... from start to treasure",
            f"board: die Nummernfelder sind {found}; vom Start zum Schatz müssen sie 1, 2, 3, ... sein",
        )
