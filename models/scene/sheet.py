"""Photographed score sheets: printed, written on, curled, lit, partly covered, with the truth of every field."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.assets import Assets
from models.scene.camera import Camera
from models.scene.compose import View, empty_table
from models.scene.pip_die import Die
from models.scene.raster import Material
from models.scene.sensor import expose
from models.scene.sheet_marks import Writing, draw_game, write_game
from models.scene.sheet_print import PX_PER_MM, draw_face, draw_layout, draw_printing, printed
from models.scene.stage import Stage
from models.scene.textures import bgr, card_texture, hsv, table_texture
from models.scene.things import Part, draw_light, hand

if TYPE_CHECKING:
    from calibration.sheets.layout import SheetField, SheetLayout

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Rng = np.random.Generator
HIDDEN = 0.35
"""A field counts as hidden when more than this share of it is covered."""


@dataclass(slots=True)
class Paper:
    """A sheet lying on the table: ``corner_mm`` where its top left corner lies, ``lift_mm`` (h, w) how high the paper
    stands off the table on a grid over the whole sheet."""

    size_mm: tuple[float, float]
    corner_mm: Array
    lift_mm: NDArray[np.float32]

    def lift_at(self, points_mm: Array) -> Array:
        """Height above the table of points (N, 2) on the sheet."""
        x, y = (points_mm * self._grid()).T.astype(np.float32)
        return np.asarray(cv2.remap(self.lift_mm, x[None], y[None], cv2.INTER_LINEAR)[0], np.float64)

    def _grid(self) -> Array:
        height, width = self.lift_mm.shape
        return np.array([(width - 1) / self.size_mm[0], (height - 1) / self.size_mm[1]])


@dataclass(slots=True)
class SheetScene:
    """A picture (H, W, 3) uint8 BGR and its truth: ``state`` by field name (``free``, ``dash``, ``crossed``),
    ``hidden`` names of covered fields."""

    image: Image
    layout: SheetLayout
    copy: int
    state: dict[str, str]
    hidden: frozenset[str]
    camera: Camera
    paper: Paper
    bulge: float = 0.0
    extra: list[SheetScene] = field(default_factory=list)

    def to_px(self, points_mm: Array) -> Array:
        """Where points (N, 2) of the sheet are seen, (N, 2) px."""
        points = np.asarray(points_mm, float).reshape(-1, 2)
        world = np.column_stack([points + self.paper.corner_mm, self.paper.lift_at(points)])
        return _bulged(self.camera.project(world), self.bulge, self.camera.size_wh)

    def quad_px(self, rect_mm: tuple[float, float, float, float]) -> Array:
        """The corners (4, 2) of a rectangle of the sheet, clockwise from its top left."""
        x, y, w, h = rect_mm
        return self.to_px(np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)]))


def sheet_scene(
    seed: int, assets: Assets, size_wh: tuple[int, int] | None = None, own: bool | None = None,
    state: dict[str, str] | None = None, whole: bool = True, crowd: float = 0.3,
) -> SheetScene:
    """A scene of one sheet; the same seed and assets give the same picture.

    ``own``: the product's sheet with markers (None: half and half); ``state``: what is written on it (None: drawn);
    ``whole``: the sheet lies wholly in the picture; ``crowd``: how often hands and pens lie about.
    """
    from calibration.sheets.layout import load_layout

    rng = np.random.default_rng(seed)
    own = bool(rng.random() < 0.5) if own is None else own
    size = size_wh or ((1280, 720) if rng.random() < 0.6 else (1280, 960))
    layout = load_layout() if own else draw_layout(rng)
    copy = int(rng.integers(len(layout.marker_ids))) if layout.marker_ids else 0
    texture = printed(layout, draw_printing(rng, own), copy, draw_face(rng, assets))
    state = draw_game(layout, rng) if state is None else state
    write_game(Writing(texture, rng), layout, state, rng)
    camera, corner = _camera(rng, layout.size_mm, size, whole)
    paper = Paper(layout.size_mm, corner, _lift(rng, layout.size_mm))
    image, covered = _photograph(rng, assets, camera, paper, texture, crowd)
    bulge = float(rng.normal(0, 0.025))
    image = expose(_lens(image, bulge), rng, float(rng.uniform(0.2, 0.8)))
    scene = SheetScene(image, layout, copy, state, frozenset(), camera, paper, bulge)
    lensed = _lens(covered.astype(np.uint8) * 255, bulge)
    scene.hidden = frozenset(f.name for f in layout.fields if _share(lensed, scene, f) > HIDDEN)
    return scene


def _share(covered: Image, scene: SheetScene, one: SheetField) -> float:
    mask = np.zeros(covered.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(scene.quad_px(one.rect_mm)).astype(np.int32), 1)
    return float((covered[mask > 0] > 127).mean()) if mask.any() else 1.0


def _camera(
    rng: Rng, size_mm: tuple[float, float], size_wh: tuple[int, int], whole: bool
) -> tuple[Camera, Array]:
    """A camera, and where the sheet's corner lies on the table so that it is in the picture."""
    half = np.array(size_mm) / 2
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    while True:
        focal = rng.uniform(800, 1900) * size_wh[0] / 1280
        scale = size_wh[0] * rng.uniform(0.38, 0.85) / size_mm[0]
        around = rng.normal(0, 18) if rng.random() < 0.85 else rng.uniform(0, 360)
        elevation = rng.uniform(38, 88)
        camera = Camera.looking_at((0, 0), focal / scale, elevation, around, rng.normal(0, 3), focal, size_wh)
        shift = rng.uniform(-0.5, 0.5, 2) * (1.6 if not whole else 1.0) * size_mm
        pixels = camera.project(np.column_stack([corners + shift, np.zeros(4)]))
        inside = ((pixels > 8) & (pixels < np.array(size_wh) - 8)).all(1)
        smallest = min(np.linalg.norm(pixels[0] - pixels[3]), np.linalg.norm(pixels[1] - pixels[2]))
        shortest = min(np.linalg.norm(pixels[0] - pixels[1]), np.linalg.norm(pixels[2] - pixels[3]))
        if smallest < 170 * size_wh[0] / 1280 or shortest < 380 * size_wh[0] / 1280:
            continue
        if inside.all() if whole else inside.sum() == 2:
            return camera, shift - half


