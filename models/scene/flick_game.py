"""A game of Dice Flick as a camera sees it: one still after every flick and after every scoring, with the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.assets import Assets
from models.scene.flick import Lying, _photograph, _quarter_turns, _Setting, flick_light, flick_view
from models.scene.flick_box import FLOOR_MM, Box
from models.scene.flick_dice import DiceSet
from models.scene.pip_die import Die as Shape
from models.scene.pip_die import die_mesh
from models.scene.sensor import expose
from rules.dice_flick import DiceFlick, Die, Flick, State, Throw, Turn
from rules.dice_flick.judging import flicks_due

Image = NDArray[np.uint8]
Rng = np.random.Generator
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """A box at rest: ``image`` (H, W, 3); ``turn`` the line of the turn that is over with it, else None."""

    image: Image
    board: tuple[Die, ...]
    turn: dict[str, Any] | None = None


class FlickTable:
    """One box under one camera; dice lie where they were put."""

    def __init__(self, rng: Rng, assets: Assets, size_wh: tuple[int, int]) -> None:
        self.dice = DiceSet.draw(rng)
        self.box = Box.draw(rng, assets, self.dice.side_mm)
        self.setting = _Setting(rng, assets, self.box, self.dice, [])
        self.view = flick_view(rng, size_wh, self.box.outer_mm * 1.15)
        self.light = flick_light(rng)
        self._seed = int(rng.integers(1 << 30))
        corners = self.view.camera.project(self.box.corners_mm(self.box.lattice.plate_mm, self.box.top_mm))
        self.order = [int(k) for k in np.rot90(np.arange(25).reshape(5, 5), -_quarter_turns(corners)).ravel()]

    @property
    def ditch_mm(self) -> float:
        """How wide the ditch around the plate is."""
        return self.box.inner_mm / 2 - self.box.lattice.plate_mm / 2

    def markers(self) -> dict[str, list[list[int]]]:
        """The stickers as a setup has them."""
        found: dict[str, list[list[int]]] = {}
        for k, cell in enumerate(self.order):
            if kind := self.box.stickers.get(cell):
                found.setdefault(kind, []).append([k // 5 + 1, k % 5 + 1])
        return found

    def lay(self, colour: str, value: int, where: str, rng: Rng, cell: Cell | None = None) -> Lying:
        """A die in the hole at row and column, in the ditch or outside."""
        shape = Shape.draw(rng, value)
        die = replace(self.dice.patterns[colour], faces=shape.faces, flips=shape.flips)
        turn = meshes.turn_z(float(rng.uniform(0, 360)))
        number = -1
        if cell is not None:
            number = self.order[(cell[0] - 1) * 5 + cell[1] - 1]
            x, y = self.box.lattice.centres_mm()[number] + rng.normal(0, 1.0, 2)
            pos = np.array([x, y, self.box.bottom_mm])
        else:
            gap = self.ditch_mm
            away = self.box.inner_mm / 2 - gap / 2 if where == "ditch" else self.box.outer_mm / 2 + 25
            spot = np.array([away, rng.uniform(-0.6, 0.6) * away]) @ meshes.turn_z(90.0 * rng.integers(4))[:2, :2]
            pos = np.array([*spot, FLOOR_MM if where == "ditch" else 0.0])
        return Lying(die, colour, die_mesh(die, pos, turn), turn, where, number)

    def still(self, lying: list[Lying], noise: Rng) -> Image:
        """The picture with these dice."""
        self.setting.rng = np.random.default_rng(self._seed)
        self.setting.lying = lying
        image, _, _ = _photograph(self.setting, self.view, self.light, 0.0, around=False)
        shown = expose(image, np.random.default_rng(self._seed + 1), 0.5).astype(np.float32)
        return np.asarray(np.clip(shown + noise.normal(0, 2.0, shown.shape), 0, 255), np.uint8)


def play(table: FlickTable, game: DiceFlick, state: State, turns: int, rng: Rng) -> Iterator[Still]:
    """Stills of ``turns`` turns: players flick at random and score the best."""
    lying: dict[Cell, Lying] = {}
    yield Still(table.still([], rng), ())
    for _ in range(turns):
        flicks: list[Flick] = []
        board = {die.cell: die for die in state.board}
        while len(flicks) < flicks_due(state, tuple(flicks)):
            flick = _flick(state, flicks, set(board), rng, table.ditch_mm > 1.1 * table.dice.side_mm)
            flicks.append(flick)
            beside = []
            die = table.lay(flick.die, flick.value or int(rng.integers(1, 7)), flick.landed, rng,
                            (flick.row, flick.col) if flick.in_hole else None)
            if flick.in_hole:
                board[flick.row, flick.col] = Die(flick.row, flick.col, flick.die, flick.value)
                lying[flick.row, flick.col] = die
            else:
                beside.append(die)
            yield Still(table.still([*lying.values(), *beside], rng), tuple(sorted(board.values())))
        throw = Throw(tuple(flicks), tuple(sorted(board.values())))
        best = game.best(state, throw)
        turn = Turn(state.to_move, throw, best.score, best.returned)
        line = {"type": "turn", "turn": state.turns + 1, **game.action_to_line(state, turn)}
        state = game.judge(state, turn).state
        lying = {cell: die for cell, die in lying.items() if cell not in best.returned}
        yield Still(table.still(list(lying.values()), rng), state.board, line)


def _flick(state: State, before: list[Flick], taken: set[Cell], rng: Rng, ditch: bool) -> Flick:
    """A random flick with a die that is not in the box; ``ditch``: whether a die fits into the ditch."""
    free = state.free_dice()
    for flick in before:
        free[flick.die] -= 1
    colours = [colour for colour, count in free.items() for _ in range(count)]
    colour = str(rng.choice(colours))
    pick = rng.random()
    if pick > 0.7:
        return Flick(colour, "ditch" if ditch and pick < 0.9 else "outside")
    open_holes = [(r, c) for r in range(1, 6) for c in range(1, 6) if (r, c) not in taken]
    row, col = open_holes[int(rng.integers(len(open_holes)))]
    return Flick(colour, "hole", row, col, 6 if colour == "pink" else int(rng.integers(1, 7)))
