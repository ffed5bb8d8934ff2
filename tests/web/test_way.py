"""Measuring the table and setting a game up, by the api; a game that is started, moved and stopped."""

from __future__ import annotations

import json
import threading
from typing import Any

import cv2
import numpy as np
import pytest
from driven import wait_until
from fake_game import CODE
from flask import Flask
from flask.testing import FlaskClient

from calibration.board import charuco_cells
from vision.reading import TileSeen
from web.app import Config, create_app
from web.cameras import DEMO_VIDEO
from web.desk import Desk
from web.route import in_order

pytestmark = pytest.mark.skipif(not DEMO_VIDEO.is_file(), reason="the demo recording is not there")

DEMO_SETUP = DEMO_VIDEO.with_name("setup.json")
CORNERS = [[245.7, 130.4], [1024.4, 123.7], [1098.6, 578.0], [184.4, 589.7]]


@pytest.fixture
def app(desk: Desk) -> Flask:
    return create_app(Config(desk.hub, CODE, desk=desk))


@pytest.fixture
def looking(client: FlaskClient) -> FlaskClient:
    """A browser that has chosen the bundled recording."""
    assert client.post("/api/camera", json={"id": "video-demo"}).status_code == 200
    return client


def test_without_a_camera_the_page_says_what_is_missing(client: FlaskClient) -> None:
    for answer in (client.get("/api/table"), client.get("/api/table/look"), client.post("/api/table/propose")):
        assert answer.status_code == 400 and "camera" in answer.get_json()["error"]["en"]


def test_markers_are_seen_and_measured(looking: FlaskClient, desk: Desk) -> None:
    seen = looking.get("/api/table/look").get_json()
    assert sorted(seen["markers"]) == ["0", "1", "2", "3"] and seen["problem"] is None and seen["light"] == []
    assert seen["plane"]["rating"] == "good" and desk.plane is None, "looking alone changes nothing"
    state = looking.post("/api/table/markers", json={}).get_json()
    assert state["plane"]["error_mm"] < 1 and len(state["plane"]["grid"]) > 10
    assert desk.plane is not None
    width, height = desk.plane.size_mm
    assert width == pytest.approx(510, abs=6) and height == pytest.approx(300, abs=6)


def test_a_table_is_kept_for_its_camera_and_fits_again(looking: FlaskClient, desk: Desk) -> None:
    looking.post("/api/table/markers", json={})
    looking.post("/api/table/keep", json={"place": "Kitchen"})
    desk.measured(None)
    (kept,) = looking.get("/api/table").get_json()["kept"]
    assert kept["place"] == "Kitchen" and kept["fits"] is True and kept["moved_mm"] < 1
    assert looking.post("/api/table/kept", json={"place": "Kitchen"}).get_json()["plane"]["rating"] == "good"
    desk.shelf.keep_table("video-demo", "Moved", {**desk.shelf.tables()[0]["plane"], "corners_px": [
        [x + 60, y + 40] for x, y in desk.shelf.tables()[0]["plane"]["corners_px"]
    ]})
    moved = next(entry for entry in looking.get("/api/table").get_json()["kept"] if entry["place"] == "Moved")
    assert moved["fits"] is False


