"""Invented symbols, and the action die of Verflixxt nochmal that shows them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.printed_cube import PrintedCube
from models.scene.textures import hsv

Image = NDArray[np.uint8]
Rng = np.random.Generator

ACTIONS = ("must", "may", "may_not")
"""What the faces of the action die say."""


def action_cube(rng: Rng) -> PrintedCube:
    """An action die with invented symbols, three kinds, each its own shape and colour."""
    body = hsv(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.8, 1.0))
    return PrintedCube(float(rng.uniform(14, 18)), body, {name: symbol_face(rng, body) for name in ACTIONS})


def symbol_face(rng: Rng, ground: tuple[int, int, int]) -> Image:
    """An invented symbol on a ground (128, 128, 4): a few strokes, discs and wedges in one or two inks."""
    face = np.full((128, 128, 4), (*ground[::-1], 255), np.uint8)
    inks = [tuple(int(c) for c in hsv(rng.random(), rng.uniform(0.4, 1), rng.uniform(0.1, 0.7))) for _ in range(2)]
    for k in range(int(rng.integers(3, 6))):
        ink = (*inks[k % 2][::-1], 255)
        x, y = (int(v) for v in rng.uniform(30, 98, 2))
        pick = int(rng.integers(3))
        if pick == 0:
            u, v = (int(w) for w in rng.uniform(20, 108, 2))
            cv2.line(face, (x, y), (u, v), ink, int(rng.integers(7, 14)), cv2.LINE_AA)
        elif pick == 1:
            cv2.circle(face, (x, y), int(rng.integers(10, 26)), ink, int(rng.choice([-1, 7])), cv2.LINE_AA)
        else:
            points = rng.uniform(16, 112, (3, 2))
            cv2.fillPoly(face, [np.round(points).astype(np.int32)], ink, cv2.LINE_AA)
    return face
