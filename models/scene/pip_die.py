"""Pip dice: their faces, colours and reflections, ready to place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.meshes import Mesh
from models.scene.raster import Canvas, Material, draw_faces, face_colours
from models.scene.textures import bgr, hsv

Array = NDArray[np.float64]
Rng = np.random.Generator

_SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True, slots=True)
class Die:
    """A pip die: body, pip colour and geometry; ``faces`` are the values at +x, -x, +y, -y, +z, -z."""

    side_mm: float
    rounding: float
    body: Material
    pips: tuple[float, float, float]
    pip_radius: float
    spread: float
    ring: bool
    logo: bool
    faces: tuple[int, int, int, int, int, int]
    flips: tuple[bool, ...]

    @classmethod
    def draw(cls, rng: Rng, top: int | None = None) -> Die:
        """A random die lying on the face opposite ``top``."""
        value = int(top or rng.integers(1, 7))
        a, b = rng.permutation([p for p in (1, 2, 3) if p not in (value, 7 - value)])
        a, b = (int(p) if rng.random() < 0.5 else 7 - int(p) for p in (a, b))
        body, pips = die_colours(rng)
        return cls(
            side_mm=float(rng.choice([rng.uniform(14, 17), rng.uniform(8, 22)])),
            rounding=float(rng.uniform(0.08, 0.5) if rng.random() < 0.6 else rng.uniform(0.5, 0.9)),
            body=Material(
                body, float(rng.uniform(0.05, 0.7)), float(rng.uniform(8, 60)), float(rng.choice([0, 0, 0.02, 0.06]))
            ),
            pips=pips,
            pip_radius=float(rng.uniform(0.13, 0.22)),
            spread=float(rng.uniform(0.44, 0.56)),
            ring=bool(rng.random() < 0.15),
            logo=bool(rng.random() < 0.12),
            faces=(a, 7 - a, b, 7 - b, value, 7 - value),
            flips=tuple(bool(x) for x in rng.random(6) < 0.5),
        )

    @property
    def value(self) -> int:
        """The top face."""
        return self.faces[4]


def die_colours(rng: Rng) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Body and pip colour (BGR) that stand out from each other."""
    light, dark = (
        bgr(hsv(rng.random(), rng.uniform(0, 0.1), rng.uniform(0.85, 1.0))),
        bgr(hsv(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.03, 0.2))),
    )
    pick = rng.random()
    if pick < 0.35:
        pip = dark if rng.random() < 0.85 else bgr(hsv(rng.choice([0.0, 0.6]), 0.9, 0.6))
        return bgr(hsv(rng.uniform(0.08, 0.16), rng.uniform(0, 0.22), rng.uniform(0.8, 1.0))), pip
    if pick < 0.5:
        return dark, light if rng.random() < 0.7 else bgr(hsv(rng.random(), 0.9, 0.9))
    hue, value = rng.random(), rng.uniform(0.3, 0.9)
    bright = value > 0.6 and 0.1 < hue < 0.5
    pip = dark if (bright and rng.random() < 0.6) or rng.random() < 0.12 else light
    if rng.random() < 0.1:
        pip = bgr(hsv(0.14, 0.8, 0.95))
    if rng.random() < 0.1:
        hue, value, pip = rng.uniform(0.05, 0.1), rng.uniform(0.35, 0.6), dark
    return bgr(hsv(hue, rng.uniform(0.55, 1.0), value)), pip


def rounded(points: Array, rounding: float) -> Array:
    """Points (..., 3) on the surface of a cube from -1 to 1, moved onto the one with rounded edges."""
    core = np.clip(points, -(1 - rounding), 1 - rounding)
    away = points - core
    return np.asarray(core + rounding * away / (np.linalg.norm(away, axis=-1, keepdims=True) + 1e-9))


def pip_outlines(die: Die, face: int, turn: Array, offset: Array) -> list[Array]:
    """The pips (and lettering) of a face as outlines (N, 3) mm; ``offset`` is the die's middle."""
    axis, sign = face // 2, 1.0 - 2.0 * (face % 2)
    angle = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    size = die.pip_radius * (1.35 if die.faces[face] == 1 else 1.0)
    out = []
    for u, v in _SPOTS[die.faces[face]]:
        u, v = (v, -u) if die.flips[face] else (u, v)
        points = np.zeros((len(angle), 3))
        points[:, axis] = sign
        points[:, (axis + 1) % 3] = u * die.spread + size * np.cos(angle)
        points[:, (axis + 2) % 3] = v * die.spread + size * np.sin(angle)
        out.append(rounded(points, die.rounding) * (die.side_mm / 2) @ turn.T + offset)
    if die.logo and die.faces[face] == 1:
        out += _lettering(die, face, turn, offset)
    return out


