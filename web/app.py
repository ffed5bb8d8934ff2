"""The web application: ``create_app(config)`` puts the blueprints on one :class:`vision.hub.Hub`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, Response, jsonify, request
from flask.json.provider import DefaultJSONProvider
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from vision.hub import Hub
from web.access import Attempts, host_allowed
from web.desk import Desk
from web.home import HomeNetwork
from web.shelf import Shelf
from web.texts import both

BODY_LIMIT = 16 * 1024
"""The largest request body that is read, in bytes: commands are a few words."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much viewers may take. With more viewers than slots the page asks for snapshots instead of a stream.

    Times in seconds, sizes in bytes. A stream ends after its time or size, whichever comes first, and the page
    opens it again: a viewer that has stopped reading gives its thread back even though nobody notices it.
    """

    event_slots: int = 16
    event_time_s: float = 300.0
    event_gap_s: float = 0.2
    heartbeat_s: float = 10.0
    event_bytes: int = 8_000_000
    video_slots: int = 4
    video_time_s: float = 60.0
    video_gap_s: float = 0.2
    video_bytes: int = 24_000_000


@dataclass(frozen=True, slots=True)
class Config:
    """What the application serves: ``hub`` is the referee's, ``code`` lets other computers control the game."""

    hub: Hub
    code: str
    lang: str = "en"
    limits: Limits = field(default_factory=Limits)
    hosts: frozenset[str] = frozenset()
    """Further host names under which this computer is reached."""
    closing: threading.Event = field(default_factory=threading.Event)
    """Set when the program ends: all streams come to their end."""
    desk: Desk | None = None
    """Where games are prepared; None makes one that keeps nothing."""
    home: HomeNetwork | None = None
    """The way in from the home network; None for no way."""


class ReadableJson(DefaultJSONProvider):
    """JSON as people write it; what is nested without end is no JSON."""

    ensure_ascii = False

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """See flask. Raises ValueError."""
        try:
            return super().loads(s, **kwargs)
        except RecursionError:
            raise ValueError("nested too deeply") from None


def create_app(config: Config) -> Flask:
    """The application for one referee. Blueprints: pages, api, camera, and those of the way to a game."""
    from web import (
        api,
        camera,
        cameras_api,
        edits,
        flick,
        kept,
        pages,
        phone,
        qwixx,
        qwixx_sheet,
        report,
        sets,
        setup_api,
        table_api,
        tuning,
    )
    from web.library import Library
    from web.position import PositionCheck

    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.json = ReadableJson(app)
    app.extensions["schiri"] = config
    app.extensions["schiri-attempts"] = Attempts()
    app.extensions["schiri-live"] = api.Live(config)
    app.extensions["schiri-pictures"] = camera.Pictures(config)
    desk = config.desk or _bare_desk(config.hub)
    app.extensions["schiri-desk"] = desk
    app.extensions["schiri-home"] = config.home or HomeNetwork(None)
    app.extensions["schiri-library"] = Library(desk.journal_path)
    app.extensions["schiri-flick"] = flick.Reader()
    app.extensions["schiri-qwixx"] = qwixx.Reader()
    app.extensions["schiri-phone"] = phone.PhoneKey()
    app.extensions["schiri-previews"] = cameras_api.Previews()
    app.extensions["schiri-position"] = PositionCheck(lambda: desk.sets.current)
    app.extensions["schiri-teacher"] = sets.Teacher()
    app.extensions["schiri-tuner"] = tuning.Tuner()
    app.extensions["schiri-levels"] = table_api.Levels()
    for part in (
        pages, api, camera, cameras_api, edits, flick, kept, phone, qwixx, qwixx_sheet, report, sets, setup_api,
        table_api, tuning,
    ):
        app.register_blueprint(part.blueprint)
    app.before_request(_refuse_foreign_hosts)
    app.after_request(_add_headers)
    app.register_error_handler(HTTPException, _error)
    return app


def _bare_desk(hub: Hub) -> Desk:
    return Desk(hub, Shelf(None))


def current_config() -> Config:
    """The configuration of the application that handles this request."""
    from flask import current_app

    config = current_app.extensions["schiri"]
    assert isinstance(config, Config)
    return config


def viewer_gone() -> Callable[[], bool]:
    """Tells, for the stream that answers this request, whether nobody is there any more or the program ends."""
    left = request.environ.get("waitress.client_disconnected", lambda: False)
    closing = current_config().closing
    return lambda: closing.is_set() or bool(left())


def refusal(status: int, key: str) -> Response:
    """A JSON answer with ``status`` and one sentence in both languages."""
    return sentence(status, both(key))


def sentence(status: int, text: dict[str, str]) -> Response:
    """A JSON answer with ``status`` and the sentence ``{de, en}`` as its error."""
    response = jsonify(error=text)
    response.status_code = status
    return response


def _refuse_foreign_hosts() -> ResponseReturnValue | None:
    # A page of a foreign site whose name is made to point here must not see the camera.
    if host_allowed(request.host, current_config().hosts):
        return None
    return refusal(403, "foreign_host")


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def _error(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    known = {404: "not_found", 405: "wrong_method", 413: "too_large", 415: "not_json", 400: "not_json"}
    response = refusal(status, known.get(status, "failed"))
    if isinstance(error, RequestEntityTooLarge):
        response.headers["Connection"] = "close"
    return response
