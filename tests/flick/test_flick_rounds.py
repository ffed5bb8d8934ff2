"""Flicks, turns and totals from boards at rest, without pictures."""

from __future__ import annotations

from typing import Any

import pytest

from rules.dice_flick import DiceFlick, Die
from rules.dice_flick.values import Board
from rules.texts import turn_text
from vision.explain import Told
from vision.flick.rounds import PATIENCE_S, Look, Rounds, Spot

SETUP: dict[str, Any] = {
    "game": "dice-flick", "players": [{"name": "Anna"}, {"name": "Ben"}], "options": {"rounds": 2},
    "markers": {"upgrade_green": [[2, 2]], "upgrade_blue": [[2, 4]], "upgrade_yellow": [[4, 4]], "centre": [[3, 3]],
                "bonus": [[1, 5], [5, 1]]},
}

BLUE4, BLUE1, GREEN5, PINK = Die(1, 1, "blue", 4), Die(1, 2, "blue", 1), Die(1, 3, "green", 5), Die(4, 2, "pink", 6)
CENTRE = Die(3, 3, "yellow", 5)
BONUS = Die(1, 5, "white", 2)


class Table:
    """A table at which boards are shown one after the other, a few seconds apart."""

    def __init__(self) -> None:
        game = DiceFlick()
        self.rounds = Rounds(game, game.start(SETUP))
        self.t_s = 0.0
        self.show()

    def show(
        self, *board: Die, loose: tuple[Spot, ...] = (), wait_s: float = 2.0, hidden: Board = (), sure: float = 1.0
    ) -> list[Told]:
        self.t_s += wait_s
        cells = frozenset(die.cell for die in hidden)
        return self.rounds.see(Look(self.t_s, tuple(sorted(board)), loose, cells, sure=sure))

    @property
    def points(self) -> tuple[tuple[int, ...], ...]:
        return self.rounds.state.points


def only(told: list[Told]) -> Told:
    assert len(told) == 1
    return told[0]


def test_two_flicks_and_the_best_score_taken_out_end_a_turn() -> None:
    table = Table()
    assert not table.show(CENTRE)
    assert not table.show(CENTRE, BLUE4)
    assert table.rounds.proposal().score == 10
    told = only(table.show(BLUE4))
    assert not told.violations
    assert [f.landed for f in told.action.throw.flicks] == ["hole", "hole"]
    assert told.action.returned == ((3, 3),)
    assert table.points == ((10,), ())
    assert table.rounds.state.to_move == 1


def test_a_die_in_the_ditch_is_a_flick() -> None:
    table = Table()
    table.show(BLUE4, loose=(("ditch", "green", 10.0, 300.0),))
    assert [f.landed for f in table.rounds.flicks] == ["ditch", "hole"]
    assert not table.show(BLUE4), "the die goes back to the bag, nothing to score"
    assert only(table.show(BLUE4, wait_s=PATIENCE_S + 1)).action.claimed == 0
    assert table.points == ((0,), ())


def test_the_next_die_after_all_flicks_belongs_to_the_next_player() -> None:
    table = Table()
    table.show(BLUE4)
    table.show(BLUE4, GREEN5)
    told = only(table.show(BLUE4, GREEN5, BLUE1))
    assert table.points == ((0,), ())
    assert told.action.claimed == 0
    assert [f.die for f in table.rounds.flicks] == ["blue"]


def test_a_miss_after_all_flicks_belongs_to_the_next_player() -> None:
    table = Table()
    table.show(BLUE4)
    table.show(BLUE4, GREEN5)
    assert only(table.show(BLUE4, GREEN5, loose=(("ditch", "white", 10.0, 300.0),))).action.claimed == 0
    assert [(f.die, f.landed) for f in table.rounds.flicks] == [("white", "ditch")]


