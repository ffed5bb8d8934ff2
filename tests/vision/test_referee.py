"""Whole toy games: what the referee writes about hands, throws, moves, mistakes and light."""

from __future__ import annotations

import random

import pytest

from rules.protocol import Move
from rules.verflixxt.state import Turn
from tests.vision.fake_eyes import MILD, NONE, FakeEyes, Noise
from tests.vision.playing import happenings, referee_for, run, watch
from tests.vision.toy import Toy


def legal(toy: Toy, face: int, number: int = 0) -> Turn:
    return toy.game.legal_actions(toy.state, face)[number]


def opened(seed: int = 0) -> Toy:
    toy = Toy(seed=seed)
    toy.rest(0.8)
    return toy


def test_two_turns() -> None:
    toy = opened()
    toy.play(3, legal(toy, 3))
    toy.play(2, legal(toy, 2))
    referee, lines = watch(toy)
    assert happenings(lines) == [
        ("turn", "Anna", 3, (("pawn:red", "start", 3),), (), ()),
        ("turn", "Ben", 2, (("pawn:blue", "start", 2),), (), ()),
    ]
    assert referee.history.state == toy.state
    assert all(line["confidence"] > 0.95 for line in lines if line["type"] == "turn")


def test_the_verdict_comes_within_a_second_of_rest() -> None:
    toy = opened()
    toy.play(3, legal(toy, 3))
    turn = next(line for line in watch(toy)[1] if line["type"] == "turn")
    assert turn["t_s"] - toy.stills[-1]["t0"] <= 1.0


@pytest.mark.parametrize(("noise", "seed"), [(NONE, 1), (MILD, 2), (MILD, 3)])
def test_a_game_of_random_legal_turns(noise: Noise, seed: int) -> None:
    toy, chance, expected = opened(seed), random.Random(seed), []
    for _ in range(8):
        face = chance.randint(1, 6)
        turn = chance.choice(toy.game.legal_actions(toy.state, face))
        line = toy.game.action_to_line(toy.state, turn)
        toy.play(face, turn)
        moves = tuple((m["piece"], m["from"], m["to"]) for m in line["moves"])
        expected.append(("turn", line["player"], face, moves, tuple(line["taken"]), ()))
    _, lines = watch(toy, noise, seed)
    right = [happening for happening in happenings(lines) if happening in expected]
    wrong = [h for h in happenings(lines) if h not in expected and h != ("needs_you",)]
    assert not wrong
    assert len(right) >= len(expected) - (noise is not NONE)


@pytest.mark.parametrize(
    ("turn", "rule"),
    [
        (Turn(0, 3, (Move("pawn:red", 0, 5),)), "wrong_count"),
        (Turn(0, 3, (Move("pawn:blue", 0, 3),)), "not_own_pawn"),
        (Turn(0, 3, (Move("guard", 9, 12),)), "guard_without_pawn"),
        (Turn(0, 3, (Move("pawn:red", 0, 3), Move("pawn:red", 0, 3))), "more_than_one_move"),
    ],
)
def test_wrong_turns_are_called(turn: Turn, rule: str) -> None:
    toy = opened()
    toy.play(3, turn)
    referee, lines = watch(toy)
    assert [h[5] for h in happenings(lines)] == [(rule,)]
    assert referee.history.state == toy.state


def test_a_tile_that_was_not_taken_and_one_that_must_stay() -> None:
    toy = opened()
    toy.play(3, legal(toy, 3))
    toy.play(2, legal(toy, 2))
    toy.play(4, Turn(0, 4, (Move("pawn:red", 3, 7),)))
    toy.play(1, Turn(1, 1, (Move("pawn:blue", 0, 1),), (2,)))
    rules = [h[5] for h in happenings(watch(toy)[1])]
    assert rules == [(), (), ("must_take_tile",), ("took_wrong_tile",)] or rules[:3] == [(), (), ("must_take_tile",)]


def test_a_wrong_turn_put_right_is_a_correction_and_no_second_offence() -> None:
    toy = opened()
    right = toy.game.judge(toy.state, legal(toy, 3)).state
    toy.play(3, Turn(0, 3, (Move("pawn:red", 0, 5),)))
    toy.put_right(right)
    toy.play(2, legal(toy, 2))
    referee, lines = watch(toy)
    assert [h[0] for h in happenings(lines)] == ["turn", "correction", "turn"]
    assert happenings(lines)[1][3] == (("pawn:red", 5, 3),)
    assert happenings(lines)[2][1:3] == ("Ben", 2)
    assert referee.history.state.pawns == toy.state.pawns


def test_a_wrong_turn_taken_back_is_played_again_with_the_same_throw() -> None:
    toy = opened()
    before = toy.state
    toy.play(3, Turn(0, 3, (Move("pawn:red", 0, 5),)))
    toy.put_right(before)
    toy.move(legal(toy, 3))
    _, lines = watch(toy)
    assert happenings(lines)[1:] == [
        ("correction", "Anna", None, (("pawn:red", 5, "start"),), (), ()),
        ("turn", "Anna", 3, (("pawn:red", "start", 3),), (), ()),
    ]


def test_a_throw_seen_only_together_with_its_move() -> None:
    toy = opened()
    toy.die = (250.0, 270.0, 4)
    toy.move(legal(toy, 4))
    assert happenings(watch(toy)[1]) == [("turn", "Anna", 4, (("pawn:red", "start", 4),), (), ())]


