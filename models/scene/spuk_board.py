"""A printed board of Spuk in the play area of recordings: thirty fields on a path through a painted forest."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.textures import hsv

Image = NDArray[np.uint8]
Json = dict[str, Any]

SIZE_MM, PX_PER_MM = (510.0, 300.0), 3.0
NUMBERED, RIVER, WALL, TREASURE = {4: 1, 8: 2, 12: 3, 17: 4, 21: 5, 25: 6}, 14, 28, 29
_PATH = ((72.0, 250.0), (452.0, 250.0), (452.0, 152.0), (60.0, 152.0), (60.0, 56.0), (432.0, 56.0))
_MARGIN_MM = 24.0


def field_centres() -> list[tuple[float, float]]:
    """Where the fields lie in the play area, mm: in even steps along the path."""
    corners = np.array(_PATH)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    along = np.linspace(0, lengths[-1], TREASURE + 1)
    x, y = (np.interp(along, lengths, corners[:, k]) for k in (0, 1))
    return [(round(float(a), 1), round(float(b), 1)) for a, b in zip(x, y, strict=True)]


def kind(field: int) -> str:
    """The kind of a field as a setup names it."""
    if field in NUMBERED:
        return "numbered"
    return {0: "start", RIVER: "square", WALL: "square", TREASURE: "treasure"}.get(field, "round")


def board_setup() -> Json:
    """The ``board`` of a setup."""
    fields = [
        {"index": k, "kind": kind(k), "number": NUMBERED.get(k), "centre_mm": list(centre)}
        for k, centre in enumerate(field_centres())
    ]
    return {"fields": fields}


def board_texture(rng: np.random.Generator) -> Image:
    """The printed board (h, w, 4), transparent where the markers lie in the corners of the play area."""
    width, height = (round(side * PX_PER_MM) for side in SIZE_MM)
    ground = hsv(rng.uniform(0.15, 0.45), rng.uniform(0.2, 0.6), rng.uniform(0.35, 0.8))[::-1]
    image = np.full((height, width, 3), ground, np.uint8)
    for _ in range(220):
        spot = tuple(int(v) for v in rng.integers((0, 0), (width, height)))
        shade = np.clip(np.array(ground) * rng.uniform(0.7, 1.25, 3), 0, 255)
        cv2.circle(image, spot, int(rng.integers(6, 60)), shade.tolist(), -1, cv2.LINE_AA)
    _river(image, rng)
    _fields(image, rng)
    alpha = np.zeros((height, width), np.uint8)
    edge = round(_MARGIN_MM * PX_PER_MM)
    alpha[:, edge:width - edge] = 255
    alpha[edge:height - edge, :] = 255
    return np.dstack([image, alpha])


def _river(image: Image, rng: np.random.Generator) -> None:
    centres = field_centres()
    (ax, _), (bx, _) = centres[RIVER], centres[RIVER + 1]
    x = (ax + bx) / 2 * PX_PER_MM
    line = [(x + rng.normal(0, 4), y * PX_PER_MM) for y in (100, 130, 152, 175, 205)]
    cv2.polylines(image, [np.array(line, np.int32)], False, hsv(0.58, 0.6, 0.8)[::-1], 14, cv2.LINE_AA)


def _fields(image: Image, rng: np.random.Generator) -> None:
    paper = hsv(rng.uniform(0.05, 0.2), rng.uniform(0.05, 0.4), rng.uniform(0.75, 1.0))[::-1]
    ink = hsv(rng.random(), rng.uniform(0.2, 0.9), rng.uniform(0.1, 0.4))[::-1]
    centres = [(round(x * PX_PER_MM), round(y * PX_PER_MM)) for x, y in field_centres()]
    cv2.polylines(image, [np.array(centres, np.int32)], False, paper, 5, cv2.LINE_AA)
    for k, centre in enumerate(centres):
        large = k in (0, TREASURE)
        radius = round((29.0 if large else 13.0) * PX_PER_MM)
        if kind(k) == "square":
            corners = [(centre[0] - radius, centre[1] - radius), (centre[0] + radius, centre[1] + radius)]
            cv2.rectangle(image, corners[0], corners[1], paper, -1)
            cv2.rectangle(image, corners[0], corners[1], ink, 3)
            continue
        colour = hsv(0.13, 0.7, 0.95)[::-1] if k == TREASURE else paper
        cv2.circle(image, centre, radius, colour, -1, cv2.LINE_AA)
        cv2.circle(image, centre, radius, ink, 3, cv2.LINE_AA)
        if k in NUMBERED:
            cv2.putText(image, str(NUMBERED[k]), (centre[0] - 12, centre[1] + 13), 0, 1.2, ink, 3, cv2.LINE_AA)
