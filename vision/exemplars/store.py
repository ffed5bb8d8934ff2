"""The exemplars of a set as files: a folder for each set, a small picture for each exemplar, one file to pass on."""

from __future__ import annotations

import io
import json
import os
import re
import threading
import time
import uuid
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.exemplars.errors import SetError
from vision.exemplars.frames import Frames
from vision.exemplars.tuned import Tuned

KINDS = ("tile", "die", "piece", "action_die", "worm")
"""What a set knows: tiles, faces of its dice, pieces, symbols of the action die, worm tokens."""

MOST_OF_A_LABEL = 10
"""More exemplars of one label teach nothing; the oldest that no person taught go first."""

MOST_IN_A_SET = 600
MOST_BYTES = 40_000_000
NAME_LENGTH = 40
_LABEL = re.compile(r"[\w+\-:]{1,40}")
_ID = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A picture of one thing of the set. ``source``: ``start`` (known from the start position), ``game`` (known from
    what was played), ``person``; ``agreed``, ``contradicted``: how often later evidence was for and against it;
    ``said``: what the general readers said of it, see :mod:`vision.exemplars.meaning`."""

    ident: str
    kind: str
    label: str
    source: str
    taught: str
    agreed: int = 0
    contradicted: int = 0
    said: tuple[float, ...] = ()

    @property
    def doubted(self) -> bool:
        """Whether later evidence speaks against the label; it decides nothing any more then."""
        return self.contradicted > self.agreed


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing to keep: ``crop_bgr`` (S, S, 3), ``visible`` (S, S): what is not hidden, None for all of it."""

    kind: str
    label: str
    crop_bgr: Image
    visible: NDArray[np.bool_] | None
    source: str
    said: tuple[float, ...] = ()


