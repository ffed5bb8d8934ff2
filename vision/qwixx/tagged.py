"""Sheets with corner markers: found by them, told apart by their ids."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Image, Points
from calibration.sheets.layout import SheetLayout
from vision.qwixx.errors import SheetError
from vision.qwixx.place import SheetPlace

_MARKERS_NEEDED = 2


@dataclass(frozen=True, slots=True, eq=False)
class TaggedSheet:
    """``copy``: which of the printed sheets it is; ``seen``: how many of its four markers."""

    copy: int
    place: SheetPlace
    seen: int


def find_tagged(image_bgr: Image, layout: SheetLayout, where: str = "") -> list[TaggedSheet]:
    """The sheets of a layout with markers that can be placed, by their copy. Raises SheetError for one seen twice."""
    found = _markers(image_bgr, layout, where)
    sheets = []
    for copy, ids in enumerate(layout.marker_ids):
        seen = {ids.index(number): quad for number, quad in found.items() if number in ids}
        if len(seen) >= _MARKERS_NEEDED:
            sheets.append(TaggedSheet(copy, _place(layout, seen), len(seen)))
    return sheets


def stray_markers(image_bgr: Image, layout: SheetLayout) -> int:
    """How many markers of the layout's sheets there are at all."""
    return len(_markers(image_bgr, layout, ""))


def _markers(image_bgr: Image, layout: SheetLayout, where: str) -> dict[int, Points]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    parameters.minMarkerPerimeterRate = 0.02
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    quads, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image_bgr)
    found: dict[int, Points] = {}
    for number, quad in zip(np.ravel(ids) if quads else (), quads, strict=False):
        if layout.copy_of(int(number)) is None:
            continue
        if int(number) in found:
            raise SheetError("two_sheets", where=where)
        found[int(number)] = np.asarray(quad, np.float64).reshape(4, 2)
    return found


def _place(layout: SheetLayout, seen: dict[int, Points]) -> SheetPlace:
    half = layout.marker_mm / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    on_sheet = np.concatenate([square + layout.marker_centres_mm[corner] for corner in seen])
    in_picture = np.concatenate(list(seen.values()))
    matrix, _ = cv2.findHomography(on_sheet, in_picture)
    return SheetPlace(np.asarray(matrix, np.float64), layout.size_mm)