def _lift(rng: Rng, size_mm: tuple[float, float]) -> NDArray[np.float32]:
    """How a sheet stands off the table: a bow across it, corners turned up; mostly little."""
    y, x = np.mgrid[-1 : 1 : 24j, -1 : 1 : 36j]
    way = rng.uniform(0, np.pi)
    along = np.cos(way) * x + np.sin(way) * y
    bow = rng.gamma(1.2, 1.0) * along**2 * (1 if rng.random() < 0.6 else -1)
    ripple = rng.gamma(1.0, 0.35) * np.sin(along * rng.uniform(1, 3) * np.pi + rng.uniform(0, 6))
    lift = bow + ripple
    for cx, cy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        if rng.random() < 0.3:
            near = np.clip(1 - np.hypot(x - cx, y - cy) / rng.uniform(0.5, 1.2), 0, 1)
            lift = lift + rng.gamma(1.5, 1.8) * near**2
    return np.asarray(lift - lift.min() + 0.2, np.float32)


def _photograph(
    rng: Rng, assets: Assets, camera: Camera, paper: Paper, texture: Image, crowd: float
) -> tuple[Image, NDArray[np.bool_]]:
    """The table with the sheet and whatever lies about; and where something covers them."""
    light = draw_light(rng, 600.0)
    below = Stage(camera, light, rng)
    scale = camera.focal_px / float(camera.depth(np.array([[0.0, 0, 0]]))[0])
    view = View(camera, np.zeros(2), scale)
    table = empty_table(view, table_texture(rng, assets), rng.uniform(0.25, 1.6), rng.uniform(0, 360), below, rng)
    for _ in range(int(rng.poisson(0.6))):
        wide = rng.uniform(40, 120)
        spot = (float(rng.uniform(-260, 260)), float(rng.uniform(-200, 200)))
        below.add_flat(card_texture(rng, assets), (wide, wide * rng.uniform(1, 1.6)), spot, rng.uniform(0, 360))
    picture, _ = below.paint(table, scale)
    picture = lay_paper(picture, camera, paper, texture, below)
    if rng.random() < 0.35:
        picture = _shaded(picture, rng)
    above = Stage(camera, light, rng)
    _clutter(rng, assets, above, paper, crowd)
    image, _ = above.paint(picture, scale)
    assert above.covered is not None
    return image, above.covered


