"""German or English on the command line: by ``--lang``, else by the computer's locale."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Mapping, Sequence

from web.cli_texts import TEXTS

LANGUAGES = ("de", "en")

_current = "en"


def lang() -> str:
    """The language in force: ``"de"`` or ``"en"``."""
    return _current


def set_lang(name: str) -> None:
    """Speak ``name`` from now on."""
    global _current
    _current = name if name in LANGUAGES else "en"


def say(key: str, **facts: object) -> str:
    """The words for ``key`` in the language in force, with ``{facts}`` filled in."""
    german, english = TEXTS[key]
    return (german if _current == "de" else english).format(**facts)


def colour(name: str) -> str:
    """A colour's name in the language in force."""
    key = f"colour_{name}"
    return say(key) if key in TEXTS else name


def wanted_lang(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """The language that a command line asks for, wherever ``--lang`` stands in it; without it the locale's."""
    given = ""
    for k, argument in enumerate(arguments):
        if argument == "--lang" and k + 1 < len(arguments):
            given = arguments[k + 1]
        elif argument.startswith("--lang="):
            given = argument.removeprefix("--lang=")
    return given if given in LANGUAGES else locale_lang(os.environ if environment is None else environment)


def without_lang(arguments: Sequence[str]) -> list[str]:
    """The command line without ``--lang`` and its value."""
    rest = list(arguments)
    while "--lang" in rest:
        at = rest.index("--lang")
        del rest[at:at + 2]
    return [argument for argument in rest if not argument.startswith("--lang=")]


def locale_lang(environment: Mapping[str, str]) -> str:
    """``"de"`` where the environment (or Windows) says German, else ``"en"``."""
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next((name for name in names if name), "")
    if not name and sys.platform == "win32":
        name = locale.getlocale()[0] or ""
    return "de" if name.lower().startswith(("de", "german")) else "en"
