from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration import geometry
from calibration.arrays import Image
from calibration.board import charuco_cells
from calibration.lens import LensError, measure_lens

SIZE_WH = (1280, 720)


def picture(k1: float, scale: float = 1.0) -> Image:
    """The board seen at a slant through a lens with this distortion."""
    cells = np.kron(np.where(charuco_cells(), 20, 235), np.ones((12, 12))).astype(np.uint8)
    height, width = cells.shape
    corners = np.array([(180, 90), (1130, 60), (1200, 640), (120, 670)], float)
    corners = (corners - 640) * scale + 640 if scale != 1 else corners
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    onto = geometry.homography(corners, flat)
    x, y = np.meshgrid(np.arange(SIZE_WH[0]), np.arange(SIZE_WH[1]))
    seen = np.column_stack([x.ravel(), y.ravel()]).astype(float)
    at = geometry.transform(onto, geometry.undistort(seen, k1, SIZE_WH)).astype(np.float32).reshape(*x.shape, 2)
    grey = cv2.remap(cells, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderValue=(235,))
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(grey, (0, 0), 0.8), cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.mark.parametrize("k1", [0.0, 0.08, -0.06])
def test_the_distortion_is_found(k1: float) -> None:
    lens = measure_lens(picture(k1))
    assert lens.k1 == pytest.approx(k1, abs=0.008)
    assert lens.error_px < 0.5 and lens.corners >= 20
    assert lens.straight_error_px >= lens.error_px - 1e-6


def test_what_is_missing_is_said() -> None:
    with pytest.raises(LensError, match="corners"):
        measure_lens(np.full((720, 1280, 3), 200, np.uint8))
    with pytest.raises(LensError, match=r"small|corners"):
        measure_lens(picture(0.0, 0.22))
