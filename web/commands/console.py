"""The game on the console: a sentence for every line of the record, progress on long work."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

import click

from web.commands.files import clock
from web.say import lang, say

Json = Mapping[str, Any]

PROGRESS_EVERY_S = 0.5


def words(text: Any) -> str:
    """A text of the referee in the language in force: ``{de, en}`` or a plain string."""
    if isinstance(text, Mapping):
        return str(text.get(lang()) or text.get("en") or "")
    return str(text or "")


def line_words(line: Json) -> str:
    """One line of the record for people; illegal turns in red where the console knows colours."""
    kind = line.get("type")
    if kind == "turn":
        return _turn_words(line)
    if kind == "needs_you":
        options = [say("or", text=words(option.get("text"))) for option in line.get("alternatives", [])]
        return "\n".join([click.style(say("asks", why=words(line.get("why"))), fg="yellow"), *options])
    if kind == "lost":
        return click.style(say("lost_line", why=words(line.get("why"))), fg="yellow")
    if kind == "found":
        return say("found_line")
    said = words(line.get("text"))
    if kind == "end":
        points = ", ".join(f"{player} {total}" for player, total in line.get("scores", {}).items())
        return click.style(f"{said} {say('scores_line', scores=points)}".strip(), bold=True)
    return f"  {said}"


def _turn_words(line: Json) -> str:
    said = say("turn_line", turn=line.get("turn", "?"), text=words(line.get("text")))
    if line.get("legal", True):
        return f"{said} ({say('legal')})"
    faults = " ".join(words(violation.get("text")) for violation in line.get("violations", []))
    return said + "\n" + click.style(f"  {say('illegal')}: {faults}", fg="red", bold=True)


class Progress:
    """Where a recording is and how fast it goes, on standard error; silent where nobody looks at it.

    ``length_s``: seconds of the whole recording, None where unknown.
    """

    def __init__(self, length_s: float | None) -> None:
        self.turns = 0
        self._length_s = length_s
        self._began = time.monotonic()
        self._shown = 0.0
        self._on = sys.stderr.isatty()

    def at(self, t_s: float) -> None:
        """The referee has come to ``t_s``; ``turns`` turns have been seen."""
        now = time.monotonic()
        if not self._on or now - self._shown < PROGRESS_EVERY_S:
            return
        self._shown = now
        facts: dict[str, object] = {"at": clock(t_s), "turns": self.turns, "speed": t_s / max(now - self._began, 0.001)}
        whole = self._length_s
        text = say("progress", whole=clock(whole), **facts) if whole else say("progress_open", **facts)
        click.echo(f"\r\033[K{text}", err=True, nl=False)

    def clear(self) -> None:
        """Take the progress off the console, before something else is written."""
        if self._on and self._shown:
            click.echo("\r\033[K", err=True, nl=False)
