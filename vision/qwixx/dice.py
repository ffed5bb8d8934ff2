"""The dice of Qwixx Express on the table: two number dice and a colour die for each person, told apart by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Image, Points
from rules.qwixx_express import Dice
from vision.dice import DiceEyes, read_dice

Box = tuple[float, float, float, float]
AXES = {"left": 0, "right": 0, "top": 1, "bottom": 1}
LAST = frozenset({"right", "bottom"})


@dataclass(frozen=True, slots=True)
class DieSeen:
    """``value`` 1..6, or ``"face"`` for a colour die whose top is ``colour``; ``sure`` 0..1."""

    value: int | str
    colour: str
    box_px: Box
    sure: float

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
    found = [
        DieSeen(die["value"], str(die["colour"]), _box(die["box_px"]), float(die["confidence"]))
        for die in read_dice(image_bgr, eyes)
    ]
    outlines = [np.ascontiguousarray(paper, np.float32) for paper in papers]
    beside = [die for die in found if all(cv2.pointPolygonTest(o, die.centre_px, False) < 0 for o in outlines)]
    return hands_of(beside, (image_bgr.shape[1], image_bgr.shape[0]), seats)


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
    """The four number dice and two colour dice that are surest."""
    by_sure = sorted(found, key=lambda die: -die.sure)
    numbers = [die for die in by_sure if die.value != "face"][:4]
    return [*numbers, *[die for die in by_sure if die.value == "face"][:2]]


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
