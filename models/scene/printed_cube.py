"""A cube with a picture printed on every face: dice with symbols, digits or strange pips, and action dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.raster import Canvas, Material, blend, draw_mesh, window_px
from models.scene.stage import Stage, Thing
from models.scene.textures import bgr

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

FINER = 3


@dataclass(frozen=True, slots=True)
class PrintedCube:
    """``body``: RGB; ``faces``: what is printed for each value, BGRA (128, 128, 4)."""

    side_mm: float
    body: tuple[int, int, int]
    faces: Mapping[str, Image]


def add_printed_cube(
    stage: Stage, cube: PrintedCube, top: str, pos_mm: tuple[float, float], turn_deg: float, rng: np.random.Generator
) -> None:
    """Put it on the stage with the face ``top`` up; its label is ``die`` with that value."""
    turn = meshes.turn_z(turn_deg)
    body = meshes.rounded_cube(cube.side_mm, 0.12)
    place = np.array([*pos_mm, cube.side_mm / 2])
    body = body.moved(place, turn)
    names = list(cube.faces)
    prints = [top, *(str(name) for name in rng.choice([n for n in names if n != top], 4))]
    turns = [int(k) for k in rng.integers(0, 4, 5)]

    def paint(canvas: Canvas, ident: int) -> None:
        draw_mesh(canvas, body, Material(bgr(cube.body), 0.15), ident, stage.rng)
        for side, (name, quarter) in enumerate(zip(prints, turns, strict=True)):
            corners = np.roll(_face(side) * cube.side_mm * 0.46, quarter, axis=0) @ turn.T + place
            _draw_print(canvas, cube.faces[name], corners, place, ident)

    depth = float(stage.camera.depth(body.vertices).mean())
    stage.add_standing(Thing(body.vertices, depth, paint, (body,), "die", top, "", pos_mm))


def _face(side: int) -> Array:
    """The corners (4, 3) of a face of the unit cube, 0: the top, 1 to 4: the sides; the print lies just outside."""
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    out = np.full((4, 1), 1.09)
    if side == 0:
        return np.column_stack([flat, out])
    across = np.column_stack([out, flat[:, 0], -flat[:, 1]])
    return np.asarray(across @ meshes.turn_z(90.0 * side).T)


def _draw_print(canvas: Canvas, texture: Image, corners: Array, middle: Array, ident: int) -> None:
    normal = corners.mean(0) - middle
    normal /= np.linalg.norm(normal)
    if (canvas.camera.position_mm - corners.mean(0)) @ normal <= 0:
        return
    pixels = canvas.camera.project(corners)
    window = window_px(canvas, pixels)
    if window is None:
        return
    x0, y0, x1, y1 = window
    h, w = texture.shape[:2]
    target = ((pixels - [x0, y0]) * FINER).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), target)
    size = ((x1 - x0) * FINER, (y1 - y0) * FINER)
    out = cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_AREA)
    light = canvas.light
    lit = max(float(normal @ light.towards(middle)), 0.0) * light.lamp_bgr + (0.62 + 0.38 * normal[2]) * light.sky_bgr
    colour = np.clip(out[:, :, :3].astype(np.float32) * lit, 0, 255).astype(np.uint8)
    blend(canvas, (x0, y0), colour, np.ascontiguousarray(out[:, :, 3]), ident, FINER)
