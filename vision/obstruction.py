"""Is something over the table that hides it: a hand the detector sees, or any large change it cannot name."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from rules.protocol import Place
from vision.change import ChangeMap
from vision.fits import nearest_tiles
from vision.reading import Box, DieSeen, PieceSeen, TableReading, TileSeen, existence, iou, is_die
from vision.tables import Layout

HAND = 0.5
"""Confidence from which a hand is believed."""

STRAY_TILES = 1.2
"""A change inside the layout that nothing found explains blocks the view from this many tile areas on."""

DIE = 0.5
"""Probability from which something is taken for a die."""

SAME_THING = 0.3
"""Boxes of a die and a piece that overlap more than this are of one thing."""

SHADOW = 0.4
"""Room left around a die for its shadow, in sizes of the die."""

VANISHED = 3
"""So many tiles at once are not taken: something covers them."""


def hand_over(reading: TableReading, layout: Layout | None, plane: TablePlane) -> bool:
    """Whether a hand is over the places of the layout (anywhere, while there is no layout)."""
    hands = [hand.box_px for hand in reading.hands if existence(hand, reading.looks) >= HAND]
    if layout is None or not hands:
        return bool(hands)
    outline = outline_px(layout, plane)
    return any(_overlap(outline, box) for box in hands)


def stray_change(
    reading: TableReading, before: TableReading, change: ChangeMap, layout: Layout, plane: TablePlane
) -> bool:
    """Whether a large part of the layout looks different though neither reading found anything there."""
    boxes = [*_boxes(reading), *_boxes(before)]
    height, width = change.shape
    area = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(area, np.rint(outline_px(layout, plane)).astype(np.int32), 1)
    return change.largest_outside_px(boxes, area) > STRAY_TILES * tile_area_px(layout, plane)


def tiles_vanished(
    before: TableReading, now: TableReading, layout: Layout, changed: Mapping[Place, float]
) -> int:
    """How many tiles of the layout were found before, are not found now, and look different (``changed``: share).

    0 while there are about as many tiles on the table as before: then they were moved, not covered.
    """
    if len(before.tiles) - len(now.tiles) < VANISHED:
        return 0
    gone = nearest_tiles(layout, before.tiles).keys() - nearest_tiles(layout, now.tiles).keys()
    return sum(changed[place] > 0.5 for place in gone)


def outline_px(layout: Layout, plane: TablePlane) -> NDArray[np.float32]:
    """Convex outline (N, 2) of all places in the picture, clockwise."""
    corners = [
        (spot.pos_mm[0] + dx * spot.radius_mm, spot.pos_mm[1] + dy * spot.radius_mm)
        for spot in layout.values() for dx in (-1, 1) for dy in (-1, 1)
    ]
    return np.asarray(cv2.convexHull(plane.to_px(corners).astype(np.float32)), np.float32).reshape(-1, 2)


def tile_area_px(layout: Layout, plane: TablePlane) -> float:
    """Area of an average small place in the picture."""
    radius = min(spot.radius_mm for spot in layout.values())
    centre = np.mean([spot.pos_mm for spot in layout.values()], axis=0)
    return float((2 * radius * plane.px_per_mm(centre)) ** 2)


def dice_px(*readings: TableReading) -> list[Box]:
    """Where dice lie or lay, with room for their shadows: a die that moved is no change of a place.

    What only looks a little like a die does not count, nor what looks more like a piece: that must stay a change.
    """
    boxes = [die.box_px for reading in readings for die in reading.dice if _sure_die(die, reading)]
    room = [(SHADOW * (right - left), SHADOW * (bottom - top)) for left, top, right, bottom in boxes]
    return [(a - x, b - y, c + x, d + y) for (a, b, c, d), (x, y) in zip(boxes, room, strict=True)]


def _sure_die(die: DieSeen, reading: TableReading) -> bool:
    rivals = (p for p in reading.pieces if iou(p.box_px, die.box_px) > SAME_THING)
    return existence(die, reading.looks) * is_die(die) >= DIE and all(p.confidence < die.confidence for p in rivals)


def _boxes(reading: TableReading) -> list[Box]:
    things: tuple[TileSeen | PieceSeen | DieSeen, ...] = (*reading.tiles, *reading.pieces, *reading.dice)
    return [thing.box_px for thing in things]


def _overlap(outline: NDArray[np.float32], box: Box) -> bool:
    left, top, right, bottom = box
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    return float(cv2.intersectConvexConvex(outline, corners)[0]) > 0.0
