"""What each place of a layout looks like from the camera: what hides it, and how much of it has changed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from calibration.plane import TablePlane
from calibration.standing import PAWN, expected_box_px
from rules.protocol import Place
from vision.change import ChangeMap
from vision.reading import Box, area, overlap_area
from vision.tables import Layout, Spot

EDGE_MM = 12.0
"""People put pieces well inside a tile: positions this far from its edge and further in are all equally likely."""

SILHOUETTE = 0.7
"""Share of a standing piece's box that the piece fills."""

OCTAGON = 0.83
"""Share of the square around a tile that the tile fills."""


class PlaceView:
    """Geometry of the places in the picture, for one camera and layout; independent of what stands there."""

    def __init__(self, plane: TablePlane, layout: Layout) -> None:
        self._plane, self._layout = plane, layout
        self._camera_mm = plane.camera_mm()[:2]
        self._flat = {place: _flat_box(plane, spot) for place, spot in layout.items()}
        feet = [foot for spot in layout.values() for foot in _sample_feet(spot)]
        boxes = [(float(a), float(b), float(c), float(d)) for a, b, c, d in expected_box_px(plane, feet, PAWN)]
        each = len(boxes) // max(len(layout), 1)
        self._standing = {place: boxes[k * each : (k + 1) * each] for k, place in enumerate(layout)}

    def hidden(self, boxes_px: Sequence[Box], over_px: Sequence[Box] = ()) -> dict[Place, float]:
        """How likely a piece somewhere on each place is hidden by what stands in ``boxes_px``, nearer to the camera,
        or by what is in ``over_px``, above the table."""
        nearness = self._distance([((b[0] + b[2]) / 2, b[3]) for b in boxes_px])
        result: dict[Place, float] = {}
        for place, spot in self._layout.items():
            reach = math.dist(spot.pos_mm, self._camera_mm) + spot.radius_mm
            nearer = [*over_px, *(b for b, d in zip(boxes_px, nearness, strict=True) if d < reach)]
            chances = [_hidden_chance(_covered(box, nearer)) for box in self._standing[place]]
            result[place] = sum(chances) / len(chances)
        return result

    def covered(self, boxes_px: Sequence[Box]) -> dict[Place, float]:
        """How likely the tile of each place is not found because of what stands in ``boxes_px`` on or before it."""
        return {place: _covered(flat, boxes_px) ** 2 for place, flat in self._flat.items()}

    def changed_units(self, change: ChangeMap) -> dict[Place, float]:
        """Changed area at each place, tile and the space above it, in silhouettes of a piece there."""
        counts = change.count_px([_hull(boxes) for boxes in self._standing.values()])
        return {
            place: float(count / (SILHOUETTE * area(boxes[0])))
            for (place, boxes), count in zip(self._standing.items(), counts, strict=True)
        }

    def changed_flat(self, change: ChangeMap) -> dict[Place, float]:
        """Share of the area of each place's tile that changed."""
        counts = change.count_px(list(self._flat.values()))
        return {
            place: float(count / (OCTAGON * area(flat)))
            for (place, flat), count in zip(self._flat.items(), counts, strict=True)
        }

    def _distance(self, points_px: Sequence[tuple[float, float]]) -> list[float]:
        """How far table points are from the camera's foot, in mm."""
        if not points_px:
            return []
        return [float(d) for d in np.linalg.norm(self._plane.to_mm(points_px) - self._camera_mm, axis=1)]


def _covered(box: Box, others: Sequence[Box]) -> float:
    """Share of a box that lies under others, at most 1 (others that overlap each other count twice)."""
    return min(sum(overlap_area(box, other) for other in others) / area(box), 1.0)


def _hidden_chance(covered: float) -> float:
    """How likely a piece of which this share is covered is not found."""
    return 1.0 / (1.0 + math.exp(-(covered - 0.6) / 0.08))


def _sample_feet(spot: Spot) -> list[tuple[float, float]]:
    """The centre of a place and six positions around it."""
    reach = max(spot.radius_mm - EDGE_MM / 2, 0.0)
    x, y = spot.pos_mm
    ring = [(x + reach * math.cos(k * math.pi / 3), y + reach * math.sin(k * math.pi / 3)) for k in range(6)]
    return [spot.pos_mm, *ring]


def _flat_box(plane: TablePlane, spot: Spot) -> Box:
    (x, y), r = spot.pos_mm, spot.radius_mm
    corners = plane.to_px([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)])
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _hull(boxes: Sequence[Box]) -> Box:
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)


def connected(places: Sequence[Place], feet: Mapping[int, Mapping[Place, float]]) -> list[tuple[Place, ...]]:
    """Places joined by pieces (``feet``: for each piece its possible places) that may stand on either of them."""
    leader = {place: place for place in places}

    def find(place: Place) -> Place:
        while leader[place] != place:
            place = leader[place]
        return place

    for fits in feet.values():
        first, *others = fits
        for other in others:
            leader[find(other)] = find(first)
    groups: dict[Place, list[Place]] = {}
    for place in places:
        groups.setdefault(find(place), []).append(place)
    return [tuple(group) for group in groups.values()]
