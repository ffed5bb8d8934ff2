"""What happened in a turn, short enough to be spoken: ``"Anna, 4: red from -3 to +7, takes -3"``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.protocol import Place
from rules.wording.phrases import colour

TileOf = Callable[[Place], str]

_PLACES = {
    "start": ("Start", "start"),
    "finish": ("Ziel", "finish"),
    "luck": ("Glück", "luck"),
    "verflixxt": ("Verflixxt", "Verflixxt"),
    "home": ("Schatz", "treasure"),
}
_WORMS = {
    "extra_turn": ("noch ein Zug", "extra turn"),
    "to_bottom": ("oberste Karte nach unten", "top card to the bottom"),
    "move_others": ("zieht die anderen", "moves the others"),
    "swap": ("tauscht Plätze", "swaps places"),
}
_ACTION_DIE = {
    "must": ("Flixxy muss", "Flixxy must"),
    "may": ("Flixxy darf", "Flixxy may"),
    "may_not": ("ohne Flixxy", "no Flixxy"),
}


def turn_words(line: Mapping[str, Any], lang: str, tile_of: TileOf | None) -> str:
    """The words for one turn line; ``tile_of`` gives the name of a place where a bare number says little."""
    german = lang == "de"
    head = str(line.get("player") or line.get("stopper") or "")
    if line.get("roll") is not None:
        head = f"{head}, {line['roll']}" if head else str(line["roll"])
    if line.get("action_die") in _ACTION_DIE:
        head += f" ({_ACTION_DIE[line['action_die']][0 if german else 1]})"
    parts = [
        *_moves(line, german, tile_of),
        *_tiles(line, german),
        *_extras(line, german),
        *_flicks(line, german),
        *_crosses(line, german),
    ]
    return f"{head}: {', '.join(parts) or ('bewegt nichts' if german else 'moves nothing')}"


def _moves(line: Mapping[str, Any], german: bool, tile_of: TileOf | None) -> list[str]:
    said = []
    for move in line.get("moves") or []:
        who = _piece(str(move["piece"]), german)
        if move["to"] == "out":
            said.append(f"{who} verlässt das Spiel" if german else f"{who} leaves the game")
            continue
        start, to = (_place(move[end], german, tile_of) for end in ("from", "to"))
        said.append(f"{who} von {start} auf {to}" if german else f"{who} from {start} to {to}")
    return said


def _piece(name: str, german: bool) -> str:
    kind, _, which = name.partition(":")
    if kind == "guard":
        return "Wächter" if german else "guard"
    if kind == "flixxy":
        return "Flixxy"
    return colour(which, "de").capitalize() if german else which


def _place(place: Place, german: bool, tile_of: TileOf | None) -> str:
    name = tile_of(0 if place == "start" else place) if tile_of is not None else str(place)
    return _word(name, german)


def _word(name: str, german: bool) -> str:
    return _PLACES[name][0 if german else 1] if name in _PLACES else name


def _tiles(line: Mapping[str, Any], german: bool) -> list[str]:
    said = []
    for field, de, en in (("taken", "nimmt", "takes"), ("returned", "legt zurück", "puts back")):
        entries = line.get(field) or []
        if all(isinstance(entry, str) for entry in entries):
            said += [f"{de if german else en} {_word(entry, german)}" for entry in entries]
    for given in line.get("given") or []:
        tile, to = _word(str(given["tile"]), german), given["to"]
        said.append(f"{to} nimmt {tile}" if german else f"{to} takes {tile}")
    return said


def _extras(line: Mapping[str, Any], german: bool) -> list[str]:
    said = []
    if line.get("passed"):
        tile, to = _word(str(line["passed"]["tile"]), german), line["passed"]["to"]
        if to is None:
            said.append(f"{tile} aus dem Spiel" if german else f"{tile} leaves the game")
        else:
            said.append(f"gibt {tile} an {to}" if german else f"passes {tile} to {to}")
    if line.get("token"):
        said.append(f"Rundenplättchen {line['token']}" if german else f"round token {line['token']}")
    for worm in line.get("worms") or []:
        name = _WORMS.get(str(worm.get("action")), (str(worm.get("action")),) * 2)[0 if german else 1]
        said.append(f"Wurm: {name}" if german else f"worm: {name}")
    return said


def _flicks(line: Mapping[str, Any], german: bool) -> list[str]:
    said = []
    for flick in line.get("flicks") or []:
        die = colour(str(flick.get("die")), "de" if german else "en")
        if flick.get("landed") == "hole":
            value = f" {flick['value']}" if flick.get("value") is not None else ""
            place = f"{flick.get('row')}/{flick.get('col')}"
            said.append(f"{die}{value} in Loch {place}" if german else f"{die}{value} in hole {place}")
        else:
            said.append(f"{die} zurück in den Beutel" if german else f"{die} back into the bag")
    points = line.get("points", line.get("claimed"))
    if isinstance(points, int):
        said.append(f"{points} Punkte" if german else f"{points} points")
    return said


def _crosses(line: Mapping[str, Any], german: bool) -> list[str]:
    said = []
    if line.get("stopper"):
        said.append("ruft Stopp" if german else "calls stop")
    for cross in line.get("crosses") or []:
        row = colour(str(cross.get("row")), "de" if german else "en")
        who, number = cross.get("player"), cross.get("number")
        said.append(f"{who} kreuzt {row} {number} an" if german else f"{who} crosses {row} {number}")
    for who, count in (line.get("misthrow") or {}).items():
        if count:
            said.append(f"{who} {count}-mal Fehlwurf" if german else f"{who} misthrow {count}")
    return said
