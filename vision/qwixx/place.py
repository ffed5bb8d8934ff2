"""Where a sheet lies in a picture: a plane, and a gentle bend of the paper fitted to the printed fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Points
from calibration.geometry import transform
from calibration.sheets.layout import LOCK, SheetField, SheetLayout
from vision.qwixx.lifted import lifted_bend, shift_of_height

SEARCH_MM = (1.7, 1.0)
AFTER_LIFTED_MM = (3.5, 1.7, 1.0)
"""How far a printed field may lie from where the look before says: on flat paper, after a bow was found."""

LIFTED_MM = 9.0
GOOD_FIT = 0.85
"""With fewer fields than this share on their outlines, paper that stands off the table is looked for, that far away."""

RECTIFIED_PX_PER_MM = 5.0
LEAST_FIT = 0.5
"""With fewer fields than this share on their outlines a bend is more likely wrong than right."""
POOL_MM = 20.0
NEAR_MM = 0.5
_TERMS = 10
_CALM = np.diag([0.01, 0.03, 0.03, 0.1, 0.1, 0.1, 0.4, 0.4, 0.4, 0.4])
"""How reluctant each term of the bend is: higher ones more."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetPlace:
    """``px_from_mm`` (3, 3): sheet to picture; ``bend`` (10, 2): cubic shift in mm of a point on the sheet before that;
    ``size_mm``: of the sheet; ``fit``: share of the fields that lie where they should."""

    px_from_mm: NDArray[np.float64]
    size_mm: tuple[float, float]
    bend: NDArray[np.float64] = field(default_factory=lambda: np.zeros((_TERMS, 2)))
    fit: float = 1.0

    def to_px(self, points_mm: Points) -> Points:
        """Points (N, 2) on the sheet to the picture (N, 2)."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return transform(self.px_from_mm, points + _powers(points, self.size_mm) @ self.bend)

    def px_per_mm(self) -> float:
        """Pixels a millimetre of the sheet has where it has fewest."""
        width, height = self.size_mm
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        sides = np.linalg.norm(np.roll(self.to_px(corners), -1, 0) - self.to_px(corners), axis=1)
        return float((sides / [width, height, width, height]).min())

    def corners_px(self) -> Points:
        """The corners of the sheet in the picture (4, 2), clockwise from its top left."""
        width, height = self.size_mm
        return self.to_px(np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64))

    def rectify(self, image_bgr: Image, rect_mm: tuple[float, float, float, float], scale: float) -> Image:
        """A rectangle of the sheet seen from straight above, ``scale`` pixels a mm; outside the picture edge pixels."""
        x, y, w, h = rect_mm
        columns, rows = max(1, round(w * scale)), max(1, round(h * scale))
        across = x + (np.arange(columns) + 0.5) / scale
        down = y + (np.arange(rows) + 0.5) / scale
        grid = np.stack(np.meshgrid(across, down), -1).reshape(-1, 2)
        at = self.to_px(grid).astype(np.float32).reshape(rows, columns, 2)
        seen = cv2.remap(image_bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.uint8)


def _powers(points_mm: Points, size_mm: tuple[float, float]) -> NDArray[np.float64]:
    """The cubic terms (N, 10) of points scaled to -1..1 over the sheet."""
    x, y = ((2 * points_mm - size_mm) / size_mm).T
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], 1)


def refined(image_bgr: Image, layout: SheetLayout, place: SheetPlace) -> SheetPlace:
    """The place with the bend that puts the layout's fields onto the printed outlines; as it was where few show."""
    best = _searched(image_bgr, layout, place, SEARCH_MM)
    if best.fit < GOOD_FIT:
        lifted = _searched(image_bgr, layout, _lifted(image_bgr, layout, place), AFTER_LIFTED_MM)
        best = max(best, lifted, key=lambda one: one.fit)
    return best if best.fit >= LEAST_FIT else replace(place, fit=best.fit)


def _searched(image_bgr: Image, layout: SheetLayout, place: SheetPlace, reaches_mm: Sequence[float]) -> SheetPlace:
    for reach in reaches_mm:
        place = _refined_once(image_bgr, layout, place, reach)
    return place


def _lifted(image_bgr: Image, layout: SheetLayout, place: SheetPlace) -> SheetPlace:
    """The place with the bow that suits the printed outlines best."""
    curves, shifts, centres = _all_curves(image_bgr, layout, place, LIFTED_MM)
    way = shift_of_height(place.px_from_mm, place.size_mm, (image_bgr.shape[1], image_bgr.shape[0]))
    shares = (2 * centres - layout.size_mm) / layout.size_mm
    return replace(place, bend=place.bend + lifted_bend(curves, shifts, shares, way))


def _all_curves(
    image_bgr: Image, layout: SheetLayout, place: SheetPlace, reach_mm: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], Points]:
    """How well the fields' outlines lie on edges when shifted (N, 2, S), the shifts in mm (S,), the fields' centres."""
    scale = float(np.clip(1.3 * place.px_per_mm(), 3.0, RECTIFIED_PX_PER_MM))
    pad = reach_mm + 1.0
    width, height = layout.size_mm
    flat = place.rectify(image_bgr, (-pad, -pad, width + 2 * pad, height + 2 * pad), scale)
    edges = edge_strength(flat)
    fields = [one for one in layout.fields if one.value != LOCK]
    shifts = np.arange(-round(reach_mm * scale), round(reach_mm * scale) + 1)
    curves = np.array([_curves(edges, one, scale, pad, shifts) for one in fields])
    return curves, shifts / scale, np.array([one.centre_mm for one in fields])


