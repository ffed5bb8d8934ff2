"""Feet of standing pieces from their boxes, and what they hide."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.plane import TablePlane, plane_from_setup
from calibration.standing import GUARD, PAWN, expected_box_px, foot_mm, hidden_by

CLIPS = Path(__file__).resolve().parents[3] / "shared" / "clips"
PLANE = TablePlane(
    np.array([[297.0, 65.3], [1073.2, 135.5], [1139.3, 585.6], [122.3, 468.3]]), (510.0, 300.0), (1280, 720)
)


def test_foot_is_where_the_expected_box_was_made() -> None:
    feet = np.array([[40.0, 30.0], [255.0, 150.0], [480.0, 280.0]])
    assert np.allclose(foot_mm(PLANE, expected_box_px(PLANE, feet, PAWN), PAWN), feet, atol=0.05)


def test_a_box_stands_above_its_foot() -> None:
    (x1, y1, x2, y2) = expected_box_px(PLANE, [[255.0, 150.0]], PAWN)[0]
    (u, v) = PLANE.to_px([[255.0, 150.0]])[0]
    assert x1 < u < x2 and y1 < v < y2
    assert v - y1 > 2 * (y2 - v)


def test_a_piece_hides_its_own_place_and_the_one_behind_more_than_others() -> None:
    places = [[255.0, 150.0], [255.0, 132.0], [255.0, 190.0], [400.0, 150.0]]
    (own, behind, front, far) = hidden_by(PLANE, [[255.0, 150.0]], PAWN, places, 20.0)[0]
    assert own > 0.2 and behind > 0.2
    assert front == far == 0


@pytest.mark.parametrize(("clip", "kind", "body"), [
    ("verflixxt_a", "figure", PAWN), ("verflixxt_a", "guard", GUARD), ("spuk_a", "figure", PAWN),
])
def test_feet_on_rendered_tables_are_within_three_millimetres(clip: str, kind: str, body: object) -> None:
    folder = CLIPS / clip
    if not folder.is_dir():
        pytest.skip("no rendered clips here")
    plane = plane_from_setup(json.loads((folder / "setup.json").read_text()), (1280, 720))
    stills = json.loads((folder / "boxes.json").read_text())["stills"]
    boxes = [
        box for still in stills for box in still["boxes"]
        if box["class"] == kind and box.get("at") != "in_hand" and min(box["xyxy"]) > 2
    ]
    feet = foot_mm(plane, [box["xyxy"] for box in boxes], body)
    off = np.linalg.norm(feet - [box["centre_mm"] for box in boxes], axis=1)
    assert len(off) > 100 and off.max() < 3.0
