"""From a picture to the box: find the plate, read each hole, see what lies elsewhere, say what to look at."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.colours import SetColours
from rules.dice_flick import Markers, ScoringRules
from rules.dice_flick.values import COLOURS, DICE_IN_SET, KNALLER_POINTS
from vision.dice import read_photo
from vision.flick.decide import Decided, Found, cell_index, decide, turns_for
from vision.flick.dice import BODIES, SeenDie, guessed_boxes, see_dice
from vision.flick.doubt import options, with_doubts
from vision.flick.errors import BoxError
from vision.flick.eyes import FlickEyes
from vision.flick.find import find_plate
from vision.flick.lattice import Lattice, every_cell
from vision.flick.quality import check_light, check_sharp
from vision.flick.values import BoxReading, Hole, LooseDie, Option, Warned

Floats = NDArray[np.float64]
UNSURE = 0.85
"""A hole read with less confidence is shown for checking."""

SMALL_PX = 64.0
"""With less from hole to hole the dice are looked for again in an enlarged picture of the plate."""

MOST_HIDDEN = 6
_CERTAIN = 0.5
_STACKED_OFF = 0.3


def read_box(
    photo: Path | str | Image, eyes: FlickEyes, layout: Markers | None = None, colours: SetColours | None = None,
    rules: ScoringRules | None = None,
) -> BoxReading:
    """The box of a photo (a file, or a picture (H, W, 3) uint8). Raises BoxError, PhotoError.

    ``layout``: the stickers of this copy, where they are known; rows and columns then count as in the layout even
    when the box stands turned. ``colours``: the dice's colours sampled from this set. ``rules``: how points are
    counted, as that decides which doubts matter.
    """
    image = photo if isinstance(photo, np.ndarray) else read_photo(Path(photo))
    check_light(image)
    found = eyes.detect(image)
    lattice = find_plate(image, found).lattice
    if lattice.pitch_px((2.0, 2.0)) < SMALL_PX:
        found = eyes.closer(image, lattice, found)
    check_sharp(_from_above(image, lattice))
    shares = eyes.holes(image, lattice)
    if layout is not None:
        lattice, shares = _as_laid_out(lattice, shares, layout)
    dice = see_dice(image, found, lattice, eyes)
    decided = decide(shares, _found_in_holes(dice), layout, _colour_logits(image, dice, colours))
    holes, likely = _with_faces(image, lattice, eyes, decided, dice)
    hidden = sum(hole.flaw == "hidden" for hole in holes)
    if hidden > MOST_HIDDEN:
        raise BoxError("covered", hidden=hidden)
    elsewhere = [(_loose(image, die), die.sure > _CERTAIN) for die in dice if die.where != "hole"]
    loose = tuple(die for die, certain in elsewhere if certain)
    maybe = tuple(die for die, certain in elsewhere if not certain)
    size_wh = (image.shape[1], image.shape[0])
    reading = BoxReading(lattice, holes, loose, _warnings(holes, loose, dice), size_wh, layout, likely, maybe=maybe)
    return with_doubts(reading, rules)


def _from_above(image: Image, lattice: Lattice) -> Image:
    """The plate seen from straight above, (N, N, 3), at about the scale it has in the picture."""
    side = int(np.clip(5 * lattice.pitch_px((2.0, 2.0)), 160, 480))
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(lattice.corners_px(0.55).astype(np.float32), corners)
    return np.asarray(cv2.warpPerspective(image, matrix, (side, side)), np.uint8)


def _as_laid_out(lattice: Lattice, shares: Floats, layout: Markers) -> tuple[Lattice, Floats]:
    """Count the holes from the corner that makes the stickers lie where the layout has them."""
    turned = [lattice.turned(k) for k in range(4)]
    cells = [np.round(lattice.to_cells(other.centres_px())) for other in turned]
    orders = np.array([c[:, 1] * 5 + c[:, 0] for c in cells])
    best = turns_for(shares, layout, orders)
    return turned[best], shares[orders[best].astype(int)]


def _found_in_holes(dice: list[SeenDie]) -> dict[int, Found]:
    found: dict[int, Found] = {}
    for die in dice:
        if die.where == "hole":
            found.setdefault(cell_index(die.cell), Found(die.found, die.there))
    return found


def _colour_logits(image: Image, dice: list[SeenDie], colours: SetColours | None) -> dict[int, Floats]:
    """What the colours of this set say about each die in a hole."""
    if colours is None:
        return {}
    found: dict[int, Floats] = {}
    for die in dice:
        if die.where == "hole":
            shares = colours.classify(image, die.box_px)
            found.setdefault(cell_index(die.cell), np.log([shares.get(c, 0.2) for c in COLOURS]))
    return found


def _with_faces(
    image: Image, lattice: Lattice, eyes: FlickEyes, decided: list[Decided], dice: list[SeenDie]
) -> tuple[tuple[Hole, ...], tuple[tuple[Option, ...], ...]]:
    """The holes with the pips of their dice, and what else each may hold; a die that the detector missed is looked
    for at its hole."""
    at: dict[int, SeenDie] = {}
    for die in dice:
        if die.where == "hole":
            at.setdefault(cell_index(die.cell), die)
    side_px = _die_side(lattice, dice)
    holes, likely = [], []
    for k, (hole, (col, row)) in enumerate(zip(decided, every_cell().astype(int) + 1, strict=True)):
        cell, seen = (int(row), int(col)), at.get(k)
        if hole.content == "die":
            seen = seen or _search(image, lattice, eyes, cell, side_px)
            holes.append(_doubtful(_with_die(cell, hole, seen)))
        else:
            holes.append(Hole(*cell, hole.content, marker=hole.marker, confidence=hole.sure, flaw=hole.flaw))
        likely.append(options(hole.shares, None if seen is None else seen.faces))
    return tuple(holes), tuple(likely)


def _with_die(cell: tuple[int, int], hole: Decided, seen: SeenDie) -> Hole:
    pink = hole.colour == "pink"
    sure = hole.sure * (1.0 if pink else float(seen.faces.max()))
    value = KNALLER_POINTS if pink else seen.value
    return Hole(*cell, "die", hole.colour, value, "", sure, hole.flaw, seen.bounds())


def _doubtful(hole: Hole) -> Hole:
    if hole.flaw or hole.confidence >= UNSURE:
        return hole
    return replace(hole, flaw="unsure")


def _die_side(lattice: Lattice, dice: list[SeenDie]) -> float:
    """The usual width of a die in the picture."""
    widths = [float(die.box_px[2] - die.box_px[0]) for die in dice if die.where == "hole"]
    return float(np.median(widths)) if widths else 0.55 * lattice.pitch_px((2.0, 2.0))


def _search(image: Image, lattice: Lattice, eyes: FlickEyes, cell: tuple[int, int], side_px: float) -> SeenDie:
    boxes = guessed_boxes(lattice, cell, side_px)
    faces, there = eyes.faces(image, boxes)
    best = int((there * faces.max(axis=1)).argmax())
    return SeenDie(boxes[best], float(there[best]), faces[best], "hole", cell, 0.0)


def _loose(image: Image, die: SeenDie) -> LooseDie:
    shares = BODIES.classify(image, die.box_px)
    colour = max(shares, key=lambda name: shares[name])
    return LooseDie(die.where, colour, die.value, die.sure, die.bounds(), die.cell if die.where == "between" else None)


def _warnings(holes: tuple[Hole, ...], loose: tuple[LooseDie, ...], dice: list[SeenDie]) -> tuple[Warned, ...]:
    found = [Warned(hole.flaw, hole.row, hole.col) for hole in holes if hole.flaw not in ("", "unsure")]
    found += [Warned("between", *(die.near or ())) for die in loose if die.where == "between"]
    twice = Counter(die.cell for die in dice if die.where == "hole" and die.sure > _CERTAIN)
    flagged = {(w.row, w.col) for w in found}
    found += [Warned("stacked", *cell) for cell, count in twice.items() if count > 1 and cell not in flagged]
    colours = Counter(hole.colour for hole in holes if hole.content == "die")
    found += [Warned("too_many", colour=c) for c, count in colours.items() if count > DICE_IN_SET[c]]
    return tuple(found)


def turned_like(reading: BoxReading, before: Lattice) -> BoxReading:
    """The same reading with its holes counted from the corner that lies nearest to where it lay before."""
    centres = before.centres_px()
    turned = [reading.lattice.turned(k) for k in range(4)]
    best = min(range(4), key=lambda k: float(np.abs(turned[k].centres_px() - centres).sum()))
    if best == 0:
        return reading
    cells = np.round(reading.lattice.to_cells(turned[best].centres_px())).astype(int)
    holes = tuple(
        replace(reading.holes[y * 5 + x], row=k // 5 + 1, col=k % 5 + 1) for k, (x, y) in enumerate(cells)
    )
    new = {reading.holes[y * 5 + x].cell: holes[k].cell for k, (x, y) in enumerate(cells)}
    likely = tuple(reading.options[y * 5 + x] for x, y in cells) if reading.options else ()
    warned = tuple(
        w if w.row is None or w.col is None else replace(w, row=new[w.row, w.col][0], col=new[w.row, w.col][1])
        for w in reading.warnings
    )
    loose = tuple(die if die.near is None else replace(die, near=new[die.near]) for die in reading.loose)
    return replace(reading, lattice=turned[best], holes=holes, warnings=warned, loose=loose, options=likely)
