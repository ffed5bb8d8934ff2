"""The page of what Schiri knows about a set: what it shows, takes and refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from drawn import PLANE, STARTED, table
from flask.testing import FlaskClient

from models.classes import DIE_CLASSES
from vision.detections import Detections
from vision.hub import Hub
from web.app import Config, create_app
from web.desk import Desk
from web.sets import Teacher
from web.shelf import Shelf

CROP = np.full((96, 96, 3), (10, 120, 200), np.uint8)


class SeeingDesk(Desk):
    """A desk whose camera shows the drawn table, measured."""

    def picture(self) -> Any:
        return table(STARTED)

    @property
    def plane(self) -> Any:
        return PLANE


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = SeeingDesk(Hub(), Shelf(tmp_path))
    desk.sets.current.add("tile", "-3", CROP, None, "start")
    desk.sets.current.add("tile", "-8", CROP, None, "person")
    return desk


@pytest.fixture
def client(desk: Desk) -> FlaskClient:
    return create_app(Config(desk.hub, "123456", desk=desk)).test_client()


def ids(client: FlaskClient) -> list[str]:
    return [one["id"] for one in client.get("/api/sets").get_json()["exemplars"]]


@pytest.mark.parametrize(("lang", "words"), [("de", "Was Schiri über dieses"), ("en", "What Schiri knows")])
def test_the_page_is_there_and_the_start_page_leads_to_it(client: FlaskClient, lang: str, words: str) -> None:
    assert words in client.get("/sets", headers={"Accept-Language": lang}).get_data(as_text=True)
    assert 'href="/sets"' in client.get("/", headers={"Accept-Language": lang}).get_data(as_text=True)


def test_exemplars_are_seen_put_right_and_removed(client: FlaskClient, desk: Desk) -> None:
    first, second = ids(client)
    picture = client.get(f"/api/sets/crop/{first}.png")
    assert picture.mimetype == "image/png"
    assert cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_UNCHANGED).shape == (96, 96, 4)
    state = client.post("/api/sets/relabel", json={"id": first, "label": "-9"}).get_json()
    assert [(e["label"], e["source"]) for e in state["exemplars"]] == [("-9", "person"), ("-8", "person")]
    state = client.post("/api/sets/forget", json={"ids": [second]}).get_json()
    assert [e["id"] for e in state["exemplars"]] == [first]


def test_contradicted_exemplars_are_shown_as_such(client: FlaskClient, desk: Desk) -> None:
    desk.sets.current.judge(contradicted=ids(client)[:1])
    assert [e["doubted"] for e in client.get("/api/sets").get_json()["exemplars"]] == [True, False]


def test_sets_are_made_renamed_passed_on_and_deleted(client: FlaskClient) -> None:
    first = client.get("/api/sets").get_json()["current"]
    file = client.get("/api/sets/file")
    assert file.mimetype == "application/zip"
    state = client.post("/api/sets/new", json={"name": "Holiday"}).get_json()
    assert state["exemplars"] == [] and state["current"] != first
    state = client.post("/api/sets/rename", json={"id": first, "name": "Home"}).get_json()
    assert sorted(one["name"] for one in state["sets"]) == ["Holiday", "Home"]
    state = client.post("/api/sets/file", data=file.data).get_json()
    assert len(state["sets"]) == 3 and len(state["exemplars"]) == 2
    for one in state["sets"]:
        state = client.post("/api/sets/remove", json={"id": one["id"]}).get_json()
    assert len(state["sets"]) == 1 and state["exemplars"] == []


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("choose", {"id": "gone"}), ("new", {"name": ""}), ("rename", {"id": "gone", "name": "x"}),
        ("relabel", {"id": "gone", "label": "-1"}), ("teach", {"kind": "tile", "label": "-77", "at": [0.5, 0.5]}),
        ("teach", {"kind": "cup", "label": "-1", "at": [0.5, 0.5]}), ("teach", {"kind": "tile", "label": "-1"}),
        ("teach", {"kind": "tile", "label": "-1", "at": [2, 0]}), ("file", None),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(client: FlaskClient, address: str, wanted: Any) -> None:
    answer = client.post(f"/api/sets/{address}", json=wanted) if wanted else client.post("/api/sets/file", data=b"no")
    assert answer.status_code == 400 and set(answer.get_json()["error"]) == {"de", "en"}


class OneDie:
    """A detector that sees a die around the middle of the picture."""

    def detect(self, image: Any) -> Detections:
        box = np.array([[480, 280, 520, 320]], np.float32)
        return Detections(box, np.array([4], np.int64), np.array([0.9], np.float32))


class Unsure:
    """A reader of pips that has no idea."""

    def read(self, crops: Any) -> Any:
        return np.full((len(crops), len(DIE_CLASSES)), 1 / len(DIE_CLASSES), np.float32)


def test_a_tap_teaches_a_symbol_and_the_page_reads_it(client: FlaskClient, desk: Desk) -> None:
    teacher: Teacher = client.application.extensions["schiri-teacher"]
    teacher._detector, teacher._reader = OneDie(), Unsure()
    assert client.post("/api/sets/teach", json={"kind": "die", "label": "2", "at": [0.1, 0.1]}).status_code == 400
    taps = (("action_die", "may", [0.5, 0.5]), ("worm", "swap", [0.2, 0.5]), ("tile", "+5", [0.8, 0.8]))
    for kind, label, at in taps:
        state = client.post("/api/sets/teach", json={"kind": kind, "label": label, "at": at}).get_json()
        assert (kind, label, "person") in [(e["kind"], e["label"], e["source"]) for e in state["exemplars"]]
    seen = client.get("/api/sets/look").get_json()
    assert seen["size"] == [1000, 600] and len(seen["dice"]) == 1
    assert seen["dice"][0]["box"] == [480.0, 280.0, 520.0, 320.0] and 0 < seen["dice"][0]["sure"] <= 1


def test_others_may_only_look_with_the_code(client: FlaskClient) -> None:
    away = {"REMOTE_ADDR": "192.168.1.20"}
    host = {"Host": "192.168.1.5:8123"}
    assert client.get("/api/sets", environ_base=away, headers=host).status_code == 401
    assert client.post("/api/sets/new", json={"name": "x"}, environ_base=away, headers=host).status_code in (401, 403)
