"""The worked examples C01 to C18, and the cases around them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from spuk_board import GAME, TREASURE, moves, setup, state, turn

from rules.protocol import Outcome
from rules.spuk import Turn

LEGAL: list[tuple[str, str, int, str, str]] = [
    ("C01 start is counted", "", 4, "R", "R0-3"),
    ("C03 between 5 and 6 back to 4", "R20 B23", 3, "R", "R20-23 B23-17"),
    ("C04 between 1 and 2 back to start", "R3 B6", 3, "R", "R3-6 B6-0"),
    ("C04 before 1 back to start", "R1 B2", 1, "R", "R1-2 B2-0"),
    ("C05 between 3 and river back to 2", "R11 B13", 2, "R", "R11-13 B13-8"),
    ("C06 between 2 and 3 back to 1", "R9 B10", 1, "R", "R9-10 B10-4"),
    ("C08 pushed down by a thrown figure", "R20 B23 Y17", 3, "R", "R20-23 B23-17 Y17-12"),
    ("C09 chain", "R20 B23 Y17 G12", 3, "R", "R20-23 B23-17 Y17-12 G12-8"),
    ("C10 nothing lower than 1", "R9 B10 Y4", 1, "R", "R9-10 B10-4 Y4-0"),
    ("C12 foreign helper", "R14 B11", 3, "B", "B11-14 R14-15"),
    ("C13 own helper", "R14,12", 2, "R", "R12-14 R14-15"),
    ("C15 squares are safe, helper waits", "R14 B13", 1, "B", "B13-14 R14-15"),
    ("C16 over the wall", "R28 B27", 1, "B", "B27-28 R28-home"),
    ("first figure stops on the square", "R11", 5, "R", "R11-14"),
    ("stops at the wall, too", "R26", 6, "R", "R26-28"),
    ("own figure is thrown out", "R20,23", 3, "R", "R20-23 R23-17"),
    ("passing over figures is free", "R9 B10", 2, "R", "R9-11"),
    ("carried figure throws out behind the river", "R14 B13 Y15", 1, "B", "B13-14 R14-15 Y15-8"),
    ("thrown onto the field the mover has just left", "R17 B22", 5, "R", "R17-22 B22-17"),
]


@pytest.mark.parametrize(("case", "where", "roll", "who", "played"), LEGAL, ids=[case[0] for case in LEGAL])
def test_legal(case: str, where: str, roll: int, who: str, played: str) -> None:
    before = replace(state(where), to_move="RBYG".index(who))
    expected = turn(who, roll, played)
    assert expected in GAME.legal_actions(before, roll)
    verdict = GAME.judge(before, expected)
    assert verdict.violations == ()
    assert verdict.state.at == GAME.correct(before, expected).at
    shuffled = replace(expected, moves=expected.moves[::-1])
    assert GAME.judge(before, shuffled) == verdict, "the order in which figures are named does not matter"


ILLEGAL: list[tuple[str, str, int, str, str, str]] = [
    ("C07 figure on a numbered field", "R20 B21", 1, "R", "R20-21", "occupied_number"),
    ("C07 thrown out all the same", "R20 B21", 1, "R", "R20-21 B21-12", "occupied_number"),
    ("C11 waiting figure moved", "R14", 5, "R", "R14-19", "waiting_pawn_moved"),
    ("C14 past the waiting figure", "R14 B11", 5, "B", "B11-16", "passed_square"),
    ("C14 stopped beside the waiting figure", "R14 B11", 5, "B", "B11-14", "wrong_count not_carried_across"),
    ("past an empty square", "R11", 5, "R", "R11-16", "passed_square"),
    ("wrong count", "R9", 3, "R", "R9-11", "wrong_count"),
    ("start not counted", "", 4, "R", "R0-4", "wrong_count"),
    ("backwards", "R9", 3, "R", "R9-6", "moved_backwards"),
    ("foreign figure", "B9", 3, "R", "B9-12", "not_own_pawn"),
    ("no move", "R9", 3, "R", "", "no_move"),
    ("not thrown out", "R20 B23", 3, "R", "R20-23", "not_thrown_out"),
    ("thrown one numbered field", "R20 B23", 3, "R", "R20-23 B23-21", "thrown_to_wrong_field"),
    ("thrown to start", "R20 B23", 3, "R", "R20-23 B23-0", "thrown_to_wrong_field"),
    ("thrown one field, pushing there", "R20 B23 Y21", 3, "R", "R20-23 B23-21 Y21-17", "thrown_to_wrong_field"),
    ("not pushed down", "R20 B23 Y17", 3, "R", "R20-23 B23-17", "not_pushed_down"),
    ("chain broken off", "R20 B23 Y17 G12", 3, "R", "R20-23 B23-17 Y17-12", "not_pushed_down"),
    ("pushed too far", "R20 B23 Y17", 3, "R", "R20-23 B23-17 Y17-8", "thrown_to_wrong_field"),
    ("not carried", "R14 B11", 3, "B", "B11-14", "not_carried_across"),
    ("carried too far", "R14 B11", 3, "B", "B11-14 R14-16", "carried_to_wrong_field"),
    ("thrown back from a square", "R14 B11", 3, "B", "B11-14 R14-8", "carried_to_wrong_field"),
    ("two own figures", "R9,15", 3, "R", "R9-12 R15-18", "more_than_one_move"),
    ("own and foreign figure", "R9 B15", 3, "R", "R9-12 B15-18", "more_than_one_move not_own_pawn"),
    ("thrown without reason", "R9 B18", 1, "R", "R9-10 B18-12", "thrown_without_reason"),
    ("left the treasure", f"R{TREASURE},9", 3, "R", "Rhome-27", "left_home"),
    ("straight to the treasure", "R27", 2, "R", "R27-home", "passed_square"),
    ("all faults at once", "R14 B11,20 Y16", 2, "R", "B11-16", "not_own_pawn wrong_count passed_square not_thrown_out"),
    ("out of turn", "B9", 3, "B", "B9-12", "out_of_turn"),
    ("out of turn and wrong", "B9", 3, "B", "B9-11", "out_of_turn wrong_count"),
]


@pytest.mark.parametrize(("case", "where", "roll", "who", "played", "rules"), ILLEGAL, ids=[c[0] for c in ILLEGAL])
def test_illegal(case: str, where: str, roll: int, who: str, played: str, rules: str) -> None:
    before = state(where)
    if "out_of_turn" not in rules:
        before = replace(before, to_move="RBYG".index(who))
    played_turn = turn(who, roll, played)
    verdict = GAME.judge(before, played_turn)
    assert sorted(verdict.rules) == sorted(rules.split())
    assert verdict.state.at == GAME.correct(before, played_turn).at, "the state follows the table"


def test_c02_six_again() -> None:
    first = GAME.judge(state(""), turn("R", 6, "R0-5"))
    assert first.legal and GAME.player_to_move(first.state) == 0
    second = GAME.judge(first.state, turn("R", 2, "R5-7"))
    assert second.legal and GAME.player_to_move(second.state) == 1
    assert GAME.judge(first.state, turn("B", 2, "B0-1")).rules == ("out_of_turn",)


def test_c17_third_figure_home() -> None:
    before = replace(state(f"R{TREASURE},{TREASURE},28 B27"), to_move=1)
    after = GAME.judge(before, turn("B", 1, "B27-28 R28-home")).state
    assert GAME.outcome(before) is None
    assert GAME.outcome(after) == Outcome(("R",), "treasure_reached")
    assert [score.total for score in GAME.scores(after)] == [3, 0, 0, 0]
    assert GAME.legal_actions(after, 3) == ()
    assert GAME.judge(after, turn("Y", 3, "Y0-2")).rules == ("game_is_over",)
    long_game = replace(state(f"R{TREASURE},{TREASURE},28 B27", variant="5_to_win"), to_move=1)
    assert GAME.outcome(GAME.judge(long_game, turn("B", 1, "B27-28 R28-home")).state) is None


def test_c18_rolled_before_moving() -> None:
    verdict = GAME.judge(state(""), Turn(0, 6, rolled_early=True))
    assert verdict.rules == ("rolled_before_moving",)
    assert GAME.player_to_move(verdict.state) == 0
    late = GAME.judge(state(""), Turn(0, 6, moves("R0-5"), rolled_early=True))
    assert late.rules == ("rolled_before_moving",)


def test_pass_when_nothing_moves() -> None:
    waiting = state("R14,28,0,0,0")
    assert GAME.legal_actions(waiting, 1) == (Turn(0, 1),), "a 1 from the counted start goes nowhere"
    assert GAME.judge(waiting, Turn(0, 1)).legal
    six = GAME.judge(state(f"R14,28,{TREASURE},{TREASURE},13 B15"), turn("R", 6, ""))
    assert six.legal and GAME.player_to_move(six.state) == 0, "a 6 gives another roll, moved or not"


def test_swap_of_two_own_figures_looks_like_nothing() -> None:
    """R 4 throws R 10 back to 4: the table looks as before, so moving nothing cannot be called wrong."""
    before = state("R4,10,14,28,29")
    assert GAME.judge(before, turn("R", 6, "R4-10 R10-4")).legal
    assert GAME.judge(before, turn("R", 6, "")).legal


def test_nobody_can_move() -> None:
    home = TREASURE
    where = f"R{home},{home},{home - 1},{home},{home} B14,{home},{home},{home},{home}"
    stuck = state(where, players="RB", variant="5_to_win")
    assert GAME.outcome(stuck) == Outcome(("R", "B"), "nobody_can_move")


OPTIONS: list[tuple[str, dict[str, Any], str, int, str, str]] = [
    ("start not counted", {"start_counted": False}, "", 4, "R0-4", ""),
    ("start not counted, one short", {"start_counted": False}, "", 4, "R0-3", "wrong_count"),
    ("square exact", {"square_overshoot": "exact"}, "R11", 5, "R11-14", "wrong_count"),
    ("square exact, hit", {"square_overshoot": "exact"}, "R11", 3, "R11-14", ""),
    ("numbered shared", {"occupied_numbered": "share"}, "R20 B21", 1, "R20-21", ""),
    ("own blocks", {"own_blocks": True}, "R20,23", 3, "R20-23 R23-17", "occupied_by_own"),
    ("own blocks, foreign does not", {"own_blocks": True}, "R20 B23", 3, "R20-23 B23-17", ""),
    ("river next free", {"river_landing": "next_free"}, "R13 B14 Y15", 1, "R13-14 B14-16", ""),
    ("river shared", {"river_landing": "share"}, "R13 B14 Y15", 1, "R13-14 B14-15", ""),
    ("river throws out", {}, "R13 B14 Y15", 1, "R13-14 B14-15", "not_thrown_out"),
]


@pytest.mark.parametrize(("case", "options", "where", "roll", "played", "rules"), OPTIONS, ids=[c[0] for c in OPTIONS])
def test_house_rules(
    case: str, options: dict[str, Any], where: str, roll: int, played: str, rules: str
) -> None:
    verdict = GAME.judge(state(where, **options), turn("R", roll, played))
    assert sorted(verdict.rules) == sorted(rules.split())


def test_six_may_be_declined() -> None:
    free = GAME.judge(state("", six_again="may_decline"), turn("R", 6, "R0-5")).state
    assert GAME.judge(free, turn("R", 2, "R5-7")).legal
    assert GAME.judge(free, turn("B", 2, "B0-1")).legal
    assert GAME.judge(free, turn("Y", 2, "Y0-1")).rules == ("out_of_turn",)


def test_numbered_field_behind_the_river_bars_the_helper() -> None:
    raw = setup("RB")
    fields = raw["board"]["fields"]
    fields[15] = {"index": 15, "kind": "numbered", "number": 4}
    for index, number in ((17, 5), (21, 6), (25, 7)):
        fields[index] = {"index": index, "kind": "numbered", "number": number}
    before = replace(GAME.start(raw), at=((0, 0, 0, 0, 13), (0, 0, 0, 14, 15)))
    assert all(action.moves[0].start != 13 for action in GAME.legal_actions(before, 1) if action.moves)
    assert GAME.judge(before, turn("R", 1, "R13-14 B14-15", "RB")).rules[0] == "occupied_number"
