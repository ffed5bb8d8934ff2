"""What people write on a score sheet: crosses, ticks and strokes, short dashes, stray writing, with any pen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.sheet_print import PX_PER_MM
from models.scene.textures import hsv

if TYPE_CHECKING:
    from calibration.sheets.layout import SheetField, SheetLayout

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Rng = np.random.Generator
MARKS = ("free", "dash", "crossed")


@dataclass(frozen=True, slots=True)
class Pen:
    """``ink`` BGR, ``width_mm``, ``cover`` 0..1 how dark at full pressure, ``rough`` 0..1 paper grain in the line,
    ``glaze``: felt pens darken what lies below instead of covering it."""

    ink: tuple[int, int, int]
    width_mm: float
    cover: float
    rough: float
    glaze: bool

    @classmethod
    def draw(cls, rng: Rng) -> Pen:
        """Pencil, ball pen or felt pen."""
        kind = rng.random()
        if kind < 0.35:
            grey = int(rng.integers(30, 90))
            return cls((grey, grey, grey), float(rng.uniform(0.3, 0.75)), float(rng.uniform(0.35, 0.9)), 0.6, False)
        dark = hsv(rng.uniform(0.58, 0.68), rng.uniform(0.4, 0.95), rng.uniform(0.2, 0.65))
        ink = dark if rng.random() < 0.5 else hsv(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.03, 0.25))
        if rng.random() < 0.15:
            ink = hsv(rng.choice([0.98, 0.35]), 0.85, rng.uniform(0.4, 0.75))
        bgr = (ink[2], ink[1], ink[0])
        if kind < 0.75:
            return cls(bgr, float(rng.uniform(0.3, 0.8)), float(rng.uniform(0.75, 1.0)), 0.15, False)
        return cls(bgr, float(rng.uniform(1.0, 2.8)), float(rng.uniform(0.75, 0.97)), 0.0, bool(rng.random() < 0.5))


@dataclass(frozen=True, slots=True)
class Hand:
    """How one person marks: the usual ``kind`` of mark, its size in fields, carelessness, slant in degrees."""

    kind: str
    size: float
    loose: float
    slant_deg: float

    @classmethod
    def draw(cls, rng: Rng) -> Hand:
        """Mostly crosses; ticks, strokes and filled fields too."""
        kind = str(rng.choice(["cross", "tick", "stroke", "scribble"], p=[0.72, 0.1, 0.12, 0.06]))
        return cls(kind, float(rng.uniform(0.75, 1.2)), float(rng.uniform(0.02, 0.09)), float(rng.normal(0, 6)))


class Writing:
    """Strokes collected on a sheet of ``size_mm``, then laid onto the printed picture."""

    def __init__(self, image: Image, rng: Rng) -> None:
        self.image, self._rng = image, rng

    def line(self, points_mm: Array, pen: Pen) -> None:
        """One stroke through points (N, 2), slightly trembling, with varying pressure."""
        path = _smooth(points_mm + self._rng.normal(0, 0.08, points_mm.shape)) * PX_PER_MM
        low = np.floor(path.min(0) - pen.width_mm * PX_PER_MM - 2).astype(int)
        high = np.ceil(path.max(0) + pen.width_mm * PX_PER_MM + 2).astype(int)
        low, high = np.maximum(low, 0), np.minimum(high, [self.image.shape[1], self.image.shape[0]])
        if (high <= low).any():
            return
        cover = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        thick = np.interp(np.linspace(0, 1, len(path)), [0, 0.15, 0.8, 1], [0.7, 1.0, 1.0, self._rng.uniform(0.4, 1)])
        shifted = np.round((path - low) * 16).astype(np.int32)
        for k in range(len(path) - 1):
            width = max(1, round(pen.width_mm * PX_PER_MM * float(thick[k])))
            cv2.line(cover, shifted[k].tolist(), shifted[k + 1].tolist(), 255, width, cv2.LINE_AA, 4)
        self._lay(low, cover, pen)

    def _lay(self, at: NDArray[np.int64], mask: Image, pen: Pen) -> None:
        cover = mask.astype(np.float32) / 255 * pen.cover * self._rng.uniform(0.85, 1.0)
        if pen.rough:
            grain = cv2.GaussianBlur(self._rng.random(mask.shape, dtype=np.float32), (0, 0), 1.2)
            cover *= np.clip(1 - pen.rough + pen.rough * (grain - 0.5) * 6 + pen.rough * 0.5, 0, 1)
        area = self.image[at[1] : at[1] + mask.shape[0], at[0] : at[0] + mask.shape[1]]
        below = area.astype(np.float32)
        ink = np.array(pen.ink, np.float32)
        top = below * ink / 255 if pen.glaze else ink
        area[:] = np.clip(below + (top - below) * cover[:, :, None], 0, 255).astype(np.uint8)

    def mark(self, field: SheetField, hand: Hand, pen: Pen, kind: str | None = None) -> None:
        """A field that counts as crossed."""
        rng = self._rng
        _, _, w, h = field.rect_mm
        size = np.array([w, h]) / 2 * hand.size * rng.uniform(0.85, 1.12)
        centre = np.array(field.centre_mm) + rng.normal(0, hand.loose, 2) * [w, h]
        for path in _paths(kind or hand.kind, rng):
            turn = np.radians(hand.slant_deg + rng.normal(0, 5))
            spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            self.line((path * size) @ spin.T + centre, pen)

    def dash(self, field: SheetField, pen: Pen) -> None:
        """A short line through a number that was skipped."""
        rng = self._rng
        _, _, w, h = field.rect_mm
        half = w * rng.uniform(0.17, 0.34)
        turn = np.radians(rng.normal(0, 8) if rng.random() < 0.75 else rng.uniform(-28, 28))
        way = np.array([np.cos(turn), np.sin(turn)]) * half
        centre = np.array(field.centre_mm) + rng.normal(0, 0.06, 2) * [w, h]
        self.line(np.stack([centre - way, centre + rng.normal(0, 0.1, 2), centre + way]), pen)

    def scrawl(self, at_mm: tuple[float, float], size_mm: float, letters: int, pen: Pen) -> None:
        """Something written: a name, a sum."""
        x = at_mm[0]
        for _ in range(letters):
            points = self._rng.uniform(-0.5, 0.5, (int(self._rng.integers(4, 7)), 2)) * [0.6, 1.0]
            self.line(points * size_mm + [x, at_mm[1]], pen)
            x += size_mm * self._rng.uniform(0.55, 0.9)


def _paths(kind: str, rng: Rng) -> list[Array]:
    """The strokes of a mark in a square of -1..1."""
    def bent(*points: tuple[float, float]) -> Array:
        return np.array(points) + rng.normal(0, 0.09, (len(points), 2))

    if kind == "tick":
        return [bent((-0.75, 0.0), (-0.25, 0.75), (0.2, -0.1), (0.95, -0.95))]
    if kind == "stroke":
        return [bent((-0.95, 1.0), (0, 0), (0.95, -1.0)) if rng.random() < 0.8 else bent((-1, -1), (0, 0), (1, 1))]
    if kind == "scribble":
        x = np.linspace(-0.9, 0.9, int(rng.integers(5, 10)))
        y = np.where(np.arange(len(x)) % 2, -0.85, 0.85)
        return [np.column_stack([x, y]) + rng.normal(0, 0.1, (len(x), 2))]
    return [bent((-0.95, -0.95), (0, 0.05), (0.95, 0.95)), bent((0.95, -0.95), (0.05, 0), (-0.95, 0.95))]


def _smooth(points: Array) -> Array:
    """A curve through the points (Catmull-Rom), (M, 2)."""
    p = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    t = np.linspace(0, 1, 9)[:-1, None]
    parts = []
    for k in range(1, len(p) - 2):
        a, b, c, d = p[k - 1 : k + 3]
        parts.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    return np.vstack([*parts, points[-1:]])


def draw_game(layout: SheetLayout, rng: Rng) -> dict[str, str]:
    """What is on a sheet at some time of a game: field name to ``free``, ``dash`` or ``crossed``."""
    from calibration.sheets.layout import LOCK, MISTHROW, ROWS

    state = {field.name: "free" for field in layout.fields}
    dashes = rng.random() < 0.55
    fullness = rng.uniform(0, 0.75)
    for row in ROWS:
        numbers = [field for field in layout.row(row) if field.value != LOCK]
        crossed = [field for field in numbers if rng.random() < fullness]
        if len(crossed) < 6:
            crossed = [field for field in crossed if field is not numbers[-1]]
        for field in crossed:
            state[field.name] = "crossed"
        if numbers[-1] in crossed and rng.random() < 0.95:
            state[f"{row}_{LOCK}"] = "crossed"
        last = max((numbers.index(field) for field in crossed), default=0)
        for field in numbers[:last]:
            if dashes and state[field.name] == "free" and rng.random() < 0.93:
                state[field.name] = "dash"
    for field in layout.row(MISTHROW)[: int(rng.integers(0, len(layout.row(MISTHROW)) + 1))]:
        state[field.name] = "crossed"
    return state


def write_mixed(writing: Writing, layout: SheetLayout, state: dict[str, str], rng: Rng) -> None:
    """Put a game onto a printed sheet as nobody would: every kind of mark as often as any other, three pens."""
    pens = [Pen.draw(rng) for _ in range(3)]
    for field in layout.fields:
        pen = pens[int(rng.integers(len(pens)))]
        if state[field.name] == "crossed":
            kind = str(rng.choice(["cross", "tick", "stroke", "scribble"], p=[0.34, 0.22, 0.2, 0.24]))
            writing.mark(field, Hand.draw(rng), pen, kind)
        elif state[field.name] == "dash":
            writing.dash(field, pen)


def write_game(writing: Writing, layout: SheetLayout, state: dict[str, str], rng: Rng) -> None:
    """Put a game onto a printed sheet, one person's hand and pen, at times another pen in between."""
    hand, pen = Hand.draw(rng), Pen.draw(rng)
    other = Pen.draw(rng) if rng.random() < 0.2 else pen
    for field in layout.fields:
        used = pen if rng.random() < 0.7 else other
        if state[field.name] == "crossed":
            kind = None if rng.random() < 0.93 else str(rng.choice(["cross", "stroke", "tick"]))
            writing.mark(field, hand, used, kind)
        elif state[field.name] == "dash":
            writing.dash(field, used)
    width, height = layout.size_mm
    if rng.random() < 0.4:
        writing.scrawl((width * 0.46, 9.5), 4.0, int(rng.integers(2, 6)), pen)
    if rng.random() < 0.3:
        x, y = rng.uniform(0.6, 0.9) * width, height - rng.uniform(2, 6)
        writing.scrawl((x, y), 4.0, 2, pen)
