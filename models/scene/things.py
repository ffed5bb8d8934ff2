"""The loose things of a table, ready to place: pawns, guards, dice, hands, clutter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.assets import Assets, hand_mesh
from models.scene.meshes import Mesh
from models.scene.raster import Canvas, Light, Material, draw_faces, draw_mesh, face_colours
from models.scene.textures import hsv

Array = NDArray[np.float64]
Rng = np.random.Generator

PAWN_HSV: dict[str, tuple[float, float, float]] = {
    "red": (0.99, 0.88, 0.72),
    "blue": (0.62, 0.8, 0.6),
    "green": (0.37, 0.75, 0.5),
    "yellow": (0.145, 0.85, 0.88),
    "black": (0.6, 0.1, 0.1),
    "orange": (0.065, 0.9, 0.88),
    "white": (0.12, 0.06, 0.9),
    "purple": (0.78, 0.6, 0.5),
}
"""Typical hue (turns), saturation and value of the pawns' paint."""


def bgr(rgb: tuple[int, int, int]) -> tuple[float, float, float]:
    """RGB to BGR as floats."""
    return float(rgb[2]), float(rgb[1]), float(rgb[0])


def pawn_paint(colour: str, rng: Rng) -> tuple[float, float, float]:
    """A paint of that name, a little different in every set (BGR)."""
    h, s, v = PAWN_HSV[colour]
    spread = 0.012 if colour in ("orange", "yellow", "red") else 0.025
    return bgr(hsv(h + rng.normal(0, spread), s * rng.uniform(0.8, 1.1), v * rng.uniform(0.75, 1.15)))


@dataclass(frozen=True, slots=True)
class PieceStyle:
    """Shape and finish of one set's pawns and guards."""

    pawn: Mesh
    guard: Mesh
    gloss: float
    shine: float
    paints: tuple[tuple[str, tuple[float, float, float]], ...]
    wood: Material

    @classmethod
    def draw(cls, rng: Rng) -> PieceStyle:
        """A random set."""
        wood = bgr(hsv(rng.uniform(0.07, 0.13), rng.uniform(0.2, 0.6), rng.uniform(0.6, 0.95)))
        return cls(
            pawn=pawn_shape(rng),
            guard=guard_shape(rng),
            gloss=float(rng.uniform(0, 0.7)),
            shine=float(rng.uniform(5, 60)),
            paints=tuple((c, pawn_paint(c, rng)) for c in PAWN_HSV),
            wood=Material(wood, float(rng.uniform(0, 0.25)), 12.0, float(rng.uniform(0.0, 0.09))),
        )

    def paint(self, colour: str) -> Material:
        """The material of a pawn of that colour."""
        return Material(dict(self.paints)[colour], self.gloss, self.shine)


def _ball(radius: float, centre: float, start: float, steps: int = 7) -> list[tuple[float, float]]:
    angle = np.linspace(start, np.pi / 2, steps)
    return [(radius * float(np.cos(a)), centre + radius * float(np.sin(a))) for a in angle]


def pawn_shape(rng: Rng) -> Mesh:
    """A halma pawn: foot, tapering body, ball head, with random proportions."""
    height, base = rng.uniform(20, 34), rng.uniform(5.5, 8.5)
    head = rng.uniform(0.5, 0.78) * base
    neck = head * rng.uniform(0.4, 0.8)
    centre, foot = height - head, rng.uniform(0.8, 4.0)
    top = centre - np.sqrt(max(head**2 - neck**2, 0.1))
    profile = [(base, 0.0), (base, foot)]
    bend = rng.uniform(0.5, 2.2)
    for t in np.linspace(0, 1, 5)[1 if rng.random() < 0.5 else 0 :]:
        shrink = base * rng.uniform(0.8, 1.0) if t == 0 else base
        profile.append((neck + (shrink - neck) * float((1 - t) ** bend), foot + (top - foot) * float(t)))
    if rng.random() < 0.3:
        profile += [(neck * 1.5, top), (neck * 1.5, top + 1.2)]
    profile += _ball(head, centre, -float(np.arccos(min(neck / head, 1.0))))
    return meshes.lathe(np.array(profile))


