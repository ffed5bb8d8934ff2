"""``schiri judge``: a record judged by the rules alone."""

from __future__ import annotations

import click

from web.clibase import Command, Option
from web.commands.files import in_file, read_text, writing
from web.say import lang, say


@click.command("judge", cls=Command, words="help_judge")
@click.argument("record", metavar="RECORD.jsonl")
@click.option("--out", cls=Option, words="help_out", metavar="FILE")
def judge(record: str, out: str | None) -> None:
    """See ``help_judge`` of the texts."""
    from rules.record import judge_lines, line_text

    text = read_text(record)
    turns = illegal = 0
    with in_file(record), writing(out) as file:
        for line in judge_lines(text.split("\n"), lang()):
            print(line_text(line), file=file)
            turns += line["type"] == "turn"
            illegal += line["type"] == "turn" and not line["legal"]
    if out:
        click.echo(say("judged", turns=turns, illegal=illegal), err=True)