def _refined_once(image_bgr: Image, layout: SheetLayout, place: SheetPlace, reach_mm: float) -> SheetPlace:
    curves, shifts, centres = _all_curves(image_bgr, layout, place, reach_mm)
    alone, pooled = (_peaks(c, shifts) for c in (curves, _pooled(curves, centres)))
    bend = robust_fit(_powers(centres, layout.size_mm), pooled[:, :, 0], pooled[:, :, 1], _CALM)
    near = np.abs(alone[:, :, 0] - _powers(centres, layout.size_mm) @ bend) < NEAR_MM
    return replace(place, bend=place.bend + bend, fit=float(near.all(1).mean()))


def bent(place: SheetPlace, bend: NDArray[np.float64]) -> SheetPlace:
    """The place with a further shift (10, 2)."""
    return replace(place, bend=place.bend + bend)


def smooth_bend(layout: SheetLayout, off_mm: Points, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """The bend (10, 2) that goes through what fields are off (N, 2), each with its weight (N,), outliers ignored."""
    return fitted_bend(np.array([one.centre_mm for one in layout.fields]), off_mm, weight, layout.size_mm)


def fitted_bend(
    at_mm: Points, off_mm: Points, weight: NDArray[np.float64], size_mm: tuple[float, float]
) -> NDArray[np.float64]:
    """As :func:`smooth_bend`, for points (N, 2) of a sheet of that size."""
    return robust_fit(_powers(at_mm, size_mm), off_mm, np.repeat(weight[:, None], 2, axis=1), _CALM)


def edge_strength(image_bgr: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How strongly the picture changes across (H, W) and down (H, W), in whichever colour it changes most."""
    smooth = cv2.GaussianBlur(image_bgr, (0, 0), 0.8).astype(np.float32)
    across = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 1, 0)).max(2)
    down = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 0, 1)).max(2)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _curves(
    edges: tuple[NDArray[np.float32], NDArray[np.float32]],
    one: SheetField,
    scale: float,
    pad: float,
    shifts: NDArray[np.int64],
) -> NDArray[np.float64]:
    """How well a field's outline lies on edges when shifted across and down, (2, S)."""
    x, y = ((v + pad) * scale for v in one.rect_mm[:2])
    w, h = (v * scale for v in one.rect_mm[2:])
    rows = slice(round(y + 0.15 * h), round(y + 0.85 * h) + 1)
    columns = slice(round(x + 0.15 * w), round(x + 0.85 * w) + 1)
    return np.stack([
        _slid(edges[0][rows].mean(0), x, w, shifts), _slid(edges[1][:, columns].mean(1), y, h, shifts)
    ])


def _slid(
    profile: NDArray[np.float32], start: float, length: float, shifts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The strength of two edges ``length`` apart at every shift, as far as it stands out."""
    places = np.arange(len(profile))
    low = np.interp(start - 0.5 + shifts, places, profile)
    high = np.interp(start - 0.5 + length + shifts, places, profile)
    response = np.minimum(low, high) + 0.25 * (low + high)
    level = float(np.median(response))
    return np.asarray(np.clip((response - level) / (level + 8.0), 0, 3), np.float64)


def _pooled(curves: NDArray[np.float64], centres_mm: Points) -> NDArray[np.float64]:
    """The curves (N, 2, S), each averaged with those of the fields around: paper bends, but gently."""
    apart = np.linalg.norm(centres_mm[:, None] - centres_mm[None], axis=2)
    share = np.exp(-0.5 * (apart / POOL_MM) ** 2)
    share /= share.sum(1, keepdims=True)
    return np.asarray(np.einsum("ij,jks->iks", share, curves))


def _peaks(curves: NDArray[np.float64], shifts_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """The best shift in mm and how much it stands out, (N, 2, 2); far shifts need more to convince."""
    likely = curves * np.exp(-0.5 * (shifts_mm / (0.8 * shifts_mm[-1])) ** 2)
    best = np.clip(likely.argmax(2), 1, len(shifts_mm) - 2)[..., None]
    a, b, c = (np.take_along_axis(likely, best + k, 2)[..., 0] for k in (-1, 0, 1))
    bow = a - 2 * b + c
    part = np.where(bow < -1e-9, 0.5 * (a - c) / np.minimum(bow, -1e-9), 0.0)
    at = shifts_mm[best[..., 0]] + np.clip(part, -0.5, 0.5) * (shifts_mm[1] - shifts_mm[0])
    return np.stack([at, b], -1)


def robust_fit(
    terms: NDArray[np.float64], shifts_mm: NDArray[np.float64], sure: NDArray[np.float64], calm: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What to take of each term (T, 2) so that their sums go through the shifts (N, 2), outliers ignored.

    ``terms`` (N, T); ``sure`` (N, 2): how much each shift counts; ``calm`` (T, T): what holds the terms back.
    """
    found = np.zeros((terms.shape[1], 2))
    weight = sure.copy()
    for _ in range(6):
        for axis in (0, 1):
            scaled = terms * weight[:, axis : axis + 1]
            found[:, axis] = np.linalg.solve(terms.T @ scaled + calm, scaled.T @ shifts_mm[:, axis])
        weight = sure / (1 + (np.abs(shifts_mm - terms @ found) / NEAR_MM) ** 2)
    return found
