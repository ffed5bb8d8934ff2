"""What is kept between evenings: measured tables by camera and place, the last set-up."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

Json = dict[str, Any]

MOST_TABLES = 40
FAULTS, MOST_FAULTS = "faults.log", 200_000


class Shelf:
    """A folder with a few small JSON files, None for one that forgets. A file that cannot be read counts as empty;
    writing is all or nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def below(self, name: str) -> Path | None:
        """A folder for larger things, None where nothing is kept."""
        return None if self._folder is None else self._folder / name

    def tables(self, camera_id: str | None = None) -> list[Json]:
        """Measured tables, newest first: ``{"camera", "place", "plane"}``; only those of ``camera_id`` where given."""
        kept = self._read("tables.json", [])
        tables = [entry for entry in kept if isinstance(entry, dict) and {"camera", "place", "plane"} <= entry.keys()]
        return [entry for entry in tables if camera_id is None or entry["camera"] == camera_id]

    def keep_table(self, camera_id: str, place: str, plane: Json) -> None:
        """Keep a measured table in place of an older one of this camera and place."""
        with self._lock:
            others = [e for e in self.tables() if (e["camera"], e["place"]) != (camera_id, place)]
            self._write("tables.json", [{"camera": camera_id, "place": place, "plane": plane}, *others][:MOST_TABLES])

    def lens(self, camera_id: str) -> float | None:
        """The distortion of this camera's lens, None where it was never measured."""
        kept = self._read("lenses.json", {})
        k1 = kept.get(camera_id) if isinstance(kept, dict) else None
        return float(k1) if isinstance(k1, int | float) else None

    def keep_lens(self, camera_id: str, k1: float) -> None:
        """Keep the distortion of a camera's lens."""
        with self._lock:
            kept = self._read("lenses.json", {})
            self._write("lenses.json", {**(kept if isinstance(kept, dict) else {}), camera_id: k1})

    def last_setup(self) -> Json:
        """The set-up of the last game, empty before the first."""
        kept = self._read("setup.json", {})
        return kept if isinstance(kept, dict) else {}

    def keep_setup(self, setup: Json) -> None:
        """Keep a set-up for the next evening."""
        with self._lock:
            self._write("setup.json", setup)

    def sheet(self) -> Json | None:
        """The score sheet that was taught (:meth:`calibration.sheets.layout.SheetLayout.to_json`), None for none."""
        kept = self._read("sheet.json", None)
        return kept if isinstance(kept, dict) else None

    def keep_sheet(self, sheet: Json | None) -> None:
        """Keep a taught score sheet in place of the one before; None forgets it."""
        with self._lock:
            if sheet is not None:
                self._write("sheet.json", sheet)
            elif self._folder is not None:
                with suppress(OSError):
                    (self._folder / "sheet.json").unlink(missing_ok=True)

    def note_fault(self, text: str) -> None:
        """Keep what the program itself did wrong (``faults.log``, the newest ones), for whoever mends it."""
        if self._folder is None:
            return
        path = self._folder / FAULTS
        with self._lock, suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            old = path.read_text("utf-8", "replace") if path.is_file() else ""
            path.write_text((old + text.rstrip() + "\n\n")[-MOST_FAULTS:], "utf-8")

    def _read(self, name: str, default: Any) -> Any:
        if self._folder is None:
            return default
        try:
            return json.loads((self._folder / name).read_text("utf-8"))
        except (OSError, ValueError):
            return default

    def _write(self, name: str, content: Any) -> None:
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, path = tempfile.mkstemp(dir=self._folder, prefix=name)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(content, file, ensure_ascii=False, indent=1)
            os.replace(path, self._folder / name)
        except OSError:
            return  # a full disk or a folder without rights must not stop a game


def default_folder() -> Path:
    """Where this person's data lie on this computer."""
    from platformdirs import user_data_path

    return user_data_path("schiri", appauthor=False)
