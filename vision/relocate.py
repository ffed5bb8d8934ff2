"""Tiles were pushed together, or the whole game was shifted: find the places anew where no explanation fits the old."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from calibration.plane import TablePlane
from vision.evidence import Evidence
from vision.explain import Branch, Explanation, explain
from vision.places import PlaceView
from vision.reading import TableReading
from vision.tables import Layout, NotFound, TableAdapter

SHIFTED_MM = 15.0
"""Places that moved less than this are where they were."""

Found = tuple[Layout, PlaceView, Evidence, Explanation]


def relocated(
    adapter: TableAdapter[Any], plane: TablePlane, layout: Layout, reading: TableReading,
    branches: Sequence[Branch], explanation: Explanation,
) -> Found | None:
    """The places found anew for any of the positions that ``explanation`` thinks possible, with the explanation that
    is likeliest then; None when the places have not moved or are not found.

    Without the pixels as evidence: where tiles were moved, everything looks different.
    """
    best: Found | None = None
    for state in _positions(branches, explanation):
        try:
            there = adapter.locate(reading, state)
        except NotFound:
            continue
        if not _moved(layout, there):
            continue
        view = PlaceView(plane, there)
        evidence = Evidence(there, view, reading)
        found = there, view, evidence, explain(branches, evidence, reading, adapter)
        if best is None or found[3].best.score > best[3].best.score:
            best = found
    return best


def _positions(branches: Sequence[Branch], explanation: Explanation) -> list[Any]:
    """States to look for: those in hand, then the likeliest new ones, each once."""
    states = [branch.state for branch in branches] + [h.state for h, _ in explanation.ranked]
    return list(dict.fromkeys(states))


def _moved(before: Layout, now: Layout) -> bool:
    return any(math.dist(before[p].pos_mm, now[p].pos_mm) > SHIFTED_MM for p in before if p in now)
