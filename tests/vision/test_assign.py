"""The assignment against trying everything."""

from __future__ import annotations

import random

import pytest

from vision.assign import best_gain


def by_trying(gain: list[list[float]]) -> float:
    def best(row: int, used: frozenset[int]) -> float:
        if row == len(gain):
            return 0.0
        values = [best(row + 1, used)]
        values += [max(g, 0) + best(row + 1, used | {c}) for c, g in enumerate(gain[row]) if c not in used]
        return max(values)

    return best(0, frozenset())


@pytest.mark.parametrize("seed", range(60))
def test_finds_the_best_of_all_assignments(seed: int) -> None:
    chance = random.Random(seed)
    rows, columns = chance.randint(1, 5), chance.randint(1, 5)
    gain = [[chance.uniform(-2, 3) for _ in range(columns)] for _ in range(rows)]
    assert best_gain(gain) == pytest.approx(by_trying(gain))


def test_nothing_to_assign() -> None:
    assert best_gain([]) == 0.0
    assert best_gain([[], []]) == 0.0
    assert best_gain([[-1.0], [-3.0]]) == 0.0
