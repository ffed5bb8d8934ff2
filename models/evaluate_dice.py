"""How well dice of real photographs are found and read, and a contact sheet of everything that went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.evaluate import beside, labels_of, pictures_of
from models.scene.assets import picture
from models.scoring import overlaps

Image = NDArray[np.uint8]
LEAST_OVERLAP = 0.3
"""Labels of real photographs are loose: boxes that share this much are the same die."""

CELL_PX, COLUMNS, MARGIN = 120, 12, 1.8


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """One die, or one thing that was taken for one: its face and what was read, None where there is none."""

    photo: str
    face: int | None
    read: int | str | None
    confidence: float
    crop: Image


def outcomes(
    photos: Path, prefixes: tuple[str, ...], read: Callable[[Image], list[dict[str, Any]]]
) -> Iterator[Outcome]:
    """Every die of the photographs whose names start with one of ``prefixes`` (YOLO labels, class = face - 1).

    ``read``: the dice of a picture as :func:`vision.dice.read_dice` gives them. Raises FileNotFoundError.
    """
    for file in pictures_of(photos, ""):
        if file.name.startswith(prefixes):
            yield from _of_photo(file, read)


def _of_photo(file: Path, read: Callable[[Image], list[dict[str, Any]]]) -> Iterator[Outcome]:
    image = picture(file)
    classes, boxes = labels_of(beside(file, "labels", ".txt"), (image.shape[1], image.shape[0]))
    found = read(image)
    taken = pairs(overlaps(boxes, np.array([die["box_px"] for die in found]).reshape(-1, 4)), LEAST_OVERLAP)
    for i, (face, box) in enumerate(zip(classes, boxes, strict=True)):
        value, confidence = (found[taken[i]]["value"], found[taken[i]]["confidence"]) if i in taken else (None, 0.0)
        yield Outcome(file.stem, int(face) + 1, value, confidence, _crop(image, box))
    for j, die in enumerate(found):
        if j not in taken.values():
            yield Outcome(file.stem, None, die["value"], die["confidence"], _crop(image, die["box_px"]))


def pairs(shared: NDArray[np.float64], least: float) -> dict[int, int]:
    """Rows and columns of a table of overlaps (N, M) that belong together, the largest first, each used once."""
    taken: dict[int, int] = {}
    for flat in np.argsort(-shared, axis=None):
        i, j = (int(v) for v in np.unravel_index(flat, shared.shape))
        if shared[i, j] >= least and i not in taken and j not in taken.values():
            taken[i] = j
    return taken


def _crop(image: Image, box_px: Sequence[float] | NDArray[np.float64]) -> Image:
    x0, y0, x1, y1 = (float(v) for v in box_px)
    side = MARGIN * max(x1 - x0, y1 - y0)
    scale = CELL_PX / side
    shift = np.array([[scale, 0, CELL_PX / 2 - scale * (x0 + x1) / 2], [0, scale, CELL_PX / 2 - scale * (y0 + y1) / 2]])
    return np.asarray(cv2.warpAffine(image, shift, (CELL_PX, CELL_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def summary(told: Sequence[Outcome]) -> dict[str, Any]:
    """Counts and shares: dice found, read right, false ones in proportion to the dice, right ones by face."""
    real = [o for o in told if o.face is not None]
    if not real:
        raise FileNotFoundError("there is no labelled die in these photographs.")
    right = [o for o in real if o.read == o.face]
    wrong = Counter(f"{o.face}->{o.read or 'missed'}" for o in real if o.read != o.face)
    return {
        "photos": len({o.photo for o in told}),
        "dice": len(real),
        "found": sum(o.read is not None for o in real) / len(real),
        "right": len(right) / len(real),
        "false": sum(o.face is None for o in told) / len(real),
        "right_by_face": {
            face: sum(o.face == face for o in right) / sum(o.face == face for o in real)
            for face in sorted({o.face for o in real if o.face})
        },
        "wrong": dict(wrong.most_common()),
    }


def sentence(result: dict[str, Any]) -> str:
    """The summary in words."""
    by_face = ", ".join(f"{face}: {share:.0%}" for face, share in result["right_by_face"].items())
    wrong = ", ".join(f"{what} ({count})" for what, count in result["wrong"].items()) or "none"
    return (
        f"{result['dice']} dice in {result['photos']} photographs: {result['found']:.1%} found, {result['right']:.1%} "
        f"found and read right, {result['false']:.1%} false. Right by face: {by_face}. Wrong: {wrong}."
    )


def failures(told: Sequence[Outcome]) -> Image | None:
    """A contact sheet (H, W, 3) of missed, misread and false dice, in this order; None if there are none."""
    wrong = [o for o in told if o.read != o.face]
    wrong.sort(key=lambda o: (o.face is None, o.read is not None))
    cells = [_cell(o) for o in wrong]
    if not cells:
        return None
    cells += [np.full_like(cells[0], 255)] * (-len(cells) % COLUMNS)
    return np.vstack([np.hstack(cells[k : k + COLUMNS]) for k in range(0, len(cells), COLUMNS)])


def _cell(o: Outcome) -> Image:
    words = "no die" if o.face is None else str(o.face)
    words = f"{words}: missed" if o.read is None else f"{words}: read {o.read} {o.confidence:.2f}"
    cell = np.full((CELL_PX + 18, CELL_PX, 3), 255, np.uint8)
    cell[18:] = o.crop
    cv2.putText(cell, words, (2, 13), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    return cell
