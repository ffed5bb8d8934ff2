"""How fast the whole way is, stage by stage: the bundled game as a camera of a given size would give it."""

from __future__ import annotations

import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from web.benchmark import Speed, speed_of

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.plane import TablePlane

Json = dict[str, Any]
Clock = Callable[[], float]
Jpegs = list[tuple[float, bytes]]

SIZES = ((640, 480), (1280, 720), (1920, 1080))
STAGES = ("grab", "gate", "detect", "crops", "explain", "encode", "publish")
DEMO = Path(__file__).parent / "demo"
DEMO_WH = (1280, 720)
CAMERA_FPS = 30.0


@dataclass(slots=True)
class Meter:
    """Seconds of each stage by ``clock`` (the wall's, or the processor's on a computer that does other work)."""

    clock: Clock = time.perf_counter
    samples_s: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what is done inside for this stage."""
        began = self.clock()
        yield
        self.samples_s[name].append(self.clock() - began)

    def speeds(self) -> list[Speed]:
        """The stages in their order."""
        return [speed_of(name, self.samples_s[name]) for name in STAGES if self.samples_s[name]]


def demo_setup(size_wh: tuple[int, int]) -> Json:
    """The setup of the bundled game with its table where :func:`fitted` puts it."""
    from web.commands.files import read_setup

    setup = read_setup(str(DEMO / "setup.json"))
    factor, top = _fit(size_wh)
    corners = [[x * factor, y * factor + top] for x, y in setup["calibration"]["corners_px"]]
    calibration = {**setup["calibration"], "corners_px": corners, "size_wh": list(size_wh)}
    return {**setup, "calibration": calibration}


def plane_for(setup: Json, size_wh: tuple[int, int]) -> TablePlane:
    """The measured table of such a setup."""
    from calibration.plane import plane_from_setup

    return plane_from_setup(setup, size_wh)


def fitted(image: Image, size_wh: tuple[int, int]) -> Image:
    """A picture of the bundled game as a camera with ``size_wh`` would show it: as wide, with more above and below."""
    import cv2
    import numpy as np

    factor, top = _fit(size_wh)
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    inner = cv2.resize(image, (size_wh[0], round(DEMO_WH[1] * factor)), interpolation=way)
    below = size_wh[1] - inner.shape[0] - round(top)
    return np.asarray(cv2.copyMakeBorder(inner, round(top), below, 0, 0, cv2.BORDER_REFLECT), np.uint8)


def _fit(size_wh: tuple[int, int]) -> tuple[float, float]:
    factor = size_wh[0] / DEMO_WH[0]
    return factor, float((size_wh[1] - round(DEMO_WH[1] * factor)) // 2)


def demo_jpegs(size_wh: tuple[int, int], seconds: float) -> Jpegs:
    """The first seconds of the bundled game as a camera sends them: JPEG."""
    from vision.sources import open_source
    from web.camera import jpeg

    frames: Jpegs = []
    with open_source(str(DEMO / "verflixxt.mp4")) as source:
        for frame in source:
            if frame.t_s > seconds:
                break
            frames.append((frame.t_s, jpeg(fitted(frame.image_bgr, size_wh), max(size_wh))))
    return frames


def measure(size_wh: tuple[int, int], seconds: float, clock: Clock = time.perf_counter) -> Meter:
    """Referee the first seconds of the bundled game as if it were live."""
    return refereed(demo_jpegs(size_wh, seconds), demo_setup(size_wh), clock)


def refereed(waiting: Jpegs, setup: Json, clock: Clock = time.perf_counter) -> Meter:
    """Referee pictures as if they came live: whatever is computed lets frames pass by unseen."""
    meter = Meter(clock)
    game, now_s = _Metered(meter, setup), 0.0
    for number, (t_s, data) in enumerate(waiting):
        if number + 1 < len(waiting) and waiting[number + 1][0] <= now_s:
            continue  # a newer one is there already
        began = clock()
        game.frame(data, t_s, number)
        now_s = max(now_s, t_s) + clock() - began
    return meter


class _Metered:
    """A referee whose parts are timed, and what is done for viewers with every frame."""

    def __init__(self, meter: Meter, setup: Json) -> None:
        from vision.health import Health
        from vision.hub import Hub
        from web.api import Live
        from web.app import Config

        self._meter, self._setup = meter, setup
        self._health, self._hub = Health(live=True), Hub()
        self._live = Live(Config(self._hub, ""))
        self._referee: Any = None
        self._lines: list[Json] = []
        self._spent_s = 0.0

    def frame(self, data: bytes, t_s: float, number: int) -> None:
        """One frame's way through all stages."""
        import cv2
        import numpy as np

        from vision.frames import Frame

        with self._meter.stage("grab"):
            image = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        if self._referee is None:
            self._referee = self._prepared(image)
        self._spent_s, began = 0.0, self._meter.clock()
        self._health.check(Frame(image, t_s, number))
        health_s = self._meter.clock() - began
        began = self._meter.clock()
        lines: list[Json] = self._referee.step(image, t_s)
        rest_s = self._meter.clock() - began - self._spent_s
        self._meter.samples_s["gate"][-1] += health_s
        if len(self._meter.samples_s["explain"]) < len(self._meter.samples_s["crops"]):
            self._meter.samples_s["explain"].append(rest_s)
        self._show(image, t_s, lines)

    def _show(self, image: Image, t_s: float, lines: list[Json]) -> None:
        from vision import overlay
        from vision.snapshot import snapshot
        from web.camera import jpeg

        self._lines += lines
        with self._meter.stage("publish"):
            self._hub.publish(snapshot(self._referee, self._setup, self._lines, t_s, 10.0))
            self._live.encode(self._hub.snapshot())
        with self._meter.stage("encode"):
            jpeg(overlay.draw(image, self._referee))

    def _prepared(self, image: Image) -> Any:
        from vision.watch import camera_eyes, new_referee

        referee: Any = new_referee(self._setup, image, lambda plane, setup: self._timed(camera_eyes(plane, setup)))
        update = referee._motion.update

        def timed(image: Image, t_s: float) -> float:
            began = self._meter.clock()
            still_s = float(update(image, t_s))
            self._meter.samples_s["gate"].append(self._meter.clock() - began)
            self._spent_s += self._meter.samples_s["gate"][-1]
            return still_s

        referee._motion.update = timed
        return referee

    def _timed(self, eyes: Any) -> Any:
        meter, detect, read = self._meter, eyes._detector.detect, eyes.read
        detected = [0.0]

        def timed_detect(image: Image) -> Any:
            began = meter.clock()
            found = detect(image)
            detected[0] = meter.clock() - began
            meter.samples_s["detect"].append(detected[0])
            return found

        def timed_read(image: Image, t_s: float) -> Any:
            began = meter.clock()
            reading = read(image, t_s)
            spent = meter.clock() - began
            meter.samples_s["crops"].append(spent - detected[0])
            self._spent_s += spent
            return reading

        eyes._detector.detect, eyes.read = timed_detect, timed_read
        return eyes