def guard_shape(rng: Rng) -> Mesh:
    """A plain cylinder, at times slightly tapered, bevelled or domed."""
    radius, height = rng.uniform(4, 8), rng.uniform(15, 30)
    upper = radius * rng.uniform(0.85, 1.0)
    profile = [(radius, 0.0), (upper, height * 0.93)]
    profile += [(upper * 0.9, height)] if rng.random() < 0.6 else _ball(upper, height * 0.93, 0.0, 4)
    return meshes.lathe(np.array([*profile, (0.01, profile[-1][1])]))


# --- dice ---

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


def _rounded(points: Array, rounding: float) -> Array:
    core = np.clip(points, -(1 - rounding), 1 - rounding)
    away = points - core
    return np.asarray(core + rounding * away / (np.linalg.norm(away, axis=-1, keepdims=True) + 1e-9))


def _pip_outlines(die: Die, face: int, turn: Array, offset: Array) -> list[Array]:
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
        out.append(_rounded(points, die.rounding) * (die.side_mm / 2) @ turn.T + offset)
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
        strokes.append(_rounded(points, die.rounding) * (die.side_mm / 2) @ turn.T + offset)
    return strokes


def die_mesh(die: Die, pos_mm: Array, turn: Array) -> Mesh:
    """The body standing on the table at ``pos_mm`` (its z is added)."""
    body = meshes.rounded_cube(die.side_mm, die.rounding)
    turned = body.vertices @ turn.T
    lift = np.array([0, 0, -turned[:, 2].min()])
    return Mesh(turned + pos_mm + lift, body.quads, body.normals @ turn.T)


def draw_die(canvas: Canvas, die: Die, mesh: Mesh, turn: Array, ident: int, rng: Rng) -> None:
    """Body and the pips of every face in view."""
    camera, light = canvas.camera, canvas.light
    centre = mesh.faces_mm().mean(1)
    seen = np.flatnonzero(((camera.position_mm - centre) * mesh.normals).sum(1) > 0)
    seen = seen[np.argsort(-camera.depth(centre[seen]))]
    polygons = list(camera.project(mesh.vertices)[mesh.quads[seen]])
    colours = [face_colours(mesh, die.body, light, camera, rng)[seen]]
    middle = mesh.vertices.mean(0)
    for face in range(6):
        normal = turn[:, face // 2] * (1.0 - 2.0 * (face % 2))
        if (camera.position_mm - middle - normal * die.side_mm / 2) @ normal <= 0.08:
            continue
        lit = (
            max(float(normal @ light.towards(middle)), 0.0) * light.lamp_bgr + (0.62 + 0.38 * normal[2]) * light.sky_bgr
        )
        colour = np.clip(np.array(die.pips) * lit, 0, 255)
        for outline in _pip_outlines(die, face, turn, middle):
            polygons.append(camera.project(outline))
            colours.append(colour[None])
            if die.ring and len(outline) > 4:
                hole = outline.mean(0) + (outline - outline.mean(0)) * 0.5
                polygons.append(camera.project(hole))
                colours.append(np.clip(np.array(die.body.bgr) * lit, 0, 255)[None])
    for outline, colour in _glare(die, turn, middle, rng):
        polygons.append(camera.project(outline))
        colours.append(colour[None])
    if polygons:
        draw_faces(canvas, polygons, np.concatenate(colours), ident)


def _glare(die: Die, turn: Array, offset: Array, rng: Rng) -> list[tuple[Array, Array]]:
    """Reflections of a lamp on the top face at times: bright spots that are no pips."""
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
        spots.append((_rounded(points, die.rounding) * (die.side_mm / 2) @ turn.T + offset, np.clip(colour, 0, 255)))
    return spots


# --- hands and clutter ---

_PALM_DOWN = np.array([[0.0, 0, -1], [0, 1, 0], [1, 0, 0]])


@dataclass(frozen=True, slots=True)
class Part:
    """A mesh with its material; several parts make one thing."""

    mesh: Mesh
    material: Material


def hand(rng: Rng, assets: Assets, reach_mm: Array, towards_deg: float) -> list[Part]:
    """A hand whose fingertips are near ``reach_mm`` (3,), with a forearm coming from ``towards_deg``."""
    skin = Material(bgr(hsv(rng.uniform(0.03, 0.08), rng.uniform(0.3, 0.65), rng.uniform(0.25, 0.95))), 0.08, 10.0)
    sleeve = (
        skin
        if rng.random() < 0.4
        else Material(bgr(hsv(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.9))), 0.0)
    )
    tilt = meshes.turn_x(float(rng.uniform(-35, 20)))
    around = meshes.turn_z(towards_deg - 90) @ tilt @ _PALM_DOWN @ meshes.turn_z(0)
    grow = rng.uniform(0.75, 1.1)
    palm = (
        hand_mesh(assets.hands[int(rng.integers(len(assets.hands)))]).scaled(grow) if assets.hands else _tube_hand(rng)
    )
    turned = palm.vertices @ around.T
    away = np.array([np.cos(np.radians(towards_deg)), np.sin(np.radians(towards_deg)), 0.0])
    tip = turned[np.argmin(turned @ away)]
    shift = reach_mm - tip
    shift[2] = max(shift[2], 3.0 - turned[:, 2].min())
    moved = Mesh(turned + shift, palm.quads, palm.normals @ around.T)
    back = moved.vertices[moved.vertices @ away > np.quantile(moved.vertices @ away, 0.93)]
    wrist = back.mean(0)
    path = wrist + np.outer(np.linspace(-10, 420, 8), away + [0, 0, rng.uniform(0, 0.4)])
    width = max(18.0, float(np.ptp(back @ np.array([-away[1], away[0], 0]))) * 0.5)
    arm = meshes.tube(path, np.linspace(width, width * 1.6, 8) * (1 + (sleeve is not skin) * 0.15))
    return [Part(moved, skin), Part(arm, sleeve)]


