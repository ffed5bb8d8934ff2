"""The lattice of holes: counting, turning, finding it among spots."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.classes import DETECTOR_CLASSES
from vision.detections import Detections
from vision.flick.blobs import Spots, find_spots
from vision.flick.errors import BoxError
from vision.flick.find import check_view, find_plate
from vision.flick.grow import Fit, fit_lattice
from vision.flick.lattice import Lattice, every_cell


def seen_at(turn_deg: float, tilt: float = 0.0, pitch: float = 60.0) -> Lattice:
    """A plate in the middle of a 1280 x 720 picture, turned, its far side smaller by ``tilt``."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    to_middle = np.array([[1, 0, -2.0], [0, 1, -2.0], [0, 0, 1]])
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    view = np.array([[pitch, 0, 0], [0, pitch * (1 - tilt), 0], [0, -tilt * 0.2, 1.0]])
    shift = np.array([[1, 0, 640.0], [0, 1, 360.0], [0, 0, 1]])
    return Lattice(shift @ view @ turn @ to_middle)


def spots_of(lattice: Lattice, rng: np.random.Generator, missing: int = 0, clutter: int = 0) -> Spots:
    kept = rng.permutation(25)[: 25 - missing]
    centres = lattice.centres_px()[kept] + rng.normal(0, 1.0, (len(kept), 2))
    other = rng.uniform([100, 60], [1180, 660], (clutter, 2))
    sizes = np.concatenate([np.full(len(kept), 40.0), rng.uniform(20, 60, clutter)])
    weight = np.concatenate([np.full(len(kept), 0.9), np.full(clutter, 0.5)])
    return Spots(np.concatenate([centres, other]), sizes, weight)


def test_pixels_and_cells_are_inverse() -> None:
    lattice = seen_at(20, 0.2)
    assert np.allclose(lattice.to_cells(lattice.centres_px()), every_cell())


@pytest.mark.parametrize("quarters", range(4))
def test_turning_keeps_the_holes(quarters: int) -> None:
    lattice = seen_at(10)
    turned = lattice.turned(quarters)
    before, after = (sorted(map(tuple, part.centres_px().round(6))) for part in (lattice, turned))
    assert np.allclose(before, after)
    assert np.allclose(turned.turned(4 - quarters).matrix, lattice.matrix)


@pytest.mark.parametrize("turn_deg", [0, 30, 100, 180, 265, 330])
def test_upright_counts_from_the_far_left(turn_deg: float) -> None:
    corners = seen_at(turn_deg).upright().corners_px(0.0)
    right, down = corners[1] - corners[0], corners[3] - corners[0]
    assert right[0] > abs(right[1]) - 1e-6
    assert right[0] * down[1] - right[1] * down[0] > 0, "not mirrored"


@pytest.mark.parametrize("turn_deg", [0, 17, 44, 71])
@pytest.mark.parametrize(("tilt", "missing", "clutter"), [(0.0, 0, 0), (0.3, 4, 20), (0.25, 6, 40)])
def test_the_lattice_is_found_among_clutter(turn_deg: float, tilt: float, missing: int, clutter: int) -> None:
    wanted = seen_at(turn_deg, tilt)
    fit = fit_lattice(spots_of(wanted, np.random.default_rng(int(turn_deg)), missing, clutter))
    assert fit is not None
    gap = np.abs(fit.lattice.centres_px() - wanted.upright().centres_px()).max()
    assert gap < 0.12 * 60


def test_loose_spots_are_no_plate() -> None:
    rng = np.random.default_rng(3)
    image = np.asarray(rng.integers(90, 110, (240, 320, 3)), np.uint8)
    for x, y in rng.uniform(20, 220, (12, 2)):
        cv2.circle(image, (int(x), int(y)), 9, (30, 30, 30), -1)
    with pytest.raises(BoxError) as caught:
        find_plate(image, Detections.empty())
    assert caught.value.reason == "no_box"


@pytest.mark.parametrize(
    ("lattice", "reason"),
    [
        (Lattice(np.array([[60.0, 0, 1100], [0, 60.0, 300], [0, 0, 1]])), "half_box"),
        (Lattice(np.array([[60.0, 0, 500], [0, 20.0, 300], [0, 0, 1]])), "too_low"),
        (Lattice(np.array([[15.0, 0, 500], [0, 15.0, 300], [0, 0, 1]])), "too_small"),
    ],
)
def test_views_that_cannot_be_read_say_why(lattice: Lattice, reason: str) -> None:
    with pytest.raises(BoxError) as caught:
        check_view(Fit(lattice, np.ones(25), 0.0), (1280, 720))
    assert caught.value.reason == reason
    assert caught.value.sentence("de") != caught.value.sentence("en")


def test_holes_of_a_plain_plate_are_spots() -> None:
    image = np.full((480, 640, 3), 170, np.uint8)
    lattice = Lattice(np.array([[70.0, 0, 180], [0, 70.0, 100], [0, 0, 1]]))
    for x, y in lattice.centres_px():
        cv2.circle(image, (int(x), int(y)), 24, (60, 50, 45), -1, cv2.LINE_AA)
    found = find_spots(image)
    gap = np.hypot(*(found.centre_px[:, None] - lattice.centres_px()[None]).transpose(2, 0, 1)).min(axis=0)
    assert gap.max() < 2
    fit = find_plate(image, Detections.empty())
    assert np.abs(fit.lattice.centres_px() - lattice.centres_px()).max() < 2


def test_what_lies_regularly_between_the_holes_is_no_plate(monkeypatch: pytest.MonkeyPatch) -> None:
    plate = seen_at(12, pitch=80.0)
    cells = every_cell()
    between = np.concatenate([cells[cells[:, 0] < 4] + [0.5, 0], cells[cells[:, 1] < 4] + [0, 0.5]])
    links = Spots(plate.to_px(between), np.full(len(between), 26.0), np.full(len(between), 0.85))
    monkeypatch.setattr("vision.flick.find.find_spots", lambda image: links)
    seen = plate.centres_px()[np.isin(np.arange(25), [4, 7, 10, 13, 19, 20, 23], invert=True)]
    holes = Detections(
        np.column_stack([seen - 22, seen + 22]).astype(np.float32), np.full(len(seen), DETECTOR_CLASSES.index("hole")),
        np.full(len(seen), 0.3, np.float32),
    )
    fit = find_plate(np.zeros((720, 1280, 3), np.uint8), holes)
    assert np.abs(np.sort(fit.lattice.centres_px(), axis=0) - np.sort(plate.centres_px(), axis=0)).max() < 3
