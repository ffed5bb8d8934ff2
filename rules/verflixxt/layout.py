"""The tiles of Verflixxt!, the layouts of the route, the house rules, and the set-up read from JSON.

Sources: the German rule text ("Verflixxt! - Spielanleitung & Regeln", variants 1 to 5) and, for the standard order and
the numbers of pawns, the published English rules (https://doczz.net/doc/4540945/would-you-believe-it-).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rules.options import Choice, GameInfo, Option
from rules.protocol import SetupError
from rules.setup import Setup, is_whole, repeated, shown

LUCK = 0
"""The value of a luck tile in a route."""

VERFLIXXT = 100
"""The value of an orange Verflixxt card in a route of Verflixxt nochmal; it counts nothing and nobody takes it."""

_MINUS_TO_8 = tuple(range(-1, -9, -1))
_MINUS_TO_10 = tuple(range(-1, -11, -1))
_PLUS_UP = tuple(range(1, 9))
_PLUS_DOWN = tuple(range(8, 0, -1))
_LUCKS = (LUCK,) * 6

LAYOUTS: Mapping[str, tuple[int, ...]] = {
    "standard": _MINUS_TO_8 + _LUCKS + _PLUS_DOWN + _MINUS_TO_10,
    "blocks": _MINUS_TO_8 + _PLUS_UP + _LUCKS + _MINUS_TO_10,
    "luck_last": _MINUS_TO_8 + _PLUS_DOWN + _MINUS_TO_10 + _LUCKS,
}
"""The fixed layouts from start to finish, 0 a luck tile. ``random`` has none: its setup names the route."""

COLOURS = ("red", "blue", "green", "yellow", "black", "orange")

VARIANTS = (
    Choice("standard", "Tafeln in der üblichen Reihenfolge", "tiles in the usual order"),
    Choice("random", "alle Tafeln gemischt (Variante 1)", "all tiles shuffled (variant 1)"),
    Choice(
        "blocks",
        "-1 bis -8, +1 bis +8, Glück, -1 bis -10; Wächter auf den Plustafeln (Variante 1)",
        "-1 to -8, +1 to +8, luck, -1 to -10; guards on the plus tiles (variant 1)",
    ),
    Choice(
        "luck_last",
        "Glückstafeln am Ende; Wächter auf den Plustafeln (Variante 1)",
        "luck tiles at the end; guards on the plus tiles (variant 1)",
    ),
)

GUARD_OPTIONS = (
    Option(
        "guard_blocks_taking",
        False,
        "Bleibt ein Wächter auf der Tafel stehen, wird sie nicht genommen.",
        "A tile on which a guard stays behind is not taken.",
    ),
    Option(
        "guard_on_taken_tile",
        "remove",
        "Wohin ein Wächter kommt, dessen Tafel genommen wird.",
        "Where a guard goes whose tile is taken.",
        (
            Choice("remove", "aus dem Spiel", "out of the game"),
            Choice("next_tile", "auf die nächste Tafel", "to the next tile"),
            Choice("previous_tile", "auf die vorige Tafel", "to the previous tile"),
        ),
    ),
    Option(
        "guard_in_finish",
        "out_of_play",
        "Ob ein Wächter ins Ziel gezogen werden darf (dort bleibt er stehen).",
        "Whether a guard may be moved into the finish (where it stays).",
        (
            Choice("out_of_play", "ja, er bleibt im Ziel", "yes, it stays in the finish"),
            Choice("not_allowed", "nein, Wächter bleiben auf dem Weg", "no, guards stay on the route"),
        ),
    ),
)

TIE_OPTION = Option(
    "fewest_luck",
    False,
    "Bei Gleichstand gewinnt, wer weniger Glückstafeln hat (sonst gewinnen beide).",
    "In a tie the player with fewer luck tiles wins (otherwise both win).",
)

OPTIONS = (
    *GUARD_OPTIONS,
    TIE_OPTION,
    Option(
        "v2",
        False,
        "Variante 2: Wer eine 1 würfelt, darf vor, zurück oder stehen bleiben.",
        "Variant 2: whoever rolls a 1 may go forward, go back, or stay.",
    ),
    Option(
        "v2_guards",
        True,
        "Variante 2 gilt auch für Wächter: mit einer 1 dürfen sie einen Schritt zurück.",
        "Variant 2 holds for guards too: with a 1 they may go one step back.",
    ),
    Option(
        "v3",
        "off",
        "Variante 3: Tafeln wandern direkt vor das Ziel.",
        "Variant 3: tiles wander to the place right before the finish.",
        (
            Choice("off", "nein", "no"),
            Choice(
                "passed_by_rearmost",
                "ja: Tafeln, die hinter allen Figuren liegen",
                "yes: tiles that lie behind all pawns",
            ),
            Choice(
                "vacated",
                "ja: jede Tafel, die ihre letzte Figur verlässt (niemand nimmt sie)",
                "yes: every tile that its last pawn leaves (nobody takes it)",
            ),
        ),
    ),
    Option(
        "v4",
        False,
        "Variante 4: Schluss ist, sobald jemand alle Figuren im Ziel hat; wer dann allein auf einer Tafel steht, "
        "nimmt sie.",
        "Variant 4: the game ends when somebody has all pawns home; whoever stands alone on a tile then takes it.",
    ),
    Option(
        "v4_alone",
        "one_pawn",
        "Variante 4: wann eine Figur am Schluss allein steht.",
        "Variant 4: when a pawn stands alone at the end.",
        (
            Choice(
                "one_pawn", "keine andere Figur dabei (Wächter zählen nicht)", "no other pawn (guards do not count)"
            ),
            Choice("nothing_else", "keine andere Figur und kein Wächter dabei", "no other pawn and no guard"),
        ),
    ),
    Option(
        "v5",
        False,
        "Variante 5: Schluss ist, wenn nur noch eine Figur unterwegs ist; ihr Besitzer bekommt die höchste freie "
        "Minustafel.",
        "Variant 5: the game ends when one pawn is left; its owner gets the highest free minus tile.",
    ),
    Option(
        "v5_free",
        "no_guard",
        "Variante 5: welche Minustafeln frei sind.",
        "Variant 5: which minus tiles are free.",
        (
            Choice("no_guard", "die ohne Wächter", "those without a guard"),
            Choice("empty", "die ganz leeren", "those with nothing on them"),
        ),
    ),
)

INFO = GameInfo("verflixxt", "Verflixxt!", (2, 6), COLOURS, VARIANTS, OPTIONS)


_NAMES = {LUCK: "luck", VERFLIXXT: "verflixxt"}


def tile_name(value: int) -> str:
    """How a tile is written in records: ``"+5"``, ``"-7"``, ``"luck"``, ``"verflixxt"``."""
    return _NAMES.get(value) or f"{value:+d}"


def pawns_each(raw: Mapping[str, Any], players: int) -> int:
    """Pawns per player: 3 with up to four players, else 2, unless ``pieces_per_player`` says otherwise."""
    value = raw.get("pieces_per_player")
    if value is None:
        return 3 if players <= 4 else 2
    if not is_whole(value) or not 1 <= value <= 3:
        raise SetupError(
            f"pieces_per_player: expected 1, 2 or 3, found {shown(value)}",
            f"pieces_per_player: erwartet 1, 2 oder 3, gefunden {shown(value)}",
        )
    return int(value)


def read_route(raw: Mapping[str, Any], setup: Setup) -> tuple[int, ...]:
    """The values of the route from start to finish. A ``route`` in the setup wins over the layout's name."""
    if raw.get("route") is None:
        if setup.variant in LAYOUTS:
            return LAYOUTS[setup.variant]
        raise SetupError(
            f'route: missing; variant "{setup.variant}" needs the values of the tiles from start to finish',
            f'route: fehlt; Variante "{setup.variant}" braucht die Werte der Tafeln vom Start bis zum Ziel',
        )
    values = read_values(raw["route"])
    check_tiles(values, LAYOUTS["standard"])
    return values


