"""The motion gate: noise and light are no movement, small and slow things are, times are in seconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from calibration.plane import TablePlane, plane_from_setup
from vision.motion import MotionGate
from vision.sources import open_source

CLIPS = Path(__file__).resolve().parents[3] / "shared" / "clips"
PLANE = TablePlane(np.array([(160, 90), (480, 90), (480, 270), (160, 270)], float), (320.0, 180.0), (640, 360))
_Y, _X = np.mgrid[:360, :640].astype(np.float32)
BASE = np.repeat((110 + 40 * np.sin(_X / 25) * np.cos(_Y / 35))[..., None], 3, axis=2)
NOISE = np.random.default_rng(0).normal(0, 1, (7, *BASE.shape)).astype(np.float32)


def table(k: int, noise: float = 3.0, light: float = 1.0) -> np.ndarray:
    """A table of soft patches in ``light`` with camera noise; the noise differs with ``k``, the table does not."""
    return np.clip(light * BASE + noise * NOISE[k % 7], 0, 255).astype(np.uint8)


def run(gate: MotionGate, picture: Callable[[int], np.ndarray], count: int, fps: float = 10.0) -> list[float]:
    return [gate.update(picture(k), k / fps) for k in range(count)]


@pytest.mark.parametrize("noise", [0.0, 2.0, 8.0, 20.0])
def test_noise_is_no_movement(noise: float) -> None:
    gate = MotionGate(PLANE)
    still = run(gate, lambda k: table(k, noise), 9)
    assert still == pytest.approx([k / 10 for k in range(9)])
    assert gate.motion.at_rest and gate.motion.changed == 0


def test_slow_change_of_light_is_no_movement() -> None:
    still = run(MotionGate(PLANE), lambda k: table(k, light=1 + 0.004 * k), 20)
    assert still[-1] == pytest.approx(1.9)


def die(image: np.ndarray, x: int, y: int, side: int = 12) -> np.ndarray:
    image[y : y + side, x : x + side] = 235
    return image


def test_a_die_that_appears_is_movement_and_then_rest() -> None:
    gate = MotionGate(PLANE)
    still = run(gate, lambda k: die(table(k), 300, 150) if k >= 6 else table(k), 12)
    assert still == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert gate.motion.at_rest and not gate.motion.moving


def test_a_fading_change_counts_until_it_is_over() -> None:
    def fade(k: int) -> np.ndarray:
        part = min(max(k - 5, 0), 4) / 4
        return (table(k) * (1 - part) + die(table(k), 300, 150, 20) * part).astype(np.uint8)

    still = run(MotionGate(PLANE), fade, 16)
    assert still[6:10] == pytest.approx([0, 0, 0, 0])
    assert still[10:] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


def test_movement_too_slow_for_neighbouring_frames_is_never_rest() -> None:
    gate = MotionGate(PLANE)
    rested = []
    for k in range(60):
        gate.update(die(table(k), 250 + k // 2, 150, 20), k / 30)
        rested.append(gate.motion.at_rest)
    assert not any(rested)


def test_what_moves_outside_the_margin_does_not_count() -> None:
    def passer_by(k: int) -> np.ndarray:
        image = table(k)
        image[:, 10 + 4 * k : 40 + 4 * k] = 20
        return image

    assert run(MotionGate(PLANE), passer_by, 8)[-1] == pytest.approx(0.7)
    assert run(MotionGate(), passer_by, 8)[-1] == 0


def test_the_frame_rate_does_not_matter() -> None:
    for fps in (5.0, 10.0, 30.0):
        gate = MotionGate(PLANE)
        change = int(0.6 * fps)

        def appears(k: int, change: int = change) -> np.ndarray:
            return die(table(k), 300, 150) if k >= change else table(k)

        still = run(gate, appears, int(2 * fps), fps)
        assert still[-1] == pytest.approx((len(still) - 1 - change) / fps)


def test_a_jump_in_time_and_another_size_start_anew() -> None:
    gate = MotionGate()
    run(gate, table, 6)
    assert gate.update(die(table(7), 300, 150), 30.0) == 0
    assert gate.update(die(table(8), 300, 150), 30.1) == pytest.approx(0.1)
    assert gate.update(np.zeros((720, 1280, 3), np.uint8), 30.2) == 0


@pytest.mark.parametrize("clip", ["verflixxt_a", "spuk_a"])
def test_stills_rest_and_blends_move_in_rendered_clips(clip: str) -> None:
    folder = CLIPS / clip
    if not folder.is_dir():
        pytest.skip("no rendered clips here")
    gate = MotionGate(plane_from_setup(json.loads((folder / "setup.json").read_text()), (1280, 720)))
    frames = []
    for frame in islice(open_source(str(folder / "video.mp4")), 200):
        gate.update(frame.image_bgr, frame.t_s)
        frames.append(gate.motion)
    stills = [still for still in json.loads((folder / "boxes.json").read_text())["stills"] if still["t1"] < 20]
    for still, following in zip(stills, [*stills[1:], None], strict=True):
        inside = [m for m in frames if still["t0"] + 0.05 < m.t_s < still["t1"] - 0.05]
        assert not any(m.moving for m in inside)
        assert all(m.at_rest == (m.t_s > still["t0"] + 0.35) for m in inside)
        if following is not None:
            between = [m for m in frames if still["t1"] + 0.05 < m.t_s < following["t0"] - 0.05]
            assert all(m.moving for m in between)
