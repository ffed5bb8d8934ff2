"""The ground of the command line: help in two languages, one sentence for every fault, exit status 0 or 2."""

from __future__ import annotations

import os
import re
import sys
import traceback
from typing import TYPE_CHECKING, Any, NoReturn

import click

from web.say import LANGUAGES, lang, say, set_lang, wanted_lang

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType

BAD_INPUT = 2


class BadInput(Exception):
    """Something the person at the keyboard can put right: a key of the texts with its facts."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key)
        self.key, self.facts = key, facts

    def sentence(self) -> str:
        """What is wrong, where, what to do, in the language in force."""
        return say(self.key, **self.facts)


class Formatter(click.HelpFormatter):
    """Headings in the language in force."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, f"{say('usage')}: ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(say(heading.lower()) if heading in ("Options", "Commands") else heading)


click.Context.formatter_class = Formatter


class Option(click.Option):
    """An option whose help is a key of the texts."""

    def __init__(self, *args: Any, words: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.words = words

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = say(self.words)
        return super().get_help_record(ctx)


class Spoken(click.Command):
    """A command whose help is a key of the texts."""

    def __init__(self, *args: Any, words: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.words = words
        self.params.append(
            Option(["--lang"], words="help_lang", type=Lang(), expose_value=False, is_eager=True, metavar="de|en")
        )

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(say(self.words))

    def get_short_help_str(self, limit: int = 45) -> str:
        return re.split(r"(?<=[.:]) ", say(self.words))[0].rstrip(".:")

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = say("help_help")
        return option


class Command(Spoken):
    """A plain command."""


@click.pass_context
def _help_when_alone(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


class Group(Spoken, click.Group):
    """A command with commands below it; alone it shows its help."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"invoke_without_command": True, "callback": _help_when_alone, **kwargs})

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = str(args[0]) if args else ""
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise BadInput("no_such_command", name=name, known=", ".join(self.list_commands(ctx)))
        return super().resolve_command(ctx, args)


class Program(Group):
    """The outermost group: sets the language and turns whatever goes wrong into one sentence and status 2."""

    def main(self, *positional: Any, **named: Any) -> Any:
        """Run a command line, as :meth:`click.Command.main` does. Always ends in SystemExit."""
        named.update(zip(("args", "prog_name"), positional, strict=False))
        given = named.pop("args", None)
        arguments = list(sys.argv[1:] if given is None else given)
        set_lang(wanted_lang(arguments))
        named.update(prog_name=named.get("prog_name") or "schiri", standalone_mode=False)
        try:
            status = super().main(arguments, **named)
        except BrokenPipeError:
            _end_quietly()
        except (KeyboardInterrupt, click.Abort):
            _fail(say("interrupted"), 130)
        except Exception as error:
            if os.environ.get("SCHIRI_DEBUG"):
                traceback.print_exc()
            _fail(sentence_of(error), BAD_INPUT)
        sys.exit(status if isinstance(status, int) else 0)


def sentence_of(error: Exception) -> str:
    """Any error as one sentence in the language in force."""
    if isinstance(error, BadInput):
        return error.sentence()
    if isinstance(error, click.ClickException):
        return _usage_sentence(error)
    for method in ("sentence", "text"):  # errors of calibration and vision, errors of the rules
        words = getattr(error, method, None)
        if callable(words):
            return str(words(lang()))
    if isinstance(error, OSError) and error.strerror:
        return say("system", path=error.filename or "?", problem=error.strerror)
    return say("unexpected", what=_where(error))


def _usage_sentence(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    see = f"{context.command_path if context else 'schiri'} --help"
    match error:
        case click.NoSuchOption():
            return say("no_such_option", option=error.option_name, help=see)
        case click.MissingParameter():
            if isinstance(error.param, click.Argument) and error.param.metavar:
                return say("missing_argument", name=error.param.metavar.rstrip("."), help=see)
            return say("missing_option", name=_name(error.param), help=see)
        case click.BadOptionUsage():
            return say("option_needs_value", option=error.option_name, help=see)
        case click.BadParameter():
            return say("bad_value", name=_name(error.param), problem=error.message)
    surplus = re.search(r"unexpected extra arguments? \((.*)\)", error.format_message())
    if surplus:
        return say("too_many_arguments", given=surplus[1], help=see)
    return " ".join(error.format_message().split())


def _name(parameter: click.Parameter | None) -> str:
    return parameter.opts[0] if parameter is not None else "?"


def _where(error: Exception) -> str:
    """Kind, text and place of an unexpected error, short enough for a sentence."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f", {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    text = " ".join(str(error).split())[:120]
    return f"{type(error).__name__}{': ' if text else ''}{text}{place}"


def _fail(sentence: str, status: int) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(status)


def _end_quietly() -> NoReturn:
    # Whoever read our output (head, less) has seen enough; Python must not complain about it at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


class Lang(ParamType):
    """``de`` or ``en``."""

    name = "lang"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in LANGUAGES:
            self.fail(say("bad_lang", given=value), param, ctx)
        return str(value)


class Number(ParamType):
    """A number from ``low`` to ``high``; a whole one where both are."""

    name = "number"

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        kind = int if isinstance(self.low, int) and isinstance(self.high, int) else float
        try:
            number = kind(value)
        except (TypeError, ValueError):
            number = None
        if number is None or not self.low <= number <= self.high:
            self.fail(say("bad_number", given=value, low=self.low, high=self.high), param, ctx)
        return number


class Size(ParamType):
    """``510x300``: width and height in mm."""

    name = "WxH"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        parts = re.fullmatch(r"\s*([\d.]+)\s*[x×X]\s*([\d.]+)\s*", str(value))
        try:
            if parts:
                return float(parts[1]), float(parts[2])
        except ValueError:
            pass
        self.fail(say("bad_size", given=value), param, ctx)


class Corners(ParamType):
    """``x,y x,y x,y x,y``: four points in pixels."""

    name = "corners"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[list[float]]:
        numbers = re.findall(r"-?\d+(?:\.\d+)?", str(value))
        if len(numbers) != 8 or re.search(r"[^\d\s.,;\-\[\]()]", str(value)):
            self.fail(say("bad_corners", given=value), param, ctx)
        return [[float(x), float(y)] for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
