"""A sheet taught by taps, in the library and on the page."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_sheet import CORNERS, SPOTS, paper, table
from flask.testing import FlaskClient

from calibration.sheets.layout import SheetLayout
from vision.hub import Hub
from vision.qwixx import sheet
from vision.qwixx.errors import SheetError
from vision.qwixx.paper import find_by_paper
from vision.qwixx.place import SheetPlace
from vision.qwixx.taught import CLICKS, SCALE, flattened, layout_of_clicks
from web.app import Config, create_app
from web.desk import Desk
from web.shelf import Shelf


def taught() -> SheetLayout:
    flat = flattened(table(), np.array(CORNERS))
    stretch = np.array(flat.image.shape[1::-1]) / (1000, 620)
    return layout_of_clicks(flat, {what: tuple(np.array(at) * stretch) for what, at in zip(CLICKS, SPOTS, strict=True)},
                            (3, 3, 3, 3))


def test_a_taught_sheet_has_every_field_where_it_is_printed() -> None:
    layout = taught()
    assert len(layout.fields) == 4 * 12 + 16
    assert [one.minus for one in layout.row("misthrow")] == [False, False, False, True] * 4
    assert len(layout.bands) == 4
    red_12, blue_2 = layout.row("red")[10], layout.row("blue")[10]
    assert (red_12.value, blue_2.value) == (12, 2)
    assert np.array(red_12.rect_mm) * SCALE == pytest.approx([60 + 10 * 62, 50, 50, 66], abs=6)
    last = layout.row("misthrow")[-1]
    assert np.array(last.rect_mm[:2]) * SCALE == pytest.approx([60 + 12 * 42 + 3 * 58, 500], abs=6)
    assert SheetLayout.from_json(layout.to_json()).fields[3].value == layout.fields[3].value


def test_a_taught_sheet_is_found_by_its_paper_however_it_lies() -> None:
    layout = taught()
    image = np.full((720, 1280, 3), (60, 80, 100), np.uint8)
    corners = np.array([(250, 120), (1050, 60), (1120, 560), (200, 600)], np.float32)
    for turns in (0, 2):
        there = np.roll(corners, turns, 0)
        matrix = cv2.getPerspectiveTransform(np.array([(0, 0), (1000, 0), (1000, 620), (0, 620)], np.float32), there)
        seen = cv2.warpPerspective(paper(), matrix, (1280, 720), image.copy(), borderMode=cv2.BORDER_TRANSPARENT)
        place = find_by_paper(np.asarray(seen, np.uint8), layout)
        assert place is not None
        assert np.abs(place.corners_px() - there).max() < 12


def test_a_table_without_paper_shows_no_sheet() -> None:
    assert find_by_paper(np.full((360, 640, 3), 90, np.uint8), taught()) is None


@pytest.mark.parametrize("corners", [CORNERS[::-1], [[0, 0], [9, 0], [9, 9], [0, 9]], [CORNERS[0]] * 4])
def test_impossible_corners_are_refused(corners: list[list[float]]) -> None:
    with pytest.raises(SheetError, match="corners"):
        flattened(table(), np.array(corners))


def test_taps_in_the_wrong_order_are_refused() -> None:
    flat = flattened(table(), np.array(CORNERS))
    with pytest.raises(SheetError, match="four rows"):
        layout_of_clicks(flat, dict(zip(CLICKS, SPOTS[::-1], strict=True)), (3, 3, 3, 3))


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    hub = Hub()
    return create_app(Config(hub, "123456", desk=Desk(hub, Shelf(tmp_path)))).test_client()


def photo() -> bytes:
    return bytes(cv2.imencode(".jpg", table())[1])


def asked(spots: object, **more: str) -> dict[str, str]:
    return {"corners": json.dumps(CORNERS), "clicks": json.dumps(spots), "segments": "3 3 3 3", **more}


def test_the_page_teaches_keeps_and_forgets(client: FlaskClient) -> None:
    flat = client.post("/api/qwixx/sheet/flat", query_string=asked([]), data=photo())
    image = cv2.imdecode(np.frombuffer(flat.data, np.uint8), cv2.IMREAD_COLOR)
    stretch = np.array(image.shape[1::-1]) / (1000, 620)
    spots = [list(map(float, np.array(at) * stretch)) for at in SPOTS]
    shown = client.post("/api/qwixx/sheet", query_string=asked(spots), data=photo()).get_json()
    assert shown["fields"] == 64
    assert base64.b64decode(shown["picture"])[:2] == b"\xff\xd8"
    assert client.get("/api/qwixx/sheet").get_json() == {"known": False}
    assert client.get("/api/qwixx/sheet/file").status_code == 404
    assert client.post("/api/qwixx/sheet", query_string=asked(spots, keep="1"), data=photo()).status_code == 200
    assert client.get("/api/qwixx/sheet").get_json() == {"known": True}
    assert SheetLayout.from_json(json.loads(client.get("/api/qwixx/sheet/file").data)).fields
    assert client.delete("/api/qwixx/sheet").status_code == 204
    assert client.get("/api/qwixx/sheet").get_json() == {"known": False}


@pytest.mark.parametrize(
    "more",
    [{"corners": "x"}, {"corners": "[[1, 2]]"}, {"clicks": "[]"}, {"segments": "3 x"}, {"segments": "99"}],
)
def test_what_makes_no_sense_gets_a_sentence(client: FlaskClient, more: dict[str, str]) -> None:
    answer = client.post("/api/qwixx/sheet", query_string=asked([list(at) for at in SPOTS], **more), data=photo())
    assert answer.status_code == 400
    assert set(answer.get_json()["error"]) == {"de", "en"}


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_page_speaks_both_languages(client: FlaskClient, lang: str) -> None:
    page = client.get("/qwixx/sheet", headers={"Accept-Language": lang}).get_data(as_text=True)
    assert ("Spielblatt anlernen" if lang == "de" else "Teach a score sheet") in page


class AllFree:
    """Reads every field as free, and is sure of it; says that they lie ``off`` sides of a crop away, each elsewhere."""

    def __init__(self, off: float) -> None:
        self.off = off

    def read(self, crops_bgr: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        likely = np.tile([[0.999, 0.0005, 0.0005, 0.0]], (len(crops_bgr), 1))
        signs = np.random.default_rng(1).choice([-1.0, 1.0], (len(crops_bgr), 2))
        return likely, self.off * signs


@pytest.mark.parametrize(("off", "readable"), [(0.02, True), (0.25, False)])
def test_fields_that_lie_elsewhere_are_not_read(monkeypatch: pytest.MonkeyPatch, off: float, readable: bool) -> None:
    layout = taught()
    place = SheetPlace(np.diag([5.0, 5.0, 1.0]), layout.size_mm)
    monkeypatch.setattr(sheet, "find_sheets", lambda *_: [sheet.Found(layout, place)])
    if readable:
        assert not sheet.read_sheet(table(), AllFree(off), layout).doubtful
    else:
        with pytest.raises(SheetError, match="unclear"):
            sheet.read_sheet(table(), AllFree(off), layout)
