"""One family's copy of a game: a printing, pieces and dice of its own, photographed again and again.

What a reader has learnt from one picture of the set is tried on others: another evening, lamp, table and camera.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pil
from PIL import ImageDraw

from models.scene import meshes
from models.scene.assets import Assets, font
from models.scene.camera import Camera
from models.scene.compose import View, empty_table
from models.scene.printed_cube import PrintedCube, add_printed_cube
from models.scene.raster import Material
from models.scene.sensor import expose
from models.scene.stage import Stage
from models.scene.studio import AREA_MM, END_MM, TILE_MM, layout
from models.scene.symbols import ACTIONS, action_cube, symbol_face
from models.scene.textures import TILE_PX, TileStyle, bgr, hsv, table_texture, tile_texture
from models.scene.things import PieceStyle, draw_light

Image = NDArray[np.uint8]
Rng = np.random.Generator
Spot = tuple[float, float]

ROUTE = (*range(-1, -9, -1), *[0] * 6, *range(8, 0, -1), *range(-1, -11, -1))
"""The standard route; 0 is a luck tile. The number of a tile in it is its name in this module."""

GUARDED = tuple(range(8, 16))
COLOURS = ("red", "blue", "green", "yellow")
STRANGE = ("font", "hexagons", "odd colours", "tally marks")
"""Kinds of printing that :class:`OwnSet` draws, each further from what a general reader has seen."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What a picture shows: ``corners_px`` of the play area, tiles ``(value, pos_mm)``, pieces and dice likewise."""

    corners_px: NDArray[np.float64]
    tiles: tuple[tuple[str, Spot], ...]
    pieces: tuple[tuple[str, Spot], ...]
    dice: tuple[tuple[str, Spot], ...]


