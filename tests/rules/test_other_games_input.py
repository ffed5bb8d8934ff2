"""Bad set-ups and record lines of Spuk, Dice Flick and Qwixx Express: one sentence that names the fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dice_flick_box
import pytest
import qwixx_sheets
import spuk_board

from rules import game_named
from rules.protocol import RecordError, SetupError
from rules.record import judge_lines
from rules.texts import OUTCOMES, WORDINGS

SETUPS: dict[str, dict[str, Any]] = {
    "spuk": spuk_board.setup("RB"),
    "dice-flick": dice_flick_box.setup(),
    "qwixx-express": qwixx_sheets.setup(),
}


def field(index: int, /, **changes: Any) -> dict[str, Any]:
    """The Spuk set-up with one field changed."""
    raw = spuk_board.setup("RB")
    raw["board"]["fields"][index] = {**raw["board"]["fields"][index], **changes}
    return raw


BAD_SETUPS: list[tuple[dict[str, Any], str]] = [
    ({**SETUPS["spuk"], "board": {}}, "board: fields are missing"),
    (field(3, kind="hexagon"), 'field 3 has kind "hexagon"'),
    (field(3, index=5), "stands where 3 should be"),
    (field(3, number=2), "field 3 is round with number 2"),
    (field(4, number=None), "field 4 is numbered with number null"),
    (field(4, number=3), r"numbered fields are \[3, 2, 3, 4, 5, 6\]"),
    (field(14, kind="round"), "there must be two"),
    (field(15, kind="square"), "there must be two"),
    (field(0, kind="round"), "the first field must be the start"),
    (field(29, kind="round"), "the last field must be the treasure"),
    ({**SETUPS["spuk"], "pieces_per_player": 2}, "needs 3 to 5 figures"),
    ({**SETUPS["spuk"], "pieces_per_player": 4, "variant": "5_to_win"}, "needs 5 to 5 figures"),
    ({**SETUPS["spuk"], "variant": "4_to_win"}, "variant"),
    ({**SETUPS["spuk"], "options": {"square_overshoot": "fly"}}, "square_overshoot"),
    ({**SETUPS["spuk"], "options": {"no_such": 1}}, "no_such"),
    ({**SETUPS["spuk"], "players": [{"name": "R", "colour": "red"}] * 2}, "two players"),
    ({**SETUPS["dice-flick"], "markers": []}, "markers: expected an object"),
    ({**SETUPS["dice-flick"], "markers": {"upgrade_pink": [[1, 1]]}}, "unknown sticker"),
    ({**SETUPS["dice-flick"], "markers": {"bonus": [[0, 6]]}}, r"bonus at \[0, 6\]"),
    ({**SETUPS["dice-flick"], "markers": {"bonus": [[3, 3]]}}, "same hole"),
    ({**SETUPS["dice-flick"], "options": {"min_group": 9}}, "min_group"),
    ({**SETUPS["qwixx-express"], "players": [{"name": "Anna"}]}, "players"),
    ({**SETUPS["qwixx-express"], "options": {"misthrow_segments": [3, 3, 3]}}, "misthrow_segments"),
    ({**SETUPS["qwixx-express"], "options": {"misthrow_segments": [3, 3, 3, -1]}}, "misthrow_segments"),
]


@pytest.mark.parametrize(("raw", "fault"), BAD_SETUPS, ids=[fault for _, fault in BAD_SETUPS])
def test_bad_setup(raw: dict[str, Any], fault: str) -> None:
    with pytest.raises(SetupError, match=fault) as error:
        game_named(raw["game"]).start(raw)
    assert error.value.text("de")


DICE = {"Anna": {"numbers": [5, 3], "colour": "white"}, "Ben": {"numbers": [2, 4], "colour": "blue"}}
QWIXX = {"stopper": "Anna", "dice": DICE}

BAD_LINES: list[tuple[str, dict[str, Any], str]] = [
    ("spuk", {"player": "Zoe", "roll": 3, "moves": []}, "Zoe"),
    ("spuk", {"player": "R", "roll": 7, "moves": []}, "roll: expected 1 to 6, found 7"),
    ("spuk", {"player": "R", "roll": 3, "moves": [{"piece": "pawn:pink", "from": 0, "to": 2}]}, "pawn:pink"),
    ("spuk", {"player": "R", "roll": 3, "moves": [{"piece": "guard", "from": 0, "to": 2}]}, "guard"),
    ("spuk", {"player": "R", "roll": 3, "moves": [{"piece": "pawn:red", "from": 5, "to": 8}]}, "no pawn:red stands"),
    ("spuk", {"player": "R", "roll": 3, "moves": [{"piece": "pawn:red", "from": 0, "to": 30}]}, "30"),
    ("spuk", {"player": "R", "roll": 3, "moves": [{"piece": "pawn:red", "from": 0}]}, "to"),
    ("spuk", {"player": "R", "roll": 3, "moves": 5}, "moves: expected a list"),
    ("spuk", {"player": "R", "roll": 6, "moves": [], "rolled_before_moving": 1}, "rolled_before_moving"),
    ("dice-flick", {"player": "Zoe"}, "Zoe"),
    ("dice-flick", {"player": "Anna", "flicks": [{"die": "red", "landed": "ditch"}]}, "flicks, number 1: die"),
    ("dice-flick", {"player": "Anna", "flicks": [{"die": "pink", "landed": "moon"}]}, "flicks, number 1: landed"),
    ("dice-flick", {"player": "Anna", "flicks": ["pink"]}, "flicks, number 1"),
    ("dice-flick", {"player": "Anna", "board": [{"row": 6, "col": 1, "colour": "blue", "value": 1}]}, r"\[6, 1\]"),
    ("dice-flick", {"player": "Anna", "board": [{"row": 5, "col": 1, "colour": "blue", "value": 7}]}, "value"),
    ("dice-flick", {"player": "Anna", "board": [{"row": 5, "col": 1, "colour": "blue", "value": 1}] * 2}, "one die"),
    ("dice-flick", {"player": "Anna", "claimed": -1}, "claimed"),
    ("dice-flick", {"player": "Anna", "returned": [[1, 1]]}, "without a die"),
    ("dice-flick", {"player": "Anna", "hand": ["pink"]}, "three dice"),
    ("dice-flick", {"player": "Anna", "scored": [{"kind": "row"}]}, "kind"),
    ("qwixx-express", {"dice": DICE}, "stopper"),
    ("qwixx-express", {"stopper": "Zoe", "dice": DICE}, "Zoe"),
    ("qwixx-express", {"stopper": "Anna"}, "dice"),
    ("qwixx-express", {"stopper": "Anna", "dice": {**DICE, "Zoe": {}}}, "Zoe"),
    ("qwixx-express", {"stopper": "Anna", "dice": {"Anna": DICE["Anna"]}}, "dice: Ben: numbers"),
    ("qwixx-express", {"stopper": "Anna", "dice": {**DICE, "Ben": {"numbers": [7, 1], "colour": "red"}}}, "Ben"),
    ("qwixx-express", {"stopper": "Anna", "dice": {**DICE, "Ben": {"numbers": [6, 1], "colour": "pink"}}}, "colour"),
    ("qwixx-express", {**QWIXX, "rerolls": {"Ben": -1}}, "rerolls"),
    ("qwixx-express", {**QWIXX, "crosses": [{"action": 3, "player": "Anna", "row": "red", "number": 8}]}, "action"),
    ("qwixx-express", {**QWIXX, "crosses": [{"action": 1, "player": "Anna", "row": "pink", "number": 8}]}, "row"),
    ("qwixx-express", {**QWIXX, "crosses": [{"action": 1, "player": "Anna", "row": "red", "number": 13}]}, "number"),
    ("qwixx-express", {**QWIXX, "crosses": [{"action": 1, "row": "red", "number": 8}]}, "player"),
    ("qwixx-express", {**QWIXX, "misthrow": {"Ben": 17}}, "17 crossed fields"),
]


@pytest.mark.parametrize(("game", "line", "fault"), BAD_LINES, ids=[f"{game}: {fault}" for game, _, fault in BAD_LINES])
def test_bad_line(game: str, line: dict[str, Any], fault: str) -> None:
    """The set-up line before the fault is not lost, the fault names its line."""
    record = [json.dumps({"type": "setup", **SETUPS[game]}), json.dumps({"type": "turn", **line})]
    judged = judge_lines(record)
    assert next(judged)["game"] == game
    with pytest.raises(RecordError, match=f"line 2: .*{fault}") as error:
        next(judged)
    assert error.value.line == 2


@pytest.mark.parametrize("game", SETUPS)
@pytest.mark.parametrize("text", ["", "x", "1 0", "0 9 0/0", "0 -/-/-/-/0 -/-/-/-/99", "to_move=0"])
def test_bad_state_text(game: str, text: str) -> None:
    with pytest.raises(RecordError):
        game_named(game).state_from_text(SETUPS[game], text)


@pytest.mark.parametrize("game", SETUPS)
def test_house_rules_are_explained(game: str) -> None:
    info = game_named(game).info
    for option in info.options:
        assert option.text("de") and option.text("en") and option.text("de") != option.text("en")
        assert not option.choices or option.default in [choice.value for choice in option.choices]


RULES = """
    out_of_turn no_move more_than_one_move game_is_over wrong_count moved_backwards not_own_pawn waiting_pawn_moved
    passed_square occupied_number occupied_by_own not_thrown_out thrown_to_wrong_field thrown_without_reason
    not_pushed_down not_carried_across carried_to_wrong_field rolled_before_moving left_home too_many_flicks
    too_few_flicks scored_too_much score_not_possible die_scored_twice die_not_returned returned_unscored_die
    not_a_group kept_die_swapped not_from_hand left_of_last_cross wrong_sum wrong_colour shared_without_joker
    row_closed needs_five_crosses lock_missing lock_too_early too_many_rerolls stopped_dice_changed misthrow_missing
    misthrow_too_many action_two_cancelled more_than_one_cross
