"""Cards, layouts and house rules of Verflixxt nochmal (the expansion of 2006 to Verflixxt!).

Source: the rule text "Verflixxt nochmal" (Setup, Standard Route Layout Variant).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.options import Choice, GameInfo, Option
from rules.protocol import SetupError
from rules.setup import Setup
from rules.verflixxt import layout as base
from rules.verflixxt.layout import GUARD_OPTIONS, LUCK, TIE_OPTION, VERFLIXXT, check_guards, check_tiles, read_values

VERFLIXXT_CARDS = 4
TOKENS = (4, 3, 2, 1)
"""The round tokens, the one on top first."""

STANDARD = base.LAYOUTS["standard"]
SHUFFLED = tuple(value for value in STANDARD if value not in (-1, -2))
"""The 28 route cards of the random route: both -1 and both -2 stay in the box."""

RANDOM_PLACES = (10, 15, 20, 25)
"""Places of the Verflixxt cards in the finished random route, start not counted."""

AFTER_TILES = (8, 14, 19, 26)
"""In the standard layout the Verflixxt cards lie after these tiles of the base game."""

INFO = GameInfo(
    "verflixxt-nochmal",
    "Verflixxt nochmal",
    (2, 8),
    (*base.COLOURS, "white", "purple"),
    (
        Choice("random", "Karten gemischt", "shuffled cards"),
        Choice("standard", "Karten wie im Grundspiel ausgelegt", "cards laid out as in the base game"),
    ),
    (
        *GUARD_OPTIONS,
        TIE_OPTION,
        Option(
            "flixxy_leaves",
            "after_tokens_empty",
            "Wann Flixxy und der Aktionswürfel aus dem Spiel kommen.",
            "When Flixxy and the action die leave the game.",
            (
                Choice("after_tokens_empty", "wenn das letzte Rundenplättchen weg ist", "when the last token is gone"),
                Choice("after_fifth_lap", "nach Flixxys fünfter Runde", "after Flixxy's fifth lap"),
            ),
        ),
        Option(
            "worms",
            False,
            "Mit Wurmplättchen: Wer eine Minuskarte nimmt, bekommt ein Plättchen mit einer Sonderaktion.",
            "With worm tokens: whoever takes a minus card gets a token with a special action.",
        ),
        Option(
            "worm_tokens",
            (3, 3, 2, 2),
            "Wie viele Wurmplättchen es gibt: noch ein Zug, Karte nach unten, andere ziehen, Plätze tauschen.",
            "How many worm tokens there are: extra turn, card to the bottom, move the others, swap places.",
            (),
        ),
    ),
)


def read_route(raw: Mapping[str, Any], setup: Setup) -> tuple[int, ...]:
    """The values of the route from start to finish; Verflixxt cards are put in where the route does not name them."""
    if raw.get("route") is not None:
        values = read_values(raw["route"])
    elif setup.variant == "standard":
        values = STANDARD
    else:
        raise SetupError(
            f'route: missing; variant "{setup.variant}" needs the values of the cards from start to finish',
            f'route: fehlt; Variante "{setup.variant}" braucht die Werte der Karten vom Start bis zum Ziel',
        )
    cards = SHUFFLED if setup.variant == "random" else STANDARD
    if VERFLIXXT not in values:
        check_tiles(values, cards)
        return with_verflixxt_cards(values, setup.variant)
    check_tiles(values, (*cards, *(VERFLIXXT,) * VERFLIXXT_CARDS))
    return values


def with_verflixxt_cards(values: Sequence[int], variant: str) -> tuple[int, ...]:
    """The route with the four Verflixxt cards where the rule text wants them.

    >>> [n for n, v in enumerate(with_verflixxt_cards(STANDARD, "standard"), 1) if v == VERFLIXXT]
    [9, 16, 22, 30]
    """
    route = list(values)
    places = RANDOM_PLACES if variant == "random" else tuple(n + k for k, n in enumerate(AFTER_TILES, 1))
    for place in places:
        route.insert(place - 1, VERFLIXXT)
    return tuple(route)


def read_guards(raw: Mapping[str, Any], values: Sequence[int]) -> tuple[int, ...]:
    """The guards' tile numbers: ``guards_start``, or the first eight positive cards (plus or luck)."""
    if raw.get("guards_start") is not None:
        return check_guards(raw["guards_start"], len(values))
    return tuple(n for n, v in enumerate(values, 1) if v == LUCK or 0 < v < VERFLIXXT)[:8]
