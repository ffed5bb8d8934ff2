"""Training the readers of Qwixx Express: marks on score sheets, faces of colour dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import CROP_PX, FACE_CLASSES, MARK_CLASSES
from models.crops import square_crop as die_square
from models.scene.assets import Assets
from models.scene.colour_die import ColourDie, add_colour_die
from models.scene.compose import draw_view, empty_table
from models.scene.sensor import expose
from models.scene.sheet import SheetScene, sheet_scene
from models.scene.sheet_flat import FlatSheet, flat_sheet
from models.scene.stage import Stage
from models.scene.textures import table_texture
from models.scene.things import Die, draw_light

Image = NDArray[np.uint8]
Rng = np.random.Generator
Crops = tuple[NDArray[np.uint8], NDArray[np.int64]]
SEEDS = {"train": 0, "val": 1_000_000, "test": 2_000_000}
FIELDS_PER_SCENE = 40


def mark_crops(scene: SheetScene | FlatSheet, rng: Rng, count: int) -> Iterator[tuple[Image, int]]:
    """Crops of fields of a scene, placed as inexactly as a found sheet is, with indices in MARK_CLASSES."""
    from vision.qwixx.crops import field_square_mm, square_crop

    weight = np.array([2.5 if scene.state[f.name] != "free" or f.name in scene.hidden else 1.0
                       for f in scene.layout.fields])
    picked = rng.choice(len(weight), min(count, len(weight)), replace=False, p=weight / weight.sum())
    for field in (scene.layout.fields[int(k)] for k in picked):
        square = field_square_mm(field)
        middle, side = square.mean(0), float(np.ptp(square[:, 0]))
        turn = np.radians(rng.normal(0, 1.5))
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        grow = np.exp(rng.normal(0, 0.03) + rng.normal(0, 0.03, 2))
        moved = ((square - middle) * grow) @ spin.T + middle + rng.normal(0, 0.025, 2) * side
        label = "hidden" if field.name in scene.hidden else scene.state[field.name]
        yield square_crop(scene.image, scene.to_px(moved)), MARK_CLASSES.index(label)


def make_marks(first: int, scenes: int, split: str, assets: Path | None) -> Crops:
    """Crops of ``scenes`` scenes of one split from ``first`` on: whole scenes to validate, flat ones to train."""
    cv2.setNumThreads(1)
    files = Assets.load(assets, split)
    pairs: list[tuple[Image, int]] = []
    for seed in range(SEEDS[split] + first, SEEDS[split] + first + scenes):
        rng = np.random.default_rng([seed, 7])
        if split == "train":
            pairs += mark_crops(flat_sheet(rng, files), rng, FIELDS_PER_SCENE)
        else:
            size = (1280, 720) if rng.random() < 0.4 else (960, 640)
            pairs += mark_crops(sheet_scene(seed, files, size, crowd=0.6), rng, FIELDS_PER_SCENE)
    return np.stack([p[0] for p in pairs]), np.array([p[1] for p in pairs], np.int64)


def face_crop(rng: Rng, assets: Assets) -> tuple[Image, int]:
    """A crop of a die and its index in FACE_CLASSES: a colour on top, or ``pips``."""
    kind = str(rng.choice(FACE_CLASSES)) if rng.random() < 0.6 else "pips"
    die = Die.draw(rng) if kind == "pips" else ColourDie.draw(rng, kind)
    size_px = float(np.exp(rng.uniform(np.log(16), np.log(70))))
    side = int(2.2 * size_px) + 12
    view = draw_view(rng, (side, side), size_px / die.side_mm)
    stage = Stage(view.camera, draw_light(rng, 500.0), rng)
    pos = (float(view.middle_mm[0]), float(view.middle_mm[1]))
    _put(stage, die, pos, rng)
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        angle, far = rng.uniform(0, 2 * np.pi), die.side_mm * rng.uniform(1.5, 2.2)
        beside = (pos[0] + far * float(np.cos(angle)), pos[1] + far * float(np.sin(angle)))
        _put(stage, Die.draw(rng) if rng.random() < 0.5 else ColourDie.draw(rng), beside, rng)
    table = empty_table(view, table_texture(rng, assets), rng.uniform(0.25, 1.6), rng.uniform(0, 360), stage, rng)
    image, labels = stage.paint(table, view.px_per_mm)
    image = expose(image, rng, float(rng.uniform(0.3, 1.0)))
    label = next((x for x in labels if x.name == "die" and x.pos_mm == pos), None)
    if label is None or label.visible < 0.6:
        return face_crop(rng, assets)
    x0, y0, x1, y1 = label.xyxy_px
    dx0, dy0, dx1, dy1 = rng.normal(0, 0.06, 4) * [x1 - x0, y1 - y0, x1 - x0, y1 - y0]
    return die_square(image, (x0 + dx0, y0 + dy0, x1 + dx1, y1 + dy1)), FACE_CLASSES.index(kind)


def _put(stage: Stage, die: Die | ColourDie, pos_mm: tuple[float, float], rng: Rng) -> None:
    if isinstance(die, Die):
        stage.add_die(die, pos_mm, rng.uniform(0, 360))
    else:
        add_colour_die(stage, die, pos_mm, rng.uniform(0, 360))


def make_faces(first: int, count: int, split: str, assets: Path | None) -> Crops:
    """``count`` crops of dice of one split."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([SEEDS[split] + first, 11])
    files = Assets.load(assets, split)
    pairs = [face_crop(rng, files) for _ in range(count)]
    return np.stack([p[0] for p in pairs]), np.array([p[1] for p in pairs], np.int64)


