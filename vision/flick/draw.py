"""The result drawn into the picture: the groups that score with their points, what to look at; contact sheets."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from rules.dice_flick import Group, Scoring
from vision.flick.lattice import SIDE, Lattice
from vision.flick.values import BoxReading, Warned

Colour = tuple[int, int, int]
COLOURS: dict[str, Colour] = {
    "blue": (235, 140, 40), "yellow": (30, 205, 250), "green": (80, 190, 60), "line": (190, 70, 235),
    "centre": (40, 130, 250),
}
"""Colours of the groups, BGR."""

WARNING: Colour = (40, 40, 230)
WHITE, DARK = (255, 255, 255), (30, 24, 20)
_FINE = 40
_BAND = 0.42
TILE_W, TILE_H, LABEL_H = 480, 360, 34


def draw_result(image: Image, reading: BoxReading, scoring: Scoring) -> Image:
    """A copy of the picture (H, W, 3) with every group outlined, its points written, doubtful holes marked."""
    out = image.copy()
    pen = max(2, round(reading.lattice.pitch_px((2.0, 2.0)) / 18))
    for group in scoring.groups:
        _outline(out, reading.lattice, group, pen)
    for warned in reading.warnings:
        _flag(out, reading, warned, pen)
    for group in scoring.groups:
        colour = COLOURS[group.colour or group.kind]
        _badge(out, reading.lattice, group, colour, pen)
    return out


def _outline(out: Image, lattice: Lattice, group: Group, pen: int) -> None:
    mask = np.zeros(((SIDE + 1) * _FINE, (SIDE + 1) * _FINE), np.uint8)
    spots = [((col - 0.0) * _FINE, (row - 0.0) * _FINE) for row, col in group.cells]
    half = round(_BAND * _FINE)
    for k, (x, y) in enumerate(spots):
        cv2.circle(mask, (round(x), round(y)), half, (255,), -1)
        for u, v in spots[k + 1 :]:
            if group.kind == "line" or abs(u - x) + abs(v - y) <= _FINE:
                cv2.line(mask, (round(x), round(y)), (round(u), round(v)), (255,), half)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        points = np.round(lattice.to_px(outline[:, 0].astype(np.float64) / _FINE - 1)).astype(np.int32)
        cv2.polylines(out, [points], True, WHITE, pen + 3, cv2.LINE_AA)
        cv2.polylines(out, [points], True, COLOURS[group.colour or group.kind], pen, cv2.LINE_AA)


def _badge(out: Image, lattice: Lattice, group: Group, colour: Colour, pen: int) -> None:
    """The points of a group at the upper edge of its first hole."""
    row, col = group.cells[0]
    (x, y), = lattice.to_px(np.array([(col - 1.0 - _BAND * 0.7, row - 1.0 - _BAND * 0.7)]))
    _text(out, str(group.points), (float(x), float(y)), pen * 0.33, colour)


def _flag(out: Image, reading: BoxReading, warned: Warned, pen: int) -> None:
    if warned.row is None or warned.col is None:
        return
    hole = reading.hole(warned.row, warned.col)
    if hole.box_px is not None:
        x1, y1, x2, y2 = (round(v) for v in hole.box_px)
        cv2.rectangle(out, (x1, y1), (x2, y2), WARNING, pen, cv2.LINE_AA)
    (x, y), = reading.lattice.to_px(np.array([(warned.col - 1 + _BAND * 0.8, warned.row - 1 - _BAND * 0.8)]))
    _text(out, "?" if warned.what == "unsure" else "!", (float(x), float(y)), pen * 0.3, WARNING)


def _text(out: Image, text: str, middle: tuple[float, float], scale: float, ground: Colour) -> None:
    scale = max(0.5, scale)
    width = max(1, round(scale * 2))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, width)
    pad = round(h * 0.55)
    x, y = round(middle[0]), round(middle[1])
    corner = (x - w // 2 - pad, y - h // 2 - pad), (x + w // 2 + pad, y + h // 2 + pad)
    cv2.rectangle(out, *corner, ground, -1, cv2.LINE_AA)
    cv2.rectangle(out, *corner, WHITE, max(1, width), cv2.LINE_AA)
    ink = DARK if sum(ground) > 430 else WHITE
    cv2.putText(out, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, scale, ink, width, cv2.LINE_AA)


def sheet(pictures: Sequence[tuple[Image, str]], columns: int = 3) -> Image:
    """A contact sheet: pictures fitted into tiles, each with its line of ASCII words below. At least one picture."""
    tiles = [_tile(image, words) for image, words in pictures]
    columns = min(columns, len(tiles))
    blank: NDArray[np.uint8] = np.full_like(tiles[0], 245)
    tiles += [blank] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[k : k + columns]) for k in range(0, len(tiles), columns)]
    return np.asarray(np.vstack(rows), np.uint8)


def _tile(image: Image, words: str) -> Image:
    tile = np.full((TILE_H + LABEL_H, TILE_W, 3), 245, np.uint8)
    scale = min(TILE_W / image.shape[1], TILE_H / image.shape[0])
    size = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    x, y = (TILE_W - size[0]) // 2, (TILE_H - size[1]) // 2
    tile[y : y + size[1], x : x + size[0]] = small
    cv2.putText(tile, words, (8, TILE_H + 23), cv2.FONT_HERSHEY_DUPLEX, 0.55, DARK, 1, cv2.LINE_AA)
    return tile
