"""What may have happened in a turn, for a person who puts a wrong verdict right: the rules' candidates for a roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from rules import game_of
from rules.protocol import RecordError, SetupError
from rules.texts import turn_text, violation_line
from web.app import current_config
from web.guard import controlled, json_body

Json = dict[str, Any]

MOST_CANDIDATES = 120
HIGHEST_ROLL = 18
"""Rolls of one die are 1 to 6; games with a second die count its faces on (see the game's rules)."""

blueprint = Blueprint("edits", __name__, url_prefix="/api/game")


@blueprint.post("/candidates")
@controlled
def candidates() -> ResponseReturnValue:
    """``{"index": k, "roll": n}``: what entry ``k`` of the turns could have been with this roll, legal turns first.

    Answers ``{"candidates": [turn line with "text"], "player"}``. Raises SetupError while no game runs.
    """
    desk = current_app.extensions["schiri-desk"]
    wanted = json_body()
    turns = current_config().hub.snapshot().get("turns") or []
    index, roll = wanted.get("index"), wanted.get("roll")
    if desk.setup is None or type(index) is not int or not 0 <= index <= len(turns):
        raise SetupError("there is no such turn", "diesen Zug gibt es nicht")
    if type(roll) is not int or not 1 <= roll <= HIGHEST_ROLL:
        raise SetupError("roll: expected 1 to 6", "roll: erwartet 1 bis 6")
    return jsonify(possible_turns(desk.setup, turns[:index], roll))


def possible_turns(setup: Mapping[str, Any], played: Sequence[Json], roll: int) -> Json:
    """The candidates after ``played`` as lines with their sentences. Raises RecordError, SetupError."""
    game = game_of(setup)
    state = state_after(setup, played)
    found = [
        {
            "type": "turn", **game.action_to_line(state, candidate.action),
            "legal": candidate.verdict.legal,
            "violations": [
                {"rule": v.rule, "text": {lang: violation_line(v, lang)["text"] for lang in ("de", "en")}}
                for v in candidate.verdict.violations
            ],
            "text": {lang: turn_text(game, state, candidate.action, lang) for lang in ("de", "en")},
        }
        for candidate in islice(game.candidates(state, roll), MOST_CANDIDATES)
    ]  # fmt: skip
    players = setup["players"]
    return {"candidates": found, "player": players[game.player_to_move(state)]["name"]}


def state_after(setup: Mapping[str, Any], played: Sequence[Json]) -> Any:
    """The state of the game after these lines (turns and corrections). Raises RecordError where they do not follow."""
    from vision.events import told

    game = game_of(setup)
    state = game.start(setup)
    for line in played:
        state = told(game, state, line).after
    return state


def readable(setup: Mapping[str, Any], played: Sequence[Json], line: Mapping[str, Any]) -> bool:
    """Whether a turn line can be read after ``played``."""
    try:
        game = game_of(setup)
        game.judge(state := state_after(setup, played), game.action_from_line(state, line))
    except (RecordError, SetupError):
        return False
    return True
