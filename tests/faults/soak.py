"""A long evening at many times its speed: ``python -m tests.faults.soak [--hours 4] [--faults] [--out REPORT]``.

Games are played one after the other on a drawn table, through the live loop with its journal, hub and viewers, as
``schiri serve`` runs them; the table rests between them as it does while people talk. Eyes look into the truth, so that
every turn must be right. With ``--faults`` the camera fails now and then. Ends with status 1 where a turn is wrong, or
where memory or open files grow.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tests.faults.table import Image, Shot, StillEyes
from tests.vision.killed_game import CORNERS
from tests.vision.playing import happenings
from tests.vision.toy import FPS, SETUP, Toy
from vision import loop
from vision.frames import Frame, FrameSource
from vision.hub import Hub
from vision.journal import Journal
from vision.runner import run_referee
from web.api import Live
from web.app import Config
from web.camera import Pictures

REST_S = 30.0
"""How long the table rests after every throw and move: a quiet evening."""

LIVELY, EVERY = 20, 20
"""So many frames of a rest come ten a second, then every twentieth: what comes faster shows the same table."""

MOST_GROWTH_MB, WARM = 40.0, 0.25
"""Memory may grow by so much after the first quarter of the evening, in which everything is loaded and filled once."""


@dataclass
class Watched:
    """What is measured: memory and open files at the end of every game, turns that were right and wrong."""

    memory_mb: list[float] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    table_s: float = 0.0

    def look(self) -> None:
        """Measure now."""
        gc.collect()
        self.memory_mb.append(resident_mb())
        self.files.append(open_files())
        self.threads.append(threading.active_count())

    def problems(self) -> list[str]:
        """What should not be; empty after a good evening."""
        found = list(self.wrong)
        warm = self.memory_mb[int(len(self.memory_mb) * WARM) :]
        if warm and max(warm) - warm[0] > MOST_GROWTH_MB:
            found.append(f"memory grew from {warm[0]:.0f} to {max(warm):.0f} MB")
        if self.files and max(self.files[1:], default=0) > self.files[0] + 2:
            found.append(f"open files grew from {self.files[0]} to {max(self.files)}")
        if self.threads and max(self.threads[1:], default=0) > self.threads[0]:
            found.append(f"threads grew from {self.threads[0]} to {max(self.threads)}")
        return found


def resident_mb() -> float:
    """Memory of this process now; 0 where the system does not say."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return 0.0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def open_files() -> int:
    """Open files of this process; 0 where the system does not say."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


def game(seed: int, turns: int) -> Toy:
    """A game of random turns, some of them wrong and put right."""
    toy, chance = Toy({**SETUP, "calibration": CORNERS}, seed=seed), random.Random(seed)
    toy.rest(0.8)
    for _ in range(turns):
        if toy.game.outcome(toy.state) is not None:
            break
        face = chance.randrange(1, 7)
        toy.play(face, chance.choice(toy.game.legal_actions(toy.state, face)))
    return toy


class Evening(FrameSource):
    """A live camera at the table of a game. The stills of the drawn game last as long as on a real evening, without
    being drawn more often than they are looked at; ``faults``: it goes black, stalls, or sends small pictures at times.
    While the referee thinks beside the loop no frame comes, so that none is missed at this speed.
    """

    live = paced = True

    def __init__(self, toy: Toy, watched: Watched, seed: int, faults: bool) -> None:
        self.name = "soak"
        self._shots = self._made(toy, random.Random(seed), faults)
        self._watched, self._ended = watched, False

    def _made(self, toy: Toy, chance: random.Random, faults: bool) -> Iterator[Shot]:
        t_s, number = 0.0, 0
        for still in toy.stills:
            first, last = round(still["t0"] * FPS), round(still["t1"] * FPS)
            hand = any(box["class"] == "hand" for box in still["boxes"])
            for k in range(last - first if hand else round(REST_S * FPS)):
                image = toy.frames[first + k % (last - first)]
                t_s += 1 / FPS
                self._watched.table_s += 1 / FPS
                if faults and not hand and LIVELY < k < 2 * LIVELY:
                    yield from self._fault(image, t_s, chance, k)
                elif hand or k <= LIVELY or k % EVERY == 0:
                    yield Frame(image, t_s, number)
                number += 1

    def _fault(self, image: Image, t_s: float, chance: random.Random, k: int) -> Iterator[Shot]:
        kind = (round(t_s) // 30) % 4
        if kind == 0:
            yield Frame(np.asarray(np.random.default_rng(k).integers(0, 9, image.shape), np.uint8), t_s, k)
        elif kind == 1:
            yield None
        elif kind == 2:
            yield Frame(np.ascontiguousarray(image[:, : image.shape[1] // 2]), t_s, k)
        elif chance.random() < 0.2:
            yield Frame(image, t_s - chance.uniform(0, 100), k)

    @property
    def ended(self) -> bool:
        return self._ended

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        if timeout_s <= loop.THINKING_TIMEOUT_S:
            time.sleep(0.001)
            return None
        try:
            return next(self._shots)
        except StopIteration:
            self._ended = True
            return None

    def close(self) -> None:
        self._ended = True


def watching(hub: Hub, ends: threading.Event) -> threading.Thread:
    """A viewer that reads events and pictures as the page does."""
    live, pictures = Live(Config(hub, "")), Pictures(Config(hub, ""))

    def watch() -> None:
        for _ in live.stream(ends.is_set):
            pictures.newest()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def play(seed: int, turns: int, folder: Path, watched: Watched, faults: bool) -> None:
    """One game of the evening, compared with what was played."""
    toy, lines = game(seed, turns), list[dict[str, Any]]()
    hub, ends, journal = Hub(), threading.Event(), Journal(folder / "games.sqlite")
    journal.begin(toy.setup, f"game {seed}")  # as the desk does: nobody goes on with the game before
    viewers = [watching(hub, ends) for _ in range(2)]
    run_referee(
        Evening(toy, watched, seed, faults), toy.setup, hub, journal, on_line=lines.append,
        eyes_for=lambda plane, setup: StillEyes(plane, toy),
    )
    kept = journal.lines()
    journal.close()
    ends.set()
    for viewer in viewers:
        viewer.join(10)
    told = [h for h in happenings(lines) if h[0] in ("turn", "correction")]
    if [h for h in happenings(kept) if h[0] in ("turn", "correction")] != told:
        watched.wrong.append(f"game {seed}: the journal has other lines than the referee")
    played = [turn for turn in told if turn[0] == "turn" and not turn[5]]
    watched.right += len(played)
    expected = sum(1 for still in toy.stills if any(box["class"] == "hand" for box in still["boxes"]))
    final = {score["player"]: score["total"] for score in hub.snapshot()["scores"]}
    truth = {score.player: score.total for score in toy.game.scores(toy.state)}
    if len(told) != expected or len(played) != expected or final != truth:
        watched.wrong.append(f"game {seed}: {len(played)} of {expected} turns, scores {final} instead of {truth}")
    watched.look()


def evening(hours: float, turns: int = 12, faults: bool = False, out: Path | None = None) -> Watched:
    """Play until so many hours of table time have passed; after every game ``out`` tells how it stands."""
    watched, seed = Watched(), 0
    loop.CALM_EVERY_S = 0.0
    with tempfile.TemporaryDirectory() as folder:
        while watched.table_s < 3600 * hours:
            seed += 1
            play(seed, turns, Path(folder), watched, faults)
            if out is not None:
                out.write_text(json.dumps(report(watched, faults)) + "\n", encoding="utf-8")
    return watched


def report(watched: Watched, faults: bool) -> dict[str, Any]:
    """How the evening stands, as it is kept and printed."""
    return {
        "table_hours": round(watched.table_s / 3600, 2), "games": len(watched.memory_mb), "turns_right": watched.right,
        "memory_mb": [round(mb) for mb in watched.memory_mb], "files": watched.files, "threads": watched.threads,
        "cpu_s": round(time.process_time()), "faults": faults, "problems": watched.problems(),
    }  # fmt: skip


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    found = report(evening(given.hours, given.turns, given.faults, given.out), given.faults)
    print(json.dumps(found))
    return 1 if found["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
