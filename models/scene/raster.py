"""Painter's renderer: meshes and flat textures drawn onto a picture with light, soft shadows and an identity map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.camera import Camera
from models.scene.meshes import Mesh

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
SUPERSAMPLING = 3
_SHIFT = 4


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp and the sky: ``lamp_mm`` its place, colours BGR factors, ``softness_mm`` penumbra per 30 mm height."""

    lamp_mm: Array
    lamp_bgr: Array
    sky_bgr: Array
    softness: float
    shadow: float

    def towards(self, point_mm: Array) -> Array:
        """Unit vector from a point to the lamp."""
        way = self.lamp_mm - point_mm
        return np.asarray(way / np.linalg.norm(way))


@dataclass(frozen=True, slots=True)
class Material:
    """``bgr`` 0..255 base colour, ``gloss`` 0..1 strength and ``shine`` exponent of the highlight, ``grain`` noise."""

    bgr: tuple[float, float, float]
    gloss: float = 0.2
    shine: float = 20.0
    grain: float = 0.0


@dataclass(slots=True)
class Canvas:
    """The picture being painted. ``identity`` (H, W) int32 holds the number of the object seen at a pixel, 0 none."""

    camera: Camera
    light: Light
    image: Image
    identity: NDArray[np.int32] = field(init=False)
    shadow: NDArray[np.uint8] = field(init=False)
    contact: NDArray[np.uint8] = field(init=False)

    def __post_init__(self) -> None:
        self.identity = np.zeros(self.image.shape[:2], np.int32)
        self.shadow = np.zeros(self.image.shape[:2], np.uint8)
        self.contact = np.zeros(self.image.shape[:2], np.uint8)


def face_colours(mesh: Mesh, material: Material, light: Light, camera: Camera, rng: np.random.Generator) -> Array:
    """Lit colour of every face, (F, 3) BGR 0..255: Lambert under lamp and sky plus a Blinn highlight."""
    centre = mesh.faces_mm().mean(1)
    to_lamp = light.towards(centre.mean(0))
    diffuse = np.maximum(mesh.normals @ to_lamp, 0)
    sky = 0.62 + 0.38 * mesh.normals[:, 2]
    view = camera.position_mm - centre
    view /= np.linalg.norm(view, axis=1, keepdims=True)
    half = view + to_lamp
    half /= np.linalg.norm(half, axis=1, keepdims=True) + 1e-9
    spec = material.gloss * np.maximum((mesh.normals * half).sum(1), 0) ** material.shine
    lit = diffuse[:, None] * light.lamp_bgr + sky[:, None] * light.sky_bgr
    if material.grain:
        lit = lit * (1 + material.grain * rng.standard_normal((len(lit), 1)))
    return np.asarray(np.clip(np.array(material.bgr) * lit + 255 * spec[:, None] * light.lamp_bgr, 0, 255))


