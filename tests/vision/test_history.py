"""What is settled, what is asked, and what a person can say about it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rules import game_of
from rules.protocol import Move, RecordError
from rules.verflixxt.state import State, Turn
from tests.vision.toy import SETUP
from vision import events
from vision.explain import Branch, Explanation, Hypothesis, Told
from vision.history import History
from vision.reading import TableReading

GAME = game_of(SETUP)
LOOK = TableReading(1.0)


def told(state: State, turn: Turn) -> Told:
    verdict = GAME.judge(state, turn)
    return Told("turn", state, turn, verdict.state, verdict.violations, turn.roll)


def red(roll: int, to: int) -> Turn:
    return Turn(0, roll, (Move("pawn:red", 0, to),))


def explanation(branch: Branch, *ranked: tuple[Told | None, float], shortfall: float = 0.0) -> Explanation:
    hypotheses = tuple((Hypothesis(branch, t, t.after if t else branch.state, 0.0, 0.0), p) for t, p in ranked)
    return Explanation(hypotheses, {1: shortfall}, ranked[0][1])


@pytest.fixture
def history() -> History:
    return History(GAME, GAME.start(SETUP))


def test_sure_and_well_fitting_is_accepted(history: History) -> None:
    branch = history.branch
    turn = told(branch.state, red(3, 3))
    assert history.accepts(explanation(branch, (turn, 0.99)))
    assert not history.accepts(explanation(branch, (turn, 0.9)))
    assert history.accepts(explanation(branch, (turn, 0.99), shortfall=3.5))
    assert not history.accepts(explanation(branch, (turn, 0.99), shortfall=5.0))


def test_a_settled_turn_becomes_a_line(history: History) -> None:
    branch = history.branch
    lines = history.settle(explanation(branch, (told(branch.state, red(3, 5)), 0.99)), LOOK, 7.25)
    assert len(lines) == 1
    line = lines[0]
    assert line["type"] == "turn"
    assert (line["turn"], line["t_s"], line["player"], line["roll"]) == (1, 7.25, "Anna", 3)
    assert line["moves"] == [{"piece": "pawn:red", "from": "start", "to": 5}]
    assert line["legal"] is False
    assert [v["rule"] for v in line["violations"]] == ["wrong_count"]
    assert set(line["violations"][0]["text"]) == set(line["text"]) == {"de", "en"}
    assert line["scores"] == {"Anna": 0, "Ben": 0}
    assert history.state.to_move == 1


def asked(history: History) -> list[dict[str, Any]]:
    branch = history.branch
    options = told(branch.state, red(3, 3)), told(branch.state, red(3, 4))
    return history.ask(explanation(branch, (options[0], 0.5), (options[1], 0.4), (None, 0.1)), LOOK, 9.0)


def test_a_doubt_offers_what_may_have_happened(history: History) -> None:
    lines = asked(history)
    assert [line["type"] for line in lines] == ["needs_you"]
    assert [a["moves"][0]["to"] for a in lines[0]["alternatives"]] == [3, 4]
    assert history.question is not None
    assert len(history.branches) == 3


def test_the_same_doubt_is_put_once(history: History) -> None:
    asked(history)
    branches = history.branches
    again = Explanation(tuple((Hypothesis(b, None, b.state, 0.0, 0.0), 0.3) for b in branches), {}, 0.3)
    assert history.ask(again, LOOK, 10.0) == []


def test_a_person_chooses(history: History) -> None:
    asked(history)
    lines = history.choose(1, 11.0)
    assert [(line["type"], line["moves"][0]["to"], line["by"]) for line in lines] == [("turn", 4, "person")]
    assert history.question is None
    assert history.state.pawns[0] == (0, 0, 4)


@pytest.mark.parametrize("number", [-1, 2, 9])
def test_only_what_is_offered_can_be_chosen(history: History, number: int) -> None:
    asked(history)
    with pytest.raises(ValueError, match="no alternative"):
        history.choose(number, 11.0)


def test_nothing_to_choose_without_a_question(history: History) -> None:
    with pytest.raises(ValueError, match="no alternative"):
        history.choose(0, 1.0)


def test_the_next_look_can_end_a_doubt(history: History) -> None:
    asked(history)
    right = history.branches[1]
    lines = history.settle(Explanation(((Hypothesis(right, None, right.state, 0.0, 0.0), 0.97),), {}, 0.97), LOOK, 12.0)
    assert [(line["type"], line["moves"][0]["to"]) for line in lines] == [("turn", 4)]
    assert (lines[0]["t_s"], lines[0]["settled_s"], "unsure" in lines[0]) == (9.0, 12.0, False)
    assert history.question is None
    assert history.branch.pending == ()


def test_a_doubt_nobody_ends_does_not_stop_the_game(history: History) -> None:
    """Two branches, no matter which: the next turn is sure, the one before it stays marked."""
    asked(history)
    first, second = history.branches[:2]
    turn = Turn(1, 2, (Move("pawn:blue", 0, 2),))
    nexts = [Hypothesis(b, told(b.state, turn), told(b.state, turn).after, 0.0, 0.0) for b in (first, second)]
    explanation = Explanation(((nexts[0], 0.6), (nexts[1], 0.38)), {}, 0.98)
    assert history.accepts(explanation)
    lines = history.settle(explanation, LOOK, 15.0)
    shown = [(line["turn"], line["t_s"], line.get("unsure", False)) for line in lines]
    assert shown == [(1, 9.0, True), (2, 15.0, False)]
    assert lines[0]["confidence"] == pytest.approx(0.61, abs=0.01)
    assert lines[1]["confidence"] == 0.98


@pytest.mark.parametrize(("likelier", "rival", "goes_on"), [(0.66, 0.32, True), (0.46, 0.52, False)])
def test_players_who_go_on_settle_a_doubt_of_the_table(
    history: History, likelier: float, rival: float, goes_on: bool
) -> None:
    """The next turn is sure though it cannot be said what stands elsewhere; the likelier of both is then believed."""
    asked(history)
    turn = Turn(1, 2, (Move("pawn:blue", 0, 2),))
    nexts = [Hypothesis(b, told(b.state, turn), told(b.state, turn).after, 0.0, 0.0) for b in history.branches[:2]]
    explanation = Explanation(((nexts[0], likelier), (nexts[1], rival)), {}, likelier, likelier + rival)
    assert history.accepts(explanation) is goes_on
    if goes_on:
        lines = history.settle(explanation, LOOK, 15.0)
        assert [(line["turn"], line.get("unsure", False)) for line in lines] == [(1, True), (2, False)]
        assert lines[0]["confidence"] == pytest.approx(likelier / (likelier + rival), abs=0.01)


def doubtful(history: History, first: tuple[Told, float], other: tuple[Told, float]) -> None:
    """A doubt about the first turn and two more turns, none of which is sure."""
    start = Branch(history.state)
    history.ask(explanation(start, first, other), LOOK, 2.0)
    for t_s, turn in ((5.0, Turn(1, 2, (Move("pawn:blue", 0, 2),))), (8.0, red(4, 4))):
        ranked = [(b, told(b.state, turn)) for b in history.branches]
        nexts = tuple((Hypothesis(b, t, t.after, 0.0, 0.0), math.exp(b.weight) * 0.9) for b, t in ranked)
        history.ask(Explanation(nexts, {}, 0.5, 0.5), LOOK, t_s)


def test_what_is_left_open_too_long_is_believed_to_be_the_likeliest(history: History) -> None:
    state = history.state
    doubtful(history, (told(state, red(3, 3)), 0.55), (told(state, red(2, 2)), 0.45))
    assert [(t.roll, t.asked_s) for t in history.settled] == [(3, 2.0)]
    assert [len(branch.pending) for branch in history.branches] == [2]
    assert [line["turn"] for line in history.give_up(9.0, keep=0)] == [2, 3]


@pytest.mark.parametrize(("wrong", "believed"), [(0.7, 5), (0.9, 3)])
def test_in_doubt_a_turn_counts_as_legal(history: History, wrong: float, believed: int) -> None:
    """A pawn went five places; the die showed a 3 or a 5."""
    state = history.state
    doubtful(history, (told(state, red(3, 5)), wrong), (told(state, red(5, 5)), 1.0 - wrong))
    assert [t.roll for t in history.settled] == [believed]


@pytest.mark.parametrize(
    ("share", "shortfall", "asked_"), [(0.9, 0.0, False), (0.8, 0.0, False), (0.6, 0.0, True), (0.9, 5.0, True)]
)
def test_only_a_great_doubt_or_a_table_that_nothing_explains_is_a_question(
    history: History, share: float, shortfall: float, asked_: bool
) -> None:
    branch = history.branch
    options = (told(branch.state, red(3, 3)), share), (told(branch.state, red(3, 4)), 1.0 - share)
    assert history.is_question(explanation(branch, *options, shortfall=shortfall)) is asked_


def test_a_slight_doubt_stays_open_until_the_next_turn(history: History) -> None:
    branch = history.branch
    first, other = told(branch.state, red(3, 3)), told(branch.state, red(4, 3))
    assert history.leave_open(explanation(branch, (first, 0.85), (other, 0.15)), LOOK, 2.0) == []
    assert (history.question, [t.kind for t in history.settled]) == (None, [])
    nexts = []
    for held, p in zip(history.branches, (0.82, 0.14), strict=True):
        turn = told(held.state, Turn(1, 2, (Move("pawn:blue", 0, 2),)))
        nexts.append((Hypothesis(held, turn, turn.after, 0.0, 0.0), p))
    after = Explanation(tuple(nexts), {}, 0.96, 0.96)
    assert history.accepts(after)
    lines = history.settle(after, LOOK, 6.0)
    assert [(line["turn"], line["roll"], line["t_s"], line.get("unsure")) for line in lines] == [
        (1, 3, 2.0, True), (2, 2, 6.0, None),
    ]


def test_nothing_new_since_a_doubt_is_a_question_only_if_the_doubt_is(history: History) -> None:
    asked(history)
    still = [Hypothesis(branch, None, branch.state, 0.0, 0.0) for branch in history.branches]
    shares = (0.8, 0.15, 0.05), (0.6, 0.35, 0.05)
    found = [Explanation(tuple(zip(still, p, strict=True)), {}, 1.0, 1.0) for p in shares]
    assert [history.is_question(explanation) for explanation in found] == [False, True]


def test_the_throw_that_made_a_turn_is_offered_once(history: History) -> None:
    """A pawn went to the ninth tile: no throw allows that, whichever it was."""
    branch = history.branch
    same = [(told(branch.state, red(roll, 9)), p) for roll, p in ((3, 0.5), (4, 0.3))]
    lines = history.ask(explanation(branch, *same, (told(branch.state, red(3, 8)), 0.2)), LOOK, 9.0)
    assert [(a["roll"], a["moves"][0]["to"]) for a in lines[0]["alternatives"]] == [(3, 9), (3, 8)]


def test_dismissing_goes_back_to_what_is_settled(history: History) -> None:
    before = history.state
    asked(history)
    history.dismiss()
    assert (history.state, history.question, len(history.branches)) == (before, None, 1)


def test_undo_goes_back_one_turn_and_does_not_take_it_again(history: History) -> None:
    branch = history.branch
    turn = told(branch.state, red(3, 3))
    history.settle(explanation(branch, (turn, 0.99)), LOOK, 7.0)
    line = history.undo(8.0)[0]
    assert (line["type"], line["turn"]) == ("undo", 1)
    assert history.state == branch.state
    assert not history.accepts(explanation(history.branch, (turn, 0.99)))
    assert history.accepts(explanation(history.branch, (None, 0.99)))


def test_nothing_to_undo(history: History) -> None:
    with pytest.raises(ValueError, match="nothing to undo"):
        history.undo(1.0)


def test_a_record_replays_to_the_same_state(history: History) -> None:
    branch = history.branch
    lines = history.settle(explanation(branch, (told(branch.state, red(3, 5)), 0.99)), LOOK, 7.0)
    target = GAME.judge(branch.state, red(3, 3)).state
    change = GAME.difference(history.state, target)
    fix = Told("correction", history.state, change, GAME.correct(history.state, change))
    lines += history.settle(explanation(history.branch, (fix, 0.99)), LOOK, 9.0)
    lines += history.settle(
        explanation(history.branch, (told(history.state, Turn(1, 2, (Move("pawn:blue", 0, 2),))), 0.99)), LOOK, 12.0
    )
    lines += history.undo(13.0)
    again = History(GAME, GAME.start(SETUP))
    for line in lines:
        again.replay(line)
    assert again.state == history.state
    assert [t.kind for t in again.settled] == ["turn", "correction"]


def test_a_record_of_another_game_is_refused(history: History) -> None:
    with pytest.raises(RecordError):
        history.replay({"type": "turn", "player": "Nobody", "roll": 3, "moves": []})


def test_the_end_is_told_once() -> None:
    start = GAME.start(SETUP)
    finish = start.config.finish
    last = State(start.config, 0, 30, (32,), ((32, finish, finish), (finish,) * 3), (), ((), tuple(range(1, 32))))
    history = History(GAME, last)
    turn = told(last, Turn(0, 1, (Move("pawn:red", 32, finish),), (32,)))
    lines = history.settle(explanation(history.branch, (turn, 0.99)), LOOK, 99.0)
    assert [line["type"] for line in lines] == ["turn", "end"]
    assert lines[1]["winners"] == ["Ben"]
    assert lines[1]["scores"] == lines[0]["scores"]
    assert history.settle(explanation(history.branch, (None, 0.99)), LOOK, 100.0) == []


def test_sentences_in_one_language() -> None:
    line = {"text": {"de": "ja", "en": "yes"}, "list": [{"text": {"de": "a", "en": "b"}}], "n": 1}
    assert events.in_language(line, "en") == {"text": "yes", "list": [{"text": "b"}], "n": 1}
