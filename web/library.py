"""The games that a journal keeps, read while the referee may be writing: for the start page and the reports."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]

MOST_GAMES = 50


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game of the journal: its number there, its setup, when it began (ISO), and all its lines."""

    number: int
    setup: Json
    begun: str
    lines: tuple[Json, ...]

    @property
    def turns(self) -> list[Json]:
        """Turns and corrections that hold."""
        from vision.snapshot import settled_lines

        return settled_lines(self.lines)

    @property
    def end(self) -> Json | None:
        """The line that ended it, None for a game that was broken off."""
        return next((line for line in reversed(self.lines) if line.get("type") == "end"), None)

    def summary(self) -> Json:
        """What a list of games shows."""
        turns = self.turns
        return {
            "number": self.number, "game": self.setup.get("game"), "begun": self.begun,
            "players": [str(player.get("name", "")) for player in self.setup.get("players", [])],
            "turns": sum(line.get("type") == "turn" for line in turns),
            "illegal": sum(line.get("type") == "turn" and not line.get("legal", True) for line in turns),
            "scores": turns[-1].get("scores", {}) if turns else {},
            "winners": (self.end or {}).get("winners"),
        }  # fmt: skip


class Library:
    """The games of a journal file; none where there is no such file."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def games(self) -> list[KeptGame]:
        """The newest games first, without those in which nothing has happened yet."""
        with self._open() as base:
            rows = _rows(base, "SELECT id, setup, begun FROM games ORDER BY id DESC LIMIT ?", (MOST_GAMES,))
            return [game for row in rows if (game := _game(base, row)) is not None and game.turns]

    def game(self, number: int) -> KeptGame | None:
        """One game, None where there is none of this number."""
        with self._open() as base:
            rows = _rows(base, "SELECT id, setup, begun FROM games WHERE id = ?", (number,))
            return _game(base, rows[0]) if rows else None

    def interrupted(self) -> KeptGame | None:
        """The newest game, if something has happened in it and it has not ended."""
        with self._open() as base:
            rows = _rows(base, "SELECT id, setup, begun FROM games ORDER BY id DESC LIMIT 1")
            game = _game(base, rows[0]) if rows else None
        return game if game is not None and game.turns and game.end is None else None

    def goes_on(self, setup: Mapping[str, Any]) -> int:
        """How many turns of an interrupted game with this setup there are; 0 where a new game would begin."""
        game = self.interrupted()
        same = game is not None and game.setup == json.loads(json.dumps(setup))
        return sum(line.get("type") == "turn" for line in game.turns) if same and game is not None else 0

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        base = _reading(self._path) or _nothing()
        try:
            yield base
        finally:
            base.close()


def _reading(path: Path | None) -> sqlite3.Connection | None:
    """The journal for reading only, None where it cannot be read."""
    if path is None or not path.is_file():
        return None
    try:
        base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2.0)
    except sqlite3.Error:
        return None
    try:
        base.execute("SELECT id FROM lines LIMIT 1").fetchone()
        return base
    except sqlite3.Error:
        base.close()
        return None


def _nothing() -> sqlite3.Connection:
    base = sqlite3.connect(":memory:")
    base.executescript("CREATE TABLE games (id, setup, begun); CREATE TABLE lines (id, game, line);")
    return base


def _rows(base: sqlite3.Connection, query: str, values: tuple[int, ...] = ()) -> list[tuple[Any, ...]]:
    """The rows of a query; none from a file that is damaged there, or from a number that no row can have."""
    try:
        return base.execute(query, values).fetchall()
    except (sqlite3.Error, OverflowError):
        return []


def _game(base: sqlite3.Connection, row: tuple[Any, ...]) -> KeptGame | None:
    try:
        kept = _rows(base, "SELECT line FROM lines WHERE game = ? ORDER BY id", (int(row[0]),))
        lines, setup = [json.loads(line) for (line,) in kept], json.loads(row[1])
        if not isinstance(setup, dict) or not all(isinstance(line, dict) for line in lines):
            return None
        return KeptGame(int(row[0]), setup, str(row[2]), tuple(lines))
    except (ValueError, TypeError):
        return None
