"""From nothing to an exported crop reader: crops made (kept on disk), network trained, temperature fitted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.classes import CROP_PX, DIE_CLASSES, TILE_CLASSES
from models.crops import make, photo_crops, square_crop
from models.scene.assets import picture

CLASSES = {"die": DIE_CLASSES, "tile": TILE_CLASSES}
CHUNK = 1000


@dataclass(frozen=True, slots=True)
class Job:
    """One file of CHUNK crops."""

    kind: str
    split: str
    number: int
    folder: Path
    assets: Path | None

    @property
    def file(self) -> Path:
        """Where its crops are kept."""
        return self.folder / f"{self.kind}_{self.split}_{self.number:04d}.npz"


def make_chunk(job: Job) -> Path:
    """Make the crops of a job unless they are there already."""
    if not job.file.exists():
        crops, classes = make(job.kind, CHUNK, job.number, job.split, job.assets)
        np.savez(job.file, x=crops, y=classes)
    return job.file


def gather(
    kind: str, split: str, chunks: int, folder: Path, assets: Path | None, workers: int, told: Callable[[str], None]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """``chunks`` * CHUNK crops of a split with their classes."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [Job(kind, split, k, folder, assets) for k in range(chunks)]
    files = []
    with ProcessPoolExecutor(workers) as pool:
        for file in pool.map(make_chunk, jobs):
            files.append(file)
            told(f"{kind} crops for {split}: {len(files)}/{chunks} thousand")
    loaded = [np.load(f) for f in files]
    return np.concatenate([f["x"] for f in loaded]), np.concatenate([f["y"] for f in loaded])


def look_alikes(pictures: Path, conf: float = 0.05) -> NDArray[np.uint8]:
    """Crops (N, CROP_PX, CROP_PX, 3) uint8 of everything the detector takes for a die in pictures without dice."""
    from vision.detector import load_detector

    detector = load_detector(size_wh=(960, 960), conf=conf)
    crops: list[NDArray[np.uint8]] = []
    for file in sorted(pictures.iterdir()):
        image = picture(file)
        boxes = detector.detect(image).of("die").xyxy_px.tolist()
        crops += [square_crop(image, (x0, y0, x1, y1)) for x0, y0, x1, y1 in boxes]
    return np.stack(crops) if crops else np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8)


def train_reader(
    kind: str,
    work: Path,
    target: Path,
    chunks: int,
    epochs: int,
    assets: Path | None,
    photos: Path | None = None,
    prefixes: tuple[str, ...] = (),
    copies: int = 4,
    negatives: Path | None = None,
    workers: int = 2,
    told: Callable[[str], None] = print,
) -> float:
    """Train the ``die`` or ``tile`` reader and write it to ``target`` (ONNX); its accuracy on validation crops.

    ``photos`` adds ``copies`` jittered crops of every die in the real photographs whose names start with ``prefixes``,
    ``negatives`` what the present detector takes for dice in the pictures of a folder without dice.
    """
    import torch

    from models import reader_net

    crops, classes = gather(kind, "train", chunks, work / "crops", assets, workers, told)
    if photos is not None and kind == "die":
        real, faces = photo_crops(photos, prefixes, np.random.default_rng(1), copies)
        crops, classes = np.concatenate([crops, real]), np.concatenate([classes, faces])
        told(f"{len(real)} crops of real dice added")
    if negatives is not None and kind == "die":
        alike = look_alikes(negatives)
        crops = np.concatenate([crops, alike])
        classes = np.concatenate([classes, np.full(len(alike), DIE_CLASSES.index("none"))])
        told(f"{len(alike)} look-alikes added")
    held, truth = gather(kind, "val", 1, work / "crops", assets, workers, told)
    torch.manual_seed(1)
    net = reader_net.build(len(CLASSES[kind]), wide=kind == "die")
    reader_net.train(net, crops, classes, epochs, work / f"{kind}_reader.pt", free=kind == "die", told=told)
    logits = reader_net.logits_of(net, held)
    reader_net.export(net, target, CLASSES[kind], reader_net.fit_temperature(logits, truth))
    return float((logits.argmax(1) == truth).mean())
