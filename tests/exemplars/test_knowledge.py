"""A set teaches itself from one known position, notices what was taught wrong, and reads symbols after a tap."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest
from drawn import PLANE, SHUFFLED, STARTED, VALUES, Image, table

from models.classes import DIE_CLASSES, TILE_CLASSES
from vision.exemplars.knowledge import ACTIONS, WORMS, Knowledge
from vision.exemplars.store import ExemplarSet

EVEN = [1 / len(TILE_CLASSES)] * len(TILE_CLASSES)


def learnt(own: ExemplarSet | None = None) -> Knowledge:
    known = Knowledge(own or ExemplarSet("test"))
    known.learn_tiles(table(STARTED), PLANE, [(value, pos) for value, pos, _ in STARTED], ())
    return known


def read(known: Knowledge, image: Image, covers: list[tuple[float, float, float, float]] | None = None) -> list[str]:
    rows = known.values(image, PLANE, [pos for _, pos, _ in SHUFFLED], covers or [], [EVEN] * len(SHUFFLED))
    assert all(abs(sum(row) - 1) < 1e-6 for row in rows)
    return [TILE_CLASSES[int(np.argmax(row))] for row in rows]


def test_without_exemplars_the_general_reader_is_left_alone() -> None:
    known = Knowledge(ExemplarSet("test"))
    assert known.values(table(SHUFFLED), PLANE, [(50.0, 80.0)], (), [EVEN]) == [tuple(EVEN)]


@pytest.mark.parametrize("light", [0.6, 1.15])
def test_one_start_position_is_enough_in_any_turn_and_light(light: float) -> None:
    assert read(learnt(), table(SHUFFLED, light, seed=4)) == [value for value, _, _ in SHUFFLED]


def test_a_piece_on_a_tile_does_not_matter() -> None:
    covers = [(2 * x - 12, 2 * y - 70, 2 * x + 14, 2 * y + 8) for _, (x, y), _ in SHUFFLED[:4]]
    image = table(SHUFFLED, 0.9, 5, covers)
    assert read(learnt(), image, covers) == [value for value, _, _ in SHUFFLED]


def test_learning_a_position_takes_less_than_five_seconds() -> None:
    began = time.process_time()
    learnt()
    assert time.process_time() - began < 5


def test_no_value_is_read_more_often_than_the_set_has_it() -> None:
    known = learnt()
    both = [("-6", (50.0, 80.0), 10.0), ("-8", (150.0, 80.0), 80.0)]
    wrong = [0.0] * len(TILE_CLASSES)
    wrong[TILE_CLASSES.index("-6")], wrong[TILE_CLASSES.index("-8")] = 0.6, 0.4
    rows = known.values(table(both), PLANE, [pos for _, pos, _ in both], (), [wrong, wrong])
    assert sum(row[TILE_CLASSES.index("-6")] for row in rows) < 1.2


def test_the_same_position_again_teaches_nothing_new_and_agrees() -> None:
    known = learnt()
    again = known.learn_tiles(table(STARTED, seed=9), PLANE, [(value, pos) for value, pos, _ in STARTED], ())
    assert again.contradicted == () and again.new < len(VALUES)
    assert sum(e.agreed for e in known.own.all()) >= 7 and not any(e.doubted for e in known.own.all())


def test_a_wrong_label_is_noticed_by_later_evidence_and_counts_no_more() -> None:
    own = ExemplarSet("test")
    mixed = [("-9" if value == "-2" else "-2" if value == "-9" else value, pos) for value, pos, _ in STARTED]
    Knowledge(own).learn_tiles(table(STARTED), PLANE, mixed, ())
    known = Knowledge(own)
    told = known.learn_tiles(table(SHUFFLED, seed=2), PLANE, [(value, pos) for value, pos, _ in SHUFFLED], ())
    doubted = {e.label for e in own.all() if e.doubted}
    assert doubted == {"-2", "-9"} and len(told.contradicted) == 2
    assert read(known, table(SHUFFLED, 0.8, 7)) == [value for value, _, _ in SHUFFLED]


def symbol(name: str) -> Image:
    """An invented symbol, 60 px."""
    face = np.full((60, 60, 3), (225, 230, 235), np.uint8)
    if name in ("must", "extra_turn"):
        cv2.fillPoly(face, [np.array([[30, 8], [52, 50], [8, 50]])], (30, 30, 200))
    elif name in ("may", "to_bottom"):
        cv2.line(face, (10, 12), (50, 48), (160, 60, 20), 9)
        cv2.circle(face, (44, 14), 8, (160, 60, 20), -1)
    elif name in ("may_not", "swap"):
        cv2.rectangle(face, (12, 20), (48, 40), (40, 120, 40), 6)
    else:
        cv2.circle(face, (30, 30), 20, (120, 30, 120), 7)
        cv2.circle(face, (30, 12), 6, (0, 0, 0), -1)
    return face


def with_symbol(name: str, at_px: tuple[int, int], turn: float, side: int = 34) -> Image:
    image = table([], seed=len(name))
    matrix = cv2.getRotationMatrix2D((30, 30), turn, side / 60)
    matrix[:, 2] += (at_px[0] - 30, at_px[1] - 30)
    drawn = cv2.warpAffine(symbol(name), matrix, (image.shape[1], image.shape[0]), flags=cv2.INTER_AREA)
    inside = cv2.warpAffine(np.full((60, 60), 255, np.uint8), matrix, (image.shape[1], image.shape[0]))
    image[inside > 127] = drawn[inside > 127]
    return image


def box(at_px: tuple[int, int]) -> tuple[float, float, float, float]:
    return at_px[0] - 22.0, at_px[1] - 22.0, at_px[0] + 22.0, at_px[1] + 22.0


def test_an_action_die_is_read_after_one_example_each_and_is_no_die_for_the_game() -> None:
    known = Knowledge(ExemplarSet("test"))
    for k, name in enumerate(ACTIONS):
        known.learn_die(with_symbol(name, (300, 300), 20.0 * k), PLANE, box((300, 300)), name, "person")
    unsure = np.full((1, len(DIE_CLASSES)), 1 / len(DIE_CLASSES), np.float32)
    for name in ACTIONS:
        faces, (symbols,) = known.dice(with_symbol(name, (520, 240), 130.0), PLANE, [box((520, 240))], unsure)
        assert max(symbols, key=lambda s: symbols[s]) == name and sum(symbols.values()) > 0.8
        assert DIE_CLASSES[int(np.argmax(faces[0]))] == "none"


def test_an_action_die_told_otherwise_is_learnt_and_the_wrong_example_doubted() -> None:
    known = Knowledge(ExemplarSet("test"))
    for name, shown in (("must", "must"), ("may", "may_not"), ("may_not", "may")):
        known.learn_die(with_symbol(shown, (300, 300), 0.0), PLANE, box((300, 300)), name, "person")
    unsure = np.full((1, len(DIE_CLASSES)), 1 / len(DIE_CLASSES), np.float32)
    known.dice(with_symbol("may", (520, 240), 70.0), PLANE, [box((520, 240))], unsure)
    known.correct_action("may")
    assert [e.label for e in known.own.all("action_die") if e.doubted] == ["may_not"]
    _, (symbols,) = known.dice(with_symbol("may", (620, 340), 200.0), PLANE, [box((620, 340))], unsure)
    assert max(symbols, key=lambda s: symbols[s]) == "may"


def test_worm_tokens_are_read_after_one_example_each() -> None:
    known = Knowledge(ExemplarSet("test"))
    assert known.token(with_symbol("swap", (300, 300), 0.0), PLANE, (150.0, 150.0)) == {}
    for name in WORMS:
        known.learn_token(with_symbol(name, (300, 300), 0.0, 50), PLANE, (150.0, 150.0), name)
    for name in WORMS:
        shares = known.token(with_symbol(name, (600, 200), 100.0, 50), PLANE, (300.0, 100.0))
        assert max(shares, key=lambda s: shares[s]) == name
