"""Every broken rule has its sentences; turns, scores and outcomes are said in both languages."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest
from verflixxt_positions import GAME, position, turn

import rules
from rules.protocol import Outcome, Violation
from rules.texts import (
    OUTCOMES,
    WORDINGS,
    outcome_text,
    score_part_text,
    turn_text,
    violation_from_line,
    violation_line,
    violation_source,
    violation_text,
)

SOURCES = sorted(Path(rules.__file__).parent.rglob("*.py"))

NAMES = """
out_of_turn no_move more_than_one_move game_is_over
wrong_count moved_backwards not_own_pawn guard_without_pawn must_take_tile may_not_take_tile took_wrong_tile left_finish
must_move_flixxy may_not_move_flixxy must_pass_card passed_to_wrong_player stack_order_changed took_verflixxt_card
token_missed worm_same_turn worm_not_owned swapped_piece_moved
waiting_pawn_moved passed_square occupied_number not_thrown_out thrown_to_wrong_field not_carried_across
rolled_before_moving
too_many_flicks too_few_flicks scored_too_much die_scored_twice die_not_returned
left_of_last_cross wrong_sum wrong_colour shared_without_joker row_closed needs_five_crosses lock_missing
too_many_rerolls stopped_dice_changed misthrow_missing action_two_cancelled
""".split()
"""The names that other programs rely on."""


def raised_names() -> set[str]:
    """Names of all violations in the source of the rules, where they are written as they are."""
    names = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Violation":
                if node.args and isinstance(node.args[0], ast.Constant):
                    names.add(str(node.args[0].value))
    return names


def test_every_violation_has_a_text() -> None:
    assert raised_names() | set(NAMES) <= set(WORDINGS)
    assert len(raised_names()) > 10


@pytest.mark.parametrize("name", list(WORDINGS))
def test_wording_is_complete(name: str) -> None:
    wording = WORDINGS[name]
    for field in fields(wording):
        assert getattr(wording, field.name), field.name
    used = [set(re.findall(r"{(\w+)}", text.replace("{Piece}", "{piece}"))) for text in (wording.de, wording.en)]
    assert {u.lower() for u in used[0]} == {u.lower() for u in used[1]}, "both languages use the same facts"
    assert "{" not in wording.plain_de + wording.plain_en
    for text in (wording.de, wording.en, wording.plain_de, wording.plain_en):
        assert text.endswith(".") and len(text) < 140


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("name", list(WORDINGS))
def test_missing_facts_do_no_harm(name: str, lang: str) -> None:
    text = violation_text(Violation(name), lang)
    assert text and "{" not in text and violation_source(name)


def test_wrong_count_in_words() -> None:
    state = position(red=(3, 33, 33))
    violation = GAME.judge(state, turn(state, 5, "red 3-4", taken=("-3",))).violations[0]
    assert violation_text(violation, "en").startswith("Rita rolled a 5, but the red pawn went 1 step.")
    assert violation_text(violation, "de").startswith("Rita hat eine 5 gewürfelt, aber die rote Figur ist 1 Schritt ")
    assert violation_from_line(violation_line(violation, "de")) == violation


@pytest.mark.parametrize(
    ("moves", "taken", "en", "de"),
    [
        (("red 3-15",), ("-3",), "Rita, 4: red from -3 to +8, takes -3", "Rita, 4: Rot von -3 auf +8, nimmt -3"),
        ((), (), "Rita, 4: moves nothing", "Rita, 4: bewegt nichts"),
        (("guard 9-33",), (), "Rita, 4: guard from luck to finish", "Rita, 4: Wächter von Glück auf Ziel"),
        (
            ("red 9-10",),
            ("luck",),
            "Rita, 4: red from luck to luck, guard leaves the game, takes luck",
            "Rita, 4: Rot von Glück auf Glück, Wächter verlässt das Spiel, nimmt Glück",
        ),
    ],
)
def test_turn_in_words(moves: tuple[str, ...], taken: tuple[str, ...], en: str, de: str) -> None:
    state = position(red=(3, 9, 33), guards=(9,))
    action = turn(state, 4, *moves, taken=taken)
    assert turn_text(GAME, state, action, "en") == en
    assert turn_text(GAME, state, action, "de") == de


def test_outcomes_and_scores_in_words() -> None:
    assert all(de and en for de, en in OUTCOMES.values())
    assert outcome_text(Outcome(("Anna", "Ben"), "all_home"), "en").endswith("Anna and Ben win.")
    assert outcome_text(Outcome(("Anna",), "all_home"), "de").endswith("Anna gewinnt.")
    assert score_part_text("luck:-8", "en") == "-8, turned plus by luck"
    assert score_part_text("+5", "de") == "+5"
    assert score_part_text("row:yellow", "de") == "Reihe gelb" and score_part_text("misthrow", "en") == "misthrows"
    assert score_part_text("round:3", "en") == "round 3" and score_part_text("home", "de") == "beim Schatz"
