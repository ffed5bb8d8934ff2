"""Readers that were fine-tuned with a set's own pictures: where they lie, what they are worth, if they are used."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

READERS = ("tile", "die")
"""What is fine-tuned: the reader of kinds of tiles and that of faces of dice."""


class Tuned:
    """The fine-tuned readers below ``folder`` (None: there are none)."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path | None:
        """Where the readers lie."""
        return self._folder

    def report(self) -> dict[str, Any]:
        """What the last fine-tuning came to: ``use``, and for each reader ``before``, ``after`` (parts right of
        ``count`` things held back) and ``better``; empty where there was none."""
        try:
            data = json.loads((self._folder / "tuned.json").read_text("utf-8")) if self._folder else {}
        except (OSError, ValueError):
            return {}
        return dict(data) if isinstance(data, Mapping) else {}

    def reader(self, kind: str) -> Path | None:
        """The file of a fine-tuned reader that is to be used, None where the general one is."""
        report = self.report()
        entry = report.get(kind)
        if self._folder is None or not report.get("use") or not isinstance(entry, Mapping) or not entry.get("better"):
            return None
        file = self._folder / f"{kind}_reader.onnx"
        return file if file.is_file() else None

    def use(self, wanted: bool) -> None:
        """Use the fine-tuned readers from the next game on, or the general ones."""
        self.note({**self.report(), "use": wanted})

    def note(self, report: Mapping[str, Any]) -> None:
        """Keep what a fine-tuning came to. Raises OSError."""
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        part = self._folder / "tuned.json.part"
        part.write_text(json.dumps(report, indent=1), "utf-8")
        os.replace(part, self._folder / "tuned.json")
