"""The loose things of a table, ready to place: pawns, guards, hands, Flixxy, clutter, and the light on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.assets import Assets, hand_mesh
from models.scene.meshes import Mesh
from models.scene.raster import Canvas, Light, Material, draw_mesh
from models.scene.textures import bgr, hsv

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
    """A pawn: mostly one of halma, at times a turned figure."""
    return turned_shape(rng) if rng.random() < 0.15 else halma_shape(rng)


def turned_shape(rng: Rng) -> Mesh:
    """A figure as turned on a lathe, like those of chess: a stepped foot, a waist, rings and a head of any form."""
    base, high = rng.uniform(6, 10), rng.uniform(24, 48)
    waist, neck = base * rng.uniform(0.35, 0.7), high * rng.uniform(0.55, 0.78)
    profile = [(base, 0.0), (base, high * 0.05), (base * rng.uniform(0.75, 1.0), high * rng.uniform(0.08, 0.14))]
    for t in np.linspace(0.2, 1.0, 5):
        belly = waist + (profile[2][0] - waist) * float((1 - t) ** rng.uniform(1.0, 3.0))
        profile.append((belly, high * 0.14 + (neck - high * 0.14) * float(t)))
    for _ in range(int(rng.integers(0, 3))):
        out, thick = waist * rng.uniform(1.25, 1.9), high * rng.uniform(0.02, 0.04)
        profile += [(out, profile[-1][1] + 0.1), (out, profile[-1][1] + thick), (waist, profile[-1][1] + thick + 0.1)]
    left, wide = max(high - profile[-1][1], 2.0), base * rng.uniform(0.45, 0.85)
    start = profile[-1][1]
    if rng.random() < 0.5:
        profile += [
            (wide * float(np.sin(a)), start + left * (1 - float(np.cos(a))) / 2) for a in np.linspace(0.5, 3, 7)
        ]
    else:
        profile += [(wide * rng.uniform(0.7, 1.0), start + left * 0.1), (wide, start + left * rng.uniform(0.6, 1.0))]
    return meshes.lathe(np.array([*profile, (0.01, profile[-1][1] + 0.1)]))


def halma_shape(rng: Rng) -> Mesh:
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
