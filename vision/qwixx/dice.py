"""The dice of Qwixx Express on the table: two number dice and a colour die for each person, told apart by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Image, Points
from models.classes import DIE_CLASSES
from rules.qwixx_express import Dice
from vision.boxes import suppress
from vision.dice import OVERLAP, DiceEyes, as_large_as_two, look
from vision.faces import top_colour, white_of

Box = tuple[float, float, float, float]
AXES = {"left": 0, "right": 0, "top": 1, "bottom": 1}
LAST = frozenset({"right", "bottom"})
LEAST_SURE = 0.5
CERTAIN = 0.8
"""How sure a die with pips must be to count; to tell what white looks like."""

LEAST_FACE = 0.3
"""A colour die must look like one with this probability, and be as large as two dice with pips."""

_FACE = DIE_CLASSES.index("face")


@dataclass(frozen=True, slots=True)
class DieSeen:
    """``value`` 1..6, or ``"face"`` for a colour die whose top is ``colour``; ``sure`` 0..1.

    ``face``: how likely it is a colour die rather than one with pips, ``pips``: what it shows if it is not; a 1
    where that cannot be told, as it leaves most of the die plain.
    """

    value: int | str
    colour: str
    box_px: Box
    sure: float
    face: float = 0.0
    pips: int = 0

    @property
    def centre_px(self) -> tuple[float, float]:
        """The middle of its box."""
        x1, y1, x2, y2 = self.box_px
        return (x1 + x2) / 2, (y1 + y2) / 2


@dataclass(frozen=True, slots=True)
class HandSeen:
    """One person's dice: as the rules take them, None where they are not two numbers and a colour; the dice there."""

    dice: Dice | None
    seen: tuple[DieSeen, ...]


def read_hands(
    image_bgr: Image, eyes: DiceEyes, seats: Sequence[str] = ("left", "right"), papers: Sequence[Points] = ()
) -> tuple[HandSeen, HandSeen]:
    """Both people's dice in a picture (H, W, 3), in the order of ``seats`` (left and right, or top and bottom).

    ``papers``: corners (4, 2) px of sheets, whose printed numbers are no dice.
    """
    found = see_dice(image_bgr, eyes)
    outlines = [np.ascontiguousarray(paper, np.float32) for paper in papers]
    beside = [die for die in found if all(cv2.pointPolygonTest(o, die.centre_px, False) < 0 for o in outlines)]
    return hands_of(beside, (image_bgr.shape[1], image_bgr.shape[0]), seats)


def see_dice(image_bgr: Image, eyes: DiceEyes) -> list[DieSeen]:
    """Everything in a picture (H, W, 3) that may be a die, the surest first; the white of number dice tells colours.

    What looks like a colour die is one only where it is as large as dice with pips.
    """
    found, likely, sure = look(image_bgr, eyes)
    pips, face = likely[:, :6], likely[:, _FACE]
    numbers = (pips.max(1) > face) & (sure >= LEAST_SURE)
    kept = (numbers | (as_large_as_two(found.xyxy_px, numbers) & (face >= LEAST_FACE))).nonzero()[0]
    kept = kept[suppress(found.xyxy_px[kept], np.zeros(len(kept), np.int64), sure[kept], OVERLAP)]
    white = white_of(image_bgr, found.xyxy_px[numbers & (sure > CERTAIN)])
    return [
        DieSeen(
            int(pips[k].argmax()) + 1 if numbers[k] else "face",
            "white" if numbers[k] else top_colour(image_bgr, found.xyxy_px[k], white), _box(found.xyxy_px[k]),
            float(sure[k]), float(face[k] / max(face[k] + pips[k].max(), 1e-6)),
            int(pips[k].argmax()) + 1 if pips[k].max() > LEAST_FACE else 1,
        )
        for k in kept
    ]


def hands_of(found: Sequence[DieSeen], size_wh: tuple[int, int], seats: Sequence[str]) -> tuple[HandSeen, HandSeen]:
    """The dice shared out between two people by where they lie.

    The widest gap between the middles of the six likeliest dice parts them; with fewer the middle of the picture.
    """
    axis = AXES.get(seats[0], 0)
    kept = _likeliest(found)
    places = sorted(die.centre_px[axis] for die in kept)
    middle = size_wh[axis] / 2
    if len(places) == 6:
        middle = (places[2] + places[3]) / 2
    low = tuple(die for die in kept if die.centre_px[axis] < middle)
    high = tuple(die for die in kept if die.centre_px[axis] >= middle)
    first, second = (high, low) if seats[0] in LAST else (low, high)
    return HandSeen(_dice(first), first), HandSeen(_dice(second), second)


def _likeliest(found: Sequence[DieSeen]) -> list[DieSeen]:
    """The four number dice and two colour dice that are surest.

    Where fewer show numbers, a die taken for a colour die that may as well show one is the fourth.
    """
    by_sure = sorted(found, key=lambda die: -die.sure)
    numbers = [die for die in by_sure if die.value != "face"][:4]
    faces = [die for die in by_sure if die.value == "face"]
    if len(numbers) == 3 and len(faces) >= 3:
        turned = min(faces[:3], key=lambda die: die.face)
        faces.remove(turned)
        numbers.append(replace(turned, value=turned.pips or 1, colour="white"))
    return [*numbers, *faces[:2]]


def _dice(seen: Sequence[DieSeen]) -> Dice | None:
    numbers = [int(die.value) for die in seen if die.value != "face"]
    colours = [die.colour for die in seen if die.value == "face"]
    if len(numbers) != 2 or len(colours) != 1:
        return None
    return Dice((max(numbers), min(numbers)), colours[0])


def seats_of(setup: Mapping[str, Any]) -> tuple[str, str]:
    """Where both people sit as seen in the picture: from the setup, else the first left and the second right."""
    first, second = (str(player.get("seat") or "") for player in setup["players"])
    if first in AXES and second in AXES and AXES[first] == AXES[second] and first != second:
        return first, second
    return "left", "right"


def have_moved(before: HandSeen, after: HandSeen) -> bool:
    """Whether any of the dice lie elsewhere: they were thrown again even if they show the same."""
    if len(before.seen) != len(after.seen):
        return False
    rest = [np.array(die.centre_px) for die in after.seen]
    for die in before.seen:
        x1, y1, x2, y2 = die.box_px
        near = [k for k, spot in enumerate(rest) if np.hypot(*(spot - die.centre_px)) < 0.35 * max(x2 - x1, y2 - y1)]
        if not near:
            return True
        rest.pop(near[0])
    return False


def _box(values: Sequence[float]) -> Box:
    x1, y1, x2, y2 = (float(v) for v in values)
    return x1, y1, x2, y2
