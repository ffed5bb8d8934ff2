"""Dice Flick from a photo: read the box, count it, count it again after a correction. Nothing is kept or written."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from calibration.errors import UserError
from rules.protocol import InputError
from web import flick_words as words
from web.app import current_config, refusal, sentence
from web.guard import controlled, enqueued, json_body, refuse_foreign
from web.photos import jpeg_size, png_size, unpacked

if TYPE_CHECKING:
    from rules.dice_flick import Markers, Scoring, ScoringRules
    from rules.dice_flick.values import Board
    from vision.flick.eyes import FlickEyes
    from vision.flick.values import BoxReading

PHOTO_LIMIT = 24_000_000
MOST_PIXELS = 60_000_000
MOST_POINTS = 999
WAITING_COMMANDS = 20
WAIT_S = 20.0
"""A photo waits this long for the one before it."""

blueprint = Blueprint("flick", __name__)


class Reader:
    """The networks, loaded with the first photo; one photo at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._eyes: FlickEyes | None = None

    def eyes(self) -> FlickEyes:
        """The networks. Raises ModelError."""
        from vision.flick.eyes import load_flick_eyes

        self._eyes = self._eyes or load_flick_eyes()
        return self._eyes


class FlickRequestError(UserError):
    """A request about a box that cannot be answered."""

    TEXTS = {
        "no_photo": (
            "Das ist kein Foto, das sich lesen lässt: bitte ein JPEG oder PNG mit höchstens 60 Megapixeln.",
            "That is no photo that can be read: use a JPEG or PNG of 60 megapixels at most.",
        ),
        "no_camera": (
            "Gerade liefert keine Kamera ein Bild: bitte erst eine Kamera wählen.",
            "No camera gives a picture at the moment: choose a camera first.",
        ),
        "busy": (
            "Gerade werden andere Fotos gelesen: bitte gleich noch einmal versuchen.",
            "Other photos are being read: try again in a moment.",
        ),
    }


@blueprint.get("/flick")
def page() -> ResponseReturnValue:
    """Photo to score."""
    return render_template("flick.html")


@blueprint.post("/api/flick/photo")
def photo() -> ResponseReturnValue:
    """Read the photo in the body (JPEG or PNG); ``?markers=`` the stickers of this copy as JSON, if known."""
    request.max_content_length = PHOTO_LIMIT
    foreign = refuse_foreign()
    if foreign is not None:
        return foreign
    return _answer(lambda: _picture(request.get_data(cache=False)))


@blueprint.post("/api/flick/camera")
def camera() -> ResponseReturnValue:
    """Read the newest picture of the camera in use."""
    foreign = refuse_foreign()
    return foreign if foreign is not None else _answer(_newest)


@blueprint.post("/api/flick/score")
def score() -> ResponseReturnValue:
    """Count a board as the page has it: ``holes`` as they were read or corrected, ``markers``, ``claimed``."""
    foreign = refuse_foreign()
    if foreign is not None:
        return foreign
    try:
        body = json_body()
        board, markers = _board(body), _markers(body.get("markers"), body.get("holes"))
        return jsonify(scored(board, markers, body.get("claimed"), _rules(body.get("options"))))
    except InputError as error:
        return sentence(400, {"de": error.text("de"), "en": error.text("en")})
    except (TypeError, ValueError, KeyError, AttributeError):
        return refusal(400, "not_json")


@blueprint.get("/flick/game")
def game() -> ResponseReturnValue:
    """Ten rounds, live."""
    return render_template("flick-game.html")


@blueprint.post("/api/flick/start")
@controlled
def start() -> ResponseReturnValue:
    """Play ten rounds with the chosen camera: ``{"players": ["Anna", "Ben"], "markers": {...}, "options": {...}}``."""
    wanted = json_body()
    names = wanted.get("players")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return refusal(400, "not_json")
    setup: dict[str, Any] = {"game": "dice-flick", "players": [{"name": name.strip()[:30]} for name in names]}
    setup |= {key: wanted[key] for key in ("markers", "options", "variant") if wanted.get(key)}
    current_app.extensions["schiri-desk"].start(setup)
    return "", 204


@blueprint.post("/api/flick/command")
@controlled
def command() -> ResponseReturnValue:
    """Tell the referee: ``{"do": "next", "points": 12}`` (points optional), ``{"do": "points", "points": 12}`` of the
    last turn, ``{"do": "hole", "row": 1, "col": 2, "colour": "blue", "value": 4}`` (without colour: no die), ``undo``.
    """
    wanted = json_body()
    if not _sensible(wanted):
        return refusal(400, "unknown_command")
    return ("", 204) if enqueued(wanted, WAITING_COMMANDS) else refusal(503, "busy")


def _sensible(wanted: Mapping[str, Any]) -> bool:
    """Whether a command has what it needs."""
    kind, points = wanted.get("do"), wanted.get("points")
    if kind == "hole":
        place = all(wanted.get(name) in range(1, 6) for name in ("row", "col"))
        return place and (wanted.get("colour") is None or _is_die(wanted))
    if kind == "points" or (kind == "next" and points is not None):
        return isinstance(points, int) and not isinstance(points, bool) and 0 <= points <= MOST_POINTS
    return kind in ("next", "undo")


def _is_die(wanted: Mapping[str, Any]) -> bool:
    from rules.dice_flick.values import COLOURS

    return wanted.get("colour") in COLOURS and wanted.get("value") in range(1, 7)


