"""Printed boards with a path of fields, in any style: what lies under pieces and dice and is none of them itself."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.textures import hsv

Image = NDArray[np.uint8]
Rng = np.random.Generator
Colour = tuple[int, int, int]
SIDE_PX = 640


def path_board(rng: Rng, route: Callable[[Rng, float, int], list[tuple[float, float]]]) -> Image:
    """A board (640, 640, 4) uint8 BGRA. ``route(rng, pitch, count)`` gives the centres of the fields."""
    image = _ground(rng)
    for _ in range(int(rng.integers(10, 90))):
        _ornament(image, rng)
    count = int(rng.integers(16, 36))
    points = np.array(route(rng, 1.0, count))
    low, high = points.min(0), points.max(0)
    scale = float(((SIDE_PX - 130) / np.maximum(high - low, 1.5)).min())
    spots = [(int(x), int(y)) for x, y in (points - (low + high) / 2) * scale + SIDE_PX / 2]
    if rng.random() < 0.7:
        width, ring = max(2, int(scale * rng.uniform(0.1, 0.6))), bool(rng.random() < 0.2)
        cv2.polylines(image, [np.array(spots, np.int32)], ring, _paint(rng), width, cv2.LINE_AA)
    _fields(image, spots, scale, rng)
    return np.dstack([image, np.full((SIDE_PX, SIDE_PX), 255, np.uint8)])


def _paint(rng: Rng) -> Colour:
    r, g, b = hsv(rng.random(), rng.uniform(0, 0.95), rng.uniform(0.1, 1.0))
    return b, g, r


def _ground(rng: Rng) -> Image:
    first, second = np.array(_paint(rng), float), np.array(_paint(rng), float)
    mix = np.linspace(0, rng.uniform(0, 0.6), SIDE_PX)[:, None, None]
    return np.asarray(np.broadcast_to(first * (1 - mix) + second * mix, (SIDE_PX, SIDE_PX, 3)), np.uint8).copy()


def _ornament(image: Image, rng: Rng) -> None:
    """A tree, a ghost, a stone, a wall, a symbol."""
    x, y = (int(v) for v in rng.integers(0, SIDE_PX, 2))
    size, paint, pick = int(rng.integers(5, 26)), _paint(rng), int(rng.integers(5))
    if pick == 0:
        for k in range(3):
            top = y - size + k * size // 2
            corners = [(x, top), (x - size * (2 + k) // 5, top + size), (x + size * (2 + k) // 5, top + size)]
            cv2.fillPoly(image, [np.array(corners, np.int32)], paint, cv2.LINE_AA)
    elif pick == 1:
        cv2.circle(image, (x, y), size // 2, (245, 240, 240), -1, cv2.LINE_AA)
        cv2.rectangle(image, (x - size // 2, y), (x + size // 2, y + size), (245, 240, 240), -1)
        for side in (-1, 1):
            cv2.circle(image, (x + side * size // 5, y), max(1, size // 9), (20, 20, 20), -1, cv2.LINE_AA)
    elif pick == 2:
        axes = (size, int(size * rng.uniform(0.4, 1)))
        cv2.ellipse(image, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, paint, -1, cv2.LINE_AA)
    elif pick == 3:
        for k in range(int(rng.integers(2, 8))):
            cv2.rectangle(image, (x, y + k * size), (x + size, y + k * size + size - 2), paint, -1)
    else:
        for _ in range(int(rng.integers(3, 14))):
            dx, dy = (int(v) for v in rng.integers(-size, size + 1, 2))
            cv2.circle(image, (x + dx, y + dy), max(1, size // 6), paint, -1, cv2.LINE_AA)


def _fields(image: Image, spots: list[tuple[int, int]], pitch_px: float, rng: Rng) -> None:
    plain, special, ink, other = (_paint(rng) for _ in range(4))
    radius = max(4, int(pitch_px * rng.uniform(0.26, 0.46)))
    shape, line = int(rng.integers(3)), int(rng.integers(0, 4))
    every, number = int(rng.integers(2, 7)), 0
    for k, (x, y) in enumerate(spots):
        chosen = k % every == every - 1
        large = radius * 2 if k in (0, len(spots) - 1) and rng.random() < 0.7 else radius
        square = shape == 2 or (shape == 1 and rng.random() < 0.15)
        _field(image, (x, y), large, square, special if chosen else plain, ink, line)
        if square and rng.random() < 0.5:
            inner = int(large * rng.uniform(0.4, 0.8))
            cv2.rectangle(image, (x - inner, y - inner), (x + inner, y + inner), other, 1)
        if chosen or rng.random() < 0.1:
            number += 1
            text, grow = str(number), large / 22
            (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, grow, 2)
            cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, grow, ink, 2, cv2.LINE_AA)


def _field(
    image: Image, centre: tuple[int, int], radius: int, square: bool, fill: Colour, ink: Colour, line: int
) -> None:
    if square:
        corners = [(centre[0] - radius, centre[1] - radius), (centre[0] + radius, centre[1] + radius)]
        cv2.rectangle(image, corners[0], corners[1], fill, -1)
        if line:
            cv2.rectangle(image, corners[0], corners[1], ink, line)
        return
    cv2.circle(image, centre, radius, fill, -1, cv2.LINE_AA)
    if line:
        cv2.circle(image, centre, radius, ink, line, cv2.LINE_AA)
