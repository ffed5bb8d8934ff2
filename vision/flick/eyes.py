"""The networks that reading a box needs: the detector, the reader of holes, the reader of die faces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from models.classes import (
    CROP_PX,
    DETECTOR_CLASSES,
    DETECTOR_ONNX,
    DIE_CLASSES,
    HOLE_CLASSES,
    HOLE_READER_ONNX,
    PIP_READER_ONNX,
)
from vision.detections import Detections
from vision.detector import Detector, load_detector
from vision.dice import LOW_CONFIDENCE
from vision.errors import ModelError
from vision.flick.blobs import Spots
from vision.flick.lattice import SIDE, Lattice, every_cell, square_crop
from vision.readers import CropReader, die_crop, die_reader
from vision.runtime import Network, OnnxRuntimeNetwork, checked_path

Floats = NDArray[np.float64]
_NONE = DIE_CLASSES.index("none")
_GROWN = (1.0, 1.1)
"""How much the boxes are grown whose crops vote on a die's face; each crop is also read mirrored."""

INPUTS_WH = ((1280, 736), (1280, 960), (960, 960), (960, 1280), (736, 1280))
"""Inputs of the detector; a picture goes into the one whose shape is nearest to its own."""

PLATE_WH = (736, 736)
"""The input for a closer look at the plate alone."""

_AROUND = 1.3
"""A closer look takes in the plate and this many pitches around the outer holes' centres."""

_BESIDE = 0.6
"""What lies this many pitches beyond the outer holes' centres lies on no hole."""

SETTLED = 0.02
"""Faces are mixed with this much doubt before their votes are multiplied."""