def _tube_hand(rng: Rng) -> Mesh:
    """A plain hand without files: a palm and five fingers, fingers along -y, palm facing -x, lengths in mm."""
    parts = [meshes.tube(np.array([[0, y, 0] for y in (40, 10, -45)], float), np.array([26, 38, 30.0]))]
    for k, length in enumerate((45, 75, 82, 75, 58)):
        z = (k - 2) * 17.0
        start = np.array([0, -30.0 if k else 10.0, z])
        way = np.array([-rng.uniform(0, 0.6), -1.0, -0.8 if k == 0 else 0.0])
        parts.append(meshes.tube(start + np.outer(np.linspace(0, length, 5), way), np.array([10, 10, 9, 8.5, 5.0])))
    vertices, quads, normals, shift = [], [], [], 0
    for part in parts:
        vertices.append(part.vertices)
        quads.append(part.quads + shift)
        normals.append(part.normals)
        shift += len(part.vertices)
    return Mesh(np.concatenate(vertices), np.concatenate(quads), np.concatenate(normals))


def flixxy(rng: Rng, foot_mm: Array, turn_deg: float) -> list[Part]:
    """The bird of Verflixxt nochmal: printed cardboard upright in a plastic stand; ``foot_mm`` (3,) where it stands."""
    high, wide, thick = rng.uniform(32, 55), rng.uniform(20, 38), rng.uniform(1.5, 2.5)
    stand = Material(bgr(hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 0.95))), 0.4, 25.0)
    hue = rng.random()

    def disc(across: float, long: float, at: tuple[float, float, float], front: float) -> list[Part]:
        paint = Material(bgr(hsv(hue + front, rng.uniform(0.5, 1), rng.uniform(0.5, 1))), 0.1, 10.0, 0.04)
        plate = meshes.lathe(np.array([(across / 2, -thick / 2), (across / 2, thick / 2), (0.01, thick / 2)]), 16)
        under = meshes.lathe(np.array([(0.01, -thick / 2), (across / 2, -thick / 2)]), 16)
        stretch = np.array([1.0, long, 1.0])
        upright = meshes.turn_x(90)
        return [
            Part(Mesh(m.vertices * stretch, m.quads, m.normals).moved(np.array(at), upright), paint)
            for m in (plate, under)
        ]

    head = rng.uniform(0.45, 0.7) * wide
    side = float(rng.choice([-1, 1]))
    parts = [
        Part(meshes.box((rng.uniform(14, 22), rng.uniform(8, 16), rng.uniform(4, 8))), stand),
        *disc(wide, high / wide * 0.62, (0, 0, high * 0.42), 0.0),
        *disc(head, 1.0, (side * wide * 0.15, 0, high * 0.82), float(rng.normal(0, 0.1))),
        *disc(wide * 0.45, 0.8, (-side * wide * 0.25, -thick, high * 0.4), float(rng.uniform(0.1, 0.9))),
        *disc(head * 0.4, 0.7, (side * (wide * 0.15 + head * 0.55), 0, high * 0.8), float(rng.uniform(0.1, 0.9))),
    ]
    turn = meshes.turn_z(turn_deg)
    return [Part(part.mesh.moved(foot_mm, turn), part.material) for part in parts]