def draw_faces(canvas: Canvas, faces_px: list[Array], colours: Array, ident: int) -> None:
    """Fill polygons (each (K, 2) px) in the given order with antialiased outer edges."""
    window = window_px(canvas, np.concatenate(faces_px))
    if window is None:
        return
    x0, y0, x1, y1 = window
    scale = SUPERSAMPLING if (x1 - x0) * (y1 - y0) < 60_000 else 2
    layer = np.empty(((y1 - y0) * scale, (x1 - x0) * scale, 3), np.uint8)
    layer[:] = colours.mean(0)
    alpha = np.zeros(layer.shape[:2], np.uint8)
    for face, colour in zip(faces_px, colours, strict=True):
        corner = np.round(((face - [x0, y0]) * scale + (scale - 1) / 2) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(layer, corner, colour.tolist(), cv2.LINE_8, _SHIFT)
        cv2.fillConvexPoly(alpha, corner, 255, cv2.LINE_8, _SHIFT)
    blend(canvas, (x0, y0), layer, alpha, ident, scale)


def blend(
    canvas: Canvas, corner_xy: tuple[int, int], layer: Image, alpha: Image, ident: int, scale: int
) -> None:
    """Put a layer, ``scale`` times finer than the picture, with coverage ``alpha`` (0..255) at ``corner_xy``."""
    x0, y0 = corner_xy
    size = (layer.shape[1] // scale, layer.shape[0] // scale)
    small = cv2.resize(layer, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    cover = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA).astype(np.float32)[:, :, None] / 255
    area = (slice(y0, y0 + size[1]), slice(x0, x0 + size[0]))
    old = canvas.image[area].astype(np.float32)
    canvas.image[area] = (old + (small - old) * cover + 0.5).astype(np.uint8)
    canvas.identity[area][cover[:, :, 0] > 0.5] = ident


def draw_mesh(canvas: Canvas, mesh: Mesh, material: Material, ident: int, rng: np.random.Generator) -> None:
    """Draw the faces that look at the camera, far ones first."""
    camera = canvas.camera
    centre = mesh.faces_mm().mean(1)
    seen = ((camera.position_mm - centre) * mesh.normals).sum(1) > 0
    order = np.flatnonzero(seen)[np.argsort(-camera.depth(centre[seen]))]
    if not len(order):
        return
    colours = face_colours(mesh, material, canvas.light, camera, rng)[order]
    pixels = camera.project(mesh.vertices)[mesh.quads[order]]
    draw_faces(canvas, list(pixels), colours, ident)


def draw_flat(
    canvas: Canvas,
    texture_bgra: Image,
    size_mm: tuple[float, float],
    centre_mm: Array,
    turn_deg: float,
    ident: int,
    gloss: float = 0.0,
) -> None:
    """Draw a texture (h, w, 4) lying at ``centre_mm`` (3,) with width and height ``size_mm``, lit from the lamp."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    corners = np.column_stack([half @ np.array([[c, s], [-s, c]]), np.zeros(4)]) + centre_mm
    pixels = canvas.camera.project(corners)
    window = window_px(canvas, pixels)
    if window is None:
        return
    x0, y0, x1, y1 = window
    scale = SUPERSAMPLING if (x1 - x0) * (y1 - y0) < 60_000 else 2
    h, w = texture_bgra.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    target = ((pixels - [x0, y0]) * scale).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    out = cv2.warpPerspective(
        texture_bgra,
        matrix,
        ((x1 - x0) * scale, (y1 - y0) * scale),
        flags=cv2.INTER_AREA if w > 2 * (x1 - x0) else cv2.INTER_LINEAR,
    )
    lit = flat_light(canvas, centre_mm, gloss)
    colour = np.clip(out[:, :, :3].astype(np.float32) * lit[0] + lit[1], 0, 255).astype(np.uint8)
    blend(canvas, (x0, y0), colour, np.ascontiguousarray(out[:, :, 3]), ident, scale)


def window_px(canvas: Canvas, pixels: Array) -> tuple[int, int, int, int] | None:
    """The part of the picture that points (N, 2) px span and a rim: x0, y0, x1, y1; None where all is outside."""
    height, width = canvas.identity.shape
    x0, y0 = np.maximum(np.floor(pixels.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(pixels.max(0)).astype(int) + 2, [width, height])
    return None if x1 <= x0 or y1 <= y0 else (int(x0), int(y0), int(x1), int(y1))


def flat_light(canvas: Canvas, point_mm: Array, gloss: float) -> tuple[Array, Array]:
    """Factor and highlight (both (3,) BGR) of a surface that lies flat at a point."""
    light, camera = canvas.light, canvas.camera
    to_lamp = light.towards(point_mm)
    view = camera.position_mm - point_mm
    half = view / np.linalg.norm(view) + to_lamp
    half /= np.linalg.norm(half)
    return to_lamp[2] * light.lamp_bgr + light.sky_bgr, 255 * gloss * half[2] ** 60 * light.lamp_bgr


def cast_shadow(canvas: Canvas, mesh: Mesh) -> None:
    """Add the mesh's shadow on the table to the shadow map."""
    lamp = canvas.light.lamp_mm
    points = mesh.vertices
    drop = points[:, 2:] / np.maximum(lamp[2] - points[:, 2:], 20.0)
    ground = np.column_stack([points[:, :2] + (points[:, :2] - lamp[:2]) * drop, np.zeros(len(points))])
    pixels = canvas.camera.project(ground)
    low = points[:, 2] < points[:, 2].min() + 4
    if points[low, 2].mean() < 6 and low.sum() > 2:
        foot = canvas.camera.project(points[low] * [1, 1, 0])
        hull = cv2.convexHull(foot.astype(np.float32))[:, 0]
        cv2.fillConvexPoly(canvas.contact, np.round(hull).astype(np.int32), 255)
    if len(mesh.quads) < 700:
        polygons = [cv2.convexHull(pixels.astype(np.float32))[:, 0]]
    else:
        lit = (canvas.light.towards(points.mean(0)) * mesh.normals).sum(1) > 0
        polygons = list(pixels[mesh.quads[lit]])
    for polygon in polygons:
        cv2.fillConvexPoly(canvas.shadow, np.round(polygon).astype(np.int32), 255)


def apply_shadows(canvas: Canvas, px_per_mm: float) -> None:
    """Darken the picture by the blurred shadow map and forget the map."""
    if not canvas.shadow.any():
        return
    soft = _blurred(canvas.shadow, max(0.6, canvas.light.softness * px_per_mm))
    sky = canvas.light.sky_bgr / (canvas.light.sky_bgr + canvas.light.lamp_bgr)
    near = _blurred(canvas.contact, max(0.6, 2.0 * px_per_mm))
    dark = np.maximum(soft, near) > 0
    if dark.any():
        rows, columns = (np.flatnonzero(dark.any(axis=axis)) for axis in (1, 0))
        part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        factor = 1 - canvas.light.shadow * soft[part][:, :, None] * (1 - sky.astype(np.float32))
        factor = factor * (1 - 0.55 * near[part][:, :, None])
        canvas.image[part] = np.clip(canvas.image[part] * factor, 0, 255).astype(np.uint8)
    canvas.shadow[:] = 0
    canvas.contact[:] = 0


def _blurred(mask: NDArray[np.uint8], sigma: float) -> NDArray[Any]:
    """Gaussian blur to 0..1, on a shrunken copy when the blur is wide."""
    shrink = max(1, int(sigma / 2.5))
    size = (mask.shape[1] // shrink + 1, mask.shape[0] // shrink + 1)
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA) if shrink > 1 else mask
    soft = cv2.GaussianBlur(small, (0, 0), sigma / shrink)
    full = cv2.resize(soft, (mask.shape[1], mask.shape[0])) if shrink > 1 else soft
    return full.astype(np.float32) / 255
