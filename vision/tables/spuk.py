"""Spuk on the table: figures on the printed fields of a board that lies where the setup says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rules.protocol import Place, SetupError
from rules.setup import shown
from rules.spuk.state import State
from vision.reading import Point, TableReading
from vision.tables import Contents, Layout, Spot

FIELD, END = 0.48, 0.62
"""Radius of a field, and of the larger start and treasure, in distances to the nearest field."""

ASIDE = 0.25
"""How often a figure at the treasure is not there: players lay it aside."""


class SpukTable:
    """Adapter of :mod:`vision.tables` for Spuk. Places are the fields' indices, 0 (start) to the treasure's.

    ``setup``: needs ``centre_mm`` of every field, in the play area. Raises SetupError without.
    """

    def __init__(self, game: Any, setup: Mapping[str, Any]) -> None:
        game.start(setup)
        self.game = game
        self._spots = _spots([_centre(field, k) for k, field in enumerate(setup["board"]["fields"])])

    def locate(self, reading: TableReading, state: State) -> Layout:
        """Every field; the board lies where the calibration says."""
        return self._spots

    def follow(self, layout: Layout, reading: TableReading, state: State) -> Layout:
        """Printed fields do not wander."""
        return layout

    def contents(self, state: State) -> Mapping[Place, Contents]:
        """The figures of every field."""
        pieces: dict[Place, list[str]] = {place: [] for place in self._spots}
        for name, fields in sorted(zip(state.config.pieces, state.at, strict=True)):
            for field in fields:
                pieces[field].append(name)
        return {place: _contents(tuple(there)) for place, there in pieces.items()}

    def rolls(self, state: State, faces: Mapping[int, float], said: str) -> Mapping[int, float]:
        """The die is all there is."""
        return faces

    def place_name(self, state: State, place: Place) -> str:
        """``"start"``, ``"5"``, ``"home"``."""
        return state.config.board.label(int(place))


@cache
def _contents(pieces: tuple[str, ...]) -> Contents:
    return Contents(pieces)


def _centre(field: Any, index: int) -> Point:
    """Where a field of the setup lies. Raises SetupError."""
    pos = field.get("centre_mm") if isinstance(field, Mapping) else None
    if isinstance(pos, Sequence) and len(pos) == 2 and all(isinstance(v, int | float) for v in pos):
        return float(pos[0]), float(pos[1])
    raise SetupError(
        f"board: field {index} has centre_mm {shown(pos)}; the camera needs [x, y] of every field in millimetres",
        f"board: Feld {index} hat centre_mm {shown(pos)}; die Kamera braucht [x, y] jedes Feldes in Millimetern",
    )


def _spots(centres: Sequence[Point]) -> dict[Place, Spot]:
    last = len(centres) - 1
    nearest = [min(math.dist(a, b) for k, b in enumerate(centres) if k != i) for i, a in enumerate(centres)]
    return {
        k: Spot(pos, nearest[k] * (END if k in (0, last) else FIELD), **({"miss": ASIDE} if k == last else {}))
        for k, pos in enumerate(centres)
    }
