"""Finding tiles, pieces, dice and hands in a picture: one adapter over three backends."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from calibration.arrays import Image
from models.classes import DETECTOR_CLASSES, DETECTOR_ONNX
from vision.backends import preferred
from vision.boxes import RIVAL_IOU, decode, letterbox, suppress
from vision.detections import Detections
from vision.errors import ModelError
from vision.runtime import Network, OnnxRuntimeNetwork, OpenVinoNetwork, checked_path, corrupt, installed

BACKENDS = ("auto", "onnxruntime", "openvino", "ultralytics")
INPUT_WH = (1280, 736)
CONFIDENCE = 0.25
OVERLAP = 0.6


@dataclass(frozen=True, slots=True)
class Limits:
    """Which boxes are kept: least confidence, greatest overlap within a class and between rival classes."""

    conf: float
    iou: float
    rival_iou: float


class Detector(Protocol):
    """Anything that finds things in a picture."""

    def detect(self, image_bgr: Image) -> Detections:
        """The things in ``image_bgr`` (H, W, 3) uint8, boxes in its pixels."""


class FreeDetector(Detector, Protocol):
    """A detector that takes inputs of any size if ``is_free``. ``size_wh``: the one for whole pictures."""

    size_wh: tuple[int, int]
    is_free: bool

    def look(self, image_bgr: Image, size_wh: tuple[int, int]) -> Detections:
        """As :meth:`detect`, with the picture fitted into an input of this size (multiples of 32)."""


def load_detector(
    weights: Path = DETECTOR_ONNX,
    backend: str = "auto",
    size_wh: tuple[int, int] = INPUT_WH,
    *,
    conf: float = CONFIDENCE,
    iou: float = OVERLAP,
    rival_iou: float = RIVAL_IOU,
    free: bool = False,
) -> FreeDetector:
    """The detector with these weights.

    ``backend``: ``onnxruntime``, ``openvino``, ``ultralytics`` (takes ``.pt`` files too), or ``auto`` (see
    :func:`vision.backends.preferred`; onnxruntime where that one fails). ``size_wh``: the network's input, multiples
    of 32; a file with a fixed input keeps its own. ``conf``: least confidence; ``iou``: greatest overlap in a class;
    ``rival_iou``: between pawns and guards, tiles and end tiles (1 keeps both). ``free``: it will be asked for inputs
    of other sizes too. Raises ModelError.
    """
    if backend not in BACKENDS:
        raise ModelError("unknown_backend", backend=backend, known=", ".join(BACKENDS))
    path = checked_path(Path(weights))
    if backend == "ultralytics" or path.suffix == ".pt":
        return UltralyticsDetector(path, size_wh, Limits(conf, iou, rival_iou))
    limits, fixed = Limits(conf, iou, rival_iou), {0: 1} if free else {0: 1, 2: size_wh[1], 3: size_wh[0]}
    if (preferred() if backend == "auto" else backend) == "openvino":
        try:
            return NetworkDetector(OpenVinoNetwork(path, fixed), path, size_wh, limits)
        except ModelError:
            if backend != "auto":
                raise
    return NetworkDetector(OnnxRuntimeNetwork(path, fixed), path, size_wh, limits)


class NetworkDetector:
    """A detector whose raw output is decoded here. The first run checks that the output fits the classes."""

    def __init__(self, network: Network, path: Path, size_wh: tuple[int, int], limits: Limits) -> None:
        own = network.input_shape[2:]
        self.is_free = True
        if len(own) == 2 and isinstance(own[0], int) and isinstance(own[1], int):
            size_wh, self.is_free = (own[1], own[0]), False
        self.size_wh, self.limits = size_wh, limits
        self._network = network
        try:
            self.detect(np.zeros((size_wh[1], size_wh[0], 3), np.uint8))
        except ValueError as error:
            expected = f"(1, {4 + len(DETECTOR_CLASSES)}, M)"
            raise ModelError("wrong_output", path=str(path), given=str(error), expected=expected) from error
        except Exception as error:
            raise corrupt(path, error) from error

    def detect(self, image_bgr: Image) -> Detections:
        """See :class:`Detector`."""
        return self.look(image_bgr, self.size_wh)

    def look(self, image_bgr: Image, size_wh: tuple[int, int]) -> Detections:
        """See :class:`FreeDetector`; only the own size where the network's input is fixed."""
        tensor, fitted = letterbox(image_bgr, size_wh)
        xyxy, class_id, score = decode(self._network(tensor), *astuple(self.limits))
        return Detections(fitted.to_picture(xyxy), class_id, score)


class UltralyticsDetector:
    """The same through the ``ultralytics`` package (extra ``train``), kept from calling home."""

    is_free = True

    def __init__(self, path: Path, size_wh: tuple[int, int], limits: Limits) -> None:
        self.size_wh, self.limits = size_wh, limits
        try:
            self._model: Any = _ultralytics().YOLO(str(path), task="detect")
            self.detect(np.zeros((size_wh[1], size_wh[0], 3), np.uint8))
        except ModelError:
            raise
        except Exception as error:
            raise corrupt(path, error) from error

    def detect(self, image_bgr: Image) -> Detections:
        """See :class:`Detector`."""
        return self.look(image_bgr, self.size_wh)

    def look(self, image_bgr: Image, size_wh: tuple[int, int]) -> Detections:
        """See :class:`FreeDetector`."""
        result = self._model.predict(
            image_bgr, imgsz=(size_wh[1], size_wh[0]), conf=self.limits.conf, iou=self.limits.iou,
            device="cpu", rect=False, verbose=False,
        )[0].boxes
        xyxy = np.asarray(result.xyxy.cpu().numpy(), np.float32).reshape(-1, 4)
        class_id = np.asarray(result.cls.cpu().numpy(), np.int64)
        score = np.asarray(result.conf.cpu().numpy(), np.float32)
        keep = suppress(xyxy, class_id, score, self.limits.iou, self.limits.rival_iou)
        return Detections(xyxy[keep], class_id[keep], score[keep])


def ultralytics_predict(weights: Path, size_wh: tuple[int, int] = INPUT_WH) -> Callable[[Image], Any]:
    """What ``ultralytics`` makes of these weights by itself, to compare with. Raises ModelError."""
    model = _ultralytics().YOLO(str(weights), task="detect")
    return lambda image: model.predict(image, imgsz=size_wh[::-1], device="cpu", verbose=False)


def _ultralytics() -> Any:
    """Import ``ultralytics`` with its network checks, automatic installs and usage statistics switched off."""
    if not installed("ultralytics"):
        raise ModelError("backend_missing", backend="ultralytics", package="ultralytics", extra="train")
    for name, value in (("YOLO_OFFLINE", "true"), ("YOLO_AUTOINSTALL", "false"), ("YOLO_VERBOSE", "false")):
        os.environ.setdefault(name, value)
    import ultralytics
    from ultralytics.utils import SETTINGS

    dict.__setitem__(SETTINGS, "sync", False)
    return ultralytics
