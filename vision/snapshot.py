"""The whole state of a game as the page shows it; the fields are listed in ``ARCHITECTURE.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vision.events import Json
from vision.referee import Referee
from vision.why import LOOKING, Text


def snapshot(referee: Referee, setup: Mapping[str, Any], lines: Sequence[Json], t_s: float, fps: float) -> Json:
    """``lines``: everything the referee has written so far, oldest first."""
    history = referee.history
    game, state = history.game, history.state
    players = [{"name": p["name"], "colour": p.get("colour", "")} for p in setup["players"]]
    over = game.outcome(state) is not None
    return {
        "game": setup["game"], "players": players,
        "state": referee.state_name, "why": referee.why,
        "turn": state.turns + 1, "to_move": None if over else players[game.player_to_move(state)]["name"],
        "roll": history.branch.die.face(),
        "scores": [
            {"player": s.player, "total": s.total, "parts": [{"what": w, "points": p} for w, p in s.parts]}
            for s in game.scores(state)
        ],
        "turns": settled_lines(lines),
        "needs_you": _question(history.question.line) if history.question else None,
        "end": next((line for line in reversed(lines) if line["type"] == "end"), None) if over else None,
        "places": places(referee), "t_s": round(t_s, 2), "fps": round(fps, 1),
    }


def places(referee: Referee) -> list[Json]:
    """Where every place is seen, in parts of the picture's width and height, and what should be there."""
    if referee.layout is None:
        return []
    spots, contents = referee.layout, referee.contents()
    at = referee.plane.to_px([spot.pos_mm for spot in spots.values()]) / referee.plane.size_wh
    return [
        {"place": place, "at": [round(float(v), 4) for v in xy], "tile": contents[place].tile,
         "pieces": list(contents[place].pieces)}
        for place, xy in zip(spots, at, strict=True)
    ]


def waiting(setup: Mapping[str, Any], why: Text = LOOKING) -> Json:
    """The snapshot before there is a referee."""
    players = [{"name": p["name"], "colour": p.get("colour", "")} for p in setup["players"]]
    return {
        "game": setup["game"], "players": players, "state": "waiting", "why": why, "turn": 1, "to_move": None,
        "roll": None, "scores": [], "turns": [], "needs_you": None, "end": None,
        "places": [], "t_s": 0.0, "fps": 0.0,
    }


def settled_lines(lines: Sequence[Json]) -> list[Json]:
    """Turns and corrections that still hold: each undo takes the last one back."""
    kept: list[Json] = []
    for line in lines:
        if line["type"] in ("turn", "correction"):
            kept.append(line)
        elif line["type"] == "undo" and kept:
            kept.pop()
    return kept


def _question(line: Json) -> Json:
    return {"why": line["why"], "alternatives": line["alternatives"], "t_s": line["t_s"]}
