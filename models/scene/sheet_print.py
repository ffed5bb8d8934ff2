"""Score sheets as they come from a printer: the product's own design and others, drawn from the same shapes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pil
from PIL import ImageDraw

from models.scene.assets import Assets, font

if TYPE_CHECKING:
    from calibration.sheets.art import Printing, Shape
    from calibration.sheets.layout import Rect, SheetField, SheetLayout

Image = NDArray[np.uint8]
Rng = np.random.Generator
PX_PER_MM = 8
SEGMENTS = ((3, 3, 3, 3),) * 6 + ((2, 2, 2, 2), (4, 3, 2, 1), (1, 2, 3, 4), (2, 3, 3, 2))


def printed(layout: SheetLayout, printing: Printing, copy: int, face: Path | None) -> Image:
    """The sheet (H, W, 3) BGR at PX_PER_MM; ``copy``: whose markers; ``face``: the font, None for Pillow's own."""
    from calibration.board import marker_cells
    from calibration.sheets.art import sheet_art

    width, height = (round(side * PX_PER_MM) for side in layout.size_mm)
    sheet = Pil.new("RGB", (width, height), printing.paper)
    draw = ImageDraw.Draw(sheet)
    for shape in sheet_art(layout, printing):
        draw_shape(draw, shape, face)
    image = np.asarray(sheet)[:, :, ::-1].copy()
    half = layout.marker_mm / 2
    for number, (x, y) in zip(layout.marker_ids[copy] if layout.marker_ids else (), layout.marker_centres_mm,
                              strict=False):
        cells = np.where(marker_cells(number), 12, 250).astype(np.uint8)
        side = round(layout.marker_mm * PX_PER_MM)
        mark = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
        left, top = round((x - half) * PX_PER_MM), round((y - half) * PX_PER_MM)
        image[top : top + side, left : left + side] = mark[:, :, None]
    return np.asarray(image, np.uint8)


def draw_shape(draw: ImageDraw.ImageDraw, shape: Shape, face: Path | None) -> None:
    """One shape of :mod:`calibration.sheets.art`."""
    from calibration.sheets.art import Box, Words

    u = PX_PER_MM
    if isinstance(shape, Box):
        x, y, w, h = (v * u for v in shape.rect_mm)
        thick = max(1, round(shape.line_mm * u))
        draw.rounded_rectangle(
            (x, y, x + w, y + h), shape.corner_mm * u, shape.fill, shape.line, thick if shape.line else 0
        )
    elif isinstance(shape, Words):
        letters = font(face, max(6, round(shape.size_mm * u)))
        place = (shape.at_mm[0] * u, shape.at_mm[1] * u)
        draw.text(place, shape.text, shape.colour, letters, anchor="mm" if shape.centred else "lm")
    elif shape.fill:
        draw.polygon([(x * u, y * u) for x, y in shape.points_mm], fill=shape.fill)
    elif shape.line:
        points = [(x * u, y * u) for x, y in shape.points_mm]
        draw.line(points, shape.line, max(1, round(shape.line_mm * u)), joint="curve")


def draw_layout(rng: Rng) -> SheetLayout:
    """A made-up sheet without markers: four bands of eleven numbers and a lock, misthrow fields below."""
    from calibration.sheets.layout import LOCK, ROWS, SheetField, SheetLayout

    width = rng.uniform(135, 205)
    left, top = width * rng.uniform(0.015, 0.05), rng.uniform(3, 20)
    pitch = (width - 2 * left) / rng.uniform(12.8, 14.2)
    w, high = pitch * rng.uniform(0.76, 0.95), pitch * rng.uniform(1.15, 1.75)
    h, gap = min(high * rng.uniform(0.6, 0.85), w * 1.5), rng.uniform(0.4, 4.0)
    start = left + pitch * rng.uniform(0.1, 0.5)
    lock = min(h, w) * rng.uniform(0.85, 1.15)
    lock_at = rng.uniform(start + 11 * pitch + 0.2, max(start + 11 * pitch + 0.3, width - left - lock - 0.6))
    fields, bands = [], []
    for k, row in enumerate(ROWS):
        y = top + k * (high + gap)
        bands.append((row, (left, y, width - 2 * left, high)))
        for j, number in enumerate(range(2, 13) if k < 2 else range(12, 1, -1)):
            fields.append(SheetField(row, number, (start + j * pitch, y + (high - h) / 2, w, h)))
        fields.append(SheetField(row, LOCK, (lock_at, y + (high - lock) / 2, lock, lock)))
    below = top + 4 * high + 3 * gap
    fields += draw_misthrow(rng, width, left, below)
    foot = max(f.rect_mm[1] + f.rect_mm[3] for f in fields) + rng.uniform(3, 14)
    return SheetLayout("made up", (width, foot), tuple(fields), tuple(bands))


