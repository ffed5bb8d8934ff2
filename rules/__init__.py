"""The rules of the five games: values in, values out, standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from rules.protocol import Game, SetupError
from rules.setup import shown

GAMES: Mapping[str, str] = {
    "verflixxt": "rules.verflixxt:Verflixxt",
    "verflixxt-nochmal": "rules.nochmal:Nochmal",
    "spuk": "rules.spuk:Spuk",
    "dice-flick": "rules.dice_flick:DiceFlick",
    "qwixx-express": "rules.qwixx_express:QwixxExpress",
}
"""Every game by the name it has in ``setup.json``: module and class, imported when first asked for."""


@cache
def game_named(name: str) -> Game[Any, Any]:
    """The game of this name. Raises SetupError when there is none."""
    if name not in GAMES:
        known = ", ".join(GAMES)
        raise SetupError(
            f"game: {shown(name)} is not known; known are {known}",
            f"game: {shown(name)} gibt es nicht; bekannt sind {known}",
        )
    module, _, attribute = GAMES[name].partition(":")
    game: Game[Any, Any] = getattr(import_module(module), attribute)()
    return game


def game_of(setup: object) -> Game[Any, Any]:
    """The game that a setup (parsed ``setup.json``) is for. Raises SetupError."""
    if not isinstance(setup, Mapping):
        raise SetupError("the setup is not a JSON object", "Die Aufstellung ist kein JSON-Objekt")
    name = setup.get("game")
    if not isinstance(name, str):
        raise SetupError(
            f'game: missing; write "game": one of {", ".join(GAMES)}',
            f'game: fehlt; schreibe "game": eines von {", ".join(GAMES)}',
        )
    return game_named(name)
