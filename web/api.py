"""The api: events and snapshot to look at, commands by POST."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from vision.hub import Hub
from web import access
from web.app import current_config, refusal, viewer_gone
from web.guard import enqueued, refuse_control

if TYPE_CHECKING:
    from web.app import Config, Limits

Json = dict[str, Any]

PASSING = frozenset({"seq", "t_s", "fps"})
"""Fields that change all the time: where only these differ, a short ``tick`` is sent instead of the snapshot."""

STEP_S = 0.25
"""How long a stream waits for news before it looks whether its viewer is still there."""

EDITS = ("change", "insert", "remove")

WAITING_COMMANDS = 32
"""More than this many unread commands are refused."""

blueprint = Blueprint("api", __name__, url_prefix="/api")


class Live:
    """The event streams of one application: a bounded number of slots, one encoder for all of them."""

    def __init__(self, config: Config) -> None:
        self.hub: Hub = config.hub
        self.limits: Limits = config.limits
        self.slots = threading.BoundedSemaphore(config.limits.event_slots)
        self._lock = threading.Lock()
        self._encoded: tuple[int, bytes] = (-1, b"")

    def encode(self, snapshot: Json) -> bytes:
        """The snapshot as an event; viewers that look at the same one share the work."""
        with self._lock:
            if self._encoded[0] != snapshot["seq"]:
                self._encoded = (snapshot["seq"], _event("snapshot", snapshot))
            return self._encoded[1]

    def stream(self, gone: Callable[[], bool]) -> Iterator[bytes]:
        """Events for one viewer until it is ``gone``, has had its time or its bytes."""
        subscriber = self.hub.subscribe()
        try:
            yield b"retry: 2000\n\n"
            sent, until = 0, time.monotonic() + self.limits.event_time_s
            for chunk in self._events(subscriber, gone):
                yield chunk
                sent += len(chunk)
                if sent > self.limits.event_bytes or time.monotonic() > until:
                    return
        finally:
            self.hub.unsubscribe(subscriber)

    def _events(self, subscriber: queue.Queue[Json], gone: Callable[[], bool]) -> Iterator[bytes]:
        last = self.hub.snapshot()
        yield self.encode(last)
        quiet_since = time.monotonic()
        while not gone():
            newest = _newest(subscriber, wait_s=min(STEP_S, self.limits.heartbeat_s))
            if newest is None:
                if time.monotonic() - quiet_since >= self.limits.heartbeat_s:
                    quiet_since = time.monotonic()
                    yield b": still here\n\n"
                continue
            yield self.encode(newest) if _differs(last, newest) else _event("tick", _passing(newest))
            last, quiet_since = newest, time.monotonic()
            time.sleep(self.limits.event_gap_s)


@blueprint.get("/snapshot")
def snapshot() -> ResponseReturnValue:
    """The whole state of the game as JSON; ``?after=SEQ`` answers 204 where nothing is newer."""
    newest = current_config().hub.snapshot()
    if request.args.get("after", type=int) == newest["seq"]:
        return Response(status=204)
    return jsonify(newest)


@blueprint.get("/events")
def events() -> ResponseReturnValue:
    """Server-Sent Events: ``snapshot`` (everything) and ``tick`` (seq, t_s, fps). 503 where all slots are taken."""
    live: Live = current_app.extensions["schiri-live"]
    if not live.slots.acquire(blocking=False):
        response = refusal(503, "streams_full")
        response.headers["Retry-After"] = "30"
        return response
    response = Response(live.stream(viewer_gone()), mimetype="text/event-stream")
    response.call_on_close(live.slots.release)
    response.headers["X-Accel-Buffering"] = "no"
    return response


@blueprint.get("/access")
def control() -> ResponseReturnValue:
    """Whether this viewer may control the game (on this computer, or with the code), and what is missing if not.

    Only this computer's own screen is told the code.
    """
    problem = refuse_control()
    fault = None if problem is None else problem.get_json()["error"]
    code = current_config().code if access.is_local(request) else None
    return jsonify(control=problem is None, problem=fault, code=code)


@blueprint.post("/command")
def command() -> ResponseReturnValue:
    """Put one command into the referee's queue.

    ``{"do": "undo"}``: take the last turn back; ``{"do": "choose", "index": 0}``: that alternative of the open question
    is right; ``{"do": "dismiss"}``: nothing has happened (both may name the question's ``t_s``: another one that came
    up meanwhile is not answered by mistake); ``{"do": "take"}``: what stands on the table
    holds, whatever the rules say. ``{"do": "change", "index": k, "turn": {...}}``: entry ``k`` of the snapshot's
    ``turns`` was this turn; ``"insert"``: this turn was missed before entry ``k``; ``{"do": "remove", "index": k}``:
    entry ``k`` never happened.
    """
    if not access.same_origin(request):
        return refusal(403, "foreign_origin")
    problem = refuse_control()
    if problem is not None:
        return problem
    if not request.is_json:
        return refusal(415, "not_json")
    wanted = request.get_json()
    fault = _fault(wanted, current_config().hub.snapshot())
    if fault is not None:
        return refusal(400, fault)
    return (jsonify(accepted=True), 202) if enqueued(wanted, WAITING_COMMANDS) else refusal(429, "busy")


def _fault(wanted: Any, snapshot: Json) -> str | None:
    """Why a command cannot be meant, as a key of the refusals; None where it can."""
    if not isinstance(wanted, dict):
        return "not_json"
    if wanted.get("do") in ("undo", "take"):
        return None
    if wanted.get("do") == "action_die":
        return None if wanted.get("value") in ("must", "may", "may_not") else "bad_choice"
    if wanted.get("do") in EDITS:
        return _edit_fault(wanted, snapshot.get("turns") or [])
    if wanted.get("do") not in ("choose", "dismiss"):
        return "unknown_command"
    question = snapshot.get("needs_you")
    if "t_s" in wanted and wanted["t_s"] != (question or {}).get("t_s"):
        return "bad_choice"
    if wanted["do"] == "dismiss":
        return None if question else "bad_choice"
    index, offered = wanted.get("index"), len((question or {}).get("alternatives") or [])
    return None if type(index) is int and 0 <= index < offered else "bad_choice"


def _edit_fault(wanted: Json, turns: list[Json]) -> str | None:
    """The same for a command that edits the turns."""
    from web.edits import readable

    index = wanted.get("index")
    most = len(turns) + (wanted["do"] == "insert")
    if type(index) is not int or not 0 <= index < most:
        return "bad_choice"
    if wanted["do"] == "remove":
        return None
    setup = current_app.extensions["schiri-desk"].setup
    line = wanted.get("turn")
    fits = setup is not None and isinstance(line, dict) and readable(setup, turns[:index], line)
    return None if fits else "bad_turn"


def _newest(subscriber: queue.Queue[Json], wait_s: float) -> Json | None:
    try:
        newest = subscriber.get(timeout=wait_s)
        while True:
            try:
                newest = subscriber.get_nowait()
            except queue.Empty:
                return newest
    except queue.Empty:
        return None


def _differs(a: Json, b: Json) -> bool:
    return any(a.get(name) != b.get(name) for name in (a.keys() | b.keys()) - PASSING)


def _passing(snapshot: Json) -> Json:
    return {name: snapshot[name] for name in PASSING & snapshot.keys()}


def _event(name: str, data: Json) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
