"""The table plane: pixels to millimetres and back, checks of what was given, rectified crops, files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.corners import corners_mm
from calibration.errors import CalibrationFileError, PlaneError
from calibration.plane import TablePlane, plane_from_setup

CORNERS = [[297.0, 65.3], [1073.2, 135.5], [1139.3, 585.6], [122.3, 468.3]]
SIZE = (510.0, 300.0)
WH = (1280, 720)


def camera_picture(f: float, tilt_deg: float, height: float, points: np.ndarray) -> np.ndarray:
    """Pixels (N, 2) of points (N, 3), height up: a camera ``height`` mm from the middle, tilted from the vertical."""
    t = np.radians(tilt_deg)
    down = np.column_stack([points[:, 0] - 255, points[:, 1] - 150, height - points[:, 2]])
    turned = np.column_stack([
        down[:, 0], np.cos(t) * down[:, 1] + np.sin(t) * (down[:, 2] - height),
        height + np.cos(t) * (down[:, 2] - height) - np.sin(t) * down[:, 1],
    ])
    return f * turned[:, :2] / turned[:, 2:] + (np.array(WH) - 1) / 2


def test_corners_map_to_the_play_area_and_back() -> None:
    plane = TablePlane(np.array(CORNERS), SIZE, WH)
    assert np.allclose(plane.to_mm(CORNERS), corners_mm(SIZE), atol=1e-6)
    inside = np.array([[10.0, 20.0], [255.0, 150.0], [480.0, 290.0]])
    assert np.allclose(plane.to_mm(plane.to_px(inside)), inside, atol=1e-6)


def test_distorted_corners_map_too_and_lines_bend() -> None:
    plane = TablePlane(np.array(CORNERS), SIZE, WH, k1=-0.08)
    assert np.allclose(plane.to_mm(CORNERS), corners_mm(SIZE), atol=1e-4)
    assert np.allclose(plane.to_mm(plane.to_px([[100.0, 40.0]])), [[100.0, 40.0]], atol=1e-4)
    straight = TablePlane(np.array(CORNERS), SIZE, WH)
    assert np.linalg.norm(plane.to_px([[255.0, 0.0]]) - straight.to_px([[255.0, 0.0]])) > 1.0


@pytest.mark.parametrize("focal", [800.0, 1000.0, 1800.0])
@pytest.mark.parametrize("tilt", [25.0, 45.0])
def test_pose_from_one_view_finds_camera_and_tops_of_pieces(focal: float, tilt: float) -> None:
    ground = np.column_stack([corners_mm(SIZE), np.zeros(4)])
    plane = TablePlane(camera_picture(focal, tilt, 700.0, ground), SIZE, WH)
    assert plane.focal_px == pytest.approx(focal, rel=0.01)
    angle = np.radians(tilt)
    assert np.allclose(plane.camera_mm(), [255, 150 + 700 * np.sin(angle), 700 * np.cos(angle)], atol=8)
    tops = np.array([[100.0, 60.0, 24.0], [400.0, 250.0, 24.0]])
    assert np.allclose(plane.to_px(tops[:, :2], 24.0), camera_picture(focal, tilt, 700.0, tops), atol=0.3)


def test_straight_from_above_takes_a_usual_focal_length() -> None:
    ground = np.column_stack([corners_mm(SIZE), np.zeros(4)])
    plane = TablePlane(camera_picture(1000.0, 0.0, 700.0, ground), SIZE, WH)
    assert plane.focal_px == pytest.approx(0.9 * 1280)
    tops = plane.to_px([[0.0, 0.0], [510.0, 300.0]], 20.0) - plane.to_px([[0.0, 0.0], [510.0, 300.0]])
    assert (tops[0] < 0).all() and (tops[1] > 0).all()


def test_px_per_mm_is_the_local_scale() -> None:
    plane = TablePlane(np.array([[100.0, 50.0], [1120.0, 50.0], [1120.0, 650.0], [100.0, 650.0]]), SIZE, WH)
    assert plane.px_per_mm((255, 150)) == pytest.approx(2.0)
    oblique = TablePlane(np.array(CORNERS), SIZE, WH)
    assert oblique.px_per_mm((250, 280)) > oblique.px_per_mm((250, 20))


@pytest.mark.parametrize("angle", [0.0, 90.0])
@pytest.mark.parametrize("zoom", [1, 2])
def test_rectify_shows_the_square_of_table(angle: float, zoom: int) -> None:
    width, height = WH[0] * zoom, WH[1] * zoom
    plane = TablePlane(np.array(CORNERS), SIZE, WH).scaled_to((width, height))
    y, x = np.mgrid[:height, :width]
    mm = plane.to_mm(np.column_stack([x.ravel(), y.ravel()]))
    right, lower = mm[:, 0] > 200, mm[:, 1] > 120
    image = np.zeros((height * width, 3), np.uint8)
    image[right & lower], image[right & ~lower], image[~right & lower] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    crop = plane.rectify(image.reshape(height, width, 3), (200.0, 120.0), 52.0, 64, angle)
    assert crop.shape == (64, 64, 3) and crop.dtype == np.uint8
    quarters = [crop[16, 16], crop[16, 48], crop[48, 48], crop[48, 16]]
    expected = [(0, 0, 0), (0, 255, 0), (255, 0, 0), (0, 0, 255)]
    if angle:
        expected = expected[1:] + expected[:1]
    assert [tuple(int(v) for v in q) for q in quarters] == expected


def test_rectify_beyond_the_picture_repeats_the_edge() -> None:
    plane = TablePlane(np.array(CORNERS), SIZE, WH)
    crop = plane.rectify(np.full((720, 1280, 3), 77, np.uint8), (-900.0, -900.0), 52.0, 64)
    assert (crop == 77).all()


@pytest.mark.parametrize(
    ("corners", "size", "reason"),
    [
        (CORNERS[:3], SIZE, "corners_count"),
        ([[1, 2], [3, 4], [5, 6], ["x", 8]], SIZE, "corners_count"),
        ([[1, 2], [3, 4], [5, 6], [float("nan"), 8]], SIZE, "corners_count"),
        (CORNERS[::-1], SIZE, "corners_wrong_order"),
        ([CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]], SIZE, "corners_not_convex"),
        ([CORNERS[0], CORNERS[1], [700, 120], CORNERS[3]], SIZE, "corners_not_convex"),
        ([[100, 100], [150, 100], [150, 140], [100, 140]], SIZE, "corners_too_small"),
        (CORNERS, (510, 0), "size_invalid"),
        (CORNERS, "wide", "size_invalid"),
        (CORNERS, (510, 300, 2), "size_invalid"),
        (CORNERS, (51, 30000), "size_invalid"),
    ],
)
def test_bad_corners_and_sizes_are_named(corners: Any, size: Any, reason: str) -> None:
    with pytest.raises(PlaneError) as caught:
        plane_from_setup({"calibration": {"corners_px": corners, "size_mm": size}}, WH)
    assert caught.value.reason == reason


@pytest.mark.parametrize("setup", [{}, {"calibration": None}, {"calibration": {"corners_px": CORNERS}}])
def test_a_setup_without_calibration_says_what_to_give(setup: dict[str, Any]) -> None:
    with pytest.raises(PlaneError, match="give the four corners"):
        plane_from_setup(setup, WH)


def test_corners_count_in_the_pixels_they_were_measured_in() -> None:
    part = {"corners_px": CORNERS, "size_mm": list(SIZE)}
    same = plane_from_setup({"calibration": part}, WH)
    video = plane_from_setup({"calibration": part, "video": {"width": 1280, "height": 720}}, (1920, 1080))
    own = plane_from_setup({"calibration": {**part, "size_wh": [1280, 720]}}, (640, 360))
    middle = np.array([[255.0, 150.0]])
    assert np.allclose((video.to_px(middle) + 0.5) / 1.5, same.to_px(middle) + 0.5)
    assert np.allclose((own.to_px(middle) + 0.5) * 2, same.to_px(middle) + 0.5)
    with pytest.raises(PlaneError, match="1280x720.*720x1280"):
        same.scaled_to((720, 1280))


def test_saves_readable_json_and_loads_it_again(tmp_path: Path) -> None:
    plane = TablePlane(
        np.array(CORNERS), SIZE, WH, k1=-0.01, error_px=0.4, error_mm=0.25, date="2026-01-31", camera="USB 0"
    )
    plane.save(tmp_path / "plane.json")
    data = json.loads((tmp_path / "plane.json").read_text())
    assert data["date"] == "2026-01-31" and data["corners_px"] == CORNERS and data["error_mm"] == 0.25
    again = TablePlane.load(tmp_path / "plane.json")
    assert again.to_json() == plane.to_json()
    assert np.allclose(again.to_px([[50, 60]], 20.0), plane.to_px([[50, 60]], 20.0), atol=1e-3)


@pytest.mark.parametrize(
    ("text", "reason"), [(None, "file_missing"), ("{", "file_unreadable"), ("{}", "file_unreadable"),
                         ('{"corners_px": [[0, 0]], "size_mm": [1, 2], "size_wh": [3, 4]}', "file_unreadable")]
)
def test_a_broken_file_is_named(tmp_path: Path, text: str | None, reason: str) -> None:
    path = tmp_path / "plane.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(CalibrationFileError) as caught:
        TablePlane.load(path)
    assert caught.value.reason == reason and "plane.json" in str(caught.value)
