"""Stills of a clip as pictures of a set: what lies in them, and what is said of a folder that is no clip."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.cli import models_group
from models.learning_clip import _still

BOXES = [
    {"class": "tile_minus", "value": -3, "where": "route", "centre_mm": [10, 20], "visible": 0.9},
    {"class": "tile_plus", "value": 4, "where": "route", "centre_mm": [60, 20], "visible": 0.8},
    {"class": "tile_plus", "value": 5, "where": "stack", "centre_mm": [400, 20], "visible": 1.0},
    {"class": "tile_luck", "where": "route", "centre_mm": [110, 20], "visible": 0.3},
    {"class": "figure", "colour": "red", "centre_mm": [12, 22], "visible": 0.2},
    {"class": "guard", "centre_mm": [61, 22], "visible": 1.0},
    {"class": "die", "centre_mm": [200, 200], "visible": 1.0},
]


def test_a_still_shows_the_tiles_of_the_route_that_are_in_view(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((72, 128, 3), np.uint8))
    image, truth = _still(tmp_path, {"image": "a.png", "boxes": BOXES})
    assert image.shape == (72, 128, 3)
    assert truth.tiles == (("-3", (10.0, 20.0)), ("+4", (60.0, 20.0)))
    assert truth.pieces == (("pawn:red", (12.0, 22.0)), ("guard", (61.0, 22.0)))


@pytest.mark.parametrize("kept", [{}, {"setup.json": {}, "boxes.json": {"stills": [{"name": "t00"}]}}])
def test_a_folder_that_is_no_clip_is_refused_with_a_sentence(tmp_path: Path, kept: dict[str, object]) -> None:
    for name, content in kept.items():
        (tmp_path / name).write_text(json.dumps(content), "utf-8")
    result = CliRunner().invoke(models_group, ["learning", "--clip", str(tmp_path)])
    assert result.exit_code != 0 and "is no clip" in result.output and "Traceback" not in result.output
