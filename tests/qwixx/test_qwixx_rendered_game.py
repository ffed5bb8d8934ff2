"""A whole game of Qwixx Express with both sheets read from pictures: ten rounds, every mistake named.

The dice are told, as people do on the page where the camera cannot read them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.scene.assets import Assets
from models.scene.qwixx_table import QwixxTable, ThreeDice
from vision.qwixx.live import Look, QwixxReferee, seen_of
from vision.qwixx.sheet import load_mark_reader, read_sheets

ASSETS = Path(__file__).parents[3] / "shared" / "assets"
SETUP: dict[str, Any] = {
    "game": "qwixx-express", "variant": "standard",
    "players": [{"name": "Anna", "seat": "left"}, {"name": "Ben", "seat": "right"}],
}
Round = tuple[int, tuple[ThreeDice, ThreeDice], tuple[list[str], list[str]], list[str]]
"""Who calls Stopp, the dice, what is crossed on the sheets, the rules that are broken."""

GAME: list[Round] = [
    (0, ((5, 3, "red"), (4, 2, "blue")), (["red_8"], ["blue_6"]), []),
    (1, ((3, 1, "yellow"), (6, 5, "green")), (["yellow_4"], ["green_11"]), []),
    (0, ((6, 4, "white"), (2, 3, "yellow")), (["green_10"], ["green_10", "yellow_5"]), []),
    (1, ((5, 5, "red"), (4, 4, "red")), (["red_10"], ["red_9"]), ["wrong_sum"]),
    (0, ((2, 4, "blue"), (6, 1, "green")), (["blue_6"], ["red_10"]), ["wrong_sum", "wrong_colour"]),
    (0, ((6, 3, "green"), (1, 2, "blue")), (["green_9"], ["misthrow_1", "misthrow_2"]), ["misthrow_missing"]),
    (1, ((6, 6, "yellow"), (3, 4, "green")),
     (["misthrow_1", "misthrow_2", "misthrow_3", "misthrow_4"], ["green_7"]), []),
    (1, ((1, 3, "blue"), (4, 5, "yellow")), (["blue_4"], ["yellow_9"]), []),
    (0, ((2, 5, "yellow"), (6, 4, "blue")), (["yellow_7"], ["blue_10"]), ["left_of_last_cross"]),
    (1, ((5, 6, "red"), (6, 6, "white")), (["red_11"], ["yellow_12"]), ["needs_five_crosses"]),
]


class Still:
    """A picture that never moves."""

    def update(self, image_bgr: Any, t_s: float) -> float:
        return 1.0


def play(seed: int) -> list[tuple[list[str], list[str]]]:
    """The game refereed: for every round the rules found broken and those that are."""
    table = QwixxTable(seed, Assets.load(ASSETS if ASSETS.is_dir() else None, "test"))
    reader, seen = load_mark_reader(), dict[int, Look]()

    def once(image: Any) -> Look:
        if id(image) not in seen:
            sheets = {one.copy: seen_of(one) for one in read_sheets(image, reader)}
            seen[id(image)] = Look(None, (sheets.get(0), sheets.get(1)))
        return seen[id(image)]

    referee = QwixxReferee(SETUP, once, Still())
    found, t_s, kept = [], 0.0, list[np.ndarray]()
    for stopper, dice, marks, broken in GAME:
        for player, names in enumerate(marks):
            table.write(player, names)
        kept.append(table.picture(dice))
        for player, (first, second, colour) in enumerate(dice):
            name = referee.rounds.names[player]
            referee.obey({"do": "dice", "player": name, "numbers": [first, second], "colour": colour}, t_s)
        referee.obey({"do": "stop", "player": referee.rounds.names[stopper]}, t_s)
        for _ in range(2):
            t_s += 1.5
            referee.step(kept[-1], t_s)
        for player in (0, 1):
            assert not referee.rounds.doubtful(player), f"{name}: unsure of {referee.rounds.doubtful(player)}"
        line = referee.obey({"do": "done"}, t_s)[0]
        found.append((sorted(fault["rule"] for fault in line["violations"]), sorted(broken)))
    return found


@pytest.mark.slow
def test_ten_rounds_with_every_mistake_named() -> None:
    for number, (found, broken) in enumerate(play(3), 1):
        assert found == broken, f"round {number}"
