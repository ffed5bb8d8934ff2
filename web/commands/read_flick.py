"""``schiri read dice-flick``: the box of Dice Flick from photos."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.clibase import BadInput, Command, Option
from web.commands.files import existing_source, read_setup
from web.say import lang, say

if TYPE_CHECKING:
    from rules.dice_flick import Markers, Scoring, ScoringRules
    from vision.flick.eyes import FlickEyes
    from vision.flick.values import BoxReading

SHEET_KINDS = (".png", ".jpg", ".jpeg")


@dataclass(slots=True)
class _Run:
    """One run over photos: what is known of the copy, and what has come out so far."""

    layout: Markers | None
    rules: ScoringRules | None
    as_json: bool
    sheet: bool
    read: int = 0
    warned: int = 0
    failed: int = 0
    eyes: FlickEyes | None = None
    tiles: list[tuple[Any, str]] = field(default_factory=list)


@click.command("dice-flick", cls=Command, words="help_read_flick")
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True)
@click.option("--json", "as_json", cls=Option, words="help_json", is_flag=True)
@click.option("--setup", "setup_path", cls=Option, words="help_flick_setup", metavar="SETUP")
@click.option("--sheet", "sheet_path", cls=Option, words="help_flick_sheet", metavar="FILE")
def dice_flick(photos: Sequence[str], as_json: bool, setup_path: str | None, sheet_path: str | None) -> None:
    """See ``help_read_flick`` of the texts."""
    from vision.preflight import require_opencv

    if sheet_path and not sheet_path.lower().endswith(SHEET_KINDS):
        raise BadInput("flick_sheet_kind", path=sheet_path)
    layout, rules = _known(setup_path) if setup_path else (None, None)
    paths = list(_photos(photos))
    require_opencv()
    run = _Run(layout, rules, as_json, bool(sheet_path))
    with _progress(len(paths)) as step:
        for path in paths:
            _one(run, path)
            step()
    if len(paths) > 1 and not as_json:
        click.echo(say("flick_table", read=run.read, whole=len(paths), warned=run.warned))
    if sheet_path and run.tiles:
        _write_sheet(run, sheet_path)
    if run.failed:
        raise SystemExit(2)


def _known(path: str) -> tuple[Markers | None, ScoringRules]:
    """The stickers (None where the setup names none) and scoring rules of a setup. Raises BadInput."""
    from rules.dice_flick.state import start_state

    raw = read_setup(path)
    if raw.get("game") != "dice-flick":
        raise BadInput("flick_wrong_game", path=path, game=raw.get("game"))
    config = start_state(raw).config
    return (config.markers if raw.get("markers") else None), config.scoring


def _photos(given: Sequence[str]) -> Iterator[str]:
    from vision.pictures import pictures_in

    for name in given:
        if existing_source(name).is_dir():
            yield from (str(path) for path in pictures_in(Path(name)))
        else:
            yield name


@contextmanager
def _progress(whole: int) -> Iterator[Any]:
    """Say on a terminal how far it is; nothing for few photos or when nobody watches."""
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if whole > 3 and sys.stderr.isatty():
            click.echo("\r" + say("flick_progress", at=done, whole=whole), err=True, nl=done == whole)

    yield step


def _one(run: _Run, photo: str) -> None:
    """Read one photo and say what came out; a photo without a score becomes a sentence on standard error."""
    from calibration.errors import UserError
    from vision.dice import read_photo
    from vision.flick.eyes import load_flick_eyes
    from vision.flick.reading import read_box
    from vision.flick.result import reading_to_json, score_of

    run.eyes = run.eyes or load_flick_eyes()
    image = None
    try:
        image = read_photo(Path(photo))
        reading = read_box(image, run.eyes, run.layout, rules=run.rules)
    except UserError as error:
        run.failed += 1
        if run.as_json:
            click.echo(json.dumps({"photo": photo, "error": error.reason}))
        click.echo(say("flick_problem", photo=photo, sentence=error.sentence(lang())), err=True)
        if run.sheet and image is not None:
            run.tiles.append((image, f"{Path(photo).name}: -"))
        return
    scoring = score_of(reading, run.rules)
    run.read += 1
    run.warned += bool(reading.warnings)
    line = reading_to_json(reading, scoring)
    if run.as_json:
        click.echo(json.dumps({"photo": photo, **line}))
    else:
        for text in _words(photo, reading, scoring, line):
            click.echo(text)
    if run.sheet:
        _add_tile(run, image, photo, reading, scoring)


def _words(photo: str, reading: BoxReading, scoring: Scoring, line: dict[str, Any]) -> list[str]:
    """The result for people: table, sums, dice elsewhere, warnings."""
    from web import flick_words as words

    out = [say("flick_one" if scoring.score == 1 else "flick_line", photo=photo, points=scoring.score)]
    out += words.grid(line["holes"], lang())
    out += [f"  {text}" for text in words.summary(scoring, reading.board, reading.markers, lang())]
    if reading.loose:
        dice = ", ".join(
            say(f"flick_{die.where}", colour=words.colour(die.colour, lang()), value=die.value) for die in reading.loose
        )
        out.append(f"  {say('flick_loose', dice=dice)}")
    return out + [f"  ! {text}" for text in words.warnings(line["warnings"], lang())]


def _add_tile(run: _Run, image: Any, photo: str, reading: BoxReading, scoring: Scoring) -> None:
    from vision.flick.draw import draw_result

    mark = " (!)" if reading.warnings else ""
    run.tiles.append((draw_result(image, reading, scoring), f"{Path(photo).name}: {scoring.score}{mark}"))


def _write_sheet(run: _Run, path: str) -> None:
    import cv2

    from vision.flick.draw import sheet

    data = cv2.imencode(Path(path).suffix.lower(), sheet(run.tiles))[1]
    Path(path).write_bytes(data.tobytes())
    click.echo(say("written", path=path), err=True)
