"""Sheets and rounds of Qwixx Express in short: Anna and Ben, ``state("red 2,5 F1", "blue 12,9")``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.qwixx_express import Cross, Dice, QwixxExpress, Round, Sheet, State, Throw
from rules.qwixx_express.sheet import COLOURS, last_number

GAME = QwixxExpress()
NAMES = ("Anna", "Ben")


def setup(**options: Any) -> dict[str, Any]:
    return {"game": "qwixx-express", "players": [{"name": name} for name in NAMES], "options": options}


def sheet(text: str) -> Sheet:
    """``"red 2,5,12* F4"``: numbers crossed in red, its lock, four misthrow fields."""
    found = Sheet()
    row = ""
    for word in text.split():
        if word in COLOURS:
            row = word
        elif word.startswith("F"):
            found = replace(found, misthrow=int(word[1:]))
        else:
            for number in word.rstrip("*").split(","):
                found = found.with_cross(row, int(number), False)
            if word.endswith("*"):
                found = found.with_cross(row, 0, True)
    return found


def state(anna: str = "", ben: str = "", **options: Any) -> State:
    return replace(GAME.start(setup(**options)), sheets=(sheet(anna), sheet(ben)))


def dice(text: str) -> Dice:
    """``dice("8 white")``: two numbers with this sum, and the colour."""
    total, colour = text.split()
    first = min(6, int(total) - 1)
    return Dice((first, int(total) - first), colour)


def throw(anna: str, ben: str, rerolls: int = 0) -> Throw:
    """Anna calls stop, Ben re-rolls."""
    return Throw(0, (dice(anna), dice(ben)), (0, rerolls))


def crosses(text: str) -> tuple[Cross, ...]:
    """``crosses("A1 red 8, B2 blue 6")``: Anna in action 1, Ben in action 2; the last number with its lock."""
    found = []
    for entry in text.split(","):
        if entry.strip():
            who, row, number = entry.split()
            value = int(number.rstrip("!"))
            lock = value == last_number(row) and not number.endswith("!")
            found.append(Cross(int(who[1]), "AB".index(who[0]), row, value, lock))
    return tuple(found)


def played(thrown: Throw, text: str, misthrow: tuple[int, int] | None = None) -> Round:
    return Round(thrown, crosses(text), misthrow)
