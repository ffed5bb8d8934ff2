"""Positions of Verflixxt! in few words, for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.verflixxt import State, Verflixxt

GAME = Verflixxt()
COLOURS = {"Rita": "red", "Ben": "blue", "Yara": "yellow"}


def setup(players: int = 3, variant: str = "standard", pawns: int = 3, **options: Any) -> dict[str, Any]:
    """A setup of the first ``players`` of Rita (red), Ben (blue), Yara (yellow)."""
    who = [{"name": name, "colour": colour} for name, colour in list(COLOURS.items())[:players]]
    return {"game": "verflixxt", "variant": variant, "players": who, "pieces_per_player": pawns, "options": options}


def position(
    red: tuple[int, ...] = (33, 33, 33),
    blue: tuple[int, ...] = (33, 33, 33),
    yellow: tuple[int, ...] = (33, 33, 33),
    guards: tuple[int, ...] = (),
    gone: tuple[int, ...] = (),
    collected: tuple[tuple[int, ...], ...] = ((), (), ()),
    to_move: int = 0,
    **options: Any,
) -> State:
    """A position on the standard route of 32 tiles, three players; ``gone`` tiles count as collected by Yara."""
    start = GAME.start(setup(**options))
    return replace(
        start,
        to_move=to_move,
        route=tuple(t for t in start.route if t not in gone and not any(t in pile for pile in collected)),
        pawns=(tuple(sorted(red)), tuple(sorted(blue)), tuple(sorted(yellow))),
        guards=tuple(sorted(guards)),
        collected=(*collected[:2], (*collected[2], *gone)),
    )


def turn(state: State, roll: int, *moves: str, taken: tuple[str | int, ...] = (), player: str = "Rita") -> Any:
    """A turn from words: ``"red 3-7"``, ``"guard 9-out"``; ``taken`` as in records."""
    entries = []
    for words in moves:
        piece, _, ends = words.partition(" ")
        start, _, to = ends.partition("-")
        entries.append({"piece": piece if piece == "guard" else f"pawn:{piece}", "from": start, "to": to})
    line = {"type": "turn", "player": player, "roll": roll, "moves": entries, "taken": list(taken)}
    return GAME.action_from_line(state, line)
