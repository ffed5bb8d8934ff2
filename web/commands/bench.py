"""``schiri bench``: the speed of rules, networks and the whole way on this computer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.clibase import Command, Number, Option, ParamType
from web.say import say

if TYPE_CHECKING:
    from web.benchmark import Speed

PARTS = ("rules", "backends", "loop", "idle", "growth", "looks", "verdicts")


USUAL = PARTS[:5]
"""What is measured when nothing is asked for; the rest takes minutes."""


class Part(ParamType):
    """One of ``PARTS``."""

    name = "part"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in PARTS:
            self.fail(say("bad_part", given=value, known=", ".join(PARTS)), param, ctx)
        return str(value)


@click.command("bench", cls=Command, words="help_bench")
@click.option("--seconds", cls=Option, words="help_seconds", type=Number(0.05, 600.0), default=2.0, metavar="S")
@click.option("--runs", cls=Option, words="help_runs", type=Number(1, 10_000), default=20, metavar="N")
@click.option("--part", "parts", cls=Option, words="help_part", type=Part(), multiple=True, metavar="PART")
@click.option(
    "--recording", "folders", cls=Option, words="help_recording", type=click.Path(path_type=Path), multiple=True,
    metavar="FOLDER",
)
@click.option("--rules-only", cls=Option, words="help_rules_only", is_flag=True)
@click.option("--busy", cls=Option, words="help_busy", is_flag=True)
@click.option("--json", "as_json", cls=Option, words="help_json", is_flag=True)
def bench(
    seconds: float, runs: int, parts: tuple[str, ...], folders: tuple[Path, ...], rules_only: bool, busy: bool,
    as_json: bool,
) -> None:
    """See ``help_bench`` of the texts."""
    wanted = ("rules",) if rules_only else parts or USUAL
    told = _Told(as_json)
    clock = time.process_time if busy else time.perf_counter
    if "rules" in wanted:
        told.rules(seconds)
    if set(wanted) == {"rules"}:
        return
    from vision.preflight import require_opencv

    require_opencv()
    for part, show in (("backends", told.backends), ("loop", told.loop), ("growth", told.growth)):
        if part in wanted:
            show(runs, clock)
    if "idle" in wanted:
        told.idle(max(15.0, 5 * seconds))
    if "looks" in wanted:
        told.looks(folders, runs, clock)
    if "verdicts" in wanted:
        told.verdicts(folders)


class _Told:
    """Measures and prints, for people or as JSON lines."""

    def __init__(self, as_json: bool) -> None:
        self._json = as_json

    def rules(self, seconds: float) -> None:
        """Turns judged a second."""
        from web.benchmark import ROLL_RANGE, judging

        self._table("rules", say("bench_head_rules"), (judging(game, seconds) for game in ROLL_RANGE))

    def backends(self, runs: int, clock: Callable[[], float]) -> None:
        """Run times side by side."""
        from vision.backends import preferred
        from web.benchmark import backends

        self._table("backends", say("bench_head_eyes"), backends(runs, clock))
        self._line({"part": "chosen", "backend": preferred()}, say("bench_chosen", backend=preferred()))

    def loop(self, runs: int, clock: Callable[[], float]) -> None:
        """All stages and the whole, for three sizes of picture; ``runs`` seconds of the bundled game."""
        from web.benchmark_loop import SIZES, measure, memory_mb

        for size_wh in SIZES:
            width, height = size_wh
            speeds = measure(size_wh, float(runs), clock).speeds()
            self._table(f"{width}x{height}", say("bench_head_loop", size=f"{width}x{height}"), speeds)
        peak = memory_mb()
        if peak is not None:
            self._line({"part": "memory", "peak_mb": round(peak)}, say("bench_memory", mb=round(peak)))

    def growth(self, runs: int, clock: Callable[[], float]) -> None:
        """What grows with the things on the table, the viewers, the turns."""
        from web.benchmark_growth import by_pieces, by_turns, by_viewers

        speeds = [*by_pieces(runs, clock), *by_viewers(runs, clock), *by_turns(runs, clock)]
        self._table("growth", say("bench_head_growth"), speeds)

    def idle(self, seconds: float) -> None:
        """A table at which nothing happens."""
        from web.benchmark_loop import SIZES, idle

        for size_wh in SIZES:
            found = idle(size_wh, seconds)
            size = f"{size_wh[0]}x{size_wh[1]}"
            facts: dict[str, Any] = {"size": size, "share": round(found.share, 3), "frames_s": round(found.frames_s, 1)}
            facts["memory_mb"] = round(found.memory_mb or 0)
            self._line({"part": "idle", **facts}, say("bench_idle", **{**facts, "share": f"{100 * found.share:.0f}"}))

    def looks(self, folders: tuple[Path, ...], runs: int, clock: Callable[[], float]) -> None:
        """What a look of the referee costs, beside whole pictures and ``ultralytics``."""
        from web.benchmark_verdicts import looks, recordings

        self._table("looks", say("bench_head_looks"), looks(recordings(folders)[0], runs, clock))

    def verdicts(self, folders: tuple[Path, ...]) -> None:
        """How soon verdicts are there, by the clock."""
        from web.benchmark_verdicts import RATES, recordings, verdicts

        games = recordings(folders)
        for rate in RATES:
            found = verdicts(games, rate)
            if found is not None:
                self._table("verdicts", say("bench_head_verdicts"), [found.delays, found.gate])
                looked = {"count": found.delays.runs, "looked": round(100 * found.looked_at)}
                self._line({"part": "verdicts", "pictures_s": rate, **looked}, say("bench_verdicts", **looked))

    def _table(self, part: str, head: str, speeds: Iterable[Speed]) -> None:
        if not self._json:
            click.echo(head)
        for speed in speeds:
            cells = (speed.median_ms, speed.p95_ms, speed.p99_ms)
            row = f"{speed.what:<28}{speed.per_s:>12,.0f}" + "".join(f"{cell:>12.3f}" for cell in cells)
            self._line({"part": part, **speed.to_json()}, row)
        if not self._json:
            click.echo()

    def _line(self, facts: dict[str, Any], words: str) -> None:
        click.echo(json.dumps(facts) if self._json else words)
