"""kill -9 at random moments of a game: resumed, it ends with the same record."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.vision.killed_game import game
from tests.vision.playing import happenings
from vision.journal import Journal

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")


def played(journal: Path, moments: list[int]) -> None:
    """Play the game to its end, killed when it comes to each of these frames and started again with the next."""
    first = 0
    for moment in (*moments, None):
        command = [sys.executable, "-m", "tests.vision.killed_game", str(journal), str(first)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                first = int(line)
                if moment is not None and first >= moment:
                    process.kill()
                    break
        assert process.returncode == (0 if moment is None else -signal.SIGKILL)


def record(path: Path) -> list[tuple[Any, ...]]:
    journal = Journal(path)
    lines = journal.lines(1)
    journal.close()
    return [happening for happening in happenings(lines) if happening[0] in ("turn", "correction")]


EXPECTED = [
    ("turn", "Anna", 3, ()),
    ("turn", "Ben", 2, ("wrong_count",)),
    ("correction", "Ben", None, ()),
    ("turn", "Anna", 4, ()),
    ("turn", "Ben", 5, ()),
]


def killed_often(folder: Path, seed: int, times: int) -> None:
    chance = random.Random(seed)
    count = len(game().frames)
    moments = sorted(chance.sample(range(10, count - 6), times))
    played(folder / "games.sqlite", moments)
    found = record(folder / "games.sqlite")
    assert [(kind, player, roll, rules) for kind, player, roll, _, _, rules in found] == EXPECTED, moments


def test_a_game_killed_five_times_ends_with_the_same_record(tmp_path: Path) -> None:
    killed_often(tmp_path, 1, 5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_games_killed_at_fifty_moments_end_with_the_same_record(tmp_path: Path, seed: int) -> None:
    killed_often(tmp_path, seed, 5)
