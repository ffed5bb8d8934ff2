"""Judges a round of Qwixx Express: re-rolls, both actions, locks, misthrow fields; all faults at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rules.protocol import RecordError, Verdict, Violation
from rules.qwixx_express.scoring import sheets_are_final
from rules.qwixx_express.sheet import COLOURS, MINUS_FIELDS, NEEDED_FOR_LAST, Sheet, last_number
from rules.qwixx_express.state import (
    Config,
    Cross,
    Dice,
    Round,
    State,
    Throw,
    closed_rows,
    with_crosses,
    with_misthrow,
)


@dataclass(slots=True)
class _Course:
    """A round while it is followed step by step."""

    config: Config
    throw: Throw
    sheets: tuple[Sheet, ...]
    due: list[int] = field(default_factory=lambda: [0, 0])
    broken: list[Violation] = field(default_factory=list)

    def blame(self, rule: str, player: int, **facts: str | int) -> None:
        self.broken.append(Violation(rule, (("player", self.config.names[player]), *facts.items())))

    def misthrow(self, player: int) -> int:
        """Fields this player has crossed by now, those due in this round included."""
        return self.sheets[player].misthrow + self.due[player]

    def is_over(self) -> bool:
        """Whether the game ends here, with the misthrow fields that are due."""
        marked = tuple(replace(s, misthrow=s.misthrow + n) for s, n in zip(self.sheets, self.due, strict=True))
        return sheets_are_final(self.config, marked)


def judge_round(state: State, played: Round) -> Verdict[State]:
    """All rules a round broke and the sheets after it. Raises RecordError when it cannot have happened."""
    throw = played.throw
    if throw is None:
        raise RecordError("dice: missing; a round needs both people's dice", "dice: fehlt; eine Runde braucht Würfel")
    check_throw(state.config, throw)
    course = _follow(state, throw, played.crosses)
    _compare_misthrow(course, played.misthrow)
    newly = tuple(course.due) if played.misthrow is None else played.misthrow
    after = with_misthrow(state.config, course.sheets, newly)
    return Verdict(tuple(course.broken), State(state.config, state.rounds + 1, after))


def misthrow_due(state: State, throw: Throw, crosses: tuple[Cross, ...]) -> tuple[int, int]:
    """The misthrow fields that each must cross when the round went like this."""
    due = _follow(state, throw, crosses).due
    return due[0], due[1]


def check_throw(config: Config, throw: Throw) -> None:
    """Raise RecordError for dice that cannot show this."""
    for name, dice in zip(config.names, throw.dice, strict=True):
        if dice.colour not in COLOURS or not all(1 <= n <= 6 for n in dice.numbers):
            raise RecordError(
                f"dice: {name} has {dice.numbers} {dice.colour}; number dice show 1 to 6, the colour die {COLOURS}",
                f"dice: {name} hat {dice.numbers} {dice.colour}; Zahlenwürfel zeigen 1 bis 6, der Farbwürfel {COLOURS}",
            )


def _follow(state: State, throw: Throw, crosses: tuple[Cross, ...]) -> _Course:
    course = _Course(state.config, throw, state.sheets)
    if sheets_are_final(state.config, state.sheets):
        course.blame("game_is_over", throw.stopper)
        course.sheets = with_crosses(course.sheets, crosses)
        return course
    reached = _rerolls(course)
    over = reached and course.is_over() and state.config.fourth_misthrow_in_rerolls == "ends_at_once"
    _action_one(course, tuple(c for c in crosses if c.action == 1), over)
    _action_two(course, tuple(c for c in crosses if c.action == 2), over, reached)
    return course


def _rerolls(course: _Course) -> bool:
    """The price of re-rolling; whether the other player has reached a -5 field by it."""
    stopper, other = course.throw.stopper, 1 - course.throw.stopper
    if course.throw.rerolls[stopper]:
        course.blame("stopped_dice_changed", stopper)
    count, allowed = course.throw.rerolls[other], course.config.to_next_minus(course.misthrow(other))
    if count > allowed:
        course.blame("too_many_rerolls", other, count=count, allowed=allowed)
    left = course.config.misthrow_fields - course.misthrow(other)
    course.due[other] += min(count, left)
    return 0 < allowed <= count


def _action_one(course: _Course, crosses: tuple[Cross, ...], over: bool) -> None:
    """The caller uses the own result or pays; the other may share a white one. Both at the same time."""
    stopper, other = course.throw.stopper, 1 - course.throw.stopper
    if over:
        for cross in crosses:
            course.blame("game_is_over", cross.player)
        course.sheets = with_crosses(course.sheets, crosses)
        return
    dice = course.throw.dice[stopper]
    used = any(cross.player == stopper for cross in crosses)
    sharing = dice.white and (used or course.config.shared_after_skip)
    closed = closed_rows(course.sheets)
    for cross in crosses:
        _check_cross(course, cross, dice, closed, shares=cross.player == other, allowed=sharing)
    _check_single(course, crosses)
    course.sheets = with_crosses(course.sheets, crosses)
    if not used:
        course.due[stopper] += course.config.to_next_minus(course.misthrow(stopper))


def _action_two(course: _Course, crosses: tuple[Cross, ...], over: bool, reached: bool) -> None:
    """The other player uses the own result or pays, unless re-rolling has led to a -5 field in this round."""
    stopper, other = course.throw.stopper, 1 - course.throw.stopper
    if over or _ended_by_action_one(course):
        for cross in crosses:
            course.blame("game_is_over" if over else "action_two_cancelled", cross.player)
        course.sheets = with_crosses(course.sheets, crosses)
        return
    closed = closed_rows(course.sheets)
    for cross in crosses:
        _check_cross(course, cross, course.throw.dice[other], closed, shares=cross.player == stopper, allowed=False)
    _check_single(course, crosses)
    course.sheets = with_crosses(course.sheets, crosses)
    if not reached and not any(cross.player == other for cross in crosses):
        course.due[other] += course.config.to_next_minus(course.misthrow(other))


def _ended_by_action_one(course: _Course) -> bool:
    """Two rows closed, or the caller's fourth -5 field; the other's by re-rolling is a matter of house rule."""
    other = 1 - course.throw.stopper
    if course.config.minus(course.misthrow(other)) < MINUS_FIELDS:
        return course.is_over()
    stopper_only = course.config.minus(course.misthrow(course.throw.stopper)) >= MINUS_FIELDS
    return stopper_only or len(closed_rows(course.sheets)) >= 2


def _check_single(course: _Course, crosses: tuple[Cross, ...]) -> None:
    for player in (0, 1):
        if sum(cross.player == player for cross in crosses) > 1:
            course.blame("more_than_one_cross", player)


def _check_cross(
    course: _Course, cross: Cross, dice: Dice, closed: frozenset[str], *, shares: bool, allowed: bool
) -> None:
    """One number against the dice, the row and the lock. ``shares``: it uses the other person's result."""
    row, number, player = cross.row, cross.number, cross.player
    sheet = course.sheets[player]
    if shares and not allowed:
        course.blame("shared_without_joker", player, row=row, number=number)
    if number != dice.sum:
        course.blame("wrong_sum", player, row=row, number=number, sum=dice.sum)
    if not shares and not dice.white and row != dice.colour:
        course.blame("wrong_colour", player, row=row, number=number, colour=dice.colour)
    if row in closed:
        course.blame("row_closed", player, row=row, number=number)
    if sheet.is_left_of_last(row, number):
        course.blame("left_of_last_cross", player, row=row, number=number)
    if number != last_number(row):
        if cross.lock:
            course.blame("lock_too_early", player, row=row, number=number)
    elif len(sheet.row(row)) < NEEDED_FOR_LAST:
        course.blame("needs_five_crosses", player, row=row, number=number)
    elif not cross.lock:
        course.blame("lock_missing", player, row=row, number=number)


def _compare_misthrow(course: _Course, found: tuple[int, int] | None) -> None:
    if found is None:
        return
    for player, (due, count) in enumerate(zip(course.due, found, strict=True)):
        if count != due:
            rule = "misthrow_missing" if count < due else "misthrow_too_many"
            course.blame(rule, player, expected=due, found=count)