def test_a_turn_is_as_sure_as_its_board() -> None:
    table = Table()
    table.show(CENTRE, sure=0.4)
    table.show(CENTRE, BLUE4, sure=0.7)
    assert only(table.show(BLUE4, sure=0.99)).action.returned == ((3, 3),)
    assert table.rounds.told_sure == 0.7


def test_a_turn_with_a_flick_that_nobody_saw_is_doubtful() -> None:
    table = Table()
    table.show(CENTRE)
    only(table.show())
    assert table.rounds.told_sure < 0.9


def test_the_bonus_marker_gives_a_third_flick() -> None:
    table = Table()
    table.show(BONUS)
    assert table.rounds.due == 3
    table.show(BONUS, BLUE4)
    table.show(BONUS, BLUE4, CENTRE)
    told = only(table.show(BONUS, BLUE4))
    assert not told.violations
    assert len(told.action.throw.flicks) == 3


def test_scored_dice_may_go_one_by_one() -> None:
    table = Table()
    third = Die(2, 1, "blue", 6)
    table.show(BLUE4, BLUE1)
    told = only(table.show(BLUE4, BLUE1, third))
    assert told.action.claimed == 0
    table.show(BLUE4, BLUE1, third, GREEN5)
    assert table.rounds.proposal().score > 0
    assert not table.show(BLUE1, third, GREEN5)
    assert not table.show(third, GREEN5)
    assert only(table.show(GREEN5)).action.returned == ((1, 1), (1, 2), (2, 1))


def test_a_wrong_die_taken_out_is_said() -> None:
    table = Table()
    table.show(CENTRE, BLUE4)
    assert not table.show(CENTRE, wait_s=1.0)
    told = only(table.show(CENTRE, wait_s=PATIENCE_S + 1))
    assert [v.rule for v in told.violations] == ["die_not_returned", "returned_unscored_die"]


def test_knocked_dice_stay_the_flicks_they_were() -> None:
    table = Table()
    table.show(BLUE4)
    elsewhere = Die(2, 1, "blue", 6)
    table.show(elsewhere, GREEN5)
    assert [(f.die, f.row, f.value) for f in table.rounds.flicks] == [("blue", 2, 6), ("green", 1, 5)]


def test_a_die_knocked_into_the_ditch_is_no_flick() -> None:
    table = Table()
    table.show(BLUE4)
    table.show(GREEN5, loose=(("ditch", "blue", 10.0, 300.0),))
    assert [(f.die, f.landed) for f in table.rounds.flicks] == [("blue", "hole"), ("green", "hole")]
    assert not table.rounds.taken


def test_three_dice_drawn_onto_the_table_are_no_flicks() -> None:
    table = Table()
    drawn: tuple[Spot, ...] = tuple(("outside", c, 900.0, 100.0 * k) for k, c in enumerate(("blue", "white", "green")))
    table.show(loose=drawn)
    assert not table.rounds.flicks


def test_a_hole_under_a_hand_holds_what_it_held() -> None:
    table = Table()
    table.show(BLUE4, CENTRE)
    assert not table.show(CENTRE, hidden=(BLUE4,))
    assert table.rounds.board == (BLUE4, CENTRE)


def test_a_person_ends_a_turn_with_other_points() -> None:
    table = Table()
    table.show(CENTRE, BLUE4)
    told = only(table.rounds.finish(5.0, 12))
    assert [v.rule for v in told.violations] == ["scored_too_much"]
    assert table.points == ((12,), ())


def test_a_corrected_die_corrects_its_flick() -> None:
    table = Table()
    table.show(Die(1, 1, "green", 4))
    table.rounds.correct((1, 1), BLUE4)
    assert [(f.die, f.value) for f in table.rounds.flicks] == [("blue", 4)]
    assert table.rounds.board == (BLUE4,)


@pytest.mark.parametrize("lang", ["de", "en"])
def test_turns_have_words(lang: str) -> None:
    table = Table()
    table.show(CENTRE, BLUE4)
    told = only(table.show(BLUE4))
    assert "Anna" in turn_text(DiceFlick(), told.before, told.action, lang)