class ExemplarSet:
    """One named set. ``folder`` None keeps everything in memory. Safe to use from several threads.

    ``revision`` grows with every change that readings must notice. ``counts``: how many tiles of each value the set
    has.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self.name, self.folder, self.revision = name, folder, 0
        self._lock = threading.RLock()
        self._entries: dict[str, Exemplar] = {}
        self._crops: dict[str, NDArray[np.uint8]] = {}
        self.counts: dict[str, int] = {}
        self._frames: Frames | None = None
        if folder is not None and (folder / "set.json").is_file():
            self._load(json.loads((folder / "set.json").read_text("utf-8")), self._crop_file)

    @property
    def frames(self) -> Frames:
        """Whole pictures that were kept of the set."""
        with self._lock:
            if self._frames is None:
                self._frames = Frames(None if self.folder is None else self.folder / "frames")
            return self._frames

    @property
    def tuned(self) -> Tuned:
        """The readers that were fine-tuned with them."""
        return Tuned(None if self.folder is None else self.folder / "readers")

    def other_readers(self) -> None:
        """Readers were changed: what the old ones said of exemplars means nothing any more."""
        with self._lock:
            self._entries = {
                ident: one if one.kind == "piece" else replace(one, said=()) for ident, one in self._entries.items()
            }
            self._changed()

    def all(self, kind: str | None = None) -> list[Exemplar]:
        """The exemplars (of one kind), oldest first."""
        with self._lock:
            return [e for e in self._entries.values() if kind is None or e.kind == kind]

    def crop(self, ident: str) -> NDArray[np.uint8]:
        """The picture of an exemplar, BGRA (S, S, 4): hidden parts are transparent. Raises SetError."""
        with self._lock:
            if ident not in self._crops:
                raise SetError("no_such_exemplar")
            return self._crops[ident]

    def png(self, ident: str) -> bytes:
        """The same as a PNG file. Raises SetError."""
        return _png(self.crop(ident))

    def add(
        self, kind: str, label: str, crop_bgr: Image, visible: NDArray[np.bool_] | None, source: str
    ) -> Exemplar:
        """Keep one more exemplar. Raises SetError for a kind or label that cannot be, and for a full set."""
        return self.add_all([Lesson(kind, label, crop_bgr, visible, source)])[0]

    def add_all(self, lessons: Iterable[Lesson]) -> list[Exemplar]:
        """The same for several at once."""
        added: list[Exemplar] = []
        with self._lock:
            for one in lessons:
                if one.kind not in KINDS or not _LABEL.fullmatch(one.label):
                    raise SetError("bad_label", label=one.label)
                if len(self._entries) >= MOST_IN_A_SET:
                    raise SetError("set_full", most=MOST_IN_A_SET)
                added.append(self._added(one))
            self._changed()
        return added

    def _added(self, one: Lesson) -> Exemplar:
        seen = np.ones(one.crop_bgr.shape[:2], np.bool_) if one.visible is None else one.visible
        taught, said = time.strftime("%Y-%m-%dT%H:%M:%S"), tuple(round(float(p), 4) for p in one.said)
        entry = Exemplar(uuid.uuid4().hex[:12], one.kind, one.label, one.source, taught, said=said)
        self._entries[entry.ident] = entry
        self._crops[entry.ident] = np.dstack([one.crop_bgr, seen.astype(np.uint8) * 255])
        self._make_room(one.kind, one.label)
        return entry

    def remove(self, idents: Iterable[str]) -> None:
        """Forget these exemplars; unknown ones are gone already."""
        with self._lock:
            for ident in idents:
                self._forget(ident)
            self._changed()

    def _forget(self, ident: str) -> None:
        if self._entries.pop(ident, None) is None:
            return
        self._crops.pop(ident)
        if self.folder is not None:
            (self.folder / "crops" / f"{ident}.png").unlink(missing_ok=True)

    def relabel(self, ident: str, label: str) -> None:
        """A person says what an exemplar really shows. Raises SetError."""
        with self._lock:
            if ident not in self._entries or not _LABEL.fullmatch(label):
                raise SetError("no_such_exemplar")
            old = self._entries[ident]
            self._entries[ident] = replace(old, label=label, source="person", agreed=0, contradicted=0)
            self._changed()

    def judge(self, agreed: Iterable[str] = (), contradicted: Iterable[str] = ()) -> None:
        """Count evidence for and against exemplars."""
        with self._lock:
            for idents, field in ((agreed, "agreed"), (contradicted, "contradicted")):
                for ident in idents:
                    if ident in self._entries:
                        old = self._entries[ident]
                        self._entries[ident] = replace(old, **{field: getattr(old, field) + 1})
            self._changed()

    def count(self, counts: Mapping[str, int]) -> None:
        """How many tiles of each value the set has, as a start position showed: never fewer than before."""
        with self._lock:
            self.counts = {name: max(n, self.counts.get(name, 0)) for name, n in {**self.counts, **counts}.items()}
            self._changed()

    def packed(self) -> bytes:
        """The whole set as one file."""
        out = io.BytesIO()
        with self._lock, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("set.json", json.dumps(self._description(), ensure_ascii=False, indent=1))
            for ident in self._entries:
                archive.writestr(f"crops/{ident}.png", _png(self._crops[ident]))
        return out.getvalue()

    def rename(self, name: str) -> None:
        """Another name."""
        with self._lock:
            self.name = name
            self._changed()

    def keep_in(self, folder: Path) -> None:
        """From now on the set is kept there."""
        with self._lock:
            self.folder, self._frames = folder, None
            self._changed()

    @classmethod
    def unpacked(cls, data: bytes) -> ExemplarSet:
        """A set from :meth:`packed`. Nothing else in the file is looked at. Raises SetError."""
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if sum(info.file_size for info in archive.infolist()) > MOST_BYTES:
                    raise SetError("set_too_large", most=MOST_BYTES // 1_000_000)
                found = cls(str(json.loads(archive.read("set.json"))["name"])[:NAME_LENGTH])
                found._load(json.loads(archive.read("set.json")), lambda ident: archive.read(f"crops/{ident}.png"))
        except SetError:
            raise
        except Exception as error:
            raise SetError("not_a_set") from error
        return found

    def _load(self, data: Mapping[str, Any], crop_of: Any) -> None:
        for row in list(data.get("exemplars", ()))[:MOST_IN_A_SET]:
            entry = _entry(row)
            crop = None if entry is None else _unpng(crop_of(entry.ident))
            if entry is not None and crop is not None:
                self._entries[entry.ident], self._crops[entry.ident] = entry, crop
        counts = data.get("counts")
        if isinstance(counts, Mapping):
            self.counts = {str(k): int(v) for k, v in counts.items() if isinstance(v, int) and 0 < v < 40}
        self.name = str(data.get("name") or self.name)[:NAME_LENGTH]

    def _crop_file(self, ident: str) -> bytes:
        assert self.folder is not None
        file = self.folder / "crops" / f"{ident}.png"
        return file.read_bytes() if file.is_file() else b""

    def _make_room(self, kind: str, label: str) -> None:
        same = [e for e in self._entries.values() if (e.kind, e.label) == (kind, label)]
        spare = [e for e in same if e.source != "person"] or same
        for old in spare[: max(len(same) - MOST_OF_A_LABEL, 0)]:
            self._forget(old.ident)

    def _description(self) -> dict[str, Any]:
        entries = [asdict(e) for e in self._entries.values()]
        return {"kind": "schiri_set", "name": self.name, "counts": self.counts, "exemplars": entries}

    def _changed(self) -> None:
        self.revision += 1
        if self.folder is None:
            return
        try:
            (self.folder / "crops").mkdir(parents=True, exist_ok=True)
            for ident, crop in self._crops.items():
                file = self.folder / "crops" / f"{ident}.png"
                if not file.exists():
                    file.write_bytes(_png(crop))
            part = self.folder / "set.json.part"
            part.write_text(json.dumps(self._description(), ensure_ascii=False, indent=1), "utf-8")
            os.replace(part, self.folder / "set.json")
        except OSError:
            return  # a full disk or a folder without rights must not stop a game


def _entry(row: Any) -> Exemplar | None:
    """An exemplar from a file that somebody may have changed; None for one that cannot be."""
    try:
        entry = Exemplar(
            str(row["ident"]), str(row["kind"]), str(row["label"]), str(row.get("source", "person")),
            str(row.get("taught", ""))[:40], int(row.get("agreed", 0)), int(row.get("contradicted", 0)),
            tuple(min(max(float(p), 0.0), 1.0) for p in row.get("said") or ()),
        )
    except (KeyError, TypeError, ValueError):
        return None
    return entry if _ID.fullmatch(entry.ident) and entry.kind in KINDS and _LABEL.fullmatch(entry.label) else None


def _png(crop: NDArray[np.uint8]) -> bytes:
    return bytes(cv2.imencode(".png", crop)[1].tobytes())


def _unpng(data: bytes) -> NDArray[np.uint8] | None:
    if not data:
        return None
    crop = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if crop is None or crop.ndim != 3 or crop.shape[2] != 4 or max(crop.shape[:2]) > 256:
        return None
    return np.asarray(crop, np.uint8)
