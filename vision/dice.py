"""Reading the dice of a photo, without calibration: detector, die reader, general colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.colours import GENERAL, SetColours
from models.classes import DETECTOR_ONNX, DIE_CLASSES, DIE_READER_ONNX
from vision.boxes import box_area, shared_area, suppress
from vision.detections import Detections
from vision.detector import Detector, load_detector
from vision.errors import PhotoError
from vision.faces import top_colour
from vision.pictures import read_picture
from vision.readers import CropReader, die_crop, die_reader
from vision.runtime import checked_path

LOW_CONFIDENCE = 0.05
"""The detector may be this unsure of a die: the reader's class ``none`` sorts the false ones out."""

LEAST_CONFIDENCE = 0.5
"""A die counts when it is more likely one than not: 4 to 5 % false dice on generated validation scenes, a third of
them with printed boards."""

_FIT = (-1.33, 0.83, 0.53)
"""Logistic regression on 1,141 boxes of generated validation scenes, printed boards among them, and pictures without
dice: a constant, and what the log odds of the detector and of the reader's word that it is a die count."""

LEAST_FACE = 0.5
"""The detector must be this sure of a colour die: pictures are full of plain coloured squares. Not so beside two sure
dice with pips that are as large as it is."""

AS_LARGE = 0.3
"""Dice of one set differ less than this in size (logarithm of the sides of their boxes)."""

INPUTS_WH = {"wide": (1280, 960), "tall": (960, 1280), "square": (960, 960)}
"""The shapes of photos (4:3, 3:4, square), so that small dice keep as many pixels as they have."""
OVERLAP = 0.45
WITHIN = 0.7
"""A box that lies in another to this share is about the same die: its top face alone, say."""

_NONE, _FACE = DIE_CLASSES.index("none"), DIE_CLASSES.index("face")

BODY_COLOURS = SetColours(
    {
        **{name: np.array(lab, np.float32) for name, lab in GENERAL.items() if name not in ("wood", "white", "black")},
        "black": np.array([*GENERAL["black"], (18, 5, 4), (22, 8, 6)], np.float32),
        "white": np.array([*GENERAL["white"], (82, 7, 19), (74, 5, 14), (66, 4, 12), (56, 1, 9)], np.float32),
        "brown": np.array([(32, 7, 22), (26, 6, 18), (40, 10, 30), (48, 14, 32)], np.float32),
    },
    spread=16.0,
    learnt=False,
)
"""Names for the bodies of dice; white also in warm light, brown instead of the guards' wood."""


class DiceEyes:
    """What reading dice needs: a detector for each shape of picture, loaded when first needed, and the die reader."""

    def __init__(self, load: Callable[[tuple[int, int]], Detector], reader: CropReader) -> None:
        self.reader = reader
        self._load = load
        self._detectors: dict[str, Detector] = {}

    def detect(self, image_bgr: Image) -> Detections:
        """The dice in a picture (H, W, 3) uint8. Raises ModelError when the detector cannot be loaded."""
        aspect = image_bgr.shape[1] / image_bgr.shape[0]
        shape = "wide" if aspect > 1.2 else "tall" if aspect < 1 / 1.2 else "square"
        if shape not in self._detectors:
            self._detectors[shape] = self._load(INPUTS_WH[shape])
        return self._detectors[shape].detect(image_bgr).of("die")


def load_dice_eyes(
    weights: Path = DETECTOR_ONNX, reader: Path = DIE_READER_ONNX, backend: str = "auto"
) -> DiceEyes:
    """The die reader, and detectors loaded when a photo needs them. Raises ModelError for missing files."""
    checked_path(Path(weights))
    return DiceEyes(lambda size_wh: load_detector(weights, backend, size_wh, conf=LOW_CONFIDENCE), die_reader(reader))


