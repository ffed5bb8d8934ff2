"""Noticing that the camera was moved."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.bump import CameraWatch

CLIPS = Path(__file__).resolve().parents[3] / "shared" / "clips"


def table() -> np.ndarray:
    rng = np.random.default_rng(4)
    image = np.full((720, 1280, 3), 120, np.uint8)
    for _ in range(90):
        x, y = (int(v) for v in rng.integers((0, 0), (1280, 720)))
        colour = tuple(int(v) for v in rng.integers(0, 255, 3))
        cv2.ellipse(image, (x, y), (int(rng.integers(10, 50)), int(rng.integers(10, 50))), 30, 0, 360, colour, -1)
    return image


def seen(image: np.ndarray, dx: float = 0, dy: float = 0, turn: float = 0, zoom: float = 1) -> np.ndarray:
    """The picture after the camera moved, a little darker, with noise."""
    matrix = cv2.getRotationMatrix2D((640, 360), turn, zoom)
    matrix[:, 2] += (dx, dy)
    moved = cv2.warpAffine(image, matrix, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(1).normal(0, 3, image.shape)
    return np.clip(0.85 * moved + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("move", [
    {"dx": 8}, {"dy": -12}, {"dx": 30, "dy": 20}, {"turn": 1.0}, {"turn": -2.0}, {"zoom": 1.03},
])
def test_a_moved_camera_is_noticed(move: dict[str, float]) -> None:
    shift = CameraWatch(table()).shift(seen(table(), **move))
    assert shift.known and shift.moved
    if "dx" in move or "dy" in move:
        assert shift.px == pytest.approx(np.hypot(move.get("dx", 0), move.get("dy", 0)), abs=1.5)


def test_pieces_light_and_a_hand_do_not_move_the_camera() -> None:
    image = table()
    for x in (200, 500, 900):
        cv2.circle(image, (x, 300), 25, (0, 0, 220), -1)
    cv2.ellipse(image, (1100, 600), (220, 120), 30, 0, 360, (120, 150, 200), -1)
    shift = CameraWatch(table()).shift(seen(image))
    assert shift.known and not shift.moved and shift.px < 1.5


def test_a_picture_without_anything_in_common_is_not_known() -> None:
    shift = CameraWatch(table()).shift(np.full((720, 1280, 3), 90, np.uint8))
    assert not shift.known and not shift.moved


def test_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="instead of"):
        CameraWatch(table()).shift(np.zeros((360, 640, 3), np.uint8))


@pytest.mark.parametrize("clip", ["verflixxt_a", "spuk_a"])
def test_rendered_games_stay_put(clip: str) -> None:
    stills = sorted((CLIPS / clip / "stills").glob("*.jpg"))
    if not stills:
        pytest.skip("no rendered clips here")
    watch = CameraWatch(cv2.imread(str(stills[0])))
    assert not any(watch.shift(cv2.imread(str(still))).moved for still in stills[1::3])
    bumped = [watch.shift(seen(cv2.imread(str(still)), dx=12)) for still in stills[1::8]]
    assert all(shift.moved for shift in bumped if shift.known) and any(shift.known for shift in bumped)
