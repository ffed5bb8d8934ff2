"""Choosing a camera: the list, previews, what is chosen, and its newest picture."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from web.guard import controlled, json_body

if TYPE_CHECKING:
    from web.cameras import Camera
    from web.desk import Desk
    from web.library import Library

PREVIEW_PX = 480
PREVIEW_KEPT_S = 6.0
RAW_PX = 1920

blueprint = Blueprint("cameras", __name__)


class Previews:
    """Small pictures of cameras that are not in use, one camera opened at a time, kept for a moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, bytes | None]] = {}

    def of(self, camera: Camera) -> bytes | None:
        """A JPEG of what the camera sees, None where it gives no picture."""
        with self._lock:
            taken, jpeg = self._kept.get(camera.id, (float("-inf"), None))
            if time.monotonic() - taken > (1e9 if camera.kind == "video" else PREVIEW_KEPT_S):
                jpeg = _look(camera)
                self._kept[camera.id] = time.monotonic(), jpeg
            return jpeg


def _look(camera: Camera) -> bytes | None:
    from vision.errors import SourceError
    from vision.sources import open_source
    from web.camera import jpeg

    try:
        with open_source(camera.spec) as source:
            frame = source.read(3.0)
    except SourceError:
        return None
    return None if frame is None else jpeg(frame.image_bgr, PREVIEW_PX)


@blueprint.get("/api/desk")
def desk_state() -> ResponseReturnValue:
    """What is chosen and measured, whether a game runs, whether one was interrupted."""
    desk: Desk = current_app.extensions["schiri-desk"]
    return jsonify(state_of(desk))


def state_of(desk: Desk) -> dict[str, Any]:
    """The answer of ``/api/desk``."""
    from web.cameras import CameraError
    from web.kept import known_table

    try:
        feed = desk.feed
        image = feed.picture()[1]
        camera: dict[str, Any] | None = {
            **feed.camera.to_json(), "connected": feed.connected, "live": feed.live,
            "size": None if image is None else [image.shape[1], image.shape[0]],
        }  # fmt: skip
    except CameraError:
        camera = None
    library: Library = current_app.extensions["schiri-library"]
    kept, known = library.interrupted(), known_table(desk.shelf)
    return {
        "camera": camera,
        "plane": None if desk.plane is None else desk.plane.to_json(),
        "playing": None if desk.setup is None else {"game": desk.setup.get("game")},
        "problem": desk.problem,
        "interrupted": None if kept is None else kept.summary(),
        "known": None if known is None else {"place": known[0]["place"], "camera": known[1].to_json()},
    }


@blueprint.get("/api/cameras")
@controlled
def listed() -> ResponseReturnValue:
    """All cameras: ``[{id, kind, name}]``, and which is chosen."""
    from web.cameras import CameraError, cameras

    desk: Desk = current_app.extensions["schiri-desk"]
    try:
        chosen: str | None = desk.feed.camera.id
    except CameraError:
        chosen = None
    return jsonify(cameras=[camera.to_json() for camera in cameras()], chosen=chosen)


@blueprint.post("/api/cameras/<id_>/preview")
@controlled
def preview(id_: str) -> ResponseReturnValue:
    """A small picture (JPEG) of what this camera sees now. 204: it gives none."""
    from web.camera import jpeg
    from web.cameras import CameraError, camera_with

    desk: Desk = current_app.extensions["schiri-desk"]
    try:
        if desk.feed.camera.id == id_:
            image = desk.feed.picture()[1]
            return Response(status=204) if image is None else Response(jpeg(image, PREVIEW_PX), mimetype="image/jpeg")
    except CameraError:
        pass
    camera = camera_with(id_)
    previews: Previews = current_app.extensions["schiri-previews"]
    data = None if camera.kind == "phone" else previews.of(camera)
    return Response(status=204) if data is None else Response(data, mimetype="image/jpeg")


@blueprint.post("/api/camera")
@controlled
def choose() -> ResponseReturnValue:
    """``{"id": ...}`` or ``{"stream": "rtsp://..."}``: look through this camera from now on."""
    from web import cameras

    desk: Desk = current_app.extensions["schiri-desk"]
    wanted = json_body()
    given = wanted.get("stream")
    desk.choose(cameras.stream(str(given)) if given else cameras.camera_with(str(wanted.get("id"))))
    return jsonify(state_of(desk))


@blueprint.get("/camera/raw.jpg")
def raw() -> ResponseReturnValue:
    """The newest picture of the chosen camera with nothing drawn on it; ``X-Size`` tells the full picture's size."""
    from web.camera import jpeg
    from web.cameras import CameraError

    desk: Desk = current_app.extensions["schiri-desk"]
    try:
        number, image = desk.feed.picture()
    except CameraError:
        return Response(status=204)
    if image is None or request.args.get("after", type=int) == number:
        return Response(status=204)
    headers = {"X-Picture": str(number), "X-Size": f"{image.shape[1]}x{image.shape[0]}"}
    return Response(jpeg(image, RAW_PX), mimetype="image/jpeg", headers=headers)
