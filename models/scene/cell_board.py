"""Printed boards of cells with number discs: islands of hexagons, squares or loose patches, no die among them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.textures import hsv

Image = NDArray[np.uint8]
Rng = np.random.Generator
Colour = tuple[int, int, int]
SIDE_PX = 640


def cell_board(rng: Rng) -> Image:
    """A board (640, 640, 4) uint8 BGRA, outside its rim transparent at times."""
    image = np.empty((SIDE_PX, SIDE_PX, 3), np.uint8)
    image[:] = _paint(rng)
    sides, pitch = int(rng.choice([4, 6, 6, 6, 8])), float(rng.uniform(70, 150))
    grounds = [_ground(rng) for _ in range(int(rng.integers(3, 7)))]
    frame, gap = _paint(rng, 0.5), float(rng.uniform(0.72, 0.98))
    r, g, b = hsv(rng.uniform(0.05, 0.15), rng.uniform(0, 0.4), rng.uniform(0.75, 1))
    disc, ink = (b, g, r), _paint(rng, 0.0, 0.35)
    size = pitch * float(rng.uniform(0.1, 0.26))
    for x, y in _centres(rng, sides, pitch):
        cell = _outline((x, y), sides, pitch / (2 * np.cos(np.pi / sides)))
        cv2.fillPoly(image, [cell], frame, cv2.LINE_AA)
        _fill(image, (x, y), sides, pitch * gap / 2, grounds[int(rng.integers(len(grounds)))], rng)
        if rng.random() < 0.85:
            _disc(image, (x, y), size, disc, ink, rng)
    alpha = np.full((SIDE_PX, SIDE_PX), 255, np.uint8)
    if rng.random() < 0.5:
        alpha[:] = 0
        cv2.fillPoly(alpha, [_outline((SIDE_PX // 2, SIDE_PX // 2), 6, SIDE_PX / 2)], 255)
    return np.dstack([image, alpha])


def _paint(rng: Rng, low: float = 0.1, high: float = 1.0) -> Colour:
    r, g, b = hsv(rng.random(), rng.uniform(0, 0.95), rng.uniform(low, high))
    return b, g, r


def _centres(rng: Rng, sides: int, pitch: float) -> list[tuple[int, int]]:
    rise, shift = (pitch * 0.866, pitch / 2) if sides == 6 else (pitch, 0.0)
    middle = SIDE_PX / 2
    reach = middle - pitch * float(rng.uniform(0.5, 0.9))
    spots = []
    for row in range(-6, 7):
        for column in range(-7, 8):
            x, y = column * pitch + (row % 2) * shift, row * rise
            if np.hypot(x, y) < reach:
                spots.append((int(middle + x), int(middle + y)))
    return spots


def _outline(centre: tuple[int, int], sides: int, radius: float) -> NDArray[np.int32]:
    angle = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    points = np.column_stack([np.cos(angle), np.sin(angle)]) * radius + centre
    return np.asarray(points, np.int32)


def _ground(rng: Rng) -> tuple[Colour, list[Colour], float, float]:
    """Paint of a kind of land, the paints of what grows on it, how large and how close that is."""
    hue, low = rng.random(), float(rng.uniform(0.1, 0.8))
    paints = [hsv((hue + rng.normal(0, 0.05)) % 1, rng.uniform(0, 0.95), low + rng.uniform(0, 0.3)) for _ in range(3)]
    grown = [(b, g, r) for r, g, b in paints]
    return _paint(rng), grown, float(rng.uniform(0.02, 0.12)), float(np.exp(rng.uniform(-1.5, 2.0)))


def _fill(
    image: Image,
    centre: tuple[int, int],
    sides: int,
    radius: float,
    ground: tuple[Colour, list[Colour], float, float],
    rng: Rng,
) -> None:
    """A land: its paint, with trees, ears, stones or waves printed close over it, up to its rim."""
    plain, others, grain, close = ground
    side = int(radius * 2.4)
    patch = np.empty((side, side, 3), np.uint8)
    patch[:] = plain
    grown = radius * float(rng.uniform(0.6, 1.1))
    for _ in range(int(close * 0.6 / grain**1.2)):
        far, angle = grown * np.sqrt(rng.random()), rng.uniform(0, 2 * np.pi)
        at = (int(side / 2 + far * np.cos(angle)), int(side / 2 + far * np.sin(angle)))
        axes = (max(1, int(side * grain * rng.uniform(0.3, 1))), max(1, int(side * grain * rng.uniform(0.2, 0.6))))
        paint = np.clip(np.array(others[int(rng.integers(3))]) * rng.uniform(0.6, 1.3), 0, 255)
        cv2.ellipse(patch, at, axes, float(rng.uniform(0, 180)), 0, 360, paint.tolist(), -1, cv2.LINE_AA)
    mask = np.zeros((side, side), np.uint8)
    cv2.fillPoly(mask, [_outline((side // 2, side // 2), sides, radius / np.cos(np.pi / sides))], 255)
    x, y = centre[0] - side // 2, centre[1] - side // 2
    left, top = max(0, -x), max(0, -y)
    part = image[max(0, y) : y + side, max(0, x) : x + side]
    inside = mask[top : top + part.shape[0], left : left + part.shape[1]] > 0
    part[inside] = patch[top : top + part.shape[0], left : left + part.shape[1]][inside]


def _disc(image: Image, centre: tuple[int, int], radius: float, paint: Colour, ink: Colour, rng: Rng) -> None:
    """A disc with a number, a dot or a sign: seen from afar it is one pip on a dark square."""
    cv2.circle(image, centre, int(radius), paint, -1, cv2.LINE_AA)
    pick, turn = rng.random(), float(rng.uniform(0.6, 1.0))
    if pick < 0.7:
        text, grow = str(rng.integers(1, 13)), radius / 22 * turn
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, grow, 2)
        cv2.putText(
            image,
            text,
            (centre[0] - w // 2, centre[1] + h // 2),
            cv2.FONT_HERSHEY_DUPLEX,
            grow,
            ink,
            2,
            cv2.LINE_AA,
        )
    elif pick < 0.85:
        cv2.circle(image, centre, int(radius * 0.5 * turn), ink, -1, cv2.LINE_AA)
    else:
        cv2.drawMarker(image, centre, ink, cv2.MARKER_STAR, int(radius * turn), 2, cv2.LINE_AA)
