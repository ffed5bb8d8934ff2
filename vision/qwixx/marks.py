"""The reader of fields: what each bears, and where in its crop it lies, so that an inexact place is put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.sheets.layout import MISTHROW, SheetField, SheetLayout
from models.classes import MARK_CLASSES, MARK_READER_ONNX
from vision.qwixx.crops import FIELD_MARGIN, field_crop
from vision.qwixx.found_layout import FOUND
from vision.qwixx.place import SheetPlace, bent, robust_fit, smooth_bend
from vision.readers import CropReader

Floats = NDArray[np.float64]
NEAR = 0.1
"""A field is where it should be if it lies no farther than this share of its crop's side from the middle."""

ALL_THERE = 0.95
"""With so many fields where they should be, nothing is left to put right."""

CLOSE = 0.03
"""Nor where they lie off by less than this on average."""

_ROUNDS = 3
_WAYS = 4
_CALM = 0.02
_HIDDEN = MARK_CLASSES.index("hidden")


class MarkReader(Protocol):
    """Tells what fields bear and where they lie."""

    def read(self, crops_bgr: Image) -> tuple[Floats, Floats]:
        """For crops (N, 64, 64, 3): probabilities (N, K) over :data:`models.classes.MARK_CLASSES`, and where the
        field's middle lies (N, 2), right and down of the crop's middle, as shares of its side."""
        ...


class NetworkMarks:
    """A mark reader from an ONNX file: see :class:`vision.readers.CropReader`, with the place as two more numbers."""

    def __init__(self, path: Path = MARK_READER_ONNX) -> None:
        self._reader = CropReader(path, MARK_CLASSES, more=2)

    def read(self, crops_bgr: Image) -> tuple[Floats, Floats]:
        """See :class:`MarkReader`."""
        likely, off = self._reader.read_all(crops_bgr)
        return likely.astype(np.float64), off.astype(np.float64)


def load_mark_reader(path: Path = MARK_READER_ONNX) -> MarkReader:
    """The reader of fields. Raises ModelError."""
    return NetworkMarks(path)


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """The fields of a sheet as read at a place: ``likely`` (N, K), ``off_mm`` (N, 2) how far each lies from where it
    should, ``near`` the share of the visible ones that are where they should be, in the numbers' rows or among the
    misthrow fields, whichever is less; ``rest`` how far the visible ones lie off on average, in sides of crops."""

    layout: SheetLayout
    place: SheetPlace
    likely: Floats
    off_mm: Floats
    near: float
    rest: float

    @property
    def visible(self) -> Floats:
        """How surely each field is not covered, (N,)."""
        return np.asarray(1 - self.likely[:, _HIDDEN])


def looked(image_bgr: Image, reader: MarkReader, layout: SheetLayout, place: SheetPlace) -> Looked:
    """The fields read where the place says they are."""
    crops = np.stack([field_crop(image_bgr, one, place.to_px) for one in layout.fields])
    likely, off = reader.read(crops)
    side = np.array([FIELD_MARGIN * max(one.rect_mm[2:]) for one in layout.fields])
    there = (np.abs(off) < NEAR).all(axis=1)
    seen = np.maximum(1 - likely[:, _HIDDEN], 1e-3)
    below = np.array([one.row == MISTHROW for one in layout.fields])
    parts = [part for part in (below, ~below) if part.any()]
    near = min(float((there * seen)[part].sum() / seen[part].sum()) for part in parts)
    rest = float((np.abs(off).max(axis=1) * seen).sum() / seen.sum())
    return Looked(layout, place, likely, off * side[:, None], near, rest)


def put_right(image_bgr: Image, reader: MarkReader, layout: SheetLayout, place: SheetPlace) -> Looked:
    """The fields read where they are, from a place that is about right: it is bent until they lie where they should.

    A layout that was worked out from the picture has its misthrow fields moved along their line too.
    """
    best = now = looked(image_bgr, reader, layout, place)
    for _ in range(_ROUNDS if best.near < 1 or best.rest >= CLOSE else 0):
        bend = smooth_bend(now.layout, now.off_mm, now.visible * _say(now.layout))
        now = looked(image_bgr, reader, now.layout, bent(now.place, bend))
        if layout.name == FOUND:
            now = looked(image_bgr, reader, _misthrow_moved(now), now.place)
        if (now.near, -now.rest) > (best.near, -best.rest):
            best = now
        if now.near >= ALL_THERE and now.rest < CLOSE:
            break
    return best


def _say(layout: SheetLayout) -> Floats:
    """How much each field says about the paper, (N,): where misthrow fields are was but guessed from a picture."""
    return np.array([0.0 if layout.name == FOUND and one.row == MISTHROW else 1.0 for one in layout.fields])


def _misthrow_moved(now: Looked) -> SheetLayout:
    """The layout with its misthrow fields moved as the reader saw them: all of them, the steps between them, between
    groups, and the -5 fields against the others."""
    fields = now.layout.fields
    below = [k for k, one in enumerate(fields) if one.row == MISTHROW]
    if len(below) < 2 * _WAYS:
        return now.layout
    minus = np.array([float(fields[k].minus) for k in below])
    count, groups = np.arange(len(below)), np.cumsum(minus) - minus
    terms = np.stack([np.ones(len(below)), count / len(below), groups / max(groups.max(), 1), minus], 1)
    weight = np.repeat(now.visible[below][:, None], 2, axis=1)
    shifts = terms @ robust_fit(terms, now.off_mm[below], weight, _CALM * np.eye(_WAYS))
    moved = dict(zip(below, shifts, strict=True))
    return replace(now.layout, fields=tuple(_shifted(one, moved.get(k)) for k, one in enumerate(fields)))


def _shifted(one: SheetField, by: Sequence[float] | Floats | None) -> SheetField:
    if by is None:
        return one
    x, y, w, h = one.rect_mm
    return replace(one, rect_mm=(x + float(by[0]), y + float(by[1]), w, h))
