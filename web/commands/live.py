"""``schiri demo`` and ``schiri serve``: the referee with its page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.clibase import BadInput, Command, Number, Option
from web.commands.files import in_file, read_setup
from web.say import say

if TYPE_CHECKING:
    from vision.frames import FrameSource
    from web.desk import Desk
    from web.feed import Feed

DEMO = Path(__file__).parents[1] / "demo"

port_option = click.option("--port", cls=Option, words="help_port", type=Number(1, 65535), metavar="PORT")
browser_option = click.option("--no-browser", cls=Option, words="help_no_browser", is_flag=True)


@click.command("demo", cls=Command, words="help_demo")
@click.option("--headless", cls=Option, words="help_headless", is_flag=True)
@port_option
@click.option("--speed", cls=Option, words="help_demo_speed", type=Number(0.05, 100.0), metavar="X")
@browser_option
def demo(headless: bool, port: int | None, speed: float | None, no_browser: bool) -> None:
    """See ``help_demo`` of the texts."""
    from vision.preflight import require_opencv

    require_opencv()
    video, path = DEMO / "verflixxt.mp4", DEMO / "setup.json"
    for needed in (video, path):
        if not needed.is_file():
            raise BadInput("demo_missing", path=needed)
    setup = read_setup(str(path))
    if headless:
        _print_game(str(video), setup, speed)
        return
    desk = _desk(None, speed or 1.0)
    _play(desk, setup, _choose(desk, str(video)).lend(), None, resume=False)
    _serve(desk, "127.0.0.1", port, None if no_browser else "game")


def _print_game(video: str, setup: dict[str, Any], speed: float | None) -> None:
    from vision.runner import replay_lines
    from web.commands.console import line_words

    for line in replay_lines(video, setup, speed=speed):
        click.echo(line_words(line))


@click.command("serve", cls=Command, words="help_serve")
@click.option("--source", cls=Option, words="help_source", metavar="S")
@click.option("--setup", cls=Option, words="help_setup", metavar="setup.json")
@click.option("--host", cls=Option, words="help_host", default="127.0.0.1", metavar="H")
@port_option
@click.option("--https", cls=Option, words="help_https", is_flag=True)
@click.option("--journal", cls=Option, words="help_journal", metavar="FILE")
@click.option("--new", cls=Option, words="help_new", is_flag=True)
@click.option("--record", cls=Option, words="help_record", metavar="DIR")
@browser_option
def serve(
    source: str | None, setup: str | None, host: str, port: int | None, https: bool, journal: str | None, new: bool,
    record: str | None, no_browser: bool,
) -> None:
    """See ``help_serve`` of the texts."""
    from vision.preflight import require_opencv

    game = read_setup(setup) if setup else None
    require_opencv()
    from vision.watch import check_setup

    desk = _desk(Path(journal) if journal else default_journal())
    desk.record_to = Path(record) if record else None
    if game is None or setup is None:
        if source is not None:
            _choose(desk, source)
        _serve(desk, host, port, None if no_browser else "", https)
        return
    with in_file(setup):
        check_setup(game)
    feed = _choose(desk, source or "0")
    frames = feed.lend()
    # A recording always starts from its own beginning: only a live game can have been interrupted.
    kept = (Path(journal) if journal else default_journal()) if frames.live else None
    _play(desk, game, frames, kept, resume=not new)
    _serve(desk, host, port, None if no_browser else "game", https)


def default_journal() -> Path:
    """The journal of this person on this computer."""
    from web.shelf import default_folder

    return default_folder() / "journal.sqlite"


def _desk(journal: Path | None, speed: float = 1.0) -> Desk:
    from vision.hub import Hub
    from web.commands.console import line_words
    from web.desk import Desk
    from web.shelf import Shelf, default_folder

    if journal is not None:
        journal.parent.mkdir(parents=True, exist_ok=True)
    return Desk(Hub(), Shelf(default_folder()), journal, lambda line: click.echo(line_words(line)), speed)


def _choose(desk: Desk, source: str) -> Feed:
    from web.cameras import of_spec

    return desk.choose(of_spec(source))


def _play(desk: Desk, setup: dict[str, Any], frames: FrameSource, journal: Path | None, resume: bool) -> None:
    from web.desk import Job
    from web.library import Library

    if resume and (turns := Library(journal).goes_on(setup)):
        click.echo(say("goes_on", turns=turns))
    desk.play(Job(setup, frames, journal, resume, fatal=True))


def _serve(desk: Desk, host: str, port: int | None, page: str | None, https: bool = False) -> None:
    from web.commands.page import serve_page
    from web.home import HomeNetwork
    from web.shelf import default_folder

    serve_page(desk, HomeNetwork(default_folder() / "https"), host, port, page, https)
