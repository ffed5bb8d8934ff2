"""``schiri calibrate``: the table measured without the page."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.clibase import BadInput, Command, Corners, Number, Option, Size
from web.commands.files import read_setup
from web.say import say

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.plane import TablePlane

WAIT_S = 10.0


@click.command("calibrate", cls=Command, words="help_calibrate")
@click.option("--source", cls=Option, words="help_source", required=True, metavar="S")
@click.option("--corners", cls=Option, words="help_corners", type=Corners(), metavar="'X,Y X,Y X,Y X,Y'")
@click.option("--size", cls=Option, words="help_size", type=Size(), metavar="WxH")
@click.option("--marker-mm", cls=Option, words="help_marker_mm", type=Number(5.0, 500.0), default=30.0, metavar="MM")
@click.option("--setup", cls=Option, words="help_calibrate_setup", metavar="setup.json")
@click.option("--json", "as_json", cls=Option, words="help_json", is_flag=True)
def calibrate(
    source: str, corners: list[list[float]] | None, size: tuple[float, float] | None, marker_mm: float,
    setup: str | None, as_json: bool,
) -> None:
    """See ``help_calibrate`` of the texts."""
    from vision.preflight import require_opencv

    parsed = read_setup(setup) if setup else None
    size = size or _size_in(parsed)
    if corners is not None and size is None:
        raise BadInput("size_missing", where=setup or "setup.json")
    require_opencv()
    from calibration.measure import measure_table

    date = datetime.now().astimezone().isoformat(timespec="seconds")
    plane = measure_table(_first_picture(source), corners, size, marker_mm, date=date, camera=source)
    if setup and parsed is not None:
        _enter(setup, parsed, plane)
    click.echo(json.dumps(plane.to_json()) if as_json else _words(plane))


def _size_in(setup: dict[str, Any] | None) -> tuple[float, float] | None:
    part = (setup or {}).get("calibration")
    size = part.get("size_mm") if isinstance(part, dict) else None
    fits = isinstance(size, list) and len(size) == 2 and all(isinstance(side, int | float) for side in size)
    return (float(size[0]), float(size[1])) if fits and size is not None else None


def _first_picture(source: str) -> Image:
    from vision.sources import open_source

    with open_source(source) as frames:
        frame = frames.read(WAIT_S)
    if frame is None:
        raise BadInput("no_picture", source=source)
    return frame.image_bgr


def _enter(path: str, setup: dict[str, Any], plane: TablePlane) -> None:
    setup["calibration"] = {**(setup.get("calibration") or {}), **plane.to_json()}
    Path(path).write_text(json.dumps(setup, indent=1, ensure_ascii=False) + "\n", "utf-8")
    click.echo(say("written", path=path), err=True)


def _words(plane: TablePlane) -> str:
    width, height = plane.size_mm
    words = say("calibration", width=width, height=height, mm=plane.mm_per_px())
    if plane.error_px is None or plane.error_mm is None:
        return f"{words} {say('calibration_unchecked')}"
    return f"{words} {say('calibration_error', error_px=plane.error_px, error_mm=plane.error_mm)}"
