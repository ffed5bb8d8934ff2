"""A player confirms a wrong tile: later evidence contradicts it, the page says so in both languages, and it goes."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from drawn import PLANE, SHUFFLED, STARTED, table
from flask import Flask
from test_sets_page import SeeingDesk

from models.classes import TILE_CLASSES
from vision.exemplars.knowledge import Knowledge
from vision.hub import Hub
from web.app import Config, create_app
from web.server import make_server, stop
from web.shelf import Shelf

driver = importlib.import_module("docs.browser")
WHERE = {value: pos for value, pos, _ in STARTED}
SAYS = {
    "de": ("Strittige Bilder", "Was Schiri später sah, passt nicht zu diesem Namen", "Strittige Bilder entfernen"),
    "en": ("Disputed pictures", "what Schiri saw later does not fit this name", "Remove the disputed pictures"),
}


@pytest.fixture
def desk(tmp_path: Any) -> SeeingDesk:
    return SeeingDesk(Hub(), Shelf(tmp_path))


@pytest.fixture
def app(desk: SeeingDesk) -> Flask:
    return create_app(Config(desk.hub, "123456", desk=desk))


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    server = make_server(app, "127.0.0.1", 0)
    serving = threading.Thread(target=server.run, daemon=True)
    serving.start()
    yield f"http://127.0.0.1:{server.effective_port}/sets"
    stop(server, app.extensions["schiri"].closing)
    serving.join(5)


def mislabel(app: Flask) -> str:
    """A player says of the tile -2 that it is a -9; the id of that picture."""
    x, y = WHERE["-2"]
    told = {"kind": "tile", "label": "-9", "at": [x / 500, y / 300]}
    (entry,) = app.test_client().post("/api/sets/teach", json=told).get_json()["exemplars"]
    return str(entry["id"])


def play(desk: SeeingDesk) -> None:
    """A game begins with the tiles where the setup has them."""
    known = [(value, pos) for value, pos, _ in STARTED]
    Knowledge(desk.sets.current).learn_tiles(table(STARTED, 0.9, seed=6), PLANE, known, ())


def test_later_evidence_outweighs_a_wrong_confirmation(app: Flask, desk: SeeingDesk) -> None:
    wrong = mislabel(app)
    play(desk)
    assert [one.ident for one in desk.sets.current.all() if one.doubted] == [wrong]
    rows = Knowledge(desk.sets.current).values(
        table(SHUFFLED, seed=4), PLANE, [pos for _, pos, _ in SHUFFLED], (),
        [[1 / len(TILE_CLASSES)] * len(TILE_CLASSES)] * len(SHUFFLED),
    )
    assert [TILE_CLASSES[int(np.argmax(row))] for row in rows] == [value for value, _, _ in SHUFFLED]


@pytest.mark.skipif(driver.find_chromium() is None, reason="no Chromium installed")
def test_the_page_says_so_in_both_languages_and_removes_it(app: Flask, desk: SeeingDesk, address: str) -> None:
    wrong = mislabel(app)
    play(desk)
    with driver.Browser() as browser:
        for lang, words in SAYS.items():
            browser.open(address, lang=lang)
            browser.wait_for("document.querySelector('#disputed button.doubted') !== null")
            for one in words:
                browser.wait_for(f"document.querySelector('#disputed').innerText.includes({one!r})")
        browser.evaluate("document.querySelector('#forget-disputed').click()")
        browser.wait_for("document.querySelector('#disputed') === null && document.querySelector('.exemplar') !== null")
        browser.close_page()
        assert browser.console == []
    assert wrong not in {one.ident for one in desk.sets.current.all()} and len(desk.sets.current.all()) >= 10


@pytest.mark.skipif(driver.find_chromium() is None, reason="no Chromium installed")
@pytest.mark.parametrize(("lang", "words"), [("de", "zuerst mit diesem Spielmaterial"), ("en", "with this set first")])
def test_without_pictures_the_page_says_to_play_first(address: str, lang: str, words: str) -> None:
    with driver.Browser() as browser:
        browser.open(address, lang=lang)
        browser.wait_for(f"document.querySelector('#play-first')?.innerText.includes({words!r})")
        assert browser.evaluate("document.querySelector('#tuning button.strong').disabled") is True
        browser.close_page()