def read_dice(photo: Path | str | Image, eyes: DiceEyes) -> list[dict[str, Any]]:
    """The dice of a photo (a file, turned upright by its EXIF data, or a picture (H, W, 3) uint8), left to right.

    Each as ``{"value": 1..6, "colour": name of the body's colour, "box_px": [x1, y1, x2, y2], "confidence": 0..1}``;
    a colour die has the value ``"face"`` and the colour of its top face.
    Raises PhotoError.
    """
    image = photo if isinstance(photo, np.ndarray) else read_photo(Path(photo))
    found, faces, score = look(image, eyes)
    plain = faces[:, _FACE] > faces[:, :_NONE].max(1)
    of_a_set = as_large_as_two(found.xyxy_px, ~plain & (score >= LEAST_CONFIDENCE))
    score[plain & (found.confidence < LEAST_FACE) & ~of_a_set] = 0
    keep = _once(found.xyxy_px, score)
    dice = [
        {
            "value": "face" if plain[i] else int(faces[i, :_NONE].argmax()) + 1,
            "colour": (top_colour if plain[i] else _colour)(image, found.xyxy_px[i]),
            "box_px": [round(float(v), 1) for v in found.xyxy_px[i]],
            "confidence": round(float(score[i]), 3),
        }
        for i in keep
        if score[i] >= LEAST_CONFIDENCE
    ]
    return sorted(dice, key=lambda die: float(die["box_px"][0]))


def look(image_bgr: Image, eyes: DiceEyes) -> tuple[Detections, NDArray[np.float32], NDArray[np.float32]]:
    """Everything in a picture (H, W, 3) that may be a die: boxes, faces (N, K) as DIE_CLASSES, and how sure each is."""
    found = eyes.detect(image_bgr)
    crops = [die_crop(image_bgr, box) for box in found.xyxy_px]
    faces = eyes.reader.read(np.stack(crops)) if crops else np.zeros((0, len(DIE_CLASSES)), np.float32)
    return found, faces, joint_confidence(found, faces)


def joint_confidence(found: Detections, faces: NDArray[np.float32]) -> NDArray[np.float32]:
    """How sure it is (N,) that there is a die, by what detector and reader say: faces (N, K) as DIE_CLASSES."""
    words = (found.confidence, 1 - faces[:, _NONE])
    odds = _FIT[0] + sum(weight * _log_odds(word) for weight, word in zip(_FIT[1:], words, strict=True))
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def _log_odds(share: NDArray[np.float32]) -> NDArray[np.float32]:
    clear = np.clip(share, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(clear / (1 - clear)), np.float32)


def as_large_as_two(boxes_px: NDArray[np.float32], dice: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the boxes (N, 4) are as large as two of those that are ``dice`` (N,)."""
    side = np.log((boxes_px[:, 2:] - boxes_px[:, :2]).max(1))
    return np.asarray((np.abs(side[:, None] - side[dice][None]) < AS_LARGE).sum(1) >= 2)


def _once(boxes_px: NDArray[np.float32], score: NDArray[np.float32]) -> list[int]:
    """The surest of the boxes (N, 4) that are about the same die: they overlap, or one lies mostly in the other."""
    areas = box_area(boxes_px)
    within = shared_area(boxes_px, boxes_px) / np.maximum(np.minimum(areas[:, None], areas[None]), 1e-9)
    kept: list[int] = []
    for i in suppress(boxes_px, np.zeros(len(boxes_px), np.int64), score, OVERLAP):
        if within[i, kept].max(initial=0) < WITHIN:
            kept.append(int(i))
    return kept


def read_photo(path: Path) -> Image:
    """The photo, upright. Raises PhotoError."""
    try:
        image = read_picture(path)
    except FileNotFoundError:
        raise PhotoError("photo_missing", path=str(path)) from None
    except OSError:
        image = None
    if image is None:
        raise PhotoError("photo_unreadable", path=str(path))
    return image


def _colour(image: Image, box_px: NDArray[np.float32]) -> str:
    shares = BODY_COLOURS.classify(image, box_px)
    return max(shares, key=lambda name: shares[name])
