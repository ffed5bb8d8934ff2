"""The look of something printed and flat, seen from straight above: free of the light, ready to be compared."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image

SIDE_PX = 96
"""Side of the crops that are kept and compared: fine enough for every pixel that a camera has of a tile."""

CENTRE = (SIDE_PX - 1) / 2
RADIUS_PX = 36.75
"""What lies further out is not compared: the table beside a round or six-sided tile."""

ANGLES, RINGS = 72, 10

_Y, _X = np.mgrid[0:SIDE_PX, 0:SIDE_PX].astype(np.float32)
DISC: NDArray[np.bool_] = np.hypot(_X - CENTRE, _Y - CENTRE) < RADIUS_PX
_RADII = np.linspace(5.0, RADIUS_PX - 1.0, RINGS)
_TURNS = np.arange(ANGLES) * 2 * np.pi / ANGLES
_LIGHT_PX = 9.0
_RED_GREEN, _BLUE = 0.6, 0.4

Floats = NDArray[np.float32]


class Print:
    """A crop (SIDE_PX, SIDE_PX, 3) uint8 BGR prepared for comparing; ``visible`` (SIDE_PX, SIDE_PX): not hidden.

    ``tones`` (S, S, 3): logarithmic lightness and two colour differences; ``detail``: the same without what changes
    slowly across the print, which is light. ``ground`` (2,): the colour differences that most of it has. ``levels``:
    lightness, its gradients and visibility, first blurred, then sharp. ``looks`` (S, S, 3): lightness without what is
    light, a little blurred, and colour, even where it is hidden.
    """

    __slots__ = ("detail", "ground", "levels", "visible", "share", "tones", "looks")

    def __init__(self, crop_bgr: Image, visible: NDArray[np.bool_] | None = None) -> None:
        self._prepare(_tones(crop_bgr), np.ones((SIDE_PX, SIDE_PX), np.bool_) if visible is None else visible)

    @classmethod
    def of(cls, tones: Floats, visible: NDArray[np.bool_]) -> Print:
        """A print from what :attr:`tones` of others say together."""
        made = cls.__new__(cls)
        made._prepare(tones, visible)
        return made

    def _prepare(self, tones: Floats, visible: NDArray[np.bool_]) -> None:
        self.visible, self.tones = visible, tones
        inside = self.visible & DISC
        self.share = float(inside.sum() / DISC.sum())
        weight = inside.astype(np.float32)
        level = cv2.GaussianBlur(tones * weight[:, :, None], (0, 0), _LIGHT_PX)
        share = cv2.GaussianBlur(weight, (0, 0), _LIGHT_PX)[:, :, None] + 1e-3
        self.detail: Floats = np.asarray(tones - level / share, np.float32)
        self.levels = tuple(_level(self.detail[:, :, 0], self.visible, sigma) for sigma in (2.0, 0.0))
        middle = np.median(tones[inside if inside.any() else DISC], axis=0)
        self.ground: Floats = np.asarray(middle[1:], np.float32)
        self.looks: Floats = np.dstack([cv2.GaussianBlur(self.detail[:, :, 0], (0, 0), 1.5), 0.7 * tones[:, :, 1:]])
        self.looks[~self.visible] = (0.0, 0.7 * middle[1], 0.7 * middle[2])

    def rings(self, shift_px: tuple[float, float] = (0.0, 0.0)) -> Floats:
        """Samples (RINGS, ANGLES, 3) on circles around the centre, moved by ``shift_px``: a turn is a roll."""
        x = CENTRE + shift_px[0] + _RADII[:, None] * np.cos(_TURNS)
        y = CENTRE + shift_px[1] + _RADII[:, None] * np.sin(_TURNS)
        return np.asarray(
            cv2.remap(self.looks, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR), np.float32
        )


RING_WEIGHTS = (_RADII / _RADII.sum()).astype(np.float32)


def _tones(crop_bgr: Image) -> Floats:
    smooth = cv2.GaussianBlur(np.log(crop_bgr.astype(np.float32) + 8.0), (0, 0), 0.8)
    blue, green, red = smooth[:, :, 0], smooth[:, :, 1], smooth[:, :, 2]
    colour = [_RED_GREEN * (red - green), _BLUE * (blue - 0.5 * (green + red))]
    return np.asarray(np.dstack([smooth.mean(axis=2), *colour]), np.float32)


def _level(lightness: Floats, visible: NDArray[np.bool_], sigma: float) -> Floats:
    plain = cv2.GaussianBlur(lightness, (0, 0), sigma) if sigma else lightness
    across, down = (cv2.Sobel(plain, -1, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
    return np.asarray(np.dstack([plain, across, down, visible.astype(np.float32)]), np.float32)
