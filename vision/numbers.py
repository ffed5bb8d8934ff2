"""The number printed on a tile: strips of the tile in every turn, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.plane import TablePlane
from models.classes import NUMBER_CLASSES, NUMBER_WH, STRIP_ACROSS, TILE_CLASSES, TILE_CROP_MM
from vision.readers import CropReader

TURNS_DEG = tuple(22.5 * k for k in range(16))
"""A tile may lie in any turn; a number that is less than 14 degrees from upright is read."""

TILE_MM = 44.0
"""Width of the tiles for which strips are cut; the reader allows for a sixth more or less."""

OUT_MM = 0.62 * TILE_MM / 2
"""How far from the middle of a tile the middle of a strip at its edge lies."""

SURE = 0.8
"""Where no number at the edge is as sure as this, the middle of the tile is looked at too."""

WITHOUT_A_NUMBER = 0.3
"""How often at least a number tile shows no number: it is hidden, blurred or glares."""

A_FALSE_NUMBER = 0.02
"""How often something without a number seems to show one."""

_SHEET_PX = 192
_NONE = NUMBER_CLASSES.index("none")
_NUMBERS = np.array([TILE_CLASSES.index(name) for name in NUMBER_CLASSES[:_NONE]])
_IS_MINUS = np.array([name[0] == "-" for name in NUMBER_CLASSES[:_NONE]])

Floats = NDArray[np.float32]


def upright_sheet(image_bgr: Image, plane: TablePlane, centre_mm: tuple[float, float]) -> Image:
    """The tile at ``centre_mm`` and what lies around it, seen from straight above: where its strips are cut from."""
    return plane.rectify(image_bgr, centre_mm, TILE_CROP_MM, _SHEET_PX)


def strips(sheet: Image, out_mm: float = OUT_MM) -> Image:
    """A strip of a tile for each turn, (T, 32, 48, 3) uint8: what is upright there if it is.

    ``sheet``: of :func:`upright_sheet`; ``out_mm``: how far below the tile's middle the strip's middle lies.
    """
    per_mm, (width, height) = _SHEET_PX / TILE_CROP_MM, NUMBER_WH
    step = 2 * STRIP_ACROSS[0] * TILE_MM / 2 / width * per_mm
    cut = []
    for turn in np.radians(TURNS_DEG):
        along, down = step * np.array([np.cos(turn), np.sin(turn)]), step * np.array([-np.sin(turn), np.cos(turn)])
        middle = _SHEET_PX / 2 - 0.5 + out_mm * per_mm * down / step
        corner = middle - (width - 1) / 2 * along - (height - 1) / 2 * down
        matrix = np.column_stack([along, down, corner])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cut.append(cv2.warpAffine(sheet, matrix, NUMBER_WH, flags=flags, borderMode=cv2.BORDER_REPLICATE))
    return np.stack(cut).astype(np.uint8)


def said(probs: Floats) -> Floats:
    """What the strips of one tile say together: probs (T, 19) of NUMBER_CLASSES to one row (19,) that adds up to 1.

    A number is as sure as the strip that shows it best; two ends that agree make it surer.
    """
    shown = 1 - probs[:, _NONE]
    votes = (probs[:, :_NONE] * shown[:, None] ** 2).sum(0)
    sure = float(shown.max())
    return np.append(votes / max(float(votes.sum()), 1e-9) * sure, 1 - sure).astype(np.float32)


def unread() -> Floats:
    """The row (19,) of a tile whose number nobody has looked for."""
    return np.asarray(np.eye(len(NUMBER_CLASSES))[_NONE], np.float32)


def joined(tile: Floats, number: Floats) -> Floats:
    """The tile reader's word (24,) and that of the strips (19,) as one: (24,), adds up to 1.

    The tile reader knows kinds, of numbers only their sign; the strips know numbers. A strip in which a number stands
    out speaks for a number tile; that none does speaks little against it: pieces stand on numbers.
    """
    sure, before = 1 - float(number[_NONE]), float(tile[_NUMBERS].sum())
    for_numbers, against = before * max(sure, WITHOUT_A_NUMBER), (1 - before) * (1 - sure + A_FALSE_NUMBER)
    now = for_numbers / max(for_numbers + against, 1e-9)
    detail = number[:_NONE] + (1 - sure) * tile[_NUMBERS] / max(before, 1e-9)
    agreed = detail * np.where(_IS_MINUS, tile[_NUMBERS][_IS_MINUS].sum(), tile[_NUMBERS][~_IS_MINUS].sum())
    whole = tile.astype(np.float64) * (1 - now) / max(1 - before, 1e-9)
    whole[_NUMBERS] = now * agreed / max(float(agreed.sum()), 1e-9)
    return np.asarray(whole / whole.sum(), np.float32)


def number_rows(reader: CropReader, image: Image, plane: TablePlane, centres: Sequence[tuple[float, float]]) -> Floats:
    """What the strips of the tiles at ``centres`` say, (N, 19): those at the edge, or where they say little, all."""
    sheets = [upright_sheet(image, plane, centre) for centre in centres]
    probs = _read(reader, sheets, OUT_MM)
    rows = np.stack([said(one) for one in probs])
    dim = np.flatnonzero(1 - rows[:, _NONE] < SURE)
    if len(dim):
        middle = _read(reader, [sheets[int(k)] for k in dim], 0.0)
        for k, one in zip(dim, middle, strict=True):
            rows[k] = said(np.concatenate([probs[k], one]))
    return rows


def _read(reader: CropReader, sheets: Sequence[Image], out_mm: float) -> Floats:
    cut = np.concatenate([strips(sheet, out_mm) for sheet in sheets])
    return reader.read(cut).reshape(len(sheets), len(TURNS_DEG), -1)
