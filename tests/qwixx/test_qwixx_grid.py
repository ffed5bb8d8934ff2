"""Rows fitted at once to what is printed in them: bowed paper, hidden fields, numbers that are one column aside."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.sheets.layout import ROWS
from models.classes import PRINT_CLASSES
from vision.qwixx.grid import Grid, fit_grid, rated
from vision.qwixx.misthrow_votes import voted_misthrow
from vision.qwixx.place import SheetPlace
from vision.qwixx.prints import LOCK_PRINT, MINUS, NONE, SMALL, NetworkPrints, printed

SCALE = 5.0
SIDE = 14.0
FIRST, PITCH, STEP, LOCK_AT = 24.0, 12.0, 20.0, 1.6
Centres = dict[int, list[tuple[float, float]]]


class Grey:
    """Takes the grey of the dot nearest to the middle of each crop for its class, ten steps a class."""

    def read(self, crops_bgr: Image) -> tuple[np.ndarray, np.ndarray]:
        likely, off = np.zeros((len(crops_bgr), len(PRINT_CLASSES))), np.zeros((len(crops_bgr), 2))
        for k, crop in enumerate(crops_bgr):
            side = len(crop)
            count, labels, _, centres = cv2.connectedComponentsWithStats((crop[..., 0] < 175).astype(np.uint8))
            if count == 1:
                likely[k, NONE] = 1.0
                continue
            ways = (centres[1:] - (side - 1) / 2) / side
            nearest = int(np.linalg.norm(ways, axis=1).argmin())
            kind = round(float(np.median(crop[..., 0][labels == nearest + 1])) / 10)
            likely[k, min(kind, NONE)] = 1.0
            off[k] = ways[nearest]
        return likely, off


def drawn(centres: Centres, size_wh: tuple[int, int] = (1000, 500)) -> Image:
    """White paper with a dot for each field, as grey as its class says."""
    image = np.full((size_wh[1], size_wh[0], 3), 255, np.uint8)
    for kind, spots in centres.items():
        for x, y in spots:
            cv2.circle(image, (round(x * SCALE), round(y * SCALE)), 11, (kind * 10,) * 3, -1)
    return image


def rows(bow: float = 0.0, aside: int = 0, hidden: int = 0) -> Centres:
    """Four rows and their locks; ``bow``: mm the middle hangs; ``aside``: columns that the numbers are wrong by."""
    out: Centres = {}
    for row, name in enumerate(ROWS):
        for k, kind in enumerate([*printed(name).tolist(), LOCK_PRINT]):
            x = FIRST + PITCH * (k if k < 11 else 10 + LOCK_AT)
            y = 20.0 + STEP * row + bow * (1 - ((x - 90) / 70) ** 2)
            shown = kind if k == 11 else int(np.roll(printed(name), aside)[k])
            if k >= hidden:
                out.setdefault(shown, []).append((x, y))
    return out


def fitted(image: Image, start: float = 15.0, end: float = 175.0) -> Grid | None:
    place = SheetPlace(np.diag([SCALE, SCALE, 1.0]), (190.0, 95.0))
    lines = [(np.array([start, y]), np.array([end, y])) for y in 20.0 + STEP * np.arange(4)]
    return fit_grid(image, Grey(), place, lines, SIDE)


@pytest.mark.parametrize(
    ("centres", "hidden"),
    [(rows(), 0), (rows(bow=4.0), 0), (rows(hidden=6), 6)], ids=["flat", "bowed", "its left half covered"],
)
def test_numbers_lie_where_most_looks_see_them(centres: Centres, hidden: int) -> None:
    grid = fitted(drawn(centres))
    assert grid is not None and grid.lock == pytest.approx(LOCK_AT, abs=0.1)
    for row, name in enumerate(ROWS):
        for column, kind in enumerate(printed(name).tolist()):
            if column >= hidden:
                apart = np.linalg.norm(np.array(centres[kind]) - grid.centres_mm[row, column], axis=1)
                assert apart.min() < 1.0
            else:
                assert grid.centres_mm[row, column, 0] == pytest.approx(FIRST + PITCH * column, abs=2.0)


def test_rows_that_show_no_numbers_are_none() -> None:
    assert fitted(np.full((500, 1000, 3), 255, np.uint8)) is None


def test_a_column_aside_does_not_pass() -> None:
    likely = np.full((4, 11, len(PRINT_CLASSES)), 0.01)
    for row, name in enumerate(ROWS):
        likely[row, np.arange(11), printed(name)] = 0.8
    right, ahead = rated(likely.reshape(44, -1))
    assert right > 0.7 and ahead > 1.0
    for shift in (-1, 1):
        assert rated(np.roll(likely, shift, axis=1).reshape(44, -1))[1] < -1.0


def test_minus_fields_tell_where_the_misthrow_fields_begin() -> None:
    """Six crossed small fields hide which of them is the first: the -5 fields know."""
    centres: Centres = {SMALL: [], MINUS: []}
    x = 20.0
    for _ in range(4):
        for k in range(4):
            centres[MINUS if k == 3 else SMALL].append((x, 30.0))
            x += 8.0

    class Marks:
        def read(self, crops_bgr: Image) -> tuple[np.ndarray, np.ndarray]:
            likely, off = Grey().read(crops_bgr)
            return np.stack([1 - likely[:, NONE], *np.zeros((2, len(likely))), likely[:, NONE]], 1), off

    image = drawn(centres)
    place = SheetPlace(np.diag([SCALE, SCALE, 1.0]), (190.0, 95.0))
    found = voted_misthrow(image, Marks(), place, (4.0, 12.0, 176.0, 36.0), (3, 3, 3, 3), Grey())[0]
    assert [one.minus for one in found] == [False, False, False, True] * 4
    assert found[0].centre_mm[0] == pytest.approx(20.0, abs=1.0)


def test_the_shipped_reader_has_one_output_a_class() -> None:
    likely, off = NetworkPrints().read(np.full((2, 40, 40, 3), 200, np.uint8))
    assert likely.shape == (2, len(PRINT_CLASSES)) and off.shape == (2, 2)
    assert likely.sum(1) == pytest.approx([1.0, 1.0], abs=1e-5)


def test_training_shows_where_a_printed_field_lies() -> None:
    torch = pytest.importorskip("torch")
    from models import print_net

    wide = torch.zeros(48, 3, 80, 80)
    wide[:, :, 38:42, 38:42] = 1.0
    classes = torch.full((48,), SMALL)
    classes[::2] = NONE
    crops, places = print_net.seen(wide, classes, torch.Generator().manual_seed(2))
    for crop, (right, down) in zip(crops.numpy(), places.numpy(), strict=True):
        y, x = np.unravel_index(int(cv2.GaussianBlur(crop.mean(0), (0, 0), 2.0).argmax()), (40, 40))
        assert abs((x - 19.5) / 40 - right) < 0.09 and abs((y - 19.5) / 40 - down) < 0.09
    assert places[::2].abs().max() <= 0.2 * print_net.FAR < places[1::2].abs().max()
