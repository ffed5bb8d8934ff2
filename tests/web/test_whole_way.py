"""The whole way in a real browser, from the start page to a refereed game (skipped without Playwright or Chromium)."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from driven import (
    NEEDED,
    PATIENCE_MS,
    Program,
    choose_demo,
    context_of,
    launched,
    on_screen,
    wait_for_picture,
    wait_until,
)
from fake_game import snapshot, turn

from web.cameras import DEMO_VIDEO

expect = pytest.importorskip("playwright.sync_api").expect
CORNERS = [(245.7, 130.4), (1024.4, 123.7), (1098.6, 578.0), (184.4, 589.7)]
"""Corners of the play area in the bundled recording, in px."""

pytestmark = NEEDED


def test_from_a_fresh_start_to_a_refereed_game(page: Any, program: Program) -> None:
    page.goto(program.address)
    page.click("#new-game")
    page.wait_for_url("**/camera")
    page.click("[data-camera=video-demo]")
    page.wait_for_selector("#next:not([hidden])")
    page.click("#next")

    page.wait_for_url("**/table")
    page.wait_for_selector("#next:not([disabled])")  # the markers were found without a hand being raised
    expect(page.locator("#result")).to_contain_text("Measured very well")
    expect(page.locator(".grid-line").nth(10)).to_be_attached()
    page.fill("#place", "Kitchen")
    page.click("#next")

    page.wait_for_url("**/setup")
    page.wait_for_selector("#players li:nth-child(3)")
    expect(page.locator("#position .note.is-good")).to_be_visible()
    expect(page.locator("#position .swatches li")).to_have_count(3)
    page.locator(".chip:has-text('Anna')").drag_to(page.locator(".seat-left"))
    expect(page.locator(".seat-left .chip")).to_have_text("Anna")
    page.fill("#players li:first-child input", "Annabel")
    page.click("#start")

    page.wait_for_url("**/game")
    page.wait_for_selector(".turn .turn-tools", state="attached")
    first = program.hub.snapshot()["turns"][0]
    assert first["player"] == "Annabel" and first["legal"]
    assert program.desk.setup is not None and program.desk.setup["players"][0]["seat"] == "left"
    assert [entry["place"] for entry in program.desk.shelf.tables("video-demo")] == ["Kitchen"]

    correct_the_first_turn(page)
    wait_until(lambda: program.hub.snapshot()["turns"][0].get("roll") == 6)

    page.evaluate("document.getElementById('language').click()")  # by hand, a message about a later turn would cover it
    expect(page.locator("#turns-title")).to_have_text("Züge")
    page.goto(f"{program.address}/")
    page.wait_for_selector("#go-on:not([hidden])")
    expect(page.locator("#go-on")).to_contain_text("Zum laufenden Spiel")  # every page remembers the language


def correct_the_first_turn(page: Any) -> None:
    """Somebody says that it was another turn: the one that the rules offer first for a 6."""
    page.evaluate("document.querySelector('dialog.banner[open] .other')?.click()")
    page.evaluate("document.querySelector('.turn:last-child .turn-tools button').click()")
    page.wait_for_selector("#edit-dialog[open]")
    page.wait_for_selector("#edit-rolls button:nth-child(6)")
    page.evaluate("document.querySelector('#edit-rolls button:nth-child(6)').click()")
    page.wait_for_selector("#edit-list .choice:not(.is-illegal)")
    page.evaluate("document.querySelector('#edit-list .choice').click()")


def test_a_table_is_measured_by_dragging_corners(page: Any, program: Program) -> None:
    choose_demo(page, program.address)
    page.goto(f"{program.address}/table")
    page.click("#way-corners")
    page.wait_for_selector(".handle[visibility=visible]", state="attached")
    with page.expect_response("**/api/table/propose"):
        page.click("#propose")
    expect(page.locator("#propose")).to_be_enabled()  # the handles have followed the answer
    for k, (x, y) in enumerate(CORNERS):
        handle = page.locator(".handle").nth(k)
        box = handle.locator(".dot").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        expect(handle).to_be_focused()
        page.mouse.move(*on_screen(page, x + 3, y), steps=4)
        expect(page.locator("#loupe")).to_be_visible()
        page.mouse.up()
        expect(page.locator("#loupe")).to_be_hidden()
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
    page.fill("#width", "510")
    page.fill("#height", "300")
    page.click("#take")
    page.wait_for_selector("#result .rating-good, #result .rating-fair")
    plane = program.desk.plane
    assert plane is not None and plane.error_mm is not None and plane.error_mm < 2.0
    assert abs(plane.corners_px - CORNERS).max() < 2.5


def test_the_fields_of_a_board_are_clicked(page: Any, program: Program) -> None:
    choose_demo(page, program.address)
    page.goto(f"{program.address}/table")
    page.wait_for_selector("#next:not([disabled])")
    page.goto(f"{program.address}/setup")
    page.click(".game-card:has-text('Spuk')")
    expect(page.locator("#problem")).to_contain_text("board is still missing")
    view = page.locator("#board-drawn")
    wait_for_picture(page, "board-live")
    for n, (x, y) in enumerate([(300, 200), (360, 200), (420, 205)], 1):
        if n == 3:
            page.click("#kinds button:has-text('numbered')")
            expect(page.locator("#kinds button:has-text('numbered')")).to_have_attribute("aria-pressed", "true")
        view.click(position={"x": x, "y": y})
        page.wait_for_selector(f"#board-state:has-text('{n} fields')")
    expect(page.locator(".field-mark")).to_have_count(3)
    with page.expect_download() as saved:
        page.click("#board-save")
    fields = json.loads(Path(saved.value.path()).read_text("utf-8"))["board"]["fields"]
    assert [field["kind"] for field in fields] == ["start", "round", "numbered"] and fields[2]["number"] == 1
    assert fields[0]["centre_mm"][0] < fields[1]["centre_mm"][0] < fields[2]["centre_mm"][0]
    page.click("#board-undo")
    page.wait_for_selector("#board-state:has-text('2 fields')")
    page.set_input_files("#board-file", saved.value.path())
    page.wait_for_selector("#board-state:has-text('3 fields')")


def test_a_question_is_answered_by_keyboard_and_an_illegal_move_fills_the_page(page: Any, program: Program) -> None:
    question: dict[str, Any] = {"why": {"de": "?", "en": "Two moves fit."}, "t_s": 9.0}
    question["alternatives"] = [turn(3, "Anna"), turn(3, "Ben")]
    program.hub.publish(snapshot(needs_you=question, state="needs_you"))
    page.goto(f"{program.address}/game")
    page.wait_for_selector("#ask .choice:not([disabled])")
    page.keyboard.press("2")
    assert program.hub.commands.get(timeout=120) == {"do": "choose", "index": 1, "t_s": 9.0}
    wrong = turn(3, "Anna", legal=False)
    wrong["moves"], wrong["taken"] = [{"piece": "pawn:red", "from": "start", "to": 4}], ["-3"]
    program.hub.publish(snapshot(turns=[turn(1, "Anna"), turn(2, "Ben"), wrong]))
    page.wait_for_selector("#banner[open]")
    wait_until(lambda: page.locator("#banner").bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 900})
    page.click("#banner .strong")
    for words in ("the red pawn", "on the start"):
        expect(page.locator("#banner")).to_contain_text(words)
    page.keyboard.press("Escape")
    page.wait_for_selector("#banner", state="hidden")


def test_two_watch_while_a_third_is_stalled(chromium: Any, page: Any, program: Program) -> None:
    host, port = program.address.removeprefix("http://").split(":")
    with (
        context_of(chromium, locale="de-DE") as other,
        socket.create_connection((host, int(port)), timeout=60) as stalled,
    ):
        second = other.new_page()
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.sendall(f"GET /api/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert stalled.recv(12) == b"HTTP/1.1 200", "it is served, and reads no further"
        for viewer, path in ((page, "/board"), (second, "/game")):
            viewer.goto(f"{program.address}{path}")
        for n in range(1, 11):
            scores = [{"player": "Anna", "total": 100 + n, "parts": []}]
            program.hub.publish(snapshot(turn=n, scores=scores, ballast="x" * 400_000))
            expect(page.locator(".board-score .total")).to_contain_text(str(100 + n))
            expect(second.locator("#to-move")).to_contain_text(f"Zug {n}")


def test_a_phone_is_the_camera(playwright: Any, program: Program, tmp_path: Path) -> None:
    """Chromium's fake camera shows a recording; its pictures arrive at the desk."""
    film = tmp_path / "camera.mjpeg"
    film.write_bytes(b"".join(demo_pictures(4)))
    camera = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    browser = launched(playwright, *camera, f"--use-file-for-fake-video-capture={film}")
    try:
        phone_sends_pictures(browser, program)
    finally:
        browser.close()


def phone_sends_pictures(browser: Any, program: Program) -> None:
    desk_page, phone = browser.new_page(), browser.new_context(viewport={"width": 740, "height": 360}).new_page()
    for page in (desk_page, phone):
        page.set_default_timeout(PATIENCE_MS)
    desk_page.goto(f"{program.address}/camera?here")
    desk_page.click("[data-camera=phone]")
    desk_page.wait_for_selector("#phone-dialog[open]")
    phone.goto(desk_page.inner_text("#phone-address"))
    phone.wait_for_selector("#theme[title]")
    phone.evaluate("document.getElementById('start').click()")  # it starts by itself where it may
    phone.wait_for_selector("#state.is-good")
    wait_until(lambda: program.desk.feed.picture()[1] is not None)
    height, width = program.desk.picture().shape[:2]
    assert width / height == pytest.approx(16 / 9, abs=0.02)
    desk_page.wait_for_selector("#phone-state.arrived")


def demo_pictures(count: int) -> Iterator[bytes]:
    capture = cv2.VideoCapture(str(DEMO_VIDEO))
    for _ in range(count):
        yield bytes(cv2.imencode(".jpg", capture.read()[1])[1].tobytes())
    capture.release()
