"""Plays a toy game from a frame on, with a journal: ``python -m tests.vision.killed_game JOURNAL FIRST_FRAME``.

Prints the number of every frame before it is looked at, so that whoever kills it knows how far it was.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from rules.protocol import Move
from rules.verflixxt.state import Turn
from tests.vision.fake_eyes import FakeEyes
from tests.vision.toy import FPS, SETUP, Toy
from vision.frames import Frame
from vision.hub import Hub
from vision.journal import Journal
from vision.runner import run_referee
from vision.sources import Recording

CORNERS = {"corners_px": [[0, 0], [960, 0], [960, 600], [0, 600]], "size_mm": [480, 300]}


def game() -> Toy:
    """Four turns, one of them wrong and put right; what is on the table rests long enough for a second start."""
    toy = Toy({**SETUP, "calibration": CORNERS})
    toy.rest(0.8)
    for face, turn in ((3, None), (2, Turn(1, 2, (Move("pawn:blue", 0, 4),))), (4, None), (5, None)):
        right = toy.game.legal_actions(toy.state, face)[0]
        target = toy.game.judge(toy.state, right).state
        toy.play(face, turn or right)
        toy.rest(0.8)
        if turn is not None:
            toy.put_right(target)
            toy.rest(0.8)
    return toy


def frames(toy: Toy, first: int) -> Iterator[Frame]:
    for number in range(first, len(toy.frames)):
        print(number, flush=True)
        yield Frame(toy.frames[number], number / FPS, number)


def main(path: str, first: int) -> None:
    toy, journal = game(), Journal(Path(path))
    source = Recording("toy", frames(toy, first))
    run_referee(source, toy.setup, Hub(), journal, eyes_for=lambda plane, setup: FakeEyes(toy.stills, plane))
    journal.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
