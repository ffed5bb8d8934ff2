"""How well detector and readers do on a labelled folder: per class precision, recall, AP50, AP50-95, and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from models import truth
from models.classes import DETECTOR_CLASSES
from models.evaluate_values import Read, ValueReaders, values_table
from models.scene.assets import picture
from models.scoring import Array, average_precision, calibration_error, matched, overlaps

if TYPE_CHECKING:
    from vision.detections import Detections

LEAST_CONFIDENCE, STATED_AT = 0.02, 0.25
THRESHOLDS = np.arange(0.5, 1.0, 0.05)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One picture of a labelled folder: what the detector found in it, what is there, and what can be read there."""

    found: Detections
    classes: NDArray[np.int64]
    boxes_px: Array
    values: list[Read]


@dataclass(frozen=True, slots=True)
class Score:
    """How well one class is found, precision and recall at confidence STATED_AT and overlap 0.5.

    ``calibration_error``: by how much the confidence of a found box is off from the share that is right, on average.
    """

    objects: int
    precision: float
    recall: float
    map50: float
    map50_95: float
    calibration_error: float


def look(data: Path, split: str, weights: Path) -> list[Picture]:
    """Run the detector, and the readers where values are known, over ``data/images/split`` (or ``data/images``).

    Raises FileNotFoundError (no pictures there), ModelError.
    """
    from vision.detector import load_detector

    files = pictures_of(data, split)
    height, width = picture(files[0]).shape[:2]
    size_wh = (-(-width // 32) * 32, -(-height // 32) * 32)
    detector = load_detector(weights, size_wh=size_wh, conf=LEAST_CONFIDENCE)
    readers = None
    seen = []
    for file in files:
        image = picture(file)
        wh = (image.shape[1], image.shape[0])
        found = detector.detect(image)
        classes, boxes = labels_of(beside(file, "labels", ".txt"), wh)
        values: list[Read] = []
        if (told_there := beside(file, "truth", ".json")).exists():
            readers = readers or ValueReaders()
            values = readers.read(image, found, *truth.read(told_there, wh))
        seen.append(Picture(found, classes, boxes, values))
    return seen


def pictures_of(data: Path, split: str) -> list[Path]:
    """The pictures of a labelled folder. Raises FileNotFoundError when there is none."""
    folder = data / "images" / split
    folder = folder if folder.is_dir() else data / "images"
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if not files:
        raise FileNotFoundError(f"{folder} holds no pictures (.jpg, .png).")
    return files


def beside(file: Path, kind: str, suffix: str) -> Path:
    """The file of another ``kind`` (labels, truth) that belongs to a picture, as YOLO lays them out."""
    parts = list(file.parts)
    parts[len(parts) - 1 - parts[::-1].index("images")] = kind
    return Path(*parts).with_suffix(suffix)


def scores(seen: Sequence[Picture]) -> dict[str, Score]:
    """The detector's score of every class that is in the pictures or was found in them."""
    return {
        name: _one_class(k, seen)
        for k, name in enumerate(DETECTOR_CLASSES)
        if any((p.classes == k).any() or (p.found.class_id == k).any() for p in seen)
    }


def hits(k: int, seen: Sequence[Picture], least: float) -> tuple[Array, NDArray[np.bool_], int]:
    """Confidence of every found box of class ``k``, whether it is right at overlap ``least``; how many there are."""
    confidence, right = [], []
    for p in seen:
        mine = p.found.class_id == k
        confidence.append(p.found.confidence[mine].astype(np.float64))
        boxes = p.found.xyxy_px[mine].astype(np.float64)
        right.append(matched(boxes, confidence[-1], p.boxes_px[p.classes == k], least))
    return np.concatenate(confidence), np.concatenate(right), sum(int((p.classes == k).sum()) for p in seen)


def confusion(seen: Sequence[Picture], least: float = 0.5) -> NDArray[np.int64]:
    """What was found (columns) where things are (rows), by class; the last column: missed, the last row: nothing there.

    Boxes from confidence STATED_AT on, matched by their overlap whatever their class.
    """
    n = len(DETECTOR_CLASSES)
    table = np.zeros((n + 1, n + 1), np.int64)
    for p in seen:
        sure = p.found.confidence >= STATED_AT
        ids, boxes = p.found.class_id[sure], p.found.xyxy_px[sure].astype(np.float64)
        shared = overlaps(p.boxes_px, boxes)
        for i in range(len(p.classes)):
            j = int(shared[i].argmax()) if len(boxes) else -1
            taken = j >= 0 and shared[i, j] >= least
            table[p.classes[i], ids[j] if taken else n] += 1
            if taken:
                shared[:, j] = 0
        alone = overlaps(boxes, p.boxes_px).max(1, initial=0) < least
        np.add.at(table, (n, ids[alone]), 1)
    return table


def labels_of(label_file: Path, size_wh: tuple[int, int]) -> tuple[NDArray[np.int64], Array]:
    """Class (N,) and box in px (N, 4: left, top, right, bottom) of every line of a YOLO label file."""
    rows = np.array([r.split()[:5] for r in label_file.read_text().splitlines() if r.strip()], np.float64)
    rows = rows.reshape(-1, 5)
    centre, half = rows[:, 1:3] * size_wh, rows[:, 3:] * size_wh / 2
    return rows[:, 0].astype(np.int64), np.hstack([centre - half, centre + half])


def _one_class(k: int, seen: Sequence[Picture]) -> Score:
    each = [hits(k, seen, float(least)) for least in THRESHOLDS]
    precisions = [average_precision(*told) for told in each]
    confidence, right, total = each[0]
    sure = confidence >= STATED_AT
    return Score(
        total,
        float(right[sure].sum() / max(sure.sum(), 1)),
        float(right[sure].sum() / max(total, 1)),
        precisions[0],
        float(np.mean(precisions)),
        calibration_error(confidence[sure], right[sure]),
    )


def table(seen: Sequence[Picture]) -> str:
    """The result as tables in Markdown."""
    lines = [
        f"{len(seen)} pictures; precision, recall and calibration error from confidence {STATED_AT} on, overlap 0.5",
        "",
        "| class | objects | precision | recall | AP50 | AP50-95 | calibration error |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, score in scores(seen).items():
        figures = [score.precision, score.recall, score.map50, score.map50_95, score.calibration_error]
        lines.append(f"| {name} | {score.objects} | {' | '.join(f'{f:.3f}' for f in figures)} |")
    told = values_table([value for p in seen for value in p.values])
    return "\n".join([*lines, "", told] if told else lines)


def as_record(seen: Sequence[Picture]) -> dict[str, Any]:
    """The result for a program to read: a score a class, a count and the right ones for every kind of value."""
    right: dict[str, list[bool]] = {}
    for value in (value for p in seen for value in p.values):
        right.setdefault(value.kind, []).append(value.true == value.read)
    return {
        "pictures": len(seen),
        "classes": {name: asdict(score) for name, score in scores(seen).items()},
        "values": {kind: {"things": len(each), "right": sum(each)} for kind, each in sorted(right.items())},
    }
