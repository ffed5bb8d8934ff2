"""One small adapter per game: it turns a game's layout into places and its states into what must stand there.

The referee knows places and contents only; a further game is its rules and one adapter of this protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from rules.protocol import Place
from vision.reading import Point, TableReading

S = TypeVar("S", contravariant=True)


@dataclass(frozen=True, slots=True)
class Contents:
    """What stands at a place: sorted names (``"guard"``, ``"pawn:red"``), and which tile lies there.

    ``tile`` is a name of :data:`models.classes.TILE_CLASSES`, ``""`` where nothing should lie, ``None`` where no
    tile can come or go (a printed field).
    """

    pieces: tuple[str, ...] = ()
    tile: str | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a place is on the table. ``miss``: how often a piece that stands there is not seen though nothing hides
    it (more than usual where players also lay pieces aside)."""

    pos_mm: Point
    radius_mm: float
    miss: float = 0.03


Layout = Mapping[Place, Spot]


class NotFound(Exception):
    """The game's layout is not on the table: ``reason`` is a stable name, ``facts`` what its sentence needs."""

    def __init__(self, reason: str, **facts: int | str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


class TableAdapter(Protocol[S]):
    """What the referee needs to know about a game's table."""

    game: Any
    """The rules (:class:`rules.protocol.Game`)."""

    def locate(self, reading: TableReading, state: S) -> Layout:
        """Where every place of ``state`` lies. Raises NotFound."""

    def follow(self, layout: Layout, reading: TableReading, state: S) -> Layout:
        """The places after small shifts of tiles, as seen in a reading that fits ``state``; the same object when
        nothing moved."""

    def contents(self, state: S) -> Mapping[Place, Contents]:
        """What must stand at every place in ``state``; same places as ``locate`` gave at the start."""

    def rolls(self, state: S, faces: Mapping[int, float], said: str) -> Mapping[int, float]:
        """Log-probabilities of what the rules take for a roll, from those of the die's ``faces``; ``said``: what a
        person told about a die that the camera does not read, empty for nothing."""

    def place_name(self, state: S, place: Place) -> str:
        """What people call a place."""