@dataclass(frozen=True, slots=True)
class Idle:
    """A table at which nothing happens: part of a core that is used, frames a second looked at, memory at most."""

    size_wh: tuple[int, int]
    share: float
    frames_s: float
    memory_mb: float | None


class _Webcam:
    """``cv2.VideoCapture`` of a camera that sends JPEGs 30 times a second; grabbed frames are not unpacked."""

    def __init__(self, jpegs: list[bytes]) -> None:
        self._jpegs, self._due_s, self.count, self.unpacked = jpegs, time.monotonic(), 0, 0

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def grab(self) -> bool:
        self._due_s = max(self._due_s + 1 / CAMERA_FPS, time.monotonic())
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self.count += 1
        return True

    def read(self) -> tuple[bool, Any]:
        import cv2
        import numpy as np

        self.grab()
        self.unpacked += 1
        data = np.frombuffer(self._jpegs[self.count % len(self._jpegs)], np.uint8)
        return True, cv2.imdecode(data, cv2.IMREAD_COLOR)

    def release(self) -> None:
        pass


def idle(size_wh: tuple[int, int], seconds: float) -> Idle:
    """Let the live referee watch the first picture of the bundled game, with a camera's noise, for some seconds."""
    from vision.hub import Hub
    from vision.live import LiveSource
    from vision.runner import run_referee

    camera, ends, hub = _Webcam(_noisy(size_wh)), threading.Event(), Hub()
    source = LiveSource("bench", lambda: camera, "camera_closed")
    thread = threading.Thread(target=run_referee, args=(source, demo_setup(size_wh), hub), kwargs={"closing": ends})
    thread.start()
    until = time.monotonic() + 60.0
    while hub.snapshot()["state"] != "at_rest" and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(3.0)
    began, spent, seen = time.monotonic(), time.process_time(), camera.unpacked
    time.sleep(seconds)
    took = time.monotonic() - began
    result = Idle(size_wh, (time.process_time() - spent) / took, (camera.unpacked - seen) / took, memory_mb())
    ends.set()
    thread.join(20)
    return result


def _noisy(size_wh: tuple[int, int]) -> list[bytes]:
    import cv2
    import numpy as np

    from web.camera import jpeg

    first = np.frombuffer(demo_jpegs(size_wh, 0.0)[0][1], np.uint8)
    still = np.asarray(cv2.imdecode(first, cv2.IMREAD_COLOR), np.int16)
    noise = np.random.default_rng(1)
    grainy = [np.clip(still + noise.normal(0.0, 2.0, still.shape), 0, 255).astype(np.uint8) for _ in range(6)]
    return [jpeg(image, max(size_wh)) for image in grainy]


def memory_mb() -> float | None:
    """The most memory this process has had, None where the system does not say."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
