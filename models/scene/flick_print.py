"""What is printed on a Dice Flick box: the perforated plate, the bottom of the holes, the stickers (BGRA)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.assets import Assets, picture
from models.scene.textures import hsv, plain_table

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Rng = np.random.Generator
PX_PER_MM = 3
STICKER_PX = 112
MARKERS = ("upgrade_green", "upgrade_blue", "upgrade_yellow", "centre", "bonus")

DIE_HSV = {
    "white": ((0.0, 1.0), (0.0, 0.09), (0.82, 1.0)),
    "green": ((0.27, 0.44), (0.5, 0.95), (0.32, 0.78)),
    "yellow": ((0.118, 0.165), (0.62, 1.0), (0.78, 1.0)),
    "blue": ((0.53, 0.665), (0.55, 1.0), (0.35, 0.9)),
    "pink": ((0.86, 0.965), (0.38, 0.9), (0.72, 1.0)),
}
"""Ranges of hue (turns), saturation and value of the dice's bodies."""


def paint(rng: Rng, colour: str) -> tuple[float, float, float]:
    """A paint (BGR 0..255) that goes by this name."""
    h, s, v = (rng.uniform(*span) for span in DIE_HSV[colour])
    r, g, b = hsv(h, s, v)
    return float(b), float(g), float(r)


def _outline(rounding: float) -> NDArray[np.float64]:
    """A square of half side 1 with rounded corners; 1 makes it a circle."""
    angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], 1)
    square = ring / np.abs(ring).max(1, keepdims=True)
    core = np.clip(square, -(1 - rounding), 1 - rounding)
    away = square - core
    return np.asarray(core + rounding * away / (np.linalg.norm(away, axis=1, keepdims=True) + 1e-9))


@dataclass(frozen=True, slots=True)
class Lattice:
    """The 5 x 5 holes, ``pitch_mm`` apart; ``hole_mm`` across; ``rounding`` 1 round .. 0 square; ``plate_mm`` side."""

    pitch_mm: float
    hole_mm: float
    rounding: float
    plate_mm: float

    def centres_mm(self) -> NDArray[np.float64]:
        """Centres (25, 2) by row and column, the middle of the plate at the origin."""
        k = (np.arange(5) - 2) * self.pitch_mm
        return np.array([(x, y) for y in k for x in k])

    def outline_mm(self, grow: float = 1.0) -> NDArray[np.float64]:
        """Outline of a hole (32, 2) about its centre, counter-clockwise seen from above."""
        return _outline(self.rounding) * (self.hole_mm / 2 * grow)

    def mask(self, grow: float = 1.0, shift_mm: tuple[float, float] = (0.0, 0.0)) -> Mask:
        """255 where there is a hole, on the plate's texture."""
        side = round(self.plate_mm * PX_PER_MM)
        mask = np.zeros((side, side), np.uint8)
        outline = self.outline_mm(grow)
        for centre in self.centres_mm() + shift_mm:
            points = (outline + centre + self.plate_mm / 2) * PX_PER_MM
            cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
        return mask


