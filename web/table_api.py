"""Measuring the table: what can be seen now, by markers or by corners, kept for other evenings."""

from __future__ import annotations

from collections import deque
from datetime import datetime
from typing import TYPE_CHECKING, Any

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from web.guard import controlled, json_body
from web.kept import kept_plane, kept_view
from web.table_views import plane_view, tiles_view

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calibration.arrays import Image
    from web.desk import Desk

Json = dict[str, Any]

LEVELS = 16
PLACE_LENGTH = 40
MARKERS_MM = (10.0, 120.0)

blueprint = Blueprint("table", __name__, url_prefix="/api/table")


class Levels:
    """How bright the last pictures were, to notice lamps that flicker."""

    def __init__(self) -> None:
        self._levels: deque[NDArray[np.float64]] = deque(maxlen=LEVELS)

    def flickers(self, image: Image) -> bool:
        """Take one more picture; whether the light goes up and down."""
        from calibration.light import brightness, flickers

        self._levels.append(brightness(image))
        return flickers(list(self._levels))


@blueprint.get("")
@controlled
def table() -> ResponseReturnValue:
    """The plane in force and those that are kept for this camera."""
    desk = _desk()
    return jsonify(_state(desk))


@blueprint.get("/look")
@controlled
def look() -> ResponseReturnValue:
    """What the newest picture shows: markers, the plane they would give or why none, the light."""
    from calibration.errors import CalibrationError
    from calibration.light import LightFault, light_faults
    from calibration.markers import find_markers, fit_markers

    desk = _desk()
    image = desk.picture()
    size_wh = [image.shape[1], image.shape[0]]
    answer: Json = {"size": size_wh, "markers": {}, "plane": None, "problem": None}
    try:
        answer["markers"] = {str(k): _rounded(quad) for k, quad in find_markers(image).items()}
        answer["plane"] = plane_view(fit_markers(image, k1=desk.k1).plane)
    except CalibrationError as error:
        answer["problem"] = _sentence(error)
    plane = desk.plane
    faults = light_faults(image, None if plane is None else plane.scaled_to((size_wh[0], size_wh[1])).corners_px)
    if current_app.extensions["schiri-levels"].flickers(image) and desk.feed.live:
        faults.append(LightFault("flicker"))
    answer["light"] = [{"what": fault.reason, "text": _sentence(fault)} for fault in faults]
    return jsonify(answer)


@blueprint.post("/markers")
@controlled
def by_markers() -> ResponseReturnValue:
    """Measure by the four markers; ``{"marker_mm": 30}`` where they were printed in another size."""
    return jsonify(_measure(_desk(), None, None, _marker_mm(json_body())))


@blueprint.post("/corners")
@controlled
def by_corners() -> ResponseReturnValue:
    """Measure by corners given by hand: ``{"corners_px": [[x, y] * 4], "size_mm": [w, h]}``."""
    from calibration.corners import checked_size

    wanted = json_body()
    return jsonify(_measure(_desk(), wanted.get("corners_px"), checked_size(wanted.get("size_mm")), 30.0))


@blueprint.post("/lens")
@controlled
def lens() -> ResponseReturnValue:
    """Measure the lens by the printed page that lies in the picture; kept for this camera."""
    from calibration.lens import measure_lens

    desk = _desk()
    found = measure_lens(desk.picture())
    desk.shelf.keep_lens(desk.feed.camera.id, found.k1)
    return jsonify(k1=found.k1, error_px=round(found.error_px, 2), before_px=round(found.straight_error_px, 2))


@blueprint.post("/propose")
@controlled
def propose() -> ResponseReturnValue:
    """Corners to begin with: ``{"corners_px", "from"}``, from markers, the largest quadrilateral, tiles or nothing."""
    return jsonify(_proposal(_desk().picture()))


@blueprint.post("/check")
@controlled
def check() -> ResponseReturnValue:
    """Whether the tiles that lie on the measured table are as wide as tiles are."""
    desk = _desk()
    if desk.plane is None:
        return jsonify(None)
    return jsonify(tiles_view(desk.plane, desk.picture()))


@blueprint.post("/keep")
@controlled
def keep() -> ResponseReturnValue:
    """Keep the plane in force for other evenings: ``{"place": "Kitchen"}``."""
    desk = _desk()
    place = str(json_body().get("place", "")).strip()[:PLACE_LENGTH]
    if desk.plane is not None and place:
        desk.measured(desk.plane, place)
    return jsonify(_state(desk))


@blueprint.post("/kept")
@controlled
def use_kept() -> ResponseReturnValue:
    """Take a plane that was kept: ``{"place": ...}``."""
    desk, place = _desk(), json_body().get("place")
    image = desk.picture()
    for entry in desk.shelf.tables(desk.feed.camera.id):
        plane = kept_plane(entry, image) if entry["place"] == place else None
        if plane is not None:
            desk.measured(plane)
    return jsonify(_state(desk))


def _measure(desk: Desk, corners: Any, size_mm: tuple[float, float] | None, marker_mm: float) -> Json:
    from calibration.measure import measure_table

    date = datetime.now().astimezone().isoformat(timespec="seconds")
    desk.measured(measure_table(
        desk.picture(), corners, size_mm, marker_mm, k1=desk.k1, date=date, camera=desk.feed.camera.spec
    ))
    return _state(desk)


def _state(desk: Desk) -> Json:
    plane = desk.plane
    image = desk.feed.picture()[1]
    kept = desk.shelf.tables(desk.feed.camera.id) if image is not None else []
    return {
        "plane": None if plane is None else plane_view(plane),
        "kept": [] if image is None else [view for entry in kept if (view := kept_view(entry, image)) is not None],
        "playing": desk.setup is not None,
    }


def _proposal(image: Image) -> Json:
    from calibration.errors import CalibrationError
    from calibration.markers import fit_markers
    from calibration.quads import around, largest_quad
    from vision.detector import load_detector

    try:
        return {"corners_px": _rounded(fit_markers(image).plane.corners_px), "from": "markers"}
    except CalibrationError:
        pass
    height, width = image.shape[:2]
    quad = largest_quad(image)
    if quad is not None:
        return {"corners_px": _rounded(quad), "from": "sheet"}
    tiles = around(load_detector().detect(image).of("tile", "end_tile").xyxy_px, (width, height))
    if tiles is not None:
        return {"corners_px": _rounded(tiles), "from": "tiles"}
    x, y = 0.2 * width, 0.2 * height
    return {"corners_px": [[x, y], [width - x, y], [width - x, height - y], [x, height - y]], "from": "nothing"}


def _marker_mm(wanted: Json) -> float:
    given = wanted.get("marker_mm", 30.0)
    low, high = MARKERS_MM
    return float(given) if isinstance(given, int | float) and low <= given <= high else 30.0


def _rounded(points: Any) -> list[list[float]]:
    return [[round(float(v), 2) for v in point] for point in points]


def _sentence(error: Any) -> dict[str, str]:
    return {"de": error.sentence("de"), "en": error.sentence("en")}


def _desk() -> Desk:
    desk: Desk = current_app.extensions["schiri-desk"]
    return desk
