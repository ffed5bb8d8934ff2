"""Combining looks at a resting table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.classes import DIE_CLASSES, TILE_CLASSES
from vision.reading import (
    DieSeen,
    HandSeen,
    PieceSeen,
    TableReading,
    TileSeen,
    combine,
    existence,
    face_probs,
    iou,
    is_die,
)

BOX = (0.0, 0.0, 10.0, 10.0)


def tile(x: float, name: str = "-3", prob: float = 0.9, confidence: float = 0.9) -> TileSeen:
    rest = (1 - prob) / (len(TILE_CLASSES) - 1)
    return TileSeen((x, 0.0), BOX, tuple(prob if c == name else rest for c in TILE_CLASSES), confidence)


def pawn(x: float, colour: str = "red", prob: float = 0.8, confidence: float = 0.8) -> PieceSeen:
    colours = (("red", prob if colour == "red" else 1 - prob), ("blue", prob if colour == "blue" else 1 - prob))
    return PieceSeen((x, 0.0), BOX, (("pawn", 0.9), ("guard", 0.1)), colours, confidence)


def die(face: int, prob: float = 0.9) -> DieSeen:
    rest = (1 - prob) / (len(DIE_CLASSES) - 1)
    return DieSeen((0.0, 0.0), BOX, tuple(prob if c == str(face) else rest for c in DIE_CLASSES), 0.9)


def test_the_same_things_are_joined_and_counted() -> None:
    looks = [TableReading(1.0, (tile(0), tile(46)), (pawn(0),)), TableReading(1.2, (tile(2), tile(47)), (pawn(3),))]
    both = combine(looks)
    assert (both.t_s, both.looks) == (1.2, 2)
    assert [round(t.pos_mm[0], 2) for t in both.tiles] == [1.0, 46.5]
    assert [(round(p.pos_mm[0], 2), p.seen) for p in both.pieces] == [(1.5, 2)]


def test_neighbours_stay_two_things() -> None:
    both = combine([TableReading(0.0, pieces=(pawn(0), pawn(12))), TableReading(0.1, pieces=(pawn(11), pawn(1)))])
    assert sorted((round(p.pos_mm[0], 1), p.seen) for p in both.pieces) == [(0.5, 2), (11.5, 2)]


def test_looks_at_a_resting_table_do_not_sharpen_each_other() -> None:
    both = combine([TableReading(0.0, pieces=(pawn(0),))] * 5)
    assert dict(both.pieces[0].colours)["red"] == pytest.approx(0.8)


def test_looks_that_disagree_leave_a_doubt() -> None:
    both = combine([TableReading(0.0, pieces=(pawn(0, "red"),)), TableReading(0.1, pieces=(pawn(0, "blue"),))])
    assert dict(both.pieces[0].colours)["red"] == pytest.approx(0.5)


def test_what_only_some_looks_show_is_less_likely_there() -> None:
    once = combine([TableReading(0.0, pieces=(pawn(0),)), TableReading(0.1), TableReading(0.2)])
    always = combine([TableReading(0.0, pieces=(pawn(0),))] * 3)
    assert existence(once.pieces[0], 3) < 0.4 < 0.9 < existence(always.pieces[0], 3)


def test_existence_grows_with_confidence_and_is_never_certain() -> None:
    values = [existence(replace(pawn(0), confidence=c), 1) for c in (0.0, 0.3, 0.6, 1.0)]
    assert values == sorted(values)
    assert 0 < values[0] and values[-1] < 1


def test_hands_are_joined_by_overlap() -> None:
    both = combine([
        TableReading(0.0, hands=(HandSeen((0, 0, 100, 100), 0.8),)),
        TableReading(0.1, hands=(HandSeen((5, 0, 105, 100), 0.6), HandSeen((300, 0, 400, 100), 0.4))),
    ])
    assert sorted((h.seen, round(h.confidence, 2)) for h in both.hands) == [(1, 0.4), (2, 0.7)]


def test_end_tiles_are_told_by_the_majority_of_confidence() -> None:
    large = replace(tile(0, "start", confidence=0.9), is_end=True)
    both = combine([TableReading(0.0, (large,)), TableReading(0.1, (tile(0, "start", confidence=0.3),))])
    assert both.tiles[0].is_end


def test_no_looks_are_refused() -> None:
    with pytest.raises(ValueError, match="no readings"):
        combine([])


def test_faces_leave_out_that_it_may_be_no_die() -> None:
    seen = die(4, 0.65)
    probs = face_probs(seen)
    assert sum(probs.values()) == pytest.approx(1.0)
    assert max(probs, key=lambda f: probs[f]) == 4
    assert is_die(seen) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [((0, 0, 2, 2), (0, 0, 2, 2), 1.0), ((0, 0, 2, 2), (2, 0, 4, 2), 0.0), ((0, 0, 2, 2), (1, 0, 3, 2), 1 / 3)],
)
def test_overlap(a: tuple[float, ...], b: tuple[float, ...], expected: float) -> None:
    assert iou(a, b) == pytest.approx(expected)  # type: ignore[arg-type]
