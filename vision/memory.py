"""What was seen before and looks the same still stands there, whether or not a detector finds it again this time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from calibration.arrays import Image
from rules.protocol import Place
from vision.change import ChangeMap
from vision.evidence import Flaws
from vision.reading import SAME_PIECE_MM, SAME_TILE_MM, PieceSeen, TableReading, TileSeen, area, combine
from vision.tables import Contents

SAME_LOOK = 0.06
"""Share of a thing's box that may look different and it is still certainly the same thing."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The last picture for which it was clear what stands where, with its reading and that reading's flaws.

    ``image``: None once the camera was moved far, so that no later picture can be compared with it.
    """

    image: Image | None
    reading: TableReading
    contents: Mapping[Place, Contents]
    flaws: Flaws


T = TypeVar("T", PieceSeen, TileSeen)


def remembered(now: TableReading, before: TableReading, change: ChangeMap) -> TableReading:
    """``now`` with the pieces and tiles of ``before`` whose look has not changed: those that are not found this time
    are put in, of those that are the two readings are averaged."""
    pieces = [_pair(now, old, now.pieces, SAME_PIECE_MM) for old in _same(before, before.pieces, change)]
    tiles = [_pair(now, old, now.tiles, SAME_TILE_MM) for old in _same(before, before.tiles, change)]
    return replace(
        now,
        pieces=(*(_averaged(now, p, pieces) for p in now.pieces), *(old for old, new in pieces if new is None)),
        tiles=(*now.tiles, *(old for old, new in tiles if new is None)),
    )


def _same(before: TableReading, things: Sequence[T], change: ChangeMap) -> list[tuple[T, float]]:
    """The things that look as they did, with the share of the looks that showed them."""
    if not things:
        return []
    counts = change.count_px([thing.box_px for thing in things])
    return [
        (thing, thing.seen / max(before.looks, 1))
        for thing, count in zip(things, counts, strict=True) if count <= SAME_LOOK * area(thing.box_px)
    ]


def _pair(now: TableReading, old: tuple[T, float], found: Sequence[T], near_mm: float) -> tuple[T, T | None]:
    """An old thing, its looks counted as those of now, and what is found there now."""
    thing, share = old
    new = min(found, key=lambda other: math.dist(other.pos_mm, thing.pos_mm), default=None)
    if new is not None and math.dist(new.pos_mm, thing.pos_mm) >= near_mm:
        new = None
    return replace(thing, seen=max(round(share * now.looks), 1)), new


def _averaged(now: TableReading, piece: PieceSeen, pairs: Sequence[tuple[PieceSeen, PieceSeen | None]]) -> PieceSeen:
    olds = [old for old, new in pairs if new is piece]
    if not olds:
        return piece
    both = combine([TableReading(0.0, pieces=(thing,)) for thing in (olds[0], piece)]).pieces
    return replace(both[0], box_px=piece.box_px, seen=piece.seen) if len(both) == 1 else piece
