"""Figures of an evaluation: precision over recall, what is taken for what, how far confidences can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from models.classes import DETECTOR_CLASSES
from models.evaluate import STATED_AT, Picture, confusion, hits
from models.evaluate_values import Read

matplotlib.use("Agg")


def write_figures(folder: Path, seen: Sequence[Picture]) -> list[Path]:
    """Write the figures as PNG files into ``folder`` (made if it is not there) and say which."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [*DETECTOR_CLASSES, "nothing"]
    figures = {
        "precision-recall": precision_recall(seen),
        "confusion": matrix(confusion(seen), names[:-1] + ["missed"], names, f"found, from confidence {STATED_AT} on"),
    }
    values = [value for p in seen for value in p.values]
    for kind in sorted({v.kind for v in values}):
        mine = [v for v in values if v.kind == kind]
        figures[f"confusion-{kind}"] = value_matrix(mine, f"read on a {kind}")
    figures["confidence"] = reliability(seen, values)
    files = []
    for name, figure in figures.items():
        files.append(folder / f"{name}.png")
        figure.savefig(files[-1], dpi=110, bbox_inches="tight")
    return files


def precision_recall(seen: Sequence[Picture]) -> Figure:
    """One curve a class, at overlap 0.5."""
    figure = Figure((6, 4.5))
    axes = figure.add_subplot(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.01))
    for k, name in enumerate(DETECTOR_CLASSES):
        confidence, right, total = hits(k, seen, 0.5)
        if total:
            hit = right[np.argsort(-confidence)].cumsum()
            axes.plot(hit / total, hit / np.arange(1, len(hit) + 1), label=f"{name} ({total})")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def matrix(counts: NDArray[np.int64], columns: Sequence[str], rows: Sequence[str], title: str) -> Figure:
    """Counts (R, C), coloured by their share of the row; rows without anything are left out."""
    kept = counts.sum(1) > 0
    counts, rows = counts[kept], [name for name, there in zip(rows, kept, strict=True) if there]
    share = counts / counts.sum(1, keepdims=True)
    figure = Figure((1.5 + 0.5 * len(columns), 1.5 + 0.42 * len(rows)))
    axes = figure.add_subplot(xlabel=title, ylabel="is")
    axes.imshow(share, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(columns)), columns, rotation=60, ha="right")
    axes.set_yticks(range(len(rows)), rows)
    for (i, j), count in np.ndenumerate(counts):
        if count:
            axes.text(j, i, str(count), ha="center", va="center", fontsize=7, color="w" if share[i, j] > 0.5 else "k")
    return figure


def value_matrix(values: Sequence[Read], title: str) -> Figure:
    """What was read (columns) where something else is (rows)."""
    names = sorted({v.true for v in values} | {v.read for v in values}, key=_in_order)
    counts = np.zeros((len(names), len(names)), np.int64)
    for v in values:
        counts[names.index(v.true), names.index(v.read)] += 1
    return matrix(counts, names, names, title)


def _in_order(value: str) -> tuple[int, int, str]:
    return (0, int(value), value) if value.lstrip("+-").isdigit() else (1, 0, value)


def reliability(seen: Sequence[Picture], values: Sequence[Read], bins: int = 10) -> Figure:
    """How often things are right by how sure detector and readers say they are."""
    told = [hits(k, seen, 0.5)[:2] for k in range(len(DETECTOR_CLASSES))]
    curves = {"found": (np.concatenate([c for c, _ in told]), np.concatenate([r for _, r in told]))}
    for kind in sorted({v.kind for v in values}):
        mine = [v for v in values if v.kind == kind]
        curves[f"{kind} read"] = np.array([v.confidence for v in mine]), np.array([v.true == v.read for v in mine])
    figure = Figure((5, 4.5))
    axes = figure.add_subplot(xlabel="confidence", ylabel="share that is right", xlim=(0, 1), ylim=(0, 1))
    axes.plot([0, 1], [0, 1], "--", color="0.6")
    for name, (confidence, right) in curves.items():
        place = np.minimum((confidence * bins).astype(int), bins - 1)
        there = [b for b in range(bins) if (place == b).sum() >= 5]
        axes.plot(
            [confidence[place == b].mean() for b in there], [right[place == b].mean() for b in there], "o-", label=name
        )
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    return figure