def draw_misthrow(rng: Rng, width: float, left: float, top: float) -> list[SheetField]:
    """The misthrow fields in one line below ``top``, each group of small ones ending in a -5 field."""
    from calibration.sheets.layout import MISTHROW, SheetField

    groups = SEGMENTS[int(rng.integers(len(SEGMENTS)))]
    small = rng.uniform(5.0, 7.5)
    large = small * (rng.uniform(1.2, 1.6) if rng.random() < 0.85 else 1.0)
    wide = large * (1.0 if rng.random() < 0.6 else rng.uniform(1.0, 1.4))
    gap, between = rng.uniform(0.5, 2.0), rng.uniform(1.5, 6.0)
    count = sum(groups)
    whole = count * (small + gap) + 4 * wide + 3 * between
    grow = min(1.0, (width - 2 * left - 2) / whole)
    small, large, wide, gap, between = (v * grow for v in (small, large, wide, gap, between))
    x = left + rng.uniform(0, width - 2 * left - whole * grow)
    middle = top + rng.uniform(6, 13) + large / 2
    out: list[SheetField] = []
    for group in groups:
        for k in range(group + 1):
            w, h = (wide, large) if k == group else (small, small)
            rect: Rect = (x, middle - h / 2, w, h)
            out.append(SheetField(MISTHROW, len(out) + 1, rect, k == group))
            x += w + (between if k == group else gap)
    return out


def draw_printing(rng: Rng, own: bool) -> Printing:
    """How this copy is printed. ``own``: the product's own sheet from some home printer, at times without colour."""
    from calibration.sheets.art import PAINTS, TEXTS, WHITE, Printing, mixed

    paints = {row: _shifted(rgb, rng) for row, rgb in PAINTS.items()}
    warm = rng.uniform(0, 1)
    paper = mixed((250, 242, 225), WHITE, warm * rng.uniform(0, 1))
    words = TEXTS[str(rng.choice(["de", "en"]))]
    if own:
        if rng.random() < 0.1:
            paints = {row: (int(sum(rgb) / 3),) * 3 for row, rgb in paints.items()}
        return Printing(paints, paper, float(rng.uniform(0.14, 0.3)), texts=words)
    base = Printing(paints, paper, texts=words, points=bool(rng.random() < 0.3))
    return replace(
        base, band=float(rng.uniform(0.75, 1.0)), ground=float(rng.choice([0.0, rng.uniform(0.05, 0.4)])),
        outline_mm=float(rng.choice([0.0, 0.0, rng.uniform(0.2, 0.6)])), corner=float(rng.uniform(0, 0.7)),
        number=float(rng.uniform(0.4, 0.7)), dark_numbers=bool(rng.random() < 0.25),
        round_lock=bool(rng.random() < 0.7), mark_band_start=False,
    )


def _shifted(rgb: tuple[int, int, int], rng: Rng) -> tuple[int, int, int]:
    tone = cv2.cvtColor(np.array([[rgb]], np.uint8), cv2.COLOR_RGB2HSV)[0, 0].astype(float)
    tone += rng.normal(0, [3.0, 14, 16])
    tone = np.clip(tone, [0, 120, 70], [179, 255, 250])
    r, g, b = cv2.cvtColor(tone[None, None].astype(np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
    return int(r), int(g), int(b)


def draw_face(rng: Rng, assets: Assets) -> Path | None:
    """A font of the assets, at times Pillow's own."""
    return assets.fonts[int(rng.integers(len(assets.fonts)))] if assets.fonts and rng.random() < 0.85 else None
