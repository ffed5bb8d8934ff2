"""Reading a score sheet in a picture: found, laid flat, every field told apart, doubtful ones named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.sheets.layout import LOCK, MISTHROW, ROWS, SheetField, SheetLayout, load_layout
from models.classes import MARK_CLASSES
from vision.qwixx.bands import Bands, find_bands
from vision.qwixx.errors import SheetError
from vision.qwixx.found_layout import below_bands, outlined_misthrow, rows_of_bands, with_misthrow
from vision.qwixx.marks import ALL_THERE, Looked, MarkReader, load_mark_reader, put_right
from vision.qwixx.misthrow_votes import voted_misthrow
from vision.qwixx.paper import find_by_paper
from vision.qwixx.place import SheetPlace, refined
from vision.qwixx.prints import load_print_reader
from vision.qwixx.tagged import find_tagged, stray_markers

LEAST_PX_PER_MM = 1.5
SURE, MAYBE_HIDDEN = 0.97, 0.1
"""A field is asked about when neither crossed nor not crossed is at least this likely, or that something covers it is
likelier than this: a pen across a field looks like a stroke."""

UNCLEAR = 0.9
"""A field counts as unclear for the whole sheet when neither is even this likely."""

MOSTLY_DOUBTFUL, MOSTLY_HIDDEN = 0.3, 0.6
"""A sheet is not read with more than these shares of what is seen of it unclear, of all its fields hidden."""

_FREE, _DASH, _CROSSED, _HIDDEN = range(len(MARK_CLASSES))
STANDARD_SEGMENTS = (3, 3, 3, 3)
NO_FIELDS = "Felder nicht gefunden / fields not found"
LEAST_THERE = 0.5
"""With fewer of the fields where they should be, the sheet lies elsewhere than where it was read."""

__all__ = ["FieldRead", "SheetReading", "find_sheets", "load_mark_reader", "read_sheet", "read_sheets"]


@dataclass(frozen=True, slots=True)
class FieldRead:
    """One field: ``crossed`` and ``dash`` are probabilities given that it is seen, ``hidden`` that it is covered."""

    field: SheetField
    crossed: float
    dash: float
    hidden: float

    @property
    def doubtful(self) -> bool:
        """Whether a person should be asked."""
        return self.hidden > MAYBE_HIDDEN or 1 - SURE < self.crossed < SURE


@dataclass(frozen=True, slots=True, eq=False)
class SheetReading:
    """A sheet as read. ``copy``: which of the printed copies, None for sheets without markers."""

    fields: tuple[FieldRead, ...]
    place: SheetPlace
    copy: int | None = None

    def crossed(self, row: str) -> tuple[int, ...]:
        """The numbers crossed in a row from left to right; in the misthrow area the places."""
        return tuple(
            int(one.field.value) for one in self.fields
            if one.field.row == row and one.field.value != LOCK and one.crossed > 0.5
        )

    def lock(self, row: str) -> bool:
        """Whether the lock of a row is crossed."""
        return any(one.crossed > 0.5 for one in self.fields if one.field.row == row and one.field.value == LOCK)

    @property
    def doubtful(self) -> tuple[FieldRead, ...]:
        """Fields to ask about: unclear ones, and those that leave a gap in the misthrow area."""
        last = max(self.crossed(MISTHROW), default=0)
        return tuple(
            one for one in self.fields
            if one.doubtful or (one.field.row == MISTHROW and int(one.field.value) < last and one.crossed <= 0.5)
        )

    def to_json(self) -> dict[str, Any]:
        """The reading as ``read sheet`` prints it."""
        return {
            "rows": {row: {"crossed": list(self.crossed(row)), "lock": self.lock(row)} for row in ROWS},
            "misthrow": {"crossed": list(self.crossed(MISTHROW))},
            "copy": None if self.copy is None else self.copy + 1,
            "doubtful": [
                {"row": one.field.row, "value": one.field.value, "crossed": round(one.crossed, 3),
                 "hidden": round(one.hidden, 3)}
                for one in self.doubtful
            ],
            "corners_px": [[round(float(v), 1) for v in corner] for corner in self.place.corners_px()],
        }


def read_sheet(
    image_bgr: Image,
    reader: MarkReader,
    layout: SheetLayout | None = None,
    where: str = "",
    segments: Sequence[int] = STANDARD_SEGMENTS,
) -> SheetReading:
    """The one sheet in a picture (H, W, 3) uint8. Raises SheetError: none, several, another one, not to be read.

    ``layout``: the kind of sheet (None: the product's own, or whatever shows four coloured rows); ``segments``: small
    misthrow fields before each -5 field on sheets of unknown layout; ``where``: name of the picture in errors.
    """
    found = find_sheets(image_bgr, layout, where, segments)
    if len(found) > 1:
        raise SheetError("two_sheets", where=where)
    return _read(image_bgr, reader, found[0], where)


def read_sheets(
    image_bgr: Image, reader: MarkReader, layout: SheetLayout | None = None, where: str = ""
) -> list[SheetReading]:
    """Every sheet in a picture, as a camera over the table sees both. Raises SheetError as :func:`read_sheet`."""
    return [_read(image_bgr, reader, one, where) for one in find_sheets(image_bgr, layout, where)]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A sheet in a picture: its layout and place, and which of the printed copies it is (None without markers).

    Of a sheet whose layout nobody knows the rows alone are found as yet; ``others``: what layout and place may be
    instead; ``segments``: small misthrow fields before each -5 field.
    """

    layout: SheetLayout
    place: SheetPlace
    copy: int | None = None
    others: tuple[tuple[SheetLayout, SheetPlace], ...] = ()
    segments: tuple[int, ...] = ()


def find_sheets(
    image_bgr: Image, layout: SheetLayout | None, where: str, segments: Sequence[int] = STANDARD_SEGMENTS
) -> list[Found]:
    """Layout, place and copy of every sheet in the picture, at least one. Raises SheetError."""
    own = layout or load_layout()
    if not own.marker_ids and stray_markers(image_bgr, load_layout()):
        own, layout = load_layout(), None  # the product's own sheet, whatever was taught
    if own.marker_ids:
        tagged = find_tagged(image_bgr, own, where)
        if tagged:
            return [_checked(image_bgr, Found(own, one.place, one.copy), where) for one in tagged]
        if stray_markers(image_bgr, own):
            lying = find_by_paper(image_bgr, own)
            if lying is None:
                raise SheetError("half_out", where=where)
            return [_checked(image_bgr, Found(own, lying), where)]
    sets = find_bands(image_bgr)
    if not sets and layout is not None and (lying := find_by_paper(image_bgr, layout)):
        return [_checked(image_bgr, Found(layout, lying), where)]
    if not sets:
        if _shows_paper(image_bgr):
            raise SheetError("wrong_sheet", where=where, detail="keine vier farbigen Reihen / no four coloured rows")
        raise SheetError("no_sheet", where=where)
    placed: list[Found] = []
    wrong: SheetError | None = None
    for bands in sets:
        try:
            placed.append(_banded(image_bgr, bands, layout, where, segments))
        except SheetError as error:
            wrong = wrong or error
    if wrong and not placed:
        raise wrong
    return _apart(placed)


def _apart(placed: list[Found]) -> list[Found]:
    """The sheets that do not lie on one before: two sets of bands may be of one sheet."""
    kept: list[Found] = []
    for one in placed:
        x, y = one.place.to_px(np.array([one.place.size_mm]) / 2)[0].tolist()
        outlines = [other.place.corners_px().astype(np.float32) for other in kept]
        if all(cv2.pointPolygonTest(outline, (x, y), False) < 0 for outline in outlines):
            kept.append(one)
    return kept


def _banded(
    image_bgr: Image, bands: Bands, layout: SheetLayout | None, where: str, segments: Sequence[int]
) -> Found:
    if bands.cut:
        raise SheetError("half_out", where=where)
    if layout is not None and len(layout.bands) == len(ROWS):
        return _checked(image_bgr, Found(layout, _placed(layout, bands)), where, outside=True)
    likely = rows_of_bands(image_bgr, bands, load_print_reader())
    if not likely:
        raise SheetError("wrong_sheet", where=where, detail=NO_FIELDS)
    found = Found(*likely[0], others=tuple(likely[1:]), segments=tuple(segments))
    return _checked(image_bgr, found, where, outside=True)


def _placed(layout: SheetLayout, bands: Bands) -> SheetPlace:
    """The place of a taught sheet from the corners of its bands."""
    corners = []
    for row in ROWS:
        x, y, w, h = dict(layout.bands)[row]
        corners += [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    matrix, _ = cv2.findHomography(np.array(corners), bands.quads_px.reshape(-1, 2))
    return SheetPlace(np.asarray(matrix, np.float64), layout.size_mm)


def _checked(image_bgr: Image, found: Found, where: str, outside: bool = False) -> Found:
    """The sheet if it lies in the picture and is large enough. ``outside``: its paper's edge is not known."""
    layout, place = found.layout, found.place
    scale = place.px_per_mm()
    if scale < LEAST_PX_PER_MM:
        raise SheetError("too_small", where=where, scale=scale, needed=LEAST_PX_PER_MM)
    height, width = image_bgr.shape[:2]
    spots = place.to_px(np.array([one.centre_mm for one in layout.fields]))
    slack = 0.0 if outside else 2.0
    if (spots < -slack).any() or (spots > np.array([width, height]) - 1 + slack).any():
        raise SheetError("half_out", where=where)
    return found


def _read(image_bgr: Image, reader: MarkReader, found: Found, where: str) -> SheetReading:
    look = _worked_out(image_bgr, reader, found) if found.segments else _settled(image_bgr, reader, found)
    if look is None:
        raise SheetError("wrong_sheet", where=where, detail=NO_FIELDS)
    reads = []
    for field, p in zip(look.layout.fields, look.likely, strict=True):
        seen = max(1.0 - float(p[_HIDDEN]), 1e-6)
        reads.append(FieldRead(field, float(p[_CROSSED]) / seen, float(p[_DASH]) / seen, float(p[_HIDDEN])))
    hidden = sum(one.hidden > 0.5 for one in reads)
    unclear = sum(one.hidden <= 0.5 and 1 - UNCLEAR < one.crossed < UNCLEAR for one in reads)
    if look.near < LEAST_THERE:
        unclear = max(unclear, round((1 - look.near) * (len(reads) - hidden)))
    if unclear > MOSTLY_DOUBTFUL * (len(reads) - hidden) or hidden > MOSTLY_HIDDEN * len(reads):
        raise SheetError("unreadable", where=where, doubtful=unclear + hidden, fields=len(reads))
    return SheetReading(tuple(reads), look.place, found.copy)


def _settled(image_bgr: Image, reader: MarkReader, found: Found) -> Looked:
    """The fields as read where they lie; printed outlines help where the reader alone does not find them."""
    look = put_right(image_bgr, reader, found.layout, found.place)
    if look.near < ALL_THERE:
        printed = refined(image_bgr, found.layout, found.place)
        look = max(look, put_right(image_bgr, reader, found.layout, printed), key=lambda one: one.near)
    return look


def _worked_out(image_bgr: Image, reader: MarkReader, found: Found) -> Looked | None:
    """The fields of a sheet whose rows alone are known: the misthrow fields by the reader's word, else by their printed
    outlines. None where there are none."""
    bases = [put_right(image_bgr, reader, *one) for one in ((found.layout, found.place), *found.others)]
    bases.sort(key=lambda one: (-one.near, one.rest))
    best: Looked | None = None
    for base, fields in _misthrows(image_bgr, reader, bases, found.segments):
        look = put_right(image_bgr, reader, with_misthrow(base.layout, fields), base.place)
        best = look if best is None or look.near > best.near else best
        if best.near >= ALL_THERE:
            break
    return best


def _misthrows(
    image_bgr: Image, reader: MarkReader, bases: Sequence[Looked], segments: Sequence[int]
) -> Iterator[tuple[Looked, tuple[SheetField, ...]]]:
    """What the misthrow fields may be, the quickly found ones first."""
    for base in bases:
        below = below_bands(base.layout)
        for fields in voted_misthrow(image_bgr, reader, base.place, below, segments, load_print_reader()):
            yield base, fields
    for base in bases:
        for fields in outlined_misthrow(image_bgr, base.layout, base.place, segments):
            yield base, fields


def _shows_paper(image_bgr: Image) -> bool:
    """Whether a large light rectangle lies in the picture."""
    small = cv2.resize(image_bgr, (320, round(320 * image_bgr.shape[0] / image_bgr.shape[1])))
    lightness = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
    _, mask = cv2.threshold(lightness, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        area = cv2.contourArea(contour)
        corners = cv2.approxPolyDP(contour, 0.03 * cv2.arcLength(contour, True), True)
        touches = contour.min() <= 1 or (contour.reshape(-1, 2).max(0) >= np.array(mask.shape[::-1]) - 2).any()
        if area > 0.05 * mask.size and len(corners) == 4 and cv2.isContourConvex(corners) and not touches:
            return True
    return False
