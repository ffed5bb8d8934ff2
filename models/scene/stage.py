"""A stage: things are put on it in any order, then painted back to front and labelled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.camera import Camera
from models.scene.labels import Label
from models.scene.meshes import Mesh
from models.scene.pip_die import Die, die_mesh, draw_die
from models.scene.raster import (
    Canvas,
    Light,
    Material,
    apply_shadows,
    cast_shadow,
    draw_flat,
    draw_mesh,
)
from models.scene.things import Part, PieceStyle, draw_parts

Array = NDArray[np.float64]
Image = NDArray[np.uint8]


@dataclass(slots=True)
class Thing:
    """Something on the stage: its meshes (for shadow and box), how to paint it, and its label without a box."""

    points_mm: Array
    depth: float
    paint: Callable[[Canvas, int], None]
    shadows: tuple[Mesh, ...] = ()
    name: str = ""
    value: str = ""
    colour: str = ""
    foot_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(slots=True)
class Stage:
    """Flat things are painted first, then all shadows, then standing things far to near, then hands."""

    camera: Camera
    light: Light
    rng: np.random.Generator
    flat: list[Thing] = field(default_factory=list)
    standing: list[Thing] = field(default_factory=list)
    above: list[Thing] = field(default_factory=list)
    covered: NDArray[np.bool_] | None = None
    """After painting: where (H, W) something that was put on the stage hides the table."""

    def _place(self, pos_mm: tuple[float, float], height: float = 0.0) -> Array:
        return np.array([*pos_mm, height])

    def _add(self, layer: list[Thing], thing: Thing) -> None:
        width, height = self.camera.size_wh
        pixels = self.camera.project(thing.points_mm)
        low, high = pixels.min(0), pixels.max(0)
        behind = self.camera.depth(thing.points_mm).min() < 30
        if not behind and high[0] > -150 and high[1] > -150 and low[0] < width + 150 and low[1] < height + 150:
            layer.append(thing)

    def add_standing(self, thing: Thing) -> None:
        """Anything that stands on the table and paints itself."""
        self._add(self.standing, thing)

    def add_tile(
        self,
        texture: Image,
        sides: int,
        across_mm: float,
        pos_mm: tuple[float, float],
        turn_deg: float,
        name: str,
        value: str,
        edge: Material,
        thick_mm: float = 2.0,
    ) -> None:
        """A flat tile with its printed lid."""
        body = meshes.prism(sides, across_mm, thick_mm, turn_deg).moved(self._place(pos_mm))
        top = self._place(pos_mm, thick_mm)

        def paint(canvas: Canvas, ident: int) -> None:
            draw_mesh(canvas, body, edge, ident, self.rng)
            draw_flat(canvas, texture, (across_mm, across_mm), top, turn_deg, ident, gloss=edge.gloss)

        self._add(self.flat, Thing(body.vertices, self._depth(body), paint, (body,), name, value, "", pos_mm))

    def add_flat(
        self, texture: Image, size_mm: tuple[float, float], pos_mm: tuple[float, float], turn_deg: float
    ) -> None:
        """A card, marker or sheet without a label."""
        half = np.hypot(*size_mm) / 2
        corners = np.array([[-half, -half, 0], [half, half, 0]]) + self._place(pos_mm)

        def paint(canvas: Canvas, ident: int) -> None:
            draw_flat(canvas, texture, size_mm, self._place(pos_mm, 0.3), turn_deg, ident)

        self._add(self.flat, Thing(corners, float(self.camera.depth(corners).mean()) + 1e6, paint))

    def add_piece(
        self, mesh: Mesh, material: Material, pos_mm: tuple[float, float], name: str, colour: str, height: float = 0.0
    ) -> None:
        """A pawn or guard."""
        body = mesh.moved(self._place(pos_mm, height), meshes.turn_z(float(self.rng.uniform(0, 360))))
        self._add(
            self.standing,
            Thing(
                body.vertices,
                self._depth(body),
                lambda canvas, ident: draw_mesh(canvas, body, material, ident, self.rng),
                (body,),
                name,
                "",
                colour,
                pos_mm,
            ),
        )

    def add_pawn(self, style: PieceStyle, colour: str, pos_mm: tuple[float, float], height: float = 0.0) -> None:
        """A pawn of the set."""
        self.add_piece(style.pawn, style.paint(colour), pos_mm, "pawn", colour, height)

    def add_guard(self, style: PieceStyle, pos_mm: tuple[float, float], height: float = 0.0) -> None:
        """A guard of the set."""
        self.add_piece(style.guard, style.wood, pos_mm, "guard", "wood", height)

    def add_die(self, die: Die, pos_mm: tuple[float, float], turn_deg: float, tilt_deg: float = 0.0) -> None:
        """A pip die at rest."""
        turn = meshes.turn_z(turn_deg) @ meshes.turn_x(tilt_deg)
        body = die_mesh(die, self._place(pos_mm), turn)
        self._add(
            self.standing,
            Thing(
                body.vertices,
                self._depth(body),
                lambda canvas, ident: draw_die(canvas, die, body, turn, ident, self.rng),
                (body,),
                "die",
                str(die.value),
                "",
                pos_mm,
            ),
        )

    def add_parts(self, parts: list[Part], name: str = "", over: bool = False) -> None:
        """Several meshes as one thing (hand, clutter), already in place."""
        points = np.concatenate([p.mesh.vertices for p in parts])
        thing = Thing(
            points,
            float(self.camera.depth(points).mean()),
            lambda canvas, ident: draw_parts(canvas, parts, ident, self.rng),
            tuple(p.mesh for p in parts),
            name,
        )
        self._add(self.above if over else self.standing, thing)

    def _depth(self, mesh: Mesh) -> float:
        return float(self.camera.depth(mesh.vertices).mean())

    def paint(self, table: Image, px_per_mm: float) -> tuple[Image, list[Label]]:
        """Everything on top of the picture of the empty table; the picture and its labels."""
        canvas = Canvas(self.camera, self.light, table.copy())
        flat, standing = (sorted(layer, key=lambda t: -t.depth) for layer in (self.flat, self.standing))
        painted: list[tuple[Thing, int]] = []
        for layer in (flat, standing, self.above):
            for thing in layer:
                for mesh in thing.shadows:
                    cast_shadow(canvas, mesh)
            apply_shadows(canvas, px_per_mm)
            for thing in layer:
                thing.paint(canvas, len(painted) + 1)
                painted.append((thing, int(np.count_nonzero(canvas.identity == len(painted) + 1))))
        self.covered = canvas.identity > 0
        seen = np.bincount(canvas.identity.ravel(), minlength=len(painted) + 1)[1:]
        labels = [self._label(t, int(s), n) for (t, n), s in zip(painted, seen, strict=True) if t.name and n]
        return canvas.image, [label for label in labels if label]

    def _label(self, thing: Thing, seen: int, painted: int) -> Label | None:
        width, height = self.camera.size_wh
        pixels = self.camera.project(thing.points_mm)
        whole = np.concatenate([pixels.min(0), pixels.max(0)])
        x0, y0, x1, y1 = np.clip(whole, 0, [width, height, width, height])
        share = (x1 - x0) * (y1 - y0) / max((whole[2] - whole[0]) * (whole[3] - whole[1]), 1e-6)
        if x1 - x0 < 3 or y1 - y0 < 3:
            return None
        visible = seen / max(painted, 1) * (share if thing.name != "hand" else 1.0)
        return Label(
            thing.name,
            (float(x0), float(y0), float(x1), float(y1)),
            float(visible),
            thing.value,
            thing.colour,
            thing.foot_mm,
        )
