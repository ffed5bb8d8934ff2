"""How well the detector does on a labelled folder: per class precision, recall, AP50 and AP50-95."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.classes import DETECTOR_CLASSES
from models.scene.assets import picture

Array = NDArray[np.float64]
LEAST_CONFIDENCE, STATED_AT = 0.02, 0.25
THRESHOLDS = np.arange(0.5, 1.0, 0.05)


def overlaps(a: Array, b: Array) -> Array:
    """Intersection over union of boxes (N, 4) and (M, 4) as (N, M)."""
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    inter = np.clip(high - low, 0, None).prod(2)
    area = (a[:, 2:] - a[:, :2]).prod(1)[:, None] + (b[:, 2:] - b[:, :2]).prod(1)[None] - inter
    return np.asarray(inter / np.maximum(area, 1e-9))


def matched(found: Array, confidence: Array, truth: Array, least: float) -> NDArray[np.bool_]:
    """For every found box, best first, whether it takes a true box nobody took before (at least ``least`` overlap)."""
    right = np.zeros(len(found), bool)
    if not len(truth):
        return right
    table, free = overlaps(found, truth), np.ones(len(truth), bool)
    for k in np.argsort(-confidence):
        best = int(np.argmax(np.where(free, table[k], -1)))
        if free[best] and table[k, best] >= least:
            right[k], free[best] = True, False
    return right


def average_precision(confidence: Array, right: NDArray[np.bool_], total: int) -> float:
    """Area under the precision-recall curve, precision made monotone."""
    if not total or not len(right):
        return 0.0
    hits = right[np.argsort(-confidence)].cumsum()
    precision, recall = hits / np.arange(1, len(hits) + 1), hits / total
    best = np.maximum.accumulate(precision[::-1])[::-1]
    return float((np.diff(recall, prepend=0.0) * best).sum())


def _read(label_file: Path, size_wh: tuple[int, int]) -> tuple[NDArray[np.int64], Array]:
    rows = np.array([r.split()[:5] for r in label_file.read_text().splitlines() if r.strip()], np.float64).reshape(
        -1, 5
    )
    centre, half = rows[:, 1:3] * size_wh, rows[:, 3:] * size_wh / 2
    return rows[:, 0].astype(np.int64), np.hstack([centre - half, centre + half])


def evaluate(data: Path, split: str, weights: Path) -> dict[str, Any]:
    """Run the detector over ``data/images/split`` (or ``data/images``); counts and scores per class name."""
    from vision.detector import load_detector

    folder = data / "images" / split
    folder = folder if folder.is_dir() else data / "images"
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if not files:
        raise FileNotFoundError(f"{folder} holds no pictures (.jpg, .png).")
    labels = Path(str(folder).replace("images", "labels"))
    height, width = picture(files[0]).shape[:2]
    size_wh = (-(-width // 32) * 32, -(-height // 32) * 32)
    detector = load_detector(weights, size_wh=size_wh, conf=LEAST_CONFIDENCE)
    found: list[tuple[NDArray[np.int64], Array, Array]] = []
    truth = []
    for file in files:
        image = picture(file)
        seen = detector.detect(image)
        found.append((seen.class_id, seen.confidence.astype(np.float64), seen.xyxy_px.astype(np.float64)))
        truth.append(_read(labels / f"{file.stem}.txt", (image.shape[1], image.shape[0])))
    return {
        "pictures": len(files),
        "classes": {name: _one_class(k, found, truth) for k, name in enumerate(DETECTOR_CLASSES)},
    }


def _one_class(
    k: int, found: list[tuple[NDArray[np.int64], Array, Array]], truth: list[tuple[NDArray[np.int64], Array]]
) -> dict[str, float]:
    total = sum(int((classes == k).sum()) for classes, _ in truth)
    confidence = np.concatenate([c[ids == k] for ids, c, _ in found])
    precisions, stated = [], (0.0, 0.0)
    for least in THRESHOLDS:
        right = np.concatenate(
            [
                matched(boxes[ids == k], c[ids == k], real[classes == k], float(least))
                for (ids, c, boxes), (classes, real) in zip(found, truth, strict=True)
            ]
        )
        precisions.append(average_precision(confidence, right, total))
        if len(precisions) == 1:
            sure = confidence >= STATED_AT
            stated = float(right[sure].sum() / max(sure.sum(), 1)), float(right[sure].sum() / max(total, 1))
    return {
        "objects": total,
        "precision": stated[0],
        "recall": stated[1],
        "map50": precisions[0],
        "map50_95": float(np.mean(precisions)),
    }


def table(result: dict[str, Any]) -> str:
    """The result as a table in Markdown."""
    lines = [
        f"{result['pictures']} pictures; precision and recall at confidence {STATED_AT}, overlap 0.5",
        "",
        "| class | objects | precision | recall | AP50 | AP50-95 |",
        "|---|---|---|---|---|---|",
    ]
    for name, r in result["classes"].items():
        figures = " | ".join(f"{r[key]:.3f}" for key in ("precision", "recall", "map50", "map50_95"))
        lines.append(f"| {name} | {r['objects']} | {figures} |")
    return "\n".join(lines)