class HoleReader:
    """Tells what each hole of a board holds.

    ONNX, input (25, 6, 64, 64): the holes of one board, each hole's crop and the median crop of all, both RGB 0..1;
    output logits (25, K) over :data:`models.classes.HOLE_CLASSES`, divided by the metadata's ``temperature``: each
    hole is read beside the others. Raises ModelError.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._temperature = float(network.metadata.get("temperature", "1"))

    def read(self, crops_bgr: Image) -> Floats:
        """Probabilities (25, K) for the crops (25, CROP_PX, CROP_PX, 3) of one board."""
        median = np.broadcast_to(np.median(crops_bgr, axis=0).astype(np.uint8), crops_bgr.shape)
        both = np.concatenate([crops_bgr[..., ::-1], median[..., ::-1]], axis=3).transpose(0, 3, 1, 2)
        logits = self._network(np.ascontiguousarray(both, np.float32) / np.float32(255)) / self._temperature
        likely = np.exp(logits - logits.max(axis=1, keepdims=True)).astype(np.float64)
        return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def hole_reader(path: Path = HOLE_READER_ONNX) -> HoleReader:
    """The reader of holes. Raises ModelError."""
    network = OnnxRuntimeNetwork(checked_path(Path(path)))
    given, wanted = network(np.zeros((25, 6, CROP_PX, CROP_PX), np.float32)).shape, (25, len(HOLE_CLASSES))
    if given != wanted:
        raise ModelError("wrong_output", path=str(path), given=str(given), expected=str(wanted))
    return HoleReader(network)


class FlickEyes:
    """Everything that looks at a box; the detector is loaded for a shape of picture when first needed."""

    def __init__(self, load: Callable[[tuple[int, int]], Detector], holes: HoleReader, faces: CropReader) -> None:
        self._load, self._holes, self._faces = load, holes, faces
        self._detectors: dict[tuple[int, int], Detector] = {}

    def detect(self, image: Image) -> Detections:
        """Dice, holes and hands of a picture (H, W, 3) uint8."""
        aspect = np.log(image.shape[1] / image.shape[0])
        return self._look(image, min(INPUTS_WH, key=lambda wh: abs(aspect - np.log(wh[0] / wh[1]))))

    def _look(self, image: Image, size_wh: tuple[int, int]) -> Detections:
        if size_wh not in self._detectors:
            self._detectors[size_wh] = self._load(size_wh)
        return self._detectors[size_wh].detect(image)

    def closer(self, image: Image, lattice: Lattice, before: Detections) -> Detections:
        """What a second look at the plate alone finds, in pixels of the whole picture: small dice are enlarged. With it
        what the look ``before`` found elsewhere."""
        corners = lattice.corners_px(_AROUND)
        size = np.array([image.shape[1], image.shape[0]])
        x0, y0 = np.clip(np.floor(corners.min(axis=0)), 0, size - 2).astype(int)
        x1, y1 = np.clip(np.ceil(corners.max(axis=0)), [x0 + 2, y0 + 2], size).astype(int)
        found = self._look(np.ascontiguousarray(image[y0:y1, x0:x1]), PLATE_WH)
        moved = found.xyxy_px + np.array([x0, y0, x0, y0], np.float32)
        middle = (before.xyxy_px[:, :2] + before.xyxy_px[:, 2:]) / 2
        cells = lattice.to_cells(middle.astype(np.float64))
        away = ((cells < -_BESIDE) | (cells > SIDE - 1 + _BESIDE)).any(axis=1)
        return Detections(
            np.concatenate([moved, before.xyxy_px[away]]), np.concatenate([found.class_id, before.class_id[away]]),
            np.concatenate([found.confidence, before.confidence[away]]),
        )

    def holes(self, image: Image, lattice: Lattice) -> Floats:
        """What each hole holds: probabilities (25, K) over :data:`models.classes.HOLE_CLASSES`."""
        crops = [square_crop(image, *lattice.crop_box((float(x), float(y)))) for x, y in every_cell()]
        return self._holes.read(np.stack(crops))

    def faces(self, image: Image, boxes_px: Floats) -> tuple[Floats, Floats]:
        """Top faces 1..6 of dice in boxes (N, 4): probabilities (N, 6), and how sure it is that they are dice (N,)."""
        if not len(boxes_px):
            return np.zeros((0, 6)), np.zeros(0)
        middle, half = (boxes_px[:, :2] + boxes_px[:, 2:]) / 2, (boxes_px[:, 2:] - boxes_px[:, :2]) / 2
        crops = [
            die_crop(image, box)
            for grow in _GROWN for box in np.column_stack([middle - half * grow, middle + half * grow])
        ]
        both = np.stack([*crops, *(crop[:, ::-1] for crop in crops)])
        seen = self._faces.read(both).astype(np.float64).reshape(2 * len(_GROWN), len(boxes_px), -1)
        there = 1 - seen[:, :, _NONE].mean(0)
        shares = seen[:, :, :_NONE] / np.maximum(seen[:, :, :_NONE].sum(2, keepdims=True), 1e-6)
        votes = np.log(shares * (1 - SETTLED) + SETTLED / 6).mean(0)
        likely = np.exp(votes - votes.max(axis=1, keepdims=True))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True)), np.asarray(there)


def load_flick_eyes(
    weights: Path = DETECTOR_ONNX, holes: Path = HOLE_READER_ONNX, faces: Path = PIP_READER_ONNX, backend: str = "auto"
) -> FlickEyes:
    """The three networks. Raises ModelError for missing files."""
    checked_path(Path(weights))
    reader = hole_reader(holes)
    return FlickEyes(
        lambda size_wh: load_detector(weights, backend, size_wh, conf=LOW_CONFIDENCE), reader, die_reader(faces)
    )


def hole_spots(found: Detections) -> Spots:
    """The holes that the detector found as spots; none from weights that do not know the class."""
    if "hole" not in DETECTOR_CLASSES:
        return Spots.none()
    holes = found.of("hole")
    boxes = holes.xyxy_px.astype(np.float64).reshape(-1, 4)
    size = boxes[:, 2:] - boxes[:, :2]
    weight = 0.5 + 0.7 * holes.confidence.astype(np.float64)
    return Spots((boxes[:, :2] + boxes[:, 2:]) / 2, 0.88 * np.sqrt(size.prod(axis=1)), weight)


def die_spots(found: Detections, flatness: float = 0.8) -> Spots:
    """Where the dice stand, as spots: a hole may be under each."""
    dice = found.of("die")
    boxes = dice.xyxy_px.astype(np.float64).reshape(-1, 4)
    return Spots(feet_px(boxes, flatness), boxes[:, 2] - boxes[:, 0], 0.5 * dice.confidence.astype(np.float64))


def feet_px(boxes_px: Floats, flatness: float) -> Floats:
    """The middle (N, 2) of the faces on which dice in boxes (N, 4) lie, for a camera whose elevation has this sine."""
    boxes = np.asarray(boxes_px, np.float64).reshape(-1, 4)
    size = boxes[:, 2:] - boxes[:, :2]
    half = np.minimum(size[:, 1] / 2, 0.5 * size[:, 0] * flatness)
    return np.column_stack([(boxes[:, 0] + boxes[:, 2]) / 2, boxes[:, 3] - half])
