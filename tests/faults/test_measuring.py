"""What measures the speed measures the right things; the fastest run time is remembered, and survives anything."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import backends
from vision.backends import VARIABLE, preferred, remember
from vision.frames import Frame
from vision.health import Health
from vision.motion import MotionGate
from web import benchmark_live, benchmark_verdicts
from web.benchmark import speed_of
from web.benchmark_growth import by_turns, by_viewers
from web.benchmark_live import Watched
from web.benchmark_loop import DEMO_WH, Meter, demo_setup, fitted, plane_for
from web.clibase import BadInput


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
    assert [(s.what, s.median_ms) for s in meter.speeds()] == [("grab", 500.0), ("gate", 2000.0)]


def test_growth_is_measured_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.benchmark_growth.VIEWERS", (1, 3))
    assert [speed.what for speed in by_viewers(1)] == ["1 viewers", "3 viewers"]
    assert [speed.what for speed in by_turns(1)] == ["10 turns", "100 turns", "500 turns", "2000 turns"]


@pytest.fixture
def film(tmp_path: Path) -> str:
    """Three seconds, ten pictures a second: the table at rest, something passes, at rest again."""
    path, (width, height) = str(tmp_path / "video.mp4"), (320, 180)
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (width, height))
    for k in range(30):
        image = np.full((height, width, 3), 120, np.uint8)
        if 10 <= k < 14:
            image[60:140, 40 * (k - 9) : 40 * (k - 9) + 80] = (60, 90, 180)
        writer.write(image)
    writer.release()
    return path


@pytest.mark.parametrize(("rate", "count"), [(10.0, 30), (15.0, 44), (5.0, 15)])
def test_a_recording_as_a_camera_of_another_rate_gives_it(film: str, rate: float, count: int) -> None:
    times = [t_s for t_s, _ in benchmark_verdicts._jpegs(film, rate)]
    assert len(times) == count and np.allclose(np.diff(times), 1 / rate)


def test_looks_are_measured_in_turn_where_a_referee_looks(film: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    finders = {name: lambda image, name=name: seen.append(name) for name in ("ours", "theirs")}
    monkeypatch.setattr(benchmark_verdicts, "_finders", lambda: finders)
    game = (film, demo_setup((320, 180)))
    assert [s.runs for s in benchmark_verdicts.looks(game, 3)] == [3, 3] and seen == ["ours", "theirs"] * 3
    # Twice before something passes, twice after it.
    assert [s.runs for s in benchmark_verdicts.looks(game, 99)] == [4, 4]


def test_verdicts_of_all_recordings_count_together(film: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def watched(frames: list[tuple[float, bytes]], setup: dict[str, object]) -> Watched:
        return Watched([0.5, 0.7], [0.001] * (len(frames) // 2), len(frames))

    monkeypatch.setattr(benchmark_verdicts, "watched", watched)
    found = benchmark_verdicts.verdicts([(film, {})] * 3, 10.0)
    assert found is not None and found.delays.runs == 6 and found.looked_at == 0.5
    assert found.delays.median_ms == pytest.approx(700) and found.gate.median_ms == pytest.approx(1)
    monkeypatch.setattr(benchmark_verdicts, "watched", lambda *given: Watched())
    assert benchmark_verdicts.verdicts([(film, {})], 10.0) is None


def test_a_film_goes_on_whether_somebody_looks_or_not(film: str) -> None:
    jpegs = benchmark_verdicts._jpegs(film, 10.0)
    late = benchmark_live._Film(jpegs)
    assert late.read()[0]
    late.began_s -= 2.55
    assert late.read()[0] and late._shown >= 25, "what has been missed is not shown"
    while late.read()[0]:
        assert late.isOpened()
    assert late.over.is_set() and late._shown == len(jpegs)


def test_a_verdict_is_for_the_last_rest_before_it(film: str) -> None:
    rests = benchmark_live._still_from(benchmark_verdicts._jpegs(film, 10.0), demo_setup((320, 180)))
    assert benchmark_live._rest_before(rests, 0.95) == 0.0
    assert benchmark_live._rest_before(rests, 1.25) == 0.0, "something moves: it was told about what lay before"
    assert 1.3 < benchmark_live._rest_before(rests, 2.9) < 1.6


def test_the_gate_is_timed_as_long_as_a_game_is_watched() -> None:
    image, update = np.full((180, 320, 3), 120, np.uint8), MotionGate.update
    with benchmark_live._gates() as spent_s:
        for k in range(3):
            Health().check(Frame(image, float(k), k))
            MotionGate().update(image, float(k))
    assert len(spent_s) == 3 and min(spent_s) > 0 and MotionGate.update is update


def test_folders_of_games(tmp_path: Path) -> None:
    (bundled,) = benchmark_verdicts.recordings([])
    assert Path(bundled[0]).is_file()
    with pytest.raises(BadInput):
        benchmark_verdicts.recordings([tmp_path])
