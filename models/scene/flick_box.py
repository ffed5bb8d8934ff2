"""The box of Dice Flick: a square tray with a ditch and a raised plate with 5 x 5 holes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.assets import Assets
from models.scene.flick_print import PX_PER_MM, Lattice, StickerStyle, floor_texture, plate_texture, surface
from models.scene.meshes import Mesh
from models.scene.raster import Canvas, Light, Material, apply_shadows, cast_shadow, face_colours, flat_light

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Rng = np.random.Generator
FLOOR_MM = 2.0


@dataclass(frozen=True, slots=True)
class Box:
    """One box. Heights above the table: ``top_mm`` the plate, ``hole_mm`` the bottom of the holes, ``rim_mm``."""

    lattice: Lattice
    top_mm: float
    bottom_mm: float
    rim_mm: float
    wall_mm: float
    inner_mm: float
    plate: Image
    floor: Image
    ditch: Image
    walls: Material
    sides: Material
    stickers: dict[int, str]

    @classmethod
    def draw(cls, rng: Rng, assets: Assets, die_mm: float) -> Box:
        """A random box that dice of this size fit."""
        lattice = draw_lattice(rng, die_mm)
        rise = float(rng.uniform(5, 22))
        deep = float(rng.uniform(2.5, min(rise, 12.0)))
        stickers = draw_stickers(rng)
        plain = Material(tuple(float(c) for c in rng.uniform(10, 240, 3)), float(rng.uniform(0, 0.3)))  # type: ignore[arg-type]
        inner = lattice.plate_mm + 2 * float(rng.uniform(14, 40) if rng.random() < 0.85 else rng.uniform(4, 14))
        plate = plate_texture(rng, assets, lattice)
        edge = plate[:, :, :3].reshape(-1, 3).mean(0) * rng.uniform(0.5, 1.0)
        sides = Material((float(edge[0]), float(edge[1]), float(edge[2])) if rng.random() < 0.7 else (190, 205, 215))
        return cls(
            lattice, FLOOR_MM + rise, FLOOR_MM + rise - deep, FLOOR_MM + rise + float(rng.uniform(2, 35)),
            float(rng.uniform(1.5, 12)), inner, plate,
            floor_texture(rng, assets, lattice, stickers, StickerStyle.draw(rng)),
            surface(rng, assets, 256), plain, sides, stickers,
        )

    @property
    def outer_mm(self) -> float:
        """Outer side of the box."""
        return self.inner_mm + 2 * self.wall_mm

    def corners_mm(self, side_mm: float, height_mm: float) -> Array:
        """Corners (4, 3) of a centred square."""
        half = side_mm / 2
        return np.array([[-half, -half, height_mm], [half, -half, height_mm], [half, half, height_mm],
                         [-half, half, height_mm]])

    def wall(self, k: int) -> Mesh:
        """Wall 0..3: towards +x, +y, -x, -y."""
        middle = (self.inner_mm + self.wall_mm) / 2
        body = meshes.box((self.wall_mm, self.outer_mm, self.rim_mm)).moved(np.array([middle, 0, 0]))
        turn = meshes.turn_z(90 * k)
        return body.moved(np.zeros(3), turn)

    def outside(self) -> Mesh:
        """The whole box as one block, for its shadow."""
        return meshes.box((self.outer_mm, self.outer_mm, self.rim_mm))

    def block(self) -> Mesh:
        """The plate and what carries it."""
        side = self.lattice.plate_mm
        return meshes.box((side, side, self.top_mm - FLOOR_MM)).moved(np.array([0, 0, FLOOR_MM]))

    def hole_walls(self) -> Mesh:
        """The insides of the 25 holes, facing inwards."""
        ring = self.lattice.outline_mm()[::2]
        n = len(ring)
        a, b = np.arange(n), (np.arange(n) + 1) % n
        quads = np.stack([a, b, b + n, a + n], 1)
        inwards = -(ring[a] + ring[b])
        normals = np.column_stack([inwards / np.linalg.norm(inwards, axis=1, keepdims=True), np.zeros(n)])
        body = np.concatenate([np.column_stack([ring, np.full(n, z)]) for z in (self.bottom_mm, self.top_mm)])
        centres = self.lattice.centres_mm()
        vertices = np.concatenate([body + [x, y, 0] for x, y in centres])
        return Mesh(
            vertices, np.concatenate([quads + 2 * n * k for k in range(25)]), np.tile(normals, (25, 1))
        )


def draw_lattice(rng: Rng, die_mm: float) -> Lattice:
    """A plate of 145..195 mm whose holes take the die."""
    while True:
        rounding = float(1.0 if rng.random() < 0.6 else rng.uniform(0.05, 0.4))
        hole = die_mm * float(rng.uniform(1.42, 1.9) if rounding == 1 else rng.uniform(1.2, 1.7))
        pitch = hole + float(rng.uniform(3, 13))
        plate = 4 * pitch + hole + 2 * float(rng.uniform(2, 14))
        if 145 <= plate <= 195:
            return Lattice(pitch, hole, rounding, plate)


def draw_stickers(rng: Rng) -> dict[int, str]:
    """Where the stickers lie: the centre marker in the middle, three upgrades, two bonus; at times none."""
    if rng.random() < 0.12:
        return {}
    holes = [int(k) for k in rng.permutation([k for k in range(25) if k != 12])]
    kinds = ["upgrade_green", "upgrade_blue", "upgrade_yellow", "bonus", "bonus"]
    return {12: "centre", **dict(zip(holes, kinds, strict=False))}


def shadowed(box: Box, light: Light, mask: Image, base: Image, height_mm: float, hulls: list[Array]) -> Image:
    """``base`` (side, side, 3 or 4) darkened where ``mask`` is 0 or a hull (N, 3) of a thing casts its shadow.

    ``mask`` is white where the lamp reaches; hulls in world millimetres, ``height_mm`` of the surface.
    """
    lit = mask.copy()
    for hull in hulls:
        drop = (hull[:, 2:] - height_mm) / np.maximum(light.lamp_mm[2] - hull[:, 2:], 20.0)
        ground = hull[:, :2] + (hull[:, :2] - light.lamp_mm[:2]) * drop
        points = cv2.convexHull(((ground + box.lattice.plate_mm / 2) * PX_PER_MM).astype(np.float32))[:, 0]
        cv2.fillConvexPoly(lit, np.round(points).astype(np.int32), (0,))
    soft = cv2.GaussianBlur(lit, (0, 0), max(1.0, light.softness * 0.25 * PX_PER_MM)).astype(np.float32) / 255
    towards = light.towards(np.array([0, 0, height_mm]))
    lamp, sky = towards[2] * light.lamp_bgr, light.sky_bgr
    share = lamp / (lamp + sky)
    factor = 1 - light.shadow * share.astype(np.float32) * (1 - soft[:, :, None])
    out = base.copy()
    out[:, :, :3] = np.clip(base[:, :, :3] * factor, 0, 255)
    return out


def lay(canvas: Canvas, texture_bgra: Image, side_mm: float, height_mm: float) -> None:
    """Paint a square texture (s, s, 4) lying in the middle of the box at this height, lit from the lamp."""
    half = side_mm / 2
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    pixels = canvas.camera.project(np.column_stack([corners, np.full(4, height_mm)]))
    height, width = canvas.identity.shape
    x0, y0 = np.maximum(np.floor(pixels.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(pixels.max(0)).astype(int) + 2, [width, height])
    if x1 <= x0 or y1 <= y0:
        return
    lit, _ = flat_light(canvas, np.array([0, 0, height_mm]), 0.0)
    shown = np.sqrt(cv2.contourArea(pixels.astype(np.float32)))
    if texture_bgra.shape[0] > 1.2 * shown:
        small = max(16, int(shown))
        texture_bgra = np.asarray(cv2.resize(texture_bgra, (small, small), interpolation=cv2.INTER_AREA), np.uint8)
    side = len(texture_bgra)
    source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, (pixels - [x0, y0]).astype(np.float32))
    out = cv2.warpPerspective(texture_bgra, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    area = (slice(y0, y1), slice(x0, x1))
    cover = np.ascontiguousarray(out[:, :, 3])
    shades: Any = (*(float(v) for v in lit), 0.0)
    colour = cv2.multiply(np.ascontiguousarray(out[:, :, :3]), shades)
    share = cv2.merge([cover, cover, cover])
    new = cv2.multiply(colour, share, scale=1 / 255)
    old = cv2.multiply(np.ascontiguousarray(canvas.image[area]), 255 - share, scale=1 / 255)
    canvas.image[area] = cv2.add(new, old)
    canvas.identity[area][cover > 127] = 0


def floor_light(box: Box, light: Light, occlusion: float) -> tuple[Image, Image]:
    """Where the lamp reaches the bottom of the holes (mask), and how much sky does (0..255)."""
    deep = box.top_mm - box.bottom_mm
    way = light.towards(np.array([0, 0, box.top_mm]))
    shift = (float(-way[0] / way[2] * deep), float(-way[1] / way[2] * deep))
    wide = cv2.GaussianBlur(box.lattice.mask(0.92), (0, 0), 0.45 * deep * PX_PER_MM + 0.5)
    sky = np.asarray(255 * (1 - occlusion) + occlusion * wide.astype(np.float32), np.uint8)
    return np.asarray(box.lattice.mask(shift_mm=shift), np.uint8), sky


def paint_box(canvas: Canvas, box: Box, dice: list[BoxDie], px_per_mm: float, rng: Rng) -> None:
    """Paint the box and the dice in it; far walls first, near walls last."""
    camera = canvas.camera
    cast_shadow(canvas, box.outside())
    apply_shadows(canvas, px_per_mm)
    walls = [box.wall(k) for k in range(4)]
    inner = box.inner_mm / 2
    facing = [np.array([1, 0, 0]), np.array([0, 1, 0]), np.array([-1, 0, 0]), np.array([0, -1, 0])]
    far = [bool(camera.position_mm @ n < inner) for n in facing]
    for wall, is_far in zip(walls, far, strict=True):
        if is_far:
            _plain_mesh(canvas, wall, box.walls, rng)
    _ditch(canvas, box, [d.mesh.vertices for d in dice if d.where == "ditch"])
    side = box.lattice.plate_mm / 2
    hidden = [d for d in dice if d.where == "ditch" and not _before_block(d, camera.position_mm, side)]
    _paint_dice(canvas, hidden)
    _plain_mesh(canvas, box.block(), box.sides, rng)
    _plate(canvas, box, dice, rng)
    _paint_dice(canvas, [d for d in dice if d.where == "ditch" and d not in hidden])
    for wall, is_far in zip(walls, far, strict=True):
        if not is_far:
            _plain_mesh(canvas, wall, box.walls, rng)


@dataclass(frozen=True, slots=True, eq=False)
class BoxDie:
    """A die in the box: its mesh, how to paint it, and ``where``: ``hole``, ``plate`` (between holes), ``ditch``."""

    mesh: Mesh
    where: str
    paint: Callable[[Canvas], None]


def _plain_mesh(canvas: Canvas, mesh: Mesh, material: Material, rng: Rng) -> None:
    """Large faces straight onto the picture: their edges need no finer layer."""
    camera = canvas.camera
    centre = mesh.faces_mm().mean(1)
    seen = np.flatnonzero(((camera.position_mm - centre) * mesh.normals).sum(1) > 0)
    seen = seen[np.argsort(-camera.depth(centre[seen]))]
    colours = face_colours(mesh, material, canvas.light, camera, rng)
    pixels = camera.project(mesh.vertices)
    for face in seen:
        corners = np.round(pixels[mesh.quads[face]] * 16).astype(np.int32)
        cv2.fillConvexPoly(canvas.image, corners, colours[face].tolist(), cv2.LINE_AA, 4)
        cv2.fillConvexPoly(canvas.identity, corners, (0,), cv2.LINE_8, 4)


def _far_to_near(canvas: Canvas, dice: list[BoxDie]) -> list[BoxDie]:
    return sorted(dice, key=lambda d: -float(canvas.camera.depth(d.mesh.vertices).mean()))


def _paint_dice(canvas: Canvas, dice: list[BoxDie]) -> None:
    for die in _far_to_near(canvas, dice):
        die.paint(canvas)


def _before_block(die: BoxDie, eye: Array, side: float) -> bool:
    """Whether a die in the ditch stands between the camera and the plate."""
    x, y = die.mesh.vertices[:, :2].mean(0)
    return bool((abs(x) > side and eye[0] * np.sign(x) > side) or (abs(y) > side and eye[1] * np.sign(y) > side))


def _ditch(canvas: Canvas, box: Box, hulls: list[Array]) -> None:
    scale = box.ditch.shape[0] / box.inner_mm
    light = canvas.light
    lit = np.full(box.ditch.shape[:2], 255, np.uint8)
    way = light.towards(np.zeros(3))
    shift = -way[:2] / way[2] * (box.rim_mm - FLOOR_MM)
    lit[:] = 0
    corner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * box.inner_mm / 2
    cv2.fillConvexPoly(lit, np.round((corner + shift + box.inner_mm / 2) * scale).astype(np.int32), (255,))
    block = box.corners_mm(box.lattice.plate_mm, box.top_mm)
    for hull in (np.concatenate([block, block * [1, 1, 0] + [0, 0, FLOOR_MM]]), *hulls):
        drop = (hull[:, 2:] - FLOOR_MM) / np.maximum(light.lamp_mm[2] - hull[:, 2:], 20.0)
        ground = hull[:, :2] + (hull[:, :2] - light.lamp_mm[:2]) * drop
        points = cv2.convexHull(((ground + box.inner_mm / 2) * scale).astype(np.float32))[:, 0]
        cv2.fillConvexPoly(lit, np.round(points).astype(np.int32), (0,))
    soft = cv2.GaussianBlur(lit, (0, 0), max(1.0, light.softness * 0.4 * scale))[:, :, None].astype(np.float32) / 255
    lamp = way[2] * light.lamp_bgr
    factor = 1 - light.shadow * (lamp / (lamp + light.sky_bgr)).astype(np.float32) * (1 - soft)
    image = np.clip(box.ditch * factor * 0.92, 0, 255).astype(np.uint8)
    full = np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])
    lay(canvas, full, box.inner_mm, FLOOR_MM)


def _plate(canvas: Canvas, box: Box, dice: list[BoxDie], rng: Rng) -> None:
    side = box.lattice.plate_mm
    inside = [d for d in dice if d.where == "hole"]
    _plain_mesh(canvas, box.hole_walls(), box.sides, rng)
    lamp, sky = floor_light(box, canvas.light, float(rng.uniform(0.1, 0.6)))
    floor = shadowed(box, canvas.light, lamp, box.floor, box.bottom_mm, [d.mesh.vertices for d in inside])
    floor = np.asarray(floor * (sky[:, :, None].astype(np.float32) / 255), np.uint8)
    floor = np.dstack([floor, box.lattice.mask(1.01)])
    lay(canvas, floor, side, box.bottom_mm)
    _paint_dice(canvas, inside)
    over = [_above(d.mesh.vertices, box.top_mm) for d in dice if d.where != "ditch"]
    hulls = [hull for hull in over if len(hull) > 3]
    every = np.full(box.plate.shape[:2], 255, np.uint8)
    top = shadowed(box, canvas.light, every, box.plate, box.top_mm, hulls)
    lay(canvas, top, side, box.top_mm)
    for die in _far_to_near(canvas, [d for d in dice if d.where != "ditch"]):
        _paint_above(canvas, die, box.top_mm)


def _above(vertices: Array, height: float) -> Array:
    """What of a convex body's points lies above a height, with its outline pulled down to that height."""
    high = vertices[vertices[:, 2] > height]
    if not len(high):
        return high
    near = vertices[np.abs(vertices[:, 2] - height) < 2.0] * [1, 1, 0] + [0, 0, height]
    return np.concatenate([high, near])


def _paint_above(canvas: Canvas, die: BoxDie, height: float) -> None:
    """Paint again what of a die rises over the plate: the plate was painted over all of it."""
    hull_mm = _above(die.mesh.vertices, height)
    if len(hull_mm) < 3:
        return
    pixels = canvas.camera.project(hull_mm).astype(np.float32)
    hull = cv2.convexHull(pixels)[:, 0]
    h, w = canvas.identity.shape
    x0, y0 = np.maximum(np.floor(hull.min(0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(hull.max(0)).astype(int) + 3, [w, h])
    if x1 <= x0 or y1 <= y0:
        return
    area = (slice(y0, y1), slice(x0, x1))
    before, numbers = canvas.image[area].copy(), canvas.identity[area].copy()
    die.paint(canvas)
    cover = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(cover, np.round((hull - [x0, y0]) * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
    share = cover[:, :, None].astype(np.float32) / 255
    canvas.image[area] = (before + (canvas.image[area] - before.astype(np.float32)) * share + 0.5).astype(np.uint8)
    canvas.identity[area] = np.where(cover > 127, canvas.identity[area], numbers)