def test_a_known_camera_is_one_click_away(looking: FlaskClient, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert looking.get("/api/desk").get_json()["known"] is None
    assert looking.post("/api/table/again", json={}).status_code == 400
    looking.post("/api/table/markers", json={})
    looking.post("/api/table/keep", json={"place": "Kitchen"})
    known = looking.get("/api/desk").get_json()["known"]
    assert known["place"] == "Kitchen" and known["camera"]["id"] == "video-demo"
    desk.measured(None)
    assert looking.post("/api/table/again", json={}).get_json() == {"next": "/setup"}
    assert desk.plane is not None and desk.plane.error_mm is not None
    (kept,) = desk.shelf.tables()
    moved = [[x + 60, y + 40] for x, y in kept["plane"]["corners_px"]]
    desk.shelf.keep_table("video-demo", "Kitchen", {**kept["plane"], "corners_px": moved})
    desk.measured(None)
    assert looking.post("/api/table/again", json={}).get_json() == {"next": "/table"}
    assert desk.plane is None, "somebody has to look first"
    monkeypatch.setattr("web.cameras.cameras", list)
    assert looking.get("/api/desk").get_json()["known"] is None, "unplugged"


def test_a_lens_is_measured_by_its_page_and_kept_for_the_camera(looking: FlaskClient, desk: Desk) -> None:
    answer = looking.post("/api/table/lens", json={})
    assert answer.status_code == 400 and "lens page" in answer.get_json()["error"]["en"], "no page lies there"
    table = desk.picture()
    cells = np.kron(np.where(charuco_cells(), 20, 235), np.ones((12, 12))).astype(np.uint8)
    page = np.full((720, 1280), 235, np.uint8)
    top, left = (720 - cells.shape[0]) // 2, (1280 - cells.shape[1]) // 2
    page[top:top + cells.shape[0], left:left + cells.shape[1]] = cells
    desk.feed.keep(np.asarray(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR), np.uint8))
    found = looking.post("/api/table/lens", json={}).get_json()
    assert found["error_px"] < 0.5 and abs(found["k1"]) < 0.01, "held flat before a straight lens"
    assert desk.k1 == found["k1"]
    desk.feed.keep(table)
    desk.shelf.keep_lens("video-demo", 0.02)
    assert desk.k1 == 0.02
    assert looking.post("/api/table/markers", json={}).get_json()["plane"]["k1"] == 0.02
    corners = {"corners_px": CORNERS, "size_mm": [510, 300]}
    assert looking.post("/api/table/corners", json=corners).get_json()["plane"]["k1"] == 0.02


@pytest.mark.parametrize(
    ("wanted", "word"),
    [
        ({"corners_px": CORNERS[:3], "size_mm": [510, 300]}, "four points"),
        ({"corners_px": CORNERS[::-1], "size_mm": [510, 300]}, "anticlockwise"),
        ({"corners_px": CORNERS, "size_mm": [5, 300]}, "width and height"),
        ({"corners_px": CORNERS}, "width and height"),
        ({"corners_px": "here", "size_mm": [510, 300]}, "four points"),
    ],
)
def test_wrong_corners_are_refused_with_what_to_do(looking: FlaskClient, wanted: dict[str, Any], word: str) -> None:
    answer = looking.post("/api/table/corners", json=wanted)
    assert answer.status_code == 400 and word in answer.get_json()["error"]["en"]


def test_corners_measure_too_and_points_go_both_ways(looking: FlaskClient) -> None:
    state = looking.post("/api/table/corners", json={"corners_px": CORNERS, "size_mm": [510, 300]}).get_json()
    assert state["plane"]["error_mm"] < 1, "the markers that lie there tell how exact the corners are"
    there = looking.post("/api/table/points", json={"px": [CORNERS[0], CORNERS[2]]}).get_json()["points"]
    assert there == [[0.0, 0.0], [510.0, 300.0]]
    back = looking.post("/api/table/points", json={"mm": [[510, 300]]}).get_json()["points"]
    assert back == [[1098.6, 578.0]]
    assert looking.post("/api/table/points", json={"px": "no"}).get_json()["points"] is None


def test_the_setup_page_knows_all_games_and_their_house_rules(looking: FlaskClient) -> None:
    found = looking.get("/api/setup").get_json()
    games = {game["name"]: game for game in found["games"]}
    assert games.keys() == {"verflixxt", "verflixxt-nochmal", "spuk", "dice-flick", "qwixx-express"}
    assert games["verflixxt"]["watched"]
    for game in games.values():
        assert all(option["de"] and option["en"] for option in game["options"])
    assert [player["name"] for player in found["last"]["players"]] == ["Anna", "Ben", "Cem"]


def test_a_wrong_setup_is_refused_in_words(looking: FlaskClient) -> None:
    setup = json.loads(DEMO_SETUP.read_text("utf-8"))
    for change, word in (
        ({"players": setup["players"][:1]}, "players"), ({"options": {"no_such": 1}}, "no_such"),
        ({"game": "chess"}, "chess"), ({"players": [{"name": "A", "colour": "red"}] * 2}, "called"),
    ):
        answer = looking.post("/api/setup/check", json={"setup": {**setup, **change}})
        assert answer.status_code == 400 and word in answer.get_json()["error"]["en"], change
    assert looking.post("/api/setup/check", json={"setup": setup}).status_code == 200
    assert looking.post("/api/setup/check", json={}).status_code == 400


