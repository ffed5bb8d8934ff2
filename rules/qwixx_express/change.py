"""Putting sheets of Qwixx Express right: crosses added or rubbed out outside a round."""

from __future__ import annotations

from rules.protocol import RecordError
from rules.qwixx_express.sheet import ROWS, Sheet
from rules.qwixx_express.state import Cross, Round, State, with_crosses, with_misthrow


def correct(state: State, change: Round) -> State:
    """The state with these crosses added and erased. Raises RecordError when there is nothing to erase."""
    sheets = list(state.sheets)
    for cross in change.erased:
        sheet = sheets[cross.player]
        k = ROWS.index(cross.row)
        if (cross.number and cross.number not in sheet.rows[k]) or (cross.lock and not sheet.locks[k]):
            name, what = state.config.names[cross.player], cross.number or "lock"
            raise RecordError(
                f"erased: {name} has no cross on {cross.row} {what}",
                f"erased: {name} hat {cross.row} {what} nicht angekreuzt",
            )
        sheets[cross.player] = sheet.without_cross(cross.row, cross.number, cross.lock)
    marked = with_crosses(tuple(sheets), change.crosses)
    return State(state.config, state.rounds, with_misthrow(state.config, marked, change.misthrow or (0, 0)))


def difference(before: State, after: State) -> Round:
    """The correction that turns ``before`` into ``after``."""
    added: list[Cross] = []
    erased: list[Cross] = []
    for player, (old, new) in enumerate(zip(before.sheets, after.sheets, strict=True)):
        added += _more(player, old, new)
        erased += _more(player, new, old)
    first, second = (new.misthrow - old.misthrow for old, new in zip(before.sheets, after.sheets, strict=True))
    return Round(None, tuple(added), (first, second), tuple(erased))


def _more(player: int, old: Sheet, new: Sheet) -> list[Cross]:
    """What ``new`` has and ``old`` has not, numbers and locks one by one."""
    found = []
    for k, row in enumerate(ROWS):
        found += [Cross(0, player, row, number) for number in new.rows[k] if number not in old.rows[k]]
        if new.locks[k] and not old.locks[k]:
            found.append(Cross(0, player, row, 0, lock=True))
    return found
