"""``schiri demo`` and ``schiri serve``: the referee with its page."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.clibase import BadInput, Command, Number, Option
from web.commands.files import in_file, read_setup
from web.say import say

if TYPE_CHECKING:
    from vision.frames import FrameSource
    from vision.journal import Journal

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
    from vision.sources import open_source

    source = open_source(str(video), speed=speed or 1.0)
    _with_page(source, setup, Journals(), "127.0.0.1", port, browser=not no_browser)


def _print_game(video: str, setup: dict[str, Any], speed: float | None) -> None:
    from vision.runner import replay_lines
    from web.commands.console import line_words

    for line in replay_lines(video, setup, speed=speed):
        click.echo(line_words(line))


@click.command("serve", cls=Command, words="help_serve")
@click.option("--source", cls=Option, words="help_source", default="0", metavar="S")
@click.option("--setup", cls=Option, words="help_setup", required=True, metavar="setup.json")
@click.option("--host", cls=Option, words="help_host", default="127.0.0.1", metavar="H")
@port_option
@click.option("--journal", cls=Option, words="help_journal", metavar="FILE")
@click.option("--new", cls=Option, words="help_new", is_flag=True)
@browser_option
def serve(
    source: str, setup: str, host: str, port: int | None, journal: str | None, new: bool, no_browser: bool
) -> None:
    """See ``help_serve`` of the texts."""
    from vision.preflight import require_opencv

    game = read_setup(setup)
    require_opencv()
    from vision.sources import open_source
    from vision.watch import adapter_of

    with in_file(setup):
        adapter_of(game)
    frames = open_source(source, speed=1.0)
    # A recording always starts from its own beginning: only a live game can have been interrupted.
    journals = Journals(Path(journal) if journal else default_journal() if frames.live else None, new)
    _with_page(frames, game, journals, host, port, browser=not no_browser)


@dataclass(frozen=True, slots=True)
class Journals:
    """Where the game is kept, None for nowhere; ``new``: do not go on with one that was interrupted."""

    path: Path | None = None
    new: bool = False

    def open(self, setup: dict[str, Any]) -> Journal | None:
        """The journal, ready for this game. To be called in the thread that uses it. Raises JournalError."""
        from vision.journal import Journal

        if self.path is None:
            return None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        journal = Journal(self.path)
        if self.new:
            journal.begin(setup, datetime.now().astimezone().isoformat(timespec="seconds"))
        elif turns := sum(line["type"] == "turn" for line in journal.resume(setup) or []):
            click.echo(say("goes_on", turns=turns))
        return journal


def default_journal() -> Path:
    """The journal of this person on this computer."""
    from platformdirs import user_data_path

    return user_data_path("schiri", appauthor=False) / "journal.sqlite"


def _with_page(
    source: FrameSource, setup: dict[str, Any], journals: Journals, host: str, port: int | None, *, browser: bool
) -> None:
    from vision.hub import Hub
    from vision.runner import run_referee
    from web.commands.console import line_words
    from web.commands.page import serve_page

    hub = Hub()

    def referee(closing: threading.Event) -> None:
        journal = journals.open(setup)
        try:
            run_referee(source, setup, hub, journal, closing=closing, on_line=lambda line: click.echo(line_words(line)))
        finally:
            if journal is not None:
                journal.close()

    with source:
        serve_page(hub, referee, host, port, browser)
