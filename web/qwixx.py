"""Qwixx Express on the page: Stopp from any phone, both sheets, photos of sheets, everything put right by a tap."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flask import Blueprint, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from calibration.errors import UserError
from web.app import current_config, refusal
from web.guard import controlled, enqueued, json_body
from web.photos import jpeg_size, unpacked

if TYPE_CHECKING:
    from calibration.arrays import Image
    from vision.qwixx.marks import MarkReader

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
        self._marks: MarkReader | None = None

    def marks(self) -> MarkReader:
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
        "no_points": (
            "Es fehlen Stellen auf dem Blatt: bitte der Reihe nach antippen.",
            "Spots on the sheet are missing: tap them one after the other.",
        ),
        "no_segments": (
            "Die Zahlen der Fehlwurf-Felder sind nicht zu lesen: bitte so angeben: 3 3 3 3.",
            "The numbers of misthrow fields cannot be read: give them like this: 3 3 3 3.",
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
    if not _sensible(wanted):
        return refusal(400, "unknown_command")
    return ("", 204) if enqueued(wanted, WAITING_COMMANDS) else refusal(503, "busy")


@blueprint.post("/api/qwixx/photo")
@controlled
def photo() -> ResponseReturnValue:
    """Read the sheet of ``?player=`` on the photo (JPEG) in the body, and take it for what that player has crossed."""
    request.max_content_length = PHOTO_LIMIT
    player = request.args.get("player", "")
    if player not in [one.get("name") for one in current_config().hub.snapshot().get("players", [])]:
        raise QwixxRequestError("no_player")
    image = picture_of(request.get_data(cache=False))
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
    from web.qwixx_sheet import taught_layout

    round_now = current_config().hub.snapshot().get("qwixx") or {}
    taught = taught_layout(current_app.extensions["schiri-desk"])
    reading = read_sheet(image, reader.marks(), taught, player, round_now.get("segments", (3, 3, 3, 3)))
    seen = seen_of(reading)
    marks, doubtful = (sorted(map(list, fields), key=str) for fields in (seen.marks, seen.doubtful))
    told = enqueued({"do": "sheet", "player": player, "marks": marks, "doubtful": doubtful}, WAITING_COMMANDS)
    return jsonify(reading.to_json()) if told else refusal(503, "busy")


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


def picture_of(data: bytes) -> Image:
    """The photo. Raises QwixxRequestError before anything large is unpacked."""
    image = unpacked(data, jpeg_size(data), MOST_PIXELS)
    if image is None:
        raise QwixxRequestError("no_photo")
    return image
