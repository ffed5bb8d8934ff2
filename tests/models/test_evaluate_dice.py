"""Scoring the dice of real photographs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.cli import models_group
from models.evaluate_dice import COLUMNS, Outcome, failures, outcomes, pairs, sentence, summary

GREY = np.full((100, 100, 3), 128, np.uint8)


def die(value: int | str, x: float) -> dict[str, Any]:
    return {"value": value, "box_px": [x, 20.0, x + 20, 40.0], "confidence": 0.8}


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """One photograph with a 4 at 10..30 px and a 2 at 60..80 px, one of another source with a 6."""
    for kind in ("images", "labels"):
        (tmp_path / kind).mkdir()
    for name, rows in (("aa_1", "3 0.2 0.3 0.2 0.2\n1 0.7 0.3 0.2 0.2\n"), ("bb_1", "5 0.2 0.3 0.2 0.2\n")):
        cv2.imwrite(str(tmp_path / "images" / f"{name}.png"), GREY)
        (tmp_path / "labels" / f"{name}.txt").write_text(rows)
    return tmp_path


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ([die(4, 10), die(2, 60)], [(4, 4), (2, 2)]),
        ([die(5, 12)], [(4, 5), (2, None)]),
        ([die(4, 10), die("face", 35)], [(4, 4), (2, None), (None, "face")]),
        ([], [(4, None), (2, None)]),
    ],
)
def test_every_die_has_an_outcome(photos: Path, read: list[dict[str, Any]], expected: list[Any]) -> None:
    told = list(outcomes(photos, ("aa_",), lambda _image: read))
    assert [(o.face, o.read) for o in told] == expected


def test_the_largest_overlap_wins() -> None:
    shared = np.array([[0.5, 0.9], [0.4, 0.8], [0.1, 0.2]])
    assert pairs(shared, 0.3) == {0: 1, 1: 0}


def test_summary_and_sheet() -> None:
    crop = np.zeros((120, 120, 3), np.uint8)
    told = [Outcome("a", f, r, 0.5, crop) for f, r in ((4, 4), (4, 5), (2, None), (None, 3))]
    result = summary(told)
    assert (result["dice"], result["found"], result["right"], result["false"]) == (3, 2 / 3, 1 / 3, 1 / 3)
    assert result["right_by_face"] == {2: 0.0, 4: 0.5} and result["wrong"] == {"4->5": 1, "2->missed": 1}
    assert "33.3% found and read right" in sentence(result)
    sheet = failures(told)
    assert sheet is not None and sheet.shape == (138, 120 * COLUMNS, 3)
    assert failures(told[:1]) is None


def test_photographs_without_dice_get_a_sentence(photos: Path) -> None:
    run = CliRunner().invoke(models_group, ["dice", str(photos), "--photo-prefix", "none_"])
    assert run.exit_code == 1 and "no labelled die" in run.output
