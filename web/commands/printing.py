"""``schiri print``: pages to print in true size."""

from __future__ import annotations

from pathlib import Path

import click

from web.clibase import Command, Group, Option
from web.say import say

print_ = Group("print", words="help_print")


@print_.command("markers", cls=Command, words="help_print_markers")
@click.option("--out", cls=Option, words="help_print_out", metavar="FILE.pdf", default="schiri-markers.pdf")
def markers(out: str) -> None:
    """See ``help_print_markers`` of the texts."""
    _write("markers", out)


@print_.command("charuco", cls=Command, words="help_print_charuco")
@click.option("--out", cls=Option, words="help_print_out", metavar="FILE.pdf", default="schiri-charuco.pdf")
def charuco(out: str) -> None:
    """See ``help_print_charuco`` of the texts."""
    _write("charuco", out)


@print_.command("qwixx-sheet", cls=Command, words="help_print_sheet")
@click.option("--out", cls=Option, words="help_print_out", metavar="FILE.pdf", default="schiri-qwixx-sheet.pdf")
def qwixx_sheet(out: str) -> None:
    """See ``help_print_sheet`` of the texts."""
    _write("qwixx_sheet", out)


def _write(kind: str, out: str) -> None:
    from vision.preflight import require_opencv

    require_opencv()
    from web.printing import pages

    getattr(pages, kind)().save(Path(out))
    click.echo(say("printed", path=out), err=True)