def read_values(raw: object) -> tuple[int, ...]:
    """Tile values of a JSON list: whole numbers, ``"luck"`` or 0. Raises SetupError naming the first wrong one."""
    if not isinstance(raw, list | tuple):
        raise SetupError(
            f"route: expected a list, found {shown(raw)}", f"route: erwartet eine Liste, gefunden {shown(raw)}"
        )
    return tuple(_value(entry, number) for number, entry in enumerate(raw, 1))


def _value(entry: object, number: int) -> int:
    if entry in ("luck", "verflixxt"):
        return LUCK if entry == "luck" else VERFLIXXT
    if is_whole(entry):
        return int(entry)  # type: ignore[call-overload, no-any-return]
    if isinstance(entry, str) and entry[:1] in ("+", "-") and entry[1:].isdigit():
        return int(entry)
    raise SetupError(
        f'route: tile {number} is {shown(entry)}; write a number, 0 or "luck"',
        f'route: Tafel {number} ist {shown(entry)}; schreibe eine Zahl, 0 oder "luck"',
    )


def check_tiles(values: Sequence[int], tiles: Sequence[int]) -> None:
    """Raises SetupError unless ``values`` are exactly the game's ``tiles`` in some order."""
    found, wanted = Counter(values), Counter(tiles)
    extra, missing = found - wanted, wanted - found
    if not extra and not missing:
        return
    parts, teile = [], []
    if extra:
        parts.append(f"too many of {_tiles(extra)}")
        teile.append(f"zu viel: {_tiles(extra)}")
    if missing:
        parts.append(f"missing {_tiles(missing)}")
        teile.append(f"es fehlt: {_tiles(missing)}")
    raise SetupError(
        f"route: not the game's {len(tiles)} tiles ({len(values)} found): {', '.join(parts)}",
        f"route: nicht die {len(tiles)} Tafeln des Spiels ({len(values)} gefunden): {', '.join(teile)}",
    )


