"""How fast this computer is: turns judged a second, pictures read a second."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROLL_RANGE = {"verflixxt": 6, "spuk": 6, "verflixxt-nochmal": 18, "dice-flick": 10**9, "qwixx-express": 2 * 6**6 * 20}
"""Every game numbers its throws from 1 (the action die of Verflixxt nochmal included) up to this."""

PART_WH, A_PART = (448, 384), ", a part"
"""A part of the picture as the referee looks at them: of a usual size."""

PLAYERS = (("Anna", "red"), ("Ben", "blue"), ("Cleo", "yellow"))
_NUMBERED = {4: 1, 8: 2, 12: 3, 17: 4, 21: 5, 25: 6}
_SPECIAL = {0: "start", 14: "square", 28: "square", 29: "treasure"}
_STICKERS = {
    "upgrade_green": [[2, 2]], "upgrade_blue": [[2, 4]], "upgrade_yellow": [[4, 4]], "centre": [[3, 3]],
    "bonus": [[1, 5], [5, 1]],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Speed:
    """One measured thing: median and high percentiles of one run in milliseconds, and how many fit a second."""

    what: str
    runs: int
    median_ms: float
    p95_ms: float
    per_s: float
    p99_ms: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """As an object for ``--json``."""
        return asdict(self)


def bench_setup(game: str) -> dict[str, Any]:
    """A usual setup of ``game``: three players (two in Qwixx Express), base rules."""
    colours = game in ("verflixxt", "verflixxt-nochmal", "spuk")
    named = [{"name": name, **({"colour": colour} if colours else {})} for name, colour in PLAYERS]
    setup: dict[str, Any] = {"game": game, "players": named[:2] if game == "qwixx-express" else named}
    if game == "verflixxt-nochmal":
        setup["variant"] = "standard"
    if game == "spuk":
        kinds = [_SPECIAL.get(k, "numbered" if k in _NUMBERED else "round") for k in range(30)]
        fields = [{"index": k, "kind": kind, "number": _NUMBERED.get(k)} for k, kind in enumerate(kinds)]
        setup["board"] = {"fields": fields}
    if game == "dice-flick":
        setup["markers"] = _STICKERS
    return setup


def random_turns(game: str, seed: int) -> Iterator[tuple[Any, Any, Any]]:
    """(game, state, action) of random legal games, without end."""
    from rules import game_named

    played, rng, setup = game_named(game), random.Random(seed), bench_setup(game)
    while True:
        state = played.start(setup)
        while played.outcome(state) is None:
            action = rng.choice(played.legal_actions(state, rng.randrange(1, ROLL_RANGE[game] + 1)))
            yield played, state, action
            state = played.judge(state, action).state


def judging(game: str, seconds: float, clock: Callable[[], float] = time.process_time) -> Speed:
    """Turns of random games judged for ``seconds`` of one core; making the games is not counted."""
    turns, spent, samples = random_turns(game, 1), 0.0, list[float]()
    while spent < seconds:
        chunk = [next(turns) for _ in range(100)]
        began = clock()
        for played, state, action in chunk:
            played.judge(state, action)
        samples.append(clock() - began)
        spent += samples[-1]
    return speed_of(game, samples, per_sample=len(chunk))


def speed_of(what: str, samples_s: list[float], per_sample: int = 1) -> Speed:
    """The figures of ``samples_s``, each of which timed ``per_sample`` runs."""
    each = sorted(1000 * s / per_sample for s in samples_s)
    total = max(sum(samples_s), 1e-9)
    late, latest = (each[min(len(each) - 1, round(part * (len(each) - 1)))] for part in (0.95, 0.99))
    return Speed(what, len(each) * per_sample, each[len(each) // 2], late, len(each) * per_sample / total, latest)


def timed(
    works: Mapping[str, Callable[[], object]], runs: int, clock: Callable[[], float] = time.perf_counter
) -> list[Speed]:
    """``runs`` rounds in which everything is run once, one after the other, so that a busy moment hits all alike."""
    samples: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(runs):
        for name, work in works.items():
            began = clock()
            work()
            samples[name].append(clock() - began)
    return [speed_of(name, taken) for name, taken in samples.items()]


def backends(runs: int, clock: Callable[[], float] = time.perf_counter) -> list[Speed]:
    """Finding everything in pictures of the bundled game (1280x720) and in a part of them with every run time that is
    installed, in turns; the one that is fastest with parts, which the referee looks at as a rule, is kept for this
    computer. Reading 33 tiles and 5 dice."""
    from vision.backends import remember

    works: dict[str, Callable[[], object]] = {**_detectors(), **_readers()}
    speeds = timed(works, runs, clock)
    remember({speed.what.removesuffix(A_PART): speed.median_ms for speed in speeds if speed.what.endswith(A_PART)})
    return speeds


def _detectors() -> dict[str, Callable[[], object]]:
    """Every run time, and what ``ultralytics`` makes of the same weights by itself."""
    import numpy as np

    from models.classes import DETECTOR_ONNX
    from vision.detector import load_detector, ultralytics_predict
    from vision.runtime import installed
    from vision.sources import open_source

    with open_source(str(Path(__file__).parent / "demo" / "verflixxt.mp4")) as source:
        frame = source.read()
    image = frame.image_bgr if frame is not None else np.zeros((720, 1280, 3), np.uint8)
    works: dict[str, Callable[[], object]] = {}
    for backend in ("onnxruntime", "openvino"):
        if installed(backend):
            detector = load_detector(backend=backend)
            part = np.ascontiguousarray(image[: PART_WH[1], : PART_WH[0]])
            free = load_detector(backend=backend, free=True)
            works[backend] = lambda detector=detector: detector.detect(image)  # type: ignore[misc]
            works[backend + A_PART] = lambda free=free, part=part: free.look(part, PART_WH)  # type: ignore[misc]
    if installed("ultralytics"):
        predict = ultralytics_predict(DETECTOR_ONNX)
        works["ultralytics predict"] = lambda: predict(image)
    return works


def _readers() -> dict[str, Callable[[], object]]:
    import numpy as np

    from models.classes import CROP_PX
    from vision.readers import die_reader, tile_reader

    crops = np.zeros((33, CROP_PX, CROP_PX, 3), np.uint8)
    tiles, dice = tile_reader(), die_reader()
    return {
        "33 tiles in four turns": lambda: [tiles.read(crops) for _ in range(4)], "5 dice": lambda: dice.read(crops[:5])
    }
