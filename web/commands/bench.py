"""``schiri bench``: the speed of the rules and of the eyes on this computer."""

from __future__ import annotations

import json

import click

from web.clibase import Command, Number, Option
from web.say import say


@click.command("bench", cls=Command, words="help_bench")
@click.option("--seconds", cls=Option, words="help_seconds", type=Number(0.05, 600.0), default=2.0, metavar="S")
@click.option("--runs", cls=Option, words="help_runs", type=int, default=20, metavar="N")
@click.option("--rules-only", cls=Option, words="help_rules_only", is_flag=True)
@click.option("--json", "as_json", cls=Option, words="help_json", is_flag=True)
def bench(seconds: float, runs: int, rules_only: bool, as_json: bool) -> None:
    """See ``help_bench`` of the texts."""
    from web.benchmark import ROLL_RANGE, Speed, eyes, judging

    def show(part: str, speed: Speed) -> None:
        if as_json:
            click.echo(json.dumps({"part": part, **speed.to_json()}))
        else:
            click.echo(f"{speed.what:<28}{speed.per_s:>12,.0f}{speed.median_ms:>12.3f}{speed.p95_ms:>12.3f}")

    if not as_json:
        click.echo(say("bench_head_rules"))
    for game in ROLL_RANGE:
        show("rules", judging(game, seconds))
    if rules_only:
        return
    from vision.preflight import require_opencv

    require_opencv()
    if not as_json:
        click.echo(f"\n{say('bench_head_eyes')}")
    for speed in eyes(max(1, runs)):
        show("eyes", speed)
