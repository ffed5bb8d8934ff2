"""A short evening (the long one: ``python -m tests.faults.soak``): turns right, memory and files flat."""

from __future__ import annotations

import pytest

from tests.faults import soak
from vision import loop


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the clock."""
    monkeypatch.setattr(loop, "CALM_EVERY_S", 0.0)


def test_a_short_evening_with_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "REST_S", 7.0)
    watched = soak.evening(hours=2 * 5 * 7.0 / 3600, turns=2, faults=True)
    assert watched.problems() == [] and watched.right >= 4 and len(watched.memory_mb) >= 2


@pytest.mark.slow
def test_an_evening_of_four_hours() -> None:
    watched = soak.evening(hours=4.0)
    assert watched.problems() == [] and watched.table_s >= 4 * 3600


@pytest.mark.parametrize(
    ("field", "values", "found"),
    [
        ("memory_mb", [100.0] * 4 + [180.0], "memory grew from 100 to 180 MB"),
        ("files", [10, 10, 14], "open files grew from 10 to 14"),
        ("threads", [3, 3, 4], "threads grew from 3 to 4"),
    ],
)
def test_what_grows_is_told(field: str, values: list[float], found: str) -> None:
    watched = soak.Watched()
    getattr(watched, field).extend(values)
    assert watched.problems() == [found]
