"""Violations, turns, scores and outcomes in sentences that a ten-year-old understands, German and English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.protocol import Game, Json, Outcome, Violation
from rules.wording.dice_flick import DICE_FLICK
from rules.wording.phrases import colour, phrases
from rules.wording.qwixx_express import QWIXX_EXPRESS
from rules.wording.spuk import SPUK
from rules.wording.turns import TileOf, turn_words
from rules.wording.verflixxt import COMMON, NOCHMAL, VERFLIXXT
from rules.wording.wording import Wording

WORDINGS: Mapping[str, Wording] = {**COMMON, **VERFLIXXT, **NOCHMAL, **SPUK, **DICE_FLICK, **QWIXX_EXPRESS}
"""Every broken rule by its stable name."""

OUTCOMES: Mapping[str, tuple[str, str]] = {
    "all_home": ("Alle Figuren sind im Ziel.", "All pawns are in the finish."),
    "first_player_home": ("Jemand hat alle Figuren im Ziel (Variante 4).", "Somebody has all pawns home (variant 4)."),
    "one_pawn_left": ("Nur noch eine Figur ist unterwegs (Variante 5).", "Only one pawn is left (variant 5)."),
    "treasure_reached": ("Alle nötigen Figuren sind beim Schatz.", "All figures needed are at the treasure."),
    "nobody_can_move": ("Keine Figur kann mehr ziehen.", "No figure can move any more."),
    "ten_rounds": ("Alle Runden sind gespielt.", "All rounds have been played."),
    "two_rows_closed": ("Zwei Reihen sind geschlossen.", "Two rows are closed."),
    "four_misthrows": ("Jemand hat das vierte -5-Feld angekreuzt.", "Somebody crossed the fourth -5 field."),
    "stopped": ("Das Spiel wurde vorher beendet.", "The game was stopped early."),
}
"""Why a game ended, by the stable name in :attr:`rules.protocol.Outcome.why`."""


def violation_text(violation: Violation, lang: str) -> str:
    """The sentence for a violation, its facts filled in; ``lang`` is ``"de"`` or ``"en"``."""
    wording = WORDINGS[violation.rule]
    sentence, plain = (wording.de, wording.plain_de) if lang == "de" else (wording.en, wording.plain_en)
    try:
        return sentence.format_map(phrases(dict(violation.facts), lang))
    except KeyError:
        return plain


def violation_source(rule: str) -> str:
    """Where the rule text says so."""
    return WORDINGS[rule].source


def violation_line(violation: Violation, lang: str) -> Json:
    """A violation as records have it: ``rule``, ``text`` and the ``facts``, from which the text can be made again."""
    return {"rule": violation.rule, "text": violation_text(violation, lang), "facts": dict(violation.facts)}


def violation_from_line(line: Mapping[str, Any]) -> Violation:
    """Inverse of :func:`violation_line` (the text does not matter)."""
    return Violation(str(line["rule"]), tuple((line.get("facts") or {}).items()))


def outcome_text(outcome: Outcome, lang: str) -> str:
    """Why the game is over and who won."""
    why = outcome.why
    if why in OUTCOMES:
        why = OUTCOMES[why][0 if lang == "de" else 1]
    names, several = " und " if lang == "de" else " and ", len(outcome.winners) > 1
    won = ("gewinnen" if several else "gewinnt") if lang == "de" else ("win" if several else "wins")
    return f"{why} {names.join(outcome.winners)} {won}."


_PARTS_DE = {
    "luck": "Glück", "end": "am Ende", "token": "Rundenplättchen", "worms": "Wurmplättchen", "row": "Reihe",
    "misthrow": "Fehlwürfe", "round": "Runde", "home": "beim Schatz",
}
_PARTS_EN = {
    "luck": "luck", "end": "at the end", "token": "round token", "worms": "worm tokens", "row": "row",
    "misthrow": "misthrows", "round": "round", "home": "at the treasure",
}


def score_part_text(label: str, lang: str) -> str:
    """One part of a score in words: ``"luck:-8"`` is a minus tile that a luck tile turned."""
    kind, _, rest = label.partition(":")
    words = _PARTS_DE if lang == "de" else _PARTS_EN
    if not rest:
        return words.get(kind, kind)
    if kind == "luck":
        return f"{rest}, durch Glück plus" if lang == "de" else f"{rest}, turned plus by luck"
    return f"{words.get(kind, kind)} {colour(rest, lang)}"


def turn_text(game: Game[Any, Any], state: Any, action: Any, lang: str) -> str:
    """What happened, short enough to be spoken: ``"Anna, 4: red from -3 to +7, takes -3"``.

    ``state`` is the state before ``action``.
    """
    tile_of = getattr(getattr(state, "config", None), "tile", None)
    return line_text(game.action_to_line(state, action), lang, tile_of)


def line_text(line: Mapping[str, Any], lang: str, tile_of: TileOf | None = None) -> str:
    """The same for a record line; ``tile_of`` names a place (``state.config.tile`` in Verflixxt)."""
    return turn_words(line, lang, tile_of)