def _lettering(die: Die, face: int, turn: Array, offset: Array) -> list[Array]:
    """A maker's name beside the single pip: a row of thin strokes."""
    axis, sign = face // 2, 1.0 - 2.0 * (face % 2)
    strokes = []
    for along in np.linspace(-0.5, 0.5, 7):
        points = np.zeros((4, 3))
        points[:, axis] = sign
        points[:, (axis + 1) % 3] = along + np.array([-0.035, 0.035, 0.035, -0.035])
        points[:, (axis + 2) % 3] = (0.62 if die.flips[face] else -0.62) + np.array([-0.12, -0.12, 0.12, 0.12])
        strokes.append(rounded(points, die.rounding) * (die.side_mm / 2) @ turn.T + offset)
    return strokes


def die_mesh(die: Die, pos_mm: Array, turn: Array) -> Mesh:
    """The body standing on the table at ``pos_mm`` (its z is added)."""
    body = meshes.rounded_cube(die.side_mm, die.rounding)
    turned = body.vertices @ turn.T
    lift = np.array([0, 0, -turned[:, 2].min()])
    return Mesh(turned + pos_mm + lift, body.quads, body.normals @ turn.T)


def body_faces(canvas: Canvas, mesh: Mesh, body: Material, rng: Rng) -> tuple[list[Array], list[Array]]:
    """The faces of a body that the camera sees, far ones first: outlines in px, and their colours."""
    camera, centre = canvas.camera, mesh.faces_mm().mean(1)
    seen = np.flatnonzero(((camera.position_mm - centre) * mesh.normals).sum(1) > 0)
    seen = seen[np.argsort(-camera.depth(centre[seen]))]
    polygons = list(camera.project(mesh.vertices)[mesh.quads[seen]])
    return polygons, [face_colours(mesh, body, canvas.light, camera, rng)[seen]]


def draw_die(canvas: Canvas, die: Die, mesh: Mesh, turn: Array, ident: int, rng: Rng) -> None:
    """Body and the pips of every face in view."""
    camera, light = canvas.camera, canvas.light
    polygons, colours = body_faces(canvas, mesh, die.body, rng)
    middle = mesh.vertices.mean(0)
    for outline, colour in glare(die, turn, middle, rng):
        polygons.append(camera.project(outline))
        colours.append(colour[None])
    for face in range(6):
        normal = turn[:, face // 2] * (1.0 - 2.0 * (face % 2))
        if (camera.position_mm - middle - normal * die.side_mm / 2) @ normal <= 0.08:
            continue
        lit = (
            max(float(normal @ light.towards(middle)), 0.0) * light.lamp_bgr + (0.62 + 0.38 * normal[2]) * light.sky_bgr
        )
        colour = np.clip(np.array(die.pips) * lit, 0, 255)
        for outline in pip_outlines(die, face, turn, middle):
            polygons.append(camera.project(outline))
            colours.append(colour[None])
            if die.ring and len(outline) > 4:
                hole = outline.mean(0) + (outline - outline.mean(0)) * 0.5
                polygons.append(camera.project(hole))
                colours.append(np.clip(np.array(die.body.bgr) * lit, 0, 255)[None])
    if polygons:
        draw_faces(canvas, polygons, np.concatenate(colours), ident)


def glare(die: Die, turn: Array, offset: Array, rng: Rng) -> list[tuple[Array, Array]]:
    """Reflections of a lamp on the top face at times: bright spots that are no pips.

    They are drawn under the pips: one that hides a pip would make a five a four, for people as well.
    """
    if rng.random() > 0.15 + 0.4 * die.body.gloss:
        return []
    angle = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    place, size = rng.normal(0, 0.25, 2), rng.uniform(0.07, 0.3)
    spots = []
    for share, grow in ((0.35, 1.0), (float(rng.uniform(0.5, 1.0)), 0.6)):
        points = np.ones((len(angle), 3))
        points[:, 0] = place[0] + grow * size * np.cos(angle)
        points[:, 1] = place[1] + grow * size * rng.uniform(0.5, 1.2) * np.sin(angle)
        colour = (1 - share) * np.array(die.body.bgr) + share * 250.0
        spots.append((rounded(points, die.rounding) * (die.side_mm / 2) @ turn.T + offset, np.clip(colour, 0, 255)))
    return spots
