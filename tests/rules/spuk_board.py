"""The board of the worked examples (not the real one) and states on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.protocol import Move
from rules.spuk import Spuk, State, Turn

NUMBERED = {4: 1, 8: 2, 12: 3, 17: 4, 21: 5, 25: 6}
RIVER, WALL, TREASURE = 14, 28, 29
COLOURS = {"R": "red", "B": "blue", "Y": "yellow", "G": "green"}
GAME = Spuk()


def kind(index: int) -> str:
    if index in NUMBERED:
        return "numbered"
    return {0: "start", RIVER: "square", WALL: "square", TREASURE: "treasure"}.get(index, "round")


def setup(players: str = "RBYG", variant: str = "3_to_win", **options: Any) -> dict[str, Any]:
    fields = [{"index": k, "kind": kind(k), "number": NUMBERED.get(k)} for k in range(TREASURE + 1)]
    named = [{"name": letter, "colour": COLOURS[letter]} for letter in players]
    return {"game": "spuk", "variant": variant, "options": options, "players": named, "board": {"fields": fields}}


def state(where: str, players: str = "RBYG", variant: str = "3_to_win", **options: Any) -> State:
    """``state("R14 B11,12")``: red on 14, blue on 11 and 12, everybody else on the start; red to move."""
    start = GAME.start(setup(players, variant, **options))
    at = list(start.at)
    for word in where.split():
        fields = [int(field) for field in word[1:].split(",")]
        at[players.index(word[0])] = tuple(sorted(fields + [0] * (5 - len(fields))))
    return replace(start, at=tuple(at))


def moves(text: str) -> tuple[Move, ...]:
    """``moves("R20-23 B23-17")``; the treasure is ``home``."""
    found = []
    for word in text.split():
        ends = [end if end == "home" else int(end) for end in word[1:].split("-")]
        found.append(Move(f"pawn:{COLOURS[word[0]]}", ends[0], ends[1]))
    return tuple(found)


def turn(who: str, roll: int, text: str, players: str = "RBYG") -> Turn:
    return Turn(players.index(who), roll, moves(text))
