"""``schiri read sheet``: what is crossed on a photographed score sheet."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.clibase import BAD_INPUT, Command, Option, sentence_of
from web.commands.files import existing_file
from web.say import say

if TYPE_CHECKING:
    from vision.qwixx.sheet import SheetReading

ROWS = ("red", "yellow", "green", "blue")


@click.command("sheet", cls=Command, words="help_read_sheet")
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True)
@click.option("--json", "as_json", cls=Option, words="help_json", is_flag=True)
@click.option("--layout", "layout_file", cls=Option, words="help_layout", metavar="LAYOUT.json")
def sheet(photos: Sequence[str], as_json: bool, layout_file: str | None) -> None:
    """See ``help_read_sheet`` of the texts."""
    from vision.preflight import require_opencv

    for photo in photos:
        existing_file(photo)
    require_opencv()
    from calibration.sheets.layout import load_layout
    from vision.dice import read_photo
    from vision.qwixx.errors import SheetError
    from vision.qwixx.sheet import load_mark_reader, read_sheet

    layout = load_layout(Path(layout_file)) if layout_file else None
    reader = load_mark_reader()
    failed = False
    for photo in photos:
        try:
            reading = read_sheet(read_photo(Path(photo)), reader, layout, photo)
        except SheetError as error:
            failed = True
            _tell_fault(photo, sentence_of(error), as_json)
        else:
            _tell(photo, reading, as_json)
    if failed:
        sys.exit(BAD_INPUT)


def _tell_fault(photo: str, sentence: str, as_json: bool) -> None:
    click.echo(sentence, err=True)
    if as_json:
        click.echo(json.dumps({"photo": photo, "error": sentence}, ensure_ascii=False))


def _tell(photo: str, reading: SheetReading, as_json: bool) -> None:
    found = reading.to_json()
    click.echo(json.dumps({"photo": photo, **found}) if as_json else sheet_words(photo, found))


def sheet_words(photo: str, found: dict[str, Any]) -> str:
    """A sheet as lines of text, doubtful fields last."""
    lines = [f"{photo}:"]
    for row in ROWS:
        numbers = " ".join(map(str, found["rows"][row]["crossed"])) or "-"
        lock = f" + {say('sheet_lock')}" if found["rows"][row]["lock"] else ""
        lines.append(f"  {say(f'colour_{row}')}: {numbers}{lock}")
    lines.append(f"  {say('sheet_misthrow')}: {len(found['misthrow']['crossed'])}")
    unsure = [f"{_row_name(one['row'])} {_value(one['value'])}" for one in found["doubtful"]]
    return "\n".join([*lines, *([f"  {say('sheet_doubtful')}: {', '.join(unsure)}"] if unsure else [])])


def _row_name(row: str) -> str:
    return say(f"colour_{row}") if row in ROWS else say("sheet_misthrow")


def _value(value: int | str) -> str:
    return say("sheet_lock") if value == "lock" else str(value)
