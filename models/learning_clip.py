"""How well a clip's set is read after 0, 1, 2 and 5 of its stills: another renderer's pictures with known contents.

The first still is the start position; the last stills are held back. The tiles of a clip lie still: what is held back
shows the same tiles with other pieces on them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.learning import CURVE, Image, Tally, networks, read_tables
from models.scene.own_set import Truth

HELD = 3
LEAST_VISIBLE = 0.5
NO_HAND = ("setup", "rest")
KIND = {"figure": "pawn", "guard": "guard"}


def measure_clip(clip: Path, tally: Tally) -> None:
    """Teach and read the stills without hands of a clip of Verflixxt!; raises OSError, KeyError, ValueError."""
    from calibration.plane import plane_from_setup

    setup = json.loads((clip / "setup.json").read_text("utf-8"))
    stills = [s for s in json.loads((clip / "boxes.json").read_text("utf-8"))["stills"] if s["phase"] in NO_HAND]
    shown = [_still(clip, still) for still in [*stills[: max(CURVE)], *stills[-HELD:]]]
    height, width = shown[0][0].shape[:2]
    plane = plane_from_setup(setup, (width, height))
    names = [*(f"t{k}" for k in range(max(CURVE))), *("q5" for _ in range(HELD))]
    read_tables([(name, *one) for name, one in zip(names, shown, strict=True)], networks(), tally, plane)


def _still(clip: Path, still: Mapping[str, Any]) -> tuple[Image, Truth]:
    picture = cv2.imread(str(clip / still["image"]))
    if picture is None:
        raise OSError(f"{clip / still['image']} is no picture")
    tiles = [(_value(box), _at(box)) for box in _of(still, ("tile_plus", "tile_minus", "tile_luck"), LEAST_VISIBLE)]
    pieces = [
        (KIND[box["class"]] + (f":{box['colour']}" if box["class"] == "figure" else ""), _at(box))
        for box in _of(still, tuple(KIND), 0.0)
    ]
    return np.asarray(picture, np.uint8), Truth(np.zeros((4, 2)), tuple(tiles), tuple(pieces), ())


def _of(still: Mapping[str, Any], classes: Sequence[str], visible: float) -> list[Any]:
    found = [box for box in still["boxes"] if box["class"] in classes and box["visible"] >= visible]
    return [box for box in found if not box["class"].startswith("tile") or box.get("where") == "route"]


def _value(box: Mapping[str, Any]) -> str:
    return "luck" if box["class"] == "tile_luck" else f"{box['value']:+d}"


def _at(box: Mapping[str, Any]) -> tuple[float, float]:
    x, y = box["centre_mm"]
    return float(x), float(y)
