"""Setting a game up and starting it: what can be set, the start position, the route, the game itself."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from rules import GAMES, game_named, game_of
from rules.options import GameInfo
from rules.protocol import SetupError
from web.guard import controlled, json_body

if TYPE_CHECKING:
    from web.desk import Desk
    from web.library import Library
    from web.position import PositionCheck

Json = dict[str, Any]

PLAYER_NAME = 30
KNOWN = ("game", "variant", "options", "players", "route", "guards_start", "board", "markers", "pieces_per_player")
"""Fields of a setup that a page may send; the calibration is added here."""

blueprint = Blueprint("setup", __name__, url_prefix="/api")


@blueprint.get("/setup")
@controlled
def settings() -> ResponseReturnValue:
    """Every game with what can be set, the last set-up, and whether camera and table are ready."""
    from web.cameras_api import state_of

    desk = _desk()
    last = {name: value for name, value in _last(desk).items() if name in KNOWN}
    games = [_info(game_named(name).info) for name in GAMES]
    return jsonify(games=games, last=last, desk=state_of(desk))


@blueprint.post("/setup/check")
@controlled
def check() -> ResponseReturnValue:
    """Whether the rules can start from this setup; 400 with the sentence where not."""
    setup = _setup(json_body())
    game_of(setup).start(setup)
    return jsonify(ok=True)


@blueprint.post("/setup/position")
@controlled
def position() -> ResponseReturnValue:
    """What the camera sees against what should stand there, see :class:`web.position.PositionCheck`."""
    looks: PositionCheck = current_app.extensions["schiri-position"]
    desk = _desk()
    image = desk.feed.another()
    return jsonify(looks.position(_setup(json_body()), desk.picture() if image is None else image))


@blueprint.post("/setup/route")
@controlled
def route() -> ResponseReturnValue:
    """The route as it lies on the table."""
    looks: PositionCheck = current_app.extensions["schiri-position"]
    return jsonify(looks.route(_setup(json_body()), _desk().picture()))


@blueprint.post("/table/points")
@controlled
def points() -> ResponseReturnValue:
    """Points of the picture in mm and the other way round: ``{"px": [[x, y]]}`` or ``{"mm": [[x, y]]}``."""
    wanted = json_body()
    plane = _desk().plane
    given = wanted.get("px", wanted.get("mm"))
    if plane is None or not _are_points(given):
        return jsonify(points=None)
    found = plane.to_mm(given) if "px" in wanted else plane.to_px(given)
    return jsonify(points=[[round(float(v), 1) for v in point] for point in found] if given else [])


@blueprint.post("/game/start")
@controlled
def start() -> ResponseReturnValue:
    """Start this game with the chosen camera and the measured table."""
    _desk().start(_setup(json_body()))
    return jsonify(ok=True)


@blueprint.post("/game/stop")
@controlled
def stop() -> ResponseReturnValue:
    """End the game that runs; what was played is kept."""
    _desk().stop()
    return jsonify(ok=True)


@blueprint.post("/game/table")
@controlled
def table() -> ResponseReturnValue:
    """Go on with the game that runs on the table as it was measured now."""
    _desk().move_table()
    return jsonify(ok=True)


@blueprint.post("/resume")
@controlled
def resume() -> ResponseReturnValue:
    """Go on with the game that was interrupted, with its camera and its table."""
    from web.cameras import of_spec

    library: Library = current_app.extensions["schiri-library"]
    kept = library.interrupted()
    if kept is None:
        raise SetupError("there is no interrupted game", "es gibt kein unterbrochenes Spiel")
    desk = _desk()
    camera = str((kept.setup.get("calibration") or {}).get("camera") or "")
    if camera:
        desk.choose(of_spec(camera))
    desk.start(kept.setup, resume=True)
    return jsonify(ok=True)


def _last(desk: Desk) -> Json:
    """The set-up of the last evening; of the bundled recording, its own."""
    from web.cameras import DEMO_VIDEO, CameraError

    try:
        demo = desk.feed.camera.spec == str(DEMO_VIDEO)
    except CameraError:
        demo = False
    if not demo:
        return desk.shelf.last_setup()
    setup: Json = json.loads(DEMO_VIDEO.with_name("setup.json").read_text("utf-8"))
    return setup


def _setup(wanted: Json) -> Json:
    """The setup that a page sent, with the table as it was measured. Raises SetupError."""
    given = wanted.get("setup")
    if not isinstance(given, dict):
        raise SetupError("the setup is missing", "die Aufstellung fehlt")
    setup = {name: value for name, value in given.items() if name in KNOWN and value is not None}
    players = setup.get("players")
    if isinstance(players, list):
        setup["players"] = [_player(player) for player in players]
    plane = _desk().plane
    if plane is not None:
        setup["calibration"] = plane.to_json()
    return setup


def _player(given: Any) -> Any:
    if not isinstance(given, dict):
        return given
    name = str(given.get("name", "")).strip()[:PLAYER_NAME]
    fields = {"name": name, "colour": given.get("colour"), "seat": given.get("seat")}
    return {key: value for key, value in fields.items() if value not in (None, "")}


def _info(info: GameInfo) -> Json:
    from vision.watch import ADAPTERS, SHEETS, WHOLE_BOX

    # Where the whole box is read anew every time there is no start position to check.
    return {**asdict(info), "watched": info.name in {*ADAPTERS, *SHEETS, *WHOLE_BOX}, "placed": info.name in ADAPTERS}


def _are_points(given: Any) -> bool:
    return isinstance(given, list) and len(given) <= 200 and all(
        isinstance(point, list) and len(point) == 2 and all(isinstance(v, int | float) for v in point)
        for point in given
    )


def _desk() -> Desk:
    desk: Desk = current_app.extensions["schiri-desk"]
    return desk
