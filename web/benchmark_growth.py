"""How the cost grows: with the things on the table, the viewers, the length of the game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from web.benchmark import Speed, speed_of

if TYPE_CHECKING:
    from vision.detections import Detections
    from vision.hub import Hub

Clock = Callable[[], float]
Json = dict[str, Any]

PIECES = (10, 20, 40, 60)
VIEWERS = (1, 5, 10, 20, 30)
TURNS = (10, 100, 500, 2000)


def by_pieces(runs: int, clock: Clock = time.perf_counter) -> list[Speed]:
    """Reading everything but the detector's own time, for so many things: half of them tiles, a tenth dice."""
    import numpy as np

    from vision.watch import camera_eyes
    from web.benchmark_loop import demo_setup, plane_for

    setup, size_wh = demo_setup((1280, 720)), (1280, 720)
    eyes: Any = camera_eyes(plane_for(setup, size_wh), setup)
    image = np.random.default_rng(3).integers(0, 255, (size_wh[1], size_wh[0], 3), np.uint8)
    speeds = []
    for count in PIECES:
        found = _things(count)
        eyes._detector.detect = lambda image, found=found: found
        speeds.append(speed_of(f"{count} things", _timed(lambda: eyes.read(image, 0.0), runs, clock)))
    return speeds


def _things(count: int) -> Detections:
    import numpy as np

    from models.classes import DETECTOR_CLASSES
    from vision.detections import Detections

    kinds = [("tile", "die", "pawn", "tile", "guard")[k % 5 if k % 10 != 6 else 0] for k in range(count)]
    at = [(200 + 85 * (k % 10), 150 + 70 * (k // 10)) for k in range(count)]
    boxes = np.array([(x, y, x + 50, y + 50) for x, y in at], np.float32)
    class_id = np.array([DETECTOR_CLASSES.index(kind) for kind in kinds], np.int64)
    return Detections(boxes, class_id, np.full(count, 0.9, np.float32))


def by_viewers(runs: int, clock: Clock = time.perf_counter) -> list[Speed]:
    """Publishing a snapshot and handing it to so many viewers who read it at once."""
    from vision.hub import Hub
    from web.api import Live
    from web.app import Config

    speeds = []
    for count in VIEWERS:
        hub = Hub()
        live = Live(Config(hub, ""))
        with _viewers(hub, live, count) as arrived:
            speeds.append(speed_of(f"{count} viewers", _timed(partial(_told, hub, arrived), runs, clock)))
    return speeds


@contextmanager
def _viewers(hub: Hub, live: Any, count: int) -> Iterator[Callable[[int], bool]]:
    """So many threads that read snapshots as event streams do; yields: have all of them had this one?"""
    ends, newest = threading.Event(), [0] * count

    def watch(number: int) -> None:
        queue = hub.subscribe()
        while not ends.is_set():
            snapshot = queue.get()
            live.encode(snapshot)
            newest[number] = snapshot["seq"]
        hub.unsubscribe(queue)

    threads = [threading.Thread(target=watch, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    while len(hub._subscribers) < count:
        time.sleep(0.01)
    yield lambda seq: min(newest) >= seq
    ends.set()
    hub.publish({})
    for thread in threads:
        thread.join(5)


def _told(hub: Hub, arrived: Callable[[int], bool]) -> None:
    hub.publish({"state": "at_rest", "turns": _turns(30)})
    seq = hub.snapshot()["seq"]
    while not arrived(seq):
        time.sleep(0.0002)


def by_turns(runs: int, clock: Clock = time.perf_counter) -> list[Speed]:
    """Making, comparing, publishing and encoding the snapshot after so many turns."""
    import numpy as np

    from vision.hub import Hub
    from vision.snapshot import snapshot
    from vision.watch import new_referee
    from web.api import Live
    from web.app import Config
    from web.benchmark_loop import demo_setup

    setup = demo_setup((1280, 720))
    referee = new_referee(setup, np.zeros((720, 1280, 3), np.uint8), lambda plane, setup: None)  # type: ignore[arg-type, return-value]
    speeds = []
    for count in TURNS:
        hub, lines = Hub(), _turns(count)
        live, last = Live(Config(hub, "")), [snapshot(referee, setup, lines, 0.0, 0.0)]

        def publish(hub: Hub = hub, live: Live = live, lines: list[Json] = lines, last: list[Json] = last) -> None:
            new = snapshot(referee, setup, lines, 0.0, 0.0)
            if new != last[0]:
                raise AssertionError("the same turns give the same snapshot")
            hub.publish(new)
            live.encode(hub.snapshot())

        speeds.append(speed_of(f"{count} turns", _timed(publish, runs, clock)))
    return speeds


def _turns(count: int) -> list[Json]:
    text = {"de": "Anna, 4: rot von −3 auf +7, nimmt −3.", "en": "Anna, 4: red from −3 to +7, takes −3."}
    return [
        {"type": "turn", "turn": k, "t_s": 7.5 * k, "player": "Anna", "roll": 4, "taken": ["-3"], "legal": True,
         "moves": [{"piece": "pawn:red", "from": 3, "to": 7}], "violations": [], "scores": {"Anna": -3, "Ben": 0},
         "confidence": 0.99, "text": text}
        for k in range(count)
    ]  # fmt: skip


def _timed(work: Callable[[], object], runs: int, clock: Clock) -> list[float]:
    work()
    samples = []
    for _ in range(runs):
        began = clock()
        work()
        samples.append(clock() - began)
    return samples
