"""Positions of Verflixxt nochmal in few words, for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.nochmal import Nochmal, State, Turn

GAME = Nochmal()
NAMES = {"Rita": "red", "Ben": "blue", "Yara": "yellow", "Walt": "white", "Pia": "purple"}
FIN = 37


def setup(players: int = 3, variant: str = "standard", pawns: int = 3, **more: Any) -> dict[str, Any]:
    """A setup; standard layout of 36 cards, Verflixxt cards on 9, 16, 22, 30. ``route`` is no house rule."""
    who = [{"name": name, "colour": colour} for name, colour in list(NAMES.items())[:players]]
    raw = {"game": "verflixxt-nochmal", "variant": variant, "players": who, "pieces_per_player": pawns}
    return {**raw, **{k: more.pop(k) for k in ("route", "guards_start") if k in more}, "options": more}


def position(
    red: tuple[int, ...] = (FIN,) * 3,
    blue: tuple[int, ...] = (FIN,) * 3,
    yellow: tuple[int, ...] = (FIN,) * 3,
    guards: tuple[int, ...] = (),
    flixxy: int | str = 0,
    stacks: tuple[tuple[int, ...], ...] = ((), (), ()),
    gone: tuple[int, ...] = (),
    tokens: tuple[tuple[int, ...], ...] = ((), (), ()),
    worms: tuple[int, ...] = (0, 0, 0),
    laps: int = 0,
    with_worms: bool = False,
    **options: Any,
) -> State:
    """A position on the standard layout, three players, Rita to move; ``gone`` cards are out of the game."""
    start = GAME.start(setup(worms=with_worms, **options))
    lying = [t for t in start.route if t not in gone and not any(t in pile for pile in stacks)]
    pawns = tuple(tuple(sorted(places)) for places in (red, blue, yellow))
    return replace(
        start, route=tuple(lying), pawns=pawns, guards=tuple(sorted(guards)), flixxy=flixxy, collected=stacks,
        removed=gone, tokens=tokens, worms=worms, laps=laps,
    )  # fmt: skip


def turn(state: State, roll: int, die: str | None, *moves: str, **fields: Any) -> Turn:
    """A turn from words: ``"red 3-7"``, ``"flixxy 36-2"``; ``fields`` as in records."""
    entries = []
    for words in moves:
        piece, _, ends = words.partition(" ")
        start, _, to = ends.partition("-")
        name = piece if piece in ("guard", "flixxy") else f"pawn:{piece}"
        entries.append({"piece": name, "from": start, "to": to})
    line = {"type": "turn", "player": "Rita", "roll": roll, "action_die": die, "moves": entries, **fields}
    return GAME.action_from_line(state, line)
