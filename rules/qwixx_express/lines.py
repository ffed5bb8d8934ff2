"""Record lines and one-line texts of Qwixx Express and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.lines import fault, player_index, wanted_list
from rules.protocol import Json, RecordError
from rules.qwixx_express.sheet import COLOURS, NUMBERS, ROWS, Sheet, last_number
from rules.qwixx_express.state import Config, Cross, Dice, Round, State, Throw, start_state
from rules.setup import is_whole, shown


def action_to_line(state: State, played: Round) -> Json:
    """The fields of a round (or of a correction) as records have them."""
    names, throw = state.config.names, played.throw
    line: Json = {}
    if throw is not None:
        line["stopper"] = names[throw.stopper]
        line["dice"] = {
            name: {"numbers": list(dice.numbers), "colour": dice.colour}
            for name, dice in zip(names, throw.dice, strict=True)
        }
        line["rerolls"] = {name: count for name, count in zip(names, throw.rerolls, strict=True) if count}
    line["crosses"] = [_cross_to_json(names, cross) for cross in played.crosses]
    if played.erased:
        line["erased"] = [_cross_to_json(names, cross) for cross in played.erased]
    if played.misthrow is not None:
        line["misthrow"] = dict(zip(names, played.misthrow, strict=True))
    return line


def _cross_to_json(names: tuple[str, ...], cross: Cross) -> Json:
    entry: Json = {"action": cross.action} if cross.action else {}
    entry |= {"player": names[cross.player], "row": cross.row}
    if cross.number:
        entry["number"] = cross.number
    if cross.lock or cross.number == last_number(cross.row):
        entry["lock"] = cross.lock
    return entry


def action_from_line(state: State, line: Mapping[str, Any]) -> Round:
    """Read :func:`action_to_line` back. A last number without ``lock`` is taken with it. Raises RecordError."""
    config = state.config
    correction = line.get("type") == "correction"
    throw = None if correction and "dice" not in line else _throw(config, line)
    crosses, erased = (
        tuple(
            _cross(config, entry, f"{field}, number {k}", correction)
            for k, entry in enumerate(wanted_list(line.get(field) or [], field), 1)
        )
        for field in ("crosses", "erased")
    )
    misthrow = None if line.get("misthrow") is None else _counts(config, line, "misthrow", correction)
    return Round(throw, crosses, misthrow, erased)


def _throw(config: Config, line: Mapping[str, Any]) -> Throw:
    if line.get("stopper") is None:
        raise fault("stopper", None, "the name of who called stop", "wer Stopp gerufen hat")
    given = line.get("dice")
    if not isinstance(given, Mapping):
        raise fault("dice", given, "an object with the dice of both", "ein Objekt mit den Würfeln beider")
    _check_names(config, given, "dice")
    dice = [_dice(given.get(name), f"dice: {name}") for name in config.names]
    stopper = player_index(line["stopper"], config.names, 0)
    return Throw(stopper, (dice[0], dice[1]), _counts(config, line, "rerolls", False))


def _check_names(config: Config, given: Mapping[str, Any], field: str) -> None:
    for name in given:
        if name not in config.names:
            known = ", ".join(config.names)
            raise RecordError(
                f"{field}: unknown player {shown(name)}; players are {known}",
                f"{field}: {shown(name)} spielt nicht mit; es spielen {known}",
            )


def _dice(raw: object, where: str) -> Dice:
    entry = raw if isinstance(raw, Mapping) else {}
    numbers, colour = entry.get("numbers"), entry.get("colour")
    if not isinstance(numbers, list | tuple) or len(numbers) != 2 or not all(_is_pips(n) for n in numbers):
        raise fault(f"{where}: numbers", numbers, "two numbers 1 to 6", "zwei Zahlen 1 bis 6")
    if colour not in COLOURS:
        raise fault(f"{where}: colour", colour, " or ".join(COLOURS), " oder ".join(COLOURS))
    return Dice((numbers[0], numbers[1]), colour)


def _is_pips(value: object) -> bool:
    return isinstance(value, int) and is_whole(value) and 1 <= value <= 6


def _counts(config: Config, line: Mapping[str, Any], field: str, negative: bool) -> tuple[int, int]:
    given = line.get(field) or {}
    if not isinstance(given, Mapping):
        raise fault(field, given, "an object of names and counts", "ein Objekt aus Namen und Anzahlen")
    _check_names(config, given, field)
    counts = [given.get(name, 0) for name in config.names]
    for count in counts:
        if not is_whole(count) or (count < 0 and not negative):
            raise fault(field, count, "a number of fields", "eine Anzahl")
    return counts[0], counts[1]


def _cross(config: Config, entry: object, where: str, correction: bool) -> Cross:
    if not isinstance(entry, Mapping):
        raise fault(where, entry, "an object", "ein Objekt")
    action = entry.get("action", 0)
    if not is_whole(action) or action not in ((0, 1, 2) if correction else (1, 2)):
        raise fault(f"{where}: action", action, "1 or 2", "1 oder 2")
    row = entry.get("row")
    if row not in ROWS:
        raise fault(f"{where}: row", row, " or ".join(ROWS), " oder ".join(ROWS))
    if entry.get("player") is None:
        raise fault(f"{where}: player", None, "a name", "ein Name")
    number = entry.get("number", 0 if correction else None)
    if not is_whole(number) or (number not in NUMBERS[row] and not (correction and number == 0)):
        raise fault(f"{where}: number", number, "2 to 12", "2 bis 12")
    lock = entry.get("lock", number == last_number(row))
    if not isinstance(lock, bool):
        raise fault(f"{where}: lock", lock, "true or false", "true oder false")
    return Cross(action, player_index(entry["player"], config.names, 0), row, number, lock)


def state_to_text(state: State) -> str:
    """One line: rounds, then both sheets: rows left to right (``*`` the lock, ``-`` nothing), misthrow fields.

    ``"3 2,5,12*/-/12,9/-/4 -/-/-/-/0"``
    """
    return " ".join([str(state.rounds), *map(_sheet_text, state.sheets)])


def _sheet_text(sheet: Sheet) -> str:
    rows = [
        (",".join(map(str, row)) or "-") + ("*" if lock else "")
        for row, lock in zip(sheet.rows, sheet.locks, strict=True)
    ]
    return "/".join([*rows, str(sheet.misthrow)])


def state_from_text(raw: Mapping[str, Any], text: str) -> State:
    """Inverse of :func:`state_to_text`. Raises RecordError."""
    start = start_state(raw)
    fields = text.split(" ")
    if len(fields) != 3 or not fields[0].isdecimal():
        raise fault("state", text, "rounds and two sheets", "Runden und zwei Blätter")
    sheets = tuple(_sheet(start.config, field, text) for field in fields[1:])
    return State(start.config, int(fields[0]), sheets)


def _sheet(config: Config, field: str, text: str) -> Sheet:
    *rows, misthrow = field.split("/")
    if len(rows) != len(ROWS) or not misthrow.isdecimal() or int(misthrow) > config.misthrow_fields:
        raise fault("state", text, "four rows and the misthrow area", "vier Reihen und den Fehlwurf-Bereich")
    sheet = Sheet(misthrow=int(misthrow))
    for name, row in zip(ROWS, rows, strict=True):
        numbers = row.rstrip("*")
        for number in numbers.split(",") if numbers != "-" else []:
            if not number.isdecimal() or int(number) not in NUMBERS[name]:
                raise fault("state", text, "numbers 2 to 12", "Zahlen 2 bis 12")
            sheet = sheet.with_cross(name, int(number), False)
        if row.endswith("*"):
            sheet = sheet.with_cross(name, 0, True)
    return sheet
