"""Random table scenes: Verflixxt routes, dice, loose pieces, mere clutter. One seed, one picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import TILE_CLASSES
from models.scene import meshes
from models.scene.assets import Assets
from models.scene.camera import Camera
from models.scene.cell_board import cell_board
from models.scene.colour_die import ColourDie, add_colour_die, add_qwixx_dice
from models.scene.labels import Label
from models.scene.path_board import path_board
from models.scene.pip_die import Die
from models.scene.raster import Canvas, Material, flat_light
from models.scene.sensor import expose
from models.scene.stage import Stage
from models.scene.textures import TileStyle, bgr, card_texture, marker_texture, table_texture, tile_texture
from models.scene.things import PAWN_HSV, Part, PieceStyle, clutter, draw_light, flixxy, hand

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Rng = np.random.Generator
KINDS = ("route", "dice", "pieces", "clutter")


@dataclass(frozen=True, slots=True)
class View:
    """A camera and the table point in the middle of its picture."""

    camera: Camera
    middle_mm: Array
    px_per_mm: float


def draw_view(rng: Rng, size_wh: tuple[int, int], px_per_mm: float) -> View:
    """A camera 30..90 degrees above the table; the picture is at times a part far from the optical axis."""
    while True:
        focal = rng.uniform(650, 1700)
        reach = 0.0 if rng.random() < 0.4 else 420.0
        centre = (size_wh[0] / 2 + rng.uniform(-1, 1) * reach, size_wh[1] / 2 + rng.uniform(-0.5, 0.5) * reach)
        elevation = rng.uniform(30, 90) if rng.random() < 0.7 else rng.uniform(45, 75)
        camera = Camera.looking_at(
            (0, 0), focal / px_per_mm, elevation, rng.uniform(0, 360), rng.normal(0, 4), focal, size_wh, centre
        )
        inverse = np.linalg.inv(camera.homography())
        corners = np.array(
            [[0, 0, 1], [size_wh[0], 0, 1], [*size_wh, 1], [0, size_wh[1], 1], [size_wh[0] / 2, size_wh[1] / 2, 1]],
            float,
        )
        ground = corners @ inverse.T
        table = np.column_stack([ground[:, :2] / ground[:, 2:], np.zeros(5)])
        depth = camera.depth(table)
        if (depth > 40).all() and depth.max() < 3.5 * depth.min():
            return View(camera, table[4, :2], float(focal / depth[4]))


def empty_table(view: View, texture: Image, mm_per_px: float, turn_deg: float, stage: Stage, rng: Rng) -> Image:
    """The table top seen by the camera, lit unevenly."""
    width, height = view.camera.size_wh
    inverse = np.linalg.inv(view.camera.homography())
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    w = inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]
    u = (inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2]) / w
    v = (inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2]) / w
    c, s = np.cos(np.radians(turn_deg)) / mm_per_px, np.sin(np.radians(turn_deg)) / mm_per_px
    image = cv2.remap(
        texture,
        ((c * u - s * v) % texture.shape[1]).astype(np.float32),
        ((s * u + c * v) % texture.shape[0]).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_WRAP,
    )
    lamp = stage.light.lamp_mm
    distance2 = (u - lamp[0]) ** 2 + (v - lamp[1]) ** 2 + lamp[2] ** 2
    falloff = np.clip((lamp @ lamp) / distance2, 0.3, 1.8)[:, :, None]
    factor, _ = flat_light_at(stage, np.array([*view.middle_mm, 0.0]))
    sky = stage.light.sky_bgr
    return np.asarray(np.clip(image * (sky + (factor - sky) * falloff), 0, 255), np.uint8)


def flat_light_at(stage: Stage, point_mm: Array) -> tuple[Array, Array]:
    """Light on a flat surface at a point of the stage."""
    return flat_light(Canvas(stage.camera, stage.light, np.zeros((1, 1, 3), np.uint8)), point_mm, 0.0)


def random_route(rng: Rng, pitch: float, count: int) -> list[tuple[float, float]]:
    """Centres of ``count`` tiles one pitch apart: a serpentine, a ring, a wandering line, or a loose heap."""
    pick = rng.random()
    if pick < 0.5:
        row, gap = int(rng.integers(4, 10)), pitch * rng.uniform(1.0, 1.6)
        points = []
        for k in range(count):
            r, c = divmod(k, row)
            points.append((c * pitch if r % 2 == 0 else (row - 1 - c) * pitch, r * gap))
        return points
    if pick < 0.65:
        radius = count * pitch / (2 * np.pi)
        return [
            (radius * float(np.cos(a)), radius * float(np.sin(a)))
            for a in np.linspace(0, 2 * np.pi, count, endpoint=False)
        ]
    points, heading = [(0.0, 0.0)], rng.uniform(0, 6.3)
    for _ in range(count * 4):
        heading += rng.normal(0, 0.35)
        step = (points[-1][0] + pitch * float(np.cos(heading)), points[-1][1] + pitch * float(np.sin(heading)))
        if min(np.hypot(step[0] - p[0], step[1] - p[1]) for p in points) > pitch * 0.97:
            points.append(step)
        if len(points) == count:
            break
    return points


def _around(rng: Rng, centre: Array, radius: float) -> tuple[float, float]:
    angle, far = rng.uniform(0, 2 * np.pi), radius * np.sqrt(rng.random())
    return float(centre[0] + far * np.cos(angle)), float(centre[1] + far * np.sin(angle))


class Composer:
    """Builds scenes of one split. ``picture(seed)`` always gives the same picture for the same assets."""

    def __init__(self, assets: Assets) -> None:
        self.assets = assets

    def picture(
        self, seed: int, size_wh: tuple[int, int] = (640, 640), kind: str | None = None, hands: float = 0.3
    ) -> tuple[Image, list[Label]]:
        """An exposed picture (H, W, 3) uint8 BGR and the labels of everything in it, hidden things included.

        ``hands``: share of the pictures with a hand.
        """
        return self.seen(seed, size_wh, kind, hands)[:2]

    def seen(
        self, seed: int, size_wh: tuple[int, int] = (640, 640), kind: str | None = None, hands: float = 0.3
    ) -> tuple[Image, list[Label], View]:
        """:meth:`picture` and the camera that took it."""
        rng = np.random.default_rng(seed)
        kind = kind or str(rng.choice(KINDS, p=[0.5, 0.27, 0.18, 0.05]))
        scale = (
            float(np.exp(rng.uniform(np.log(0.9), np.log(3.4))))
            if kind == "dice"
            else float(np.exp(rng.uniform(np.log(0.85), np.log(2.3))))
        )
        view = draw_view(rng, size_wh, scale)
        light = draw_light(rng, 700.0)
        stage = Stage(view.camera, light, rng)
        getattr(self, f"_{kind}")(stage, view, rng)
        self._surroundings(stage, view, rng, hands)
        table = empty_table(
            view, table_texture(rng, self.assets), rng.uniform(0.25, 1.6), rng.uniform(0, 360), stage, rng
        )
        image, labels = stage.paint(table, view.px_per_mm)
        return expose(image, rng), labels, view

    def _route(self, stage: Stage, view: View, rng: Rng) -> None:
        style, pieces = TileStyle.draw(rng, self.assets), PieceStyle.draw(rng)
        across = rng.uniform(38, 52)
        spots = self._spots(rng, view, across)
        edge = Material(bgr((225, 215, 195)) if rng.random() < 0.6 else bgr((90, 80, 70)), float(rng.uniform(0, 0.25)))
        heading = rng.uniform(0, 360) if rng.random() < 0.5 else 0.0
        colours = list(rng.permutation(list(PAWN_HSV)))[: int(rng.integers(2, 5))]
        bird = int(rng.integers(len(spots))) if rng.random() < 0.35 else -1
        for k, pos in enumerate(spots):
            if rng.random() < 0.12:
                continue
            kind = str(rng.choice(TILE_CLASSES[:19])) if rng.random() < 0.95 else str(rng.choice(["verflixxt", "back"]))
            turn = heading + rng.normal(0, 3) if rng.random() < 0.85 else rng.uniform(0, 360)
            texture = tile_texture(kind, style, rng)
            stage.add_tile(texture, style.sides, across, pos, turn, "tile", kind, edge)
            self._pieces_on(stage, pieces, colours, pos, across * 0.3, rng, crowd=0.35)
            if k == bird:
                stage.add_parts(flixxy(rng, np.array([*pos, 2.0]), rng.uniform(0, 360)), "flixxy")
            if k in (0, len(spots) - 1):
                self._end_tile(stage, style, pieces, colours, pos, across, edge, rng)
        for _ in range(int(rng.integers(1, 3))):
            stage.add_die(Die.draw(rng), _around(rng, view.middle_mm, 250 / view.px_per_mm), rng.uniform(0, 360))

    def _end_tile(
        self,
        stage: Stage,
        style: TileStyle,
        pieces: PieceStyle,
        colours: list[str],
        pos: tuple[float, float],
        across: float,
        edge: Material,
        rng: Rng,
    ) -> None:
        kind = str(rng.choice(["start", "finish"]))
        wide = across * rng.uniform(1.4, 2.1)
        away = rng.uniform(0, 2 * np.pi)
        far = (wide + across) / 2 * 1.08
        centre = (pos[0] + far * float(np.cos(away)), pos[1] + far * float(np.sin(away)))
        stage.add_tile(
            tile_texture(kind, style, rng), style.sides, wide, centre, rng.uniform(0, 360), "end_tile", kind, edge
        )
        if rng.random() < 0.45:
            return self._gathering(stage, pieces, centre, wide * 0.42, rng)
        for _ in range(3):
            self._pieces_on(stage, pieces, colours, centre, wide * 0.33, rng, crowd=0.75)

    def _gathering(
        self, stage: Stage, style: PieceStyle, centre: tuple[float, float], radius: float, rng: Rng
    ) -> None:
        """All pawns of two to six players on one tile, as at the start: close together, hiding each other."""
        colours = list(rng.permutation(list(PAWN_HSV)))[: int(rng.integers(2, 7))]
        pawns = [str(colour) for colour in colours for _ in range(2)]
        if rng.random() < 0.7:
            rng.shuffle(pawns)
        apart = max(12.5, radius * float(rng.uniform(0.35, 0.6)))
        grid = [(x + 0.5 * (y % 2), y * 0.87) for y in range(-4, 5) for x in range(-4, 5)]
        turn, shift = rng.uniform(0, 2 * np.pi), rng.uniform(-0.5, 0.5, 2)
        spots = (np.array(grid) + shift) * apart @ np.array(
            [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
        )
        spots = spots[np.argsort(np.hypot(*spots.T))][: len(pawns)] + rng.normal(0, 0.06 * apart, (len(pawns), 2))
        for pawn, spot in zip(pawns, spots, strict=True):
            stage.add_pawn(style, pawn, (centre[0] + float(spot[0]), centre[1] + float(spot[1])), 2.0)

    def _spots(self, rng: Rng, view: View, across: float) -> list[tuple[float, float]]:
        points = np.array(random_route(rng, across * rng.uniform(1.02, 1.25), int(rng.integers(14, 34))))
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        spots = (
            (points - points[int(rng.integers(len(points)))]) @ turn.T
            + view.middle_mm
            + rng.normal(0, 1.2, points.shape)
        )
        return [(float(x), float(y)) for x, y in spots]

    def _pieces_on(
        self,
        stage: Stage,
        style: PieceStyle,
        colours: list[str],
        pos: tuple[float, float],
        spread: float,
        rng: Rng,
        crowd: float,
    ) -> None:
        taken: list[tuple[float, float]] = []
        while rng.random() < crowd and len(taken) < 5:
            spot = _around(rng, np.array(pos), spread)
            if any(np.hypot(spot[0] - t[0], spot[1] - t[1]) < 13 for t in taken):
                continue
            taken.append(spot)
            if rng.random() < 0.42:
                stage.add_guard(style, spot, 2.0)
            else:
                stage.add_pawn(style, str(rng.choice(colours)), spot, 2.0)

    def _dice(self, stage: Stage, view: View, rng: Rng) -> None:
        if rng.random() < 0.2:
            middle = (float(view.middle_mm[0]), float(view.middle_mm[1]))
            return add_qwixx_dice(stage, middle, float(rng.uniform(0, 360)), rng)
        radius = 310 / view.px_per_mm
        if rng.random() < 0.25:
            side = radius * rng.uniform(1.0, 2.4)
            stage.add_flat(
                self._board(rng), (side, side), _around(rng, view.middle_mm, radius * 0.4), rng.uniform(0, 360)
            )
        if rng.random() < 0.3:
            self._tray(stage, view, rng, radius)
        spots: list[tuple[float, float]] = []
        close = rng.random() < 0.4
        for _ in range(int(rng.choice([1, 2, 3, 6, 12, 20]))):
            die, plain = Die.draw(rng), rng.random() < 0.12
            for _ in range(10):
                pos = _around(rng, view.middle_mm, radius * (0.35 if close else 1.0))
                if all(np.hypot(pos[0] - s[0], pos[1] - s[1]) > 19 for s in spots):
                    tilt = rng.uniform(-25, 25) if rng.random() < 0.03 else 0.0
                    if plain:
                        add_colour_die(stage, ColourDie.draw(rng), pos, rng.uniform(0, 360))
                    else:
                        stage.add_die(die, pos, rng.uniform(0, 360), tilt)
                    spots.append(pos)
                    break

    def _tray(self, stage: Stage, view: View, rng: Rng, radius: float) -> None:
        paint = Material(tuple(float(c) for c in rng.uniform(10, 230, 3)), 0.3)  # type: ignore[arg-type]
        w, h, wall, high = (
            radius * rng.uniform(0.5, 1.0),
            radius * rng.uniform(0.5, 1.0),
            rng.uniform(3, 14),
            rng.uniform(8, 40),
        )
        turn = meshes.turn_z(float(rng.uniform(0, 360)))
        for x, y, size in (
            (w, 0, (wall, 2 * h, high)),
            (-w, 0, (wall, 2 * h, high)),
            (0, h, (2 * w, wall, high)),
            (0, -h, (2 * w, wall, high)),
        ):
            offset = turn @ np.array([x, y, 0.0]) + np.array([*view.middle_mm, 0])
            stage.add_parts([Part(meshes.box(size).moved(offset, turn), paint)])

    def _pieces(self, stage: Stage, view: View, rng: Rng) -> None:
        style = PieceStyle.draw(rng)
        colours = list(rng.permutation(list(PAWN_HSV)))[: int(rng.integers(1, 6))]
        radius = 290 / view.px_per_mm
        if rng.random() < 0.6:
            side = radius * rng.uniform(1.2, 2.2)
            stage.add_flat(
                self._board(rng),
                (side, side * rng.uniform(0.7, 1.0)),
                _around(rng, view.middle_mm, radius * 0.2),
                rng.uniform(0, 360),
            )
        for _ in range(int(rng.integers(3, 22))):
            centre = _around(rng, view.middle_mm, radius)
            self._pieces_on(stage, style, colours, centre, rng.uniform(8, 22), rng, crowd=0.6)
        if rng.random() < 0.5:
            stage.add_die(Die.draw(rng), _around(rng, view.middle_mm, radius), rng.uniform(0, 360))

    def _board(self, rng: Rng) -> Image:
        pick = rng.random()
        if pick < 0.6:
            return cell_board(rng) if pick < 0.15 else path_board(rng, random_route)
        board = np.asarray(cv2.resize(card_texture(rng, self.assets), (512, 512)), np.uint8)
        points = rng.uniform(30, 480, (int(rng.integers(4, 26)), 2))
        for x, y in points:
            colour = tuple(int(c) for c in rng.integers(0, 255, 3))
            if rng.random() < 0.7:
                cv2.circle(board, (int(x), int(y)), int(rng.integers(10, 26)), (*colour, 255), -1, cv2.LINE_AA)
            else:
                cv2.rectangle(board, (int(x), int(y)), (int(x) + 36, int(y) + 36), (*colour, 255), -1)
            if rng.random() < 0.4:
                cv2.putText(
                    board,
                    str(rng.integers(0, 13)),
                    (int(x) - 8, int(y) + 8),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.8,
                    (0, 0, 0, 255),
                    2,
                    cv2.LINE_AA,
                )
        return board

    def _clutter(self, stage: Stage, view: View, rng: Rng) -> None:
        for _ in range(int(rng.integers(2, 10))):
            self._one_clutter(stage, view, rng)

    def _one_clutter(self, stage: Stage, view: View, rng: Rng) -> None:
        part = clutter(rng)
        pos = np.array([*_around(rng, view.middle_mm, 330 / view.px_per_mm), 0.0])
        turn = meshes.turn_z(float(rng.uniform(0, 360)))
        stage.add_parts([Part(part.mesh.moved(pos, turn), part.material)])

    def _surroundings(self, stage: Stage, view: View, rng: Rng, hands: float) -> None:
        radius = 330 / view.px_per_mm
        for _ in range(int(rng.poisson(0.8))):
            size = rng.uniform(40, 130)
            stage.add_flat(
                card_texture(rng, self.assets),
                (size, size * rng.uniform(1.0, 1.6)),
                _around(rng, view.middle_mm, radius),
                rng.uniform(0, 360),
            )
        if rng.random() < 0.4:
            for k in range(4):
                stage.add_flat(marker_texture(k), (40, 40), _around(rng, view.middle_mm, radius), rng.uniform(0, 360))
        for _ in range(int(rng.poisson(0.9))):
            self._one_clutter(stage, view, rng)
        if rng.random() < hands:
            reach = np.array([*_around(rng, view.middle_mm, radius * 0.9), rng.uniform(2, 60)])
            stage.add_parts(hand(rng, self.assets, reach, rng.uniform(0, 360)), "hand", over=True)
