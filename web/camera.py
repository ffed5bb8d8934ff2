"""The picture: single JPEGs for the page, a bounded number of MJPEG streams for everything else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, request
from flask.typing import ResponseReturnValue
from numpy.typing import NDArray

from web.app import refusal, viewer_gone

if TYPE_CHECKING:
    from web.app import Config

JPEG_QUALITY = 82
LONGEST_PX = 1280
"""Larger pictures are shrunk to this for viewers; the referee itself always reads the full one."""

BOUNDARY = b"schiri-picture"
WAIT_S = 0.05

blueprint = Blueprint("camera", __name__, url_prefix="/camera")


class Pictures:
    """The newest picture as JPEG, encoded once however many look at it."""

    def __init__(self, config: Config) -> None:
        self.hub = config.hub
        self.limits = config.limits
        self.slots = threading.BoundedSemaphore(config.limits.video_slots)
        self._lock = threading.Lock()
        self._encoded: tuple[int, bytes] = (0, b"")

    def newest(self) -> tuple[int, bytes]:
        """Running number and JPEG of the newest picture; (0, b"") before the first."""
        number, image = self.hub.picture()
        if image is None:
            return 0, b""
        with self._lock:
            if self._encoded[0] != number:
                self._encoded = (number, jpeg(image))
            return self._encoded

    def stream(self, gone: Callable[[], bool]) -> Iterator[bytes]:
        """Parts of a multipart answer until the viewer is ``gone`` or has had its time or bytes."""
        sent, shown, until = 0, 0, time.monotonic() + self.limits.video_time_s
        while not gone() and sent < self.limits.video_bytes and time.monotonic() < until:
            number, jpeg = self.newest()
            if number == shown:
                time.sleep(WAIT_S)
                continue
            part = _part(jpeg)
            yield part
            sent, shown = sent + len(part), number
            time.sleep(self.limits.video_gap_s)


@blueprint.get("/frame.jpg")
def frame() -> ResponseReturnValue:
    """The newest picture, its number in ``X-Picture``. 204: none yet, or none newer than ``?after=NUMBER``."""
    pictures: Pictures = current_app.extensions["schiri-pictures"]
    number, jpeg = pictures.newest()
    if number == 0 or request.args.get("after", type=int) == number:
        return Response(status=204)
    return Response(jpeg, mimetype="image/jpeg", headers={"X-Picture": str(number)})


@blueprint.get("/line/<any(before, after):when>.jpg")
def line(when: str) -> ResponseReturnValue:
    """The picture before or after a line of the record, ``?key=TYPE-TURN-T_S``. 204 where none is kept."""
    kept = current_app.extensions["schiri-desk"].pictures.get(request.args.get("key", ""), when == "after")
    return Response(status=204) if kept is None else Response(kept, mimetype="image/jpeg")


@blueprint.get("/stream.mjpg")
def stream() -> ResponseReturnValue:
    """A moving picture for players that know MJPEG. 503 where all slots are taken."""
    pictures: Pictures = current_app.extensions["schiri-pictures"]
    if not pictures.slots.acquire(blocking=False):
        return refusal(503, "streams_full")
    kind = f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}"
    response = Response(pictures.stream(viewer_gone()), mimetype=kind)
    response.call_on_close(pictures.slots.release)
    return response


def jpeg(image_bgr: NDArray[Any], longest_px: int = LONGEST_PX) -> bytes:
    """A picture (H, W, 3) as JPEG, shrunk to ``longest_px`` where it is larger."""
    import cv2

    scale = longest_px / max(image_bgr.shape[:2])
    if scale < 1:
        image_bgr = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise RuntimeError("the picture could not be encoded as JPEG")
    return bytes(data.tobytes())


def _part(jpeg: bytes) -> bytes:
    head = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % (BOUNDARY, len(jpeg))
    return head + jpeg + b"\r\n"
