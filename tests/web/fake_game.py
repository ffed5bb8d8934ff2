"""A game as the page gets it, made up."""

from __future__ import annotations

from typing import Any

CODE = "482913"


def turn(number: int, player: str, legal: bool = True) -> dict[str, Any]:
    """A line of the record as snapshots carry it."""
    rule = {"rule": "wrong_count", "text": {"de": "Gewürfelt war 3, gezogen wurde 4.", "en": "Rolled 3, moved 4."}}
    return {
        "type": "turn", "turn": number, "t_s": 7.5 * number, "player": player, "roll": 3, "moves": [], "taken": [],
        "legal": legal, "violations": [] if legal else [rule], "confidence": 0.97,
        "text": {"de": f"{player}, 3: rot auf −3.", "en": f"{player}, 3: red to −3."},
    }  # fmt: skip


def snapshot(**changes: Any) -> dict[str, Any]:
    """A game of two players in the middle of turn 3."""
    return {
        "game": "verflixxt",
        "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
        "state": "at_rest", "why": {"de": "Alles ruhig.", "en": "All quiet."}, "turn": 3, "to_move": "Anna", "roll": 3,
        "scores": [
            {"player": "Anna", "total": -3, "parts": [{"what": "-3", "points": -3}]},
            {"player": "Ben", "total": 8, "parts": [{"what": "luck:-8", "points": 8}, {"what": "luck", "points": 0}]},
        ],
        "turns": [turn(1, "Anna"), turn(2, "Ben")], "needs_you": None, "end": None, "t_s": 15.0, "fps": 10.0, **changes,
    }  # fmt: skip
