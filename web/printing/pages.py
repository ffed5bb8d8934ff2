"""The pages of ``schiri print``: table markers, lens board, score sheets."""

from __future__ import annotations

from calibration.board import SQUARE_MM, charuco_cells, marker_cells
from calibration.markers import MARKER_IDS, MARKER_MM
from calibration.sheets.art import TEXTS, Box, Path, Printing, Words, sheet_art
from calibration.sheets.layout import SheetLayout, load_layout
from web.printing.paper import A4_MM, BLACK, CUT, Paper
from web.say import lang, say

_CARD_MM = 46.0
_CELLS = 6


def markers() -> Paper:
    """The four markers of the table, each on a card to cut out, and a ruler to check the size."""
    paper = Paper(say("print_markers_title"))
    paper.page()
    paper.draw([Words(say("print_markers_title"), (25, 22), 6.5, BLACK, centred=False)])
    for k, line in enumerate(say("print_markers_how").split("\n")):
        paper.draw([Words(line, (25, 31 + 5.5 * k), 3.6, BLACK, bold=False, centred=False)])
    for number in MARKER_IDS:
        across, down = number in (1, 2), number in (2, 3)
        _card(paper, number, (30.0 + 90 * across, 70.0 + 80 * down))
    paper.ruler((25, 260), say("print_ruler", length=100))
    return paper


def _card(paper: Paper, number: int, at_mm: tuple[float, float]) -> None:
    x, y = at_mm
    rim = (_CARD_MM - MARKER_MM) / 2
    paper.draw([Box((x, y, _CARD_MM, _CARD_MM + 8), None, CUT, 0.15)])
    paper.cells(marker_cells(number), (x + rim, y + rim), MARKER_MM / _CELLS)
    place = say(f"print_place_{number}")
    paper.draw([Words(f"{number} \xb7 {place}", (x + _CARD_MM / 2, y + _CARD_MM + 2), 3.2, BLACK, bold=False)])


def charuco() -> Paper:
    """The board that measures a lens, on a page across."""
    paper = Paper(say("print_charuco_title"), landscape=True)
    paper.page()
    cells, side = charuco_cells(), SQUARE_MM / 8
    left = (A4_MM[1] - cells.shape[1] * side) / 2
    paper.cells(cells, (left, 9.0), side)
    paper.draw([Words(say("print_charuco_how", square=SQUARE_MM), (left, 196), 3.6, BLACK, False, False)])
    paper.ruler((left + 150, 203), say("print_ruler", length=100))
    return paper


def qwixx_sheet(layout: SheetLayout | None = None) -> Paper:
    """Two score sheets, one for each person, one above the other."""
    layout = layout or load_layout()
    paper = Paper(say("print_sheet_title"))
    paper.page()
    width, height = layout.size_mm
    left, rim = (A4_MM[0] - width) / 2, (A4_MM[1] / 2 - height) / 2
    for k, ids in enumerate(layout.marker_ids or ((), ())):
        top = rim + k * A4_MM[1] / 2
        _sheet(paper, layout, ids, (left, top))
    middle = A4_MM[1] / 2
    paper.draw([Path(((4.0, middle), (A4_MM[0] - 4, middle)), CUT, 0.15)])
    paper.draw([Words(say("print_sheet_how"), (A4_MM[0] / 2, A4_MM[1] - 4), 2.8, BLACK, bold=False)])
    return paper


def _sheet(paper: Paper, layout: SheetLayout, ids: tuple[int, ...], at_mm: tuple[float, float]) -> None:
    paper.draw(sheet_art(layout, Printing(texts=TEXTS[lang()])), at_mm)
    half = layout.marker_mm / 2
    for number, (x, y) in zip(ids, layout.marker_centres_mm, strict=False):
        paper.cells(marker_cells(number), (at_mm[0] + x - half, at_mm[1] + y - half), layout.marker_mm / _CELLS)
    paper.draw([Box((0.0, 0.0, *layout.size_mm), None, CUT, 0.15)], at_mm)
