"""The plane from four printed markers, on drawn pictures and on rendered clips."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import geometry
from calibration.corners import corners_mm
from calibration.errors import MarkerError, PlaneError
from calibration.markers import MARKER_IDS, drift_px, find_markers, fit_markers
from calibration.measure import measure_table
from calibration.plane import TablePlane, plane_from_setup

CLIPS = Path(__file__).resolve().parents[3] / "shared" / "clips"
CORNERS = np.array([[320.0, 110.0], [980.0, 130.0], [1120.0, 590.0], [180.0, 560.0]])
SIZE = (450.0, 350.0)
WH = (1280, 720)


def table(ids: tuple[int, ...] = MARKER_IDS, k1: float = 0.0, turn_deg: float = 0.0) -> np.ndarray:
    """A picture of markers with their centres at CORNERS (4 px per mm before the camera), slightly blurred."""
    plane = TablePlane(CORNERS, SIZE, WH, k1=k1)
    per_mm, margin = 4, 60
    sheet = np.full((int(SIZE[1] + 2 * margin) * per_mm, int(SIZE[0] + 2 * margin) * per_mm), 225, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    pixels = 30 * per_mm
    for number, centre in zip(ids, corners_mm(SIZE), strict=True):
        marker = cv2.aruco.generateImageMarker(dictionary, number, pixels)
        big = np.full((pixels + 80, pixels + 80), 225, np.uint8)
        big[40:-40, 40:-40] = marker
        middle = (big.shape[0] - 1) / 2
        turned = cv2.warpAffine(
            big, cv2.getRotationMatrix2D((middle, middle), turn_deg, 1), big.shape[::-1], borderValue=225
        )
        left, top = (round((c + margin) * per_mm - big.shape[0] / 2) for c in centre)
        sheet[top : top + big.shape[0], left : left + big.shape[0]] = turned
    y, x = np.mgrid[: WH[1], : WH[0]]
    mm = plane.to_mm(np.column_stack([x.ravel(), y.ravel()]))
    at = ((mm + margin) * per_mm - 0.5).astype(np.float32)
    picture = cv2.remap(
        cv2.GaussianBlur(sheet, (0, 0), 1.2), np.ascontiguousarray(at[:, 0]).reshape(WH[::-1]),
        np.ascontiguousarray(at[:, 1]).reshape(WH[::-1]), cv2.INTER_LINEAR, borderValue=225,
    )
    return cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize("turn", [0.0, 10.0])
def test_corners_and_error_of_a_drawn_table(turn: float) -> None:
    fit = fit_markers(table(turn_deg=turn), SIZE, date="2026-01-31", camera="USB 0")
    assert np.abs(fit.plane.corners_px - CORNERS).max() < 0.3
    assert fit.plane.error_mm is not None and fit.plane.error_mm < 0.3
    assert fit.plane.error_px is not None and fit.plane.error_px < 0.5
    assert (fit.plane.date, fit.plane.camera, fit.plane.size_wh) == ("2026-01-31", "USB 0", WH)
    assert fit.error_mm.shape == (4,)


def test_size_is_worked_out_from_the_markers_own_size() -> None:
    plane = fit_markers(table()).plane
    assert plane.size_mm[0] == pytest.approx(SIZE[0], rel=0.03)
    assert plane.size_mm[1] == pytest.approx(SIZE[1], rel=0.03)


def test_lens_distortion_is_fitted_from_the_sixteen_corners() -> None:
    fit = fit_markers(table(k1=-0.06), SIZE)
    assert fit.plane.k1 == pytest.approx(-0.06, abs=0.02)
    assert fit.plane.error_px is not None and fit.plane.error_px < 0.6
    assert fit_markers(table(k1=-0.06), SIZE, k1=0.0).plane.error_px > 2 * fit.plane.error_px


def test_missing_markers_are_named() -> None:
    with pytest.raises(MarkerError) as caught:
        fit_markers(table((0, 7, 2, 9)), SIZE)
    assert caught.value.facts == {"found": 2, "missing": "1, 3"}


def test_an_empty_picture_has_no_markers() -> None:
    assert find_markers(np.full((720, 1280, 3), 90, np.uint8)) == {}


def test_a_marker_twice_is_named() -> None:
    with pytest.raises(MarkerError, match="Marker 2 is in the picture more than once"):
        fit_markers(table((0, 2, 2, 3)), SIZE)


def test_markers_that_do_not_fit_the_size_are_refused() -> None:
    with pytest.raises(MarkerError, match="do not fit together"):
        fit_markers(table(), (450.0, 200.0))


@pytest.mark.parametrize("clip", ["verflixxt_a", "spuk_a"])
@pytest.mark.parametrize("still", ["t00_setup", "t03c_rest"])
def test_rendered_clips_agree_with_their_setup(clip: str, still: str) -> None:
    folder = CLIPS / clip
    if not folder.is_dir():
        pytest.skip("no rendered clips here")
    truth = plane_from_setup(json.loads((folder / "setup.json").read_text()), WH)
    plane = fit_markers(cv2.imread(str(folder / "stills" / f"{still}.jpg")), truth.size_mm).plane
    assert np.linalg.norm(plane.corners_px - truth.corners_px, axis=1).max() < 1.0
    assert np.linalg.norm(truth.to_mm(plane.corners_px) - corners_mm(truth.size_mm), axis=1).max() < 0.8
    assert plane.error_mm is not None and plane.error_mm < 0.5


def test_distort_inverts_undistort() -> None:
    points = np.array([[0.0, 0.0], [640.0, 360.0], [1279.0, 719.0], [900.0, 100.0]])
    for k1 in (-0.15, -0.02, 0.1):
        assert np.allclose(geometry.distort(geometry.undistort(points, k1, WH), k1, WH), points, atol=1e-3)


@pytest.mark.parametrize("shift", [0, 6])
def test_drift_of_the_markers_that_are_still_seen(shift: int) -> None:
    picture = np.roll(table((0, 7, 2, 3)), shift, axis=1)
    drift = drift_px(picture, TablePlane(CORNERS, SIZE, WH))
    assert drift == pytest.approx(shift, abs=0.4)
    assert drift_px(np.zeros((720, 1280, 3), np.uint8), TablePlane(CORNERS, SIZE, WH)) is None


def test_corners_by_hand_are_checked_against_markers_that_lie_there() -> None:
    picture = table()
    right = measure_table(picture, CORNERS.tolist(), SIZE, date="2026-01-31")
    assert right.error_px is not None and right.error_px < 0.5 and right.date == "2026-01-31"
    off = measure_table(picture, CORNERS + [(6, 0), (0, 0), (0, 0), (0, 0)], SIZE)
    assert off.error_px is not None and off.error_mm is not None
    assert 2 < off.error_px < 6 and off.error_mm > 1
    bare = measure_table(np.full((720, 1280, 3), 90, np.uint8), CORNERS.tolist(), SIZE)
    assert bare.error_px is None and 0.4 < bare.mm_per_px() < 2
    with pytest.raises(PlaneError):
        measure_table(picture, CORNERS.tolist())
    assert measure_table(picture, size_mm=SIZE).error_mm == fit_markers(picture, SIZE).plane.error_mm
