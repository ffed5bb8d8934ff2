"""Labelled training pictures on disk, in YOLO's layout, made from generated scenes and real photographs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import truth
from models.classes import DETECTOR_CLASSES
from models.scene.assets import Assets, picture
from models.scene.compose import Composer, View
from models.scene.flick import flick_scene
from models.scene.labels import Label

LEAST_VISIBLE = 0.35
"""Things less visible than this share are not labelled."""

SEED_OF_SPLIT = {"train": 0, "val": 50_000_000, "test": 60_000_000}


@lru_cache(maxsize=4)
def _composer(assets: Path | None, split: str) -> Composer:
    return Composer(Assets.load(assets, split))


def scene(
    composer: Composer, seed: int, size_wh: tuple[int, int], hands: float, flick: float
) -> tuple[NDArray[np.uint8], list[Label], View | None]:
    """A scene of any game, by its seed, and the camera unless it is a box; ``flick``: the share of Dice Flick boxes."""
    rng = np.random.default_rng((seed, 7))
    if rng.random() < flick:
        return *flick_scene(rng, composer.assets, size_wh), None
    return composer.seen(seed, size_wh, hands=hands)


def write_scene(
    out: Path, assets: Path | None, split: str, size_wh: tuple[int, int], hands: float, flick: float, seed: int
) -> str:
    """Render one scene unless it is there already, into ``images``, ``labels`` and ``truth`` of ``out``; its name."""
    name = f"scene_{seed:08d}"
    label_file = out / "labels" / split / f"{name}.txt"
    if label_file.exists():
        return name
    cv2.setNumThreads(1)
    image, labels, view = scene(_composer(assets, split), SEED_OF_SPLIT[split] + seed, size_wh, hands, flick)
    known = [label for label in labels if label.name in DETECTOR_CLASSES and label.visible >= LEAST_VISIBLE]
    lines = [label.yolo(size_wh) for label in known]
    cv2.imwrite(str(out / "images" / split / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 94])
    truth.write(out / "truth" / split / f"{name}.json", known, view)
    label_file.write_text("\n".join(lines) + "\n")
    return name


def render(
    out: Path,
    count: int,
    split: str = "train",
    assets: Path | None = None,
    size_wh: tuple[int, int] = (640, 640),
    first_seed: int = 0,
    workers: int = 2,
    hands: float = 0.3,
    done: Callable[[str], None] | None = None,
    flick: float = 0.0,
) -> Path:
    """Render ``count`` scenes, the share ``flick`` of them Dice Flick boxes; resumable, pictures that exist are kept.

    Returns the data set's yaml file.
    """
    for kind in ("images", "labels", "truth"):
        (out / kind / split).mkdir(parents=True, exist_ok=True)
    job = partial(write_scene, out, assets, split, size_wh, hands, flick)
    seeds = range(first_seed, first_seed + count)
    with ProcessPoolExecutor(workers) as pool:
        names: Iterable[str] = pool.map(job, seeds, chunksize=8) if workers > 1 else map(job, seeds)
        for name in names:
            if done:
                done(name)
    return write_yaml(out)


def write_yaml(out: Path) -> Path:
    """The description that Ultralytics reads (JSON is YAML too)."""
    splits = {s: f"images/{s}" for s in SEED_OF_SPLIT if (out / "images" / s).is_dir()}
    splits.setdefault("val", splits.get("train", "images/train"))
    described = {"path": str(out.resolve()), **splits, "names": dict(enumerate(DETECTOR_CLASSES))}
    file = out / "dataset.yaml"
    file.write_text(json.dumps(described, indent=1))
    return file


def add_photos(out: Path, photos: Path, prefixes: tuple[str, ...], repeat: int = 1, split: str = "train") -> int:
    """Add real dice photographs (YOLO labels whose class is the face) as class ``die``; how many were added.

    ``prefixes`` selects by source: photographs of other sources stay unseen.
    """
    die = DETECTOR_CLASSES.index("die")
    files = [p for p in sorted((photos / "images").iterdir()) if p.name.startswith(prefixes)]
    for photo in files:
        rows = (photos / "labels" / f"{photo.stem}.txt").read_text().split("\n")
        lines = [" ".join([str(die), *row.split()[1:5]]) for row in rows if row.strip()]
        for k in range(repeat):
            (out / "images" / split / f"real_{k}_{photo.name}").write_bytes(photo.read_bytes())
            (out / "labels" / split / f"real_{k}_{photo.stem}.txt").write_text("\n".join(lines) + "\n")
    return len(files)


def add_negatives(out: Path, pictures: Path, split: str = "train") -> int:
    """Add the pictures (jpg, png) of a folder, in which there is none of the classes; how many were added."""
    files = [p for p in sorted(pictures.iterdir()) if p.suffix.lower() in (".jpg", ".jpeg", ".png")]
    for file in files:
        (out / "images" / split / f"none_{file.name}").write_bytes(file.read_bytes())
        (out / "labels" / split / f"none_{file.stem}.txt").write_text("")
    return len(files)


def cut(data: Path, out: Path, side_px: int, each: int, split: str = "train", seed: int = 0) -> int:
    """Cut ``each`` square crops at native scale out of every picture, centred near a labelled thing.

    Smaller training pictures cost less and keep the size that pips have in a picture. Tiles and holes, which come by
    the dozen, are chosen as seldom as a single thing. Returns how many were made.
    """
    rng = np.random.default_rng(seed)
    for kind in ("images", "labels"):
        (out / kind / split).mkdir(parents=True, exist_ok=True)
    made = 0
    for file in sorted((data / "images" / split).glob("*.jpg")):
        image = picture(file)
        height, width = image.shape[:2]
        text = (data / "labels" / split / f"{file.stem}.txt").read_text()
        rows = np.array([row.split() for row in text.splitlines() if row.strip()], np.float64).reshape(-1, 5)
        boxes = rows[:, 1:] * [width, height, width, height]
        for k in range(each):
            near = boxes[_pick(rows[:, 0], rng), :2] if len(boxes) else np.array([width, height]) / 2
            x, y = (
                int(np.clip(c - side_px / 2 + rng.uniform(-0.3, 0.3) * side_px, 0, max(full - side_px, 0)))
                for c, full in zip(near, (width, height), strict=True)
            )
            lines = _labels_inside(rows[:, 0], boxes, (x, y), side_px)
            cv2.imwrite(
                str(out / "images" / split / f"{file.stem}_{k}.jpg"),
                image[y : y + side_px, x : x + side_px],
                [cv2.IMWRITE_JPEG_QUALITY, 95],
            )
            (out / "labels" / split / f"{file.stem}_{k}.txt").write_text("\n".join(lines) + "\n")
            made += 1
    return made


def _pick(classes: NDArray[np.float64], rng: np.random.Generator) -> int:
    """Index of a labelled thing: first a class, the loose things twice as often as the rest, then one of it."""
    present = np.unique(classes)
    often = np.isin(present, [DETECTOR_CLASSES.index(n) for n in ("tile", "end_tile", "hole")])
    chances = np.where(often, 1.0, 2.0)
    chosen = rng.choice(present, p=chances / chances.sum())
    return int(rng.choice(np.flatnonzero(classes == chosen)))


def _labels_inside(
    classes: NDArray[np.float64], boxes: NDArray[np.float64], corner_xy: tuple[int, int], side: int
) -> list[str]:
    low = boxes[:, :2] - boxes[:, 2:] / 2 - corner_xy
    high = low + boxes[:, 2:]
    low_in, high_in = np.clip(low, 0, side), np.clip(high, 0, side)
    size = high_in - low_in
    share = size.prod(1) / np.maximum(boxes[:, 2:].prod(1), 1e-6)
    keep = (share >= LEAST_VISIBLE) & (size.min(1) >= 3)
    return [
        f"{int(c)} {a[0] / side:.6f} {a[1] / side:.6f} {s[0] / side:.6f} {s[1] / side:.6f}"
        for c, a, s in zip(classes[keep], ((low_in + high_in) / 2)[keep], size[keep], strict=True)
    ]
