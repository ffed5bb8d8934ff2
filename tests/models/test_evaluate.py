"""Evaluating detector and readers on a labelled folder."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models import truth
from models.classes import DETECTOR_CLASSES
from models.cli import models_group
from models.dataset import render
from models.evaluate import Picture, as_record, beside, confusion, scores, table
from models.evaluate_values import Read, values_table
from models.scoring import calibration_error
from vision.detections import Detections

TILE, PAWN, DIE = (DETECTOR_CLASSES.index(name) for name in ("tile", "pawn", "die"))
BOXES = np.array([[0, 0, 10, 10], [20, 20, 30, 30], [40, 40, 50, 50]], np.float64)


def seen() -> list[Picture]:
    """One tile found, one pawn taken for a die, one die missed, one tile where nothing is."""
    found = Detections(
        np.array([BOXES[0], BOXES[1], [70, 70, 80, 80]], np.float32),
        np.array([TILE, DIE, TILE]),
        np.array([0.9, 0.8, 0.7], np.float32),
    )
    values = [Read("die", "4", "4", 0.9), Read("die", "5", "4", 0.7), Read("tile", "+3", "+3", 1.0)]
    return [Picture(found, np.array([TILE, PAWN, DIE]), BOXES, values)]


def test_what_is_taken_for_what() -> None:
    counts, nothing, missed = confusion(seen()), len(DETECTOR_CLASSES), len(DETECTOR_CLASSES)
    expected = {(TILE, TILE): 1, (PAWN, DIE): 1, (DIE, missed): 1, (nothing, TILE): 1}
    assert {(int(i), int(j)): int(counts[i, j]) for i, j in np.argwhere(counts)} == expected


def test_scores_of_classes() -> None:
    result = scores(seen())
    assert set(result) == {"tile", "pawn", "die"}
    assert (result["tile"].precision, result["tile"].recall, result["tile"].objects) == (0.5, 1.0, 1)
    assert (result["pawn"].recall, result["die"].recall, result["die"].precision) == (0.0, 0.0, 0.0)
    assert result["tile"].calibration_error == pytest.approx((0.1 + 0.7) / 2, abs=1e-6)


@pytest.mark.parametrize(
    ("confidence", "right", "error"),
    [
        ([0.95, 0.95], [True, True], 0.05),
        ([0.95, 0.95], [True, False], 0.45),
        ([0.05, 0.95], [False, True], 0.05),
        ([1.0], [False], 1.0),
        ([], [], 0.0),
    ],
)
def test_calibration_error(confidence: list[float], right: list[bool], error: float) -> None:
    assert calibration_error(np.array(confidence, np.float64), np.array(right, bool)) == pytest.approx(error)


def test_values_are_told_by_kind() -> None:
    die, tile = values_table(seen()[0].values).splitlines()[2:]
    assert die.startswith("| die | 2 | 50.0% |") and die.endswith("4: 100%, 5: 0% |")
    assert tile == "| tile | 1 | 100.0% | 0.000 | +3: 100% |"
    assert values_table([]) == ""
    assert as_record(seen())["values"] == {"die": {"things": 2, "right": 1}, "tile": {"things": 1, "right": 1}}
    assert "| die | 2 | 50.0% |" in table(seen())


@pytest.mark.parametrize("kind", ["labels", "truth"])
def test_files_beside_a_picture(kind: str) -> None:
    assert beside(Path("images/set/images/val/a.jpg"), kind, ".txt") == Path(f"images/set/{kind}/val/a.txt")


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scene with dice and tiles, without any files from outside."""
    out = tmp_path_factory.mktemp("scenes")
    render(out, 2, "val", None, (640, 640), first_seed=2, workers=1, hands=0.0)
    return out


def test_the_truth_of_a_scene_says_where_things_are(rendered: Path) -> None:
    things = 0
    for file in sorted((rendered / "truth" / "val").iterdir()):
        labels, plane = truth.read(file, (640, 640))
        yolo = (rendered / "labels" / "val" / f"{file.stem}.txt").read_text().split("\n")
        assert [label.yolo((640, 640)) for label in labels] == [row for row in yolo if row]
        assert plane is not None
        for label in labels:
            if label.name == "tile" and label.visible > 0.9:
                x, y = plane.to_px([label.pos_mm])[0]
                x0, y0, x1, y1 = label.xyxy_px
                assert x0 < x < x1 and y0 < y < y1
                things += 1
    assert things


def test_a_folder_is_evaluated(rendered: Path) -> None:
    run = CliRunner().invoke(models_group, ["evaluate", str(rendered), "--split", "val", "--json"])
    assert run.exit_code == 0, run.output
    told = json.loads(run.output)
    assert told["pictures"] == 2 and told["classes"]["tile"]["recall"] > 0.5
    assert told["values"]["tile"]["right"] > 0.5 * told["values"]["tile"]["things"] > 0


def test_an_empty_folder_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    run = CliRunner().invoke(models_group, ["evaluate", str(tmp_path)])
    assert run.exit_code == 1 and "holds no pictures" in run.output


def test_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from models.figures import write_figures

    files = write_figures(tmp_path / "figures", seen())
    names = {"precision-recall", "confusion", "confusion-die", "confusion-tile", "confidence"}
    assert {file.stem for file in files} == names
    assert all(cv2.imread(str(file)).std() > 5 for file in files)