def _fit(image: Image, side: int) -> Image:
    return np.asarray(cv2.resize(image, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)


def _random_bgr(rng: Rng, dull: float = 1.0) -> tuple[int, int, int]:
    return hsv(rng.random(), rng.uniform(0, 0.9) * dull, rng.uniform(0.15, 1.0))


def surface(rng: Rng, assets: Assets, side: int) -> Image:
    """A material (side, side, 3): card of one colour, wood, cloth, or a printed picture."""
    pick = rng.random()
    if pick < 0.45 or not assets.textures:
        flat = np.full((side, side, 3), _random_bgr(rng), np.uint8)
        if pick < 0.1:
            return _fit(plain_table(rng), side)
        blotch = cv2.resize(rng.normal(0, 1, (9, 9)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
        return np.asarray(np.clip(flat * (1 + 0.03 * blotch[:, :, None]), 0, 255), np.uint8)
    pool = assets.backgrounds if pick > 0.93 and assets.backgrounds else assets.textures
    image = picture(pool[int(rng.integers(len(pool)))])
    edge = int(min(image.shape[:2]) * rng.uniform(0.4, 1.0))
    y, x = (int(rng.integers(0, full - edge + 1)) for full in image.shape[:2])
    tinted = _fit(image[y : y + edge, x : x + edge], side) * np.exp(rng.normal(0, 0.15, 3)) * rng.uniform(0.6, 1.3)
    return np.asarray(np.clip(tinted, 0, 255), np.uint8)


def plate_texture(rng: Rng, assets: Assets, lattice: Lattice) -> Image:
    """The plate (side, side, 4): a material with ornaments around the holes, transparent where the holes are."""
    side = round(lattice.plate_mm * PX_PER_MM)
    image = surface(rng, assets, side)
    if rng.random() < 0.35:
        _lines(image, rng, lattice)
    for _ in range(int(rng.poisson(3)) if rng.random() < 0.35 else 0):
        centre = tuple(int(v) for v in rng.integers(0, side, 2))
        cv2.circle(image, centre, int(rng.integers(6, 60)), _random_bgr(rng), int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
    if rng.random() < 0.45:
        _rings(image, rng, lattice)
    if rng.random() < 0.3:
        colour, gap = _random_bgr(rng), int(rng.integers(2, 12))
        cv2.rectangle(image, (gap, gap), (side - gap, side - gap), colour, int(rng.integers(2, 8)))
    return np.dstack([image, 255 - lattice.mask()])


def _lines(image: Image, rng: Rng, lattice: Lattice) -> None:
    colour, width = _random_bgr(rng), int(rng.integers(2, 12))
    for k in (np.arange(6) - 2.5) if rng.random() < 0.5 else (np.arange(5) - 2):
        at = int((k * lattice.pitch_mm + lattice.plate_mm / 2) * PX_PER_MM)
        cv2.line(image, (at, 0), (at, len(image)), colour, width)
        cv2.line(image, (0, at), (len(image), at), colour, width)


def _rings(image: Image, rng: Rng, lattice: Lattice) -> None:
    one, width = _random_bgr(rng), int(rng.integers(2, 9))
    for centre in lattice.centres_mm():
        points = (lattice.outline_mm(1.05) + centre + lattice.plate_mm / 2) * PX_PER_MM
        cv2.polylines(image, [points.astype(np.int32)], True, one, width, cv2.LINE_AA)


def floor_texture(
    rng: Rng, assets: Assets, lattice: Lattice, stickers: dict[int, str], style: StickerStyle
) -> Image:
    """The bottom under the plate (side, side, 3) with the stickers (hole number to kind)."""
    side = round(lattice.plate_mm * PX_PER_MM)
    if rng.random() < 0.75:
        image = np.full((side, side, 3), _random_bgr(rng, 0.6), np.uint8)
    else:
        image = surface(rng, assets, side)
    if rng.random() < 0.6:
        image = np.asarray(image * rng.uniform(0.35, 1.0), np.uint8)
    across = lattice.hole_mm * style.size * PX_PER_MM
    for hole, kind in stickers.items():
        turn = style.turn + rng.normal(0, 8)
        spot = (lattice.centres_mm()[hole] + lattice.plate_mm / 2) * PX_PER_MM
        _stick(image, sticker(kind, style), spot, across, turn)
    return image


def _stick(image: Image, art: Image, centre: NDArray[np.float64], across: float, turn_deg: float) -> None:
    scale = across / STICKER_PX
    matrix: Any = cv2.getRotationMatrix2D((STICKER_PX / 2, STICKER_PX / 2), turn_deg, scale)
    matrix[:, 2] += centre - STICKER_PX / 2
    size = (image.shape[1], image.shape[0])
    x0, y0 = np.maximum(centre - across, 0).astype(int)
    x1, y1 = np.minimum(centre + across, size).astype(int)
    matrix[:, 2] -= (x0, y0)
    if x1 <= x0 or y1 <= y0:
        return
    over = cv2.warpAffine(art, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR).astype(np.float32)
    part = image[y0:y1, x0:x1]
    part[:] = part + (over[:, :, :3] - part) * (over[:, :, 3:] / 255)


@dataclass(frozen=True, slots=True)
class StickerStyle:
    """How one sheet of stickers looks. ``paints``: colour to BGR; ``looks``: kind to a number that picks its art."""

    round_shape: bool
    size: float
    turn: float
    paints: dict[str, tuple[float, float, float]]
    ground: tuple[int, int, int]
    ink: tuple[int, int, int]
    seed: int

    @classmethod
    def draw(cls, rng: Rng) -> StickerStyle:
        """A random sheet."""
        light = rng.random() < 0.5
        ground = hsv(rng.random(), rng.uniform(0, 0.5), rng.uniform(0.8, 1.0) if light else rng.uniform(0.05, 0.4))
        ink = hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.05, 0.4) if light else rng.uniform(0.85, 1.0))
        return cls(
            bool(rng.random() < 0.6), float(rng.uniform(0.62, 1.05)), float(rng.choice([0, 90, 180, 270])),
            {c: paint(rng, c) for c in DIE_HSV}, ground, ink, int(rng.integers(1 << 30)),
        )


def sticker(kind: str, style: StickerStyle) -> Image:
    """The art of one sticker (STICKER_PX, STICKER_PX, 4). Upgrade stickers show a die or field of their colour."""
    rng = np.random.default_rng(style.seed + (0 if kind.startswith("upgrade") else MARKERS.index(kind)))
    art = np.zeros((STICKER_PX, STICKER_PX, 3), np.uint8)
    middle = (STICKER_PX // 2, STICKER_PX // 2)
    if kind.startswith("upgrade"):
        _upgrade(art, rng, style, style.paints[kind.removeprefix("upgrade_")], middle)
    else:
        art[:] = style.ground if rng.random() < 0.5 else _random_bgr(rng)
        ink = style.ink if np.abs(np.array(style.ink, int) - art[0, 0]).max() > 90 else _contrast(art[0, 0])
        (_centre if kind == "centre" else _bonus)(art, rng, ink, middle)
    alpha = np.zeros((STICKER_PX, STICKER_PX), np.uint8)
    if style.round_shape:
        cv2.circle(alpha, middle, STICKER_PX // 2 - 1, (255,), -1, cv2.LINE_AA)
    else:
        alpha[14:-14, 14:-14] = 255
    return np.dstack([art, alpha])


def _contrast(bgr: NDArray[np.uint8]) -> tuple[int, int, int]:
    return (15, 15, 15) if int(bgr.max()) > 140 else (245, 245, 245)


def _upgrade(
    art: Image, rng: Rng, style: StickerStyle, colour: tuple[float, float, float], middle: tuple[int, int]
) -> None:
    whole = rng.random() < 0.4
    art[:] = colour if whole else style.ground
    half = int(STICKER_PX * rng.uniform(0.22, 0.34))
    light = _contrast(np.array(colour, np.uint8)) if rng.random() < 0.5 else (250, 250, 250)
    if not whole:
        corner = (middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half)
        cv2.rectangle(art, *corner, colour, -1, cv2.LINE_AA)
        if rng.random() < 0.4:
            cv2.rectangle(art, *corner, style.ink, 4, cv2.LINE_AA)
    pick = rng.integers(3)
    if pick == 0:
        for u, v in ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0))[: int(rng.integers(2, 6))]:
            spot = (middle[0] + u * half // 2, middle[1] + v * half // 2)
            cv2.circle(art, spot, max(3, half // 5), light, -1, cv2.LINE_AA)
    elif pick == 1:
        _word(art, "x2", light, middle, half / 22)
    else:
        points = np.array([(0, -1), (1, 0.2), (0.4, 0.2), (0.4, 1), (-0.4, 1), (-0.4, 0.2), (-1, 0.2)])
        cv2.fillPoly(art, [(points * half * 0.7 + middle).astype(np.int32)], light, cv2.LINE_AA)


def _word(art: Image, text: str, ink: tuple[int, int, int], middle: tuple[int, int], scale: float) -> None:
    width = max(2, round(scale * 3))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, width)
    cv2.putText(
        art, text, (middle[0] - w // 2, middle[1] + h // 2), cv2.FONT_HERSHEY_DUPLEX, scale, ink, width, cv2.LINE_AA
    )


def _centre(art: Image, rng: Rng, ink: tuple[int, int, int], middle: tuple[int, int]) -> None:
    pick = rng.integers(3)
    if pick == 0:
        for radius in (46, 30, 12):
            cv2.circle(art, middle, radius, ink, -1 if radius == 12 else 6, cv2.LINE_AA)
    elif pick == 1:
        _word(art, "2x", ink, middle, 1.7)
    else:
        angle = np.arange(10) * np.pi / 5 - np.pi / 2
        reach = np.where(np.arange(10) % 2, 18, 44)
        star = np.stack([reach * np.cos(angle), reach * np.sin(angle)], 1) + middle
        cv2.fillPoly(art, [star.astype(np.int32)], ink, cv2.LINE_AA)


def _bonus(art: Image, rng: Rng, ink: tuple[int, int, int], middle: tuple[int, int]) -> None:
    pick = rng.integers(3)
    if pick == 0:
        _word(art, "+1", ink, middle, 1.7)
    elif pick == 1:
        cv2.line(art, (middle[0] - 32, middle[1]), (middle[0] + 32, middle[1]), ink, 18)
        cv2.line(art, (middle[0], middle[1] - 32), (middle[0], middle[1] + 32), ink, 18)
    else:
        _word(art, "BONUS"[: int(rng.choice([1, 5]))], ink, middle, 0.9)
