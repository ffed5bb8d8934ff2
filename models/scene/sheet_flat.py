"""Score sheets photographed quickly: flat, filling the picture, a few strokes over it; for crops by the thousand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.assets import Assets
from models.scene.sensor import expose
from models.scene.sheet_marks import Writing, draw_game, write_game, write_mixed
from models.scene.sheet_print import PX_PER_MM, draw_face, draw_layout, draw_printing, printed
from models.scene.textures import hsv

if TYPE_CHECKING:
    from calibration.sheets.layout import SheetLayout

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Rng = np.random.Generator
_RIM_PX = 24
MIXED = 0.6
"""So many sheets bear every kind of mark, not one person's."""


@dataclass(frozen=True, slots=True)
class FlatSheet:
    """A picture (H, W, 3) of a sheet, ``state`` by field name, ``hidden`` names, ``px_from_mm`` (3, 3)."""

    image: Image
    layout: SheetLayout
    state: dict[str, str]
    hidden: frozenset[str]
    px_from_mm: Array

    def to_px(self, points_mm: Array) -> Array:
        """Where points (N, 2) of the sheet are seen, (N, 2) px."""
        points = np.column_stack([np.asarray(points_mm, float).reshape(-1, 2), np.ones(len(points_mm))])
        seen = points @ self.px_from_mm.T
        return np.asarray(seen[:, :2] / seen[:, 2:])


def flat_sheet(rng: Rng, assets: Assets) -> FlatSheet:
    """A random sheet at the resolution and slant of a camera over a table."""
    from calibration.sheets.layout import load_layout

    own = rng.random() < 0.45
    layout = load_layout() if own else draw_layout(rng)
    texture = printed(layout, draw_printing(rng, own), int(rng.integers(2)), draw_face(rng, assets))
    state = draw_game(layout, rng)
    (write_mixed if rng.random() < MIXED else write_game)(Writing(texture, rng), layout, state, rng)
    scale = float(np.exp(rng.uniform(np.log(1.5), np.log(6.0))))
    matrix, size = _view(rng, layout.size_mm, scale)
    shrink = min(1.0, 1.25 * scale / PX_PER_MM)
    small = cv2.resize(texture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    units = np.diag([layout.size_mm[0] / small.shape[1], layout.size_mm[1] / small.shape[0], 1.0])
    ground = tuple(float(v) for v in rng.uniform(10, 230, 3))
    warped = cv2.warpPerspective(small, matrix @ units, size, flags=cv2.INTER_LINEAR, borderValue=ground)
    image = np.asarray(warped, np.uint8)
    covered = _cover(image, rng)
    lit = image * _light(rng, size)
    seen = expose(np.clip(lit, 0, 255).astype(np.uint8), rng, float(rng.uniform(0.2, 0.9)))
    sheet = FlatSheet(seen, layout, state, frozenset(), matrix)
    hidden = []
    for field in layout.fields:
        x, y = np.round(sheet.to_px(np.array([field.centre_mm]))[0]).astype(int)
        half = max(2, round(min(field.rect_mm[2:]) * scale * 0.35))
        area = covered[max(y - half, 0) : y + half + 1, max(x - half, 0) : x + half + 1]
        if area.size and area.mean() > 0.4:
            hidden.append(field.name)
    return FlatSheet(seen, layout, state, frozenset(hidden), matrix)


def _view(rng: Rng, size_mm: tuple[float, float], scale: float) -> tuple[Array, tuple[int, int]]:
    """A slanted view: sheet mm to px (3, 3), and the size of the picture."""
    width, height = size_mm
    turn = np.radians(rng.normal(0, 10) if rng.random() < 0.85 else rng.uniform(0, 360))
    flat = np.sin(np.radians(rng.uniform(38, 90)))
    corners = (np.array([(0, 0), (width, 0), (width, height), (0, height)]) - np.array(size_mm) / 2) * scale
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    seen = corners @ spin.T * [1, flat]
    near = rng.uniform(0, 0.0005) * (1 - flat) * 2
    seen = seen / (1 - near * seen[:, 1:])
    seen += _RIM_PX - seen.min(0)
    high = seen.max(0) + _RIM_PX
    mm = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(mm, seen.astype(np.float32))
    return np.asarray(matrix, np.float64), (int(high[0]), int(high[1]))


def _cover(image: Image, rng: Rng) -> NDArray[np.float32]:
    """Pens and fingers across the sheet at times, with a soft shadow; where they are (H, W) 0..1."""
    mask = np.zeros(image.shape[:2], np.uint8)
    height, width = image.shape[:2]
    for _ in range(int(rng.choice([0, 0, 1, 1, 2]))):
        thick = int(rng.uniform(0.02, 0.12) * width)
        start = rng.uniform(0.05, 0.95, 2) * [width, height]
        away = start + rng.normal(0, 0.7, 2) * [width, height]
        layer = np.zeros_like(mask)
        cv2.line(layer, np.round(start).astype(int).tolist(), np.round(away).astype(int).tolist(), 255, max(thick, 2))
        skin = hsv(rng.uniform(0.03, 0.08), rng.uniform(0.3, 0.65), rng.uniform(0.3, 0.95))
        colour = skin if rng.random() < 0.5 else hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.05, 1))
        blurred = cv2.GaussianBlur(layer, (0, 0), max(1.0, thick / 3)).astype(np.float32)[:, :, None] / 255
        image[:] = np.clip(image * (1 - rng.uniform(0, 0.5) * blurred), 0, 255)
        shade = rng.uniform(0.75, 1.1) * np.array(colour[::-1])
        image[layer > 0] = np.clip(shade + rng.normal(0, 4, (int((layer > 0).sum()), 1)), 0, 255)
        mask |= layer
    return np.asarray(mask > 0, np.float32)


def _light(rng: Rng, size_wh: tuple[int, int]) -> NDArray[np.float32]:
    """Uneven light (H, W, 1): a slope, at times the edge of a shadow."""
    x, y = np.meshgrid(np.linspace(-1, 1, size_wh[0]), np.linspace(-1, 1, size_wh[1]))
    light = 1 + rng.normal(0, 0.12) * x + rng.normal(0, 0.12) * y
    if rng.random() < 0.4:
        way = rng.uniform(0, 2 * np.pi)
        edge = (np.cos(way) * x + np.sin(way) * y - rng.uniform(-0.8, 0.8)) / rng.uniform(0.02, 0.5)
        light = light * (1 - rng.uniform(0.1, 0.55) / (1 + np.exp(-np.clip(edge, -30, 30))))
    return np.asarray(light * rng.uniform(0.55, 1.05), np.float32)[:, :, None]
