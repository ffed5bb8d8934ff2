"""What can be set before a game of Dice Flick, and the stickers read from the setup.

Source: the German rule text ("Dice Flick Anleitung und Regeln"). It gives no smallest group; three is what the public
reviews agree on (https://brettspiel-news.de/index.php/brettspieltest/7746-test-dice-flick).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from rules.dice_flick.grid import CENTRE, SIDE, Cell, is_hole, mask_of
from rules.dice_flick.values import GROUP_COLOURS, Markers
from rules.options import Choice, GameInfo, Option
from rules.protocol import SetupError
from rules.setup import is_whole, shown

OPTIONS = (
    Option(
        "min_group", 3,
        "Wie viele Würfel und sichtbare Upgrade-Marker mindestens eine Gruppe bilden.",
        "How many dice and visible upgrade markers make a group at least.",
        (Choice(2, "zwei", "two"), Choice(3, "drei", "three"), Choice(4, "vier", "four")),
    ),
    Option(
        "whites_alone", True,
        "Weiße Würfel dürfen auch ohne farbigen Würfel eine Gruppe bilden.",
        "White dice may form a group without a coloured die.",
    ),
    Option(
        "partial_groups", False,
        "Von einer größeren Gruppe darf auch nur ein Teil gewertet werden.",
        "Part of a larger group may be scored alone.",
    ),
    Option(
        "knaller_optional", True,
        "Ein Knaller darf liegen bleiben, ohne dass seine Reihe gewertet wird.",
        "A Knaller may be left lying without scoring a line.",
    ),
    Option(
        "centre_and_upgrade", "both",
        "Was für einen Würfel auf dem Center-Marker gilt, dessen Gruppe ein Upgrade-Marker verdoppelt.",
        "What a die on the centre marker counts in a group that an upgrade marker doubles.",
        (Choice("both", "beides: vierfach", "both: four times"), Choice("once", "nur doppelt", "only twice")),
    ),
    Option(
        "ever_covered_is_dead", False,
        "Ein Upgrade-Marker, auf dem einmal ein Würfel lag, zählt nie mehr.",
        "An upgrade marker that was once covered by a die counts no more.",
    ),
    Option(
        "bonus_per_turn", "every",
        "Wie viele zusätzliche Würfel die Bonus-Marker in einem Zug bringen.",
        "How many extra dice the bonus markers give in one turn.",
        (
            Choice("every", "einen für jeden Würfel, der dort landet", "one for every die that lands there"),
            Choice("one", "höchstens einen", "one at most"),
        ),
    ),
    Option(
        "stacked_die", "bag",
        "Was mit einem Würfel geschieht, der auch nach dem Rütteln auf einem anderen liegt.",
        "What happens to a die that still lies on another one after jogging the box.",
        (
            Choice("bag", "er kommt in den Beutel", "it goes back to the bag"),
            Choice("again", "er wird noch einmal geschnipst", "it is flicked again"),
        ),
    ),
    Option(
        "third_die", "keep",
        "Was mit dem dritten Würfel geschieht, der nicht geschnipst wurde.",
        "What happens to the third die that was not flicked.",
        (
            Choice("keep", "er bleibt liegen, der nächste Zug ergänzt auf drei", "it stays; next turn draw up to 3"),
            Choice("return", "er kommt in den Beutel, jeder Zug beginnt mit drei neuen", "it goes back; always draw 3"),
        ),
    ),
    Option(
        "rounds", 10,
        "Wie viele Runden gespielt werden.",
        "How many rounds are played.",
        tuple(Choice(n, str(n), str(n)) for n in range(1, 21)),
    ),
)

INFO = GameInfo(
    "dice-flick",
    "Dice Flick",
    (2, 4),
    (),
    (
        Choice("standard", "Die Schnips-Teller bleiben, wo sie stecken.", "The flick plates stay where they are."),
        Choice("easy", "Leicht: Kinder dürfen den Schnips-Teller verschieben.", "Easy: children may move the plate."),
    ),
    OPTIONS,
    coloured=False,
)

_STICKERS = (*(f"upgrade_{c}" for c in GROUP_COLOURS), "centre", "bonus")


def read_markers(raw: Mapping[str, Any]) -> Markers:
    """The stickers of a setup, ``{"upgrade_green": [[2, 2]], "centre": [[3, 3]], ...}``. Raises SetupError."""
    given = raw.get("markers", {})
    if not isinstance(given, Mapping):
        raise SetupError(
            'markers: expected an object like {"upgrade_green": [[2, 2]]}',
            'markers: erwartet ein Objekt wie {"upgrade_green": [[2, 2]]}',
        )
    masks: dict[str, int] = {}
    for name, holes in given.items():
        if name not in _STICKERS:
            raise SetupError(
                f"markers: unknown sticker {shown(name)}; known are {', '.join(_STICKERS)}",
                f"markers: unbekannter Aufkleber {shown(name)}; bekannt sind {', '.join(_STICKERS)}",
            )
        masks[name] = _holes(name, holes)
    masks.setdefault("centre", mask_of(CENTRE))
    _check_apart(masks)
    upgrades = tuple((c, masks[f"upgrade_{c}"]) for c in GROUP_COLOURS if masks.get(f"upgrade_{c}"))
    return Markers(upgrades, masks["centre"], masks.get("bonus", 0))


def _holes(name: str, holes: object) -> int:
    mask = 0
    for hole in holes if isinstance(holes, list | tuple) else [holes]:
        if not _is_cell(hole):
            raise SetupError(
                f"markers: {name} at {shown(hole)}; a hole is [row, column], both 1 to {SIDE}",
                f"markers: {name} bei {shown(hole)}; ein Loch ist [Zeile, Spalte], beide 1 bis {SIDE}",
            )
        mask |= mask_of(hole)
    return mask


def _is_cell(hole: object) -> TypeGuard[Cell]:
    return isinstance(hole, list | tuple) and len(hole) == 2 and all(is_whole(n) for n in hole) and is_hole(hole)


def _check_apart(masks: Mapping[str, int]) -> None:
    taken: dict[int, str] = {}
    for name, mask in masks.items():
        for other, holes in taken.items():
            if other & mask:
                raise SetupError(
                    f"markers: {holes} and {name} lie in the same hole; give every sticker a hole of its own",
                    f"markers: {holes} und {name} liegen im selben Loch; jeder Aufkleber braucht ein eigenes",
                )
        taken[mask] = name
