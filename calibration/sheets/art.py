"""What is printed on a score sheet, as plain shapes in mm: one drawing for paper (PDF) and for made pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from calibration.sheets.layout import LOCK, MISTHROW, ROWS, Rect, SheetField, SheetLayout

Rgb = tuple[int, int, int]
INK: Rgb = (60, 60, 66)
WHITE: Rgb = (255, 255, 255)
GREY: Rgb = (150, 150, 158)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, ``corner_mm`` its rounding; a disc where that is half its side."""

    rect_mm: Rect
    fill: Rgb | None
    line: Rgb | None = None
    line_mm: float = 0.0
    corner_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Path:
    """An open line, or a filled polygon where ``fill`` is set."""

    points_mm: tuple[tuple[float, float], ...]
    line: Rgb | None = None
    line_mm: float = 0.0
    fill: Rgb | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """Text ``size_mm`` high (its capitals about 0.7 of that) around ``at_mm``, or from there on; at middle height."""

    text: str
    at_mm: tuple[float, float]
    size_mm: float
    colour: Rgb
    bold: bool = True
    centred: bool = True


Shape = Box | Path | Words

PAINTS: Mapping[str, Rgb] = {
    "red": (206, 44, 52), "yellow": (232, 178, 20), "green": (38, 142, 70), "blue": (40, 90, 176),
}
TEXTS = {
    "de": {"title": "Qwixx Express", "name": "Name", "total": "Summe", "misthrow": "Fehlwürfe"},
    "en": {"title": "Qwixx Express", "name": "Name", "total": "Total", "misthrow": "Misthrows"},
}


@dataclass(frozen=True, slots=True)
class Printing:
    """How a sheet is printed. ``band``: how much of the paint the band has, 0 none .. 1 full; ``ground``: the same for
    the fields; ``corner``: rounding of fields as a share of half their side; ``round_lock``: on a disc."""

    paints: Mapping[str, Rgb] = field(default_factory=lambda: PAINTS)
    paper: Rgb = WHITE
    band: float = 0.22
    ground: float = 0.0
    outline_mm: float = 0.35
    corner: float = 0.4
    number: float = 0.56
    dark_numbers: bool = False
    round_lock: bool = True
    mark_band_start: bool = True
    minus: Rgb = (178, 40, 40)
    texts: Mapping[str, str] = field(default_factory=lambda: TEXTS["en"])
    points: bool = True


def mixed(paint: Rgb, ground: Rgb, share: float) -> Rgb:
    """``share`` of a paint on a ground."""
    r, g, b = (round(share * p + (1 - share) * q) for p, q in zip(paint, ground, strict=True))
    return r, g, b


def sheet_art(layout: SheetLayout, printing: Printing) -> Iterator[Shape]:
    """Everything printed but the markers, in the order of printing; the paper itself comes first."""
    yield Box((0.0, 0.0, *layout.size_mm), printing.paper)
    for row in ROWS:
        yield from _row(layout, printing, row)
    yield from _misthrow(layout, printing)
    yield from _heading(layout, printing)


def _row(layout: SheetLayout, printing: Printing, row: str) -> Iterator[Shape]:
    paint, band = printing.paints[row], layout.band(row)
    ground = mixed(paint, printing.paper, printing.band)
    if band is not None and printing.band:
        x, y, w, h = band
        yield Box(band, ground, corner_mm=min(2.0, h / 4))
        if printing.mark_band_start:
            yield Box((x, y, 2.0, h), paint)
    for one in layout.row(row):
        yield from _lock(printing, one, paint) if one.value == LOCK else _number(printing, one, paint)
    last = layout.row(row)[-1]
    x, y, w, h = last.rect_mm
    if printing.points and band is not None and x + w + 17 <= band[0] + band[2]:
        yield Box((x + w + 4.2, y, 13.5, h), printing.paper, mixed(GREY, WHITE, 0.8), 0.25, 1.0)


def _number(printing: Printing, one: SheetField, paint: Rgb) -> Iterator[Shape]:
    _, _, w, h = one.rect_mm
    ground = mixed(paint, printing.paper, printing.ground)
    edge = paint if printing.outline_mm else None
    yield Box(one.rect_mm, ground, edge, printing.outline_mm, printing.corner * min(w, h) / 2)
    yield Words(str(one.value), one.centre_mm, printing.number * h, INK if printing.dark_numbers else paint)


def _lock(printing: Printing, one: SheetField, paint: Rgb) -> Iterator[Shape]:
    x, y, w, h = one.rect_mm
    side = min(w, h)
    edge = paint if printing.outline_mm else None
    corner = side / 2 if printing.round_lock else printing.corner * side / 2
    yield Box(one.rect_mm, printing.paper, edge, printing.outline_mm, corner)
    cx, cy, u = x + w / 2, y + h / 2, side / 10
    arc = [math.pi * (1 + k / 8) for k in range(9)]
    shackle = [(cx + 1.4 * u * math.cos(a), cy - 0.9 * u + 1.5 * u * math.sin(a)) for a in arc]
    yield Path((*shackle, (cx + 1.4 * u, cy - 0.4 * u)), paint, 0.6 * u)
    yield Box((cx - 2 * u, cy - 0.4 * u, 4 * u, 3.1 * u), paint, corner_mm=0.5 * u)


def _misthrow(layout: SheetLayout, printing: Printing) -> Iterator[Shape]:
    fields = layout.row(MISTHROW)
    left, top = fields[0].rect_mm[0], min(one.rect_mm[1] for one in fields)
    yield Words(printing.texts["misthrow"], (left, top - 3.2), 3.6, INK, centred=False)
    for one in fields:
        side = min(one.rect_mm[2:])
        edge = INK if one.minus else GREY
        yield Box(one.rect_mm, printing.paper, edge, max(printing.outline_mm, 0.2), printing.corner * side / 2)
        if one.minus:
            yield Words("-5", one.centre_mm, 0.45 * side, printing.minus)


def _heading(layout: SheetLayout, printing: Printing) -> Iterator[Shape]:
    """Title, a line for the name, a box for the sum: where there is room above the rows or below them."""
    width, _ = layout.size_mm
    top = min((rect[1] for _, rect in layout.bands), default=0.0)
    if top < 15:
        return
    left, middle = width * 0.11, 10.0
    yield Words(printing.texts["title"], (left, middle), 5.2, INK, centred=False)
    yield Words(printing.texts["name"], (width * 0.38, middle), 3.6, INK, bold=False, centred=False)
    yield Path(((width * 0.44, middle + 3), (width * 0.68, middle + 3)), GREY, 0.25)
    yield Words(printing.texts["total"], (width * 0.71, middle), 3.6, INK, bold=False, centred=False)
    yield Box((width * 0.78, middle - 5, 18, 10), printing.paper, GREY, 0.25, 1.0)
