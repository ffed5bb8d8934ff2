"""The referee's desk: the chosen camera, the measured table, and the game that is being played.

Pages ask and tell it from many threads; games run one after the other in the one thread that calls :meth:`Desk.run`.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.errors import UserError
from rules.protocol import InputError
from vision.hub import Hub
from web.cameras import Camera, CameraError
from web.shelf import Shelf

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.plane import TablePlane
    from vision.frames import FrameSource
    from web.feed import Feed

Json = dict[str, Any]
Text = dict[str, str]
OnLine = Callable[[Json], None]

STUMBLES, STUMBLE_S = 3, 60.0
"""A game that fails by a fault of the program goes on by itself, unless that happens so often within these seconds."""


class GameError(UserError):
    """A game that the program itself had to give up."""

    TEXTS = {
        "fault": (
            "Im Programm ist ein Fehler aufgetreten ({detail}). Was gespielt wurde, ist gespeichert: bitte das Spiel "
            "auf der Startseite fortsetzen.",
            "The program has made a mistake ({detail}). What was played is stored: go on with the game from the start "
            "page.",
        ),
    }


class Ends(threading.Event):
    """Set when this game is to end, or when the program ends."""

    def __init__(self, program: threading.Event) -> None:
        super().__init__()
        self._program = program

    def is_set(self) -> bool:
        return super().is_set() or self._program.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the game's own end; the program's is seen after ``timeout``, so give a short one."""
        super().wait(timeout)
        return self.is_set()


@dataclass(frozen=True, slots=True)
class Job:
    """A game to be played: ``frames`` of its own (a command line has opened them), else those of the feed.

    ``resume``: go on with the newest game of the journal where it has this setup. ``fatal``: a failure ends the
    program, since nobody looks at a page. ``lines``: what has been played already. ``again``: its journal was mended.
    """

    setup: Json
    frames: FrameSource | None = None
    journal: Path | None = None
    resume: bool = False
    fatal: bool = False
    lines: tuple[Json, ...] = ()
    again: bool = False


@dataclass(slots=True)
class _Now:
    feed: Feed | None = None
    plane: TablePlane | None = None
    setup: Json | None = None
    problem: Text | None = None
    ends: threading.Event | None = None
    pictures: Any = field(default=None)


