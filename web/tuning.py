"""Fine-tuning with a set's own pictures, from the page: a process of its own, its progress, cancelled at any time."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from vision.exemplars.errors import SetError
from web.guard import controlled, json_body

if TYPE_CHECKING:
    from vision.exemplars.shelf import SetShelf
    from vision.exemplars.store import ExemplarSet

Json = dict[str, Any]

LEAST_FRAMES = 2
"""From fewer pictures nothing can be held back."""

blueprint = Blueprint("tuning", __name__)


def command(ident: str, data: Path) -> list[str]:
    """The command that fine-tunes with a set."""
    program = [sys.executable, "-m", "web.cli", "models", "train"]
    return [*program, "--from-set", ident, "--data", str(data), "--progress"]


class Tuner:
    """At most one fine-tuning at a time. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._progress: Json = {}
        self._began = 0.0
        self._problem = ""

    def start(self, shelf: SetShelf) -> None:
        """Begin with the current set. Raises SetError."""
        own, ident, folder = shelf.current, shelf.current_id, shelf.folder
        if folder is None or not possible():
            raise SetError("cannot_train")
        if len(own.frames) < LEAST_FRAMES:
            raise SetError("too_few_frames", needed=LEAST_FRAMES)
        with self._lock:
            if self._process is not None:
                return
            self._progress, self._problem, self._began = {"what": "reading", "share": 0.0}, "", time.monotonic()
            self._process = subprocess.Popen(
                command(ident, folder.parent), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            threading.Thread(target=self._follow, args=(self._process, own), daemon=True).start()

    def _follow(self, process: subprocess.Popen[str], own: ExemplarSet) -> None:
        assert process.stdout is not None
        done = False
        with process.stdout:
            for line in process.stdout:
                said = _said(line)
                done = done or "done" in said
                if "share" in said:
                    with self._lock:
                        self._progress = said
        failed = process.wait() != 0
        if done:
            own.other_readers()
        with self._lock:
            if self._process is process:
                self._process = None
                self._problem = "training_failed" if failed else ""

    def cancel(self) -> None:
        """Give up; what was there before stays."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()

    def state(self, own: ExemplarSet) -> Json:
        """``can``: this computer can train; ``frames``: pictures kept; ``running``: how far it is; ``report``: what
        the last one came to; ``problem``: what went wrong, in both languages."""
        with self._lock:
            running = None
            if self._process is not None:
                share = float(self._progress.get("share", 0.0))
                passed = time.monotonic() - self._began
                left = passed * (1 - share) / share if share >= 0.05 else None
                running = {**self._progress, "left_s": None if left is None else round(left)}
            error = SetError(self._problem) if self._problem else None
            problem = None if error is None else {"de": error.sentence("de"), "en": error.sentence("en")}
        return {
            "can": possible(), "frames": len(own.frames), "needed": LEAST_FRAMES, "running": running,
            "report": own.tuned.report(), "problem": problem,
        }  # fmt: skip


def possible() -> bool:
    """Whether the packages of the extra ``train`` are there."""
    return find_spec("torch") is not None and find_spec("onnx") is not None


def _said(line: str) -> Json:
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


@blueprint.get("/api/sets/tune")
@controlled
def state() -> ResponseReturnValue:
    """How far the fine-tuning is."""
    return jsonify(_tuner().state(_shelf().current))


@blueprint.post("/api/sets/tune")
@controlled
def tune() -> ResponseReturnValue:
    """``{"what"}``: start, cancel, own (use the fine-tuned readers from the next game on) or general."""
    what, shelf = str(json_body().get("what", "")), _shelf()
    if what == "start":
        _tuner().start(shelf)
    elif what == "cancel":
        _tuner().cancel()
    elif what in ("own", "general"):
        shelf.current.tuned.use(what == "own")
        shelf.current.other_readers()
    return jsonify(_tuner().state(shelf.current))


def _tuner() -> Tuner:
    tuner: Tuner = current_app.extensions["schiri-tuner"]
    return tuner


def _shelf() -> SetShelf:
    shelf: SetShelf = current_app.extensions["schiri-desk"].sets
    return shelf
