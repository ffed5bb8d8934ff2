"""Tables that were measured on other evenings: whether they still fit, and the shortest way to the one used last."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from web.guard import controlled

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.plane import TablePlane
    from web.cameras import Camera
    from web.desk import Desk
    from web.shelf import Shelf

Json = dict[str, Any]

FITS_MM = 4.0
"""Markers that have moved less than this since the table was measured: the camera stands where it stood."""

FIRST_PICTURE_S = 6.0

blueprint = Blueprint("kept", __name__, url_prefix="/api/table")


@blueprint.post("/again")
@controlled
def again() -> ResponseReturnValue:
    """Look through the camera of the last evening, and take its table where the markers still lie as they lay.

    Answers ``{"next": address}``: of the page on which to go on.
    """
    from web.cameras import CameraError

    desk: Desk = current_app.extensions["schiri-desk"]
    known = known_table(desk.shelf)
    if known is None:
        raise CameraError("gone")
    entry, camera = known
    desk.choose(camera)
    image = _first_picture(desk)
    view, plane = kept_view(entry, image), kept_plane(entry, image)
    if view is None or plane is None or not view["fits"]:
        return jsonify(next="/table")
    desk.measured(plane)
    return jsonify(next="/setup")


def known_table(shelf: Shelf) -> tuple[Json, Camera] | None:
    """The newest kept table whose camera is there now without anybody's doing, None where there is none."""
    from web.cameras import cameras

    tables = shelf.tables()
    there = {camera.id: camera for camera in cameras() if camera.kind != "phone"} if tables else {}
    return next(((entry, there[entry["camera"]]) for entry in tables if entry["camera"] in there), None)


def kept_view(entry: Json, image: Image) -> Json | None:
    """A kept plane and whether the markers still lie where it says (``fits`` None: none can be seen)."""
    from calibration.errors import CalibrationError
    from calibration.markers import drift_px

    plane = kept_plane(entry, image)
    if plane is None:
        return None
    try:
        drift = drift_px(image, plane)
    except CalibrationError:
        return None
    moved_mm = None if drift is None else round(drift * plane.mm_per_px(), 1)
    fits = None if moved_mm is None else moved_mm <= FITS_MM
    return {"place": entry["place"], "date": plane.date, "moved_mm": moved_mm, "fits": fits}


def kept_plane(entry: Json, image: Image) -> TablePlane | None:
    """The plane of an entry for pictures like this; None where it is for others, or damaged."""
    from calibration.errors import CalibrationError
    from calibration.plane import TablePlane

    try:
        return TablePlane.from_json(entry["plane"]).scaled_to((image.shape[1], image.shape[0]))
    except (CalibrationError, LookupError, TypeError, ValueError, AttributeError, OverflowError):
        return None


def _first_picture(desk: Desk) -> Image:
    """The newest picture of a camera that was opened just now. Raises CameraError where none comes."""
    until = time.monotonic() + FIRST_PICTURE_S
    while desk.feed.picture()[1] is None and time.monotonic() < until:
        time.sleep(0.05)
    return desk.picture()