MAKERS: dict[str, tuple[Callable[[int, int, str, Path | None], Crops], int, tuple[str, ...]]] = {
    "mark": (make_marks, 25, MARK_CLASSES),
    "face": (make_faces, 1000, FACE_CLASSES),
}
"""How crops of a kind are made, how many scenes or crops make a chunk of a thousand, and the classes."""


def gather(
    kind: str, split: str, chunks: int, folder: Path, assets: Path | None, told: Callable[[str], None] = print
) -> Crops:
    """``chunks`` thousand crops, kept in ``folder``: an interrupted run goes on where it stopped."""
    folder.mkdir(parents=True, exist_ok=True)
    make, step, _ = MAKERS[kind]
    parts = []
    for k in range(chunks):
        file = folder / f"{kind}_{split}_{k:04d}.npz"
        if not file.exists():
            crops, classes = make(k * step, step, split, assets)
            np.savez(file, x=crops, y=classes)
        loaded = np.load(file)
        parts.append((loaded["x"], loaded["y"]))
        told(f"{kind} crops for {split}: {k + 1}/{chunks} thousand")
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def mark_net(classes: int) -> Any:
    """A small convolutional network: (N, 3, 64, 64) RGB 0..1 to (N, classes) logits, some 40,000 weights."""
    from torch import nn

    def block(i: int, o: int, size: int) -> list[nn.Module]:
        return [nn.Conv2d(i, o, size, 2, size // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU()]

    return nn.Sequential(
        *block(3, 12, 5), *block(12, 24, 3), *block(24, 48, 3), *block(48, 48, 3), nn.Flatten(), nn.Dropout(0.1),
        nn.Linear(48 * (CROP_PX // 16) ** 2, classes),
    )


def train_qwixx(
    kind: str, work: Path, target: Path, chunks: int, epochs: int, assets: Path | None,
    told: Callable[[str], None] = print,
) -> float:
    """Train the ``mark`` or ``face`` reader and write it to ``target`` (ONNX); its accuracy on validation crops."""
    import torch

    from models import reader_net

    names = MAKERS[kind][2]
    crops, classes = gather(kind, "train", chunks, work, assets, told)
    held, truth = gather(kind, "val", 2, work, assets, told)
    torch.manual_seed(1)
    net = mark_net(len(names))
    reader_net.train(net, crops, classes, epochs, work / f"{kind}_reader.pt", told=told)
    logits = reader_net.logits_of(net, held)
    reader_net.export(net, target, names, reader_net.fit_temperature(logits, truth))
    return float((logits.argmax(1) == truth).mean())
