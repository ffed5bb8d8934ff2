"""Teaching a printed score sheet on the page: a photo, its corners, a few taps; kept for photos of sheets to come."""

from __future__ import annotations

import base64
import json
import math
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from web.app import refusal
from web.guard import controlled
from web.qwixx import PHOTO_LIMIT, QwixxRequestError, picture_of

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.sheets.layout import SheetLayout
    from web.desk import Desk

SEGMENTS = (3, 3, 3, 3)
MOST_SEGMENTS, MOST_FIELDS = 8, 8

blueprint = Blueprint("qwixx_sheet", __name__)


@blueprint.get("/qwixx/sheet")
def page() -> ResponseReturnValue:
    """Teach a sheet."""
    return render_template("qwixx-sheet.html")


@blueprint.get("/api/qwixx/sheet")
def known() -> ResponseReturnValue:
    """Whether a sheet has been taught: ``{"known": bool}``."""
    return jsonify(known=_desk().shelf.sheet() is not None)


@blueprint.get("/api/qwixx/sheet/file")
def file() -> ResponseReturnValue:
    """The taught sheet as a file for ``schiri read sheet --layout``; 404 where there is none."""
    sheet = _desk().shelf.sheet()
    if sheet is None:
        return refusal(404, "no_sheet")
    name = {"Content-Disposition": "attachment; filename=schiri-sheet.json"}
    body = json.dumps(sheet, ensure_ascii=False, indent=1)
    return Response(body, mimetype="application/json", headers=name)


@blueprint.delete("/api/qwixx/sheet")
@controlled
def forget() -> ResponseReturnValue:
    """Forget the taught sheet."""
    _desk().shelf.keep_sheet(None)
    return "", 204


@blueprint.post("/api/qwixx/sheet/flat")
@controlled
def flat() -> ResponseReturnValue:
    """The sheet on the photo (JPEG) in the body, seen from straight above: ``?corners=[[x, y], ...]``, from its top
    left on clockwise. A JPEG."""
    from vision.qwixx.taught import flattened

    image = _photo()
    return Response(_jpeg(flattened(image, _points("corners", 4)).image), mimetype="image/jpeg")


@blueprint.post("/api/qwixx/sheet")
@controlled
def teach() -> ResponseReturnValue:
    """A layout from the photo, ``?corners=``, ``?clicks=[[x, y], ...]`` (:data:`vision.qwixx.taught.CLICKS`) on the
    flat picture and ``?segments=3,3,3,3``; kept with ``?keep=1``.

    Answers ``{"picture": JPEG in base64, "fields": n}``."""
    from vision.qwixx.taught import CLICKS, drawn, flattened, layout_of_clicks

    image = _photo()
    clicks = dict(zip(CLICKS, _points("clicks", len(CLICKS)), strict=True))
    sheet = flattened(image, _points("corners", 4))
    layout = layout_of_clicks(sheet, clicks, _segments())
    if request.args.get("keep") == "1":
        _desk().shelf.keep_sheet(layout.to_json())
    shown = base64.b64encode(_jpeg(drawn(sheet, layout))).decode("ascii")
    return jsonify(picture=shown, fields=len(layout.fields))


def taught_layout(desk: Desk) -> SheetLayout | None:
    """The sheet that was taught, None where there is none or its file is damaged."""
    from calibration.sheets.layout import SheetLayout

    kept = desk.shelf.sheet()
    try:
        return None if kept is None else SheetLayout.from_json(kept)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _desk() -> Desk:
    desk: Desk = current_app.extensions["schiri-desk"]
    return desk


def _photo() -> Image:
    request.max_content_length = PHOTO_LIMIT
    return picture_of(request.get_data(cache=False))


def _points(name: str, count: int) -> Any:
    """Points (count, 2) of an argument. Raises QwixxRequestError."""
    import numpy as np

    try:
        points = [[float(x), float(y)] for x, y in json.loads(request.args.get(name, ""))]
    except (TypeError, ValueError):
        raise QwixxRequestError("no_points") from None
    if len(points) != count or not all(math.isfinite(v) and abs(v) < 1e5 for point in points for v in point):
        raise QwixxRequestError("no_points")
    return np.array(points)


def _segments() -> tuple[int, ...]:
    """How many small misthrow fields stand before each -5 field. Raises QwixxRequestError."""
    text = request.args.get("segments", "")
    try:
        counts = tuple(int(part) for part in text.replace(" ", ",").split(",") if part) or SEGMENTS
    except ValueError:
        counts = ()
    if not 0 < len(counts) <= MOST_SEGMENTS or not all(0 < count <= MOST_FIELDS for count in counts):
        raise QwixxRequestError("no_segments")
    return counts


def _jpeg(image: Image) -> bytes:
    import cv2

    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])[1])
