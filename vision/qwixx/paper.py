"""Sheets of a known kind found by their paper: a light quadrilateral on which the layout's fields show."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.geometry import homography
from calibration.sheets.layout import SheetLayout
from vision.qwixx.place import SheetPlace, refined

WORK_PX = 640
"""The longer side of the picture in which paper is looked for."""

LEAST_FIT = 0.6
"""So many of the fields must lie on printed outlines."""

_LEAST_AREA, _STRETCHED = 0.04, 1.7
"""The least share of the picture; how much the sides may differ from the layout's, as the camera looks from aside."""


def find_by_paper(image_bgr: Image, layout: SheetLayout) -> SheetPlace | None:
    """Where the sheet lies in a picture (H, W, 3); None where no paper shows the layout's fields."""
    best: SheetPlace | None = None
    for quad in paper_quads(image_bgr):
        for corners in _ways_round(quad, layout.size_mm):
            flat = SheetPlace(homography(_corners(layout.size_mm), corners), layout.size_mm)
            place = refined(image_bgr, layout, flat)
            if place.fit >= LEAST_FIT and (best is None or place.fit > best.fit):
                best = place
    return best


def paper_quads(image_bgr: Image) -> list[Points]:
    """Quadrilaterals (4, 2) px, clockwise, that are lighter or paler than what is around, the largest first."""
    shrink = min(1.0, WORK_PX / max(image_bgr.shape[:2]))
    small = cv2.resize(image_bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else image_bgr
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), (0, 0), 1.2)
    chroma = np.hypot(*(lab[..., k].astype(np.float32) - np.median(lab[..., k]) for k in (1, 2)))
    planes = (lab[..., 0], cv2.convertScaleAbs(chroma, alpha=3.0))
    found: list[tuple[float, Points]] = []
    for plane in planes:
        for inverse in (False, True):
            found += _quads(np.asarray(plane, np.uint8), inverse)
    found.sort(key=lambda pair: -pair[0])
    kept: list[Points] = []
    for _, quad in found:
        if not any(np.abs(quad - other).max() < 0.03 * WORK_PX for other in kept):
            kept.append(quad)
    return [(quad + 0.5) / shrink - 0.5 for quad in kept[:3]]


def _quads(plane: NDArray[np.uint8], inverse: bool) -> Iterator[tuple[float, Points]]:
    """Large four-cornered parts of a plane above (or below) its threshold, with their areas."""
    kind = cv2.THRESH_BINARY_INV if inverse else cv2.THRESH_BINARY
    _, mask = cv2.threshold(plane, 0, 255, kind | cv2.THRESH_OTSU)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        hull = cv2.convexHull(contour)
        area = float(cv2.contourArea(hull))
        if area < _LEAST_AREA * mask.size or area > 0.9 * mask.size:
            continue
        for share in (0.02, 0.035, 0.05, 0.08):
            corners = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, True), True)[:, 0]
            if len(corners) == 4:
                quad = corners.astype(np.float64)
                if cv2.contourArea(corners) > 0.9 * area:
                    yield area, _clockwise(quad)
                break


def _clockwise(quad: Points) -> Points:
    ahead = np.roll(quad, -1, 0)
    turning = float((quad[:, 0] * ahead[:, 1] - ahead[:, 0] * quad[:, 1]).sum())
    return quad if turning > 0 else quad[::-1]


def _ways_round(quad: Points, size_mm: tuple[float, float]) -> Iterator[Points]:
    """The quadrilateral from each corner that may be the sheet's top left, the likeliest first."""
    width, height = size_mm
    ways = []
    for k in range(4):
        turned = np.roll(quad, -k, 0)
        sides = np.linalg.norm(np.roll(turned, -1, 0) - turned, axis=1)
        shape = (sides[0] + sides[2]) / (sides[1] + sides[3]) / (width / height)
        if 1 / _STRETCHED < shape < 1.6 * _STRETCHED:
            ways.append((float(turned[0] @ [1.0, 1.0]), turned))
    return (turned for _, turned in sorted(ways, key=lambda pair: pair[0]))


def _corners(size_mm: tuple[float, float]) -> Points:
    width, height = size_mm
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)


