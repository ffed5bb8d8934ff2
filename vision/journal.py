"""The append-only journal of games: every line the referee wrote, with the picture it was written on.

SQLite in write-ahead mode: a process that is killed loses nothing that was committed, and a game goes on by reading
its lines through the rules again. What cannot be written (the disk is full) waits and is written as soon as it can be.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import UserError
from vision.events import Json
from vision.why import JOURNAL_IN_USE, JOURNAL_NO_PICTURES, JOURNAL_WAITS, Text

VERSION = 1
JPEG_QUALITY = 80

_MAGIC = b"SQLite format 3\0"
_MOST_MISSING = 2000

_TABLES = """
CREATE TABLE IF NOT EXISTS games (id INTEGER PRIMARY KEY, setup TEXT NOT NULL, begun TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS lines (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), line TEXT NOT NULL,
    before_jpeg BLOB, after_jpeg BLOB
);
"""


_Row = tuple[str, bytes | None, bytes | None]
"""A line and the pictures before and after it."""


class JournalError(UserError):
    """A journal file that cannot be used."""

    TEXTS = {
        "journal_unusable": (
            "Das Protokoll {path} lässt sich nicht benutzen ({detail}): bitte eine andere Datei angeben.",
            "The journal {path} cannot be used ({detail}): give another file.",
        ),
    }


class Journal:
    """One journal file with any number of games. Use it in the thread that opened it. Raises JournalError.

    ``problem``: what a person should know about the file, None while all is well.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.problem: Text | None = None
        self._lock: sqlite3.Connection | None = None
        self._game: int | None = None
        self._begun: tuple[str, str] | None = None
        self._waiting: list[_Row] = []
        self._together = False
        try:
            self._base = sqlite3.connect(path, isolation_level=None)
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        try:
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
            self._check_version()
            self._base.executescript(_TABLES)
        except sqlite3.Error as error:
            self._base.close()
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> JournalError:
        return JournalError("journal_unusable", path=str(self._path), detail=str(error))

    def _check_version(self) -> None:
        version = int(self._base.execute("PRAGMA user_version").fetchone()[0])
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"version {version}, expected {VERSION}")
        self._base.execute(f"PRAGMA user_version = {VERSION}")

    def begin(self, setup: Mapping[str, Any], date: str) -> None:
        """Start a new game; later lines belong to it. ``date``: when, for people."""
        self._claim()
        self._game, self._begun = None, (json.dumps(setup, ensure_ascii=False, sort_keys=True), date)
        self._waiting.clear()
        self.write()

    def resume(self, setup: Mapping[str, Any]) -> list[Json] | None:
        """Go on with the newest game if it has this setup and has not ended: its lines. None: begin a new one.

        None as well while another program that has this journal open plays on. Raises JournalError for lines that
        cannot be read.
        """
        if self._begun is not None:  # begun here, and still to be written
            return None if self._begun[0] != json.dumps(setup, ensure_ascii=False, sort_keys=True) else self.lines()
        try:
            row = self._base.execute("SELECT id, setup FROM games ORDER BY id DESC LIMIT 1").fetchone()
            if row is None or json.loads(row[1]) != json.loads(json.dumps(setup)) or not self._claim():
                return None
            lines = self.lines(int(row[0]))
            if lines and lines[-1]["type"] == "end":
                return None
        except (sqlite3.Error, ValueError, LookupError, TypeError) as error:
            raise self._unusable(error) from error
        self._game = int(row[0])
        return lines

    def _claim(self) -> bool:
        """Whether no other program plays with this journal; from now on none does. The system ends the claim of a
        program that is killed."""
        if self._lock is not None or self._path == Path(":memory:"):
            return True
        with suppress(sqlite3.Error):
            lock = sqlite3.connect(f"{self._path}.lock", isolation_level=None, timeout=0.0)
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error:
                lock.close()
                raise
            self._lock = lock
            return True
        self.problem = JOURNAL_IN_USE
        return False

    def add(self, line: Json, before: NDArray[np.uint8] | None = None, after: NDArray[np.uint8] | None = None) -> None:
        """Append a line of the current game, with the pictures before and after it. Committed when this returns; where
        that fails the line waits, and ``problem`` says why.

        Raises ValueError before :meth:`begin` or :meth:`resume`.
        """
        if self._game is None and self._begun is None:
            raise ValueError("no game has begun in this journal")
        self._waiting.append((json.dumps(line, ensure_ascii=False), _jpeg(before), _jpeg(after)))
        if not self._together:
            self.write()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is added inside is kept as a whole or, if the process is killed meanwhile, not at all."""
        count, self._together = len(self._waiting), True
        try:
            yield
        except BaseException:
            del self._waiting[count:]
            raise
        finally:
            self._together = False
        self.write()

    def write(self) -> bool:
        """Write what waits; False where that fails. On a full disk the lines come first: their pictures are left out.

        A crowded journal (another program writes) and a full disk pass: call this again after a while.
        """
        if not self._waiting and self._begun is None:
            return True
        rows = self._waiting
        if not self._written(rows):
            if not rows or not self._written([(line, None, None) for line, _, _ in rows]):
                self.problem = JOURNAL_WAITS
                return False
            self.problem = JOURNAL_NO_PICTURES
        elif self.problem in (JOURNAL_WAITS, JOURNAL_NO_PICTURES):
            self.problem = None
        self._waiting, self._begun = [], None
        return True

    def _written(self, rows: list[_Row]) -> bool:
        try:
            self._base.execute("BEGIN IMMEDIATE")
            game = self._game
            if self._begun is not None:
                game = self._base.execute("INSERT INTO games (setup, begun) VALUES (?, ?)", self._begun).lastrowid
            self._base.executemany(
                "INSERT INTO lines (game, line, before_jpeg, after_jpeg) VALUES (?, ?, ?, ?)",
                [(game, *row) for row in rows],
            )
            self._base.execute("COMMIT")
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            return False
        self._game = game
        return True

    def lines(self, game: int | None = None) -> list[Json]:
        """All lines of a game (of the current one), oldest first."""
        number = game or self._game
        rows = self._base.execute("SELECT line FROM lines WHERE game = ? ORDER BY id", (number,)).fetchall()
        waiting = self._waiting if number == self._game else []
        return [json.loads(row[0]) for row in (*rows, *waiting)]

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
        """Close the file; what waits is written if that is possible now."""
        self.write()
        self._base.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _jpeg(image: NDArray[np.uint8] | None) -> bytes | None:
    if image is None:
        return None
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes() if done else None


def rescued(path: Path) -> Path | None:
    """Set a damaged journal aside, as ``NAME.damaged-1``, and put a new one with all that can still be read in its
    place. Where the old one is now; None for a file that is no journal, which is left alone.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return None
        aside = next(p for n in range(1, 1000) if not (p := path.with_name(f"{path.name}.damaged-{n}")).exists())
        for ending in ("", "-wal", "-shm"):
            part = path.with_name(path.name + ending)
            if part.exists():
                part.rename(aside.with_name(aside.name + ending))
    except (OSError, StopIteration):
        return None
    journal = Journal(path)
    journal.close()
    with suppress(sqlite3.Error), closing(sqlite3.connect(aside)) as old, closing(sqlite3.connect(path)) as new:
        for table, width in (("games", 3), ("lines", 5)):
            for row in _readable(old, table):
                new.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * width)})", row)
        new.commit()
    return aside


def _is_json(text: Any) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, TypeError):
        return False


def _readable(base: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table in a damaged file, each read alone, until too many in a row cannot be."""
    number, missing = 0, 0
    while missing < _MOST_MISSING:
        number += 1
        try:
            row = base.execute(f"SELECT * FROM {table} WHERE id = ?", (number,)).fetchone()
        except sqlite3.Error:
            row = None
        if row is not None and not _is_json(row[1 if table == "games" else 2]):
            continue
        missing = 0 if row is not None else missing + 1
        if row is not None:
            yield row