def test_a_shuffled_heap_of_tiles_is_put_in_order() -> None:
    def tile(x: float, y: float, end: str = "") -> TileSeen:
        from models.classes import TILE_CLASSES

        probs = tuple(float(name == (end or "+1")) for name in TILE_CLASSES)
        return TileSeen((x, y), (0, 0, 0, 0), probs, 1.0, bool(end))

    row = [tile(60.0 * k, 0) for k in range(1, 8)] + [tile(60.0 * k, 50) for k in range(7, 0, -1)]
    heap = [*row[::3], *row[1::3], *row[2::3], tile(0, 0, "start"), tile(0, 50, "finish")]
    assert [t.pos_mm for t in in_order(heap)] == [t.pos_mm for t in row]


def test_a_shuffled_route_is_read_from_the_table(looking: FlaskClient) -> None:
    looking.post("/api/table/markers", json={})
    setup = json.loads(DEMO_SETUP.read_text("utf-8"))
    wanted = {"game": "verflixxt", "variant": "random", "players": setup["players"]}
    found = looking.post("/api/setup/route", json={"setup": wanted}).get_json()
    assert len(found["route"]) == len(found["at"]) == len(found["sure"]) == 32
    assert sorted(found["route"]) == sorted(setup["route"]), "each value as often as the game has it"
    assert all(0 < sure <= 1 for sure in found["sure"])
    across = [x for x, _ in found["at"]]
    assert across[:8] == sorted(across[:8]), "in the order of the route: the first row runs from left to right"
    assert across[8:16] == sorted(across[8:16], reverse=True), "and the second one back"


def test_the_start_position_is_compared_place_by_place(looking: FlaskClient) -> None:
    looking.post("/api/table/markers", json={})
    setup = json.loads(DEMO_SETUP.read_text("utf-8"))
    right = looking.post("/api/setup/position", json={"setup": setup}).get_json()
    assert len(right["places"]) == 34 and right["text"]["de"]
    assert {colour["name"] for colour in right["colours"]} == {"red", "yellow", "blue"}
    start, eleventh = right["places"][0], right["places"][11]
    assert len(start["pieces_seen"]) >= 7 and eleventh["pieces_seen"] == ["guard"] and not eleventh["wrong"]
    fewer = {**setup, "guards_start": [number for number in setup["guards_start"] if number != 11]}
    wrong = looking.post("/api/setup/position", json={"setup": fewer}).get_json()
    assert not wrong["found"]
    place = wrong["places"][11]
    assert place["wrong"] and place["pieces"] == [] and place["pieces_seen"] == ["guard"]


def test_a_game_starts_without_restarting_the_program_and_stops(looking: FlaskClient, desk: Desk) -> None:
    closing = threading.Event()
    thread = threading.Thread(target=desk.run, args=(closing,), daemon=True)
    thread.start()
    setup = json.loads(DEMO_SETUP.read_text("utf-8"))
    looking.post("/api/table/markers", json={})
    assert looking.post("/api/game/start", json={"setup": setup}).status_code == 200
    assert desk.setup is not None and desk.setup["calibration"]["error_mm"] < 1
    assert looking.get("/api/desk").get_json()["playing"] == {"game": "verflixxt"}
    wait_until(lambda: desk.hub.picture()[0] > 0)
    first = desk.setup
    looking.post("/api/table/corners", json={"corners_px": CORNERS, "size_mm": [500, 300]})
    assert looking.post("/api/game/table", json={}).status_code == 200, "measured again in the middle of a game"
    wait_until(lambda: desk.setup is not None and desk.setup["calibration"]["size_mm"] == [500.0, 300.0])
    assert desk.setup is not None and {**desk.setup, "calibration": 0} == {**first, "calibration": 0}
    assert looking.post("/api/game/stop", json={}).status_code == 200
    wait_until(lambda: desk.setup is None)
    assert desk.shelf.last_setup()["game"] == "verflixxt"
    closing.set()
    thread.join(120)
    assert not thread.is_alive()


def test_a_game_nobody_knows_is_refused(looking: FlaskClient) -> None:
    players = [{"name": "A"}, {"name": "B"}]
    answer = looking.post("/api/game/start", json={"setup": {"game": "mikado", "players": players}})
    assert answer.status_code == 400 and "mikado" in answer.get_json()["error"]["en"]
    assert looking.post("/api/resume", json={}).status_code == 400
