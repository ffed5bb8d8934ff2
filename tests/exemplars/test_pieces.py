"""Kinds of pieces of a set's own shape, and prints that become one clearer print."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
from drawn import STARTED, Image, table

from vision.begin import learn_pieces
from vision.exemplars.crops import as_print
from vision.exemplars.knowledge import Knowledge
from vision.exemplars.plates import plates
from vision.exemplars.store import ExemplarSet
from vision.reading import PieceSeen, TableReading
from vision.tables import Contents, Spot

BOXES = {"pawn": (100.0, 100.0, 130.0, 160.0), "guard": (300.0, 100.0, 330.0, 160.0)}


def standing(seed: int) -> Image:
    """A pawn like a ball on a stick and a guard like a post, twice."""
    image = table([], seed=seed)
    for x in (100, 500):
        cv2.circle(image, (x + 15, 112), 12, (40, 40, 200), -1)
        cv2.rectangle(image, (x + 12, 112), (x + 18, 160), (40, 40, 200), -1)
        cv2.rectangle(image, (x + 205, 102), (x + 224, 160), (90, 150, 200), -1)
    return image


def known() -> Knowledge:
    learnt = Knowledge(ExemplarSet("test"))
    learnt.learn_pieces(standing(1), list(BOXES.items()))
    return learnt


def test_a_kind_that_the_detector_is_unsure_of_is_told_by_the_sets_own_pieces() -> None:
    unsure = {"pawn": 0.5, "guard": 0.5}
    boxes = [(500.0, 100.0, 530.0, 160.0), (700.0, 100.0, 730.0, 160.0)]
    kinds = known().kinds(standing(2), boxes, [unsure, unsure])
    assert [max(kind, key=lambda name: kind[name]) for kind in kinds] == ["pawn", "guard"]
    assert all(abs(sum(kind.values()) - 1) < 1e-6 for kind in kinds)


def test_where_one_kind_was_taught_nothing_changes() -> None:
    unsure = {"pawn": 0.6, "guard": 0.4}
    one = Knowledge(ExemplarSet("test"))
    one.learn_pieces(standing(1), [("pawn", BOXES["pawn"])])
    assert one.kinds(standing(2), [BOXES["guard"]], [unsure]) == [unsure]


def test_pieces_of_a_known_position_are_taught_where_one_kind_stands() -> None:
    told: list[Any] = []
    eyes = cast(Any, SimpleNamespace(learn_pieces=lambda image, pieces: told.extend(pieces)))
    layout = {"start": Spot((50.0, 50.0), 20.0), 1: Spot((150.0, 50.0), 20.0), 2: Spot((250.0, 50.0), 20.0)}
    contents = {
        "start": Contents(("pawn:red", "pawn:red")), 1: Contents(("guard",)), 2: Contents(("guard", "pawn:red")),
    }  # fmt: skip
    at = [(45.0, 50.0), (55.0, 50.0), (150.0, 50.0), (245.0, 50.0), (255.0, 50.0)]
    pieces = tuple(PieceSeen(pos, (float(k), 0.0, k + 9.0, 9.0), (), (), 0.9) for k, pos in enumerate(at))
    learn_pieces(eyes, cast(Any, layout), cast(Any, contents), TableReading(0.0, pieces=pieces), standing(1))
    assert told == [("pawn", pieces[0].box_px), ("pawn", pieces[1].box_px), ("guard", pieces[2].box_px)]


def test_pictures_of_one_tile_become_one_print_and_another_tile_stays_by_itself() -> None:
    def cut(seed: int, k: int) -> Any:
        x, y = STARTED[k][1]
        crop = table(STARTED, seed=seed)[int(2 * y) - 48 : int(2 * y) + 48, int(2 * x) - 48 : int(2 * x) + 48]
        return as_print(np.dstack([crop, np.full((96, 96), 255, np.uint8)]))

    made = plates({"a": cut(1, 0), "b": cut(2, 0), "c": cut(3, 6)}, "-1")
    assert sorted(sorted(plate.members) for plate in made) == [["a", "b"], ["c"]]
