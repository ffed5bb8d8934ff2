"""The best score of a box: worked examples D01 to D17, house rules, and two independent brute forces."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from dice_flick_box import MARKERS, board, random_board
from dice_flick_brute import brute_best, partial_best

from rules.dice_flick import Die, Scoring, ScoringRules, best_score, mask_of, read_markers

EXAMPLES = [
    ("D01 straight line", "g3 1/3, g5 1/4, g2 1/5", 10),
    ("D02 corner", "g2 4/1, g3 5/1, g4 5/2", 9),
    ("D03 diagonal", "g2 3/1, g4 4/2, g6 5/3", 0),
    ("D04 only two", "y1 1/1, y2 1/2", 0),
    ("D05 marker is third and doubles", "g4 2/1, g5 2/3", 18),
    ("D06 covered marker", "g4 2/1, g5 2/3, y6 2/2", 0),
    ("D07 white as blue", "b6 5/1, w3 5/2, b1 5/3", 10),
    ("D08 joker used once", "g2 5/1, g3 5/2, w6 5/3, b1 5/4, b5 5/5", 12),
    ("D09 centre alone", "y5 3/3", 10),
    ("D10 centre in a group", "y2 3/2, y5 3/3, y4 2/3", 16),
    ("D11 centre, then upgrade", "y5 3/3, y2 3/4", 24),
    ("D12 row or column", "p6 5/3, b2 5/1, g4 5/5, y5 3/3", 22),
    ("D13 each die once", "p6 5/2, g3 5/1, g2 4/1, g5 3/1", 16),
    ("D14 white in a line", "p6 5/3, g2 5/1, w3 5/2", 11),
    ("D15 one line for both", "p6 5/1, p6 5/5, g4 5/3", 16),
    ("D16 marker freed while scoring", "b4 2/2, b1 2/3, g3 2/1, g6 1/2", 10),
    ("D17 three whites", "w1 5/1, w2 5/2, w3 5/3", 6),
    ("Knaller on the centre", "p6 3/3", 12),
    ("two lines", "p6 1/1, p6 5/5, g4 5/1", 16),
    ("empty", "", 0),
]


def check_sums(scoring: Scoring, dice: tuple[Die, ...]) -> None:
    """Groups add up, every die is in one group at most, and exactly the dice in groups return."""
    lying = {die.cell for die in dice}
    scored = [cell for group in scoring.groups for cell in group.cells if cell in lying]
    assert sum(group.points for group in scoring.groups) == scoring.score
    assert len(set(scored)) == len(scored)
    assert sorted(scored) == list(scoring.returned)


@pytest.mark.parametrize(("case", "text", "points"), EXAMPLES, ids=[case[0] for case in EXAMPLES])
def test_examples(case: str, text: str, points: int) -> None:
    dice = board(text)
    scoring = best_score(dice, MARKERS)
    assert scoring.score == points == brute_best(dice)
    check_sums(scoring, dice)


HOUSE_RULES: list[tuple[str, dict[str, Any], str, int]] = [
    ("pairs", {"min_group": 2}, "y1 1/1, y2 1/2", 3),
    ("four", {"min_group": 4}, "g3 1/3, g5 1/4, g2 1/5", 0),
    ("whites need a colour", {"whites_alone": False}, "w1 5/1, w2 5/2, w3 5/3", 0),
    ("whites with a marker", {"whites_alone": False}, "w1 2/1, w2 2/3", 6),
    ("centre and upgrade once", {"centre_and_upgrade": "once"}, "y5 3/3, y2 3/4", 14),
    ("Knaller must score a line", {"knaller_optional": False}, "p6 1/1, g6 1/2, g6 2/1", 12),
    ("Knaller may stay", {}, "p6 1/1, g6 1/2, g6 2/1", 24),
]


@pytest.mark.parametrize(("case", "rules", "text", "points"), HOUSE_RULES, ids=[case[0] for case in HOUSE_RULES])
def test_house_rules(case: str, rules: dict[str, Any], text: str, points: int) -> None:
    assert best_score(board(text), MARKERS, ScoringRules(**rules)).score == points


def test_dead_markers() -> None:
    dice = board("g4 2/1, g5 2/3")
    assert best_score(dice, MARKERS, dead=mask_of((2, 2))).score == 0


def test_groups_are_named() -> None:
    scoring = best_score(board("p6 5/3, b2 5/1, g4 5/5, y5 3/3"), MARKERS)
    assert [(g.kind, g.cells, g.points) for g in scoring.groups] == [
        ("line", ((5, 1), (5, 3), (5, 5)), 12), ("centre", ((3, 3),), 10),
    ]
    doubled = best_score(board("g4 2/1, g5 2/3"), MARKERS)
    assert [(g.kind, g.cells, g.colour) for g in doubled.groups] == [("colour", ((2, 1), (2, 2), (2, 3)), "green")]
    assert doubled.returned == ((2, 1), (2, 3)), "a marker does not return to the bag"


@pytest.mark.parametrize("dice", range(3, 21))
def test_against_brute_force(dice: int) -> None:
    rng = random.Random(dice)
    for _ in range(15):
        lying = random_board(rng, dice)
        scoring = best_score(lying, MARKERS)
        assert scoring.score == brute_best(lying), lying
        check_sums(scoring, lying)


@pytest.mark.parametrize("dice", range(3, 9))
def test_splitting_groups_never_pays(dice: int) -> None:
    rng = random.Random(100 + dice)
    for _ in range(8):
        lying = random_board(rng, dice)
        assert best_score(lying, MARKERS).score == partial_best(lying), lying


@pytest.mark.slow
def test_against_brute_force_on_many_boards() -> None:
    rng = random.Random(5)
    for k in range(2000):
        lying = random_board(rng, 3 + k % 18)
        assert best_score(lying, MARKERS).score == brute_best(lying), lying


@pytest.mark.slow
def test_splitting_groups_never_pays_on_many_boards() -> None:
    rng = random.Random(6)
    for k in range(600):
        lying = random_board(rng, 3 + k % 7)
        assert best_score(lying, MARKERS).score == partial_best(lying), lying


@pytest.mark.slow
def test_speed_on_full_boxes() -> None:
    """10,000 boxes with all 20 dice: under 5 ms as a rule, under 100 ms always (processor time of this thread)."""
    rng = random.Random(7)
    times_s = []
    for _ in range(10_000):
        lying = random_board(rng, 20)
        begin_s = time.thread_time()
        best_score(lying, MARKERS)
        times_s.append(time.thread_time() - begin_s)
    times_s.sort()
    assert times_s[len(times_s) // 2] < 0.005
    assert times_s[-1] < 0.1


STILLS = Path(__file__).parents[3] / "shared" / "clips" / "diceflick"


@pytest.mark.skipif(not STILLS.is_dir(), reason="rendered stills are not here")
@pytest.mark.parametrize("name", [f"df_{k:02d}" for k in range(1, 9)])
def test_rendered_stills(name: str) -> None:
    truth = json.loads((STILLS / f"{name}.json").read_text())
    stickers: dict[str, list[list[int]]] = {}
    for hole in truth["holes"]:
        if hole.get("marker"):
            stickers.setdefault(hole["marker"], []).append([hole["row"], hole["col"]])
    markers = read_markers({"markers": stickers})
    dice = [hole for hole in truth["holes"] if hole["content"] == "die"]
    for cocked, key in ((True, "best_score"), (False, "best_score_without_cocked")):
        lying = [Die(h["row"], h["col"], h["colour"], h["value"]) for h in dice if cocked or not h["cocked"]]
        assert best_score(tuple(sorted(lying)), markers).score == truth[key]
