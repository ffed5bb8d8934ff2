"""Sheets that something covers are read as far as they show; two sets of bands on one sheet are one sheet."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.arrays import Image
from calibration.sheets.layout import load_layout
from vision.qwixx import sheet
from vision.qwixx.errors import SheetError
from vision.qwixx.place import SheetPlace

SCALE = 4.0


class Covered:
    """Says of a dark crop that its field is hidden, of a light one that it is free, of a grey one nothing."""

    def read(self, crops_bgr: Image) -> tuple[np.ndarray, np.ndarray]:
        likely = []
        for crop in crops_bgr:
            light = float(crop[24:40, 24:40].mean())
            likely.append([0.0, 0, 0, 1] if light < 60 else [0.4, 0.1, 0.5, 0.0] if light < 170 else [1.0, 0, 0, 0])
        return np.array(likely), np.zeros((len(crops_bgr), 2))


def read(monkeypatch: pytest.MonkeyPatch, share: float, grey: int) -> sheet.SheetReading:
    """The printed sheet with this share of it covered by something of that grey."""
    layout = load_layout()
    place = SheetPlace(np.diag([SCALE, SCALE, 1.0]), layout.size_mm)
    width, height = (round(side * SCALE) for side in layout.size_mm)
    image = np.full((height, width, 3), 240, np.uint8)
    image[:, : round(share * width)] = grey
    monkeypatch.setattr(sheet, "find_sheets", lambda *_: [sheet.Found(layout, place)])
    return sheet.read_sheet(image, Covered(), layout)


def test_hidden_fields_are_asked_for_and_the_others_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = read(monkeypatch, 0.45, 20)
    asked = {one.field.name for one in reading.doubtful}
    assert asked == {one.field.name for one in reading.fields if one.hidden > 0.5}
    assert 0.3 * len(reading.fields) < len(asked) < 0.6 * len(reading.fields)


@pytest.mark.parametrize(("share", "grey"), [(0.8, 20), (0.5, 120)], ids=["mostly hidden", "half of it unclear"])
def test_a_sheet_of_which_little_is_clear_is_refused(monkeypatch: pytest.MonkeyPatch, share: float, grey: int) -> None:
    with pytest.raises(SheetError) as error:
        read(monkeypatch, share, grey)
    assert error.value.reason == "unreadable"


def test_two_sets_of_bands_on_one_sheet_are_one_sheet() -> None:
    layout = load_layout()

    def at(x: float, grow: float) -> sheet.Found:
        return sheet.Found(layout, SheetPlace(np.array([[grow, 0, x], [0, grow, 0], [0, 0, 1.0]]), layout.size_mm))

    first, same, other = at(0, 2.0), at(30, 1.8), at(900, 2.0)
    assert sheet._apart([first, same, other]) == [first, other]
