"""The journal of a game together with the pictures before and after its newest lines, for the page to show."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from vision.journal import Journal, JournalError, rescued
from vision.why import JOURNAL_MENDED, JOURNAL_NONE

Json = dict[str, Any]

MOST_LINES = 60
"""Lines whose pictures are kept at hand."""

LONGEST_PX = 1280


def line_key(line: Mapping[str, Any]) -> str:
    """Names a line of the record for as long as a game lasts, as the page does: there, 47.0 is 47."""
    t_s = line.get("t_s")
    return f"{line.get('type')}-{line.get('turn')}-{int(t_s) if isinstance(t_s, float) and t_s.is_integer() else t_s}"


class Pictures:
    """Pictures before and after lines, as JPEG; filled by the referee's thread, read by the page's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[bytes | None, bytes | None]] = {}

    def put(self, key: str, before: bytes | None, after: bytes | None) -> None:
        """Keep the pictures of a line; those of the oldest go."""
        with self._lock:
            self._kept[key] = before, after
            while len(self._kept) > MOST_LINES:
                self._kept.pop(next(iter(self._kept)))

    def get(self, key: str, after: bool) -> bytes | None:
        """One of the pictures of a line, None where there is none."""
        with self._lock:
            return self._kept.get(key, (None, None))[after]

    def clear(self) -> None:
        """A new game begins."""
        with self._lock:
            self._kept.clear()


class Album(Journal):
    """A journal that also puts the pictures of its lines into ``pictures``. Without a path it is kept in memory."""

    def __init__(self, path: Path | None, pictures: Pictures) -> None:
        super().__init__(path or Path(":memory:"))
        self._pictures = pictures

    def add(self, line: Json, before: NDArray[Any] | None = None, after: NDArray[Any] | None = None) -> None:
        """See :class:`vision.journal.Journal`."""
        super().add(line, before, after)
        self._pictures.put(line_key(line), _jpeg(before), _jpeg(after))


def album(path: Path | None, pictures: Pictures, needed: bool = False) -> Album:
    """The journal at ``path``: a damaged one is mended, one that cannot be used replaced by memory.

    Raises JournalError for the latter where the file is ``needed``.
    """
    try:
        return Album(path, pictures)
    except JournalError:
        if path is not None and rescued(path) is not None:
            kept = Album(path, pictures)
            kept.problem = JOURNAL_MENDED
            return kept
        if needed:
            raise
    forgets = Album(None, pictures)
    forgets.problem = JOURNAL_NONE
    return forgets


def _jpeg(image: NDArray[Any] | None) -> bytes | None:
    from web.camera import jpeg

    return None if image is None else jpeg(image, LONGEST_PX)
