"""The speed test: every game is played and timed, the eyes only where asked for."""

from __future__ import annotations

import json

import pytest

from web.benchmark import ROLL_RANGE, bench_setup, judging, random_turns, speed_of, timed
from web.cli import cli


@pytest.mark.parametrize("game", ROLL_RANGE)
def test_random_turns_are_legal_and_go_on_after_the_end(game: str) -> None:
    starts = 0
    for (played, state, action), _ in zip(random_turns(game, 3), range(400), strict=False):
        starts += state == played.start(bench_setup(game))
        assert played.judge(state, action).legal
    assert starts >= 1


def test_judging_counts_only_what_was_judged() -> None:
    ticks = iter(range(10_000))
    speed = judging("verflixxt", 3.0, clock=lambda: float(next(ticks)))
    assert speed.runs == 300 and speed.per_s == 100 and speed.median_ms == 10


def test_figures() -> None:
    speed = speed_of("x", [0.001] * 19 + [0.101], per_sample=1)
    assert (speed.median_ms, speed.p95_ms, speed.runs) == (1.0, 1.0, 20)
    assert speed.per_s == pytest.approx(20 / 0.12)


def test_timed_runs_everything_in_turn() -> None:
    order: list[str] = []
    timed({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 2)
    assert "".join(order) == "ababab"


def test_the_command_prints_a_line_for_each_game(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["bench", "--rules-only", "--seconds", "0.05", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert end.value.code == 0
    assert [line["what"] for line in lines] == list(ROLL_RANGE) and all(line["per_s"] > 0 for line in lines)