"""


@pytest.mark.parametrize("rule", RULES.split())
def test_every_broken_rule_has_words_and_a_source(rule: str) -> None:
    wording = WORDINGS[rule]
    assert wording.source and wording.plain_de and wording.plain_en


ENDS = ["treasure_reached", "nobody_can_move", "ten_rounds", "two_rows_closed", "four_misthrows"]


@pytest.mark.parametrize("why", ENDS)
def test_every_end_has_words(why: str) -> None:
    assert all(OUTCOMES[why])


CLIP = Path(__file__).parents[3] / "shared" / "clips" / "spuk_a"


def clip_record() -> list[str]:
    """The rendered Spuk recording's true turns as a record."""
    setup, truth = (json.loads((CLIP / name).read_text()) for name in ("setup.json", "truth.json"))
    lines = [{"type": "setup", **setup}]
    for event in truth["events"]:
        moves = [{"piece": f"pawn:{m['piece']['colour']}", "from": m["from"], "to": m["to"]} for m in event["moves"]]
        line: dict[str, Any] = {"type": "turn", "player": event["player"], "roll": event["roll"], "moves": moves}
        lines.append({**line, "type": "correction"} if event["type"] == "corrected" else line)
    return [json.dumps(line) for line in lines]


@pytest.mark.skipif(not CLIP.is_dir(), reason="the rendered recording is not here")
def test_rendered_recording() -> None:
    events = json.loads((CLIP / "truth.json").read_text())["events"]
    for event, line in zip(events, list(judge_lines(clip_record()))[1:], strict=False):
        if event["type"] == "turn":
            assert line["legal"] == event["legal"]
            assert [v["rule"] for v in line["violations"]] == ([event["broken_rule"]] if event["broken_rule"] else [])
