"""The named sets of a household: one folder each, and which of them lies on the table."""

from __future__ import annotations

import json
import shutil
import threading
import uuid
from pathlib import Path
from typing import Any

from vision.exemplars.errors import SetError
from vision.exemplars.store import NAME_LENGTH, ExemplarSet

FIRST_NAME = "1"


class SetShelf:
    """All sets below ``folder`` (None: one set in memory). There always is a current one. Safe from several threads."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._sets: dict[str, ExemplarSet] = {}
        self._current = ""
        self._load()

    @property
    def folder(self) -> Path | None:
        """Where the sets lie, None where nothing is kept."""
        return self._folder

    @property
    def current(self) -> ExemplarSet:
        """The set on the table."""
        with self._lock:
            return self._sets[self._current]

    @property
    def current_id(self) -> str:
        """Its id."""
        return self._current

    def names(self) -> list[tuple[str, str]]:
        """Id and name of every set, by name."""
        with self._lock:
            return sorted(((ident, one.name) for ident, one in self._sets.items()), key=lambda pair: pair[1].lower())

    def choose(self, ident: str) -> None:
        """Let this set be the one on the table. Raises SetError."""
        with self._lock:
            self._known(ident)
            self._current = ident
            self._note()

    def new(self, name: str) -> str:
        """An empty set, current from now on; its id. Raises SetError."""
        return self._take(ExemplarSet(_checked(name)))

    def rename(self, ident: str, name: str) -> None:
        """Raises SetError."""
        with self._lock:
            self._known(ident).rename(_checked(name))

    def remove(self, ident: str) -> None:
        """Forget a set with all it knows; where it was the last, there is an empty one afterwards. Raises SetError."""
        with self._lock:
            gone = self._known(ident)
            del self._sets[ident]
            if gone.folder is not None:
                shutil.rmtree(gone.folder, ignore_errors=True)
                gone.folder = None
            if not self._sets:
                self._take(ExemplarSet(FIRST_NAME))
            elif self._current == ident:
                self._current = self.names()[0][0]
                self._note()

    def take_in(self, data: bytes) -> str:
        """Add a set from a file, current from now on; its id. Raises SetError."""
        return self._take(ExemplarSet.unpacked(data))

    def _take(self, one: ExemplarSet) -> str:
        with self._lock:
            ident = uuid.uuid4().hex[:12]
            self._sets[ident], self._current = one, ident
            if self._folder is not None:
                one.keep_in(self._folder / ident)
            self._note()
            return ident

    def _known(self, ident: str) -> ExemplarSet:
        if ident not in self._sets:
            raise SetError("no_such_set")
        return self._sets[ident]

    def _load(self) -> None:
        if self._folder is not None and self._folder.is_dir():
            for file in sorted(self._folder.glob("*/set.json")):
                try:
                    self._sets[file.parent.name] = ExemplarSet("", file.parent)
                except (OSError, ValueError, KeyError, TypeError):
                    continue  # a damaged set is left alone on the disk, the others go on
        wanted = self._noted()
        if not self._sets:
            self._take(ExemplarSet(FIRST_NAME))
        self._current = wanted if wanted in self._sets else self._current or self.names()[0][0]

    def _noted(self) -> str:
        try:
            noted: Any = json.loads((self._folder / "current.json").read_text("utf-8")) if self._folder else None
        except (OSError, ValueError):
            return ""
        return str(noted.get("current", "")) if isinstance(noted, dict) else ""

    def _note(self) -> None:
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / "current.json").write_text(json.dumps({"current": self._current}), "utf-8")
        except OSError:
            return  # a full disk or a folder without rights must not stop a game


def _checked(name: str) -> str:
    """A name for a set. Raises SetError."""
    plain = " ".join(str(name).split())
    if not 0 < len(plain) <= NAME_LENGTH:
        raise SetError("bad_name")
    return plain
