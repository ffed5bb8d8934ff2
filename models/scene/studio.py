"""The table of a recorded game: what stands where on it, how the set looks, and its picture with or without a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.assets import Assets
from models.scene.camera import Camera
from models.scene.compose import View, empty_table
from models.scene.pip_die import Die
from models.scene.printed_cube import PrintedCube, add_printed_cube
from models.scene.raster import Canvas, Light, Material, apply_shadows, cast_shadow
from models.scene.spuk_board import board_texture, field_centres
from models.scene.stage import Stage
from models.scene.symbols import ACTIONS, action_cube
from models.scene.textures import TileStyle, bgr, marker_texture, table_texture, tile_texture
from models.scene.things import Part, PieceStyle, clutter, draw_light, draw_parts, flixxy, hand
from rules.verflixxt.layout import read_values, tile_name

Image = NDArray[np.uint8]
Spot = tuple[float, float]

NOCHMAL, FLIXXY = "verflixxt-nochmal", "flixxy"
TILE_MM, END_MM, PITCH_MM, FINISH_MM, AREA_MM = 44.0, 80.0, 47.5, 67.0, (510.0, 300.0)
"""Widths of tiles and of the two large ones, distances of neighbours and of a large one from its, and the play area."""


def layout(count: int, columns: int) -> list[Spot]:
    """Centres in mm: start, ``count`` tiles in a serpentine, finish."""
    rows = -(-count // columns)
    x0, y0 = 130.0, (AREA_MM[1] - (rows - 1) * 50.0) / 2
    spots = []
    for k in range(count):
        row, column = divmod(k, columns)
        along = column if row % 2 == 0 else columns - 1 - column
        spots.append((x0 + along * PITCH_MM, y0 + row * 50.0))
    first, last = spots[0], spots[-1]
    end_x = last[0] - FINISH_MM if rows % 2 == 0 else last[0] + FINISH_MM
    return [(first[0] - FINISH_MM, first[1]), *spots, (end_x, last[1])]


@dataclass(slots=True)
class Piece:
    """A pawn, guard or Flixxy and where it stands."""

    name: str
    at: int | str
    pos_mm: Spot


@dataclass(slots=True)
class Table:
    """The physical table: what stands where, which tiles lie where.

    ``field_mm``: width of a place and of the two large ones; ``die_zone``: where the die is thrown (x from, to, y);
    ``action``: what the action die shows, empty where there is none.
    """

    spots: list[Spot]
    pieces: list[Piece]
    tiles: dict[int, Spot]
    die: Die
    die_pos: Spot
    rng: np.random.Generator
    in_hand: Piece | None = None
    die_in_hand: bool = False
    given: dict[str, int] = field(default_factory=dict)
    field_mm: tuple[float, float] = (TILE_MM, END_MM)
    die_zone: tuple[float, float, float, float] = (15.0, 80.0, 125.0, 178.0)
    action: str = ""
    action_pos: Spot = (66.0, 160.0)

    def free_spot(self, place: int | str) -> Spot:
        """A spot on the tile at ``place`` with room for one more piece."""
        wide = self.field_mm[place in (0, len(self.spots) - 1)]
        centre = self.spots[int(place)]
        centre = self.tiles.get(int(place), centre)
        here = [p.pos_mm for p in self.pieces if p.at == place and p is not self.in_hand]
        tries = [
            (centre[0] + float(r * np.cos(a)), centre[1] + float(r * np.sin(a)))
            for r, a in zip(wide * 0.3 * np.sqrt(self.rng.random(60)), self.rng.uniform(0, 6.3, 60), strict=True)
        ]
        return max(tries, key=lambda t: min([float(np.hypot(t[0] - h[0], t[1] - h[1])) for h in here] + [14.0]))

    def shift(self, place: int, by_mm: Spot) -> None:
        """The tile of a place lies elsewhere now, with what stands on it."""
        x, y = self.tiles[place]
        self.tiles[place] = self.spots[place] = x + by_mm[0], y + by_mm[1]
        for piece in self.pieces:
            if piece.at == place:
                piece.pos_mm = piece.pos_mm[0] + by_mm[0], piece.pos_mm[1] + by_mm[1]


@dataclass(frozen=True, slots=True)
class Look:
    """One set on one table under one lamp, seen by one camera."""

    camera: Camera
    light: Light
    tiles: TileStyle
    pieces: PieceStyle
    lids: dict[int, Image]
    table: Image
    mm_per_px: float
    assets: Assets
    noise: float
    board: Image | None = None
    clutter: tuple[Part, ...] = ()
    action_die: PrintedCube | None = None
    bird_seed: int = 0

    @classmethod
    def draw(
        cls, seed: int, setup: Mapping[str, Any], assets: Assets, size_wh: tuple[int, int] = (1280, 720),
        clutter_count: int = 0,
    ) -> Look:  # fmt: skip
        """A random look that people can read too: moderate light, markers at the corners."""
        rng = np.random.default_rng(seed)
        route = [tile_name(value) for value in read_values(setup.get("route", ()))]
        focal = rng.uniform(1150, 1450) * size_wh[0] / 1280
        middle = (AREA_MM[0] / 2, AREA_MM[1] / 2 + 15)
        camera = Camera.looking_at(
            middle,
            focal / (rng.uniform(1.62, 1.8) * size_wh[0] / 1280),
            rng.uniform(50, 72),
            rng.uniform(-10, 10),
            rng.normal(0, 2),
            focal,
            size_wh,
        )
        style = TileStyle.draw(rng, assets)
        while style.edges < 2 or style.sides != 8 or (assets.fonts and not style.font) or style.text_scale < 0.2:
            style = TileStyle.draw(rng, assets)
        light = draw_light(rng, 700.0)
        kinds = {0: "start", len(route) + 1: "finish"} | dict(enumerate(route, 1))
        lids = {k: tile_texture(kind, style, rng) for k, kind in kinds.items()}
        return cls(
            camera,
            light,
            style,
            PieceStyle.draw(rng),
            lids,
            table_texture(rng, assets),
            rng.uniform(0.5, 1.2),
            assets,
            float(rng.uniform(1.5, 4.0)),
            board_texture(rng) if setup["game"] == "spuk" else None,
            tuple(_clutter(rng) for _ in range(clutter_count)),
            action_cube(np.random.default_rng([seed, 21])) if setup["game"] == NOCHMAL else None,
            seed,
        )

    def bird(self, foot_mm: tuple[float, float, float]) -> list[Part]:
        """Flixxy with its foot there."""
        turn = (foot_mm[0] * 11) % 360
        return flixxy(np.random.default_rng([self.bird_seed, 3]), np.array(foot_mm), turn)

    def held(self, name: str, foot_mm: tuple[float, float, float]) -> list[Part]:
        """A piece with its foot there, for a hand that holds it."""
        if name == FLIXXY:
            return self.bird(foot_mm)
        guard = name == "guard"
        mesh = self.pieces.guard if guard else self.pieces.pawn
        paint = self.pieces.wood if guard else self.pieces.paint(name.split(":")[1])
        return [Part(mesh.moved(np.array(foot_mm)), paint)]

    def bumped(self, rng: np.random.Generator) -> Look:
        """The same table after somebody knocked against the camera."""
        tilt = float(rng.choice([-1, 1]) * rng.uniform(0.4, 1.0))
        turn = meshes.turn_z(float(rng.normal(0, 0.6))) @ meshes.turn_x(tilt)
        camera = replace(self.camera, axes=self.camera.axes @ turn.T, position_mm=self.camera.position_mm + 4.0)
        return replace(self, camera=camera)


def _clutter(rng: np.random.Generator) -> Part:
    """Something beside the play area."""
    part = clutter(rng)
    side = rng.random() < 0.5
    x = float(rng.uniform(60, 450)) if side else float(rng.choice([-75.0, 650.0]))
    y = float(rng.choice([-95.0, 420.0])) if side else float(rng.uniform(60, 240))
    return Part(part.mesh.moved(np.array([x, y, 0.0]), meshes.turn_z(float(rng.uniform(0, 360)))), part.material)


class Studio:
    """Paints the table as it stands, with or without a hand."""

    def __init__(self, look: Look, seed: int) -> None:
        self.look, self.rng = look, np.random.default_rng(seed)
        self.edge = Material(bgr((225, 215, 195)), 0.08)
        self._board: Image | None = None
        self._empty: tuple[bytes, Image] | None = None
        self._key: Any = None

    def still(self, table: Table) -> Image:
        """The table without a hand, (H, W, 3)."""
        key = (
            tuple((p.name, p.pos_mm) for p in table.pieces if p is not table.in_hand),
            tuple(sorted(table.tiles.items())),
            table.die_pos,
            table.die.value,
            table.die_in_hand,
            (table.action, table.action_pos),
            self.look.camera.axes.tobytes(),
        )
        if key != self._key:
            self._board, self._key = self._paint(table), key
        assert self._board is not None
        return self._board

    def _paint(self, table: Table) -> Image:
        look = self.look
        stage = Stage(look.camera, look.light, np.random.default_rng(7))
        view = View(look.camera, np.array([AREA_MM[0] / 2, AREA_MM[1] / 2]), 1.75)
        for k, corner in enumerate(((0.0, 0.0), (AREA_MM[0], 0.0), AREA_MM, (0.0, AREA_MM[1]))):
            stage.add_flat(marker_texture(k), (40, 40), corner, 0.0)
        if look.board is not None:
            stage.add_flat(look.board, AREA_MM, (AREA_MM[0] / 2, AREA_MM[1] / 2), 0.0)
        for place, pos in table.tiles.items():
            end = place in (0, len(table.spots) - 1)
            stage.add_tile(
                look.lids[place],
                8,
                END_MM if end else TILE_MM,
                pos,
                (place * 7919) % 5 - 2.0,
                "end_tile" if end else "tile",
                "",
                self.edge,
            )
        for piece in table.pieces:
            if piece is table.in_hand or piece.at == "out":
                continue
            height = 2.0 if look.board is None else 0.3
            if piece.name == FLIXXY:
                stage.add_parts(look.bird((*piece.pos_mm, height)), FLIXXY)
            elif piece.name == "guard":
                stage.add_guard(look.pieces, piece.pos_mm, height)
            else:
                stage.add_pawn(look.pieces, piece.name.split(":")[1], piece.pos_mm, height)
        for part in look.clutter:
            stage.add_parts([part])
        if not table.die_in_hand:
            stage.add_die(table.die, table.die_pos, (table.die_pos[0] * 13) % 360)
            if look.action_die is not None and table.action:
                turn, rng = (table.action_pos[0] * 17) % 360, np.random.default_rng(5)
                add_printed_cube(stage, look.action_die, table.action, table.action_pos, turn, rng)
        return stage.paint(self._ground(view, stage), view.px_per_mm)[0]

    def _ground(self, view: View, stage: Stage) -> Image:
        """The empty table, painted once for each way the camera stands."""
        look, stands = self.look, self.look.camera.axes.tobytes()
        if self._empty is None or self._empty[0] != stands:
            ground = empty_table(view, look.table, look.mm_per_px, 20.0, stage, np.random.default_rng(3))
            self._empty = stands, ground
        return self._empty[1]

    def with_hand(self, table: Table, reach_mm: Spot, height_mm: float, side_deg: float, seed: int) -> Image:
        """The table with a hand whose fingertips are over ``reach_mm``; what it holds moves with it."""
        canvas = Canvas(self.look.camera, self.look.light, self.still(table).copy())
        parts = hand(np.random.default_rng(seed), self.look.assets, np.array([*reach_mm, height_mm]), side_deg)
        held: list[Part] = []
        if table.in_hand is not None:
            held = self.look.held(table.in_hand.name, (*reach_mm, max(height_mm - 12, 2.0)))
        for part in parts:
            cast_shadow(canvas, part.mesh)
        apply_shadows(canvas, 1.75)
        draw_parts(canvas, held, 1, self.rng)
        draw_parts(canvas, parts, 2, self.rng)
        return canvas.image


def start_table(setup: Mapping[str, Any], rng: np.random.Generator) -> Table:
    """Everything where it belongs before the first turn."""
    each = int(setup.get("pieces_per_player", 3))
    if setup["game"] == "spuk":
        table = Table(field_centres(), [], {}, Die.draw(rng, 1), (540.0, 150.0), rng, field_mm=(26.0, 62.0))
        table.die_zone = 525.0, 585.0, 70.0, 240.0
        return _set_up(table, [(f"pawn:{p['colour']}", 0) for p in setup["players"] for _ in range(each)])
    spots = layout(len(setup["route"]), int(setup.get("columns", 8)))
    tiles = {k: (x + float(rng.normal(0, 0.8)), y + float(rng.normal(0, 0.8))) for k, (x, y) in enumerate(spots)}
    table = Table(spots, [], tiles, Die.draw(rng, 1), (40.0, 150.0), rng)
    wanted: list[tuple[str, int]] = [(f"pawn:{p['colour']}", 0) for p in setup["players"] for _ in range(each)]
    wanted += [("guard", int(k)) for k in setup["guards_start"]]
    if setup["game"] == NOCHMAL:
        table.action = str(rng.choice(ACTIONS))
        wanted.append((FLIXXY, 0))
    return _set_up(table, wanted)


def _set_up(table: Table, wanted: Sequence[tuple[str, int]]) -> Table:
    for name, place in wanted:
        piece = Piece(name, place, (0.0, 0.0))
        piece.pos_mm = table.free_spot(place)
        table.pieces.append(piece)
    return table
