"""What is printed on things: tile faces, end tiles, cards, markers, table tops. Textures are BGRA, uint8."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pil
from PIL import ImageDraw

from models.scene.assets import Assets, font, has_glyph, picture

Image = NDArray[np.uint8]
Rng = np.random.Generator
Colour = tuple[int, int, int]
TILE_PX = 192


def hsv(h: float, s: float, v: float) -> Colour:
    """RGB 0..255 of a hue in turns, saturation and value 0..1."""
    r, g, b = colorsys.hsv_to_rgb(h % 1.0, min(max(s, 0), 1), min(max(v, 0), 1))
    return int(r * 255), int(g * 255), int(b * 255)


def bgr(rgb: tuple[int, int, int]) -> tuple[float, float, float]:
    """RGB to BGR as floats."""
    return float(rgb[2]), float(rgb[1]), float(rgb[0])


@dataclass(frozen=True, slots=True)
class TileStyle:
    """How one copy of the game is printed."""

    sides: int
    font: Path | None
    text_scale: float
    text_at: float
    edges: int
    outline: bool
    dark_text: bool
    rim: float
    hues: tuple[float, float, float, float]
    saturation: float
    value: float
    art: bool
    minus: str
    wear: float

    @classmethod
    def draw(cls, rng: Rng, assets: Assets) -> TileStyle:
        """A random printing."""
        signs = ("-", "\u2212", "\u2212", "\u2013")
        face = Path(str(rng.choice([str(p) for p in assets.fonts]))) if assets.fonts and rng.random() < 0.85 else None
        return cls(
            sides=int(rng.choice([8, 8, 8, 8, 6, 60])),
            font=face,
            text_scale=float(rng.uniform(0.17, 0.3)),
            text_at=float(rng.uniform(0.27, 0.36)),
            edges=int(rng.choice([2, 2, 2, 2, 1, 4])),
            outline=bool(rng.random() < 0.6),
            dark_text=bool(rng.random() < 0.25),
            rim=float(rng.choice([0.0, 0.02, 0.04, 0.07])),
            hues=(
                float(rng.normal(0.0, 0.018)),
                float(rng.normal(0.35, 0.045)),
                float(rng.uniform(0.08, 0.16)),
                float(rng.normal(0.07, 0.015)),
            ),
            saturation=float(rng.uniform(0.6, 0.95)),
            value=float(rng.uniform(0.5, 0.9)),
            art=bool(rng.random() < 0.85),
            minus=str(rng.choice([sign for sign in signs if has_glyph(face, sign)] or ["-"])),
            wear=float(rng.uniform(0, 0.5)),
        )


def _blob(draw: ImageDraw.ImageDraw, rng: Rng, x: float, y: float, r: float, colour: Colour) -> None:
    n = int(rng.integers(3, 11))
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False) + rng.uniform(0, 6)
    radius = r * rng.uniform(0.5, 1.0, n)
    draw.polygon(
        [(x + q * np.cos(a), y + q * np.sin(a)) for a, q in zip(angle, radius, strict=True)],
        fill=colour,
        outline=(30, 30, 30) if rng.random() < 0.5 else None,
    )


def _art(draw: ImageDraw.ImageDraw, rng: Rng, r: float) -> None:
    """A made-up cartoon: disc, body, head, eyes, in random colours."""
    c = TILE_PX / 2
    if rng.random() < 0.6:
        draw.ellipse([c - r, c - r, c + r, c + r], fill=hsv(rng.random(), rng.uniform(0.05, 0.5), rng.uniform(0.6, 1)))
    for _ in range(int(rng.integers(1, 5))):
        dx, dy = rng.normal(0, r * 0.3, 2)
        colour = hsv(rng.random(), rng.uniform(0.1, 0.9), rng.uniform(0.3, 0.95))
        if rng.random() < 0.5:
            w, h = rng.uniform(0.15, 0.7, 2) * r
            draw.ellipse([c + dx - w, c + dy - h, c + dx + w, c + dy + h], fill=colour, outline=(40, 40, 40))
        else:
            _blob(draw, rng, c + dx, c + dy, r * 0.6, colour)
    for dx in (-0.15, 0.15):
        e = r * 0.07
        draw.ellipse([c + dx * r - e, c - e, c + dx * r + e, c + e], fill=(20, 20, 20))


def _clover(draw: ImageDraw.ImageDraw, rng: Rng, r: float) -> None:
    c, colour = TILE_PX / 2, hsv(rng.normal(0.36, 0.03), rng.uniform(0.6, 0.95), rng.uniform(0.3, 0.65))
    turn, lobe, out = rng.uniform(0, 1.6), r * rng.uniform(0.36, 0.5), r * rng.uniform(0.4, 0.55)
    if rng.random() < 0.8:
        end = turn + np.pi / 4
        draw.line(
            [c, c, c + 1.15 * r * np.cos(end), c + 1.15 * r * np.sin(end)], fill=colour, width=max(2, int(r * 0.1))
        )
    for k in range(4):
        x, y = c + out * np.cos(turn + k * np.pi / 2), c + out * np.sin(turn + k * np.pi / 2)
        if rng.random() < 0.5:
            draw.ellipse([x - lobe, y - lobe, x + lobe, y + lobe], fill=colour)
        else:
            for side in (-0.35, 0.35):
                a = turn + k * np.pi / 2 + side
                u, v = c + out * 1.05 * np.cos(a), c + out * 1.05 * np.sin(a)
                draw.ellipse([u - lobe * 0.75, v - lobe * 0.75, u + lobe * 0.75, v + lobe * 0.75], fill=colour)


def _text(sheet: Pil.Image, text: str, style: TileStyle, scale: float, at: float, turn: float, rng: Rng) -> None:
    size = max(8, int(TILE_PX * scale))
    face = font(style.font, size)
    patch = Pil.new("RGBA", (TILE_PX, TILE_PX), (0, 0, 0, 0))
    draw = ImageDraw.Draw(patch)
    fill = (25, 22, 20) if style.dark_text else (255, 255, 255)
    stroke = max(1, size // 12) if style.outline else 0
    edge = (255, 255, 255) if style.dark_text else (20, 20, 20)
    draw.text(
        (TILE_PX / 2, TILE_PX * (0.5 + at)),
        text,
        font=face,
        fill=(*fill, 255),
        anchor="mm",
        stroke_width=stroke,
        stroke_fill=(*edge, 255),
    )
    sheet.alpha_composite(patch.rotate(turn, Pil.Resampling.BILINEAR))


def _outline(sides: int, scale: float) -> list[tuple[float, float]]:
    radius = TILE_PX / 2 / np.cos(np.pi / sides) * scale
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False) + np.pi / sides
    return [(TILE_PX / 2 + radius * np.cos(a), TILE_PX / 2 + radius * np.sin(a)) for a in angle]


def tile_colour(style: TileStyle, kind: str, rng: Rng) -> Colour:
    """Ground colour of a tile of ``kind``: a class of TILE_CLASSES."""
    s, v = style.saturation + rng.normal(0, 0.02), style.value + rng.normal(0, 0.02)
    if kind == "luck":
        return hsv(
            style.hues[2], 0.03 + 0.25 * style.saturation * (style.hues[2] - 0.05) / 0.11, 0.8 + 0.2 * style.value
        )
    if kind == "start":
        return hsv(0.6 + rng.normal(0, 0.02), s, v)
    if kind in ("finish", "verflixxt"):
        return hsv(style.hues[3], min(1, s + 0.1), min(1, v + 0.25))
    if kind == "back":
        return hsv(style.hues[2] * 7, s * 0.7, v)
    return hsv(style.hues[0] if kind.startswith("-") else style.hues[1], s, v)


def _edge_words(sheet: Pil.Image, kind: str, style: TileStyle, rng: Rng) -> None:
    words = {"start": "START", "finish": str(rng.choice(["ZIEL", "FINISH", "GOAL"])), "verflixxt": "VERFLIXXT"}
    if kind in words:
        scale = style.text_scale * (0.3 if kind == "verflixxt" else 0.55)
        for turn in (0, 180):
            _text(sheet, words[kind], style, scale, style.text_at + 0.04, turn, rng)
        return
    text = kind.replace("-", style.minus)
    for k in range(style.edges):
        _text(
            sheet, text, style, style.text_scale, style.text_at if style.edges > 1 else 0.0, k * 360 / style.edges, rng
        )


def _finish_art(draw: ImageDraw.ImageDraw, rng: Rng) -> None:
    n, c, size = int(rng.integers(4, 9)), TILE_PX / 2, TILE_PX * rng.uniform(0.35, 0.5)
    cell = size / n
    for i in range(n):
        for j in range(max(2, n - 2)):
            x, y = c - size / 2 + i * cell, c - (n - 2) * cell / 2 + j * cell
            draw.rectangle([x, y, x + cell, y + cell], fill=(20, 20, 20) if (i + j) % 2 else (245, 245, 240))


def _start_art(draw: ImageDraw.ImageDraw, rng: Rng) -> None:
    c, r, turn = TILE_PX / 2, TILE_PX * rng.uniform(0.12, 0.22), rng.uniform(0, 6.3)
    tip = [
        (c + r * np.cos(turn + a) * q, c + r * np.sin(turn + a) * q)
        for a, q in ((0, 1.3), (2.3, 1), (3.14, 0.4), (-2.3, 1))
    ]
    draw.polygon(tip, fill=hsv(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.7, 1)))


def _print_tile(kind: str, style: TileStyle, rng: Rng) -> Pil.Image:
    ground = tile_colour(style, kind, rng)
    sheet = Pil.new("RGBA", (TILE_PX, TILE_PX), (*ground, 255))
    draw = ImageDraw.Draw(sheet)
    if style.rim:
        edge = (
            hsv(rng.random(), rng.uniform(0, 0.5), rng.uniform(0.1, 1))
            if rng.random() < 0.3
            else tuple(int(c * rng.uniform(0.4, 1.25)) for c in ground)
        )
        draw.polygon(
            _outline(style.sides, 0.98 - style.rim),
            outline=tuple(min(255, c) for c in edge),
            width=max(1, int(style.rim * 60)),
        )
    size = TILE_PX * rng.uniform(0.17, 0.24)
    if kind == "luck":
        _clover(draw, rng, size * 1.1)
    elif kind == "finish":
        _finish_art(draw, rng)
    elif kind == "start":
        _start_art(draw, rng)
    elif kind == "back":
        for k in range(0, TILE_PX, int(rng.integers(10, 40))):
            draw.line([k, 0, TILE_PX - k, TILE_PX], fill=hsv(rng.random(), 0.3, 0.9), width=3)
    elif style.art:
        _art(draw, rng, size)
    if kind not in ("back", "luck"):
        _edge_words(sheet, kind, style, rng)
    return sheet


def tile_texture(kind: str, style: TileStyle, rng: Rng) -> Image:
    """The lid of a tile (TILE_PX, TILE_PX, 4): its printing inside the outline, transparent outside."""
    rgba = np.asarray(_print_tile(kind, style, rng)).copy()
    mask = np.zeros((TILE_PX, TILE_PX), np.uint8)
    outline = np.array(_outline(style.sides, 1.0))
    cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    image = cv2.cvtColor(rgba[:, :, :3], cv2.COLOR_RGB2BGR).astype(np.float32)
    if style.wear > 0.1:
        blotch = cv2.resize(
            rng.normal(0, 1, (8, 8)).astype(np.float32), (TILE_PX, TILE_PX), interpolation=cv2.INTER_CUBIC
        )
        image *= 1 + 0.06 * style.wear * blotch[:, :, None]
    return np.dstack([np.clip(image, 0, 255).astype(np.uint8), mask])


def plain_table(rng: Rng, size: int = 512) -> Image:
    """A procedural table top: wood grain, cloth weave, or a plain mottled surface."""
    base = np.array(hsv(rng.random(), rng.uniform(0, 0.7), rng.uniform(0.08, 0.95))[::-1], np.float32)
    noise = np.zeros((size, size), np.float32)
    kind = rng.integers(3)
    for octave in (4, 8, 16, 64):
        shape = (octave * 8, octave) if kind == 0 else (octave, octave)
        grid = rng.normal(0, 1, shape).astype(np.float32)
        noise += cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC) / np.sqrt(octave)
    if kind == 1:
        wave = np.sin(np.arange(size) * rng.uniform(0.6, 2.5))
        noise += 0.5 * np.add.outer(wave, wave).astype(np.float32)
    return np.clip(base * (1 + 0.12 * noise[:, :, None]), 0, 255).astype(np.uint8)


def table_texture(rng: Rng, assets: Assets) -> Image:
    """A table top from the assets (recoloured at times) or a procedural one."""
    pool = assets.textures if rng.random() < 0.9 else assets.backgrounds
    if not pool or rng.random() < 0.2:
        return plain_table(rng)
    image = picture(pool[int(rng.integers(len(pool)))])
    y, x = (int(rng.integers(max(1, side - 511))) for side in image.shape[:2])
    image = image[y : y + 512, x : x + 512]
    if rng.random() < 0.4:
        gain = rng.uniform(0.5, 1.4) * np.exp(rng.normal(0, 0.15, 3))
        image = np.clip(image * gain, 0, 255).astype(np.uint8)
    return image


def card_texture(rng: Rng, assets: Assets) -> Image:
    """A flat distractor: playing card, photo, note with writing, patterned paper."""
    h = int(rng.integers(120, 260))
    image = np.full((h, 160, 3), hsv(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.2, 1))[::-1], np.uint8)
    pick = rng.integers(4)
    if pick == 0 and assets.backgrounds:
        photo = picture(assets.backgrounds[int(rng.integers(len(assets.backgrounds)))])
        image = np.asarray(cv2.resize(photo, (160, h)), np.uint8)
    elif pick == 1:
        for y in range(10, h - 8, 14):
            cv2.line(image, (8, y), (int(rng.integers(40, 152)), y), hsv(rng.random(), 0.5, 0.3)[::-1], 2)
    elif pick == 2:
        for k in range(-h, 320, int(rng.integers(6, 20))):
            cv2.line(image, (k, 0), (k + h, h), (250, 250, 250), 2)
    else:
        for _ in range(int(rng.integers(2, 14))):
            centre = (int(rng.integers(0, 160)), int(rng.integers(0, h)))
            cv2.circle(
                image,
                centre,
                int(rng.integers(3, 30)),
                hsv(rng.random(), rng.uniform(0, 1), rng.uniform(0.2, 1))[::-1],
                -1,
            )
    if rng.random() < 0.5:
        cv2.rectangle(image, (2, 2), (157, h - 3), (245, 245, 245), 6)
    return np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])


def marker_texture(number: int) -> Image:
    """An ArUco marker (DICT_4X4_50) with its white border, 30 mm of black square on 40 mm of paper."""
    marks = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    black = cv2.aruco.generateImageMarker(marks, number, 150)
    sheet = cv2.copyMakeBorder(black, 25, 25, 25, 25, cv2.BORDER_CONSTANT, value=(255,))
    return np.dstack([cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR), np.full(sheet.shape, 255, np.uint8)])
