"""Rounds of Qwixx Express from what is seen: dice, Stopp, re-rolls, sheets before and after."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from rules.protocol import Verdict
from rules.qwixx_express import Dice
from rules.record import judge_lines, line_text
from vision.events import in_language
from vision.qwixx.dice import DieSeen, HandSeen, hands_of, have_moved, seats_of
from vision.qwixx.live import Look, QwixxReferee
from vision.qwixx.rounds import Mark, Rounds, SheetSeen

SETUP: dict[str, Any] = {
    "game": "qwixx-express", "variant": "standard", "players": [{"name": "Anna"}, {"name": "Ben"}],
}
EMPTY: frozenset[Mark] = frozenset()


def misthrow(count: int) -> set[Mark]:
    return {("misthrow", place) for place in range(1, count + 1)}


def play(rounds: Rounds, stopper: int, dice: tuple[Dice, Dice], marks: Iterable[set[Mark]], rerolls: int = 0) -> Any:
    rounds.see_dice(dice)
    rounds.stop(stopper)
    rounds.table.rerolls[1 - stopper] = rerolls
    for player, seen in enumerate(marks):
        rounds.see_sheet(player, SheetSeen(frozenset(seen)))
    return rounds.finish(1.0)[0]


@pytest.mark.parametrize(
    ("stopper", "dice", "marks", "rerolls", "broken"),
    [
        (0, (Dice((5, 3), "white"), Dice((4, 2), "blue")), ({("red", 8)}, {("blue", 8), ("blue", 6)}), 0, []),
        (0, (Dice((5, 3), "green"), Dice((4, 2), "blue")), ({("green", 8)}, {("blue", 6)}), 0, []),
        (0, (Dice((5, 3), "green"), Dice((4, 2), "blue")), ({("green", 9)}, {("blue", 6)}), 0, ["wrong_sum"]),
        (0, (Dice((5, 3), "green"), Dice((4, 2), "blue")), ({("red", 8)}, {("blue", 6)}), 0, ["wrong_colour"]),
        (1, (Dice((5, 3), "green"), Dice((4, 2), "blue")), ({("green", 8)}, misthrow(4)), 0, []),
        (1, (Dice((5, 3), "green"), Dice((4, 2), "blue")), ({("green", 8)}, misthrow(3)), 0, ["misthrow_missing"]),
        (0, (Dice((5, 3), "green"), Dice((4, 2), "blue")), ({("green", 8)}, {("blue", 6), *misthrow(2)}), 2, []),
        (0, (Dice((6, 6), "red"), Dice((4, 2), "blue")), ({("red", 12), ("red", "lock")}, {("blue", 6)}), 0,
         ["needs_five_crosses"]),
    ],
)
def test_new_crosses_are_judged(
    stopper: int, dice: tuple[Dice, Dice], marks: tuple[set[Mark], set[Mark]], rerolls: int, broken: list[str]
) -> None:
    line = play(Rounds(SETUP), stopper, dice, marks, rerolls)
    assert [fault["rule"] for fault in line["violations"]] == broken
    assert line["legal"] is (not broken)


def test_the_record_judges_to_the_same() -> None:
    rounds = Rounds(SETUP)
    lines = [play(rounds, 0, (Dice((5, 3), "white"), Dice((4, 2), "blue")), ({("red", 8)}, {("blue", 8), ("blue", 6)}))]
    second = {("red", 8)}, {("blue", 8), ("blue", 6), ("red", 9)}
    lines.append(play(rounds, 1, (Dice((1, 1), "red"), Dice((6, 3), "red")), second))
    record = [line_text({"type": "setup", **SETUP}), *(line_text(in_language(line, "en")) for line in lines)]
    judged = [line for line in judge_lines(record) if line["type"] == "turn"]
    for seen, again in zip(lines, judged, strict=True):
        assert seen["legal"] == again["legal"] and seen["scores"] == again["scores"]
        assert [v["rule"] for v in seen["violations"]] == [v["rule"] for v in again["violations"]]
    assert [v["rule"] for v in lines[1]["violations"]] == ["misthrow_missing"]


def test_changes_after_stop_are_rerolls_and_the_callers_are_one_too_many() -> None:
    rounds = Rounds(SETUP)
    first = Dice((5, 3), "white"), Dice((4, 2), "blue")
    rounds.see_dice(first)
    rounds.see_dice((Dice((6, 3), "white"), Dice((4, 2), "red")))
    rounds.stop(0)
    rounds.see_dice((Dice((6, 3), "white"), Dice((4, 2), "red")))
    assert rounds.table.rerolls == [0, 0]
    rounds.see_dice((Dice((6, 3), "white"), Dice((4, 1), "red")))
    rounds.see_dice((None, Dice((4, 1), "red")), (False, True))
    assert rounds.table.rerolls == [0, 2]
    rounds.see_dice((Dice((6, 4), "white"), Dice((4, 1), "red")))
    proposal = rounds.proposal()
    assert proposal is not None and "stopped_dice_changed" in [v.rule for v in proposal.violations]


def test_a_round_is_not_judged_before_everything_is_known() -> None:
    rounds = Rounds(SETUP)
    assert rounds.missing == ("stop", "dice") and rounds.proposal() is None
    with pytest.raises(ValueError, match="stop"):
        rounds.finish(0.0)
    rounds.stop(1)
    with pytest.raises(ValueError, match="already|called"):
        rounds.stop(0)
    rounds.see_dice((Dice((5, 3), "white"), Dice((4, 2), "blue")))
    rounds.see_sheet(0, SheetSeen(EMPTY, frozenset({("red", 8)})))
    assert rounds.missing == ("doubt",) and rounds.doubtful(0) == {("red", 8)}
    rounds.say_mark(0, ("red", 8), False)
    assert rounds.missing == ()


def test_a_field_put_right_stays_right_though_the_camera_keeps_seeing_it() -> None:
    rounds = Rounds(SETUP)
    seen = {("red", 8), ("red", 2)}
    play(rounds, 0, (Dice((5, 3), "white"), Dice((4, 2), "blue")), (seen, {("blue", 6)}))
    line = rounds.correct(0, ("red", 2), False, 2.0)[0]
    assert line["type"] == "correction" and rounds.state.sheets[0].row("red") == (8,)
    rounds.see_sheet(0, SheetSeen(frozenset(seen)))
    assert rounds.news(0) == EMPTY
    rounds.undo(3.0)
    rounds.undo(3.0)
    assert rounds.state.rounds == 0
    with pytest.raises(ValueError, match="nothing"):
        rounds.undo(3.0)


def test_a_record_is_taken_up_again() -> None:
    rounds, again = Rounds(SETUP), Rounds(SETUP)
    lines = [play(rounds, 0, (Dice((5, 3), "white"), Dice((4, 2), "blue")), ({("red", 8)}, {("blue", 6)}))]
    lines += rounds.correct(0, ("red", 8), False, 2.0) + rounds.undo(3.0)
    for line in lines:
        again.replay(line)
    assert again.state == rounds.state and isinstance(again.game.judge(again.state, rounds.told[0].action), Verdict)


def die(value: int | str, colour: str, x: float, y: float = 100.0, sure: float = 0.9) -> DieSeen:
    return DieSeen(value, colour, (x - 10, y - 10, x + 10, y + 10), sure, face=1.0 if value == "face" else 0.0)


SIX = [die(2, "white", 100), die("face", "red", 150), die(5, "white", 200), die(6, "white", 500),
       die("face", "white", 520, 140), die(1, "white", 560)]


@pytest.mark.parametrize(
    ("found", "seats", "wanted"),
    [
        (SIX, ("left", "right"), (Dice((5, 2), "red"), Dice((6, 1), "white"))),
        (SIX, ("right", "left"), (Dice((6, 1), "white"), Dice((5, 2), "red"))),
        ([*SIX, die(3, "white", 300, sure=0.3)], ("left", "right"), (Dice((5, 2), "red"), Dice((6, 1), "white"))),
        (SIX[:5], ("left", "right"), (Dice((5, 2), "red"), None)),
        ([], ("left", "right"), (None, None)),
    ],
)
def test_dice_belong_to_who_they_lie_before(found: list[DieSeen], seats: tuple[str, str], wanted: Any) -> None:
    first, second = hands_of(found, (640, 480), seats)
    assert (first.dice, second.dice) == wanted


def test_a_die_taken_for_a_third_colour_die_is_the_fourth_with_pips() -> None:
    plain = DieSeen("face", "white", (550, 90, 570, 110), 0.9, face=0.7, pips=1)
    first, second = hands_of([*SIX[:5], plain], (640, 480), ("left", "right"))
    assert (first.dice, second.dice) == (Dice((5, 2), "red"), Dice((6, 1), "white"))


def test_dice_of_people_at_the_ends_are_parted_across() -> None:
    found = [die(d.value, d.colour, d.centre_px[1], d.centre_px[0]) for d in SIX]
    first, second = hands_of(found, (640, 640), ("bottom", "top"))
    assert first.dice == Dice((6, 1), "white") and second.dice == Dice((5, 2), "red")


@pytest.mark.parametrize(
    ("seats", "wanted"),
    [(("right", "left"), ("right", "left")), (("top", "bottom"), ("top", "bottom")),
     (("left", "top"), ("left", "right")), ((None, None), ("left", "right"))],
)
def test_seats(seats: tuple[str | None, str | None], wanted: tuple[str, str]) -> None:
    assert seats_of({"players": [{"seat": seat} for seat in seats]}) == wanted


def test_dice_that_lie_elsewhere_were_thrown() -> None:
    before = HandSeen(Dice((5, 2), "red"), tuple(SIX[:3]))
    assert not have_moved(before, HandSeen(before.dice, tuple(reversed(SIX[:3]))))
    assert have_moved(before, HandSeen(before.dice, (die(2, "white", 130), *SIX[1:3])))


class Still:
    """A picture that never moves."""

    def update(self, image_bgr: Any, t_s: float) -> float:
        return 1.0


def test_frames_and_commands_make_a_game() -> None:
    hands = hands_of(SIX, (640, 480), ("left", "right"))
    sheets = [SheetSeen(EMPTY), SheetSeen(EMPTY)]
    setup = {**SETUP, "stops": [{"t_s": 2.0, "player": "Ben"}]}
    referee = QwixxReferee(setup, lambda image: Look(hands, (sheets[0], sheets[1])), Still())
    frame = np.zeros((4, 4, 3), np.uint8)
    for t in np.arange(0, 3, 0.5):
        assert referee.step(frame, float(t)) == []
    assert referee.rounds.table.dice == [Dice((5, 2), "red"), Dice((6, 1), "white")]
    assert referee.rounds.table.stopper == 1
    sheets[:] = SheetSeen(frozenset({("red", 7), ("blue", 7)})), SheetSeen(frozenset({("green", 7)}))
    for t in np.arange(3, 7, 0.5):
        referee.step(frame, float(t))
    shot = referee.snapshot([], 7.0, 10.0)["qwixx"]
    assert shot["proposal"]["legal"] and not shot["missing"] and shot["stopper"] == "Ben"
    lines = referee.obey({"do": "done"}, 7.0)
    assert lines[0]["legal"] and lines[0]["scores"] == {"Anna": 2, "Ben": 1}
    fields = referee.snapshot(lines, 7.0, 10.0)["qwixx"]["sheets"][0]["fields"]
    assert fields == [{"row": row, "value": 7, "round": 1, "new": False} for row in ("blue", "red")]


@pytest.mark.parametrize(
    "command",
    [
        {"do": "stop", "player": "Carl"}, {"do": "done"},
        {"do": "field", "player": "Anna", "row": "red", "value": 1, "crossed": True},
        {"do": "dice", "player": "Anna"}, {"do": "undo"}, {"do": "sheet", "player": "Anna", "marks": [["x", 3]]},
    ],
)
def test_commands_that_make_no_sense_are_refused(command: dict[str, Any]) -> None:
    referee = QwixxReferee(SETUP, lambda image: Look(), Still())
    with pytest.raises((ValueError, KeyError, TypeError)):
        referee.obey(command, 0.0)
