from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fake_game import CODE, snapshot, turn
from flask.testing import FlaskClient

from vision.hub import Hub
from web.access import Attempts, host_allowed


def events(chunks: Iterator[bytes]) -> Iterator[tuple[str, Any]]:
    for chunk in chunks:
        lines = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
        if "event" in lines:
            yield lines["event"], json.loads(lines["data"])


def test_snapshot_is_what_the_referee_published(client: FlaskClient, hub: Hub) -> None:
    answer = client.get("/api/snapshot")
    assert answer.status_code == 200
    assert answer.get_json() == {**snapshot(), "seq": 1}
    assert client.get("/api/snapshot?after=1").status_code == 204
    hub.publish(snapshot(turn=4))
    assert client.get("/api/snapshot?after=1").get_json()["turn"] == 4


def test_events_bring_the_snapshot_then_news_then_ticks(client: FlaskClient, hub: Hub) -> None:
    answer = client.get("/api/events", buffered=False)
    assert answer.mimetype == "text/event-stream"
    stream = events(answer.response)  # type: ignore[arg-type]
    assert next(stream) == ("snapshot", {**snapshot(), "seq": 1})
    hub.publish(snapshot(state="move_seen"))
    assert next(stream) == ("snapshot", {**snapshot(state="move_seen"), "seq": 2})
    hub.publish(snapshot(state="move_seen", t_s=15.1, fps=9.5))
    assert next(stream) == ("tick", {"seq": 3, "t_s": 15.1, "fps": 9.5})
    answer.close()


def test_a_quiet_stream_sends_heartbeats(client: FlaskClient) -> None:
    answer = client.get("/api/events", buffered=False)
    chunks = iter(answer.response)
    assert [next(chunks) for _ in range(3)][2] == b": still here\n\n"
    answer.close()


def test_streams_are_bounded_and_come_free_again(client: FlaskClient) -> None:
    first = client.get("/api/events", buffered=False)
    second = client.get("/api/events", buffered=False)
    next(iter(second.response))
    refused = client.get("/api/events")
    assert refused.status_code == 503
    assert refused.get_json()["error"]["de"]
    first.close()  # never read a byte
    second.close()
    for _ in range(3):
        client.head("/api/events").close()
    assert client.get("/api/events", buffered=False).status_code == 200


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"do": "undo"}, 202),
        ({"do": "take"}, 202),
        ({"do": "choose", "index": 1}, 202),
        ({"do": "dismiss"}, 202),
        ({"do": "choose", "index": 2}, 400),
        ({"do": "choose", "index": -1}, 400),
        ({"do": "choose", "index": True}, 400),
        ({"do": "choose"}, 400),
        ({"do": "remove", "index": 1}, 202),
        ({"do": "remove", "index": 2}, 400),
        ({"do": "remove"}, 400),
        ({"do": "change", "index": 0, "turn": {}}, 400),
        ({"do": "insert", "index": 3, "turn": {}}, 400),
        ({"do": "format the disk"}, 400),
        ({}, 400),
        ([], 400),
        ("undo", 400),
    ],
)
def test_commands(client: FlaskClient, hub: Hub, wanted: Any, status: int) -> None:
    hub.publish(snapshot(needs_you={"why": {}, "alternatives": [turn(3, "Anna"), turn(3, "Anna", legal=False)]}))
    answer = client.post("/api/command", json=wanted)
    assert answer.status_code == status, answer.get_json()
    assert hub.commands.qsize() == (status == 202)
    if status == 202:
        assert hub.commands.get_nowait() == wanted


@pytest.mark.parametrize(("t_s", "status"), [(9.0, 202), (8.0, 400), (None, 400)])
def test_an_answer_names_its_question(client: FlaskClient, hub: Hub, t_s: float | None, status: int) -> None:
    hub.publish(snapshot(needs_you={"why": {}, "t_s": 9.0, "alternatives": [turn(3, "Anna")]}))
    for wanted in ({"do": "choose", "index": 0}, {"do": "dismiss"}):
        assert client.post("/api/command", json={**wanted, "t_s": t_s}).status_code == status


def test_answers_need_a_question(client: FlaskClient, hub: Hub) -> None:
    for wanted in ({"do": "dismiss"}, {"do": "choose", "index": 0}):
        assert client.post("/api/command", json=wanted).status_code == 400
    assert hub.commands.empty()