def lay_paper(picture: Image, camera: Camera, paper: Paper, texture: Image, stage: Stage) -> Image:
    """The table with the sheet on it: every pixel looks up where its ray meets the lifted paper."""
    width, height = camera.size_wh
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    inverse = np.linalg.inv(camera.homography())
    w = inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]
    u = (inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2]) / w - paper.corner_mm[0]
    v = (inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2]) / w - paper.corner_mm[1]
    eye = camera.position_mm - [*paper.corner_mm, 0]
    grid_h, grid_w = paper.lift_mm.shape
    step = np.array([(grid_w - 1) / paper.size_mm[0], (grid_h - 1) / paper.size_mm[1]])

    def looked_up(values: NDArray[np.float32], at_u: Array, at_v: Array) -> NDArray[np.float32]:
        return np.asarray(cv2.remap(values, (at_u * step[0]).astype(np.float32), (at_v * step[1]).astype(np.float32),
                                    cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))

    at_u, at_v = u, v
    for _ in range(3):
        share = looked_up(paper.lift_mm, at_u, at_v) / eye[2]
        at_u, at_v = u + (eye[0] - u) * share, v + (eye[1] - v) * share
    scale = camera.focal_px / float(np.linalg.norm(camera.position_mm - [*(paper.corner_mm), 0]))
    shrink = min(1.0, 1.25 * scale / PX_PER_MM)
    small = cv2.resize(texture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    rim = cv2.copyMakeBorder(np.dstack([small, np.full(small.shape[:2], 255, np.uint8)]), 2, 2, 2, 2,
                             cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    factor = np.array(small.shape[1::-1]) / paper.size_mm
    seen = cv2.remap(rim, (at_u * factor[0] + 1.5).astype(np.float32), (at_v * factor[1] + 1.5).astype(np.float32),
                     cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    slope_y, slope_x = (np.asarray(g, np.float32) for g in np.gradient(paper.lift_mm))
    normal = np.stack([-looked_up(slope_x, at_u, at_v) * step[0], -looked_up(slope_y, at_u, at_v) * step[1],
                       np.ones_like(x)], 2)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    lamp = stage.light.lamp_mm - [*paper.corner_mm, 0]
    way = np.stack([lamp[0] - at_u, lamp[1] - at_v, np.full_like(at_u, lamp[2])], 2)
    far = np.linalg.norm(way, axis=2, keepdims=True)
    falloff = np.clip((lamp @ lamp) / far**2, 0.3, 1.8)
    facing = np.maximum((normal * way / far).sum(2, keepdims=True), 0)
    lit = stage.light.sky_bgr + facing * stage.light.lamp_bgr * falloff
    colour = seen[:, :, :3] * lit
    cover = seen[:, :, 3:].astype(np.float32) / 255
    return np.asarray(np.clip(picture + (colour - picture) * cover, 0, 255), np.uint8)


def _shaded(picture: Image, rng: Rng) -> Image:
    """The soft shadow of somebody or something out of view."""
    height, width = picture.shape[:2]
    mask = np.zeros((height // 8, width // 8), np.float32)
    points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * [width / 8, height / 8]
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1.0)
    soft = cv2.resize(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 12))), (width, height))
    return np.asarray(picture * (1 - rng.uniform(0.15, 0.55) * soft[:, :, None]), np.uint8)


def _clutter(rng: Rng, assets: Assets, stage: Stage, paper: Paper, crowd: float) -> None:
    """Dice and a pen beside the sheet, at times a pen or a hand on it."""
    middle = paper.corner_mm + np.array(paper.size_mm) / 2
    for _ in range(int(rng.poisson(0.8))):
        away = rng.uniform(0, 2 * np.pi)
        spot = middle + np.array([np.cos(away), np.sin(away)]) * paper.size_mm * rng.uniform(0.75, 1.2)
        stage.add_die(Die.draw(rng), (float(spot[0]), float(spot[1])), rng.uniform(0, 360))
    if rng.random() < crowd:
        on = rng.random() < 0.45
        spot = middle + rng.uniform(-0.6, 0.6, 2) * paper.size_mm * (1.0 if on else 2.2)
        stage.add_parts([_pen(rng, spot, paper.lift_mm.max())])
    if rng.random() < crowd * 0.6:
        reach = middle + rng.uniform(-0.6, 0.6, 2) * paper.size_mm
        towards = rng.uniform(20, 160)
        stage.add_parts(hand(rng, assets, np.array([*reach, 6.0]), towards), "hand", over=True)


def _pen(rng: Rng, at_mm: Array, lift: float) -> Part:
    long, thick = rng.uniform(90, 170), rng.uniform(3.2, 5.5)
    path = np.outer(np.array([-0.5, -0.42, 0.3, 0.5]) * long, [1.0, 0, 0])
    body = meshes.tube(path, np.array([0.5, thick, thick, thick]))
    paint = Material(bgr(hsv(rng.random(), rng.uniform(0, 0.95), rng.uniform(0.05, 1.0))), 0.5, 25.0)
    return Part(body.moved(np.array([*at_mm, thick + float(lift)]), meshes.turn_z(float(rng.uniform(0, 360)))), paint)


def _bulged(points_px: Array, bulge: float, size_wh: tuple[int, int]) -> Array:
    """Where points of the straight picture lie after the lens (inverse of :func:`_lens`' look-up)."""
    centre, unit = np.array(size_wh) / 2, max(size_wh) / 2
    straight = (points_px - centre) / unit
    out = straight.copy()
    for _ in range(6):
        out = straight / (1 + bulge * (out**2).sum(1, keepdims=True))
    return np.asarray(out * unit + centre)


def _lens(image: Image, bulge: float) -> Image:
    """The picture through a lens with one radial term."""
    height, width = image.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    unit = max(width, height) / 2
    u, v = (x - width / 2) / unit, (y - height / 2) / unit
    grow = 1 + np.float32(bulge) * (u * u + v * v)
    return np.asarray(cv2.remap(image, u * grow * unit + width / 2, v * grow * unit + height / 2, cv2.INTER_LINEAR,
                                borderMode=cv2.BORDER_REPLICATE), np.uint8)
