"""Changes on the table that no turn of the rules explains: offered as they stand, taken, kept."""

from __future__ import annotations

from typing import Any

import pytest

from rules import game_of
from rules.protocol import Move
from rules.verflixxt.state import Turn
from tests.vision.fake_eyes import NONE, FakeEyes
from tests.vision.playing import happenings, referee_for, watch
from tests.vision.toy import Toy
from vision.commands import obey
from vision.history import History
from vision.referee import Referee

STRANGE = Turn(0, 3, (Move("pawn:red", 0, 9), Move("pawn:blue", 0, 4), Move("guard", 9, 20)), (2,))
"""Three pieces and a tile at once: nothing that the rules call a likely mistake."""


def disturbed(thrown: bool) -> Toy:
    toy = Toy()
    toy.rest(0.8)
    toy.play(3, toy.game.legal_actions(toy.state, 3)[0])
    if thrown:
        toy.roll(4)
    toy.hand()
    toy.state = toy.game.correct(toy.state, STRANGE)
    toy.rest(3.0)
    return toy


def asked(toy: Toy) -> tuple[Referee, list[dict[str, Any]]]:
    """The referee after the last frame, before the recording is over."""
    referee, lines = referee_for(toy.setup, FakeEyes(toy.stills, toy.plane, NONE, 0), toy.plane), []
    for t_s, image in toy.timed():
        lines += referee.step(image, t_s)
    return referee, lines


@pytest.mark.parametrize(("thrown", "kind"), [(True, "turn"), (False, "correction")])
def test_the_table_as_it_stands_is_offered_and_can_be_chosen(thrown: bool, kind: str) -> None:
    toy = disturbed(thrown)
    referee, lines = asked(toy)
    question = lines[-1]
    assert question["type"] == "needs_you"
    index = next(k for k, offered in enumerate(question["alternatives"]) if offered.get("as_it_is"))
    offered = question["alternatives"][index]
    assert offered["type"] == kind and offered["text"]["en"].startswith("The table as it stands: ")
    chosen = referee.choose(index, toy.t_s)
    assert referee.history.state.pawns == toy.state.pawns and referee.history.state.guards == toy.state.guards
    assert referee.history.state.route == toy.state.route
    assert chosen[0]["as_it_is"] and chosen[0]["by"] == "person"
    if kind == "turn":
        assert {"more_than_one_move"} <= {violation["rule"] for violation in chosen[0]["violations"]}


@pytest.mark.parametrize("wanted", [{"do": "choose", "index": 0}, {"do": "dismiss"}])
def test_the_answer_to_another_question_is_not_taken(wanted: dict[str, Any]) -> None:
    referee, lines = asked(toy := disturbed(True))
    with pytest.raises(ValueError, match="another question"):
        obey(referee, {**wanted, "t_s": lines[-1]["t_s"] - 1.0}, toy.t_s)
    assert referee.history.question is not None
    obey(referee, {**wanted, "t_s": lines[-1]["t_s"]}, toy.t_s)
    assert referee.history.question is None


def test_it_is_kept_in_the_record() -> None:
    toy = disturbed(True)
    referee, lines = asked(toy)
    index = next(k for k, offered in enumerate(lines[-1]["alternatives"]) if offered.get("as_it_is"))
    lines += referee.choose(index, toy.t_s)
    again = History(referee.history.game, game_of(toy.setup).start(toy.setup))
    for line in lines:
        again.replay(line)
    assert again.state == referee.history.state


def test_it_can_be_taken_though_nobody_was_asked() -> None:
    toy = disturbed(False)
    referee, _ = asked(toy)
    referee.dismiss()
    assert referee.history.state.pawns != toy.state.pawns
    lines = obey(referee, {"do": "take"}, toy.t_s)
    assert [line["type"] for line in lines] == ["correction"]
    assert referee.history.state.pawns == toy.state.pawns
    with pytest.raises(ValueError, match="as the game says"):
        obey(referee, {"do": "take"}, toy.t_s)


def test_where_nobody_answers_the_game_goes_on_from_the_table() -> None:
    toy = disturbed(True)
    for face in (2, 5):
        toy.play(face, toy.game.legal_actions(toy.state, face)[0])
    referee, lines = watch(toy)
    assert referee.history.state.pawns == toy.state.pawns and referee.history.state.route == toy.state.route
    assert [h[0] for h in happenings(lines)].count("needs_you") == 1
