"""What there is to read in a generated picture, in a file of its own beside the labels that YOLO reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models.scene.compose import View
from models.scene.labels import Label

if TYPE_CHECKING:
    from calibration.plane import TablePlane

SIDE_MM = 600.0
"""The play area that is told of a generated picture: a square of this side around its middle."""


def write(file: Path, labels: Sequence[Label], view: View | None) -> None:
    """Write what lies where, in the order of the label file; places in mm from the play area's first corner."""
    corner = np.zeros(2) if view is None else np.asarray(view.middle_mm) - SIDE_MM / 2
    things = [{**asdict(label), "pos_mm": [float(v) for v in np.array(label.pos_mm) - corner]} for label in labels]
    corners_px = None
    if view is not None:
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * SIDE_MM + corner
        corners_px = view.camera.project(np.column_stack([square, np.zeros(4)])).tolist()
    file.write_text(json.dumps({"corners_px": corners_px, "things": things}))


def read(file: Path, size_wh: tuple[int, int]) -> tuple[list[Label], TablePlane | None]:
    """The things of a picture of ``size_wh``, and the table's plane unless it is not known."""
    from calibration.plane import TablePlane

    told = json.loads(file.read_text())
    labels = [
        Label(**{**thing, "xyxy_px": tuple(thing["xyxy_px"]), "pos_mm": tuple(thing["pos_mm"])})
        for thing in told["things"]
    ]
    corners = told["corners_px"]
    return labels, None if corners is None else TablePlane(np.array(corners), (SIDE_MM, SIDE_MM), size_wh)
