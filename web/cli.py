"""The command ``schiri``. Commands import what they need when they run, so that help is there at once."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import click

from web.clibase import Option, Program, Spoken
from web.commands.bench import bench
from web.commands.calibrate import calibrate
from web.commands.judge import judge
from web.commands.live import demo, serve
from web.commands.printing import print_
from web.commands.read import read
from web.commands.replay import replay
from web.say import without_lang


class Schiri(Program):
    """The program with its commands; the training side joins only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *(["models"] if find_spec("models.cli") else [])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "models" and find_spec("models.cli"):
            return Lazy("models", words="help_models")
        return super().get_command(ctx, cmd_name)


class Lazy(Spoken):
    """Stands for ``models.cli:models_group`` until somebody runs it."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        # The language is set already; the group itself speaks only English and does not know the option.
        return _models_group().make_context(info_name, without_lang(args), parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        return _models_group().invoke(ctx)


def _models_group() -> click.Command:
    from importlib import import_module

    group = import_module("models.cli").models_group
    assert isinstance(group, click.Command)
    return group


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    try:
        number = version("schiri")
    except PackageNotFoundError:
        number = "?"
    click.echo(f"schiri {number}")
    context.exit()


cli = Schiri("schiri", words="help_schiri")
cli.params.append(
    Option(["--version"], words="help_version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version)
)
for command in (demo, serve, replay, judge, read, calibrate, bench, print_):
    cli.add_command(command)


def main() -> None:
    """The entry point of the command."""
    cli.main()


if __name__ == "__main__":
    main()
