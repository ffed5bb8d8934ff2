"""Reads and checks what all games have in common in ``setup.json`` and in the first line of a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from rules.options import GameInfo, Option, OptionValue
from rules.protocol import SetupError

SEATS = ("bottom", "top", "left", "right")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Player:
    """One player: ``colour`` is ``""`` in games without coloured pieces, ``seat`` is ``""`` when nobody said it."""

    name: str
    colour: str
    seat: str


@dataclass(frozen=True, slots=True)
class Setup:
    """The part of a setup that all games share, checked. ``options`` holds every house rule, defaults filled in.

    Built from the parsed JSON by :func:`read_setup`; the games read their own fields (route, board, markers) from
    the same mapping.
    """

    game: str
    variant: str
    players: tuple[Player, ...]
    options: tuple[tuple[str, OptionValue], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in turn order."""
        return tuple(player.name for player in self.players)

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours in turn order."""
        return tuple(player.colour for player in self.players)

    def option(self, name: str) -> OptionValue:
        """The value of one house rule."""
        return dict(self.options)[name]


def read_setup(raw: Mapping[str, Any], info: GameInfo) -> Setup:
    """Check the shared part of a setup against what ``info`` allows. Raises SetupError."""
    if not isinstance(raw, Mapping):
        raise SetupError("the setup is not a JSON object", "Die Aufstellung ist kein JSON-Objekt")
    if raw.get("game") != info.name:
        raise SetupError(
            f'game: expected "{info.name}", found {shown(raw.get("game"))}',
            f'game: erwartet "{info.name}", gefunden {shown(raw.get("game"))}',
        )
    return Setup(info.name, _variant(raw, info), _players(raw, info), read_options(raw.get("options"), info.options))


def read_options(raw: object, options: Sequence[Option]) -> tuple[tuple[str, OptionValue], ...]:
    """Every house rule with the value ``raw`` gives it, or its default. Raises SetupError for unknown ones."""
    given = {} if raw is None else raw
    if not isinstance(given, Mapping):
        raise SetupError(
            f"options: expected an object of house rules, found {shown(raw)}",
            f"options: erwartet ein Objekt mit Hausregeln, gefunden {shown(raw)}",
        )
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise SetupError(
                f"options: unknown house rule {shown(name)}; known are {', '.join(known) or 'none'}",
                f"options: unbekannte Hausregel {shown(name)}; bekannt sind {', '.join(known) or 'keine'}",
            )
    return tuple((name, _option_value(option, given.get(name, option.default))) for name, option in known.items())


def _option_value(option: Option, value: object) -> OptionValue:
    if isinstance(value, list | tuple):
        value = tuple(value)
    if option.choices:
        for choice in option.choices:
            if type(choice.value) is type(value) and choice.value == value:
                return choice.value
        allowed = ", ".join(shown(choice.value) for choice in option.choices)
    else:
        if _fits(value, option.default):
            return value  # type: ignore[return-value]
        allowed = "whole numbers like " + shown(option.default)
    raise SetupError(
        f"options: {option.name} is {shown(value)}; allowed: {allowed}",
        f"options: {option.name} ist {shown(value)}; erlaubt: {allowed}",
    )


def _fits(value: object, like: OptionValue) -> bool:
    if isinstance(like, tuple):
        return isinstance(value, tuple) and len(value) == len(like) and all(is_whole(v) and v >= 0 for v in value)
    return is_whole(value)


def _variant(raw: Mapping[str, Any], info: GameInfo) -> str:
    default = info.variants[0].value
    value = raw.get("variant", default)
    allowed = [str(choice.value) for choice in info.variants]
    if value not in allowed:
        raise SetupError(
            f"variant: {shown(value)} is not known; allowed: {', '.join(allowed)}",
            f"variant: {shown(value)} gibt es nicht; erlaubt: {', '.join(allowed)}",
        )
    return str(value)


def _players(raw: Mapping[str, Any], info: GameInfo) -> tuple[Player, ...]:
    given = raw.get("players")
    low, high = info.players
    if not isinstance(given, list | tuple) or not low <= len(given) <= high:
        found = len(given) if isinstance(given, list | tuple) else shown(given)
        raise SetupError(
            f"players: {info.title} is for {_range(low, high, 'to')} players, found {found}",
            f"players: {info.title} ist für {_range(low, high, 'bis')} Personen, gefunden {found}",
        )
    players = tuple(_player(entry, k, info) for k, entry in enumerate(given, 1))
    twice = repeated(player.name for player in players)
    if twice is not None:
        raise SetupError(f"players: two players are called {shown(twice)}", f"players: zwei heißen {shown(twice)}")
    twice = repeated(player.colour for player in players if player.colour)
    if twice is not None:
        raise SetupError(
            f"players: two players have the colour {shown(twice)}", f"players: zwei haben die Farbe {shown(twice)}"
        )
    return players


def _player(entry: object, number: int, info: GameInfo) -> Player:
    where = f"players: player {number}", f"players: Person {number}"
    if not isinstance(entry, Mapping):
        raise SetupError(f"{where[0]} is not an object with name and colour", f"{where[1]} ist kein Objekt")
    name, colour, seat = entry.get("name"), entry.get("colour", ""), entry.get("seat", "")
    if not isinstance(name, str) or not name.strip():
        raise SetupError(f"{where[0]} has no name", f"{where[1]} hat keinen Namen")
    if (info.coloured or colour not in ("", None)) and info.colours and colour not in info.colours:
        raise SetupError(
            f"{where[0]} ({name}): unknown colour {shown(colour)}; allowed: {', '.join(info.colours)}",
            f"{where[1]} ({name}): unbekannte Farbe {shown(colour)}; erlaubt: {', '.join(info.colours)}",
        )
    if seat not in ("", None, *SEATS):
        raise SetupError(
            f"{where[0]} ({name}): unknown seat {shown(seat)}; allowed: {', '.join(SEATS)}",
            f"{where[1]} ({name}): unbekannter Platz {shown(seat)}; erlaubt: {', '.join(SEATS)}",
        )
    return Player(name.strip(), colour or "", seat or "")


def shown(value: object) -> str:
    """A value as it stands in JSON, shortened, for a sentence about a fault."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = f'"{value}"' if isinstance(value, str) else str(list(value)) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def is_whole(value: object) -> bool:
    """True for a whole number (``true`` and ``false`` are none)."""
    return isinstance(value, int) and not isinstance(value, bool)


def repeated(values: Iterable[T]) -> T | None:
    """The first value that occurs more than once, or None."""
    return next((value for value, count in Counter(values).items() if count > 1), None)


def _range(low: int, high: int, to: str) -> str:
    return str(low) if low == high else f"{low} {to} {high}"
