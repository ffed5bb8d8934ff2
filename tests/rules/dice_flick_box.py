"""Boxes of Dice Flick in short: ``board("g3 1/3, w6 5/3, pk 5/2")``, on the stickers of the worked examples."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from rules.dice_flick import DiceFlick, Die, Flick, Markers, State, Throw, Turn, read_markers
from rules.dice_flick.values import DICE_IN_SET

GAME = DiceFlick()
COLOURS = {"g": "green", "b": "blue", "y": "yellow", "w": "white", "p": "pink"}
STICKERS = {
    "upgrade_green": [[2, 2]], "upgrade_blue": [[2, 4]], "upgrade_yellow": [[4, 4]], "centre": [[3, 3]],
    "bonus": [[1, 5], [5, 1]],
}
MARKERS: Markers = read_markers({"markers": STICKERS})
CELLS = [(row, col) for row in range(1, 6) for col in range(1, 6)]
ALL_DICE = [colour for colour, count in DICE_IN_SET.items() for _ in range(count)]


def die(text: str) -> Die:
    face, cell = text.split()
    row, col = cell.split("/")
    return Die(int(row), int(col), COLOURS[face[0]], 6 if face[0] == "p" else int(face[1]))


def board(text: str) -> tuple[Die, ...]:
    return tuple(sorted(die(entry) for entry in text.split(",") if entry.strip()))


def setup(*names: str, variant: str = "standard", **options: Any) -> dict[str, Any]:
    players = [{"name": name} for name in names or ("Anna", "Ben")]
    return {"game": "dice-flick", "variant": variant, "players": players, "options": options, "markers": STICKERS}


def state(text: str = "", *names: str, **options: Any) -> State:
    return replace(GAME.start(setup(*names, **options)), board=board(text))


def flick(text: str) -> Flick:
    """``"g3 1/3"`` stays in a hole, ``"g ditch"`` does not."""
    face, where = text.split()
    if "/" not in where:
        return Flick(COLOURS[face[0]], where)
    landed = die(text)
    return Flick(landed.colour, "hole", landed.row, landed.col, landed.value)


def turn(flicks: str, lying: str, claimed: int | None = None, player: int = 0, **more: Any) -> Turn:
    """A turn with these flicks, after which these dice lie in the box."""
    hand = more.pop("hand", None)
    thrown = Throw(tuple(flick(entry) for entry in flicks.split(",") if entry.strip()), board(lying), hand)
    return Turn(player, thrown, claimed, **more)


def random_board(rng: random.Random, dice: int) -> tuple[Die, ...]:
    """This many dice of the set in random holes."""
    colours, cells = rng.sample(ALL_DICE, dice), rng.sample(CELLS, dice)
    return tuple(
        sorted(Die(*cell, c, 6 if c == "pink" else rng.randint(1, 6)) for c, cell in zip(colours, cells, strict=True))
    )
