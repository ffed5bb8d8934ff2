"""Requests that nobody in good faith would send: never a fault of the server, never a file, never a foreigner."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import vision.sources
from vision.errors import SourceError
from vision.hub import Hub
from vision.live import NewestFrame
from web.app import BODY_LIMIT, Config, create_app
from web.cameras import PHONE
from web.desk import Desk
from web.feed import Feed
from web.shelf import Shelf

CODE = "482913"
HERE, AWAY = "127.0.0.1", "192.168.1.20"

SLOW = ("/propose", "/position", "/route", "/flick/photo", "/flick/camera", "/table/check", "/events", "/stream")
"""What loads networks or streams is tested elsewhere."""

PLACEHOLDER = re.compile(r"<[^>]+>")
"""What stands for a part of an address: `<id_>`, `<any(before, after):when>`."""

words = st.text(max_size=12) | st.sampled_from(
    ["../../etc/passwd", "..\\..\\boot.ini", "%2e%2e%2f", "\x00", "a" * 3000, "video-demo", "0", "-1", "1e999", "📷"]
)
junk = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | words,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(words, inner, max_size=4),
    max_leaves=8,
)
KEYS = (
    "do", "index", "turn", "value", "player", "row", "col", "colour", "points", "numbers", "count", "crossed", "id",
    "here", "setup", "players", "game", "corners_px", "size_mm", "marker_mm", "place", "px", "mm", "holes", "markers",
    "options", "claimed", "roll", "route", "board",
)  # fmt: skip
VALUES = (
    "undo", "choose", "change", "insert", "remove", "dismiss", "action_die", "stop", "dice", "rerolls", "field", "hole",
    "next", "points", "verflixxt", "dice-flick", "spuk", [[0, 0], [90, 0], [90, 90], [0, 90]], [300, 200], 3, "Anna",
    [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}], {"content": "die", "row": 1}, [5, 3],
)  # fmt: skip
bodies = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES) | junk, max_size=5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("requests")


@pytest.fixture(scope="module")
def app(folder: Path) -> Iterator[Flask]:
    """The application with a phone for a camera and a game on its hub; nothing else can be opened."""

    def closed(spec: Any, **named: Any) -> Any:
        raise SourceError("stream_closed", source=str(spec))

    hub = Hub()
    hub.publish({"state": "at_rest", "why": "", "game": "verflixxt", "players": [{"name": "Anna"}], "turns": []})
    hub.show(np.full((90, 160, 3), 120, np.uint8))
    (folder / "data").mkdir()
    desk = Desk(hub, Shelf(folder / "data"), folder / "data" / "games.sqlite")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.sources, "open_source", closed)
        patch.chdir(folder)
        feed = desk.choose(PHONE)
        assert isinstance(feed, Feed) and isinstance(feed.phone, NewestFrame)
        feed.keep(np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8))
        yield create_app(Config(hub, CODE, desk=desk))
        feed.close()


def routes(app: Flask, slow: bool = False) -> list[tuple[str, str]]:
    """Method and address of everything the server answers."""
    found = [
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]
    return sorted(route for route in found if slow or not any(part in route[1] for part in SLOW))


def ask(app: Flask, method: str, address: str, away: bool = False, **named: Any) -> Any:
    host = "192.168.1.5:8123" if away else "localhost:8123"
    environ = {"REMOTE_ADDR": AWAY if away else HERE}
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return app.test_client().open(
        address, method=method, base_url=f"http://{host}/", environ_overrides=environ, **named
    )


def files(folder: Path) -> set[str]:
    return {os.path.relpath(path, folder) for path in folder.rglob("*") if path.is_file()}


def is_in_order(answer: Any) -> None:
    """An answer, a page, or a refusal with a sentence in both languages."""
    assert answer.status_code < 500 or answer.status_code == 503, answer.get_data(as_text=True)
    if answer.status_code >= 400:
        error = answer.get_json()["error"]
        assert error["de"] and error["en"]


calm = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@calm
@given(data=st.data())
def test_any_request_gets_an_answer(app: Flask, folder: Path, data: st.DataObject) -> None:
    method, address = data.draw(st.sampled_from(routes(app)))
    for part in PLACEHOLDER.findall(address):
        address = address.replace(part, data.draw(words).replace("?", ""))
    query = data.draw(st.dictionaries(st.sampled_from(("after", "game", "key", "player", "markers", "lang")), words))
    named: dict[str, Any] = {"query_string": query}
    if method == "POST":
        kind = data.draw(st.integers(0, 3))
        if kind:
            named["json"] = data.draw(bodies | junk if kind == 1 else bodies)
        else:
            named["data"] = data.draw(st.binary(max_size=60))
            named["content_type"] = data.draw(st.sampled_from(["application/json", "image/jpeg", "text/plain", ""]))
    answer = ask(app, method, address, **named)
    is_in_order(answer)
    answer.close()


def test_nothing_was_written_beside_the_data(app: Flask, folder: Path) -> None:
    allowed = {"data/tables.json", "data/setup.json", "data/lenses.json"}
    set_files = re.compile(r"data/sets/(current|[0-9a-f]+/set)\.json")
    assert {file for file in files(folder) if not set_files.fullmatch(file)} <= allowed


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd",
     "/static/css/../../app.py", "/%2e%2e/%2e%2e/etc/passwd", "/print/../app.pdf", "/camera/line/..%2f..%2fx.jpg",
     "/api/cameras/..%2f..%2fetc/preview"],
)  # fmt: skip
def test_no_path_leads_out(app: Flask, path: str) -> None:
    answer = ask(app, "GET", path)
    assert answer.status_code in (308, 404, 405) and b"def " not in answer.data and b"root:" not in answer.data


NAMED = {"<any(choose, new, rename, remove):what>": "new"}
"""A value for what can only be one of a few; anything else is a name."""

OPEN = {"/api/flick/score", "/api/flick/photo", "/api/flick/camera"}
"""What anybody in the home network may ask: it changes nothing."""


def test_nothing_changes_without_the_code_or_from_a_foreign_page(app: Flask) -> None:
    for method, address in routes(app, slow=True):
        if method != "POST":
            continue
        address = PLACEHOLDER.sub(lambda part: NAMED.get(part[0], "video-demo"), address)
        foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        assert ask(app, method, address, json={}, headers=foreign).status_code == 403, address
        if address in OPEN:
            continue
        wanted = 403 if address == "/phone/picture" else 401
        assert ask(app, method, address, away=True, json={}).status_code == wanted, address


def test_wrong_codes_are_counted_and_soon_refused(app: Flask) -> None:
    def try_(code: str) -> int:
        headers = {"X-Schiri-Code": code}
        return int(ask(app, "POST", "/api/command", away=True, json={"do": "undo"}, headers=headers).status_code)

    answers = [try_(f"{number:06d}") for number in range(14)]
    assert answers[:10] == [403] * 10 and answers[10:] == [429] * 4
    assert try_(CODE) == 429, "not even the right one, for a minute"


@pytest.mark.parametrize("address", ["/api/command", "/api/setup/check", "/api/table/corners", "/api/flick/score"])
def test_bodies_that_are_too_large_are_not_read(app: Flask, address: str) -> None:
    answer = ask(app, "POST", address, data=b"[" * (BODY_LIMIT + 1), content_type="application/json")
    assert answer.status_code == 413
    deep = ask(app, "POST", address, data=b"[" * (BODY_LIMIT - 1), content_type="application/json")
    assert deep.status_code == 400, "nested without end"
    is_in_order(deep)


def test_a_foreign_name_for_this_computer_is_refused(app: Flask) -> None:
    for host in ("evil.example", "evil.example:8123", "localhost.evil.example", "[", "a" * 300 + ".de", "%00"):
        answer = app.test_client().get("/api/snapshot", headers={"Host": host})
        assert answer.status_code in (400, 403), host


def test_junk_on_the_shelf_is_no_table(app: Flask, folder: Path) -> None:
    shelf = folder / "data" / "tables.json"
    one = '[{"camera": "phone", "place": %s, "plane": %s}]'
    for text in (one % ("[]", "3"), "{", "[[]]", one % ('"K"', "{}"), one % ('"K"', '{"corners_px": [[0, 0]]}')):
        shelf.write_text(text)
        for address, body in (("/api/table/kept", {"place": "K"}), ("/api/table/keep", {"place": "L"})):
            is_in_order(ask(app, "POST", address, json=body))
        is_in_order(ask(app, "GET", "/api/table"))
    shelf.unlink()
