"""Training crops for the readers by the hundred thousand: dice as a camera box gives them, tiles rectified."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import CROP_PX, DIE_CLASSES, DIE_MARGIN, TILE_CLASSES, TILE_CROP_MM
from models.scene import meshes
from models.scene.assets import Assets, picture
from models.scene.colour_die import ColourDie, add_colour_die
from models.scene.compose import View, draw_view, empty_table
from models.scene.labels import Label
from models.scene.pip_die import Die
from models.scene.raster import Material
from models.scene.sensor import expose
from models.scene.stage import Stage
from models.scene.textures import TileStyle, bgr, card_texture, marker_texture, table_texture, tile_texture
from models.scene.things import PAWN_HSV, Part, PieceStyle, clutter, draw_light, hand

Image = NDArray[np.uint8]
Rng = np.random.Generator


def square_crop(image: Image, xyxy_px: tuple[float, float, float, float], margin: float = DIE_MARGIN) -> Image:
    """The square of ``margin`` times the longer side around a box, (CROP_PX, CROP_PX, 3); outside: edge pixels."""
    x0, y0, x1, y1 = xyxy_px
    side = max(x1 - x0, y1 - y0, 2.0) * margin
    scale = CROP_PX / side
    shift = CROP_PX / 2 - scale * np.array([(x0 + x1) / 2, (y0 + y1) / 2]) - 0.5 * (1 - scale)
    matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    if scale < 0.5:
        image = cv2.GaussianBlur(image, (0, 0), 0.35 / scale).astype(np.uint8)
    return cv2.warpAffine(
        image, matrix, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.uint8)


def _stage(rng: Rng, side_px: int, px_per_mm: float) -> tuple[Stage, View]:
    view = draw_view(rng, (side_px, side_px), px_per_mm)
    return Stage(view.camera, draw_light(rng, 500.0), rng), view


def _finish(stage: Stage, view: View, rng: Rng, assets: Assets) -> tuple[Image, list[Label]]:
    table = empty_table(view, table_texture(rng, assets), rng.uniform(0.25, 1.6), rng.uniform(0, 360), stage, rng)
    image, labels = stage.paint(table, view.px_per_mm)
    return expose(image, rng, float(rng.uniform(0.3, 1.0))), labels


def _near(rng: Rng, view: View, low: float, high: float) -> tuple[float, float]:
    angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(low, high)
    return float(view.middle_mm[0] + far * np.cos(angle)), float(view.middle_mm[1] + far * np.sin(angle))


def _add_any_die(stage: Stage, die: Die | ColourDie, pos: tuple[float, float], rng: Rng) -> None:
    turn = rng.uniform(0, 360)
    if isinstance(die, ColourDie):
        add_colour_die(stage, die, pos, turn)
    else:
        stage.add_die(die, pos, turn, rng.normal(0, 1.5))


def die_crop(rng: Rng, assets: Assets, colour_share: float = 0.1) -> tuple[Image, int]:
    """A crop and its index in DIE_CLASSES. One in six holds no die, or only a part of one.

    ``colour_share``: of the others, those with a colour die.
    """
    if rng.random() < 1 / 6:
        return no_die_crop(rng, assets), DIE_CLASSES.index("none")
    die = ColourDie.draw(rng) if rng.random() < colour_share else Die.draw(rng)
    size_px = float(np.exp(rng.uniform(np.log(13), np.log(80))))
    scale = size_px / die.side_mm
    stage, view = _stage(rng, int(2.2 * size_px) + 12, scale)
    _under(stage, view, rng, assets)
    pos = (float(view.middle_mm[0]), float(view.middle_mm[1]))
    _add_any_die(stage, die, pos, rng)
    spots = [pos]
    for _ in range(int(rng.choice([0, 0, 0, 1, 2, 3]))):
        spot = _near(rng, view, die.side_mm * 1.15, die.side_mm * 2)
        if all(np.hypot(spot[0] - s[0], spot[1] - s[1]) > die.side_mm * 1.1 for s in spots):
            spots.append(spot)
            stage.add_die(Die.draw(rng), spot, rng.uniform(0, 360))
    image, labels = _finish(stage, view, rng, assets)
    label = next((x for x in labels if x.name == "die" and x.pos_mm == pos), None)
    if label is None or label.visible < 0.6:
        return die_crop(rng, assets, colour_share)
    x0, y0, x1, y1 = label.xyxy_px
    w, h = x1 - x0, y1 - y0
    dx0, dy0, dx1, dy1 = rng.normal(0, 0.06, 4)
    kind = "face" if isinstance(die, ColourDie) else str(die.value)
    box = (x0 + dx0 * w, y0 + dy0 * h, x1 + dx1 * w, y1 + dy1 * h)
    return square_crop(image, box), DIE_CLASSES.index(kind)


def _under(stage: Stage, view: View, rng: Rng, assets: Assets) -> None:
    """Something flat under or beside the die at times."""
    if rng.random() < 0.25:
        stage.add_flat(
            card_texture(rng, assets),
            (rng.uniform(30, 90), rng.uniform(30, 90)),
            _near(rng, view, 0, 25),
            rng.uniform(0, 360),
        )
    if rng.random() < 0.15:
        stage.add_tile(
            tile_texture(str(rng.choice(TILE_CLASSES[:23])), TileStyle.draw(rng, assets), rng),
            8,
            44,
            _near(rng, view, 0, 30),
            rng.uniform(0, 360),
            "tile",
            "",
            Material(bgr((220, 210, 190))),
        )


def no_die_crop(rng: Rng, assets: Assets) -> Image:
    """What a detector may take for a die: tiles, markers, cubes, pawns, corners of dice, bare table."""
    scale = float(np.exp(rng.uniform(np.log(0.9), np.log(4.0))))
    stage, view = _stage(rng, 96, scale)
    _under(stage, view, rng, assets)
    pick = int(rng.integers(7))
    middle = (float(view.middle_mm[0]), float(view.middle_mm[1]))
    if pick == 0:
        stage.add_flat(marker_texture(int(rng.integers(4))), (40, 40), middle, rng.uniform(0, 360))
    elif pick == 1:
        part = clutter(rng)
        stage.add_parts(
            [Part(part.mesh.moved(np.array([*middle, 0.0]), meshes.turn_z(rng.uniform(0, 360))), part.material)]
        )
    elif pick == 2:
        style = PieceStyle.draw(rng)
        stage.add_pawn(style, str(rng.choice(list(PAWN_HSV))), middle)
        stage.add_guard(style, _near(rng, view, 12, 20))
    elif pick == 3:
        kind = str(rng.choice(TILE_CLASSES[:23]))
        stage.add_tile(
            tile_texture(kind, TileStyle.draw(rng, assets), rng),
            8,
            44,
            _near(rng, view, 0, 20),
            rng.uniform(0, 360),
            "tile",
            "",
            Material(bgr((220, 210, 190))),
        )
    elif pick == 4:
        side = 30 / scale
        stage.add_die(Die.draw(rng), _near(rng, view, side * 1.2, side * 1.6), rng.uniform(0, 360))
    elif pick == 5:
        stage.add_flat(card_texture(rng, assets), (40, 60), middle, rng.uniform(0, 360))
    image, _ = _finish(stage, view, rng, assets)
    size = float(rng.uniform(14, 40))
    x, y = rng.normal(48, 6, 2)
    return square_crop(image, (x - size / 2, y - size / 2, x + size / 2, y + size / 2))


def tile_crop(rng: Rng, assets: Assets) -> tuple[Image, int]:
    """A rectified crop of a place on the route and its index in TILE_CLASSES (``none``: the tile is gone).

    Its printing stands upright, give or take: the run time reads every tile in several turns.
    """
    pick = rng.random()
    kind = (
        "none"
        if pick < 0.14
        else str(rng.choice(TILE_CLASSES[19:23]))
        if pick < 0.22
        else str(rng.choice(TILE_CLASSES[:19]))
    )
    if kind == "luck" and rng.random() < 0.3:
        kind = "-6"
    scale = float(np.exp(rng.uniform(np.log(0.75), np.log(2.6))))
    stage, view = _stage(rng, int(70 * scale) + 24, scale)
    style, pieces = TileStyle.draw(rng, assets), PieceStyle.draw(rng)
    across, pos = rng.uniform(39, 50), (float(view.middle_mm[0]), float(view.middle_mm[1]))
    wide = across * rng.uniform(1.4, 2.0) if kind in ("start", "finish") else across
    edge = Material(bgr((225, 215, 195)), float(rng.uniform(0, 0.25)))
    heading = rng.uniform(0, 360)
    if kind != "none":
        stage.add_tile(tile_texture(kind, style, rng), style.sides, wide, pos, heading, "tile", kind, edge)
    gap = (wide + across) / 2 * rng.uniform(1.02, 1.2)
    _beside(stage, style, pieces, pos, heading, gap, across, edge, rng)
    if rng.random() < 0.4:
        _on(stage, pieces, view, across, rng)
    if rng.random() < 0.05:
        stage.add_parts(
            hand(rng, assets, np.array([*_near(rng, view, 15, 30), 10.0]), rng.uniform(0, 360)), "hand", over=True
        )
    image, _ = _finish(stage, view, rng, assets)
    return rectified(image, view, pos, heading, rng), TILE_CLASSES.index(kind)


def _beside(
    stage: Stage,
    style: TileStyle,
    pieces: PieceStyle,
    pos: tuple[float, float],
    heading: float,
    gap: float,
    across: float,
    edge: Material,
    rng: Rng,
) -> None:
    """Up to three tiles of the route next to the one at ``pos``, some with a guard."""
    for _ in range(int(rng.integers(0, 4))):
        a = np.radians(heading + rng.choice([0, 90, 180, 270]) + rng.normal(0, 6))
        spot = (pos[0] + gap * float(np.cos(a)), pos[1] + gap * float(np.sin(a)))
        stage.add_tile(
            tile_texture(str(rng.choice(TILE_CLASSES[:19])), style, rng),
            style.sides,
            across,
            spot,
            heading,
            "tile",
            "",
            edge,
        )
        if rng.random() < 0.3:
            stage.add_guard(pieces, spot, 2.0)


def _on(stage: Stage, pieces: PieceStyle, view: View, across: float, rng: Rng) -> None:
    """One to three pieces on the tile in the middle."""
    for _ in range(int(rng.integers(1, 4))):
        spot = _near(rng, view, 0, across * 0.35)
        if rng.random() < 0.5:
            stage.add_guard(pieces, spot, 2.0)
        else:
            stage.add_pawn(pieces, str(rng.choice(list(PAWN_HSV))), spot, 2.0)


def rectified(image: Image, view: View, pos_mm: tuple[float, float], heading_deg: float, rng: Rng) -> Image:
    """The square of TILE_CROP_MM on the table around a place, slightly misplaced as a real calibration would."""
    turn = heading_deg + rng.choice([0, 180]) + rng.uniform(-24, 24)
    side = TILE_CROP_MM * rng.uniform(0.94, 1.06)
    x, y = np.array(pos_mm) + rng.normal(0, 1.5, 2)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2 @ np.array([[c, s], [-s, c]])
    corners = view.camera.project(np.column_stack([half + [x, y], np.zeros(4)])).astype(np.float32)
    target = np.array([[0, 0], [CROP_PX, 0], [CROP_PX, CROP_PX], [0, CROP_PX]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, target)
    return cv2.warpPerspective(image, matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)


MAKERS = {"die": die_crop, "tile": tile_crop}


def make(
    kind: str, count: int, seed: int, split: str, assets: Path | None
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """``count`` crops (N, CROP_PX, CROP_PX, 3) uint8 BGR and class indices (N,) of one split."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, {"train": 0, "val": 1, "test": 2}[split]])
    files = Assets.load(assets, split)
    pairs = [MAKERS[kind](rng, files) for _ in range(count)]
    return np.stack([p[0] for p in pairs]), np.array([p[1] for p in pairs], np.int64)


def photo_crops(
    photos: Path, prefixes: tuple[str, ...], rng: Rng, copies: int = 1
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Dice of real photographs (YOLO labels, class = face - 1) with jittered boxes; only sources in ``prefixes``."""
    crops, classes = [], []
    for photo in sorted((photos / "images").iterdir()):
        if not photo.name.startswith(prefixes):
            continue
        image = picture(photo)
        h, w = image.shape[:2]
        for row in (photos / "labels" / f"{photo.stem}.txt").read_text().split("\n"):
            if row.strip():
                face, cx, cy, bw, bh = (float(v) for v in row.split()[:5])
                for _ in range(copies):
                    dx, dy, grow = rng.normal(0, 0.05), rng.normal(0, 0.05), np.exp(rng.normal(0, 0.07))
                    x, y, bw2, bh2 = (cx + dx * bw) * w, (cy + dy * bh) * h, bw * w * grow, bh * h * grow
                    crops.append(square_crop(image, (x - bw2 / 2, y - bh2 / 2, x + bw2 / 2, y + bh2 / 2)))
                    classes.append(int(face))
    return np.stack(crops), np.array(classes, np.int64)
