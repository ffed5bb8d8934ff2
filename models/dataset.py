"""Labelled training pictures on disk, in YOLO's layout, made from generated scenes and real photographs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path

import cv2

from models.classes import DETECTOR_CLASSES
from models.scene.assets import Assets
from models.scene.compose import Composer

LEAST_VISIBLE = 0.35
"""Things less visible than this share are not labelled."""

SEED_OF_SPLIT = {"train": 0, "val": 50_000_000, "test": 60_000_000}


@lru_cache(maxsize=4)
def _composer(assets: Path | None, split: str) -> Composer:
    return Composer(Assets.load(assets, split))


def write_scene(out: Path, assets: Path | None, split: str, size_wh: tuple[int, int], seed: int) -> str:
    """Render one scene to ``out/images/split`` and ``out/labels/split`` unless it is there already; its name."""
    name = f"scene_{seed:08d}"
    label_file = out / "labels" / split / f"{name}.txt"
    if label_file.exists():
        return name
    cv2.setNumThreads(1)
    image, labels = _composer(assets, split).picture(SEED_OF_SPLIT[split] + seed, size_wh)
    lines = [label.yolo(size_wh) for label in labels if label.visible >= LEAST_VISIBLE]
    cv2.imwrite(str(out / "images" / split / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 94])
    label_file.write_text("\n".join(lines) + "\n")
    return name


def render(out: Path, count: int, split: str = "train", assets: Path | None = None, size_wh: tuple[int, int] = (640, 640),
           first_seed: int = 0, workers: int = 2, done: Callable[[str], None] | None = None) -> Path:
    """Render ``count`` scenes; resumable, pictures that exist are kept. Returns the data set's yaml file."""
    for kind in ("images", "labels"):
        (out / kind / split).mkdir(parents=True, exist_ok=True)
    job = partial(write_scene, out, assets, split, size_wh)
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
