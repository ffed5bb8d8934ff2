"""Networks as ONNX files on the processor: onnxruntime, or OpenVINO where it is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.errors import ModelError

Floats = NDArray[np.float32]


class Network(Protocol):
    """One loaded network with one input and one output."""

    metadata: Mapping[str, str]
    input_shape: tuple[int | str | None, ...]

    def __call__(self, tensor: Floats) -> Floats:
        """The output for one input; shapes as the file says."""


def rgb_planes(images_bgr: Image) -> Floats:
    """Pictures (N, H, W, 3) uint8 as networks want them: (N, 3, H, W), RGB 0..1."""
    count, height, width = images_bgr.shape[:3]
    tensor = np.empty((count, 3, height, width), np.float32)
    if images_bgr.size:
        planes = cv2.split(np.ascontiguousarray(images_bgr).reshape(count * height, width, 3))
        for channel, plane in enumerate(planes[::-1]):
            np.divide(plane.reshape(count, height, width), np.float32(255), out=tensor[:, channel])
    return tensor


def checked_path(path: Path) -> Path:
    """``path`` if there is such a file. Raises ModelError."""
    if not path.is_file():
        raise ModelError("weights_missing", path=str(path))
    return path


class OnnxRuntimeNetwork:
    """A network in onnxruntime. ``fixed`` gives sizes to the free dimensions of the input, by axis."""

    def __init__(self, path: Path, fixed: Mapping[int, int] | None = None) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False  # each network would keep the memory of its largest input for good
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")

        def load() -> Any:
            try:
                return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
            except Exception as error:
                raise corrupt(path, error) from error

        session = load()
        names = {axis: session.get_inputs()[0].shape[axis] for axis in fixed or {}}
        free = {name: size for axis, size in (fixed or {}).items() if isinstance(name := names[axis], str)}
        if free:
            for name, size in free.items():
                options.add_free_dimension_override_by_name(name, size)
            session = load()
        self._session = session
        self._input = session.get_inputs()[0].name
        self.input_shape = tuple(session.get_inputs()[0].shape)
        self.metadata: Mapping[str, str] = dict(session.get_modelmeta().custom_metadata_map)

    def __call__(self, tensor: Floats) -> Floats:
        """Run once."""
        return np.asarray(self._session.run(None, {self._input: tensor})[0], np.float32)


class OpenVinoNetwork:
    """A network in OpenVINO, compiled for least delay. ``fixed`` as in :class:`OnnxRuntimeNetwork`."""

    def __init__(self, path: Path, fixed: Mapping[int, int] | None = None) -> None:
        if not installed("openvino"):
            raise ModelError("backend_missing", backend="openvino", package="openvino", extra="openvino")
        import openvino

        try:
            core = openvino.Core()
            model = core.read_model(str(path))
            shape = model.input(0).get_partial_shape()
            for axis, size in (fixed or {}).items():
                if shape[axis].is_dynamic:
                    shape[axis] = size
            model.reshape(shape)
            self._compiled = core.compile_model(model, "CPU", {"PERFORMANCE_HINT": "LATENCY"})
        except Exception as error:
            raise corrupt(path, error) from error
        self.input_shape = tuple(None if d.is_dynamic else d.get_length() for d in shape)
        self.metadata: Mapping[str, str] = {}

    def __call__(self, tensor: Floats) -> Floats:
        """Run once."""
        return np.asarray(self._compiled(tensor)[0], np.float32)


def installed(package: str) -> bool:
    """Whether ``package`` could be imported (it is not)."""
    return importlib.util.find_spec(package) is not None


def corrupt(path: Path, error: Exception) -> ModelError:
    """The error for weights that a backend refused, with the first line of what it said."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return ModelError("weights_corrupt", path=str(path), detail=lines[0][:160])
