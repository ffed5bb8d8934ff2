"""How soon a verdict is there: whole games, refereed as a camera would give them; looks against ``ultralytics``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from web.benchmark import Speed, speed_of
from web.benchmark_live import Watched, watched
from web.benchmark_loop import DEMO, Clock, Jpegs, Json

if TYPE_CHECKING:
    from calibration.arrays import Image
    from vision.detector import Detector

RATES = (10.0, 15.0)
"""Pictures a second of the cameras that are measured."""

LOOKS_S = (0.0, 0.15)
"""When the referee looks as a rule, in seconds after the table has come to rest."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """``delays``: from the moment the table lies still to the verdict; ``gate``: what every picture cost before the
    referee saw it; ``looked_at``: share of the camera's pictures that passed the gate."""

    delays: Speed
    gate: Speed
    looked_at: float


def recordings(folders: Sequence[Path]) -> list[tuple[str, Json]]:
    """Videos with their setups: ``video.mp4`` and ``setup.json`` of each folder, the bundled game without any.

    Raises BadInput for a setup that cannot be read.
    """
    from web.commands.files import read_setup

    if not folders:
        return [(str(DEMO / "verflixxt.mp4"), read_setup(str(DEMO / "setup.json")))]
    return [(str(folder / "video.mp4"), read_setup(str(folder / "setup.json"))) for folder in folders]


def verdicts(games: Sequence[tuple[str, Json]], rate: float) -> Verdicts | None:
    """Referee all of ``games`` live, from a camera of ``rate`` pictures a second, which takes as long as they are; None
    when no verdict was told."""
    every = Watched()
    for video, setup in games:
        every.add(watched(_jpegs(video, rate), setup))
    if not every.delays_s:
        return None
    delays = speed_of(f"{rate:.0f} pictures a second", every.delays_s)
    return Verdicts(delays, speed_of("gate meanwhile", every.gate_s), len(every.gate_s) / every.given)


def _jpegs(video: str, rate: float) -> Jpegs:
    """A recording as a camera of ``rate`` pictures a second sends it; one repeats where the recording has fewer."""
    from vision.sources import open_source
    from web.camera import jpeg

    frames: Jpegs = []
    with open_source(video) as source:
        for frame in source:
            data = jpeg(frame.image_bgr, max(frame.image_bgr.shape))
            while not frames or frames[-1][0] + 1 / rate <= frame.t_s + 1e-9:
                frames.append((frames[-1][0] + 1 / rate if frames else frame.t_s, data))
    return frames


def looks(game: tuple[str, Json], runs: int, clock: Clock = time.perf_counter) -> list[Speed]:
    """Finding everything in the first ``runs`` pictures of a game at which the referee looks: by each run time as the
    referee uses it, and by ``ultralytics`` predict, one after the other for each picture."""
    samples: dict[str, list[float]] = {}
    works = _finders()
    for image in islice(_at_rest(*game), runs):
        for name, find in works.items():
            began = clock()
            find(image)
            samples.setdefault(name, []).append(clock() - began)
    return [speed_of(name, taken) for name, taken in samples.items()]


def _finders() -> dict[str, Callable[[Image], Any]]:
    from models.classes import DETECTOR_ONNX
    from vision.attention import Attention
    from vision.backends import RUN_TIMES
    from vision.detector import load_detector, ultralytics_predict
    from vision.runtime import installed
    from vision.watch import LEAST_CONFIDENCE

    def find(detector: Detector) -> Callable[[Image], Any]:
        return lambda image: detector.detect(image)

    works: dict[str, Callable[[Image], Any]] = {}
    for backend in RUN_TIMES:
        if installed(backend):
            free = load_detector(backend=backend, conf=LEAST_CONFIDENCE, free=True)
            works[f"{backend}, as the referee"] = find(Attention(free))
            works[f"{backend}, whole picture"] = find(load_detector(backend=backend, conf=LEAST_CONFIDENCE))
    if installed("ultralytics"):
        works["ultralytics predict"] = ultralytics_predict(DETECTOR_ONNX)
    return works


def _at_rest(video: str, setup: Json) -> Iterator[Image]:
    """The pictures of a recording at which a referee in time looks."""
    from vision.motion import MotionGate
    from vision.patience import PATIENT
    from vision.sources import open_source
    from vision.watch import plane_of

    gate: MotionGate | None = None
    done = 0
    with open_source(video) as source:
        for frame in source:
            gate = gate or MotionGate(plane_of(setup, frame.image_bgr))
            rested_s = gate.update(frame.image_bgr, frame.t_s) - PATIENT.settle_s
            done = 0 if rested_s < 0 else done
            if done < len(LOOKS_S) and rested_s >= LOOKS_S[done] - 1e-9:
                done += 1
                yield frame.image_bgr
