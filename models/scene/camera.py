"""A pinhole camera over the table. World: x right, y towards the viewer, z up, millimetres; pixels x right, y down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """``axes`` (3, 3): image right, image down and viewing direction in world coordinates, as rows."""

    position_mm: Array
    axes: Array
    focal_px: float
    centre_px: tuple[float, float]
    size_wh: tuple[int, int]

    @classmethod
    def looking_at(
        cls,
        target_mm: tuple[float, float],
        distance_mm: float,
        elevation_deg: float,
        azimuth_deg: float,
        roll_deg: float,
        focal_px: float,
        size_wh: tuple[int, int],
        centre_px: tuple[float, float] | None = None,
    ) -> Camera:
        """Camera at ``elevation_deg`` (90: straight above) that sees ``target_mm`` on the table in ``centre_px``."""
        el, az, roll = np.radians([elevation_deg, azimuth_deg, roll_deg])
        turn = np.array([[np.cos(az), -np.sin(az), 0], [np.sin(az), np.cos(az), 0], [0, 0, 1]])
        forward = turn @ np.array([0, -np.cos(el), -np.sin(el)])
        right, down = turn @ np.array([1.0, 0, 0]), turn @ np.array([0, np.sin(el), -np.cos(el)])
        right, down = np.cos(roll) * right + np.sin(roll) * down, np.cos(roll) * down - np.sin(roll) * right
        position = np.array([*target_mm, 0.0]) - distance_mm * forward
        centre = centre_px or (size_wh[0] / 2, size_wh[1] / 2)
        return cls(position, np.stack([right, down, forward]), focal_px, centre, size_wh)

    def project(self, points_mm: Array) -> Array:
        """World points (N, 3) to pixels (N, 2)."""
        seen = (points_mm - self.position_mm) @ self.axes.T
        depth = np.maximum(seen[:, 2:], 1.0)
        return np.asarray(seen[:, :2] / depth * self.focal_px + np.array(self.centre_px))

    def depth(self, points_mm: Array) -> Array:
        """Distance along the viewing direction, (N,) mm."""
        return np.asarray((points_mm - self.position_mm) @ self.axes[2])

    def homography(self) -> Array:
        """(3, 3) matrix from table millimetres (x, y, 1) to pixels."""
        intrinsics = np.array([[self.focal_px, 0, self.centre_px[0]], [0, self.focal_px, self.centre_px[1]], [0, 0, 1]])
        extrinsics = np.column_stack([self.axes[:, 0], self.axes[:, 1], -self.axes @ self.position_mm])
        return np.asarray(intrinsics @ extrinsics)
