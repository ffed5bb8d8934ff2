"""How the points add up, in words."""

from __future__ import annotations

import pytest
from boxes import MARKERS, reading

from rules.dice_flick import Die, best_score, read_markers
from vision.flick.result import markers_to_json, reading_to_json, score_of
from vision.flick.values import LooseDie
from web import flick_words as words

LAYOUT = read_markers({"markers": MARKERS})

BOARDS = [
    ([Die(3, 3, "yellow", 5)], "en", ["Centre marker: 5 twice (centre) = 10"]),
    ([Die(2, 1, "green", 4), Die(2, 3, "green", 5)], "de", ["Grün-Gruppe: (4 + 5) verdoppelt (Upgrade) = 18"]),
    (
        [Die(5, 3, "pink", 6), Die(5, 1, "blue", 2), Die(5, 5, "green", 4), Die(3, 3, "yellow", 5)], "en",
        ["Knaller, row 5: 2 + 6 + 4 = 12", "Centre marker: 5 twice (centre) = 10"],
    ),
    ([Die(5, 2, "pink", 6), Die(4, 2, "green", 2), Die(1, 2, "blue", 1)], "de", ["Knaller, Spalte 2: 1 + 2 + 6 = 9"]),
    ([Die(1, 1, "yellow", 1), Die(1, 2, "yellow", 2)], "en", []),
]


@pytest.mark.parametrize(("dice", "lang", "wanted"), BOARDS)
def test_sums(dice: list[Die], lang: str, wanted: list[str]) -> None:
    board = tuple(sorted(dice))
    assert words.sums(best_score(board, LAYOUT), board, LAYOUT, lang) == wanted


def test_summary_names_the_dice_that_go_back() -> None:
    board = (Die(3, 3, "yellow", 5),)
    assert words.summary(best_score(board, LAYOUT), board, LAYOUT, "de") == [
        "Center-Marker: 5 doppelt (Center) = 10", "10 Punkte.", "Zurück in den Beutel: Gelb 5 (3/3).",
    ]
    assert words.summary(best_score((), LAYOUT), (), LAYOUT, "en") == ["Nothing to score: 0 points."]


def test_a_line_of_a_photo_has_all_holes_and_reads_as_a_table() -> None:
    box = reading([Die(1, 1, "blue", 4), Die(4, 2, "pink", 6)], {(1, 1): "cocked"},
                  [LooseDie("ditch", "green", 3, 0.9, (0.0, 0.0, 9.0, 9.0))])
    line = reading_to_json(box, score_of(box))
    assert len(line["holes"]) == 25
    assert line["holes"][0] == {
        "row": 1, "col": 1, "content": "die", "confidence": 0.99, "colour": "blue", "value": 4,
        "box_px": [85.0, 85.0, 115.0, 115.0],
    }
    assert line["holes"][6]["marker"] == "upgrade:green"
    assert line["best_score"] == 6
    assert line["loose"][0]["where"] == "ditch"
    table = words.grid(line["holes"], "de")
    assert table[1].split() == ["1", "bl4", ".", ".", ".", "+1"]
    assert table[4].split() == ["4", ".", "Kn", ".", "x2ge", "."]


def test_every_warning_has_words() -> None:
    for lang in ("de", "en"):
        lines = [{"what": what, "row": 1, "col": 2, "colour": "blue"} for what in words.WARNINGS]
        said = words.warnings(lines, lang)
        assert len(set(said)) == len(words.WARNINGS)
        assert not any("{" in text for text in said)


def test_markers_read_back() -> None:
    assert markers_to_json(LAYOUT) == MARKERS