def clutter(rng: Rng) -> Part:
    """Something that is no game piece: cup, coin, cube, pen, bottle cap, ball, eraser."""
    paint = Material(bgr(hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 1))), float(rng.uniform(0, 0.8)), 25.0)
    pick = rng.integers(7)
    if pick == 0:
        r, h = rng.uniform(25, 45), rng.uniform(40, 110)
        inside = [(r * 0.92, h), (r * 0.85, h * 0.4), (0.01, h * 0.4)]
        return Part(meshes.lathe(np.array([(r * rng.uniform(0.7, 1), 0), (r, h), *inside]), 28), paint)
    if pick == 1:
        return Part(meshes.lathe(np.array([(r := rng.uniform(8, 14), 0), (r, 2), (0.01, 2)]), 24), paint)
    if pick == 2:
        return Part(meshes.box((rng.uniform(8, 20), rng.uniform(8, 20), rng.uniform(8, 20))), paint)
    if pick == 3:
        path = np.outer(np.linspace(0, rng.uniform(90, 170), 5), [1.0, 0, 0]) + [0, 0, 4.5]
        return Part(meshes.tube(path, np.array([0.5, 4, 4, 4, 4.0])), paint)
    if pick == 4:
        return Part(
            meshes.lathe(np.array([(r := rng.uniform(12, 18), 0), (r, 5), (r * 0.85, 9), (0.01, 9)]), 22), paint
        )
    if pick == 5:
        return Part(meshes.lathe(np.array(_ball(rng.uniform(5, 20), rng.uniform(5, 12), -1.4, 12))), paint)
    return Part(meshes.box((rng.uniform(20, 60), rng.uniform(10, 30), rng.uniform(4, 14))), paint)


def draw_light(rng: Rng, reach_mm: float) -> Light:
    """Anything from soft daylight to one hard lamp."""
    az, el = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(25, 88))
    far = reach_mm * rng.uniform(1.0, 5.0)
    lamp = far * np.array([np.cos(az) * np.cos(el), np.sin(az) * np.cos(el), np.sin(el)])
    hard = rng.random()
    warm = rng.normal(0, 0.12)
    tint = np.array([1 - 1.4 * warm, 1.0, 1 + warm])
    level = rng.uniform(0.75, 1.15)
    share = 0.25 + 0.5 * hard
    return Light(
        lamp,
        level * share * tint,
        level * (1 - share) * np.array([1 + rng.normal(0, 0.06), 1, 1 + rng.normal(0, 0.05)]),
        float(np.interp(hard, [0, 1], [14.0, 0.8])),
        float(rng.uniform(0.6, 0.95)),
    )


def draw_parts(canvas: Canvas, parts: list[Part], ident: int, rng: Rng) -> None:
    """Draw a thing made of several meshes, far ones first."""
    for part in sorted(parts, key=lambda p: -float(canvas.camera.depth(p.mesh.vertices).mean())):
        draw_mesh(canvas, part.mesh, part.material, ident, rng)