def _tiles(tiles: Counter[int]) -> str:
    return ", ".join(tile_name(v) + (f" ({n}x)" if n > 1 else "") for v, n in sorted(tiles.items()))


def read_guards(raw: Mapping[str, Any], setup: Setup, values: Sequence[int]) -> tuple[int, ...]:
    """The tile numbers the guards start on, from ``guards_start`` or by the layout (variant 1 of the rule text)."""
    given = raw.get("guards_start")
    if given is None:
        on_plus = setup.variant in ("blocks", "luck_last")
        return tuple(n for n, v in enumerate(values, 1) if (v > 0 if on_plus else v in (LUCK, 7, 8)))
    return check_guards(given, len(values))


def check_guards(given: object, tiles: int) -> tuple[int, ...]:
    """``guards_start`` as sorted tile numbers. Raises SetupError for places that are no tile and for too many."""
    if not isinstance(given, list | tuple) or not all(is_whole(n) and 1 <= n <= tiles for n in given):
        raise SetupError(
            f"guards_start: expected tile numbers from 1 to {tiles}, found {shown(given)}",
            f"guards_start: erwartet Tafelnummern von 1 bis {tiles}, gefunden {shown(given)}",
        )
    twice = repeated(given)
    if len(given) > 8 or twice is not None:
        raise SetupError(
            f"guards_start: the game has 8 guards, each on a tile of its own, found {shown(given)}",
            f"guards_start: das Spiel hat 8 Wächter, jeder auf einer eigenen Tafel, gefunden {shown(given)}",
        )
    return tuple(sorted(given))


def exclude_both_ends(options: Mapping[str, Any]) -> None:
    """Raises SetupError when variants 4 and 5, which end the game in different ways, are both on."""
    if options["v4"] and options["v5"]:
        raise SetupError(
            "options: v4 and v5 end the game in different ways, choose one of them",
            "options: v4 und v5 beenden das Spiel verschieden, wähle eine davon",
        )
