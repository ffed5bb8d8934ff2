"""Sheets found inexactly are put right by what the reader of fields says about where they lie."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.sheets.layout import MISTHROW, SheetLayout, load_layout
from models.classes import MARK_CLASSES
from vision.qwixx.found_layout import FOUND
from vision.qwixx.marks import NetworkMarks, looked, put_right
from vision.qwixx.misthrow_votes import voted_misthrow
from vision.qwixx.place import SheetPlace

SCALE = 6.0


class Dots:
    """Takes the dark dot nearest to the middle of each crop for its field's middle; without one the field is hidden."""

    def read(self, crops_bgr: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        likely, off = [], []
        for crop in crops_bgr:
            count, _, _, centres = cv2.connectedComponentsWithStats((crop[..., 0] < 100).astype(np.uint8))
            ways = (centres[1:] - 31.5) / 64
            likely.append([1.0, 0.0, 0.0, 0.0] if count > 1 else [0.0, 0.0, 0.0, 1.0])
            off.append(min(ways, key=np.linalg.norm) if count > 1 else np.zeros(2))
        return np.array(likely), np.array(off)


def drawn(layout: SheetLayout, place: SheetPlace) -> np.ndarray:
    """White paper with a dot in the middle of each field."""
    width, height = (round(side * SCALE) + 40 for side in layout.size_mm)
    image = np.full((height, width, 3), 255, np.uint8)
    for x, y in place.to_px(np.array([field.centre_mm for field in layout.fields])):
        cv2.circle(image, (round(x * 16), round(y * 16)), round(1.1 * SCALE * 16), (0, 0, 0), -1, cv2.LINE_AA, 4)
    return image


def flat(layout: SheetLayout, bend: np.ndarray | None = None) -> SheetPlace:
    matrix = np.array([[SCALE, 0, 20.0], [0, SCALE, 20.0], [0, 0, 1]])
    place = SheetPlace(matrix, layout.size_mm)
    return place if bend is None else replace(place, bend=bend)


def worst_mm(one: SheetLayout, at: SheetPlace, other: SheetLayout, true: SheetPlace) -> float:
    """How far the middles of two layouts' fields lie apart at most."""
    seen, wanted = (place.to_px(np.array([field.centre_mm for field in layout.fields]))
                    for layout, place in ((one, at), (other, true)))
    return float(np.linalg.norm(seen - wanted, axis=1).max()) / SCALE


@pytest.mark.parametrize(
    "terms", [{0: (1.6, -1.2)}, {1: (1.5, 0.0), 3: (0.0, 1.5)}, {0: (0.5, 0.5), 5: (0.0, -1.4), 8: (0.9, 0.0)}],
    ids=["shifted", "bowed", "bent"],
)
def test_a_sheet_found_inexactly_is_put_right(terms: dict[int, tuple[float, float]]) -> None:
    layout, bend = load_layout(), np.zeros((10, 2))
    for term, way in terms.items():
        bend[term] = way
    true = flat(layout, bend)
    image = drawn(layout, true)
    before = looked(image, Dots(), layout, flat(layout))
    after = put_right(image, Dots(), layout, flat(layout))
    assert after.near > 0.97 and after.rest < before.rest / 2
    assert worst_mm(after.layout, after.place, layout, true) < 0.5


def test_a_place_that_is_right_is_left_alone() -> None:
    layout = load_layout()
    after = put_right(drawn(layout, flat(layout)), Dots(), layout, flat(layout))
    assert after.near == 1.0 and worst_mm(after.layout, after.place, layout, flat(layout)) < 0.1


def test_misthrow_fields_of_a_layout_worked_out_are_moved_along_their_line() -> None:
    known = load_layout()
    groups, moved = 0, []
    for field in known.fields:
        x, y, w, h = field.rect_mm
        if field.row == MISTHROW:
            x, y = x + 0.8 - 0.7 * groups, y + 1.1
            groups += field.minus
        moved.append(replace(field, rect_mm=(x, y, w, h)))
    guessed = replace(known, name=FOUND, fields=tuple(moved))
    after = put_right(drawn(known, flat(known)), Dots(), guessed, flat(known))
    assert after.near > 0.97 and worst_mm(after.layout, after.place, known, flat(known)) < 0.5


@pytest.mark.parametrize("segments", [(3, 3, 3, 3), (4, 3, 2, 1), (2, 2, 2, 2)])
def test_misthrow_fields_are_found_by_where_the_reader_sees_them(segments: tuple[int, ...]) -> None:
    fields, x = [], 20.0
    for count in segments:
        for k in range(count + 1):
            fields.append((x + 3.5, 30.0))
            x += 8.4 if k < count - 1 else 9.0 if k == count - 1 else 12.5
    place = SheetPlace(np.diag([SCALE, SCALE, 1.0]), (180.0, 60.0))
    image = np.full((360, 1080, 3), 255, np.uint8)
    for x, y in fields:
        cv2.rectangle(image, (round((x - 3) * SCALE), round((y - 3) * SCALE)),
                      (round((x + 3) * SCALE), round((y + 3) * SCALE)), (180, 180, 180), 2)
        cv2.circle(image, (round(x * SCALE), round(y * SCALE)), 6, (0, 0, 0), -1)
    found = voted_misthrow(image, Dots(), place, (0.0, 10.0, 180.0, 45.0), segments)[0]
    assert [one.minus for one in found] == [k == count for count in segments for k in range(count + 1)]
    assert np.abs(np.array([one.centre_mm for one in found]) - fields).max() < 0.8


def test_hidden_fields_have_no_say() -> None:
    layout = load_layout()
    image = drawn(layout, flat(layout))
    image[:, : image.shape[1] // 3] = 255
    after = put_right(image, Dots(), layout, flat(layout))
    assert after.near == 1.0 and 0 < (after.visible < 0.5).sum() < len(layout.fields) / 2


def test_the_shipped_reader_knows_marks_and_where_they_are() -> None:
    image = np.full((2, 64, 64, 3), 245, np.uint8)
    for crop, (x, y) in zip(image, ((32, 32), (42, 27)), strict=True):
        cv2.rectangle(crop, (x - 23, y - 23), (x + 23, y + 23), (120, 120, 120), 2, cv2.LINE_AA)
    cv2.line(image[0], (12, 12), (52, 52), (90, 30, 20), 4, cv2.LINE_AA)
    cv2.line(image[0], (12, 52), (52, 12), (90, 30, 20), 4, cv2.LINE_AA)
    likely, off = NetworkMarks().read(image)
    assert [MARK_CLASSES[int(k)] for k in likely.argmax(1)] == ["crossed", "free"]
    assert np.abs(off - [(0.0, 0.0), (10 / 64, -5 / 64)]).max() < 0.08


def test_training_shows_where_a_field_lies() -> None:
    torch = pytest.importorskip("torch")
    from models import mark_net

    wide = torch.zeros(64, 3, 96, 96)
    wide[:, :, 46:50, 46:50] = 1.0
    crops, places = mark_net.seen(wide, torch.Generator().manual_seed(2))
    for crop, (right, down) in zip(crops.numpy(), places.numpy(), strict=True):
        bright = crop.mean(0)
        y, x = np.unravel_index(int(cv2.GaussianBlur(bright, (0, 0), 2.5).argmax()), bright.shape)
        assert abs((x - 31.5) / 64 - right) < 0.07 and abs((y - 31.5) / 64 - down) < 0.07
    plain, middle = mark_net.seen(wide, torch.Generator(), moved=False)
    assert plain.shape == (64, 3, 64, 64) and not middle.any()


@pytest.mark.filterwarnings("ignore")
def test_the_exported_reader_says_what_the_trained_one_does(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from models import mark_net, reader_net
    from models.classes import CROP_PX

    rng = np.random.default_rng(4)
    wide, classes = rng.integers(0, 255, (8, 96, 96, 3), np.uint8), np.arange(8) % len(MARK_CLASSES)
    net = mark_net.train(wide, classes, 1, tmp_path / "mark.pt", batch=4, told=lambda _: None)
    mark_net.export(net, wide, classes, tmp_path / "mark.onnx")
    crops = rng.integers(0, 255, (3, CROP_PX, CROP_PX, 3), np.uint8)
    likely, off = NetworkMarks(tmp_path / "mark.onnx").read(crops)
    out = net(reader_net.to_input(crops)).detach().numpy()
    assert likely.argmax(1).tolist() == out[:, :-2].argmax(1).tolist()
    assert np.allclose(off, out[:, -2:], atol=1e-4)
