"""A person changes, inserts or removes a turn: what follows is derived again from it, by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rules.protocol import RecordError
from vision import events
from vision.events import Json
from vision.explain import Told

KINDS = ("change", "insert", "remove")


def edited(game: Any, state: Any, later: Sequence[Told], line: Json | None) -> list[Told]:
    """What has happened since ``state``: what ``line`` says (a turn or correction of a record; None: nothing), then
    ``later`` once more.

    What follows is judged anew. A turn that cannot have happened any more (its piece stands elsewhere now) becomes a
    correction to the table after it: what was seen on the table holds. Raises RecordError for a line that cannot have
    happened.
    """
    result: list[Told] = []
    if line is not None:
        result.append(events.told(game, state, {"type": "turn", **line}))
    for old in later:
        result.append(_again(game, result[-1].after if result else state, old))
    return result


def _again(game: Any, state: Any, old: Told) -> Told:
    """``old`` in another state."""
    line = {"type": old.kind, **game.action_to_line(old.before, old.action)}
    try:
        new = events.told(game, state, line)
    except RecordError:
        change = game.difference(state, old.after)
        new = Told("correction", state, change, game.correct(state, change))
    return replace(new, roll=old.roll, die=old.die, told_s=old.told_s)
