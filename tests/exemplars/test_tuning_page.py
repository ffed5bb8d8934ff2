"""Fine-tuning from the page: begun, followed, given up, switched back; refused with a sentence where it cannot be."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drawn import PLANE, STARTED, table
from flask.testing import FlaskClient

from vision.exemplars.frames import Known
from vision.hub import Hub
from web import tuning
from web.app import Config, create_app
from web.desk import Desk
from web.shelf import Shelf


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(Hub(), Shelf(tmp_path))


@pytest.fixture
def client(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    monkeypatch.setattr(tuning, "possible", lambda: True)
    return create_app(Config(desk.hub, "123456", desk=desk)).test_client()


def two_frames(desk: Desk) -> None:
    for _ in range(2):
        desk.sets.current.frames.keep(table(STARTED), PLANE, Known((("-3", (50.0, 80.0)),)), always=True)


def says(monkeypatch: pytest.MonkeyPatch, lines: list[Any], after: str = "") -> None:
    """Fine-tuning is a process that says these lines and then does something."""
    program = "".join(f"print({json.dumps(json.dumps(line))}, flush=True);" for line in lines) + after
    monkeypatch.setattr(tuning, "command", lambda ident, data: [sys.executable, "-c", program])


def waited(client: FlaskClient, fits: Callable[[Any], bool]) -> Any:
    for _ in range(1200):
        state = client.get("/api/sets/tune").get_json()
        if fits(state):
            return state
        time.sleep(0.05)
    pytest.fail(f"still {state}")


def test_too_few_pictures_and_missing_packages_are_said(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = client.post("/api/sets/tune", json={"what": "start"})
    assert answer.status_code == 400 and set(answer.get_json()["error"]) == {"de", "en"}
    monkeypatch.setattr(tuning, "possible", lambda: False)
    assert client.get("/api/sets/tune").get_json()["can"] is False
    assert client.post("/api/sets/tune", json={"what": "start"}).status_code == 400


def test_it_is_followed_to_its_end_and_switched_back(
    client: FlaskClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_frames(desk)
    report = {"use": True, "tile": {"before": 0.1, "after": 0.9, "count": 8, "better": True}}
    says(monkeypatch, [{"what": "tile", "share": 0.5}, {"done": report}])
    assert client.post("/api/sets/tune", json={"what": "start"}).status_code == 200
    desk.sets.current.tuned.note(report)
    state = waited(client, lambda state: state["running"] is None)
    assert state["problem"] is None and state["report"] == report and state["frames"] == 2
    assert client.post("/api/sets/tune", json={"what": "general"}).get_json()["report"]["use"] is False
    assert client.post("/api/sets/tune", json={"what": "own"}).get_json()["report"]["use"] is True


def test_how_long_it_takes_yet_is_said_and_it_can_be_given_up(
    client: FlaskClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_frames(desk)
    says(monkeypatch, [{"what": "tile", "share": 0.5}], "import time; time.sleep(600)")
    client.post("/api/sets/tune", json={"what": "start"})
    running = waited(client, lambda state: state["running"]["what"] == "tile")["running"]
    assert running["share"] == 0.5 and running["left_s"] >= 0
    assert client.post("/api/sets/tune", json={"what": "cancel"}).get_json()["running"] is None


def test_a_training_that_fails_leaves_everything_and_says_so(
    client: FlaskClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_frames(desk)
    says(monkeypatch, [], "raise SystemExit(3)")
    client.post("/api/sets/tune", json={"what": "start"})
    state = waited(client, lambda state: state["running"] is None)
    assert set(state["problem"]) == {"de", "en"} and state["report"] == {}
