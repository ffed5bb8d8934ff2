"""Files that people name on the command line: read, checked, with a sentence for every fault."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from web.clibase import BadInput
from web.say import lang

Json = dict[str, Any]


def existing_file(path: str) -> Path:
    """The path, when it is a file. Raises BadInput."""
    given = Path(path)
    if given.is_dir():
        raise BadInput("file_is_folder", path=path)
    if not given.is_file():
        raise BadInput("file_missing", path=path)
    return given


def existing_source(path: str) -> Path:
    """The path, when it is a file or a folder. Raises BadInput."""
    given = Path(path)
    if not given.exists():
        raise BadInput("file_missing", path=path)
    return given


def read_text(path: str) -> str:
    """A text file, ``-`` standard input. Raises BadInput."""
    try:
        if path == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return existing_file(path).read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("not_text", path=path) from None


def read_json(path: str) -> Any:
    """A JSON file. Raises BadInput that names the place of a fault."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise BadInput("not_json", path=path, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise BadInput("not_json", path=path, line=1, column=1) from None


def read_commands(path: str) -> list[Json]:
    """What people told the referee, one JSON object a line with its time ``at_s``. Raises BadInput naming the line."""
    commands: list[Json] = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            command = json.loads(line) if line.strip() else None
        except (json.JSONDecodeError, RecursionError):
            raise BadInput("not_json", path=path, line=number, column=1) from None
        if command is None:
            continue
        if not isinstance(command, dict) or type(command.get("at_s")) not in (int, float):
            raise BadInput("no_command", path=path, line=number)
        commands.append(command)
    return sorted(commands, key=lambda command: float(command["at_s"]))


def read_setup(path: str) -> Json:
    """A ``setup.json`` from which a game can be started. Raises BadInput naming file and fault."""
    from rules import game_of

    setup: Json = read_json(path)
    with in_file(path):
        game_of(setup).start(setup)
    return setup


@contextmanager
def in_file(path: str) -> Iterator[None]:
    """Faults that the rules find are faults of this file: put its name in front."""
    from rules.protocol import InputError

    try:
        yield
    except InputError as error:
        raise BadInput("in_file", path=path, sentence=error.text(lang())) from error


@contextmanager
def writing(path: str | None) -> Iterator[TextIO]:
    """A file open for writing, standard output without a path (or ``-``)."""
    if path is None or path == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    with open(path, "w", encoding="utf-8") as out:
        yield out


def clock(seconds: float) -> str:
    """Minutes and seconds, ``1:05``."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
