"""A computer without sound, a camera or disk in trouble: the pages go on, and say what is the matter."""

from __future__ import annotations

from typing import Any

import pytest
from fake_game import snapshot, turn
from test_browser import TURNS, browser, chromium, driver, limits, url, wait_for_text

from vision.hub import Hub

__all__ = ["browser", "chromium", "limits"]
pytestmark = pytest.mark.skipif(driver.find_chromium() is None, reason="no Chromium installed")

NO_AUDIO = """
    window.AudioContext = function () { throw new DOMException("no output device", "NotSupportedError"); };
    window.SpeechSynthesisUtterance = function () { throw new Error("no voices"); };
"""
ONLY_LATER = "window.AudioContext.prototype.resume = () => Promise.reject(new Error('not allowed'));"

FULL = {"de": "Kein Platz mehr auf der Festplatte.", "en": "The disk is full."}
AWAY = {"de": "Die Kamera liefert keine Bilder.", "en": "The camera gives no pictures."}


@pytest.mark.parametrize(("missing", "kinds"), [(NO_AUDIO, ("sound", "speech")), (ONLY_LATER, ("sound",))])
def test_without_sound_everything_is_still_shown(
    browser: Any, address: Any, hub: Hub, missing: str, kinds: tuple[str, ...]
) -> None:
    browser.open(url(address), lang="en")
    browser.wait_for("document.querySelectorAll('.turn').length == 2")
    browser.evaluate(missing)
    for kind in kinds:
        browser.wait_for(f"document.querySelector('#{kind}:not([hidden])') !== null")
        browser.evaluate(f"document.getElementById('{kind}').click()")
        browser.wait_for(f"document.getElementById('{kind}').hasAttribute('data-silent')")
        label = f"document.getElementById('{kind}').getAttribute('aria-label')"
        browser.wait_for(f"{label}.includes('Nothing can be heard')")
    hub.publish(snapshot(turns=[*TURNS]))
    browser.wait_for("document.querySelectorAll('.turn').length == 3")
    wait_for_text(browser, "#announce", "Rolled 3, moved 4.")
    browser.evaluate(f"document.getElementById('{kinds[0]}').click()")
    browser.wait_for(f"!document.getElementById('{kinds[0]}').hasAttribute('data-silent')")


@pytest.mark.parametrize(("page", "at"), [("/game", "#state"), ("/board", "#call")])
@pytest.mark.parametrize(
    ("lang", "words"), [("de", ["Kein Platz", "keine Bilder"]), ("en", ["disk is full", "no pictures"])]
)
def test_what_is_wrong_stands_on_the_page(
    browser: Any, address: Any, hub: Hub, page: str, at: str, lang: str, words: list[str]
) -> None:
    browser.open(url(address).replace("/game", page), lang=lang)
    hub.publish(snapshot(warning=FULL))
    wait_for_text(browser, at, words[0])
    hub.publish(snapshot(warning=FULL, state="lost", why=AWAY, turns=[turn(1, "Anna", legal=False)]))
    wait_for_text(browser, at, *words)
    hub.publish(snapshot())
    browser.wait_for(f"!document.querySelector({at!r}).innerText.includes({words[0]!r})")
