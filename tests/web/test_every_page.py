"""Every page in a real browser: nothing sticks out, axe-core finds no serious fault (skipped where these are not)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from driven import NEEDED, Program, choose_demo, context_of
from fake_game import snapshot, turn

AXE = Path(os.environ.get("SCHIRI_AXE") or Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js")

pytestmark = NEEDED

PAGES = {
    "/": "#watch-card:not([hidden])", "/camera": "[data-camera=video-demo] .thumb img", "/table": ".grid-line",
    "/setup": "#players li", "/game": ".turn", "/board": ".board-score", "/board?transparent": ".board-score",
    "/report": ".course-line", "/phone": "#state.is-bad", "/phone/warning": "#theme[title]",
    "/flick": "#kept:not(:empty)", "/flick/game": "#no-game:not([hidden])", "/qwixx": "#no-game:not([hidden])",
    "/sets": "#which option",
}  # fmt: skip
"""Every page, and what is there when it has filled itself."""


def open_page(page: Any, program: Program, path: str) -> None:
    page.goto(f"{program.address}{path}", wait_until="load")
    if "transparent" not in path:
        page.wait_for_selector("#theme[title]")
    page.wait_for_selector(PAGES[path], state="attached")


def test_nothing_sticks_out_on_a_phone(chromium: Any, program: Program) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
    too_wide = {}
    with context_of(chromium, locale="de-DE", **phone) as context:
        page = context.new_page()
        choose_demo(page, program.address)
        program.hub.publish(snapshot(turns=[turn(1, "Anna"), turn(2, "Ben")]))
        for path in PAGES:
            open_page(page, program, path)
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > 360:
                too_wide[path] = width
    assert too_wide == {}


def states() -> list[tuple[str, dict[str, Any]]]:
    """Every page, the referee's three times: with turns, with a question, with an illegal move."""
    turns = [turn(1, "Anna"), turn(2, "Ben")]
    question: dict[str, Any] = {"why": {"de": "?", "en": "Two moves fit."}, "t_s": 9.0}
    question["alternatives"] = [turn(3, "Anna"), turn(3, "Ben")]
    return [
        *((path, snapshot(turns=turns)) for path in PAGES),
        ("/game", snapshot(turns=turns, needs_you=question)), ("/game", snapshot(turns=[turn(1, "Anna", legal=False)])),
    ]  # fmt: skip


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not there (npm install axe-core)")
@pytest.mark.parametrize(
    ("theme", "what"),
    [("light", "{resultTypes: ['violations']}"), ("dark", "{runOnly: ['color-contrast']}")],
    ids=["light", "dark, contrast alone"],
)
def test_axe_finds_no_serious_fault(chromium: Any, program: Program, theme: str, what: str) -> None:
    faults = {}
    laptop = {"viewport": {"width": 1280, "height": 900}, "color_scheme": theme}
    with context_of(chromium, locale="en-GB", **laptop) as context:
        page = context.new_page()
        choose_demo(page, program.address)
        for path, state in states():
            program.hub.publish(state)
            open_page(page, program, path)
            page.evaluate(AXE.read_text("utf-8"))
            found = page.evaluate(f"axe.run({what})")["violations"]
            serious = [fault for fault in found if fault["impact"] in ("serious", "critical")]
            if serious:
                faults[path] = [(fault["id"], [node["html"][:200] for node in fault["nodes"]]) for fault in serious]
    assert faults == {}