def _rules(options: object) -> ScoringRules | None:
    """The scoring rules of a game's options. Raises SetupError."""
    from rules.dice_flick.state import start_state

    if not isinstance(options, Mapping):
        return None
    players = [{"name": "A"}, {"name": "B"}]
    return start_state({"game": "dice-flick", "players": players, "options": dict(options)}).config.scoring


def _answer(picture: Any) -> ResponseReturnValue:
    """Read a picture and say what came out, or one sentence."""
    reader: Reader = current_app.extensions["schiri-flick"]
    try:
        layout = _layout(request.args.get("markers"))
        if not reader.lock.acquire(timeout=WAIT_S):
            raise FlickRequestError("busy")
        try:
            return _read(picture(), reader, layout)
        finally:
            reader.lock.release()
    except UserError as error:
        return sentence(422, {"de": error.sentence("de"), "en": error.sentence("en")})
    except InputError as error:
        return sentence(400, {"de": error.text("de"), "en": error.text("en")})


def _read(image: Any, reader: Reader, layout: Markers | None) -> Response:
    from vision.flick.reading import read_box
    from vision.flick.result import markers_to_json, reading_to_json, score_of

    reading = read_box(image, reader.eyes(), layout)
    line = reading_to_json(reading, score_of(reading))
    warned = {lang: words.warnings(line["warnings"], lang) for lang in ("de", "en")}
    return jsonify(
        **line, **_shapes(reading), size=list(reading.size_wh), markers=markers_to_json(reading.markers),
        warned=[dict(zip(("de", "en"), pair, strict=True)) for pair in zip(warned["de"], warned["en"], strict=True)],
        counted=scored(reading.board, reading.markers, None),
    )


def _shapes(reading: BoxReading) -> dict[str, Any]:
    """Where the holes are, to draw on: ``centres`` (25 points) and ``reach`` (how far it is to the next hole)."""
    centres = [[round(float(x), 1), round(float(y), 1)] for x, y in reading.lattice.centres_px()]
    return {"centres": centres, "reach": round(reading.lattice.pitch_px((2.0, 2.0)), 1)}


def scored(board: Board, markers: Markers, claimed: object, rules: ScoringRules | None = None) -> dict[str, Any]:
    """The best score with its words in both languages, and what the referee says to a claimed total."""
    from rules.dice_flick import best_score
    from vision.flick.result import scoring_to_json

    best = best_score(board, markers, rules)
    lines = zip(words.sums(best, board, markers, "de"), words.sums(best, board, markers, "en"), strict=True)
    back = {lang: words.returned(best.returned, board, lang) for lang in ("de", "en")}
    return {
        **scoring_to_json(best), "sums": [{"de": de, "en": en} for de, en in lines], "back": back,
        "claim": _claim(board, markers, best, claimed, rules),
    }


def _claim(
    board: Board, markers: Markers, best: Scoring, claimed: object, rules: ScoringRules | None
) -> dict[str, Any] | None:
    """``{"right": bool, "text": {de, en}}`` for a claimed total, None without one."""
    from rules.dice_flick.claims import settle
    from rules.dice_flick.score import box_of
    from rules.dice_flick.values import ScoringRules
    from rules.protocol import RecordError
    from rules.texts import violation_text

    if not isinstance(claimed, int) or isinstance(claimed, bool) or claimed < 0:
        return None
    try:
        broken = settle(box_of(board, markers, rules or ScoringRules()), best, claimed, None, None).violations
    except RecordError:
        broken = ()
    if broken:
        return {"right": False, "text": {lang: violation_text(broken[0], lang) for lang in ("de", "en")}}
    return {"right": True, "text": words.claim_right(claimed, best.score)}


def _picture(data: bytes) -> Any:
    """The photo, upright. Raises FlickRequestError before anything large is unpacked."""
    image = unpacked(data, jpeg_size(data) or png_size(data), MOST_PIXELS)
    if image is None:
        raise FlickRequestError("no_photo")
    return image


def _newest() -> Any:
    image = current_config().hub.picture()[1]
    if image is None:
        raise FlickRequestError("no_camera")
    return image


def _layout(text: str | None) -> Markers | None:
    """The stickers a page knows. Raises SetupError."""
    if not text:
        return None
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raw = None
    return _markers(raw, None) if raw else None


def _markers(raw: object, holes: object) -> Markers:
    """Stickers as a set-up has them; without, those that the holes show. Raises SetupError."""
    from rules.dice_flick import read_markers

    if raw is None:
        shown: dict[str, list[list[int]]] = {}
        for hole in holes if isinstance(holes, list) else []:
            if isinstance(hole, Mapping) and hole.get("content") == "marker" and hole.get("marker") != "centre":
                name = str(hole.get("marker")).replace(":", "_")
                shown.setdefault(name, []).append([hole.get("row"), hole.get("col")])  # type: ignore[list-item]
        raw = shown
    return read_markers({"markers": raw})


def _board(body: Mapping[str, Any]) -> Board:
    """The dice of the holes. Raises RecordError."""
    from rules.dice_flick.lines import turn_from_line
    from rules.dice_flick.state import start_state

    dice = [hole for hole in body["holes"] if hole.get("content") == "die"]
    start = start_state({"game": "dice-flick", "players": [{"name": "A"}, {"name": "B"}]})
    return turn_from_line(start, {"player": "A", "board": dice}).throw.board
