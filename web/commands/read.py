"""``schiri read``: what a photo shows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from web.clibase import Command, Group, Option
from web.commands.files import existing_file
from web.commands.read_flick import dice_flick
from web.commands.read_sheet import sheet
from web.say import colour, say

read = Group("read", words="help_read")
read.add_command(dice_flick)
read.add_command(sheet)


@read.command("dice", cls=Command, words="help_read_dice")
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True)
@click.option("--json", "as_json", cls=Option, words="help_json", is_flag=True)
def dice(photos: Sequence[str], as_json: bool) -> None:
    """See ``help_read_dice`` of the texts."""
    from vision.preflight import require_opencv

    for photo in photos:
        existing_file(photo)
    require_opencv()
    from vision.dice import DiceEyes, load_dice_eyes, read_dice, read_photo

    eyes: DiceEyes | None = None
    for photo in photos:
        image = read_photo(Path(photo))
        eyes = eyes or load_dice_eyes()
        found = read_dice(image, eyes)
        if as_json:
            click.echo(json.dumps({"photo": photo, "dice": found}))
        else:
            click.echo(say("dice_line", photo=photo, dice=_words(found)))


def _words(found: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{colour(die['colour'])} {die['value']}" for die in found) or say("no_dice")
