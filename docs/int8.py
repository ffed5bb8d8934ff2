"""Try the detector in whole numbers of 8 bits: ``python docs/int8.py DATA [--out FILE]`` (extra ``train``).

DATA is a data set made with ``schiri models dataset``: its training pictures tell the range of every layer's values,
its validation pictures what the coarser numbers cost. Prints how both files do on these, and the processor time for a
picture of 1280x736, in turns. The first layer and what comes after the last ones keep their fine numbers.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.classes import DETECTOR_ONNX
from models.evaluate import look, table
from vision.runtime import OnnxRuntimeNetwork, OpenVinoNetwork, installed, rgb_planes

SIDE, PICTURES, RUNS = 416, 120, 12
TYPES = ["Conv", "Concat", "MaxPool", "Mul", "Add", "Sigmoid", "Resize", "Split"]


class Pictures(CalibrationDataReader):
    """Training pictures as the network gets them."""

    def __init__(self, folder: Path) -> None:
        files = sorted(folder.glob("*.jpg"))
        random.Random(1).shuffle(files)
        self._files: Iterator[Path] = iter(files[:PICTURES])

    def get_next(self) -> dict[str, Any] | None:
        for file in self._files:
            picture = cv2.resize(cv2.imread(str(file))[:SIDE, :SIDE], (SIDE, SIDE))
            return {"images": rgb_planes(picture[None])}
        return None


def fine(weights: Path, out: Path) -> None:
    """The same network with its numbers of 16 bits written out as 32."""
    model = onnx.load(str(weights))
    graph, wide = model.graph, []
    numbers = {n.name: n for n in graph.initializer}
    for node in graph.node:
        halves = numbers.get(node.input[0]) if node.op_type == "Cast" else None
        if halves is None or halves.data_type != onnx.TensorProto.FLOAT16:
            wide.append(node)
            continue
        whole = numpy_helper.to_array(halves).astype("float32")
        graph.initializer.append(numpy_helper.from_array(whole, node.output[0]))
        graph.initializer.remove(halves)
    del graph.node[:]
    graph.node.extend(wide)
    onnx.save(model, str(out))


def coarse(weights: Path, pictures: Path, out: Path) -> None:
    """The network in 8 bits; weights in 7, because older processors overflow with 8."""
    with tempfile.TemporaryDirectory() as folder:
        wide, ready = Path(folder) / "wide.onnx", Path(folder) / "ready.onnx"
        fine(weights, wide)
        quant_pre_process(str(wide), str(ready), skip_symbolic_shape=True)
        names = [(node.name, node.op_type) for node in onnx.load(str(ready)).graph.node]
        last = "/model.22/"
        kept = [name for name, kind in names if name.startswith(("/model.0/", last + "dfl"))]
        kept += [name for name, kind in names if name.startswith(last) and (kind != "Conv" or name.endswith(".2/Conv"))]
        quantize_static(
            str(ready), str(out), Pictures(pictures), quant_format=QuantFormat.QDQ, activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8, per_channel=True, reduce_range=True, nodes_to_exclude=kept,
            op_types_to_quantize=TYPES,
        )


def times_ms(files: dict[str, Path]) -> dict[str, float]:
    """Median of processor time for one picture, in turns."""
    fixed, noise = {0: 1, 2: 736, 3: 1280}, np.random.default_rng(1).integers(0, 255, (1, 736, 1280, 3), np.uint8)
    tensor = rgb_planes(noise)
    networks: dict[str, Any] = {f"onnxruntime, {name}": OnnxRuntimeNetwork(file, fixed) for name, file in files.items()}
    if installed("openvino"):
        networks |= {f"openvino, {name}": OpenVinoNetwork(file, fixed) for name, file in files.items()}
    taken: dict[str, list[float]] = {name: [] for name in networks}
    for _ in range(RUNS):
        for name, network in networks.items():
            began = time.process_time()
            network(tensor)
            taken[name].append(1000 * (time.process_time() - began))
    return {name: round(float(np.median(each))) for name, each in taken.items()}


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--weights", type=Path, default=DETECTOR_ONNX)
    parser.add_argument("--out", type=Path, default=Path("detector-int8.onnx"))
    given = parser.parse_args()
    coarse(given.weights, given.data / "images" / "train", given.out)
    files = {"as shipped": given.weights, "8 bits": given.out}
    for name, file in files.items():
        print(f"{name}: {table(look(given.data, 'val', file))}", flush=True)
    print(json.dumps({"processor_ms": times_ms(files)}))


if __name__ == "__main__":
    main()
