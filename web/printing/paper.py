"""A PDF page drawn in millimetres: shapes of sheets, ArUco markers as vectors, a ruler that shows the true size."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.sheets.art import Box, Rgb, Shape, Words
from calibration.sheets.art import Path as Stroke

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

A4_MM = (210.0, 297.0)
_PT_PER_MM = 72 / 25.4
_FIXED_DATE = datetime(2026, 1, 1, tzinfo=UTC)
_BASELINE = 0.36
"""How far below the middle of its capitals a line of text stands, as a share of the size of the letters."""

BLACK: Rgb = (0, 0, 0)
CUT: Rgb = (190, 190, 196)


class Paper:
    """A4 pages; every length in mm, y down from the top left corner. The same input gives the same bytes."""

    def __init__(self, title: str, landscape: bool = False) -> None:
        from fpdf import FPDF
        from fpdf.prefs import ViewerPreferences

        self._pdf = FPDF("landscape" if landscape else "portrait", "mm", "A4")
        self._pdf.set_margin(0)
        self._pdf.set_auto_page_break(False)
        self._pdf.set_title(title)
        self._pdf.set_creation_date(_FIXED_DATE)
        # Printing dialogs otherwise shrink the page to the printable area.
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None")

    def page(self) -> None:
        """Begin a new page."""
        self._pdf.add_page()

    def save(self, path: Path) -> None:
        """Write the file. Raises OSError."""
        Path(path).write_bytes(bytes(self._pdf.output()))

    def draw(self, shapes: Iterable[Shape], at_mm: tuple[float, float] = (0.0, 0.0)) -> None:
        """Shapes whose origin lies at ``at_mm`` on the page."""
        for shape in shapes:
            if isinstance(shape, Box):
                self._box(shape, at_mm)
            elif isinstance(shape, Stroke):
                self._stroke(shape, at_mm)
            else:
                self._words(shape, at_mm)

    def _box(self, box: Box, at_mm: tuple[float, float]) -> None:
        x, y, w, h = box.rect_mm
        style = self._style(box.fill, box.line, box.line_mm)
        x, y = at_mm[0] + x, at_mm[1] + y
        corner = min(box.corner_mm, w / 2, h / 2)
        if style and corner == w / 2 == h / 2:
            self._pdf.ellipse(x, y, w, h, style)
        elif style:
            self._pdf.rect(x, y, w, h, style, round_corners=corner > 0, corner_radius=corner)

    def _style(self, fill: Rgb | None, line: Rgb | None, line_mm: float) -> str:
        if fill:
            self._pdf.set_fill_color(*fill)
        if line:
            self._pdf.set_draw_color(*line)
            self._pdf.set_line_width(line_mm)
        return ("D" if line else "") + ("F" if fill else "")

    def _stroke(self, stroke: Stroke, at_mm: tuple[float, float]) -> None:
        points = [(at_mm[0] + x, at_mm[1] + y) for x, y in stroke.points_mm]
        style = self._style(stroke.fill, stroke.line, stroke.line_mm)
        if stroke.fill:
            self._pdf.polygon(points, style=style)
        elif style:
            self._pdf.polyline(points, style=style)

    def _words(self, words: Words, at_mm: tuple[float, float]) -> None:
        self._pdf.set_font("helvetica", "B" if words.bold else "", words.size_mm * _PT_PER_MM)
        self._pdf.set_text_color(*words.colour)
        left = words.at_mm[0] - (self._pdf.get_string_width(words.text) / 2 if words.centred else 0)
        self._pdf.text(at_mm[0] + left, at_mm[1] + words.at_mm[1] + _BASELINE * words.size_mm, words.text)

    def cells(self, black: NDArray[np.bool_], at_mm: tuple[float, float], cell_mm: float) -> None:
        """A pattern of squares, (rows, columns) true where black, its top left corner at ``at_mm``.

        One black ground with white runs on it: squares drawn one by one show hairlines between them.
        """
        rows, columns = black.shape
        self.draw([Box((*at_mm, columns * cell_mm, rows * cell_mm), BLACK)])
        for y in range(rows):
            start = 0
            while start < columns:
                end = start
                while end < columns and not black[y, end]:
                    end += 1
                if end > start:
                    place = (at_mm[0] + start * cell_mm, at_mm[1] + y * cell_mm)
                    self.draw([Box((*place, (end - start) * cell_mm, cell_mm), (255, 255, 255))])
                start = max(end, start + 1)

    def ruler(self, at_mm: tuple[float, float], words: str, length_mm: int = 100) -> None:
        """A ruler with a stroke every 10 mm and a sentence above it."""
        x, y = at_mm
        self.draw([Stroke(((x, y), (x + length_mm, y)), BLACK, 0.3)])
        for k in range(0, length_mm + 1, 10):
            tall = 4.0 if k % 50 == 0 else 2.5
            self.draw([Stroke(((x + k, y - tall / 2), (x + k, y + tall / 2)), BLACK, 0.3)])
        self.draw([Words(words, (x, y - 5), 3.2, BLACK, bold=False, centred=False)])
