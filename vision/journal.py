"""The append-only journal of games: every line the referee wrote, with the picture it was written on.

SQLite in write-ahead mode: a process that is killed loses nothing that was committed, and a game goes on by reading
its lines through the rules again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import UserError
from vision.events import Json

VERSION = 1
JPEG_QUALITY = 80

_TABLES = """
CREATE TABLE IF NOT EXISTS games (id INTEGER PRIMARY KEY, setup TEXT NOT NULL, begun TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS lines (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), line TEXT NOT NULL,
    before_jpeg BLOB, after_jpeg BLOB
);
"""


class JournalError(UserError):
    """A journal file that cannot be used."""

    TEXTS = {
        "journal_unusable": (
            "Das Protokoll {path} lässt sich nicht benutzen ({detail}): bitte eine andere Datei angeben.",
            "The journal {path} cannot be used ({detail}): give another file.",
        ),
    }


class Journal:
    """One journal file with any number of games. Use it in the thread that opened it. Raises JournalError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._base = sqlite3.connect(path, isolation_level=None)
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = NORMAL")
            self._check_version()
            self._base.executescript(_TABLES)
        except sqlite3.Error as error:
            raise JournalError("journal_unusable", path=str(path), detail=str(error)) from error
        self._game: int | None = None

    def _check_version(self) -> None:
        version = int(self._base.execute("PRAGMA user_version").fetchone()[0])
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"version {version}, expected {VERSION}")
        self._base.execute(f"PRAGMA user_version = {VERSION}")

    def begin(self, setup: Mapping[str, Any], date: str) -> None:
        """Start a new game; later lines belong to it. ``date``: when, for people."""
        text = json.dumps(setup, ensure_ascii=False, sort_keys=True)
        self._game = self._base.execute("INSERT INTO games (setup, begun) VALUES (?, ?)", (text, date)).lastrowid

    def resume(self, setup: Mapping[str, Any]) -> list[Json] | None:
        """Go on with the newest game if it has this setup and has not ended: its lines. None: begin a new one."""
        row = self._base.execute("SELECT id, setup FROM games ORDER BY id DESC LIMIT 1").fetchone()
        if row is None or json.loads(row[1]) != json.loads(json.dumps(setup)):
            return None
        lines = self.lines(int(row[0]))
        if lines and lines[-1]["type"] == "end":
            return None
        self._game = int(row[0])
        return lines

    def add(self, line: Json, before: NDArray[np.uint8] | None = None, after: NDArray[np.uint8] | None = None) -> None:
        """Append a line of the current game, with the pictures before and after it. Committed when this returns.

        Raises ValueError before :meth:`begin` or :meth:`resume`.
        """
        if self._game is None:
            raise ValueError("no game has begun in this journal")
        self._base.execute(
            "INSERT INTO lines (game, line, before_jpeg, after_jpeg) VALUES (?, ?, ?, ?)",
            (self._game, json.dumps(line, ensure_ascii=False), _jpeg(before), _jpeg(after)),
        )

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is added inside is kept as a whole or, if the process is killed meanwhile, not at all."""
        self._base.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    def lines(self, game: int | None = None) -> list[Json]:
        """All lines of a game (of the current one), oldest first."""
        rows = self._base.execute("SELECT line FROM lines WHERE game = ? ORDER BY id", (game or self._game,))
        return [json.loads(row[0]) for row in rows]

    def pictures(self, number: int) -> tuple[bytes | None, bytes | None]:
        """The JPEG pictures before and after line ``number`` (from 0) of the current game. Raises IndexError."""
        row = self._base.execute(
            "SELECT before_jpeg, after_jpeg FROM lines WHERE game = ? ORDER BY id LIMIT 1 OFFSET ?",
            (self._game, number),
        ).fetchone()
        if row is None:
            raise IndexError(f"the game has no line {number}")
        return row[0], row[1]

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def _jpeg(image: NDArray[np.uint8] | None) -> bytes | None:
    if image is None:
        return None
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes() if done else None
