"""How a die lies in the box that was found around it: a cube of any size and turn, laid over the edges of the picture.

A box alone tells the size of a die only to a factor of 1.4: turned by 45 degrees a small die fills it as a large one
does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.plane import TablePlane
from vision.reading import Box, Point

TURNS_RAD = np.radians(np.arange(0.0, 90.0, 5.0))
WIDTHS = np.linspace(0.92, 1.5, 12)
"""A box is so many sides of its die wide."""

LIKELY, FEW = 70, 4
"""So many turns and sizes that fit the box best are laid over the edges, so many of them once more, exactly."""

BOX_OFF = 0.08
"""How far, in parts of itself, a box is off."""

EDGES_WORTH = 12.0
"""Nats between a cube all of whose edges are seen and one of which none is."""

SIDE_EDGES = 0.5
"""What the edges of the sides count against those of the top."""

SAMPLES = 9
STRONG = 1.2
"""Edges count at most as this many times what the strongest tenth of the picture around has."""

_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
_OUTWARD = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
_ALONG = (np.arange(SAMPLES) + 0.5) / SAMPLES
_SHIFTS = 0.8 * np.array([(x, y) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2)], np.float64)
_NEAR = np.stack(
    [a.ravel() for a in np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1], [-1, 0, 1], indexing="ij")], axis=1
) * np.array([np.radians(2.5), 0.04, 0.4, 0.4])

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cube:
    """A die on the table: the middle of its foot, its side, and its turn (0..90 degrees, in rad)."""

    foot_mm: Point
    side_mm: float
    turn_rad: float


def fitted_cube(image_bgr: Image, plane: TablePlane, box_px: Box) -> Cube:
    """The cube that fits a box and the edges in it best."""
    seen = _Seen(image_bgr, plane, box_px)
    turn, side = (a.ravel() for a in np.meshgrid(TURNS_RAD, seen.wide_mm / WIDTHS, indexing="ij"))
    likely = np.argsort(seen.misfit(*seen.corners_px(turn, side)))[:LIKELY]
    tries = np.column_stack([
        np.repeat(turn[likely], len(_SHIFTS)), np.repeat(side[likely], len(_SHIFTS)),
        np.tile(_SHIFTS * seen.step_px, (len(likely), 1)),
    ])  # fmt: skip
    for finer in (1.0, 0.5):
        tries = _around(tries[np.argsort(-seen.nats(tries))[:FEW]], seen.step_px, finer)
    found = tries[int(np.argmax(seen.nats(tries)))]
    return seen.cube(found)


def _around(tries: Floats, step_px: float, finer: float) -> Floats:
    """Tries a little turned, larger, smaller and moved."""
    near, one = finer * _NEAR, tries[:, None]
    parts = [one[:, :, :1] + near[:, :1], one[:, :, 1:2] * (1 + near[:, 1:2]), one[:, :, 2:] + step_px * near[:, 2:]]
    return np.concatenate(parts, axis=2).reshape(-1, 4)


class _Seen:
    """The picture around a box. Tries are rows ``(turn, side, shift x, shift y)``: in rad, mm, px from the place at
    which the cube has its middle where the box has it."""

    def __init__(self, image: Image, plane: TablePlane, box: Box) -> None:
        left, top, right, bottom = box
        self._plane, self._middle = plane, np.array([(left + right) / 2, (top + bottom) / 2])
        self._size = np.array([max(right - left, 2.0), max(bottom - top, 2.0)])
        self._off_px = max(BOX_OFF * float(self._size.max()), 1.0)
        self.step_px = max(float(self._size[0]), 20.0) / 22
        margin = int(0.3 * self._size.max()) + 4
        self._corner = np.array([max(int(left) - margin, 0), max(int(top) - margin, 0)])
        x, y = self._corner
        self._slopes = _slopes(image[y : int(bottom) + margin + 1, x : int(right) + margin + 1])
        steep = np.sqrt((self._slopes**2).sum(axis=(0, 3)))
        self._strong = float(np.quantile(steep, 0.9)) + 0.01
        at = plane.to_mm([self._middle])[0]
        self.wide_mm = float(self._size[0]) / plane.px_per_mm(at)
        self._axes = _axes(plane, at)
        camera = plane.camera_mm()
        towards = np.array([*(camera[:2] - at), camera[2]])
        self._view = towards / max(float(np.linalg.norm(towards)), 1e-9)

    def corners_px(self, turn: Floats, side: Floats) -> tuple[Floats, Floats]:
        """The lower and the upper corners (K, 4, 2) of cubes whose foot is the origin."""
        foot = np.einsum("kij,qj->kqi", _turned(turn), _SQUARE) * side[:, None, None]
        low = foot @ self._axes[:, :2].T
        return low, low + (self._axes[:, 2] * side[:, None])[:, None]

    def misfit(self, low: Floats, up: Floats) -> Floats:
        """Nats (K,) that a cube's box differs from the one that was found."""
        every = np.concatenate([low, up], axis=1)
        off = (every.max(axis=1) - every.min(axis=1) - self._size) / self._off_px
        return np.asarray(0.5 * (off**2).sum(axis=1), np.float64)

    def nats(self, tries: Floats) -> Floats:
        """How well (K,) cubes fit."""
        low, up = self.corners_px(tries[:, 0], tries[:, 1])
        at = self._foot_px(low, up, tries)[:, None]
        worth = self._worth(tries[:, 0])
        edges = (self._edges(low + at, up + at) * worth).sum(axis=1) / worth.sum(axis=1)
        moved = 0.5 * (tries[:, 2:] ** 2).sum(axis=1) / self._off_px**2
        return np.asarray(EDGES_WORTH * edges - self.misfit(low, up) - moved, np.float64)

    def _foot_px(self, low: Floats, up: Floats, tries: Floats) -> Floats:
        every = np.concatenate([low, up], axis=1)
        return np.asarray(self._middle - (every.min(axis=1) + every.max(axis=1)) / 2 + tries[:, 2:], np.float64)

    def _worth(self, turn: Floats) -> Floats:
        """What each of the twelve edges counts (K, 12): those of the top, upright ones, those at the foot."""
        facing = np.einsum("kij,qj->kqi", _turned(turn), _OUTWARD) @ self._view[:2] > 0.05
        upright = facing | np.roll(facing, 1, axis=1)
        return np.concatenate([np.ones(facing.shape), SIDE_EDGES * upright, SIDE_EDGES * facing], axis=1)

    def _edges(self, low: Floats, up: Floats) -> Floats:
        """How much the picture changes across each edge (K, 12), 0..STRONG."""
        start = np.concatenate([up, up, low], axis=1)
        along = np.concatenate([np.roll(up, -1, axis=1), low, np.roll(low, -1, axis=1)], axis=1) - start
        across = np.stack([-along[:, :, 1], along[:, :, 0]], axis=2)
        across /= np.linalg.norm(across, axis=2, keepdims=True) + 1e-9
        at = start[:, :, None] + along[:, :, None] * _ALONG[:, None] - self._corner
        x, y = (np.ascontiguousarray(at[..., k].reshape(len(at), -1), np.float32) for k in (0, 1))
        down_x, down_y = (cv2.remap(one, x, y, cv2.INTER_LINEAR).reshape(*at.shape[:3], 3) for one in self._slopes)
        steep = down_x * across[:, :, None, :1] + down_y * across[:, :, None, 1:]
        strong = np.sqrt((steep**2).sum(axis=3)) / self._strong
        return np.asarray(np.minimum(strong, STRONG).mean(axis=2), np.float64)

    def cube(self, found: Floats) -> Cube:
        """The cube that a try describes."""
        low, up = self.corners_px(found[None, 0], found[None, 1])
        x, y = self._plane.to_mm(self._foot_px(low, up, found[None]))[0]
        return Cube((float(x), float(y)), float(found[1]), float(found[0] % (np.pi / 2)))


def _slopes(part_bgr: Image) -> NDArray[np.float32]:
    """(2, H, W, 3): how the logarithmic colours change to the right and down."""
    smooth = cv2.GaussianBlur(np.log(part_bgr.astype(np.float32) + 12.0), (0, 0), 0.6)
    return np.stack([cv2.Sobel(smooth, -1, dx, 1 - dx, scale=1 / 8) for dx in (1, 0)]).astype(np.float32)


def _axes(plane: TablePlane, at_mm: Sequence[float] | Floats) -> Floats:
    """(2, 3): how many pixels a mm is to the right and down on the table, and upwards, around ``at_mm``."""
    at, step = np.asarray(at_mm, np.float64), 3.0
    ways = [np.array([step, 0.0]), np.array([0.0, step])]
    flat = [(plane.to_px([at + way])[0] - plane.to_px([at - way])[0]) / (2 * step) for way in ways]
    return np.column_stack([*flat, (plane.to_px([at], 10.0)[0] - plane.to_px([at])[0]) / 10])


def _turned(turn: Floats) -> Floats:
    cos, sin = np.cos(turn), np.sin(turn)
    return np.stack([np.stack([cos, -sin], axis=1), np.stack([sin, cos], axis=1)], axis=1)
