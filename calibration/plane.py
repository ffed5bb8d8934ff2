"""The table plane: pixels of the camera picture to millimetres in the play area, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import geometry
from calibration.arrays import Image, Points
from calibration.corners import checked_corners, checked_lens, checked_size, corners_mm
from calibration.errors import CalibrationFileError, PlaneError


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """What a camera picture of the table measures.

    ``corners_px`` float64 (4, 2): the corners of the play area as seen, clockwise from the top left (they may lie
    outside the picture); ``size_mm``: its width and height; ``size_wh``: the camera picture's width and height.
    Millimetres count from corner 0, x to the right, y down, on the table. (0, 0) px is the centre of the first pixel.
    ``k1``: the one-term lens distortion of :func:`calibration.geometry.undistort`. ``focal_px``: None estimates it.
    ``error_px``, ``error_mm``: root mean square reprojection error, None where nothing beyond the four corners was
    measured. ``date``, ``camera``: as told by whoever calibrated. Raises PlaneError.
    """

    corners_px: Points
    size_mm: tuple[float, float]
    size_wh: tuple[int, int]
    k1: float = 0.0
    focal_px: float | None = None
    error_px: float | None = None
    error_mm: float | None = None
    date: str = ""
    camera: str = ""
    _px_from_mm: NDArray[np.float64] = field(init=False, repr=False)
    _mm_from_px: NDArray[np.float64] = field(init=False, repr=False)
    _column: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        corners = checked_corners(self.corners_px)
        size = checked_size(self.size_mm)
        checked_lens(self.k1, self.focal_px, self.size_wh)
        straight = geometry.undistort(corners, self.k1, self.size_wh)
        forth = geometry.homography(corners_mm(size), straight)
        focal = self.focal_px or geometry.estimate_focal_px(forth, self.size_wh)
        for name, value in (
            ("corners_px", corners), ("size_mm", size), ("focal_px", focal), ("_px_from_mm", forth),
            ("_mm_from_px", np.linalg.inv(forth)), ("_column", geometry.height_column(forth, focal, self.size_wh)),
        ):
            object.__setattr__(self, name, value)

    def to_mm(self, points_px: Any) -> Points:
        """Where the table points seen at ``points_px`` (N, 2) lie, in mm (N, 2)."""
        straight = geometry.undistort(_points(points_px), self.k1, self.size_wh)
        return geometry.transform(self._mm_from_px, straight)

    def to_px(self, points_mm: Any, height_mm: float | NDArray[np.float64] = 0.0) -> Points:
        """Where points ``points_mm`` (N, 2) at ``height_mm`` (one, or (N,)) above the table are seen, in px (N, 2).

        Exact on the table; above it as good as the focal length (see :meth:`camera_mm`).
        """
        points = _points(points_mm)
        height = np.broadcast_to(np.asarray(height_mm, np.float64), len(points))
        seen = points @ self._px_from_mm[:, :2].T + self._px_from_mm[:, 2] + height[:, None] * self._column
        return geometry.distort(seen[:, :2] / seen[:, 2:], self.k1, self.size_wh)

    def px_per_mm(self, pos_mm: Any) -> float:
        """How many pixels a mm of table has at ``pos_mm`` (2,): the root of the area's enlargement there."""
        x, y = np.asarray(pos_mm, np.float64).reshape(2)
        a, b, c = self.to_px([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x - 0.5, y + 0.5)])
        return float(np.sqrt(abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])))

    def mm_per_px(self) -> float:
        """What a pixel off is worth at most, in mm: at the worst corner, in the worst direction."""
        steps = np.array([(0, 0), (1, 0), (0, 1)], np.float64)
        at = self.to_mm((self.corners_px[:, None] + steps).reshape(-1, 2)).reshape(4, 3, 2)
        return float(np.linalg.norm(at[:, 1:] - at[:, :1], ord=2, axis=(1, 2)).max())

    def camera_mm(self) -> NDArray[np.float64]:
        """Where the camera stands: (3,) x, y in the play area and height above the table."""
        return geometry.camera_position_mm(self._px_from_mm, self._column)

    def rectify(
        self, image: Image, centre_mm: Any, side_mm: float, size_px: int, angle_deg: float = 0.0
    ) -> Image:
        """The square of table around ``centre_mm`` with ``side_mm``, seen from straight above, (size_px, size_px, 3).

        ``angle_deg`` turns the square clockwise on the table. Sampled from the full picture; where the picture
        has more pixels than the crop, they are averaged. Beyond the picture its edge is repeated.
        """
        finer = int(np.clip(np.ceil(self.px_per_mm(centre_mm) * side_mm / size_px - 0.1), 1, 6))
        n = size_px * finer
        crop = self._square(image, np.asarray(centre_mm, np.float64).reshape(2), side_mm, n, np.radians(angle_deg))
        if finer > 1:
            crop = np.asarray(cv2.resize(crop, (size_px, size_px), interpolation=cv2.INTER_AREA), np.uint8)
        return crop

    def _square(self, image: Image, centre_mm: Points, side_mm: float, n: int, angle: float) -> Image:
        """See :meth:`rectify`: (n, n, 3), a sample a pixel. Without lens distortion OpenCV finds the places itself."""
        cos, sin = np.cos(angle), np.sin(angle)
        turn, first = np.array([[cos, -sin], [sin, cos]]), (0.5 / n - 0.5) * side_mm
        corner = turn @ np.full(2, first) + centre_mm
        if self.k1 == 0:
            mm_from_crop = np.vstack([np.column_stack([turn * side_mm / n, corner]), (0.0, 0.0, 1.0)])
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            matrix = self._px_from_mm @ mm_from_crop
            warped = cv2.warpPerspective(image, matrix, (n, n), flags=flags, borderMode=cv2.BORDER_REPLICATE)
            return np.asarray(warped, np.uint8)
        steps = np.arange(n) * side_mm / n
        across, down = (axis.ravel() for axis in np.meshgrid(steps, steps))
        at = self.to_px(np.column_stack([across, down]) @ turn.T + corner).astype(np.float32)
        at_x, at_y = np.ascontiguousarray(at.T).reshape(2, n, n)
        return np.asarray(cv2.remap(image, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def scaled_to(self, size_wh: tuple[int, int]) -> TablePlane:
        """The same plane for pictures of another size and the same shape. Raises PlaneError for another shape."""
        if tuple(size_wh) == tuple(self.size_wh):
            return self
        factor = size_wh[0] / self.size_wh[0]
        if abs(size_wh[1] / self.size_wh[1] / factor - 1) > 0.02:
            raise PlaneError("wrong_resolution", expected=_times(self.size_wh), given=_times(size_wh))
        return replace(
            self,
            corners_px=(self.corners_px + 0.5) * factor - 0.5,
            size_wh=(int(size_wh[0]), int(size_wh[1])),
            focal_px=(self.focal_px or 0) * factor,
            error_px=None if self.error_px is None else self.error_px * factor,
        )

    def to_json(self) -> dict[str, Any]:
        """All fields, JSON-ready; reads back with :meth:`from_json`."""
        return {
            "kind": "table_plane",
            "corners_px": [[round(float(v), 4) for v in corner] for corner in self.corners_px],
            "size_mm": [float(v) for v in self.size_mm],
            "size_wh": [int(v) for v in self.size_wh],
            "k1": self.k1,
            "focal_px": round(float(self.focal_px or 0), 3),
            "error_px": self.error_px,
            "error_mm": self.error_mm,
            "mm_per_px": round(self.mm_per_px(), 3),
            "date": self.date,
            "camera": self.camera,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TablePlane:
        """Inverse of :meth:`to_json`. Raises PlaneError, or KeyError, TypeError, ValueError for another shape."""
        return cls(
            _points(data["corners_px"]),
            (float(data["size_mm"][0]), float(data["size_mm"][1])),
            (int(data["size_wh"][0]), int(data["size_wh"][1])),
            k1=float(data.get("k1", 0.0)),
            focal_px=data.get("focal_px"),
            error_px=data.get("error_px"),
            error_mm=data.get("error_mm"),
            date=str(data.get("date", "")),
            camera=str(data.get("camera", "")),
        )

    def save(self, path: Path) -> None:
        """Write as readable JSON."""
        path.write_text(json.dumps(self.to_json(), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> TablePlane:
        """Read what :meth:`save` wrote. Raises CalibrationFileError."""
        try:
            return cls.from_json(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise CalibrationFileError("file_missing", path=str(path)) from None
        except (OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError, PlaneError) as error:
            raise CalibrationFileError("file_unreadable", path=str(path), detail=str(error)) from error


def plane_from_setup(setup: Mapping[str, Any], size_wh: tuple[int, int], date: str = "") -> TablePlane:
    """The plane of a setup's ``calibration`` for pictures of ``size_wh``.

    Corners count in pixels of ``calibration.size_wh``, else of ``video.width`` x ``video.height``, else of
    ``size_wh``. Raises PlaneError.
    """
    part = setup.get("calibration")
    if not isinstance(part, Mapping) or "corners_px" not in part or "size_mm" not in part:
        raise PlaneError("corners_missing")
    video = setup.get("video") or {}
    try:
        width, height = part.get("size_wh") or (video.get("width") or size_wh[0], video.get("height") or size_wh[1])
        own, k1 = (int(width), int(height)), float(part.get("k1", 0.0))
        plane = TablePlane(part["corners_px"], part["size_mm"], own, k1=k1, date=date)
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise PlaneError("damaged", detail=str(error)[:80]) from error
    return plane.scaled_to(size_wh)


def _points(values: Any) -> Points:
    return np.asarray(values, np.float64).reshape(-1, 2)


def _times(size_wh: tuple[int, int]) -> str:
    return f"{size_wh[0]}x{size_wh[1]}"
