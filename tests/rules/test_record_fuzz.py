"""Records with a random value somewhere in them: read, or refused with a sentence; never anything else."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from rules.protocol import RecordError
from rules.record import judge_lines, line_text

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
VALUES: list[Any] = [
    None, True, -1, 0, 3, 99, 1.5, 1e300, "", "x", "red", "start", "+4", "Anna", "²", [], [[]], ["x"], [3], {},
    {"x": 1}, [{"action": "swap"}], [None], "pawn:red", "guard", "out", 10**30,
]  # fmt: skip


def spoil(value: Any, rng: random.Random) -> Any:
    """A copy with one value, anywhere inside, replaced or left out."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        if rng.random() < 0.15:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: spoil(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        index = rng.randrange(len(value))
        return [*value[:index], spoil(value[index], rng), *value[index + 1 :]]
    return copy.deepcopy(rng.choice(VALUES))


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_spoilt_records(path: Path) -> None:
    rng = random.Random(path.stem)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][:12]
    refused = 0
    for _ in range(150):
        number = rng.randrange(len(lines))
        told = [*lines[:number], spoil(lines[number], rng), *lines[number + 1 : number + 2]]
        try:
            list(judge_lines(line_text(line) for line in told))
        except RecordError as fault:
            refused += 1
            assert "\n" not in str(fault) and fault.line is not None
            assert fault.line >= number + 1, "a line before the fault was refused"
    assert refused > 30
