"""Judges a turn of Dice Flick: the number of flicks, the dice used, the points claimed, the dice put back."""

from __future__ import annotations

from collections import Counter

from rules.dice_flick.claims import settle
from rules.dice_flick.grid import mask_of
from rules.dice_flick.score import best_of
from rules.dice_flick.state import Flick, State, Throw, Turn, box_after, covered_by
from rules.dice_flick.values import DICE_IN_SET, Board
from rules.protocol import RecordError, Verdict, Violation


def judge_turn(state: State, turn: Turn) -> Verdict[State]:
    """All faults of a turn, and the state after it. Raises RecordError when the dice do not add up."""
    check_possible(state, turn.throw)
    board = turn.throw.board
    box = box_after(state, board)
    returned = None if turn.returned is None else mask_of(*turn.returned)
    _check_lying(board, returned)
    settled = settle(box, best_of(box), turn.claimed, returned, turn.scored)
    violations = [
        *_turn_faults(state, turn.player),
        *_left_over(state, turn.throw),
        *_flick_faults(state, turn),
        *_hand_faults(state, turn),
        *settled.violations,
    ]
    return Verdict(tuple(violations), _after(state, turn, settled.points, settled.returned))


def _turn_faults(state: State, player: int) -> list[Violation]:
    names = state.config.names
    if is_over(state):
        return [Violation("game_is_over", (("player", names[player]),))]
    if player != state.to_move:
        return [Violation("out_of_turn", (("player", names[player]), ("expected", names[state.to_move])))]
    return []


def is_over(state: State) -> bool:
    """Whether everybody has played all rounds."""
    return all(len(points) >= state.config.rounds for points in state.points)


def flicks_due(state: State, flicks: tuple[Flick, ...]) -> int:
    """How many flicks the turn has, bonus dice included; fewer when the box already holds almost all dice."""
    extra = sum(_on_bonus(state, flick) for flick in flicks)
    if state.config.bonus_per_turn == "one":
        extra = min(extra, 1)
    if state.config.stacked_die == "again":
        extra += sum(flick.landed == "stacked" for flick in flicks)
    return min(2 + extra, sum(state.free_dice().values()))


def _on_bonus(state: State, flick: Flick) -> bool:
    return flick.in_hole and bool(mask_of((flick.row, flick.col)) & state.config.markers.bonus)


def _flick_faults(state: State, turn: Turn) -> list[Violation]:
    flicks = turn.throw.flicks
    if flicks is None:
        return []
    facts = ("player", state.config.names[turn.player]), ("count", len(flicks))
    due = flicks_due(state, flicks)
    too_early = next((k for k in range(len(flicks)) if k >= flicks_due(state, flicks[:k])), None)
    if too_early is not None:
        return [Violation("too_many_flicks", (*facts, ("due", too_early)))]
    return [Violation("too_few_flicks", (*facts, ("due", due)))] if len(flicks) < due else []


def _left_over(state: State, throw: Throw) -> list[Violation]:
    """More dice of a colour in the box than there were and came: a scored die was left lying."""
    came = Counter(f.die for f in throw.flicks if f.in_hole) if throw.flicks is not None else None
    if came is None:
        return []
    before, after = (Counter(d.colour for d in board) for board in (state.board, throw.board))
    extra = after - before - came
    return [Violation("die_not_returned", (("colour", colour),)) for colour in sorted(extra.elements())]


def _hand_faults(state: State, turn: Turn) -> list[Violation]:
    """Dice flicked that were not drawn, and a third die that should have stayed."""
    hand = turn.throw.hand
    if hand is None:
        return []
    faults = []
    kept = state.kept[turn.player]
    if kept and kept not in hand:
        faults.append(Violation("kept_die_swapped", (("colour", kept),)))
    flicks = turn.throw.flicks or ()
    foreign = sorted((Counter(f.die for f in flicks) - Counter(hand)).elements())
    drawn_later = max(0, flicks_due(state, flicks) - 2)
    return faults + [Violation("not_from_hand", (("colour", colour),)) for colour in foreign[drawn_later:]]


def _kept_after(state: State, throw: Throw) -> str:
    """The colour of the die that stays in front of the player, ``""`` when it is not known."""
    if throw.hand is None or throw.flicks is None or state.config.third_die == "return":
        return ""
    left = Counter(throw.hand) - Counter(f.die for f in throw.flicks[:2])
    return next(iter(left)) if left.total() == 1 else ""


def check_possible(state: State, throw: Throw) -> None:
    """Raise RecordError for dice that the set does not have, or that were in the box when they were flicked."""
    for colour, count in Counter(die.colour for die in throw.board).items():
        if count > DICE_IN_SET[colour]:
            raise RecordError(
                f"board: {count} {colour} dice; the set has {DICE_IN_SET[colour]}",
                f"board: {count} Würfel in {colour}; es gibt {DICE_IN_SET[colour]}",
            )
    free = state.free_dice()
    for colour, count in Counter(f.die for f in (throw.flicks or ())[:2]).items():
        if count > free[colour]:
            raise RecordError(
                f"flicks: {count} {colour} dice flicked, but only {free[colour]} were not in the box",
                f"flicks: {count} Würfel in {colour} geschnipst, aber nur {free[colour]} lagen nicht in der Schachtel",
            )


def _check_lying(board: Board, returned: int | None) -> None:
    missing = (returned or 0) & ~mask_of(*(die.cell for die in board))
    if missing:
        raise RecordError("returned: names a hole without a die", "returned: nennt ein Loch ohne Würfel")


def _after(state: State, turn: Turn, points: int, returned: int) -> State:
    player = turn.player
    rounds = (*state.points[player], points)
    totals = (*state.points[:player], rounds, *state.points[player + 1:])
    kept = (*state.kept[:player], _kept_after(state, turn.throw), *state.kept[player + 1:])
    board = tuple(die for die in turn.throw.board if not mask_of(die.cell) & returned)
    return State(
        state.config, next_player(state.config.rounds, totals, player), board, totals, kept,
        covered_by(state, turn.throw.board),
    )


def next_player(rounds: int, points: tuple[tuple[int, ...], ...], player: int) -> int:
    """The next in turn order who has a round left; the next at all when nobody has."""
    order = [(player + k) % len(points) for k in range(1, len(points) + 1)]
    return next((p for p in order if len(points[p]) < rounds), order[0])
