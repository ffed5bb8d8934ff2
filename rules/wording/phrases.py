"""Facts of a violation as phrases: who, which piece, from where to where, which tile."""

from __future__ import annotations

from collections.abc import Mapping

Fact = str | int

COLOURS = {
    "red": "rot",
    "blue": "blau",
    "green": "grün",
    "yellow": "gelb",
    "black": "schwarz",
    "orange": "orange",
    "white": "weiß",
    "purple": "lila",
    "pink": "pink",
}
"""German words for colours."""

_ADJECTIVES = {"orange": "orange", "purple": "lila", "pink": "pinke"}


def colour(name: str, lang: str) -> str:
    """A colour in words."""
    return COLOURS.get(name, name) if lang == "de" else name


def piece(name: str, lang: str) -> str:
    """A piece with its article: ``"die rote Figur"``, ``"the guard"``."""
    kind, _, which = name.partition(":")
    if kind == "flixxy":
        return "Flixxy"
    if kind == "guard":
        return "der Wächter" if lang == "de" else "the guard"
    if lang == "de":
        return f"die {_ADJECTIVES.get(which, colour(which, lang) + 'e')} Figur"
    return f"the {which} pawn"


def tile(name: str, lang: str) -> str:
    """A tile with its article: ``"die Tafel -3"``, ``"a luck tile"``."""
    german = {"luck": "die Glückstafel", "verflixxt": "die Verflixxt-Karte"}
    english = {"luck": "the luck tile", "verflixxt": "the Verflixxt card"}
    if lang == "de":
        return german.get(name, f"die Tafel {name}")
    return english.get(name, f"tile {name}")


def place_from(name: str, lang: str) -> str:
    """Where a piece came from: ``"von der -3"``, ``"from the start"``."""
    if lang == "de":
        known = {"start": "vom Start", "finish": "aus dem Ziel", "luck": "von einer Glückstafel", "home": "vom Schatz"}
        known["out"] = "von außerhalb des Spiels"
        return known.get(name, f"von der {name}" if name[:1] in "+-" else f"von {_noun(name, lang)}")
    known = {"start": "from the start", "finish": "from the finish", "luck": "from a luck tile"}
    known |= {"home": "from the treasure", "out": "from outside the game"}
    return known.get(name, f"from {_noun(name, lang)}")


def place_to(name: str, lang: str) -> str:
    """Where a piece went: ``"auf die +8"``, ``"into the finish"``."""
    if lang == "de":
        known = {
            "start": "auf den Start",
            "finish": "ins Ziel",
            "luck": "auf eine Glückstafel",
            "home": "zum Schatz",
            "out": "aus dem Spiel",
        }
        return known.get(name, f"auf die {name}" if name[:1] in "+-" else f"auf {_noun(name, lang)}")
    known = {
        "start": "to the start",
        "finish": "into the finish",
        "luck": "to a luck tile",
        "home": "to the treasure",
        "out": "out of the game",
    }
    return known.get(name, f"to {_noun(name, lang)}")


def _noun(name: str, lang: str) -> str:
    if name == "verflixxt":
        return "die Verflixxt-Karte" if lang == "de" else "the Verflixxt card"
    if name.isdigit():
        return f"Feld {name}" if lang == "de" else f"field {name}"
    return name


def steps(count: int, lang: str) -> str:
    """A number of steps: ``"1 Schritt"``, ``"3 steps"``."""
    one, many = ("Schritt", "Schritte") if lang == "de" else ("step", "steps")
    return f"{abs(count)} {one if abs(count) == 1 else many}"


def phrases(facts: Mapping[str, Fact], lang: str) -> dict[str, str]:
    """All facts as phrases; ``piece`` and ``tile`` also with a capital (``Piece``, ``Tile``)."""
    said = {name: str(value) for name, value in facts.items()}
    for name in ("colour", "row"):
        if name in said:
            said[name] = colour(said[name], lang)
    if "from" in facts:
        said["from"] = place_from(str(facts.get("from_tile", facts["from"])), lang)
    if "to" in facts and "from" in facts:
        said["to"] = place_to(str(facts.get("to_tile", facts["to"])), lang)
    if isinstance(facts.get("steps"), int):
        said["steps"] = steps(int(facts["steps"]), lang)
    if "piece" in facts:
        said["piece"] = piece(str(facts["piece"]), lang)
    for name in ("tile", "wanted"):
        if name in facts:
            said[name] = tile(str(facts[name]), lang)
    for name in ("piece", "tile"):
        if name in said:
            said[name.capitalize()] = said[name][:1].upper() + said[name][1:]
    return said