def test_hands_shadows_and_light_are_no_moves() -> None:
    toy = opened()
    toy.hand(1.0, over=3)
    toy.rest(0.6)
    toy.light = 0.8
    toy.rest(0.8)
    toy.light = 1.1
    toy.rest(0.8)
    toy.hand(0.5, over=20)
    toy.rest(0.6)
    referee, lines = watch(toy)
    assert happenings(lines) == []
    assert referee.state_name == "at_rest"


def test_a_hand_the_detector_does_not_see_is_no_rest() -> None:
    toy = opened()
    toy.roll(3)
    toy.hand(1.5, over=5)
    referee, lines = watch(toy, Noise(hand_miss=1.0))
    assert happenings(lines) == []
    assert referee.state_name == "hand_in_view"


def test_gaps_closed_by_pushing_tiles_together() -> None:
    toy = opened()
    for face, number in ((2, 0), (3, 0), (4, 1), (5, 1)):
        toy.play(face, legal(toy, face, number))
    assert len(toy.state.route) == 30
    toy.push_together()
    for face in (3, 4):
        toy.play(face, legal(toy, face, 1))
    referee, lines = watch(toy)
    assert [h[0] for h in happenings(lines)] == ["turn"] * 6
    assert referee.history.state == toy.state


def test_two_turns_made_before_anybody_could_look() -> None:
    toy = opened()
    toy.roll(3)
    first = legal(toy, 3)
    toy.hand(over=int(first.moves[0].start))
    toy.state = toy.game.judge(toy.state, first).state
    second = legal(toy, 2)
    toy.state = toy.game.judge(toy.state, second).state
    toy.die = (180.0, 270.0, 2)
    toy.rest(1.8)
    referee, lines = watch(toy)
    assert [h[:3] for h in happenings(lines)] == [("turn", "Anna", 3), ("turn", "Ben", 2)]
    assert referee.history.state == toy.state


def test_a_tile_taken_a_little_later_is_a_correction() -> None:
    toy = opened()
    toy.play(3, legal(toy, 3))
    toy.play(2, legal(toy, 2))
    whole = next(a for a in toy.game.legal_actions(toy.state, 4) if a.taken)
    target = toy.game.judge(toy.state, whole).state
    toy.play(4, Turn(0, 4, whole.moves))
    toy.put_right(target)
    _, lines = watch(toy)
    assert [h[0] for h in happenings(lines)] == ["turn", "turn", "turn", "correction"]
    assert happenings(lines)[3][4] == ("-3",)


def test_a_die_that_lay_on_a_place_is_no_change_of_the_place() -> None:
    toy = opened()
    x, y = toy.spots[toy.state.config.finish]
    toy.die = (x + 5, y + 20, 2)
    toy.rest()
    toy.play(3, legal(toy, 3))
    assert [h[:3] for h in happenings(watch(toy)[1])] == [("turn", "Anna", 3)]


def test_the_states_a_viewer_sees() -> None:
    toy = opened()
    toy.roll(3)
    toy.hand(0.6)
    toy.state = toy.game.judge(toy.state, legal(toy, 3)).state
    toy.rest(0.8)
    referee = referee_for(toy.setup, FakeEyes(toy.stills, toy.plane), toy.plane)
    seen = []
    for t_s, image in toy.timed():
        referee.step(image, t_s)
        if not seen or seen[-1] != referee.state_name:
            seen.append(referee.state_name)
    assert " ".join(seen) == (
        "waiting at_rest settling at_rest settling hand_in_view move_seen at_rest"
    )


def test_nothing_is_refereed_before_the_pieces_stand_right() -> None:
    toy = Toy()
    toy.state = toy.game.judge(toy.state, legal(toy, 6)).state
    toy.rest(0.8)
    referee, lines = watch(toy)
    assert lines == []
    assert referee.state_name == "waiting"
    assert "start" in referee.why["en"]


def test_a_resumed_game_catches_up_with_a_turn_made_meanwhile() -> None:
    toy = opened()
    toy.play(3, legal(toy, 3))
    frames = [(t_s, image) for t_s, image in toy.timed() if t_s >= toy.stills[-1]["t0"] + 0.3]
    referee = referee_for(toy.setup, FakeEyes(toy.stills, toy.plane), toy.plane)
    referee.resumed = True
    lines = run(referee, frames)
    assert happenings(lines) == [("turn", "Anna", 3, (("pawn:red", "start", 3),), (), ())]
    assert referee.history.state == toy.state


def test_one_turn_that_fits_nothing_does_not_spoil_those_after_it() -> None:
    """The first pawn that moves is taken for another colour for the rest of the game."""
    toy = opened()
    expected = []
    for face in (3, 2, 4, 5):
        turn = legal(toy, face)
        line = toy.game.action_to_line(toy.state, turn)
        expected.append((line["player"], face, tuple((m["piece"], m["from"], m["to"]) for m in line["moves"])))
        toy.play(face, turn)
    for still in toy.stills:
        for box in still["boxes"]:
            if box["class"] == "figure" and box["colour"] == "red" and box["xyxy"][0] > 150:
                box["colour"] = "green"
    _, lines = watch(toy)
    said = [(player, roll, moves) for kind, player, roll, moves, *_ in (
        h for h in happenings(lines) if h[0] in ("turn", "correction"))]
    assert said[-3:] == expected[-3:]
    assert happenings(lines).count(("needs_you",)) <= 2
