"""Which throw of the die counts."""

from __future__ import annotations

import math

import pytest

from models.classes import DIE_CLASSES
from vision.reading import DieSeen, TableReading
from vision.throw import LAY_THERE, NOT_THROWN, THROWN_AGAIN, UNSEEN_THROW, DieMemory, best_die


def die(x: float, face: int, prob: float = 0.9995, confidence: float = 0.9, none: float = 0.0) -> DieSeen:
    probs = {str(face): prob * (1 - none), "none": none}
    rest = (1 - sum(probs.values())) / (len(DIE_CLASSES) - 2)
    return DieSeen((x, 0.0), (0, 0, 9, 9), tuple(probs.get(c, rest) for c in DIE_CLASSES), confidence)


def look(*dice: DieSeen) -> TableReading:
    return TableReading(0.0, dice=dice)


def likeliest(rolls: dict[int, float]) -> tuple[int, float]:
    face = max(rolls, key=lambda f: rolls[f])
    return face, rolls[face]


def test_the_die_that_lies_there_at_the_start_is_no_throw() -> None:
    memory = DieMemory().seeing(look(die(0, 5)))
    assert memory.face() is None
    assert memory.used is not None


@pytest.mark.parametrize(
    ("new", "face"),
    [(die(100, 5), 5), (die(0, 2), 2), (die(3, 5), None), (die(5, 2, prob=0.9), None)],
    ids=["new place", "new face", "same throw", "same throw, badly read"],
)
def test_a_throw_is_a_new_place_or_a_new_face(new: DieSeen, face: int | None) -> None:
    assert DieMemory().seeing(look(die(0, 5))).seeing(look(new)).face() == face


def test_a_die_in_the_hand_changes_nothing() -> None:
    memory = DieMemory().seeing(look(die(0, 5)))
    assert memory.seeing(look()) == memory


def test_both_looks_at_a_throw_are_joined() -> None:
    memory = DieMemory().seeing(look(die(0, 5))).seeing(look(die(100, 3, prob=0.6)))
    face, chance = likeliest(memory.rolls(look(die(101, 3, prob=0.99))))
    assert face == 3
    assert math.log(0.6) < chance < math.log(0.999)


def test_after_a_turn_its_throw_is_used_up() -> None:
    memory = DieMemory().seeing(look(die(0, 5))).seeing(look(die(100, 3)))
    after = memory.after_turn(look(die(100, 3)))
    assert after.face() is None
    assert after.seeing(look(die(100, 3))).face() is None
    assert after.seeing(look(die(200, 3))).face() == 3


def test_the_next_player_has_already_thrown_when_the_turn_is_decided() -> None:
    memory = DieMemory().seeing(look(die(0, 5))).seeing(look(die(100, 3)))
    assert memory.after_turn(look(die(200, 6))).face() == 6


def test_a_throw_seen_only_with_its_move_counts_a_little_less() -> None:
    memory = DieMemory().seeing(look(die(0, 5)))
    face, chance = likeliest(memory.rolls(look(die(100, 2))))
    assert face == 2
    assert chance == pytest.approx(UNSEEN_THROW, abs=0.2)


def test_a_turn_without_a_throw_is_unlikely_but_less_so_for_the_first_turn() -> None:
    memory = DieMemory().seeing(look(die(0, 5)))
    face, chance = likeliest(memory.rolls(look(die(0, 5))))
    assert face == 5
    assert chance == pytest.approx(LAY_THERE, abs=0.2)
    face, chance = likeliest(memory.after_turn(look(die(0, 5))).rolls(look(die(0, 5))))
    assert face == 5
    assert chance == pytest.approx(NOT_THROWN, abs=0.2)


def test_no_die_in_view_leaves_every_face_open() -> None:
    assert set(DieMemory().rolls(look())) == {1, 2, 3, 4, 5, 6}


def test_thrown_twice_the_first_counts_but_the_second_may() -> None:
    memory = DieMemory().seeing(look(die(0, 5))).seeing(look(die(100, 3)))
    again = look(die(200, 6))
    assert memory.thrown_again(again)
    rolls = memory.rolls(again)
    assert likeliest(rolls)[0] == 3
    assert rolls[6] == pytest.approx(THROWN_AGAIN, abs=0.2)


def test_a_throw_before_any_move_replaces_the_one_before() -> None:
    memory = DieMemory().seeing(look(die(0, 5))).seeing(look(die(100, 3))).seeing(look(die(200, 6)))
    assert memory.face() == 6


def test_a_move_taken_back_leaves_its_throw_to_be_played() -> None:
    memory = DieMemory().seeing(look(die(0, 5))).seeing(look(die(100, 3))).after_turn(look(die(100, 3)))
    assert memory.taken_back().face() == 3


def test_what_the_reader_calls_no_die_is_none() -> None:
    real = die(50, 4, confidence=0.6)
    assert best_die(look(die(0, 5, confidence=0.95, none=0.97), real)) is real
    assert best_die(look(die(0, 5, none=0.97))) is None


def test_print_that_looks_like_a_die_does_not_count() -> None:
    printed = die(300, 3, prob=0.5)
    memory = DieMemory().seeing(look(die(0, 5), printed))
    assert memory.used == die(0, 5) and memory.scenery_mm == (printed.pos_mm,)
    assert memory.seeing(look(printed)).thrown is None
    thrown = memory.seeing(look(printed, die(100, 6, confidence=0.5)))
    assert thrown.face() == 6
    assert thrown.after_turn(look(printed, die(100, 6))).scenery_mm == (printed.pos_mm,)


def test_of_two_dice_thrown_either_may_count() -> None:
    """An action die that was taught by nobody lies beside: what it seems to show must not rule the right throw out."""
    memory = DieMemory().seeing(look(die(0, 1), die(40, 4))).after_turn(look(die(0, 1), die(40, 4)))
    action, pips = die(100, 3, prob=0.6, confidence=0.9), die(150, 6, confidence=0.85)
    memory = memory.seeing(look(action, pips))
    rolls = memory.rolls(look(action, pips))
    assert rolls[6] > math.log(0.3)
    assert rolls[3] > math.log(0.2)
    assert max(rolls[face] for face in (1, 2, 4, 5)) < math.log(0.1)


@pytest.mark.parametrize("scenery", [die(200, 2), die(200, 2, confidence=0.5)], ids=["as sure", "less sure"])
def test_what_lies_where_it_lay_does_not_count_beside_a_throw(scenery: DieSeen) -> None:
    memory = DieMemory().seeing(look(die(0, 5))).after_turn(look(die(0, 5), scenery))
    memory = memory.seeing(look(die(100, 3), die(201, 2, confidence=0.4)))
    face, chance = likeliest(memory.rolls(look(die(100, 3), die(201, 2, confidence=0.4))))
    assert (face, chance) == (3, pytest.approx(0.0, abs=0.01))
