"""Contact sheets of generated pictures with their labels drawn, to look at."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.dataset import LEAST_VISIBLE
from models.scene.assets import Assets
from models.scene.compose import Composer
from models.scene.labels import Label

COLOURS = {
    "tile": (80, 220, 80),
    "end_tile": (230, 200, 40),
    "pawn": (60, 60, 240),
    "guard": (230, 80, 230),
    "die": (40, 230, 240),
    "hand": (240, 140, 40),
}


def draw_labels(image: NDArray[np.uint8], labels: list[Label]) -> None:
    """Draw the boxes and values of everything visible enough."""
    for label in labels:
        if label.visible >= LEAST_VISIBLE:
            x0, y0, x1, y1 = (round(v) for v in label.xyxy_px)
            cv2.rectangle(image, (x0, y0), (x1, y1), COLOURS[label.name], 1)
            cv2.putText(
                image,
                label.value or label.colour,
                (x0, y0 - 2),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.4,
                COLOURS[label.name],
                1,
                cv2.LINE_AA,
            )


def preview(file: Path, count: int, split: str, assets: Path | None, first_seed: int = 0, columns: int = 3) -> None:
    """Write a sheet of ``count`` labelled scenes to ``file``."""
    composer = Composer(Assets.load(assets, split))
    pictures = []
    for seed in range(first_seed, first_seed + count):
        image, labels = composer.picture(seed)
        draw_labels(image, labels)
        pictures.append(image)
    pictures += [np.zeros_like(pictures[0])] * (-len(pictures) % columns)
    cv2.imwrite(str(file), np.vstack([np.hstack(pictures[k : k + columns]) for k in range(0, len(pictures), columns)]))
