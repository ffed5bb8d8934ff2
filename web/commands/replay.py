"""``schiri replay``: a recording refereed as fast as possible, without a page."""

from __future__ import annotations

from pathlib import Path

import click

from web.clibase import Command, Number, Option
from web.commands.files import existing_source, read_commands, read_setup, writing
from web.say import lang, say


@click.command("replay", cls=Command, words="help_replay")
@click.argument("video", metavar="VIDEO")
@click.option("--setup", cls=Option, words="help_setup", required=True, metavar="setup.json")
@click.option("--events", cls=Option, words="help_events", required=True, metavar="OUT.jsonl")
@click.option("--speed", cls=Option, words="help_speed", type=Number(0.05, 100.0), metavar="X")
@click.option("--commands", cls=Option, words="help_commands", metavar="COMMANDS.jsonl")
def replay(video: str, setup: str, events: str, speed: float | None, commands: str | None) -> None:
    """See ``help_replay`` of the texts."""
    from vision.preflight import require_opencv

    game = read_setup(setup)
    existing_source(video)
    told = read_commands(commands) if commands else []
    require_opencv()
    from rules.record import line_text
    from vision.events import in_language
    from vision.runner import replay_lines
    from web.commands.console import Progress, line_words

    progress = Progress(_length_s(video))
    lines = replay_lines(video, game, speed=speed, progress=progress.at, commands=told)
    with writing(events) as out:
        for line in lines:
            print(line_text(in_language(line, lang())), file=out, flush=True)
            progress.turns += line.get("type") == "turn"
            progress.clear()
            if events != "-":
                click.echo(line_words(line))
    progress.clear()
    if events != "-":
        click.echo(say("written", path=events), err=True)


def _length_s(video: str) -> float | None:
    """How long a video is by its own word, None for folders and where it does not say."""
    import cv2

    if Path(video).is_dir():
        return None
    capture = cv2.VideoCapture(video)
    frames, fps = capture.get(cv2.CAP_PROP_FRAME_COUNT), capture.get(cv2.CAP_PROP_FPS)
    capture.release()
    return float(frames / fps) if frames > 0 and fps > 0 else None
