"""What a person can tell the referee, as a small mapping from the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vision.edits import KINDS
from vision.events import Json
from vision.referee import Referee


def obey(referee: Referee, command: Mapping[str, Any], t_s: float) -> list[Json]:
    """The lines that a command leads to.

    ``{"do": "choose", "index": n}`` and ``"dismiss"`` (either may name the question that it answers: ``"t_s"``),
    ``"undo"``, ``"take"`` (the table as it stands),
    ``{"do": "remove", "index": n}``, ``{"do": "change"|"insert", "index": n, "turn": {...}}``,
    ``{"do": "action_die", "value": "must"|"may"|"may_not"}``.
    Raises ValueError (RecordError for a turn that cannot have happened) for one that is outdated or means nothing.
    """
    wanted = command.get("do") or command.get("command")
    if wanted in ("choose", "dismiss"):
        _check_question(referee, command.get("t_s"))
    if wanted == "choose":
        return referee.choose(_number(command), t_s)
    if wanted == "undo":
        return referee.undo(t_s)
    if wanted == "dismiss":
        referee.dismiss()
        return []
    if wanted == "take":
        return referee.take(t_s)
    if wanted == "action_die":
        referee.say(str(command.get("value", "")))
        return []
    if wanted in KINDS:
        turn = command.get("turn")
        return referee.edit(str(wanted), _number(command), dict(turn) if isinstance(turn, Mapping) else None, t_s)
    raise ValueError(f"there is no command {wanted}")


def _check_question(referee: Referee, asked_t_s: Any) -> None:
    """Raise ValueError when a person answered another question than the open one."""
    question = referee.history.question
    if asked_t_s is not None and (question is None or question.line["t_s"] != asked_t_s):
        raise ValueError("another question is open by now")


def _number(command: Mapping[str, Any]) -> int:
    """Which entry a command means; -1 where it says none."""
    number = command.get("index", command.get("alternative"))
    return number if isinstance(number, int) else -1
