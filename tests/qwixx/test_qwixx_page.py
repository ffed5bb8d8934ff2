"""The page of Qwixx Express: what it takes, what it refuses, photos of sheets."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from vision.hub import Hub
from web.app import Config, create_app


@pytest.fixture
def hub() -> Hub:
    hub = Hub()
    hub.publish({"game": "qwixx-express", "players": [{"name": "Anna"}, {"name": "Ben"}], "qwixx": {}})
    return hub


@pytest.fixture
def client(hub: Hub) -> FlaskClient:
    return create_app(Config(hub, "123456")).test_client()


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_page_is_there(client: FlaskClient, lang: str) -> None:
    answer = client.get("/qwixx", headers={"Accept-Language": lang})
    assert answer.status_code == 200
    assert ("Runde fertig" if lang == "de" else "Round over") in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    "wanted",
    [
        {"do": "stop", "player": "Anna"}, {"do": "done"}, {"do": "undo"},
        {"do": "dice", "player": "Ben", "numbers": [1, 6], "colour": "white"},
        {"do": "rerolls", "player": "Ben", "count": 2},
        {"do": "field", "player": "Ben", "row": "red", "value": 7, "crossed": True},
    ],
)
def test_commands_reach_the_referee(client: FlaskClient, hub: Hub, wanted: dict[str, Any]) -> None:
    assert client.post("/api/qwixx/command", json=wanted).status_code == 204
    assert hub.commands.get_nowait() == wanted


@pytest.mark.parametrize(
    "wanted",
    [
        {}, {"do": "sheet"}, {"do": "stop"}, {"do": "dice", "player": "Ben", "numbers": [0, 6], "colour": "white"},
        {"do": "dice", "player": "Ben", "numbers": [1, 6], "colour": "pink"},
        {"do": "rerolls", "player": "Ben", "count": -1},
        {"do": "field", "player": "Ben", "row": "red", "value": 7},
    ],
)
def test_others_are_refused(client: FlaskClient, hub: Hub, wanted: dict[str, Any]) -> None:
    answer = client.post("/api/qwixx/command", json=wanted)
    assert answer.status_code == 400 and set(answer.get_json()["error"]) == {"de", "en"}
    assert hub.commands.empty()


def test_too_many_commands_are_refused(client: FlaskClient) -> None:
    codes = [client.post("/api/qwixx/command", json={"do": "done"}).status_code for _ in range(22)]
    assert codes[0] == 204 and codes[-1] == 503


@pytest.mark.parametrize(
    ("player", "body", "word"),
    [("Carl", b"", "player"), ("Anna", b"no picture", "photo"), ("Anna", None, "sheet")],
)
def test_photos_that_show_no_sheet_are_refused_with_a_sentence(
    client: FlaskClient, hub: Hub, player: str, body: bytes | None, word: str
) -> None:
    if body is None:
        body = cv2.imencode(".jpg", np.full((240, 320, 3), 90, np.uint8))[1].tobytes()
    answer = client.post(f"/api/qwixx/photo?player={player}", data=body)
    assert answer.status_code == 400 and word in answer.get_json()["error"]["en"].lower()
    assert hub.commands.empty()
