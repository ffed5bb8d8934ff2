"""How well single detections fit: a foot on a place, a piece's look to its name, a tile to its place."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rules.protocol import Place
from vision.change import ChangeMap
from vision.places import EDGE_MM
from vision.reading import PieceSeen, TableReading, TileSeen, area, existence
from vision.tables import Contents, Layout, Spot

FOOT_MM = 7.0
"""Standard deviation of where a foot is seen, together with how far out people put pieces."""

IMPOSSIBLE = -7.0
"""Log-likelihood below which a foot is not connected with a place at all."""

CLEARLY_ELSEWHERE = 5.0
"""A foot this many nats better placed elsewhere is not connected with a place."""

CONFUSION, CLEAR_CONFUSION = 0.06, 0.015
"""Share of the pieces whose kind or colour is read wrongly with any confidence, and the same of the colours of pieces
that the detector is sure of: of 100 such pieces in fourteen recordings, none was misread."""

DIM, CLEAR = 0.5, 0.8
"""Confidence up to which a piece is as hard to read as any, and from which its colour is clear."""

TILE_SHIFT_MM = 16.0
"""A tile found further than this from a place is not the place's tile."""

NEW_LOOK = 0.3
"""Share of a piece's box that must look different for the piece to be new there."""


def feet_on(layout: Layout, pieces: Sequence[PieceSeen]) -> dict[int, dict[Place, float]]:
    """For every piece (by index) that may stand on places at all: log-likelihood of its foot on each of them."""
    result: dict[int, dict[Place, float]] = {}
    for index, piece in enumerate(pieces):
        fits = {place: foot_fit(math.dist(piece.pos_mm, spot.pos_mm), spot) for place, spot in layout.items()}
        best = max(fits.values(), default=IMPOSSIBLE)
        fits = {place: fit for place, fit in fits.items() if fit > max(IMPOSSIBLE, best - CLEARLY_ELSEWHERE)}
        if fits:
            result[index] = fits
    return result


def likeliest(feet: Mapping[Place, float]) -> Place:
    """The place on which a foot most likely is, of those of :func:`feet_on`."""
    return max(feet, key=lambda place: feet[place])


def foot_fit(distance_mm: float, spot: Spot) -> float:
    """Log-likelihood of a foot this far from the middle of a place, 0 well inside."""
    beyond = max(distance_mm - max(spot.radius_mm - EDGE_MM, 0.0), 0.0)
    return -0.5 * (beyond / FOOT_MM) ** 2


def nearest_tiles(layout: Layout, tiles: Sequence[TileSeen]) -> dict[Place, TileSeen]:
    """The tile found at each place: nearest first, each tile and each place once."""
    pairs = sorted(
        (math.dist(tile.pos_mm, spot.pos_mm), k, order)
        for k, tile in enumerate(tiles) for order, spot in enumerate(layout.values())
        if math.dist(tile.pos_mm, spot.pos_mm) < max(TILE_SHIFT_MM, spot.radius_mm * 0.7)
    )
    places, result, used = list(layout), dict[Place, TileSeen](), set[int]()
    for _, k, order in pairs:
        if k not in used and places[order] not in result:
            result[places[order]] = tiles[k]
            used.add(k)
    return result


def likelihood(piece: PieceSeen, name: str) -> float:
    """Probability of what was read if the piece is ``name`` (``"guard"``, ``"pawn:red"``), confusion allowed for."""
    kind, _, colour = name.partition(":")
    value = _softened(piece.kinds, kind, CONFUSION)
    if not colour:
        return value
    clear = min(max((piece.confidence - DIM) / (CLEAR - DIM), 0.0), 1.0)
    return value * _softened(piece.colours, colour, CONFUSION + clear * (CLEAR_CONFUSION - CONFUSION))


def _softened(pairs: Sequence[tuple[str, float]], name: str, confusion: float) -> float:
    if not pairs:
        return 1.0
    prob = next((p for n, p in pairs if n == name), 0.0)
    return (1.0 - confusion) * prob + confusion / max(len(pairs), 2)


def best_name(piece: PieceSeen) -> str:
    """The name that fits a piece best."""
    kind = max(piece.kinds, key=lambda pair: pair[1])[0]
    if kind != "pawn" or not piece.colours:
        return kind
    return f"{kind}:{max(piece.colours, key=lambda pair: pair[1])[0]}"


def with_new_look(change: ChangeMap | None, pieces: Sequence[PieceSeen]) -> frozenset[int]:
    """Indices of the pieces whose box looks different than in the picture before."""
    if change is None or not pieces:
        return frozenset()
    counts = change.count_px([piece.box_px for piece in pieces])
    return frozenset(k for k, piece in enumerate(pieces) if counts[k] > NEW_LOOK * area(piece.box_px))


def standing(
    layout: Layout, reading: TableReading, contents: Mapping[Place, Contents]
) -> list[tuple[str, tuple[float, float], bool]]:
    """Name, foot in mm, and whether it is seen, of every piece in ``contents``: each takes the detection at its place
    that fits it best; one that is not seen is put in the middle of its place."""
    feet = feet_on(layout, reading.pieces)
    wanted = [(place, name) for place, content in contents.items() for name in content.pieces if place in layout]
    real = [existence(piece, reading.looks) for piece in reading.pieces]
    pairs = sorted(
        (
            (real[i] * likelihood(reading.pieces[i], name) * math.exp(fits[place]), k, i)
            for k, (place, name) in enumerate(wanted) for i, fits in feet.items() if place in fits
        ),
        reverse=True,
    )
    found, used = dict[int, int](), set[int]()
    for _, k, i in pairs:
        if k not in found and i not in used:
            found[k] = i
            used.add(i)
    return [
        (name, reading.pieces[found[k]].pos_mm if k in found else layout[place].pos_mm, k in found)
        for k, (place, name) in enumerate(wanted)
    ]
