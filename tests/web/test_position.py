"""The start position on the set-up page: one good look is enough, and what is meant otherwise is taken over."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from rules import game_of
from web.cameras import DEMO_VIDEO, Camera
from web.feed import Feed
from web.fixes import fix_of
from web.position import PositionCheck

PLAYERS = [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
SETUP: dict[str, Any] = {"game": "verflixxt", "variant": "standard", "players": PLAYERS}
STANDARD = game_of(SETUP).start(SETUP)
GUARDS = list(STANDARD.config.guards_start)


def wrong(place: Any, tile: tuple[str, str], pieces: tuple[list[str], list[str]]) -> dict[str, Any]:
    return {
        "place": place, "wrong": True, "tile": tile[0], "tile_seen": tile[1], "pieces": pieces[0],
        "pieces_seen": pieces[1],
    }  # fmt: skip


def fix(place: dict[str, Any], setup: dict[str, Any] = SETUP) -> Any:
    return fix_of(setup, game_of(setup).start(setup), place)


def test_a_guard_that_stands_elsewhere_may_be_meant_so() -> None:
    gone = fix(wrong(GUARDS[0], ("luck", "luck"), (["guard"], [])))
    assert gone == {"guards_start": GUARDS[1:]}
    seven = {**SETUP, **gone}
    more = fix(wrong(2, ("-2", "-2"), ([], ["guard"])), seven)
    assert more == {"guards_start": sorted([2, *GUARDS[1:]])}
    assert game_of(seven).start({**seven, **more}).config.guards_start == tuple(more["guards_start"])


@pytest.mark.parametrize(
    "place",
    [
        wrong("start", ("start", "start"), (["pawn:red"], [])), wrong(2, ("-2", "-2"), ([], ["pawn:red"])),
        wrong(2, ("-2", "+4"), ([], [])), wrong(2, ("-2", "-2"), ([], ["guard"])),
        {**wrong(GUARDS[0], ("luck", "luck"), (["guard"], [])), "wrong": False},
    ],
)  # fmt: skip
def test_what_the_game_does_not_know_has_to_be_moved_on_the_table(place: dict[str, Any]) -> None:
    assert fix(place) is None


def test_a_tile_of_a_shuffled_route_changes_places_with_the_one_that_was_expected() -> None:
    route = list(STANDARD.config.route_values)
    found = fix_of({"route": route}, STANDARD, wrong(1, (f"{route[0]}", f"{route[1]}"), ([], [])))
    assert found == {"route": [route[1], route[0], *route[2:]]}
    luck = fix_of({"route": ["luck", 5]}, STANDARD, wrong(2, ("+5", "luck"), ([], [])))
    assert luck == {"route": [5, 0]}
    assert fix_of({"route": [1, 2]}, STANDARD, wrong(2, ("+2", "+7"), ([], []))) is None


def test_one_right_look_is_enough_until_the_picture_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([{"found": False}, {"found": True}, {"found": False}, {"found": False}])
    check = PositionCheck()
    monkeypatch.setattr(check, "_looked", lambda setup, image: next(answers), raising=True)
    rng = np.random.default_rng(1)
    table = cv2.GaussianBlur(rng.integers(40, 200, (360, 640, 3), np.uint8), (0, 0), 9)
    noisy = np.clip(table + rng.normal(0, 6, table.shape), 0, 255).astype(np.uint8)
    moved = table.copy()
    moved[100:130, 200:220] = 0
    assert [check.position(SETUP, image)["found"] for image in (table, table, noisy, moved)] == [
        False, True, True, False,
    ]  # fmt: skip
    assert check.position({**SETUP, "variant": "random"}, table) == {"found": False}


@pytest.mark.skipif(not DEMO_VIDEO.is_file(), reason="the demo recording is not there")
def test_of_a_recording_the_first_pictures_are_looked_at_in_turn() -> None:
    feed = Feed(Camera("video-demo", "video", "Demo", str(DEMO_VIDEO)))
    seen = [feed.another() for _ in range(6)]
    assert all(image is not None for image in seen)
    assert len({image.tobytes() for image in seen if image is not None}) > 3
    assert feed.picture()[0] == 1, "what the page shows stands still"
