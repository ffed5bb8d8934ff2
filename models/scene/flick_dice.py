"""The dice of Dice Flick: coloured pip dice, and the pink Knaller with its starburst instead of the six."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.flick_print import DIE_HSV, paint
from models.scene.meshes import Mesh
from models.scene.pip_die import Die, glare, pip_outlines, rounded
from models.scene.raster import SUPERSAMPLING, Canvas, Material, blend, face_colours
from models.scene.textures import hsv

Array = NDArray[np.float64]
Rng = np.random.Generator
COUNTS = {"white": 3, "blue": 5, "yellow": 5, "green": 5, "pink": 2}


@dataclass(frozen=True, slots=True)
class DiceSet:
    """One copy's dice: a pattern for each colour (every die of a colour looks the same)."""

    patterns: dict[str, Die]
    star_everywhere: bool

    @classmethod
    def draw(cls, rng: Rng) -> DiceSet:
        """A random set; sides 13..17 mm."""
        base = Die.draw(rng)
        side, light_pips = float(rng.uniform(13, 17)), rng.random() < 0.7
        patterns = {}
        for colour in DIE_HSV:
            light = colour != "white" and (light_pips if colour != "yellow" else light_pips and rng.random() < 0.3)
            ink = hsv(rng.random(), rng.uniform(0, 0.1), rng.uniform(0.88, 1.0) if light else rng.uniform(0.02, 0.16))
            grain = float(rng.uniform(0.03, 0.12)) if colour == "pink" else base.body.grain
            body = Material(paint(rng, colour), base.body.gloss, base.body.shine, grain)
            patterns[colour] = replace(base, side_mm=side, body=body, pips=(ink[2], ink[1], ink[0]), ring=False)
        return cls(patterns, bool(rng.random() < 0.3))

    @property
    def side_mm(self) -> float:
        """Length of an edge."""
        return self.patterns["white"].side_mm

    def die(self, rng: Rng, colour: str) -> Die:
        """A die of this colour with a random face on top."""
        faces = Die.draw(rng)
        return replace(self.patterns[colour], faces=faces.faces, flips=faces.flips)


def draw_flick_die(
    canvas: Canvas, die: Die, star: str, mesh: Mesh, turn: Array, ident: int, rng: Rng
) -> None:
    """Paint a die. ``star``: ``""`` pips only, ``six`` a starburst instead of the six, ``all`` on every face."""
    camera, light = canvas.camera, canvas.light
    centre = mesh.faces_mm().mean(1)
    seen = np.flatnonzero(((camera.position_mm - centre) * mesh.normals).sum(1) > 0)
    seen = seen[np.argsort(-camera.depth(centre[seen]))]
    corners = camera.project(mesh.vertices)
    body, colours = corners[mesh.quads[seen]], [face_colours(mesh, die.body, light, camera, rng)[seen]]
    polygons: list[Array] = []
    middle = mesh.vertices.mean(0)
    for face in range(6):
        normal = turn[:, face // 2] * (1.0 - 2.0 * (face % 2))
        if (camera.position_mm - middle - normal * die.side_mm / 2) @ normal <= 0.08:
            continue
        lamp = max(float(normal @ light.towards(middle)), 0.0)
        lit = lamp * light.lamp_bgr + (0.62 + 0.38 * normal[2]) * light.sky_bgr
        starred = star == "all" or (star == "six" and die.faces[face] == 6)
        for outline in _star(die, face, turn, middle) if starred else pip_outlines(die, face, turn, middle):
            polygons.append(camera.project(outline))
            colours.append(np.clip(np.array(die.pips) * lit, 0, 255)[None])
    for outline, colour in glare(die, turn, middle, rng):
        polygons.append(camera.project(outline))
        colours.append(colour[None])
    _paint_convex(canvas, corners, [*body, *polygons], np.concatenate(colours), ident)


def _paint_convex(canvas: Canvas, corners: Array, faces: list[Array], colours: Array, ident: int) -> None:
    """Paint the faces (each (K, 2) px, in order) of a convex body whose corners (N, 2) bound it."""
    height, width = canvas.identity.shape
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, [width, height])
    if x1 <= x0 or y1 <= y0:
        return
    fine = SUPERSAMPLING
    layer = np.empty(((y1 - y0) * fine, (x1 - x0) * fine, 3), np.uint8)
    layer[:] = colours.mean(0)
    alpha = np.zeros(layer.shape[:2], np.uint8)
    points = np.round(((np.concatenate([*faces, corners]) - [x0, y0]) * fine + 1) * 16).astype(np.int32)
    start = 0
    for face, colour in zip(faces, colours.tolist(), strict=True):
        cv2.fillConvexPoly(layer, points[start : start + len(face)], colour, cv2.LINE_8, 4)
        start += len(face)
    cv2.fillConvexPoly(alpha, cv2.convexHull(points[start:]), 255, cv2.LINE_8, 4)
    blend(canvas, (int(x0), int(y0)), layer, alpha, ident, fine)


def _star(die: Die, face: int, turn: Array, offset: Array) -> list[Array]:
    """A disc and spikes, each convex."""
    axis, sign = face // 2, 1.0 - 2.0 * (face % 2)
    count = 6 + die.faces[0] * 2
    flat = []
    for k in range(count):
        angle = 2 * np.pi * k / count
        reach = 0.72 if k % 2 else 0.55
        spike = np.array([(0.3, -0.35), (reach, 0.0), (0.3, 0.35)])
        c, s = np.cos(angle), np.sin(angle)
        wide = spike * [1, 0.6]
        flat.append(wide @ np.array([[c, s], [-s, c]]))
    ring = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    flat.append(np.stack([np.cos(ring), np.sin(ring)], 1) * 0.34)
    out = []
    for shape in flat:
        points = np.zeros((len(shape), 3))
        points[:, axis], points[:, (axis + 1) % 3], points[:, (axis + 2) % 3] = sign, shape[:, 0], shape[:, 1]
        out.append(rounded(points, die.rounding) * (die.side_mm / 2) @ turn.T + offset)
    return out
