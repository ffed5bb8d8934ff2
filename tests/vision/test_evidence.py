"""How well contents fit a reading: misses, things imagined, borders, hidden places, pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.standing import GUARD, PAWN, expected_box_px
from models.classes import TILE_CLASSES
from tests.vision.toy import SIZE_WH, toy_plane
from vision.change import ChangeMap
from vision.evidence import Evidence, Flaws
from vision.places import PlaceView
from vision.reading import HandSeen, PieceSeen, TableReading, TileSeen
from vision.tables import Contents, Spot

PLANE = toy_plane()
LAYOUT = {k: Spot((14.0 + 46.0 * ((k - 1) % 8 + 1), 50.0 + 50.0 * ((k - 1) // 8 + 1)), 22.0) for k in range(1, 17)}
ALL = tuple(LAYOUT)
VIEW = PlaceView(PLANE, LAYOUT)


def piece(x: float, y: float = 100.0, name: str = "pawn:red", confidence: float = 0.85) -> PieceSeen:
    kind, _, colour = name.partition(":")
    box = expected_box_px(PLANE, [(x, y)], GUARD if kind == "guard" else PAWN)[0]
    colours = tuple((c, 0.9 if c == (colour or "red") else 0.1) for c in ("red", "blue"))
    kinds = (("pawn", 0.05), ("guard", 0.95)) if kind == "guard" else (("pawn", 0.95), ("guard", 0.05))
    return PieceSeen((x, y), tuple(float(v) for v in box), kinds, colours, confidence)  # type: ignore[arg-type]


def tiles(*places: int) -> tuple[TileSeen, ...]:
    probs = tuple(1.0 if c == "-3" else 0.0 for c in TILE_CLASSES)
    return tuple(TileSeen(LAYOUT[k].pos_mm, (0, 0, 9, 9), probs, 0.9) for k in places)


def contents(pieces: Mapping[int, tuple[str, ...]], gone: tuple[int, ...] = ()) -> dict[int, Contents]:
    return {k: Contents(pieces.get(k, ()), "" if k in gone else "-3") for k in LAYOUT}


def x_of(place: int) -> float:
    return LAYOUT[place].pos_mm[0]


def likelihoods(reading: TableReading, *options: dict[int, Contents]) -> list[float]:
    evidence = Evidence(LAYOUT, VIEW, reading)
    return [evidence.log_likelihood(option) for option in options]


def test_a_piece_is_where_it_is_seen() -> None:
    reading = TableReading(0.0, tiles(*ALL), (piece(x_of(2)),))
    right, elsewhere, nowhere = likelihoods(
        reading, contents({2: ("pawn:red",)}), contents({3: ("pawn:red",)}), contents({})
    )
    assert right > nowhere + 3
    assert nowhere > elsewhere + 2


def test_colours_and_kinds_tell_pieces_apart() -> None:
    reading = TableReading(0.0, tiles(*ALL), (piece(x_of(2), name="pawn:blue"), piece(x_of(3), name="guard")))
    right, colours, kinds = likelihoods(
        reading, contents({2: ("pawn:blue",), 3: ("guard",)}), contents({2: ("pawn:red",), 3: ("guard",)}),
        contents({2: ("guard",), 3: ("pawn:blue",)}),
    )
    assert right > colours + 1
    assert right > kinds + 3


def test_a_foot_on_the_border_leaves_both_tiles_open() -> None:
    border = (x_of(2) + x_of(3)) / 2
    near, far, middle = likelihoods(
        TableReading(0.0, tiles(*ALL), (piece(border - 4),)),
        contents({2: ("pawn:red",)}), contents({3: ("pawn:red",)}), contents({}),
    )
    assert near > far > middle
    assert near - far < 4


def test_one_foot_never_counts_for_two_pieces() -> None:
    border = (x_of(2) + x_of(3)) / 2
    one, both = likelihoods(
        TableReading(0.0, tiles(*ALL), (piece(border),)),
        contents({2: ("pawn:red",)}), contents({2: ("pawn:red",), 3: ("pawn:red",)}),
    )
    assert one > both + 2


def test_an_unsure_detection_says_little() -> None:
    sure = TableReading(0.0, tiles(*ALL), (piece(x_of(2), confidence=0.9),))
    unsure = TableReading(0.0, tiles(*ALL), (piece(x_of(2), confidence=0.3),))
    options = contents({2: ("pawn:red",)}), contents({})
    gains = [a - b for a, b in (likelihoods(sure, *options), likelihoods(unsure, *options))]
    assert gains[0] > gains[1] + 3


def test_a_missed_piece_costs_less_where_something_hides_it() -> None:
    open_, hidden = TableReading(0.0, tiles(*ALL)), TableReading(
        0.0, tiles(*ALL), hands=(HandSeen((0.0, 0.0, *map(float, SIZE_WH)), 0.4),)
    )
    options = contents({}), contents({2: ("pawn:red",)})
    lacks = [a - b for a, b in (likelihoods(open_, *options), likelihoods(hidden, *options))]
    assert lacks[0] > 3 > 0.5 > lacks[1]


def test_a_tile_that_is_gone() -> None:
    reading = TableReading(0.0, tiles(*(k for k in ALL if k != 2)))
    gone, there = likelihoods(reading, contents({}, gone=(2,)), contents({}))
    assert gone > there + 2
    wrong, right = likelihoods(TableReading(0.0, tiles(*ALL)), contents({}, gone=(2,)), contents({}))
    assert right > wrong + 3


def test_what_was_missed_before_may_be_missed_again() -> None:
    reading = TableReading(0.0, tiles(*ALL))
    first = Evidence(LAYOUT, VIEW, reading)
    truth = contents({2: ("pawn:red",)})
    flaws = first.flaws(truth)
    assert flaws.missed == {(2, "pawn:red"): 1}
    again = Evidence(LAYOUT, VIEW, reading, flaws=flaws)
    assert sum(first.shortfalls(truth).values()) > 3 > 1 > sum(again.shortfalls(truth).values())


def test_what_was_imagined_before_may_be_imagined_again() -> None:
    reading = TableReading(0.0, tiles(*ALL), (piece(x_of(3)),))
    flaws = Evidence(LAYOUT, VIEW, reading).flaws(contents({}))
    assert flaws == Flaws(imagined=reading.pieces)
    assert sum(Evidence(LAYOUT, VIEW, reading, flaws=flaws).shortfalls(contents({})).values()) < 1


def test_gain_is_the_difference_of_log_likelihoods() -> None:
    pieces = piece(x_of(2)), piece(x_of(3) - 24), piece(x_of(4), name="guard")
    reading = TableReading(0.0, tiles(*(k for k in ALL if k != 3)), pieces)
    evidence = Evidence(LAYOUT, VIEW, reading)
    base, after = contents({2: ("pawn:red",), 4: ("guard",)}), contents({3: ("pawn:red",), 4: ("guard",)}, gone=(3,))
    changed = {k: after[k] for k in LAYOUT if after[k] != base[k]}
    expected = evidence.log_likelihood(after) - evidence.log_likelihood(base)
    assert evidence.gain(base, changed) == pytest.approx(expected)


def test_pawns_at_known_places_are_counted_by_colour() -> None:
    pieces = piece(x_of(1)), piece(x_of(1) + 14, name="pawn:blue"), piece(x_of(4))
    reading = TableReading(0.0, tiles(*ALL), pieces)
    pawns, counts = Evidence(LAYOUT, VIEW, reading).known_pawns(contents({1: ("pawn:blue", "pawn:red"), 2: ("guard",)}))
    assert len(pawns) == 2
    assert counts == {"red": 1, "blue": 1}


def painted(*feet: float, without: int | None = None) -> np.ndarray:
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), (60, 95, 130), np.uint8)
    for spot in (LAYOUT[k] for k in LAYOUT if k != without):
        cv2.circle(image, tuple(int(v) for v in PLANE.to_px([spot.pos_mm])[0]), 44, (60, 60, 190), -1)
    for x in feet:
        left, top, right, bottom = (round(v) for v in piece(x).box_px)
        cv2.rectangle(image, (left, top), (right, bottom), (30, 200, 200), -1)
    noise = np.random.default_rng(len(feet)).normal(0, 2, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def test_where_no_pixel_changed_nothing_has_moved() -> None:
    """The piece on 2 is missed by the eyes, but its picture has not changed."""
    before = contents({2: ("pawn:red",)})
    change = ChangeMap(painted(x_of(2)), painted(x_of(2)))
    evidence = Evidence(LAYOUT, VIEW, TableReading(0.0, tiles(*ALL)), change=change, before=before)
    assert evidence.log_likelihood(before) > evidence.log_likelihood(contents({3: ("pawn:red",)})) + 5


def test_changed_pixels_speak_for_a_move() -> None:
    before = contents({2: ("pawn:red",)})
    reading = TableReading(0.0, tiles(*ALL), (piece(x_of(3), confidence=0.45),))
    moved = contents({3: ("pawn:red",)})
    still = Evidence(LAYOUT, VIEW, reading)
    with_pixels = Evidence(
        LAYOUT, VIEW, reading, change=ChangeMap(painted(x_of(2)), painted(x_of(3))), before=before
    )
    gains = [e.log_likelihood(moved) - e.log_likelihood(before) for e in (still, with_pixels)]
    assert gains[1] > gains[0] + 2


def test_flixxy_whom_no_eye_finds_is_where_the_picture_changed() -> None:
    """A pawn, that is found, must be; of Flixxy a change that nothing accounts for is enough."""
    change, reading = ChangeMap(painted(x_of(2)), painted(x_of(5))), TableReading(0.0, tiles(*ALL))
    gains = {}
    for name in ("flixxy", "pawn:red"):
        before, moved = contents({2: (name,)}), contents({5: (name,)})
        evidence = Evidence(LAYOUT, VIEW, reading, change=change, before=before)
        gains[name] = evidence.gain(before, moved)
        assert evidence.gain(before, contents({6: (name,)})) < gains[name] - 5
    assert gains["flixxy"] > gains["pawn:red"] + 4


def test_a_change_that_a_found_piece_accounts_for_is_not_flixxy() -> None:
    before = contents({2: ("flixxy",)})
    evidence = Evidence(
        LAYOUT, VIEW, TableReading(0.0, tiles(*ALL), (piece(x_of(5)),)), change=ChangeMap(painted(), painted(x_of(5))),
        before=before,
    )
    pawn, both = contents({2: ("flixxy",), 5: ("pawn:red",)}), contents({5: ("flixxy", "pawn:red")})
    assert evidence.gain(before, pawn) > evidence.gain(before, both) + 4


def test_a_tile_cannot_go_without_its_pixels() -> None:
    before = contents({})
    change = ChangeMap(painted(), painted())
    reading = TableReading(0.0, tiles(*(k for k in ALL if k != 2)))
    evidence = Evidence(LAYOUT, VIEW, reading, change=change, before=before)
    assert evidence.log_likelihood(before) > evidence.log_likelihood(contents({}, gone=(2,)))


def test_a_tile_drawn_from_beneath_a_pawn_is_gone_though_the_pawn_might_hide_it() -> None:
    """The pawn that was set on 2 hides the tile; but all of its place looks different."""
    before, reading = contents({}), TableReading(0.0, tiles(*(k for k in ALL if k != 2)), (piece(x_of(2)),))
    lying, gone = contents({2: ("pawn:red",)}), contents({2: ("pawn:red",)}, gone=(2,))
    gains = []
    for drawn in (None, 2):
        change = ChangeMap(painted(), painted(x_of(2), without=drawn))
        evidence = Evidence(LAYOUT, VIEW, reading, change=change, before=before)
        gains.append(evidence.log_likelihood(gone) - evidence.log_likelihood(lying))
    assert gains[0] < -2
    assert gains[1] > 4


def test_pieces_taken_for_another_kind_still_count() -> None:
    reading = TableReading(0.0, tiles(*(k for k in ALL if k != 5)), (piece(x_of(2)), piece(x_of(5))))
    evidence = Evidence(LAYOUT, VIEW, reading)
    for place, fits in ((2, True), (3, False), (5, False)):
        assert evidence.counts_fit(contents({place: ("guard",)}), (place,)) is fits, place
    assert not evidence.counts_fit(contents({}), (4,))


def test_a_finish_may_lack_pieces() -> None:
    layout = {**LAYOUT, 4: replace(LAYOUT[4], miss=0.25)}
    evidence = Evidence(layout, PlaceView(PLANE, layout), TableReading(0.0, tiles(*ALL)))
    assert sum(evidence.shortfalls(contents({4: ("pawn:red",)})).values()) < 1.5
