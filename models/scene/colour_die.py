"""Colour dice, six plain coloured faces, and the dice of Qwixx Express: for two people two pip dice and one of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.meshes import Mesh
from models.scene.pip_die import Die, body_faces, rounded
from models.scene.raster import Canvas, Material, draw_faces, face_colours
from models.scene.stage import Stage, Thing
from models.scene.textures import bgr, hsv

Array = NDArray[np.float64]
Rng = np.random.Generator
Paint = tuple[float, float, float]

FACES = ("red", "yellow", "green", "blue", "white", "white")
FACE_COLOURS = ("red", "yellow", "green", "blue", "white")
_HSV = {"red": (0.99, 0.88, 0.8), "yellow": (0.14, 0.9, 0.95), "green": (0.36, 0.8, 0.5), "blue": (0.61, 0.8, 0.68)}
_AHEAD = np.array([1.0, -1.0])


@dataclass(frozen=True, slots=True)
class ColourDie:
    """``faces``: colour names at +x, -x, +y, -y, +z, -z; ``paints``: the BGR of each; ``patch``: half the side of the
    painted square, 1 the whole face; ``corner``: how round the square is, 0 sharp .. 1 a disc."""

    side_mm: float
    rounding: float
    body: Material
    faces: tuple[str, ...]
    paints: tuple[Paint, ...]
    patch: float
    corner: float

    @classmethod
    def draw(cls, rng: Rng, top: str | None = None, side_mm: float | None = None) -> ColourDie:
        """A random one with the colour ``top`` on top (None: any face)."""
        faces = [str(name) for name in rng.permutation(FACES)]
        k = faces.index(top) if top else int(rng.integers(6))
        faces[4], faces[k] = faces[k], faces[4]
        light = bgr(hsv(rng.uniform(0.08, 0.16), rng.uniform(0, 0.12), rng.uniform(0.86, 1.0)))
        body = light if rng.random() < 0.88 else bgr(hsv(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.04, 0.4)))
        paint = {name: _paint(name, rng) for name in _HSV} | {"white": light}
        rounding = float(rng.uniform(0.06, 0.5))
        return cls(
            side_mm or float(rng.choice([rng.uniform(14, 17), rng.uniform(9, 20)])),
            rounding,
            Material(body, float(rng.uniform(0.05, 0.6)), float(rng.uniform(8, 60))),
            tuple(faces),
            tuple(paint[name] for name in faces),
            float(rng.uniform(0.55, 1.0)),
            1.0 if rng.random() < 0.12 else float(rng.uniform(0.02, 0.5)),
        )

    def turned(self, top: str) -> ColourDie:
        """The same die with another colour on top."""
        k = self.faces.index(top)
        faces, paints = list(self.faces), list(self.paints)
        faces[4], faces[k] = faces[k], faces[4]
        paints[4], paints[k] = paints[k], paints[4]
        return replace(self, faces=tuple(faces), paints=tuple(paints))

    @property
    def value(self) -> str:
        """The colour on top."""
        return self.faces[4]


def _paint(name: str, rng: Rng) -> Paint:
    h, s, v = _HSV[name]
    spread = 0.012 if name in ("red", "yellow") else 0.025
    return bgr(hsv(h + rng.normal(0, spread), s * rng.uniform(0.75, 1.1), v * rng.uniform(0.7, 1.12)))


def add_colour_die(stage: Stage, die: ColourDie, pos_mm: tuple[float, float], turn_deg: float) -> None:
    """Put it on the stage; its label is ``die`` with the top colour as value."""
    turn = meshes.turn_z(turn_deg)
    body = meshes.rounded_cube(die.side_mm, die.rounding)
    place = np.array([*pos_mm, die.side_mm / 2])
    body = Mesh(body.vertices @ turn.T + place, body.quads, body.normals @ turn.T)

    def paint(canvas: Canvas, ident: int) -> None:
        draw_colour_die(canvas, die, body, turn, ident, stage.rng)

    depth = float(stage.camera.depth(body.vertices).mean())
    stage.add_standing(Thing(body.vertices, depth, paint, (body,), "die", die.value, die.value, pos_mm))


def draw_colour_die(canvas: Canvas, die: ColourDie, mesh: Mesh, turn: Array, ident: int, rng: Rng) -> None:
    """Body and the painted squares of every face in view."""
    camera, light = canvas.camera, canvas.light
    polygons, colours = body_faces(canvas, mesh, die.body, rng)
    middle = mesh.vertices.mean(0)
    for face in range(6):
        normal = turn[:, face // 2] * _AHEAD[face % 2]
        if (camera.position_mm - middle - normal * die.side_mm / 2) @ normal <= 0:
            continue
        painted = Mesh(np.repeat((middle + normal * die.side_mm / 2)[None], 4, 0), np.arange(4)[None], normal[None])
        coat = replace(die.body, bgr=die.paints[face])
        polygons.append(camera.project(_outline(die, face) @ turn.T + middle))
        colours.append(face_colours(painted, coat, light, camera, rng))
    draw_faces(canvas, polygons, np.concatenate(colours), ident)


def _outline(die: ColourDie, face: int) -> Array:
    """The painted square of a face around the die's middle, (24, 3) mm."""
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False) + np.pi / 24
    round_ = np.column_stack([np.cos(angle), np.sin(angle)])
    square = round_ / np.abs(round_).max(1, keepdims=True)
    flat = die.patch * (die.corner * round_ + (1 - die.corner) * square)
    points = np.zeros((24, 3))
    axis = face // 2
    points[:, axis] = _AHEAD[face % 2]
    points[:, (axis + 1) % 3], points[:, (axis + 2) % 3] = flat.T
    return np.asarray(rounded(points, die.rounding) * die.side_mm / 2)


def white_die(rng: Rng, side_mm: float) -> Die:
    """A white number die with dark pips."""
    body = bgr(hsv(rng.uniform(0.08, 0.16), rng.uniform(0, 0.12), rng.uniform(0.86, 1.0)))
    pips = bgr(hsv(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.02, 0.18)))
    return replace(Die.draw(rng), side_mm=side_mm, body=Material(body, 0.3), pips=pips)


def add_qwixx_dice(
    stage: Stage, middle_mm: tuple[float, float], turn_deg: float, rng: Rng, side_mm: float | None = None
) -> None:
    """The six dice of Qwixx Express: two groups of three, left and right of ``middle_mm`` as turned by ``turn_deg``."""
    side = side_mm or float(rng.uniform(12, 18))
    apart, spread = rng.uniform(60, 110), rng.uniform(24, 45)
    turn = meshes.turn_z(turn_deg)[:2, :2]
    taken: list[Array] = []
    for group in (-1.0, 1.0):
        for kind in range(3):
            while True:
                spot = turn @ (np.array([group * apart, 0.0]) + rng.uniform(-spread, spread, 2)) + middle_mm
                if all(np.hypot(*(spot - other)) > 1.45 * side for other in taken):
                    break
            taken.append(spot)
            pos = (float(spot[0]), float(spot[1]))
            if kind == 2:
                add_colour_die(stage, ColourDie.draw(rng, side_mm=side), pos, rng.uniform(0, 360))
            else:
                stage.add_die(white_die(rng, side), pos, rng.uniform(0, 360))