@dataclass(frozen=True, slots=True)
class OwnSet:
    """``lids``: the printing of every tile of ROUTE, then start and finish; ``faces``: the prints of each die."""

    style: TileStyle
    lids: tuple[Image, ...]
    pieces: PieceStyle
    die: PrintedCube
    other: PrintedCube
    worms: tuple[Image, ...]
    assets: Assets

    @classmethod
    def draw(cls, seed: int, assets: Assets, strange: str = "font") -> OwnSet:
        """A set of one of the kinds of :data:`STRANGE`."""
        rng = np.random.default_rng(seed)
        style = replace(TileStyle.draw(rng, assets), sides=8, edges=2, text_scale=float(rng.uniform(0.2, 0.28)))
        if assets.fonts:
            style = replace(style, font=assets.fonts[seed % len(assets.fonts)], minus="-")
        if strange == "hexagons":
            style = replace(style, sides=6, art=False)
        if strange == "odd colours":
            style = replace(style, sides=60, hues=(0.58, 0.8, 0.5, 0.9))
        kinds = [_kind(v) for v in ROUTE] + ["start", "finish"]
        lids = tuple(
            _tally_lid(k, style, rng) if strange == "tally marks" else tile_texture(k, style, rng) for k in kinds
        )
        die, other = _pip_cube(rng, strange), action_cube(rng)
        return cls(style, lids, _strange_pieces(rng), die, other, _worm_lids(rng), assets)

    def picture(
        self, seed: int, start: bool = False, evening: int = 0, size_wh: tuple[int, int] = (1280, 720)
    ) -> tuple[Image, Truth]:
        """A picture of the table: the start position in the standard route, or shuffled tiles in any turn.

        Pictures of one ``evening`` share camera, lamp and table.
        """
        rng = np.random.default_rng(seed)
        tiles, pieces, dice = self._place(rng, start)

        def put(stage: Stage) -> None:
            self._put(stage, tiles, pieces, dice, rng, start)

        image, corners = self._taken(seed, evening, size_wh, put)
        return image, Truth(corners, tuple((_name(k), pos) for k, pos in tiles), tuple(pieces), tuple(dice))

    def symbols(
        self, seed: int, evening: int = 0, size_wh: tuple[int, int] = (1280, 720)
    ) -> tuple[Image, Truth]:
        """A picture with the die in all six faces, the action die in all three, and a worm token of each kind."""
        rng = np.random.default_rng(seed)
        names = [*self.die.faces, *ACTIONS, *WORMS]
        spots = [(60.0 + 78.0 * (n % 6), 60.0 + 85.0 * (n // 6)) for n in range(18)]
        order = rng.permutation(len(spots))
        placed = [(name, _near(rng, spots[int(n)], 7.0)) for name, n in zip(names, order, strict=False)]

        def put(stage: Stage) -> None:
            for name, pos in placed:
                turn = float(rng.uniform(0, 360))
                if name in WORMS:
                    lid = self.worms[WORMS.index(name)]
                    stage.add_tile(lid, 8, 25.0, pos, turn, "", name, Material(bgr((225, 215, 195)), 0.08))
                else:
                    cube = self.other if name in ACTIONS else self.die
                    add_printed_cube(stage, cube, name, pos, turn, rng)

        image, corners = self._taken(seed, evening, size_wh, put)
        return image, Truth(corners, (), (), tuple(placed))

    def _taken(
        self, seed: int, evening: int, size_wh: tuple[int, int], put: Callable[[Stage], None]
    ) -> tuple[Image, NDArray[np.float64]]:
        """The picture with what ``put`` puts on the table, and the corners of the play area in it."""
        room = np.random.default_rng([evening, 11])
        camera = _camera(room, size_wh)
        stage = Stage(camera, draw_light(room, 700.0), np.random.default_rng(7))
        top, grain = table_texture(room, self.assets), room.uniform(0.5, 1.2)
        put(stage)
        view = View(camera, np.array(AREA_MM) / 2, 1.75)
        ground = empty_table(view, top, grain, 20.0, stage, np.random.default_rng(3))
        image = expose(stage.paint(ground, view.px_per_mm)[0], np.random.default_rng([seed, 5]), 0.4)
        corners = np.array([[0, 0, 0], [AREA_MM[0], 0, 0], [*AREA_MM, 0], [0, AREA_MM[1], 0]], float)
        return image, camera.project(corners)

    def _place(
        self, rng: Rng, start: bool
    ) -> tuple[list[tuple[int, Spot]], list[tuple[str, Spot]], list[tuple[str, Spot]]]:
        order = list(range(len(ROUTE))) if start else [int(k) for k in rng.permutation(len(ROUTE))]
        spots = layout(len(ROUTE), 8)
        tiles = [(k, _near(rng, spots[n], 1.0)) for n, k in zip([0, *range(1, 33), 33], [32, *order, 33], strict=True)]
        pieces: list[tuple[str, Spot]] = []
        for colour in COLOURS:
            for _ in range(3):
                n = 0 if start else int(rng.integers(0, 34))
                pieces.append((f"pawn:{colour}", _free(rng, spots[n], 22.0 if n in (0, 33) else 13.0, pieces)))
        for k in GUARDED:
            n = k + 1 if start else int(rng.integers(1, 33))
            pieces.append(("guard", _free(rng, spots[n], 13.0, pieces)))
        dice = [(str(rng.integers(1, 7)), (25.0, 120.0 + rng.uniform(-25, 10))),
                (ACTIONS[int(rng.integers(3))], (28.0 + rng.uniform(-8, 25), 175.0))]
        return tiles, pieces, dice

    def _put(
        self, stage: Stage, tiles: Sequence[tuple[int, Spot]], pieces: Sequence[tuple[str, Spot]],
        dice: Sequence[tuple[str, Spot]], rng: Rng, start: bool,
    ) -> None:
        edge = Material(bgr((225, 215, 195)), 0.08)
        for k, pos in tiles:
            end = k >= len(ROUTE)
            turn = float(rng.normal(0, 3)) if start else float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 6))
            stage.add_tile(
                self.lids[k], self.style.sides, END_MM if end else TILE_MM, pos, turn,
                "end_tile" if end else "tile", _name(k), edge,
            )
        for name, pos in pieces:
            if name == "guard":
                stage.add_guard(self.pieces, pos, 2.0)
            else:
                stage.add_pawn(self.pieces, name.split(":")[1], pos, 2.0)
        for (value, pos), cube in zip(dice, (self.die, self.other), strict=True):
            add_printed_cube(stage, cube, value, pos, float(rng.uniform(0, 360)), rng)


WORMS = ("extra_turn", "to_bottom", "move_others", "swap")


def _camera(rng: Rng, size_wh: tuple[int, int]) -> Camera:
    focal = rng.uniform(1150, 1450) * size_wh[0] / 1280
    return Camera.looking_at(
        (AREA_MM[0] / 2, AREA_MM[1] / 2 + 15), focal / (rng.uniform(1.62, 1.8) * size_wh[0] / 1280),
        rng.uniform(50, 75), rng.uniform(-25, 25), rng.normal(0, 2), focal, size_wh,
    )


def _kind(value: int) -> str:
    return "luck" if value == 0 else f"{value:+d}"


def _name(k: int) -> str:
    return _kind(ROUTE[k]) if k < len(ROUTE) else ("start", "finish")[k - len(ROUTE)]


def _near(rng: Rng, spot: Spot, spread: float) -> Spot:
    return float(spot[0] + rng.normal(0, spread)), float(spot[1] + rng.normal(0, spread))


def _free(rng: Rng, centre: Spot, reach: float, taken: Sequence[tuple[str, Spot]]) -> Spot:
    """The spot around ``centre`` that is furthest from what stands there."""
    far, angle = reach * np.sqrt(rng.random(30)), rng.uniform(0, 6.3, 30)
    x, y = centre[0] + far * np.cos(angle), centre[1] + far * np.sin(angle)
    tries = [(float(a), float(b)) for a, b in zip(x, y, strict=True)]
    return max(tries, key=lambda t: min([15.0, *(float(np.hypot(t[0] - p[0], t[1] - p[1])) for _, p in taken)]))


def _strange_pieces(rng: Rng) -> PieceStyle:
    """Pawns and guards of shapes that are no halma pawns: chess-like, with a brim, a waist or a cube on top."""
    base, high = rng.uniform(6.0, 8.0), rng.uniform(22, 30)
    profile = [
        (base, 0.0), (base, 3.0), (base * rng.uniform(0.3, 0.5), high * 0.4),
        (base * rng.uniform(0.55, 0.8), high * 0.7), (base * rng.uniform(0.2, 0.4), high * 0.75),
        (base * rng.uniform(0.4, 0.6), high * 0.95), (0.01, high),
    ]  # fmt: skip
    style = PieceStyle.draw(rng)
    return replace(style, pawn=meshes.lathe(np.array(profile)))


def _tally_lid(kind: str, style: TileStyle, rng: Rng) -> Image:
    """A tile without digits: as many strokes as it is worth, hanging from a bar for minus, standing on it for plus."""
    lid = tile_texture("back" if kind not in ("start", "finish") else kind, replace(style, art=False, edges=1), rng)
    if kind in ("start", "finish"):
        return lid
    hue = 0.0 if kind.startswith("-") else 0.35 if kind != "luck" else 0.14
    lid[:, :, :3] = np.array(hsv(hue + rng.normal(0, 0.02), 0.5 if kind != "luck" else 0.15, 0.8)[::-1])
    count, c = (0 if kind == "luck" else abs(int(kind))), TILE_PX // 2
    if kind == "luck":
        cv2.ellipse(lid, (c, c), (40, 22), 30, 0, 360, (60, 160, 250, 255), -1, cv2.LINE_AA)
        cv2.ellipse(lid, (c, c), (40, 22), 120, 0, 360, (60, 160, 250, 255), 6, cv2.LINE_AA)
        return lid
    cv2.line(lid, (c - 62, c), (c + 62, c), (30, 30, 30, 255), 5, cv2.LINE_AA)
    for k in range(count):
        x = c - 54 + 12 * k
        end = c + (44 if kind.startswith("-") else -44)
        cv2.line(lid, (x, c), (x, end), (30, 30, 30, 255), 5, cv2.LINE_AA)
    return lid


def _pip_cube(rng: Rng, strange: str) -> PrintedCube:
    """A die whose faces show no round pips: squares, stars, digits or strokes."""
    body = hsv(rng.random(), rng.uniform(0.0, 0.8), rng.uniform(0.75, 0.95))
    ink = (25, 25, 30)
    shape = {"font": "square", "hexagons": "star", "odd colours": "ring", "tally marks": "digit"}[strange]
    faces = {str(v): _pip_face(v, body, ink, shape, rng) for v in range(1, 7)}
    return PrintedCube(float(rng.uniform(14, 18)), body, faces)


_AT = {1: ["c"], 2: ["a", "i"], 3: ["a", "c", "i"], 4: ["a", "g", "b", "i"], 5: ["a", "g", "c", "b", "i"],
       6: ["a", "g", "d", "f", "b", "i"]}
_XY = {"a": (-1, -1), "b": (1, -1), "c": (0, 0), "d": (-1, 0), "f": (1, 0), "g": (-1, 1), "i": (1, 1)}


def _pip_face(value: int, body: tuple[int, int, int], ink: tuple[int, int, int], shape: str, rng: Rng) -> Image:
    face = np.full((128, 128, 4), (*body[::-1], 255), np.uint8)
    if shape == "digit":
        sheet = Pil.new("RGB", (128, 128), body)
        pen = ImageDraw.Draw(sheet)
        pen.text((64, 60), str(value), font=font(None, 84), fill=ink, anchor="mm")
        pen.line([40, 112, 88, 112], fill=ink, width=7)
        face[:, :, :3] = np.asarray(sheet)[:, :, ::-1]
        return face
    for at in _AT[value]:
        x, y = 64 + 32 * _XY[at][0], 64 + 32 * _XY[at][1]
        if shape == "square":
            cv2.rectangle(face, (x - 11, y - 11), (x + 11, y + 11), (*ink, 255), -1)
        elif shape == "ring":
            cv2.circle(face, (x, y), 13, (*ink, 255), 5, cv2.LINE_AA)
        else:
            angle = np.arange(10) * np.pi / 5
            reach = np.where(np.arange(10) % 2, 6, 15)
            star = np.column_stack([x + reach * np.sin(angle), y - reach * np.cos(angle)])
            cv2.fillPoly(face, [np.round(star).astype(np.int32)], (*ink, 255), cv2.LINE_AA)
    return face


def _worm_lids(rng: Rng) -> tuple[Image, ...]:
    """Worm tokens with invented symbols on one ground."""
    ground = hsv(rng.random(), rng.uniform(0.1, 0.6), rng.uniform(0.6, 1.0))
    return tuple(np.asarray(cv2.resize(symbol_face(rng, ground), (TILE_PX, TILE_PX)), np.uint8) for _ in WORMS)
