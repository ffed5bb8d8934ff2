"""A table with a game of Qwixx Express on it: two printed sheets that fill up, six dice, one camera that stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.scene.assets import Assets
from models.scene.camera import Camera
from models.scene.colour_die import ColourDie, add_colour_die, white_die
from models.scene.compose import View, empty_table
from models.scene.pip_die import Die
from models.scene.sensor import expose
from models.scene.sheet import Paper, lay_paper
from models.scene.sheet_marks import Hand, Pen, Writing
from models.scene.sheet_print import draw_printing, printed
from models.scene.stage import Stage
from models.scene.textures import table_texture
from models.scene.things import draw_light

Image = NDArray[np.uint8]
ThreeDice = tuple[int, int, str]
SHEET_CORNERS_MM = ((-203.0, -35.0), (13.0, -35.0))
DICE_MM = ((-110.0, -95.0), (110.0, -95.0))
DIE_MM = 16.0


class QwixxTable:
    """``write`` marks on the sheets; ``picture`` shows them with dice. The same seed gives the same pictures."""

    def __init__(self, seed: int, assets: Assets, size_wh: tuple[int, int] = (1600, 900)) -> None:
        from calibration.sheets.layout import load_layout

        self._rng = rng = np.random.default_rng(seed)
        focal = 1.1 * size_wh[0]
        scale = size_wh[0] / 545
        tilt, turn = rng.uniform(58, 78), rng.normal(0, 4)
        self._camera = Camera.looking_at((0, -10), focal / scale, tilt, turn, 0, focal, size_wh)
        self._view = View(self._camera, np.zeros(2), scale)
        self._light = draw_light(rng, 900.0)
        self._layout = load_layout()
        self._textures = [printed(self._layout, draw_printing(rng, own=True), copy, None) for copy in (0, 1)]
        self._writing = [Writing(texture, rng) for texture in self._textures]
        self._hands = [(replace(Hand.draw(rng), kind="cross"), Pen.draw(rng)) for _ in (0, 1)]
        self._papers = [
            Paper(self._layout.size_mm, np.array(corner), np.full((24, 36), 0.3, np.float32))
            for corner in SHEET_CORNERS_MM
        ]
        self._white = white_die(rng, DIE_MM)
        self._colour = ColourDie.draw(rng, side_mm=DIE_MM)
        ground = Stage(self._camera, self._light, rng)
        texture = table_texture(rng, assets)
        self._table = empty_table(self._view, texture, 0.5, float(rng.uniform(0, 360)), ground, rng)

    def write(self, player: int, names: Sequence[str]) -> None:
        """Cross fields (``red_7``, ``blue_lock``, ``misthrow_4``) on a sheet."""
        fields = {field.name: field for field in self._layout.fields}
        for name in names:
            self._writing[player].mark(fields[name], *self._hands[player])

    def picture(self, dice: Sequence[ThreeDice]) -> Image:
        """The table now, both people's dice (two numbers, a colour) thrown anew, as a camera sees it."""
        stage = Stage(self._camera, self._light, self._rng)
        image = self._table
        for paper, texture in zip(self._papers, self._textures, strict=True):
            image = lay_paper(image, self._camera, paper, texture, stage)
        for (x, y), (first, second, colour) in zip(DICE_MM, dice, strict=True):
            spots = [(x + k * 38 + float(self._rng.uniform(-9, 9)), y + float(self._rng.uniform(-14, 14)))
                     for k in self._rng.permutation([-1, 0, 1])]
            for value, spot in zip((first, second), spots, strict=False):
                thrown = Die.draw(self._rng, value)
                die = replace(self._white, faces=thrown.faces, flips=thrown.flips)
                stage.add_die(die, spot, float(self._rng.uniform(0, 360)))
            add_colour_die(stage, self._colour.turned(colour), spots[2], float(self._rng.uniform(0, 360)))
        seen, _ = stage.paint(image, self._view.px_per_mm)
        return expose(seen, self._rng, 0.4)
