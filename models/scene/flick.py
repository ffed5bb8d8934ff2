"""Dice Flick scenes: a box of any make on any table, dice in it and around it. One seed, one picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene import meshes
from models.scene.assets import Assets
from models.scene.camera import Camera
from models.scene.compose import Composer, View, empty_table
from models.scene.flick_box import FLOOR_MM, Box, BoxDie, paint_box
from models.scene.flick_dice import COUNTS, DiceSet, draw_flick_die
from models.scene.labels import Label
from models.scene.meshes import Mesh
from models.scene.pip_die import Die, die_mesh
from models.scene.raster import Canvas, Light, apply_shadows, cast_shadow
from models.scene.sensor import expose
from models.scene.stage import Stage
from models.scene.textures import table_texture
from models.scene.things import draw_light, draw_parts, hand

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A die somewhere: ``where`` is ``hole``, ``plate`` (between holes), ``ditch`` or ``outside``."""

    die: Die
    colour: str
    mesh: Mesh
    turn: Array
    where: str
    cell: int = -1
    tilt_deg: float = 0.0
    stacked: bool = False

    @property
    def value(self) -> int:
        """Pips of the face that looks upwards most."""
        faces = [self.turn[2, f // 2] * (1.0 - 2.0 * (f % 2)) for f in range(6)]
        return self.die.faces[int(np.argmax(faces))]


@dataclass(frozen=True, slots=True)
class HoleTruth:
    """What a hole holds: ``content`` is ``empty``, ``die`` or ``marker``."""

    row: int
    col: int
    content: str
    marker: str = ""
    colour: str = ""
    value: int = 0
    cocked: bool = False
    stacked: bool = False
    visible: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class FlickTruth:
    """``corners_px`` (4, 2): the plate, clockwise from the far left; ``rim_px`` (4, 2); holes by row and column.

    ``star_everywhere``: pink dice bear a star on every face, not on the sixth alone.
    """

    corners_px: Array
    rim_px: Array
    holes: tuple[HoleTruth, ...]
    ditch: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    lattice_share: tuple[float, float] = (0.0, 0.0)
    star_everywhere: bool = False


@dataclass(slots=True)
class _Setting:
    """What a scene is made of while it is being built."""

    rng: Rng
    assets: Assets
    box: Box
    dice: DiceSet
    bag: list[str]
    lying: list[Lying] = field(default_factory=list)

    def put(
        self, where: str, pos_mm: tuple[float, float], height: float, turn_deg: float, tilt_deg: float = 0.0,
        cell: int = -1, stacked: bool = False,
    ) -> Lying | None:
        """Take a die from the bag and lay it down."""
        if not self.bag:
            return None
        colour = self.bag.pop()
        die = self.dice.die(self.rng, colour)
        spin = meshes.turn_z(float(self.rng.uniform(0, 360)) if tilt_deg else 0.0)
        turn = meshes.turn_z(turn_deg) @ meshes.turn_x(tilt_deg) @ spin
        mesh = die_mesh(die, np.array([*pos_mm, height]), turn)
        lying = Lying(die, colour, mesh, turn, where, cell, tilt_deg, stacked)
        self.lying.append(lying)
        return lying


def flick_view(rng: Rng, size_wh: tuple[int, int], outer_mm: float, elevation_deg: float | None = None) -> View:
    """A camera 43..90 degrees above a box that fills 45..105 % of the picture's height."""
    focal = float(rng.uniform(0.7, 1.8)) * max(size_wh)
    elevation = elevation_deg or float(rng.choice([rng.uniform(43, 90), rng.uniform(50, 75), rng.uniform(80, 90)]))
    share = rng.uniform(0.45, 0.95) if rng.random() < 0.9 else rng.uniform(0.95, 1.2)
    px_per_mm = share * min(size_wh) / outer_mm / (1.0 if elevation > 70 else 0.92)
    target = rng.normal(0, 0.06 * outer_mm, 2)
    camera = Camera.looking_at(
        (float(target[0]), float(target[1])), focal / px_per_mm, elevation, float(rng.uniform(0, 360)),
        float(rng.normal(0, 5)), focal, size_wh,
    )
    return View(camera, np.array(target), px_per_mm)


def flick_light(rng: Rng) -> Light:
    """A light of any kind; at times clearly warm or cold."""
    light = draw_light(rng, 700.0)
    if rng.random() < 0.6:
        return light
    warm = rng.normal(0, 0.16)
    tint = np.exp(np.array([-1.5 * warm, 0.0, 1.0 * warm]))
    return Light(light.lamp_mm, light.lamp_bgr * tint, light.sky_bgr * tint, light.softness, light.shadow)


def _fill_holes(setting: _Setting, count: int) -> None:
    rng, box = setting.rng, setting.box
    centres, room = box.lattice.centres_mm(), box.lattice.hole_mm / 2
    side = setting.dice.side_mm
    play = max(0.0, room - side * (0.72 if box.lattice.rounding > 0.6 else 0.6))
    loose = box.lattice.hole_mm > side * 1.42
    cocked = rng.random() < 0.25
    for cell in rng.permutation(25)[:count]:
        angle, far = rng.uniform(0, 2 * np.pi), play * np.sqrt(rng.random())
        turn = rng.uniform(0, 360) if loose else 90 * rng.integers(4) + rng.normal(0, 5)
        x, y = centres[cell]
        if cocked and rng.random() < 0.25:
            out = room - side * rng.uniform(0.2, 0.45)
            spot = (float(x + out * np.cos(angle)), float(y + out * np.sin(angle)))
            lift = max(box.bottom_mm, box.top_mm - side * rng.uniform(0.15, 0.8))
            setting.put("hole", spot, float(lift), float(turn), float(rng.uniform(16, 42)), int(cell))
            continue
        spot = (float(x + far * np.cos(angle)), float(y + far * np.sin(angle)))
        if setting.put("hole", spot, box.bottom_mm, float(turn), 0.0, int(cell)) and rng.random() < 0.012:
            upper = (spot[0] + float(rng.normal(0, 2.5)), spot[1] + float(rng.normal(0, 2.5)))
            setting.put("hole", upper, box.bottom_mm + side, float(rng.uniform(0, 360)), 0.0, int(cell), True)


def _scatter(setting: _Setting) -> None:
    """Dice between the holes, in the ditch and around the box."""
    rng, box = setting.rng, setting.box
    side, half = setting.dice.side_mm, setting.box.lattice.plate_mm / 2
    if rng.random() < 0.1:
        between = (rng.integers(0, 4, 2) - 1.5) * box.lattice.pitch_mm
        setting.put("plate", (float(between[0]), float(between[1])), box.top_mm, float(rng.uniform(0, 360)))
    gap = box.inner_mm / 2 - half
    for _ in range(int(rng.choice([0, 0, 1, 2, 3])) if gap > side * 1.1 else 0):
        along = rng.uniform(-1, 1) * (box.inner_mm / 2 - side)
        away = half + side * 0.6 + rng.uniform(0, 1) * max(0.0, gap - 1.3 * side)
        spot = np.array([away, along]) @ meshes.turn_z(90.0 * int(rng.integers(4)))[:2, :2]
        turn = float(rng.uniform(0, 360) if gap > 1.5 * side else 90 * rng.integers(4))
        setting.put("ditch", (float(spot[0]), float(spot[1])), FLOOR_MM, turn)
    for _ in range(int(rng.choice([0, 0, 1, 2, 3]))):
        away = box.outer_mm / 2 + rng.uniform(1.0, 6.0) * side
        spot = np.array([away, rng.uniform(-1, 1) * away]) @ meshes.turn_z(90.0 * int(rng.integers(4)))[:2, :2]
        if all(np.hypot(*(spot - o.mesh.vertices[:, :2].mean(0))) > 1.5 * side for o in setting.lying):
            setting.put("outside", (float(spot[0]), float(spot[1])), 0.0, float(rng.uniform(0, 360)))


def flick_scene(rng: Rng, assets: Assets, size_wh: tuple[int, int]) -> tuple[Image, list[Label]]:
    """A picture (H, W, 3) uint8 BGR of a random box, and a label for each of its 25 holes, each die, each hand."""
    image, labels, _ = flick_picture(rng, assets, size_wh)
    return image, labels


def flick_picture(
    rng: Rng,
    assets: Assets,
    size_wh: tuple[int, int],
    hands: float = 0.2,
    elevation_deg: float | None = None,
    fill: tuple[int, int] = (0, 14),
    around: bool = True,
) -> tuple[Image, list[Label], FlickTruth]:
    """:func:`flick_scene` with everything that is known about the box; ``fill``: least and most dice in holes.

    ``around``: with a table top, things on it and the sensor's noise; without, a table of one colour is quicker.
    """
    dice = DiceSet.draw(rng)
    bag = [colour for colour, count in COUNTS.items() for _ in range(count)]
    box = Box.draw(rng, assets, dice.side_mm)
    setting = _Setting(rng, assets, box, dice, [str(c) for c in rng.permutation(bag)])
    _fill_holes(setting, int(rng.integers(fill[0], fill[1] + 1)))
    _scatter(setting)
    view = flick_view(rng, size_wh, box.outer_mm, elevation_deg)
    return _photograph(setting, view, flick_light(rng), hands, around)


def _photograph(
    setting: _Setting, view: View, light: Light, hands: float, around: bool
) -> tuple[Image, list[Label], FlickTruth]:
    rng, camera = setting.rng, view.camera
    stage = Stage(camera, light, rng)
    if around:
        texture, grain = table_texture(rng, setting.assets), rng.uniform(0.25, 1.6)
        table = empty_table(view, texture, grain, rng.uniform(0, 360), stage, rng)
        _surroundings(stage, view, setting)
        image, _ = stage.paint(table, view.px_per_mm)
    else:
        width, height = camera.size_wh
        image = np.full((height, width, 3), rng.integers(10, 240, 3), np.uint8)
    canvas = Canvas(camera, light, image)
    star = "all" if setting.dice.star_everywhere else "six"
    painted = [
        BoxDie(d.mesh, d.where, _painter(d, star, k, int(rng.integers(1 << 30))))
        for k, d in enumerate(setting.lying, 1)
    ]
    outside = [d for d in painted if d.where == "outside"]
    behind = [d for d in outside if camera.depth(d.mesh.vertices).mean() > float(camera.depth(np.zeros((1, 3)))[0])]
    _paint_outside(canvas, behind, view.px_per_mm)
    paint_box(canvas, setting.box, [d for d in painted if d.where != "outside"], view.px_per_mm, rng)
    _paint_outside(canvas, [d for d in outside if d not in behind], view.px_per_mm)
    hand_id = len(painted) + 1
    if rng.random() < hands:
        _reach_in(canvas, setting, hand_id, view.px_per_mm)
    truth, labels = _labelled(canvas, setting, hand_id)
    return expose(canvas.image, rng) if around else canvas.image, labels, truth


def _painter(lying: Lying, star: str, ident: int, seed: int) -> Callable[[Canvas], None]:
    kind = star if lying.colour == "pink" else ""

    def paint(canvas: Canvas) -> None:
        draw_flick_die(canvas, lying.die, kind, lying.mesh, lying.turn, ident, np.random.default_rng(seed))

    return paint


def _paint_outside(canvas: Canvas, dice: list[BoxDie], px_per_mm: float) -> None:
    for die in dice:
        cast_shadow(canvas, die.mesh)
    apply_shadows(canvas, px_per_mm)
    for die in sorted(dice, key=lambda d: -float(canvas.camera.depth(d.mesh.vertices).mean())):
        die.paint(canvas)


def _surroundings(stage: Stage, view: View, setting: _Setting) -> None:
    """Cards and clutter around the box."""
    rng, composer = setting.rng, Composer(setting.assets)
    clear = setting.box.outer_mm / 2
    scratch = Stage(stage.camera, stage.light, rng)
    composer._surroundings(scratch, view, rng, 0.0)
    if rng.random() < 0.3:
        composer._clutter(scratch, view, rng)
    keep = [t for t in scratch.standing if np.abs(t.points_mm[:, :2].mean(0)).max() > clear + 25]
    stage.flat += scratch.flat
    stage.standing += keep[:6]


def _reach_in(canvas: Canvas, setting: _Setting, ident: int, px_per_mm: float) -> None:
    """A hand at the rim, at times over the plate."""
    rng, box = setting.rng, setting.box
    towards = float(rng.uniform(0, 360))
    far = box.outer_mm / 2 * (rng.uniform(0.85, 1.4) if rng.random() < 0.75 else rng.uniform(0.2, 0.85))
    out = np.array([np.cos(np.radians(towards)), np.sin(np.radians(towards))])
    aside = np.array([-out[1], out[0]]) * rng.uniform(-0.6, 0.6) * box.outer_mm / 2
    reach = np.array([*(out * far + aside), box.rim_mm + rng.uniform(0, 40)])
    parts = hand(rng, setting.assets, reach, towards)
    for part in parts:
        cast_shadow(canvas, part.mesh)
    apply_shadows(canvas, px_per_mm)
    draw_parts(canvas, parts, ident, rng)


def _labelled(canvas: Canvas, setting: _Setting, hand_id: int) -> tuple[FlickTruth, list[Label]]:
    box, camera = setting.box, canvas.camera
    corners = camera.project(box.corners_mm(box.lattice.plate_mm, box.top_mm))
    turn = _quarter_turns(corners)
    order = np.rot90(np.arange(25).reshape(5, 5), -turn).ravel()
    labels, holes = [], []
    covered = canvas.identity == hand_id
    inside: dict[int, list[Lying]] = {}
    for die in setting.lying:
        if die.cell >= 0:
            inside.setdefault(die.cell, []).append(die)
    for k, cell in enumerate(order):
        outline = box.lattice.outline_mm() + box.lattice.centres_mm()[cell]
        pixels = camera.project(np.column_stack([outline, np.full(len(outline), box.top_mm)]))
        seen = _seen_share(pixels, covered)
        hole = _hole_truth(k, inside.get(int(cell), []), setting.box.stickers.get(int(cell), ""), seen)
        holes.append(hole)
        labels += _label("hole", pixels, seen, canvas, hole.content, hole.colour)
    counts = np.bincount(canvas.identity.ravel(), minlength=hand_id + 1)
    for number, die in enumerate(setting.lying, 1):
        pixels = camera.project(die.mesh.vertices)
        area = cv2.contourArea(cv2.convexHull(pixels.astype(np.float32)))
        labels += _label("die", pixels, counts[number] / max(area, 1.0), canvas, str(die.value), die.colour)
    if counts[hand_id]:
        ys, xs = np.nonzero(covered)
        labels += _label("hand", np.column_stack([xs, ys]).astype(float), 1.0, canvas)
    places = {w: tuple(d.colour for d in setting.lying if d.where == w) for w in ("ditch", "outside", "plate")}
    rim = camera.project(box.corners_mm(box.outer_mm, box.rim_mm))
    shares = box.lattice.pitch_mm / box.lattice.plate_mm, box.lattice.hole_mm / box.lattice.plate_mm
    truth = FlickTruth(
        np.roll(corners, turn, 0) if turn else corners, np.roll(rim, turn, 0), tuple(holes),
        places["ditch"], places["outside"], places["plate"], shares, setting.dice.star_everywhere,
    )
    return truth, labels


def _quarter_turns(corners: Array) -> int:
    """How many corners to shift so that the first edge runs to the right in the picture."""
    best = []
    for k in range(4):
        c = np.roll(corners, k, 0)
        best.append(float((c[1] + c[2] - c[0] - c[3])[0]))
    return int(np.argmax(best))


def _seen_share(pixels: Array, covered: NDArray[np.bool_]) -> float:
    h, w = covered.shape
    x0, y0 = np.floor(pixels.min(0)).astype(int)
    x1, y1 = np.ceil(pixels.max(0)).astype(int) + 1
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [np.round(pixels - [x0, y0]).astype(np.int32)], (1,))
    total = int(mask.sum())
    cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x1, w), min(y1, h)
    if cx1 <= cx0 or cy1 <= cy0 or not total:
        return 0.0
    part = mask[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0]
    return float((part * ~covered[cy0:cy1, cx0:cx1]).sum()) / total


def _hole_truth(k: int, dice: list[Lying], marker: str, seen: float) -> HoleTruth:
    row, col = k // 5 + 1, k % 5 + 1
    if not dice:
        return HoleTruth(row, col, "marker" if marker else "empty", marker, visible=seen)
    lower = dice[0]
    value = 6 if lower.colour == "pink" else lower.value
    return HoleTruth(
        row, col, "die", marker, lower.colour, value, lower.tilt_deg > 10, any(d.stacked for d in dice), seen
    )


def _label(
    name: str, pixels: Array, seen: float, canvas: Canvas, value: str = "", colour: str = ""
) -> list[Label]:
    h, w = canvas.identity.shape
    x0, y0, x1, y1 = np.clip([*pixels.min(0), *pixels.max(0)], 0, [w, h, w, h])
    if x1 - x0 < 3 or y1 - y0 < 3:
        return []
    return [Label(name, (float(x0), float(y0), float(x1), float(y1)), float(min(seen, 1.0)), value, colour)]

