"""What measures the speed measures the right things; the fastest run time is remembered, and survives anything."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision import backends
from vision.backends import VARIABLE, preferred, remember
from web.benchmark import speed_of
from web.benchmark_growth import by_turns, by_viewers
from web.benchmark_loop import DEMO_WH, Meter, demo_setup, fitted, plane_for


@pytest.fixture(autouse=True)
def both_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(backends, "installed", lambda package: True)


def test_the_fastest_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "backend.json"
    assert preferred(path) == "openvino"
    measured = {"onnxruntime": 30.0, "openvino": 45.0, "ultralytics predict": 1.0, "5 dice": 0.1}
    assert remember(measured, path) == "onnxruntime"
    assert preferred(path) == "onnxruntime"
    assert remember({"5 dice": 0.1}, path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"backend": 3}', '{"backend": "torch"}', "null"])
def test_a_spoilt_choice_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "backend.json"
    path.write_text(text)
    assert preferred(path) == "openvino"


def test_what_is_not_installed_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "backend.json"
    remember({"openvino": 1.0}, path)
    monkeypatch.setattr(backends, "installed", lambda package: package == "onnxruntime")
    assert preferred(path) == "onnxruntime"


def test_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "onnxruntime")
    assert preferred(tmp_path / "none") == "onnxruntime"


@pytest.mark.parametrize("size_wh", [(640, 480), (1280, 720), (1920, 1080)])
def test_the_table_stays_where_it_is_in_pictures_of_any_size(size_wh: tuple[int, int]) -> None:
    corners = np.array(demo_setup(DEMO_WH)["calibration"]["corners_px"])
    image = np.zeros((DEMO_WH[1], DEMO_WH[0], 3), np.uint8)
    x, y = (round(float(v)) for v in corners[0])
    image[y - 6 : y + 7, x - 6 : x + 7] = 255
    picture = fitted(image, size_wh)
    assert picture.shape == (size_wh[1], size_wh[0], 3)
    bright = np.argwhere(picture[:, :, 0] > 128).mean(axis=0)[::-1]
    plane = plane_for(demo_setup(size_wh), size_wh)
    assert np.linalg.norm(bright - plane.corners_px[0]) < 2.0


def test_percentiles_and_stages() -> None:
    speed = speed_of("x", [0.001] * 98 + [0.2, 0.3])
    assert (speed.median_ms, speed.p95_ms, speed.p99_ms) == (1.0, 1.0, 200.0)
    ticks = iter((1.0, 3.0, 5.0, 5.5))
    meter = Meter(clock=lambda: next(ticks))
    for stage in ("gate", "grab"):
        with meter.stage(stage):
            pass
    meter.verdicts_s.append(0.7)
    assert [(s.what, s.median_ms) for s in meter.speeds()] == [
        ("grab", 500.0), ("gate", 2000.0), ("rest to verdict", 700.0),
    ]  # fmt: skip


def test_growth_is_measured_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.benchmark_growth.VIEWERS", (1, 3))
    assert [speed.what for speed in by_viewers(1)] == ["1 viewers", "3 viewers"]
    assert [speed.what for speed in by_turns(1)] == ["10 turns", "100 turns", "500 turns", "2000 turns"]
