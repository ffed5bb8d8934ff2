"""Qwixx Express on the page: Stopp from any phone, both sheets, photos of sheets, everything put right by a tap."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flask import Blueprint, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from calibration.errors import UserError
from web.app import current_config, refusal
from web.guard import controlled, json_body
from web.phone import jpeg_size

if TYPE_CHECKING:
    from calibration.arrays import Image
    from vision.readers import CropReader

PHOTO_LIMIT = 24_000_000
MOST_PIXELS = 60_000_000
WAITING_COMMANDS = 20
WAIT_S = 20.0
"""A photo waits this long for the one before it."""

KINDS = frozenset({"stop", "unstop", "done", "undo", "dice", "rerolls", "field"})

blueprint = Blueprint("qwixx", __name__)


class Reader:
    """The network that reads sheets, loaded with the first photo; one photo at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._marks: CropReader | None = None

    def marks(self) -> CropReader:
        """The reader of fields. Raises ModelError."""
        from vision.qwixx.sheet import load_mark_reader

        self._marks = self._marks or load_mark_reader()
        return self._marks


class QwixxRequestError(UserError):
    """A photo that cannot be taken."""

    TEXTS = {
        "no_photo": (
            "Das ist kein Foto, das sich lesen lässt: bitte ein JPEG mit höchstens 60 Megapixeln.",
            "That is no photo that can be read: use a JPEG of 60 megapixels at most.",
        ),
        "no_player": (
            "Es fehlt, wessen Blatt das ist: bitte zuerst die Person wählen.",
            "It is not said whose sheet this is: choose the player first.",
        ),
        "busy": (
            "Gerade werden andere Fotos gelesen: bitte gleich noch einmal versuchen.",
            "Other photos are being read: try again in a moment.",
        ),
    }


@blueprint.get("/qwixx")
def page() -> ResponseReturnValue:
    """The game, live."""
    return render_template("qwixx.html")


@blueprint.post("/api/qwixx/command")
@controlled
def command() -> ResponseReturnValue:
    """Tell the referee what :meth:`vision.qwixx.live.QwixxReferee.obey` takes, but for whole sheets."""
    wanted = json_body()
    return _tell(wanted) if _sensible(wanted) else refusal(400, "unknown_command")


@blueprint.post("/api/qwixx/photo")
@controlled
def photo() -> ResponseReturnValue:
    """Read the sheet of ``?player=`` on the photo (JPEG) in the body, and take it for what that player has crossed."""
    request.max_content_length = PHOTO_LIMIT
    player = request.args.get("player", "")
    if player not in [one.get("name") for one in current_config().hub.snapshot().get("players", [])]:
        raise QwixxRequestError("no_player")
    image = _picture(request.get_data(cache=False))
    reader: Reader = current_app.extensions["schiri-qwixx"]
    if not reader.lock.acquire(timeout=WAIT_S):
        raise QwixxRequestError("busy")
    try:
        return _read(image, reader, player)
    finally:
        reader.lock.release()


def _read(image: Image, reader: Reader, player: str) -> ResponseReturnValue:
    from vision.qwixx.live import seen_of
    from vision.qwixx.sheet import read_sheet

    round_now = current_config().hub.snapshot().get("qwixx") or {}
    reading = read_sheet(image, reader.marks(), None, player, round_now.get("segments", (3, 3, 3, 3)))
    seen = seen_of(reading)
    told = _tell({"do": "sheet", "player": player, "marks": sorted(map(list, seen.marks), key=str),
                  "doubtful": sorted(map(list, seen.doubtful), key=str)})
    return told if told[1] != 204 else jsonify(reading.to_json())


def _tell(wanted: Mapping[str, Any]) -> Any:
    commands = current_config().hub.commands
    if commands.qsize() >= WAITING_COMMANDS:
        return refusal(503, "busy"), 503
    commands.put_nowait(dict(wanted))
    return "", 204


def _sensible(wanted: Mapping[str, Any]) -> bool:
    """Whether a command has what it needs; what it means is the referee's business."""
    kind = wanted.get("do")
    if kind not in KINDS:
        return False
    if kind in ("done", "undo", "unstop"):
        return True
    if not isinstance(wanted.get("player"), str):
        return False
    if kind == "dice":
        numbers = wanted.get("numbers")
        pips = isinstance(numbers, list) and len(numbers) == 2 and all(n in range(1, 7) for n in numbers)
        return pips and wanted.get("colour") in ("red", "yellow", "green", "blue", "white")
    if kind == "rerolls":
        return wanted.get("count") in range(0, 60)
    if kind == "field":
        return isinstance(wanted.get("row"), str) and isinstance(wanted.get("crossed"), bool) and "value" in wanted
    return True


def _picture(data: bytes) -> Image:
    """The photo. Raises QwixxRequestError before anything large is unpacked."""
    size = jpeg_size(data)
    if size is None or not 0 < size[0] * size[1] <= MOST_PIXELS:
        raise QwixxRequestError("no_photo")
    import cv2
    import numpy as np

    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise QwixxRequestError("no_photo")
    return np.asarray(image, np.uint8)
