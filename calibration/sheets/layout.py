"""Where the fields of a score sheet lie, in mm from the sheet's top left corner; read from and written to JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.errors import CalibrationError

Rect = tuple[float, float, float, float]
"""Left, top, width, height in mm."""

ROWS = ("red", "yellow", "green", "blue")
MISTHROW = "misthrow"
LOCK = "lock"
BUILT_IN = Path(__file__).parent
EXPRESS = BUILT_IN / "qwixx_express.json"
"""The layout of the sheet that ``schiri print qwixx-sheet`` makes."""


class LayoutError(CalibrationError):
    """A layout file that does not describe a score sheet."""

    TEXTS = {
        "layout_missing": (
            "Die Blatt-Datei {path} gibt es nicht: bitte den Pfad prüfen.",
            "There is no sheet file {path}: check the path.",
        ),
        "layout_unreadable": (
            "{path} beschreibt kein Blatt ({detail}): bitte eine Datei wie calibration/sheets/qwixx_express.json "
            "angeben.",
            "{path} describes no sheet ({detail}): give a file like calibration/sheets/qwixx_express.json.",
        ),
    }


@dataclass(frozen=True, slots=True)
class SheetField:
    """One field: ``value`` is its number, ``"lock"``, or in the row ``misthrow`` its place from the left, from 1."""

    row: str
    value: int | str
    rect_mm: Rect
    minus: bool = False
    """Whether it is one of the -5 fields."""

    @property
    def name(self) -> str:
        """``red_7``, ``blue_lock``, ``misthrow_4``."""
        return f"{self.row}_{self.value}"

    @property
    def centre_mm(self) -> tuple[float, float]:
        """Its middle."""
        x, y, w, h = self.rect_mm
        return x + w / 2, y + h / 2


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """A kind of sheet. ``bands``: the printed colour band of each row, where it has one. ``marker_ids``: the ids of
    the four ArUco markers (DICT_4X4_50) at ``marker_centres_mm``, clockwise from the top left, for each copy of the
    sheet; none on sheets without markers."""

    name: str
    size_mm: tuple[float, float]
    fields: tuple[SheetField, ...]
    bands: tuple[tuple[str, Rect], ...] = ()
    marker_mm: float = 0.0
    marker_centres_mm: tuple[tuple[float, float], ...] = ()
    marker_ids: tuple[tuple[int, ...], ...] = ()

    def row(self, name: str) -> tuple[SheetField, ...]:
        """The fields of a row from left to right, the lock last."""
        return tuple(field for field in self.fields if field.row == name)

    def band(self, row: str) -> Rect | None:
        """The colour band of a row."""
        return dict(self.bands).get(row)

    def copy_of(self, marker: int) -> int | None:
        """Which copy of the sheet bears this marker; None for markers of other things."""
        return next((k for k, ids in enumerate(self.marker_ids) if marker in ids), None)

    def to_json(self) -> dict[str, Any]:
        """JSON-ready; reads back with :meth:`from_json`."""
        return {
            "kind": "score_sheet",
            "name": self.name,
            "size_mm": list(self.size_mm),
            "marker_mm": self.marker_mm,
            "marker_centres_mm": [list(point) for point in self.marker_centres_mm],
            "marker_ids": [list(ids) for ids in self.marker_ids],
            "bands": {row: list(rect) for row, rect in self.bands},
            "fields": [
                {"row": f.row, "value": f.value, "rect_mm": [round(v, 3) for v in f.rect_mm], "minus": f.minus}
                for f in self.fields
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SheetLayout:
        """Inverse of :meth:`to_json`. Raises KeyError, TypeError or ValueError for another shape."""
        width, height = (float(v) for v in data["size_mm"])
        fields = tuple(_field(entry) for entry in data["fields"])
        wanted = {(row, value) for row in ROWS for value in (*range(2, 13), LOCK)}
        missing = wanted - {(field.row, field.value) for field in fields}
        if missing or not any(field.row == MISTHROW for field in fields):
            row, value = min(missing, key=str) if missing else (MISTHROW, 1)
            raise ValueError(f"fields: {row} {value} is missing")
        return cls(
            str(data.get("name", "")),
            (width, height),
            fields,
            tuple((str(row), _rect(rect)) for row, rect in dict(data.get("bands", {})).items()),
            float(data.get("marker_mm", 0)),
            tuple((float(x), float(y)) for x, y in data.get("marker_centres_mm", [])),
            tuple(tuple(int(number) for number in ids) for ids in data.get("marker_ids", [])),
        )


def _field(entry: Mapping[str, Any]) -> SheetField:
    value = entry["value"]
    return SheetField(
        str(entry["row"]), value if value == LOCK else int(value), _rect(entry["rect_mm"]), bool(entry.get("minus"))
    )


def _rect(value: Any) -> Rect:
    x, y, w, h = (float(v) for v in value)
    if w <= 0 or h <= 0:
        raise ValueError(f"rect_mm: {list(value)} has no size")
    return x, y, w, h


def load_layout(path: Path = EXPRESS) -> SheetLayout:
    """The layout in a JSON file. Raises LayoutError."""
    try:
        data = json.loads(Path(path).read_text("utf-8"))
    except OSError:
        raise LayoutError("layout_missing", path=str(path)) from None
    except ValueError as error:
        raise LayoutError("layout_unreadable", path=str(path), detail=str(error)) from None
    try:
        return SheetLayout.from_json(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        detail = f"{type(error).__name__}: {error}"
        raise LayoutError("layout_unreadable", path=str(path), detail=detail) from None
