"""The worked examples E01 to E19, and the cases around them. Segments of three small fields and one -5 field each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from qwixx_sheets import GAME, played, setup, sheet, state, throw

from rules.protocol import Outcome
from rules.qwixx_express import Throw

FIVE_RED = "red 2,3,4,5,6"
FOUR_RED = "red 2,3,4,5"
FIVE_YELLOW = "yellow 2,3,4,5,6"

CROSSES: list[tuple[str, str, str, Throw, str, str]] = [
    ("E01 both use the white 8, blue runs down", "", "", throw("8 white", "6 blue"),
     "A1 red 8,B1 blue 8,B2 blue 6", ""),
    ("E02 no sharing without white", "", "", throw("8 green", "6 blue"), "A1 green 8,B1 blue 8,B2 blue 6",
     "shared_without_joker"),
    ("E03 no sharing in action 2", "", "", throw("8 green", "7 white"), "A1 green 8,B2 red 7,A2 red 7",
     "shared_without_joker"),
    ("E04 left of the last cross", "yellow 6", "", throw("5 yellow", "7 white"), "A1 yellow 5,B2 red 7",
     "left_of_last_cross"),
    ("E05 green descends, 10 after 9", "green 9", "", throw("10 green", "7 white"), "A1 green 10,B2 red 7",
     "left_of_last_cross"),
    ("E05 green descends, 7 after 9", "green 9", "", throw("7 green", "7 white"), "A1 green 7,B2 red 7", ""),
    ("E12 four crosses are too few", FOUR_RED, "", throw("12 red", "7 white"), "A1 red 12,B2 blue 7",
     "needs_five_crosses"),
    ("E12 five crosses close the row", FIVE_RED, "", throw("12 red", "7 white"), "A1 red 12,B2 blue 7", ""),
    ("E12 closed for both at once", FIVE_RED, "", throw("12 red", "7 red"), "A1 red 12,B2 red 7", "row_closed"),
    ("E13 both close the same row", FIVE_RED, FIVE_RED, throw("12 white", "7 blue"),
     "A1 red 12,B1 red 12,B2 blue 7", ""),
    ("E14 the other has only four", FIVE_RED, FOUR_RED, throw("12 white", "7 blue"),
     "A1 red 12,B1 red 12,B2 blue 7", "needs_five_crosses"),
    ("E17 closed colour", "", "red 2,3,4,5,6,12*", throw("7 red", "7 blue"), "A1 red 7,B2 blue 7", "row_closed"),
    ("the same number twice", "red 8", "", throw("8 red", "7 blue"), "A1 red 8,B2 blue 7", "left_of_last_cross"),
    ("wrong sum", "", "", throw("8 red", "7 blue"), "A1 red 9,B2 blue 7", "wrong_sum"),
    ("wrong colour", "", "", throw("8 red", "7 blue"), "A1 green 8,B2 blue 7", "wrong_colour"),
    ("two crosses in one action", "", "", throw("8 white", "7 blue"), "A1 red 8,A1 green 8,B2 blue 7",
     "more_than_one_cross"),
    ("lock forgotten", FIVE_RED, "", throw("12 red", "7 blue"), "A1 red 12!,B2 blue 7", "lock_missing"),
    ("several faults", "green 4", "", throw("8 red", "7 blue"), "A1 green 9,B2 blue 7",
     "wrong_sum wrong_colour left_of_last_cross"),
    ("the other may share though the caller skips", "", "", throw("8 white", "7 blue"), "B1 red 8,B2 blue 7", ""),
]


@pytest.mark.parametrize(("case", "anna", "ben", "thrown", "text", "rules"), CROSSES, ids=[c[0] for c in CROSSES])
def test_crosses(case: str, anna: str, ben: str, thrown: Throw, text: str, rules: str) -> None:
    verdict = GAME.judge(state(anna, ben), played(thrown, text))
    assert sorted(verdict.rules) == sorted(rules.split())
    for cross in played(thrown, text).crosses:
        assert cross.number in verdict.state.sheets[cross.player].row(cross.row), "the sheets are as they were marked"


MISTHROWS: list[tuple[str, str, str, Throw, str, tuple[int, int], int]] = [
    ("E06 caller crosses nothing", "F1", "", throw("8 red", "7 blue"), "B2 blue 7", (4, 0), 1),
    ("E07 two re-rolls are free", "", "", throw("8 red", "7 blue", 2), "A1 red 8,B2 blue 7", (0, 2), 0),
    ("E08 two re-rolls reach the -5", "", "F2", throw("8 red", "7 blue", 2), "A1 red 8,B2 blue 7", (0, 4), 1),
    ("E09 a -5 field is enough for a round", "", "F2", throw("8 red", "7 blue", 2), "A1 red 8", (0, 4), 1),
    ("E10 own result unused", "", "F5", throw("8 red", "7 blue"), "A1 red 8", (0, 8), 2),
    ("E11 the white sum does not save from it", "", "", throw("8 white", "7 blue"), "A1 red 8,B1 red 8", (0, 4), 1),
    ("E17 closed colour costs", "red 2,3,4,5,6,12* F2", "", throw("7 red", "7 blue"), "B2 blue 7", (4, 0), 1),
    ("re-rolled once, then unused", "", "F5", throw("8 red", "7 blue", 1), "A1 red 8", (0, 8), 2),
]


@pytest.mark.parametrize(
    ("case", "anna", "ben", "thrown", "text", "fields", "minus"), MISTHROWS, ids=[c[0] for c in MISTHROWS]
)
def test_misthrows(
    case: str, anna: str, ben: str, thrown: Throw, text: str, fields: tuple[int, int], minus: int
) -> None:
    before = state(anna, ben)
    verdict = GAME.judge(before, played(thrown, text))
    assert verdict.legal
    after = tuple(sheet.misthrow for sheet in verdict.state.sheets)
    assert after == fields
    newly = after[0] - before.sheets[0].misthrow, after[1] - before.sheets[1].misthrow
    assert GAME.judge(before, played(thrown, text, newly)) == verdict
    assert sum(before.config.minus(count) for count in after) == minus
    for player in (0, 1):
        if newly[player]:
            short = tuple(n - (p == player) for p, n in enumerate(newly))
            missing = GAME.judge(before, played(thrown, text, (short[0], short[1])))
            assert missing.rules == ("misthrow_missing",)
            assert missing.state.sheets[player].misthrow == after[player] - 1, "the state follows the sheets"
        long = tuple(n + (p == player) for p, n in enumerate(newly))
        assert GAME.judge(before, played(thrown, text, (long[0], long[1]))).rules == ("misthrow_too_many",)


def test_e08_third_reroll() -> None:
    assert GAME.judge(state("", "F2"), played(throw("8 red", "7 blue", 3), "A1 red 8,B2 blue 7")).rules == (
        "too_many_rerolls",
    )


def test_e13_one_closed_row() -> None:
    after = GAME.judge(
        state(FIVE_RED, FIVE_RED), played(throw("12 white", "7 blue"), "A1 red 12,B1 red 12,B2 blue 7")
    ).state
    assert after.closed == {"red"} and GAME.outcome(after) is None


@pytest.mark.parametrize(
    ("case", "anna", "ben", "thrown", "text", "why"),
    [
        ("E15 second row", FIVE_RED, f"{FIVE_YELLOW},12*", throw("12 red", "7 blue"), "A1 red 12", "two_rows_closed"),
        ("E16 fourth -5", "F13", "", throw("8 red", "7 blue"), "", "four_misthrows"),
        ("both close one each", f"{FIVE_RED} {FIVE_YELLOW}", f"{FIVE_RED} {FIVE_YELLOW}", throw("12 white", "7 blue"),
         "A1 red 12,B1 yellow 12", "two_rows_closed"),
    ],
)
def test_over_after_action_one(case: str, anna: str, ben: str, thrown: Throw, text: str, why: str) -> None:
    """E15, E16: action 2 is dropped, and with it the price for not using it."""
    before = state(anna, ben)
    verdict = GAME.judge(before, played(thrown, text))
    outcome = GAME.outcome(verdict.state)
    assert verdict.legal and outcome is not None and outcome.why == why
    assert verdict.state.sheets[1].misthrow == before.sheets[1].misthrow
    late = GAME.judge(before, played(thrown, f"{text},B2 blue 7" if text else "B2 blue 7"))
    assert late.rules == ("action_two_cancelled",)
    assert GAME.legal_actions(verdict.state, 5) == ()
    assert GAME.judge(verdict.state, played(thrown, "B2 blue 7")).rules == ("game_is_over",)


def test_fourth_minus_while_rerolling() -> None:
    thrown = throw("8 red", "7 blue", 2)
    at_once = GAME.judge(state("", "F14"), played(thrown, ""))
    assert at_once.legal and GAME.outcome(at_once.state) is not None
    assert GAME.judge(state("", "F14"), played(thrown, "A1 red 8")).rules == ("game_is_over",)
    later = state("", "F14", fourth_misthrow_in_rerolls="after_actions")
    assert GAME.judge(later, played(thrown, "A1 red 8,B2 blue 7")).legal


def test_stopped_dice_changed() -> None:
    thrown = replace(throw("8 red", "7 blue"), rerolls=(1, 0))
    assert GAME.judge(state(), played(thrown, "A1 red 8,B2 blue 7")).rules == ("stopped_dice_changed",)


def test_house_rules() -> None:
    skip = played(throw("8 white", "7 blue"), "B1 red 8,B2 blue 7")
    assert GAME.judge(state(shared_after_skip=False), skip).rules == ("shared_without_joker",)
    short = GAME.judge(state("F1", misthrow_segments=[1, 2, 3, 4]), played(throw("8 red", "7 blue"), "B2 blue 7"))
    assert short.state.sheets[0].misthrow == 2
    assert GAME.scores(state("red 2,3,4,5,6,12*", lock_counts=False))[0].total == 21


@pytest.mark.parametrize(
    ("case", "text", "total"),
    [
        ("E18 six numbers and the lock", "red 2,3,5,7,9,12*", 28),
        ("E18 full row", "red 2,3,4,5,6,7,8,9,10,11,12*", 78),
        ("E19 end of a game", "red 2,3,4,5,6 yellow 2,3,4 green 12,11,10,9,8,2* blue 12,11 F8", 42),
        ("nothing", "", 0),
    ],
)
def test_scores(case: str, text: str, total: int) -> None:
    score = GAME.scores(state(text))[0]
    assert score.total == total == sum(points for _, points in score.parts)


def test_e19_small_fields_cost_nothing() -> None:
    """Five small fields beside two -5 fields need segments that add up so."""
    five_small = state("red 2,3,4,5,6 yellow 2,3,4 green 12,11,10,9,8,2* blue 12,11 F7", misthrow_segments=[2, 2, 3, 3])
    assert GAME.scores(five_small)[0].total == 42


def test_equal_points_share() -> None:
    closed = "green 12,11,10,9,8,2* red 2,3,4,5,6,12*"
    assert GAME.outcome(state(closed, closed)) == Outcome(("Anna", "Ben"), "two_rows_closed")


def test_explain_finds_the_actions() -> None:
    """Sheets do not show the action: both readings of Ben's two crosses are tried."""
    thrown = throw("8 white", "6 blue")
    seen = tuple(replace(cross, action=1) for cross in played(thrown, "A1 red 8,B1 blue 8,B1 blue 6").crosses)
    candidate = GAME.explain(state(), thrown, seen, (0, 0))
    assert candidate.verdict.legal and candidate.action == played(thrown, "A1 red 8,B1 blue 8,B2 blue 6", (0, 0))


def test_setup_is_read() -> None:
    start = GAME.start(setup())
    assert start.sheets == (sheet(""), sheet("")) and start.config.misthrow_fields == 16
