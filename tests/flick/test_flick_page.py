"""Photos over the web and commands to the live game, with eyes made up by the test."""

from __future__ import annotations

import json
from typing import Any

import cv2
import numpy as np
import pytest
from boxes import MARKERS, reading
from flask import Flask
from flask.testing import FlaskClient

from calibration.arrays import Image
from rules.dice_flick import Die, Markers
from vision.flick.errors import BoxError
from vision.hub import Hub
from web.app import Config, create_app

PHOTO = cv2.imencode(".jpg", np.full((60, 80, 3), 128, np.uint8))[1].tobytes()
BOARD = [Die(3, 3, "yellow", 5), Die(1, 1, "blue", 4)]
HOLES = [{"row": 3, "col": 3, "content": "die", "colour": "yellow", "value": 5}]


@pytest.fixture
def hub() -> Hub:
    return Hub()


@pytest.fixture
def app(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Flask:
    def read(photo: Image, eyes: object, layout: Markers | None = None, **_: object) -> Any:
        if photo.shape[0] != 60:
            raise BoxError("no_box")
        return reading(BOARD)

    monkeypatch.setattr("vision.flick.reading.read_box", read)
    monkeypatch.setattr("web.flick.Reader.eyes", lambda self: None)
    return create_app(Config(hub, "482913"))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def post(client: FlaskClient, path: str, **wanted: Any) -> Any:
    return client.post(path, base_url="http://localhost:8123/", **wanted)


@pytest.mark.parametrize("path", ["/flick", "/flick/game"])
@pytest.mark.parametrize("lang", ["de", "en"])
def test_pages(client: FlaskClient, path: str, lang: str) -> None:
    page = client.get(path, base_url="http://localhost:8123/", headers={"Accept-Language": lang}).get_data(as_text=True)
    assert f'lang="{lang}"' in page
    assert "flick_" not in page.replace("data-t", "").split("<main")[0]


def test_a_photo_becomes_points(client: FlaskClient) -> None:
    answer = post(client, "/api/flick/photo", data=PHOTO, content_type="image/jpeg").get_json()
    assert answer["best_score"] == 10
    assert len(answer["holes"]) == len(answer["centres"]) == 25
    assert answer["counted"]["sums"][0]["de"] == "Center-Marker: 5 doppelt (Center) = 10"
    assert answer["markers"] == MARKERS


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", 422), (b"no picture", 422), (PHOTO[:200], 422),
        (cv2.imencode(".png", np.zeros((9, 9, 3), np.uint8))[1].tobytes(), 422),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0\1\0\0" * 2, 422),
        (b"\xff\xd8\xff\xe0\0\0" * 50, 422),
    ],
)
def test_what_is_no_box_gets_a_sentence(client: FlaskClient, data: bytes, status: int) -> None:
    answer = post(client, "/api/flick/photo", data=data, content_type="image/jpeg")
    assert answer.status_code == status
    assert set(answer.get_json()["error"]) == {"de", "en"}


def test_too_large_and_foreign_photos_are_refused(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.flick.PHOTO_LIMIT", 100)
    assert post(client, "/api/flick/photo", data=PHOTO).status_code == 413
    foreign = {"Origin": "http://evil.example"}
    assert post(client, "/api/flick/photo", data=PHOTO, headers=foreign).status_code == 403


@pytest.mark.parametrize("markers", ["[]", "{", '{"bonus": [[9, 9]]}', '{"sun": [[1, 1]]}', "5"])
def test_wrong_stickers_are_named(client: FlaskClient, markers: str) -> None:
    answer = post(client, "/api/flick/photo", data=PHOTO, query_string={"markers": markers})
    assert answer.status_code in (200, 400)
    if answer.status_code == 400:
        assert answer.get_json()["error"]["de"]


def test_a_camera_that_gives_nothing_is_said(client: FlaskClient, hub: Hub) -> None:
    assert post(client, "/api/flick/camera").status_code == 422
    hub.show(np.zeros((60, 80, 3), np.uint8))
    assert post(client, "/api/flick/camera").get_json()["best_score"] == 10


@pytest.mark.parametrize(
    ("claimed", "right"), [(None, None), (10, True), (0, True), (12, False), (7, False), ("10", None)]
)
def test_claimed_points_are_checked(client: FlaskClient, claimed: object, right: bool | None) -> None:
    wanted = {"holes": HOLES, "markers": MARKERS, "claimed": claimed}
    answer = post(client, "/api/flick/score", json=wanted).get_json()
    assert answer["best_score"] == 10
    assert (answer["claim"] or {}).get("right") == right


def test_house_rules_count(client: FlaskClient) -> None:
    pair = [{"row": 1, "col": c, "content": "die", "colour": "blue", "value": 4} for c in (1, 2)]
    for least, points in ((3, 0), (2, 8)):
        wanted = {"holes": pair, "markers": MARKERS, "options": {"min_group": least}}
        assert post(client, "/api/flick/score", json=wanted).get_json()["best_score"] == points


@pytest.mark.parametrize(
    "wanted",
    [
        [], {}, {"holes": 5}, {"holes": [5]}, {"holes": [{"content": "die"}]}, {"holes": HOLES * 2},
        {"holes": [{**HOLES[0], "colour": "brown"}]}, {"holes": [{**HOLES[0], "value": 9}]},
        {"holes": HOLES, "markers": {"bonus": [[0, 0]]}}, {"holes": HOLES, "markers": 7},
        {"holes": HOLES, "options": {"nonsense": 1}},
    ],
)
def test_nonsense_is_refused_with_a_sentence(client: FlaskClient, wanted: Any) -> None:
    answer = post(client, "/api/flick/score", data=json.dumps(wanted), content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["error"]["en"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"do": "next"}, {"do": "next", "points": 12}, {"do": "points", "points": 0}, {"do": "undo"},
        {"do": "hole", "row": 1, "col": 5}, {"do": "hole", "row": 1, "col": 5, "colour": "pink", "value": 6},
    ],
)
def test_commands_reach_the_referee(client: FlaskClient, hub: Hub, wanted: dict[str, Any]) -> None:
    assert post(client, "/api/flick/command", json=wanted).status_code == 204
    assert hub.commands.get_nowait() == wanted


@pytest.mark.parametrize(
    "wanted",
    [
        {}, {"do": "sing"}, {"do": "points"}, {"do": "points", "points": -1}, {"do": "next", "points": True},
        {"do": "hole", "row": 0, "col": 1}, {"do": "hole", "row": 1, "col": 1, "colour": "brown", "value": 1},
        {"do": "hole", "row": 1, "col": 1, "colour": "blue", "value": 7},
    ],
)
def test_commands_without_sense_do_not(client: FlaskClient, hub: Hub, wanted: dict[str, Any]) -> None:
    assert post(client, "/api/flick/command", json=wanted).status_code == 400
    assert hub.commands.empty()


def test_other_computers_need_the_code(app: Flask) -> None:
    client = app.test_client()
    away = {"base_url": "http://192.168.1.5:8123/", "environ_base": {"REMOTE_ADDR": "192.168.1.20"}}
    assert client.post("/api/flick/command", json={"do": "next"}, **away).status_code == 401
    assert client.post("/api/flick/photo", data=PHOTO, **away).status_code == 200


def test_a_game_needs_a_camera_and_two_names(client: FlaskClient) -> None:
    for wanted, status in (({"players": "Anna"}, 400), ({"players": ["Anna"]}, 400), ({"players": ["A", "B"]}, 400)):
        answer = post(client, "/api/flick/start", json=wanted)
        assert answer.status_code == status
        assert answer.get_json()["error"]["de"]
