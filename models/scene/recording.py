"""A recorded game from a written one: a record's turns are played by hands on a rendered table, with exact truth.

The input is a record (setup line, then ``turn`` and ``correction`` lines); the output is a video, the
setup with its calibration, and a truth file (``events`` with ``t_roll`` and ``t_rest``, seconds).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.scene.assets import Assets
from models.scene.camera import Camera
from models.scene.compose import View, empty_table
from models.scene.raster import Canvas, Light, Material, apply_shadows, cast_shadow
from models.scene.stage import Stage
from models.scene.textures import TileStyle, marker_texture, table_texture, tile_texture
from models.scene.things import Die, Part, PieceStyle, bgr, draw_light, draw_parts, hand
from models.scene.video import write_video

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Json = dict[str, Any]
Spot = tuple[float, float]

TILE_MM, END_MM, PITCH_MM, AREA_MM = 44.0, 80.0, 47.5, (510.0, 300.0)
FPS = 10
SEATS = {"bottom": (0.3, 1.16), "top": (0.3, -0.1), "left": (-0.14, 0.5), "right": (1.12, 0.5)}


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
    end_x = last[0] - 67 if rows % 2 == 0 else last[0] + 67
    return [(first[0] - 67, first[1]), *spots, (end_x, last[1])]


@dataclass(slots=True)
class Piece:
    """A pawn or guard and where it stands."""

    name: str
    at: int | str
    pos_mm: Spot


@dataclass(slots=True)
class Table:
    """The physical table: what stands where, which tiles lie where."""

    spots: list[Spot]
    pieces: list[Piece]
    tiles: dict[int, Spot]
    die: Die
    die_pos: Spot
    rng: np.random.Generator
    in_hand: Piece | None = None
    die_in_hand: bool = False
    given: dict[str, int] = field(default_factory=dict)

    def free_spot(self, place: int | str) -> Spot:
        """A spot on the tile at ``place`` with room for one more piece."""
        wide = END_MM if place in (0, len(self.spots) - 1) else TILE_MM
        centre = self.spots[int(place)]
        centre = self.tiles.get(int(place), centre)
        here = [p.pos_mm for p in self.pieces if p.at == place and p is not self.in_hand]
        tries = [
            (centre[0] + float(r * np.cos(a)), centre[1] + float(r * np.sin(a)))
            for r, a in zip(wide * 0.3 * np.sqrt(self.rng.random(60)), self.rng.uniform(0, 6.3, 60), strict=True)
        ]
        return max(tries, key=lambda t: min([float(np.hypot(t[0] - h[0], t[1] - h[1])) for h in here] + [14.0]))


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

    @classmethod
    def draw(cls, seed: int, route: Sequence[int], assets: Assets, size_wh: tuple[int, int] = (1280, 720)) -> Look:
        """A random look that people can read too: moderate light, markers at the corners."""
        rng = np.random.default_rng(seed)
        focal = rng.uniform(1150, 1450)
        middle = (AREA_MM[0] / 2, AREA_MM[1] / 2 + 15)
        camera = Camera.looking_at(
            middle,
            focal / rng.uniform(1.62, 1.8),
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
        kinds = {0: "start", len(route) + 1: "finish"} | {k: _kind(v) for k, v in enumerate(route, 1)}
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
        )


def _kind(value: int) -> str:
    return "luck" if value == 0 else f"{value:+d}"


class Studio:
    """Paints the table as it stands, with or without a hand."""

    def __init__(self, look: Look, seed: int) -> None:
        self.look, self.rng = look, np.random.default_rng(seed)
        self.edge = Material(bgr((225, 215, 195)), 0.08)
        self._board: Image | None = None
        self._key: Any = None

    def still(self, table: Table) -> Image:
        """The table without a hand, (H, W, 3)."""
        key = (
            tuple((p.name, p.pos_mm) for p in table.pieces if p is not table.in_hand),
            tuple(sorted(table.tiles.items())),
            table.die_pos,
            table.die.value,
            table.die_in_hand,
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
            if piece.name == "guard":
                stage.add_guard(look.pieces, piece.pos_mm, 2.0)
            else:
                stage.add_pawn(look.pieces, piece.name.split(":")[1], piece.pos_mm, 2.0)
        if not table.die_in_hand:
            stage.add_die(table.die, table.die_pos, (table.die_pos[0] * 13) % 360)
        ground = empty_table(view, look.table, look.mm_per_px, 20.0, stage, np.random.default_rng(3))
        return stage.paint(ground, view.px_per_mm)[0]

    def with_hand(self, table: Table, reach_mm: Spot, height_mm: float, side_deg: float, seed: int) -> Image:
        """The table with a hand whose fingertips are over ``reach_mm``; what it holds moves with it."""
        canvas = Canvas(self.look.camera, self.look.light, self.still(table).copy())
        parts = hand(np.random.default_rng(seed), self.look.assets, np.array([*reach_mm, height_mm]), side_deg)
        held: list[Part] = []
        if table.in_hand is not None:
            name = table.in_hand.name
            mesh = self.look.pieces.guard if name == "guard" else self.look.pieces.pawn
            paint = self.look.pieces.wood if name == "guard" else self.look.pieces.paint(name.split(":")[1])
            held = [Part(mesh.moved(np.array([*reach_mm, max(height_mm - 12, 2.0)])), paint)]
        for part in parts:
            cast_shadow(canvas, part.mesh)
        apply_shadows(canvas, 1.75)
        draw_parts(canvas, held, 1, self.rng)
        draw_parts(canvas, parts, 2, self.rng)
        return canvas.image


def start_table(setup: Mapping[str, Any], rng: np.random.Generator) -> Table:
    """Everything where it belongs before the first turn."""
    route = [0 if v == "luck" else int(v) for v in setup["route"]]
    spots = layout(len(route), int(setup.get("columns", 8)))
    tiles = {k: (x + float(rng.normal(0, 0.8)), y + float(rng.normal(0, 0.8))) for k, (x, y) in enumerate(spots)}
    table = Table(spots, [], tiles, Die.draw(rng, 1), (40.0, 150.0), rng)
    each = int(setup.get("pieces_per_player", 3))
    wanted: list[tuple[str, int]] = [(f"pawn:{p['colour']}", 0) for p in setup["players"] for _ in range(each)]
    wanted += [("guard", int(k)) for k in setup["guards_start"]]
    for name, place in wanted:
        piece = Piece(name, place, (0.0, 0.0))
        piece.pos_mm = table.free_spot(place)
        table.pieces.append(piece)
    return table


class Director:
    """Plays the lines of a record on a table and yields frames; notes when each roll and each rest began."""

    def __init__(self, setup: Mapping[str, Any], lines: Sequence[Mapping[str, Any]], look: Look, seed: int) -> None:
        self.setup, self.lines, self.rng = setup, lines, np.random.default_rng(seed)
        self.table, self.studio = start_table(setup, self.rng), Studio(look, seed)
        self.names = [p["name"] for p in setup["players"]]
        self.sides = {"bottom": 90.0, "top": 270.0, "left": 180.0, "right": 0.0}
        self.clock, self.events = 0, list[Json]()

    def frames(self) -> Iterator[Image]:
        """The whole recording, FPS pictures a second, with sensor noise."""
        for image in self._clean():
            self.clock += 1
            noise = self.rng.normal(0, self.studio.look.noise, image.shape[:2])[:, :, None]
            yield np.clip(image + noise, 0, 255).astype(np.uint8)

    def _clean(self) -> Iterator[Image]:
        yield from self._hold(1.6)
        for line in self.lines:
            side = self.sides[self._seat(line)]
            event: Json = {"type": "turn" if line["type"] == "turn" else "corrected", "turn": line["turn"]}
            if line["type"] == "turn":
                event["player"], event["roll"] = self.names.index(line["player"]), line["roll"]
                yield from self._throw(int(line["roll"]), side)
                event["t_roll"] = self.clock / FPS
                yield from self._hold(float(self.rng.uniform(0.9, 1.4)))
            yield from self._play(line, side)
            event["t_rest"] = self.clock / FPS
            self.events.append(event | _told(line))
            yield from self._hold(float(self.rng.uniform(1.2, 1.7)))

    def _seat(self, line: Mapping[str, Any]) -> str:
        turns = [event["player"] for event in self.events if "player" in event]
        k = self.names.index(line["player"]) if "player" in line else turns[-1]
        return str(self.setup["players"][k].get("seat", "bottom"))

    def _hold(self, seconds: float) -> Iterator[Image]:
        for _ in range(round(seconds * FPS)):
            yield self.studio.still(self.table)

    def _reach(self, path: Sequence[tuple[float, float, float]], side: float, seed: int) -> Iterator[Image]:
        for x, y, z in path:
            yield self.studio.with_hand(self.table, (x, y), z, side, seed)

    def _outside(self, spot: Spot, side: float) -> tuple[float, float, float]:
        return spot[0] + 420 * float(np.cos(np.radians(side))), spot[1] + 420 * float(np.sin(np.radians(side))), 60.0

    def _throw(self, value: int, side: float) -> Iterator[Image]:
        table, seed = self.table, int(self.rng.integers(1 << 30))
        old = table.die_pos
        yield from self._reach(_line(self._outside(old, side), (*old, 8.0), 4), side, seed)
        table.die_in_hand = True
        new = (float(self.rng.uniform(15, 80)), float(self.rng.uniform(130, 175)))
        while np.hypot(new[0] - old[0], new[1] - old[1]) < 22:
            new = (float(self.rng.uniform(15, 80)), float(self.rng.uniform(125, 180)))
        yield from self._reach(_line((*old, 8.0), (*new, 70.0), 3), side, seed)
        turned = Die.draw(np.random.default_rng(int(self.rng.integers(1 << 30))), value)
        table.die = dataclasses.replace(table.die, faces=turned.faces, flips=turned.flips)
        table.die_pos, table.die_in_hand = new, False
        yield from self._reach(_line((*new, 70.0), self._outside(new, side), 4), side, seed)

    def _play(self, line: Mapping[str, Any], side: float) -> Iterator[Image]:
        for tile in line.get("returned_tiles", []):
            self.table.tiles[int(tile)] = self.table.spots[int(tile)]
            yield from self._hold(0.1)
        for move in line.get("moves", []):
            if move["to"] != "out":
                yield from self._carry(move, side)
        for tile in line.get("taken_tiles", []):
            leaving = [(m["piece"], int(m["from"])) for m in line["moves"] if m["to"] == "out" and m["from"] == tile]
            yield from self._take(int(tile), leaving, self._seat(line), side)

    def _carry(self, move: Mapping[str, Any], side: float) -> Iterator[Image]:
        start, to = self._place(move["from"]), self._place(move["to"])
        table, seed = self.table, int(self.rng.integers(1 << 30))
        piece = next(p for p in table.pieces if p.name == move["piece"] and p.at == start)
        old = piece.pos_mm
        yield from self._reach(_line(self._outside(old, side), (*old, 26.0), 4), side, seed)
        table.in_hand = piece
        new = table.free_spot(to)
        yield from self._reach(_line((*old, 50.0), (*new, 30.0), 5), side, seed)
        piece.at, piece.pos_mm, table.in_hand = to, new, None
        yield from self._reach(_line((*new, 32.0), self._outside(new, side), 4), side, seed)

    def _take(self, tile: int, leaving: list[tuple[str, int]], seat: str, side: float) -> Iterator[Image]:
        table, seed = self.table, int(self.rng.integers(1 << 30))
        old = table.tiles[tile]
        fx, fy = SEATS[seat]
        n = table.given.get(seat, 0)
        table.given[seat] = n + 1
        upright = seat in ("left", "right")
        new = (fx * AREA_MM[0] + (0 if upright else n * 48.0), fy * AREA_MM[1] + (n * 48.0 if upright else 0))
        yield from self._reach(_line(self._outside(old, side), (*old, 10.0), 3), side, seed)
        for name, place in leaving:
            piece = next(p for p in table.pieces if p.name == name and p.at == place)
            piece.at = "out"
        table.tiles[tile] = new
        yield from self._reach(_line((*new, 12.0), self._outside(new, side), 4), side, seed)

    def _place(self, place: Any) -> int | str:
        named: dict[Any, int | str] = {"start": 0, "finish": len(self.table.spots) - 1, "out": "out"}
        return named[place] if place in named else int(place)


def _told(line: Mapping[str, Any]) -> Json:
    """What the truth says of a line: guards that leave with their tile stand apart from the moves."""
    moves = line.get("moves", [])
    truth = {key: line[key] for key in ("taken_tiles", "returned_tiles", "legal", "broken_rule") if key in line}
    leaving = sum(m["to"] == "out" for m in moves)
    return truth | {"moves": [m for m in moves if m["to"] != "out"], "removed_guards": leaving}


def _line(a: tuple[float, float, float], b: tuple[float, float, float], steps: int) -> list[tuple[float, float, float]]:
    return [tuple(float(v) for v in np.array(a) + (np.array(b) - a) * t) for t in np.linspace(0, 1, steps)]  # type: ignore[misc]


def record(lines: Sequence[Mapping[str, Any]], out: Path, seed: int, assets: Assets) -> Path:
    """Write ``video.mp4``, ``setup.json`` and ``truth.json`` to the folder ``out``; the video's path."""
    setup = dict(lines[0])
    route = [0 if v == "luck" else int(v) for v in setup["route"]]
    look = Look.draw(seed, route, assets)
    director = Director(setup, lines[1:], look, seed)
    out.mkdir(parents=True, exist_ok=True)
    video = write_video(out / "video.mp4", director.frames(), FPS)
    corners = np.array([[0, 0, 0], [AREA_MM[0], 0, 0], [*AREA_MM, 0], [0, AREA_MM[1], 0]], float)
    setup["calibration"] = {"corners_px": np.round(look.camera.project(corners), 2).tolist(), "size_mm": list(AREA_MM)}
    setup |= {
        "markers": "aruco",
        "tile_across_flats_mm": TILE_MM,
        "end_tile_across_flats_mm": END_MM,
        "die_mm": director.table.die.side_mm,
    }
    setup["marker"] = {"dictionary": "DICT_4X4_50", "size_mm": 30, "ids": [0, 1, 2, 3]}
    setup.pop("type", None)
    (out / "setup.json").write_text(json.dumps(setup, indent=1))
    (out / "truth.json").write_text(
        json.dumps({"events": director.events, "duration_s": director.clock / FPS}, indent=1)
    )
    return video
