"""The end of a game of Qwixx Express and the points."""

from __future__ import annotations

from rules.protocol import Outcome, Score
from rules.qwixx_express.sheet import MINUS_FIELDS, ROWS, Sheet
from rules.qwixx_express.state import Config, State, closed_rows

ROWS_TO_END = 2
POINTS_PER_MINUS = -5


def row_points(crosses: int) -> int:
    """1, 3, 6, 10, ... as in classic Qwixx."""
    return crosses * (crosses + 1) // 2


def sheets_are_final(config: Config, sheets: tuple[Sheet, ...]) -> bool:
    """Whether two rows are closed or somebody has the fourth -5 field."""
    return end_reason(config, sheets) is not None


def end_reason(config: Config, sheets: tuple[Sheet, ...]) -> str | None:
    """``two_rows_closed``, ``four_misthrows``, or None while the game goes on."""
    if len(closed_rows(sheets)) >= ROWS_TO_END:
        return "two_rows_closed"
    if any(config.minus(sheet.misthrow) >= MINUS_FIELDS for sheet in sheets):
        return "four_misthrows"
    return None


def sheet_parts(config: Config, sheet: Sheet) -> tuple[tuple[str, int], ...]:
    """Label and points of every row with a cross, and of the -5 fields."""
    parts = []
    for k, row in enumerate(ROWS):
        crosses = len(sheet.rows[k]) + (sheet.locks[k] and config.lock_counts)
        if crosses:
            parts.append((f"row:{row}", row_points(crosses)))
    minus = config.minus(sheet.misthrow)
    return (*parts, ("misthrow", POINTS_PER_MINUS * minus)) if minus else tuple(parts)


def scores(state: State) -> tuple[Score, ...]:
    """Everybody's points if the game were counted now."""
    scored = []
    for name, sheet in zip(state.config.names, state.sheets, strict=True):
        parts = sheet_parts(state.config, sheet)
        scored.append(Score(name, sum(points for _, points in parts), parts))
    return tuple(scored)


def outcome(state: State) -> Outcome | None:
    """Why the game is over; equal points share."""
    why = end_reason(state.config, state.sheets)
    if why is None:
        return None
    totals = scores(state)
    best = max(score.total for score in totals)
    return Outcome(tuple(score.player for score in totals if score.total == best), why)
