"""What people do on the pages with a finger, a key, an ear (skipped without Playwright or Chromium)."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from driven import NEEDED, Program, choose_demo, context_of, on_screen, silent_page, wait_until
from fake_game import snapshot, turn

from web.album import line_key
from web.edits import possible_turns

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = NEEDED

SETUP = {"game": "verflixxt", "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}
PLACES = [
    {"place": place, "at": [0.02 + 0.028 * place, 0.5], "tile": "-1", "pieces": []} for place in range(34)
]
"""All places in a row across the picture, from the start to the finish."""

HEARD = """
    window.heard = [];
    window.SpeechSynthesisUtterance = class { constructor(words) { this.words = words; } };
    Object.defineProperty(window, "speechSynthesis", {
        value: { cancel() {}, speak(utterance) { heard.push(utterance.words); } },
    });
    window.AudioContext = class extends AudioContext {
        createOscillator() { heard.push("tone"); return super.createOscillator(); }
    };
"""


def wrong_turn() -> dict[str, Any]:
    line = turn(3, "Anna", legal=False)
    line["moves"], line["taken"] = [{"piece": "pawn:red", "from": 3, "to": 7}], ["-3"]
    line["t_s"] = 47.0  # to a browser the same as 47
    return line


def test_the_allowed_moves_of_this_roll_are_drawn_on_request(page: Any, program: Program) -> None:
    program.desk._now.setup = dict(SETUP)
    program.hub.show(np.full((360, 640, 3), 99, np.uint8))
    program.hub.publish(snapshot(turns=[], roll=4, places=PLACES))
    page.goto(f"{program.address}/game")
    page.click("#hint")
    legal = [line for line in possible_turns(SETUP, [], 4)["candidates"] if line["legal"]]
    assert legal
    expect(page.locator("#hints .arrow-tip")).to_have_count(len(legal))
    program.hub.publish(snapshot(turns=[], roll=None, places=PLACES))
    expect(page.locator("#hints")).to_be_hidden()
    page.keyboard.press("h")
    expect(page.locator("#hint")).to_have_attribute("aria-pressed", "false")


def test_sound_and_speech_are_switched_apart_and_remembered(page: Any, program: Program) -> None:
    page.add_init_script(HEARD)
    program.hub.publish(snapshot())
    page.goto(f"{program.address}/game")
    page.wait_for_selector(".turn", state="attached")
    program.hub.publish(snapshot(turns=[turn(1, "Anna"), turn(2, "Ben"), turn(3, "Anna")]))
    page.wait_for_selector(".turn:nth-child(3)", state="attached")
    assert page.evaluate("heard") == [], "silent until somebody wants to hear something"
    page.click("#speech")
    expect(page.locator("#speech")).to_have_attribute("aria-pressed", "true")
    page.reload()
    page.wait_for_selector(".turn:nth-child(3)", state="attached")
    expect(page.locator("#speech")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    program.hub.publish(snapshot(turns=[turn(1, "Anna"), turn(2, "Ben"), turn(3, "Anna"), turn(4, "Ben", legal=False)]))
    wait_until(lambda: any("Rolled 3, moved 4." in words for words in page.evaluate("heard")))
    assert "tone" not in page.evaluate("heard")
    page.click("#banner .other >> nth=0")
    page.keyboard.press("s")
    page.keyboard.press("m")
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    wait_until(lambda: "tone" in page.evaluate("heard"))


def test_an_illegal_move_shows_before_and_after_and_what_to_do(page: Any, program: Program) -> None:
    line = wrong_turn()
    data = cv2.imencode(".jpg", np.full((360, 640, 3), 120, np.uint8))[1].tobytes()
    program.desk.pictures.put(line_key(line), data, data)
    program.desk._now.setup = dict(SETUP)
    program.hub.publish(snapshot(turns=[turn(1, "Anna"), turn(2, "Ben"), line], places=PLACES))
    page.goto(f"{program.address}/game")
    expect(page.locator("#banner figure:nth-child(1) .ring")).to_have_count(1)
    expect(page.locator("#banner figure:nth-child(2) .arrow-tip")).to_have_count(1)
    page.click("#banner button:has-text('Play on')")
    expect(page.locator("#banner")).to_be_hidden()
    page.reload()
    page.click("#banner button:has-text('That is not what happened')")
    expect(page.locator("#edit-dialog")).to_be_visible()
    expect(page.locator("#banner")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#edit-dialog")).to_be_hidden()


def test_a_corner_follows_a_finger(chromium: Any, program: Program) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
    with context_of(chromium, locale="en-GB", **phone) as context, silent_page(context) as page:
        choose_demo(page, program.address)
        page.goto(f"{program.address}/table")
        page.click("#way-corners")
        page.wait_for_selector(".handle[visibility=visible]", state="attached")
        expect(page.locator("#propose")).to_be_enabled()
        page.locator("#drawn").scroll_into_view_if_needed()
        corner = page.locator(".handle .dot").first.bounding_box()
        finger = context.new_cdp_session(page)
        x, y = corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2
        touch(finger, "touchStart", x, y)
        for step in range(1, 5):
            touch(finger, "touchMove", x + 8 * step, y + 6 * step)
        expect(page.locator("#loupe")).to_be_visible()
        touch(finger, "touchEnd")
        expect(page.locator("#loupe")).to_be_hidden()
        wanted = on_screen(page, *corners(page)[0])
        assert wanted == pytest.approx((x + 32, y + 24), abs=3.0)


def touch(session: Any, kind: str, *at: float) -> None:
    points = [{"x": at[0], "y": at[1]}] if at else []
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def corners(page: Any) -> list[list[float]]:
    """Where the corners are, in px of the camera's picture."""
    script = "[...document.querySelectorAll('.handle')].map(e => e.transform.baseVal[0].matrix).map(m => [m.e, m.f])"
    found: list[list[float]] = page.evaluate(script)
    return found


def test_a_known_camera_needs_no_measuring(page: Any, program: Program) -> None:
    choose_demo(page, program.address)
    page.goto(f"{program.address}/table")
    page.wait_for_selector("#next:not([disabled])")
    page.fill("#place", "Kitchen")
    page.click("#next")
    page.wait_for_url("**/setup")
    kept = program.desk.plane
    program.desk.measured(None)
    page.goto(f"{program.address}/table")
    page.wait_for_selector("#next:not([disabled])")
    expect(page.locator("#place")).to_have_value("Kitchen")
    expect(page.locator("#result")).to_contain_text("Measured very well")
    assert kept is not None and program.desk.plane is not None
    assert program.desk.plane.date == kept.date, "the plane of the other evening"
