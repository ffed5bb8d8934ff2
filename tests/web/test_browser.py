"""The page in a real browser (skipped without Chromium)."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_game import snapshot, turn

from vision.hub import Hub
from web.app import Limits

DRIVER = Path(__file__).parents[2] / "docs" / "browser.py"


def load_driver() -> Any:
    spec = importlib.util.spec_from_file_location("docs_browser", DRIVER)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


driver = load_driver()
pytestmark = pytest.mark.skipif(driver.find_chromium() is None, reason="no Chromium installed")

TURNS = [turn(1, "Anna"), turn(2, "Ben"), turn(3, "Anna", legal=False)]


@pytest.fixture
def limits() -> Limits:
    return Limits()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with driver.Browser() as browser:
        yield browser


@pytest.fixture
def browser(chromium: Any, address: Any) -> Iterator[Any]:
    yield chromium  # after the server in setting up, so before it in closing
    chromium.close_page()
    assert chromium.console == [], "nothing was blocked by the policy, nothing was thrown"


def url(address: tuple[str, int]) -> str:
    return f"http://{address[0]}:{address[1]}/game"


def wait_for_text(browser: Any, selector: str, *words: str) -> None:
    for word in words:
        browser.wait_for(f"document.querySelector({selector!r}).innerText.includes({word!r})")


@pytest.mark.parametrize(("lang", "title", "verdict"), [("de", "Züge", "Erlaubt"), ("en", "Turns", "Legal")])
def test_shows_the_game(browser: Any, address: Any, hub: Hub, lang: str, title: str, verdict: str) -> None:
    hub.show(np.full((90, 160, 3), 99, np.uint8))
    browser.open(url(address), lang=lang)
    browser.wait_for("document.querySelectorAll('.turn').length == 2")
    browser.wait_for("document.getElementById('frame').naturalWidth == 160")
    wait_for_text(browser, "#turns h2", title)
    wait_for_text(browser, "#turn-list", verdict)
    wait_for_text(browser, "#to-move", "Anna")
    wait_for_text(browser, "#scores", "−3", "+8")
    assert not browser.evaluate("document.getElementById('banner').open")


def test_an_illegal_move_is_unmistakable_and_stays(browser: Any, address: Any, hub: Hub) -> None:
    browser.open(url(address))
    browser.wait_for("document.querySelectorAll('.turn').length == 2")
    hub.publish(snapshot(turns=TURNS))
    browser.wait_for("document.getElementById('banner').open")
    wait_for_text(browser, "#banner", "Anna broke a rule", "Rolled 3, moved 4.")
    browser.evaluate("document.querySelector('#banner .other').click()")
    browser.wait_for("!document.getElementById('banner').open")
    wait_for_text(browser, ".turn:first-child", "Illegal", "Rolled 3, moved 4.")
    hub.publish(snapshot(turns=TURNS[:2]))
    browser.wait_for("document.querySelectorAll('.turn').length == 2")
    hub.publish(snapshot(turns=[*TURNS[:2], {**TURNS[2], "t_s": 30.0}]))
    browser.wait_for("document.getElementById('banner').open")


def test_questions_and_undo_reach_the_referee(browser: Any, address: Any, hub: Hub) -> None:
    question = {"why": {"de": "?", "en": "Two moves fit."}, "alternatives": TURNS[1:]}
    hub.publish(snapshot(needs_you=question, state="needs_you"))
    browser.open(url(address))
    browser.wait_for("document.querySelectorAll('.choice').length == 2 && !document.querySelector('.choice').disabled")
    browser.evaluate("document.querySelectorAll('.choice')[1].click()")
    assert hub.commands.get(timeout=60) == {"do": "choose", "index": 1}
    # In one go: the question whether this is meant goes away after a few seconds.
    clicks = "(undo => { undo.click(); const asked = undo.innerText; undo.click(); return asked; })"
    assert "Really" in browser.evaluate(f"{clicks}(document.getElementById('undo'))")
    assert hub.commands.get(timeout=60) == {"do": "undo"}
    assert hub.commands.empty(), "the first click only asked"


def test_the_language_is_switched_and_remembered(browser: Any, address: Any) -> None:
    browser.open(url(address), lang="de")
    browser.wait_for("document.querySelectorAll('.turn').length == 2")
    browser.evaluate("document.getElementById('language').click()")
    wait_for_text(browser, "#turns h2", "Turns")
    wait_for_text(browser, "#turn-list", "Legal")
    browser.evaluate("window.before = true; location.reload()")
    browser.wait_for("!window.before && document.querySelectorAll('.turn').length == 2")
    wait_for_text(browser, "#turns h2", "Turns")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (768, 1024), (1280, 800), (1920, 1080)])
def test_nothing_sticks_out(browser: Any, address: Any, hub: Hub, size: tuple[int, int], theme: str) -> None:
    long = {"name": "Großmutter Hildegard-Friederike", "colour": "green"}
    players = [long, *({"name": f"P{n}", "colour": "blue"} for n in range(5))]
    parts = [{"what": f"-{n}", "points": -n} for n in range(1, 11)]
    scores = [{"player": player["name"], "total": -55, "parts": parts} for player in players]
    hub.publish(snapshot(players=players, scores=scores, to_move=long["name"], turns=TURNS))
    browser.open(url(address), size=size, lang="de", theme=theme)
    browser.wait_for("document.querySelectorAll('.turn').length == 3")
    assert browser.evaluate("document.documentElement.dataset.theme") == theme
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
