"""``schiri read dice-flick`` with eyes made up by the test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from boxes import SETUP, reading

from calibration.arrays import Image
from rules.dice_flick import Die, Markers
from vision.flick.errors import BoxError
from web.cli import cli


@pytest.fixture(autouse=True)
def eyes(monkeypatch: pytest.MonkeyPatch) -> list[Markers | None]:
    layouts: list[Markers | None] = []

    def read(photo: Image, eyes: object, layout: Markers | None = None, **_: object) -> Any:
        layouts.append(layout)
        if photo.max() < 10:
            raise BoxError("dark")
        return reading([Die(3, 3, "yellow", 5)], {(1, 1): "hidden"})

    monkeypatch.setattr("vision.flick.reading.read_box", read)
    monkeypatch.setattr("vision.flick.eyes.load_flick_eyes", lambda: None)
    return layouts


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((60, 80, 3), 120, np.uint8))
    cv2.imwrite(str(tmp_path / "b.png"), np.zeros((60, 80, 3), np.uint8))
    (tmp_path / "setup.json").write_text(json.dumps(SETUP))
    return tmp_path


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        cli.main(["read", "dice-flick", *words, "--lang", "en"])
    return int(ended.value.code or 0)


def test_a_photo_as_json(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(photos / "a.png"), "--json") == 0
    line = json.loads(capsys.readouterr().out)
    assert line["photo"] == str(photos / "a.png")
    assert line["best_score"] == 10
    assert len(line["holes"]) == 25


def test_a_photo_in_words(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(photos / "a.png")) == 0
    out = capsys.readouterr().out
    assert "10 points" in out
    assert "Centre marker: 5 twice (centre) = 10" in out
    assert "Back into the bag: Yellow 5 (3/3)." in out


def test_a_folder_goes_on_after_a_photo_without_a_box(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(photos), "--json") == 2
    told = capsys.readouterr()
    assert [json.loads(line).get("error") for line in told.out.splitlines()] == [None, "dark"]
    assert "too dark" in told.err
    assert "Traceback" not in told.err


def test_a_setup_gives_the_stickers(photos: Path, eyes: list[Markers | None]) -> None:
    assert run(str(photos / "a.png"), "--setup", str(photos / "setup.json")) == 0
    assert eyes[0] is not None
    assert eyes[0].upgrade("green")


def test_a_contact_sheet_is_written(photos: Path) -> None:
    target = photos / "sheet.png"
    run(str(photos / "a.png"), str(photos / "b.png"), "--sheet", str(target))
    sheet = cv2.imread(str(target))
    assert sheet is not None
    assert sheet.shape[1] == 2 * 480


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing.jpg"], "nothing.jpg"),
        (["a.png", "--sheet", "x.gif"], "x.gif"),
        (["a.png", "--setup", "other.json"], "other.json"),
    ],
)
def test_bad_input_gets_one_sentence(
    photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    monkeypatch.chdir(photos)
    other = {"game": "spuk", "players": [{"name": "A", "colour": "red"}, {"name": "B", "colour": "blue"}]}
    Path("other.json").write_text(json.dumps(other))
    assert run(*words) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.strip().splitlines()) == 1
