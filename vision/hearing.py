"""What the camera tells the game about dice beside the moves: the action die it reads, and faces that people settle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.events import Json
from vision.history import History
from vision.reading import Eyes, TableReading
from vision.throw import best_die

SURE = 0.8
"""The action die counts as read from this probability on; less sure, people are free to tell it."""


def heard(history: History, reading: TableReading, before: str) -> str:
    """Let the action die that lies on the table count for the next turn; what was heard, ``before``: last time.

    What a person has told for this turn is not touched.
    """
    told = history.branch.die.said
    symbol = max(reading.action, key=lambda name: reading.action[name], default="")
    if (told and told != before) or not symbol or reading.action[symbol] < SURE:
        return before
    if told != symbol:
        history.say(symbol)
    return symbol


def teach_roll(eyes: Eyes, lines: Sequence[Json], reading: TableReading, image_bgr: NDArray[np.uint8]) -> None:
    """A person has settled a turn: the die in the picture of it showed that roll, which teaches eyes that can learn."""
    learn = getattr(eyes, "learn_die", None)
    die, rolls = best_die(reading), [line.get("roll") for line in lines if line.get("type") == "turn"]
    if learn is not None and die is not None and rolls and rolls[-1] in range(1, 7):
        learn(image_bgr, die.box_px, str(rolls[-1]))
