"""Pages to print: true size, readable markers, a layout file that says what is on the sheet."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.board import BOARD_SQUARES, charuco_board, charuco_cells, marker_cells
from calibration.markers import MARKER_IDS, find_markers
from calibration.sheets.art import Box, Printing, Words, sheet_art
from calibration.sheets.layout import EXPRESS, LayoutError, SheetLayout, load_layout
from web.cli import cli

CELL_PX = 12


def seen(cells: np.ndarray) -> np.ndarray:
    """A pattern as a camera would see it: white around it."""
    image = np.kron(np.where(cells, 0, 255).astype(np.uint8), np.ones((CELL_PX, CELL_PX), np.uint8))
    return cv2.copyMakeBorder(image, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255,))


@pytest.mark.parametrize("number", MARKER_IDS)
def test_markers_are_those_the_calibration_looks_for(number: int) -> None:
    assert list(find_markers(seen(marker_cells(number)))) == [number]


def test_the_board_is_found_whole_and_is_no_table_marker() -> None:
    image = seen(charuco_cells())
    corners = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(image)[0]
    assert len(corners) == (BOARD_SQUARES[0] - 1) * (BOARD_SQUARES[1] - 1)
    assert find_markers(image) == {}


@pytest.mark.parametrize("kind", ["markers", "charuco", "qwixx-sheet"])
@pytest.mark.parametrize("lang", ["de", "en"])
def test_print_writes_one_a4_page_that_is_not_scaled(kind: str, lang: str, tmp_path: Path) -> None:
    file = tmp_path / "page.pdf"
    with pytest.raises(SystemExit) as end:
        cli.main(["print", kind, "--out", str(file), "--lang", lang])
    assert end.value.code == 0
    data = file.read_bytes()
    assert data.startswith(b"%PDF-") and data.count(b"/Type /Page\n") == 1
    size = b"841.89 595.28" if kind == "charuco" else b"595.28 841.89"
    assert size in data and b"/PrintScaling /None" in data


def test_print_to_a_folder_that_is_not_there_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["print", "markers", "--out", "/no/such/folder/x.pdf", "--lang", "en"])
    assert end.value.code == 2
    assert "/no/such/folder/x.pdf" in capsys.readouterr().err


def test_every_field_of_the_layout_is_printed_where_it_says() -> None:
    layout = load_layout()
    shapes = list(sheet_art(layout, Printing()))
    boxes = {shape.rect_mm for shape in shapes if isinstance(shape, Box)}
    words = {(shape.text, shape.at_mm) for shape in shapes if isinstance(shape, Words)}
    for field in layout.fields:
        assert field.rect_mm in boxes
        if field.value != "lock" and field.row != "misthrow":
            assert (str(field.value), field.centre_mm) in words


def test_fields_do_not_overlap_and_lie_on_the_sheet() -> None:
    layout = load_layout()
    width, height = layout.size_mm
    for k, field in enumerate(layout.fields):
        x, y, w, h = field.rect_mm
        assert 0 <= x and x + w <= width and 0 <= y and y + h <= height
        for other in layout.fields[k + 1 :]:
            ox, oy, ow, oh = other.rect_mm
            assert x + w <= ox or ox + ow <= x or y + h <= oy or oy + oh <= y


def test_layouts_read_back() -> None:
    layout = load_layout()
    assert SheetLayout.from_json(json.loads(json.dumps(layout.to_json()))) == layout
    assert [field.value for field in layout.row("green")] == [*range(12, 1, -1), "lock"]
    assert [field.value for field in layout.row("misthrow") if field.minus] == [4, 8, 12, 16]
    assert layout.copy_of(21) == 0 and layout.copy_of(24) == 1 and layout.copy_of(0) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("not json", "layout_unreadable"),
        ("[]", "layout_unreadable"),
        ('{"size_mm": [100, 50], "fields": []}', "layout_unreadable"),
        (EXPRESS.read_text().replace('"value": 7,', '"value": 8,', 1), "layout_unreadable"),
        (EXPRESS.read_text().replace("11.4, 13.0", "0, 13.0", 1), "layout_unreadable"),
        (None, "layout_missing"),
    ],
)
def test_a_file_that_is_no_layout_is_said_in_a_sentence(text: str | None, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "layout.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(LayoutError) as error:
        load_layout(file)
    assert error.value.reason == reason and str(file) in error.value.sentence("de")
