"""``schiri models train --from-set``: fine-tunes the readers with the pictures that were kept of a set."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click


def run(wanted: str, data: Path | None, as_json: bool) -> None:
    """Fine-tune with the set of this name or id and say what came of it; raises click.ClickException."""
    if find_spec("torch") is None or find_spec("onnx") is None:
        raise click.ClickException("training needs more packages: pip install \"schiri[train]\"")
    from models.finetune import TooFew, tune

    own = _set(wanted, data)
    frames = own.frames.all()
    say = _progress(as_json)
    say("reading", 0.0)
    try:
        assert own.tuned.folder is not None
        report = tune(frames, own.tuned.folder, say)
    except TooFew:
        raise click.ClickException(
            f"of the set \"{own.name}\" {len(frames)} pictures are kept, and 2 are needed: play a game with it first"
        ) from None
    own.tuned.note(report)
    own.other_readers()
    click.echo(json.dumps({"done": report}) if as_json else table(report))


def _set(wanted: str, data: Path | None) -> Any:
    from platformdirs import user_data_path

    from vision.exemplars.store import ExemplarSet

    folder = (data or user_data_path("schiri", appauthor=False)) / "sets"
    files = sorted(folder.glob("*/set.json")) if folder.is_dir() else []
    found = [(file.parent.name, ExemplarSet("", file.parent)) for file in files]
    for ident, one in found:
        if wanted in (ident, one.name):
            return one
    names = ", ".join(f"\"{one.name}\"" for _, one in found) or "none"
    raise click.ClickException(f"there is no set \"{wanted}\" in {folder}; there are: {names}")


def _progress(as_json: bool) -> Callable[[str, float], None]:
    def say(what: str, share: float) -> None:
        line = json.dumps({"what": what, "share": round(share, 3)}) if as_json else f"{what}: {share:.0%}"
        click.echo(line, err=not as_json)

    return say


def table(report: dict[str, Any]) -> str:
    """What a fine-tuning came to, a line for each reader."""
    lines = [f"{report['frames']} pictures, {report['held']} of them held back, {report['seconds']} s"]
    for kind in ("tile", "die"):
        if kind in report:
            one = report[kind]
            lines.append(
                f"{kind}: {one['before']:.1%} right before, {one['after']:.1%} after, of {one['count']} held back; "
                f"generated ones {one['general_before']:.1%} and {one['general_after']:.1%}; "
                + ("the tuned reader is used" if one["better"] else "not better, the general reader stays")
            )
    return "\n".join(lines)
