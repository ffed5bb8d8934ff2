"""Tiny ONNX files for tests, written by hand so that no ``onnx`` package is needed.

Only the few protobuf messages that a graph of one input and one output needs; field numbers from onnx.proto3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

FLOAT, INT64 = 1, 7


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def block(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


def constant(name: str, array: np.ndarray) -> bytes:
    kind = INT64 if array.dtype == np.int64 else FLOAT
    dims = b"".join(number(1, d) for d in array.shape)
    return block(5, dims + number(2, kind) + block(8, name) + block(9, array.tobytes()))


def value(field: int, name: str, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(block(1, number(1, d) if isinstance(d, int) else block(2, d)) for d in shape)
    return block(field, block(1, name) + block(2, block(1, number(1, FLOAT) + block(2, dims))))


def node(kind: str, inputs: Sequence[str], output: str, **ints: int) -> bytes:
    attributes = b"".join(block(5, block(1, name) + number(3, i) + number(20, 2)) for name, i in ints.items())
    names = b"".join(block(1, name) for name in inputs)
    return block(1, names + block(2, output) + block(4, kind) + attributes)


def write(
    path: Path,
    nodes: Sequence[bytes],
    constants: Mapping[str, np.ndarray],
    in_shape: Sequence[int | str],
    out_shape: Sequence[int | str],
    metadata: Mapping[str, str] | None = None,
) -> Path:
    """A model with input ``x`` and output ``y``."""
    graph = b"".join(nodes) + block(2, "g") + b"".join(constant(n, a) for n, a in constants.items())
    graph += value(11, "x", in_shape) + value(12, "y", out_shape)
    model = number(1, 8) + block(7, graph) + block(8, block(1, "") + number(2, 18))
    model += b"".join(block(14, block(1, k) + block(2, v)) for k, v in (metadata or {}).items())
    path.write_bytes(model)
    return path


def detector(path: Path, rows: np.ndarray, in_shape: Sequence[int | str] = (1, 3, "height", "width")) -> Path:
    """A detector that always answers ``rows``: float32 (1, A, B). It does look at its input, times zero."""
    nodes = [
        node("ReduceMean", ["x", "space"], "mean", keepdims=0),
        node("ReduceMean", ["mean", "one"], "grey", keepdims=1),
        node("Mul", ["grey", "zero"], "nothing"),
        node("Add", ["rows", "nothing"], "y"),
    ]
    constants = {
        "space": np.array([2, 3], np.int64), "one": np.array([1], np.int64), "zero": np.zeros(1, np.float32),
        "rows": rows.astype(np.float32),
    }
    return write(path, nodes, constants, in_shape, rows.shape)


def reader(path: Path, weights: np.ndarray, metadata: Mapping[str, str] | None = None) -> Path:
    """A crop reader: mean red, green, blue (N, 3) times ``weights`` (3, K)."""
    nodes = [node("ReduceMean", ["x", "space"], "mean", keepdims=0), node("MatMul", ["mean", "weights"], "y")]
    constants = {"space": np.array([2, 3], np.int64), "weights": weights.astype(np.float32)}
    return write(path, nodes, constants, ("n", 3, 64, 64), ("n", weights.shape[1]), metadata)