class Desk:
    """One per program. ``journal``: where live games are kept, None for nowhere; ``speed``: of recordings."""

    def __init__(
        self, hub: Hub, shelf: Shelf, journal: Path | None = None, on_line: OnLine | None = None, speed: float = 1.0
    ) -> None:
        from vision.exemplars.shelf import SetShelf
        from web.album import Pictures

        self.hub, self.shelf, self.journal_path = hub, shelf, journal
        self.record_to: Path | None = None
        self.pictures = Pictures()
        self.sets = SetShelf(shelf.below("sets"))
        self._on_line, self._speed = on_line, speed
        self._jobs: queue.Queue[Job] = queue.Queue()
        self._stumbled_at: list[float] = []
        self._lock = threading.RLock()
        self._now = _Now()

    # The camera.

    def choose(self, camera: Camera) -> Feed:
        """Open a camera in place of the one before; a game that runs ends. Raises SourceError."""
        from web.feed import Feed

        with self._lock:
            if self._now.feed is not None and self._now.feed.camera == camera and self._now.feed.connected:
                return self._now.feed
            self.stop()
            if self._now.feed is not None:
                self._now.feed.close()
                self._now.feed = None
            self._now.plane = None
            self._now.feed = Feed(camera, self._speed)
            return self._now.feed

    @property
    def feed(self) -> Feed:
        """The chosen camera. Raises CameraError before one was chosen."""
        feed = self._now.feed
        if feed is None:
            raise CameraError("none_chosen")
        return feed

    def picture(self) -> Image:
        """The newest picture (H, W, 3). Raises CameraError where there is none."""
        image = self.feed.picture()[1]
        if image is None:
            raise CameraError("no_picture_yet")
        return image

    # The table.

    @property
    def plane(self) -> TablePlane | None:
        """The measured table, None before it was measured."""
        return self._now.plane

    def measured(self, plane: TablePlane | None, place: str | None = None) -> None:
        """Take this plane from now on, and keep it for evenings to come under ``place`` where one is given."""
        self._now.plane = plane
        if plane is not None and place is not None:
            self.shelf.keep_table(self.feed.camera.id, place, plane.to_json())

    @property
    def k1(self) -> float | None:
        """The distortion of the chosen camera's lens, None where it was never measured."""
        return self.shelf.lens(self.feed.camera.id)

    # The game.

    @property
    def setup(self) -> Json | None:
        """The setup of the game that runs, None while none does."""
        return self._now.setup

    @property
    def problem(self) -> Text | None:
        """Why the last game ended by a fault."""
        return self._now.problem

    def start(self, setup: Json, resume: bool = False) -> None:
        """Play this game with the chosen camera. Raises SetupError, CameraError."""
        from vision.watch import check_setup

        check_setup(setup)
        feed = self.feed
        self.stop()
        self.shelf.keep_setup(setup)
        self._now.problem = None
        self.play(Job(setup, journal=self.journal_path if feed.live else None, resume=resume))

    def move_table(self) -> None:
        """Go on with the game that runs on the table as it is measured now. Raises CameraError, SetupError."""
        from rules.protocol import SetupError

        setup, plane = self.setup, self.plane
        if setup is None or plane is None:
            raise SetupError("no game is running", "es läuft kein Spiel")
        played = tuple(self.hub.snapshot().get("turns") or ())
        moved = {**setup, "calibration": plane.to_json()}
        feed = self.feed
        self.stop()
        self.play(Job(moved, journal=self.journal_path if feed.live else None, lines=played))

    def play(self, job: Job) -> None:
        """Let this game be the next."""
        self._now.setup = job.setup
        self._jobs.put(job)

    def stop(self) -> None:
        """End the game that runs, and forget those that wait."""
        with self._lock:
            while True:
                try:
                    self._jobs.get_nowait()
                except queue.Empty:
                    break
            self._now.setup = None
            if self._now.ends is not None:
                self._now.ends.set()

    def run(self, closing: threading.Event) -> None:
        """Play the games as they come until ``closing`` is set. Raises what a fatal job raised."""
        while not closing.is_set():
            job = self._next(Ends(closing))
            if job is not None:
                self._play(*job)
        if self._now.feed is not None:
            self._now.feed.close()

    def _next(self, ends: Ends) -> tuple[Job, Ends] | None:
        """The next game, from here on the one that :meth:`stop` ends; None after a moment without any."""
        if self._jobs.empty():
            ends.wait(0.1)
        with self._lock:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return None
            self._now.ends, self._now.setup = ends, job.setup
            return job, ends

    def _play(self, job: Job, ends: Ends) -> None:
        from vision.journal import JournalError, rescued

        lines = list(job.lines)
        self.pictures.clear()
        try:
            self._referee(job, ends, lines)
        except JournalError as error:
            # Damage deep inside shows only when a game is read.
            if not job.again and job.journal is not None and rescued(job.journal) is not None:
                self.play(replace(job, frames=None, again=True))
            else:
                self._failed(error, job)
        except (UserError, InputError) as error:
            self._failed(error, job)
        except Exception as error:
            self._stumbled(job, ends, lines, error)
        finally:
            self._over()

    def _referee(self, job: Job, ends: Ends, lines: list[Json]) -> None:
        """Play one game; ``lines`` gets what is written."""
        from functools import partial

        from vision.runner import run_referee
        from vision.watch import camera_eyes
        from web.album import album

        def told(line: Json) -> None:
            lines.append(line)
            if self._on_line is not None:
                self._on_line(line)

        with closing(album(job.journal, self.pictures, needed=job.fatal)) as journal:
            if not job.resume:
                journal.begin(job.setup, datetime.now().astimezone().isoformat(timespec="seconds"))
            for line in job.lines:
                journal.add(line)
            frames = self._kept(job.frames or self.feed.lend(), job.setup)
            eyes = partial(camera_eyes, own=self.sets.current)
            run_referee(frames, job.setup, self.hub, journal, closing=ends, on_line=told, eyes_for=eyes)

    def _stumbled(self, job: Job, ends: Ends, lines: list[Json], error: Exception) -> None:
        """A fault of the program: note it, and go on with the game from what was written."""
        self.shelf.note_fault("".join(traceback.format_exception(error)))
        now = time.monotonic()
        self._stumbled_at = [at for at in self._stumbled_at if now - at < STUMBLE_S] + [now]
        live = self._now.feed is not None and self._now.feed.live
        if ends.is_set():
            return
        if live and len(self._stumbled_at) < STUMBLES:
            kept = job.journal is not None
            self.play(replace(job, frames=None, resume=kept, lines=() if kept else tuple(lines)))
            return
        detail = " ".join(f"{type(error).__name__} {error}".split())[:120]
        self._failed(GameError("fault", detail=detail), job)

    def _kept(self, frames: FrameSource, setup: Json) -> FrameSource:
        """The frames, kept on their way where the command line asked for that (``record_to``). Raises SourceError."""
        from vision.recorder import Recorder, free_folder
        from vision.watch import SHEETS, WHOLE_BOX

        if self.record_to is None or setup.get("game") in WHOLE_BOX | SHEETS:
            return frames
        return Recorder(frames, free_folder(self.record_to))

    def _over(self) -> None:
        with self._lock:
            self._now.ends = None
            if self._jobs.empty():
                self._now.setup = None
            if self._now.feed is not None:
                self._now.feed.take_back()

    def _failed(self, error: UserError | InputError, job: Job) -> None:
        """Say on the page why the game is over. Raises ``error`` where nobody looks at a page."""
        from vision.snapshot import waiting

        if job.fatal:
            raise error
        say = error.sentence if isinstance(error, UserError) else error.text
        self._now.problem = {"de": say("de"), "en": say("en")}
        shown = self.hub.snapshot() if self.hub.snapshot().get("game") == job.setup.get("game") else {}
        self.hub.publish({**waiting(job.setup), **shown, "state": "lost", "why": self._now.problem})