def test_commands_need_json(client: FlaskClient, hub: Hub) -> None:
    assert client.post("/api/command", data={"do": "undo"}).status_code == 415
    for text in ("{", "null", "", "\xff"):
        assert client.post("/api/command", data=text, content_type="application/json").status_code == 400, text
    assert hub.commands.empty()


def test_changes_by_post_only(client: FlaskClient, hub: Hub) -> None:
    for method in (client.get, client.put, client.delete, client.patch):
        assert method("/api/command", json={"do": "undo"}).status_code == 405
    assert hub.commands.empty()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "null"},
        {"Origin": "http://localhost:8123", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_foreign_origins_are_refused(client: FlaskClient, hub: Hub, headers: dict[str, str]) -> None:
    answer = client.post("/api/command", json={"do": "undo"}, headers=headers)
    assert answer.status_code == 403
    assert hub.commands.empty()


def test_own_origin_is_accepted(client: FlaskClient) -> None:
    headers = {"Origin": "http://localhost:8123", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/command", json={"do": "undo"}, headers=headers).status_code == 202


def test_only_this_computer_is_told_the_code(client: FlaskClient, away: FlaskClient) -> None:
    assert client.get("/api/access").get_json() == {"control": True, "problem": None, "code": CODE}
    assert away.get("/api/access").get_json()["code"] is None
    assert client.get("/api/access", headers={"X-Forwarded-For": "10.0.0.9"}).get_json()["code"] is None


def test_other_computers_need_the_code(away: FlaskClient, hub: Hub) -> None:
    assert away.get("/api/access").get_json()["control"] is False
    assert away.post("/api/command", json={"do": "undo"}).status_code == 401
    wrong = away.post("/api/command", json={"do": "undo"}, headers={"X-Schiri-Code": "000000"})
    assert wrong.status_code == 403
    assert hub.commands.empty()
    right = {"X-Schiri-Code": f" {CODE} "}
    assert away.get("/api/access", headers=right).get_json() == {"control": True, "problem": None, "code": None}
    assert away.post("/api/command", json={"do": "undo"}, headers=right).status_code == 202


def test_codes_cannot_be_tried_out(away: FlaskClient) -> None:
    for guess in range(10):
        assert away.post("/api/command", json={}, headers={"X-Schiri-Code": f"{guess:06d}"}).status_code == 403
    assert away.post("/api/command", json={}, headers={"X-Schiri-Code": CODE}).status_code == 429


def test_wrong_codes_are_forgotten_after_a_while() -> None:
    now = [0.0]
    attempts = Attempts(limit=1, window_s=60, clock=lambda: now[0])
    assert not attempts.matches("1", "2")
    assert attempts.exhausted()
    now[0] = 61.0
    assert not attempts.exhausted()


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-Ip"])
def test_a_forwarded_request_is_not_local(client: FlaskClient, header: str) -> None:
    assert client.post("/api/command", json={"do": "undo"}, headers={header: "10.0.0.9"}).status_code == 401


def test_an_oversized_body_is_refused(client: FlaskClient, hub: Hub) -> None:
    answer = client.post("/api/command", json={"do": "undo", "more": "x" * 20_000})
    assert answer.status_code == 413
    assert answer.get_json()["error"]["en"] == "The request is too large."
    assert hub.commands.empty()


def test_a_flood_of_commands_is_refused(client: FlaskClient, hub: Hub) -> None:
    statuses = [client.post("/api/command", json={"do": "undo"}).status_code for _ in range(40)]
    assert statuses[:32] == [202] * 32
    assert set(statuses[32:]) == {429}


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost:8123", True), ("127.0.0.1", True), ("[::1]:8123", True), ("192.168.178.20:8123", True),
        ("wohnzimmer-pc", True), ("schiri.local:80", True), ("schiri.fritz.box", True), ("my.own.example", True),
        ("evil.example", False), ("evil.example:8123", False), ("localhost.evil.example", False), ("", False),
        ("[::1", False),
    ],
)  # fmt: skip
def test_host_names(host: str, allowed: bool) -> None:
    assert host_allowed(host, frozenset({"my.own.example"})) is allowed


def test_a_foreign_name_for_this_computer_sees_nothing(client: FlaskClient) -> None:
    for path in ("/", "/api/snapshot", "/api/events", "/camera/frame.jpg"):
        assert client.get(path, headers={"Host": "evil.example:8123"}).status_code == 403
