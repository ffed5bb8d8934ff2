"""State and action of Qwixx Express, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.protocol import RecordError
from rules.qwixx_express.house_rules import INFO
from rules.qwixx_express.sheet import MINUS_FIELDS, ROWS, WHITE, Sheet, minus_reached, to_next_minus
from rules.setup import read_setup


@dataclass(frozen=True, slots=True)
class Config:
    """What does not change during a game: players and house rules."""

    names: tuple[str, ...]
    misthrow_segments: tuple[int, ...] = (3, 3, 3, 3)
    shared_after_skip: bool = True
    fourth_misthrow_in_rerolls: str = "ends_at_once"
    lock_counts: bool = True

    @property
    def misthrow_fields(self) -> int:
        """The length of the misthrow area, -5 fields included."""
        return sum(self.misthrow_segments) + MINUS_FIELDS

    def minus(self, misthrow: int) -> int:
        """How many -5 fields are crossed."""
        return minus_reached(self.misthrow_segments, misthrow)

    def to_next_minus(self, misthrow: int) -> int:
        """How many fields lead up to and including the next -5 field."""
        return to_next_minus(self.misthrow_segments, misthrow)


@dataclass(frozen=True, slots=True)
class State:
    """Both sheets after ``rounds`` rounds, in the players' order."""

    config: Config
    rounds: int
    sheets: tuple[Sheet, ...]

    @property
    def closed(self) -> frozenset[str]:
        """The rows whose lock somebody has crossed: closed for both."""
        return closed_rows(self.sheets)


def closed_rows(sheets: tuple[Sheet, ...]) -> frozenset[str]:
    """The rows whose lock is crossed on any sheet."""
    return frozenset(row for k, row in enumerate(ROWS) if any(sheet.locks[k] for sheet in sheets))


@dataclass(frozen=True, slots=True)
class Dice:
    """One person's dice: two numbers 1..6 and the colour on top of the colour die."""

    numbers: tuple[int, int]
    colour: str

    @property
    def sum(self) -> int:
        """The result of the number dice."""
        return self.numbers[0] + self.numbers[1]

    @property
    def white(self) -> bool:
        """Whether the colour die shows the joker."""
        return self.colour == WHITE


@dataclass(frozen=True, slots=True)
class Cross:
    """A number crossed in action 1 or 2, with or without the lock. In corrections number 0 is the lock alone."""

    action: int
    player: int
    row: str
    number: int
    lock: bool = False


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice of a round: who called stop, both people's dice in the end, how often each has re-rolled after that."""

    stopper: int
    dice: tuple[Dice, Dice]
    rerolls: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Round:
    """A whole round: the throw (None in a correction) and what was crossed.

    ``misthrow``: misthrow fields newly crossed by each, None for as many as the rules ask; ``erased``: crosses rubbed
    out in a correction, where the numbers of ``misthrow`` may be negative.
    """

    throw: Throw | None
    crosses: tuple[Cross, ...] = ()
    misthrow: tuple[int, int] | None = None
    erased: tuple[Cross, ...] = ()


def start_state(raw: Mapping[str, Any]) -> State:
    """Two empty sheets. Raises SetupError."""
    setup = read_setup(raw, INFO)
    options: dict[str, Any] = dict(setup.options)
    return State(Config(setup.names, **options), 0, (Sheet(), Sheet()))


def with_misthrow(config: Config, sheets: tuple[Sheet, ...], newly: tuple[int, ...]) -> tuple[Sheet, ...]:
    """The sheets with this many more misthrow fields crossed. Raises RecordError when they do not have them."""
    marked = []
    for name, sheet, count in zip(config.names, sheets, newly, strict=True):
        total = sheet.misthrow + count
        if not 0 <= total <= config.misthrow_fields:
            raise RecordError(
                f"misthrow: {name} would have {total} crossed fields; there are {config.misthrow_fields}",
                f"misthrow: {name} hätte {total} Felder angekreuzt; es gibt {config.misthrow_fields}",
            )
        marked.append(replace(sheet, misthrow=total))
    return tuple(marked)


def with_crosses(sheets: tuple[Sheet, ...], crosses: tuple[Cross, ...]) -> tuple[Sheet, ...]:
    """The sheets with these numbers and locks crossed."""
    marked = list(sheets)
    for cross in crosses:
        marked[cross.player] = marked[cross.player].with_cross(cross.row, cross.number, cross.lock)
    return tuple(marked)
