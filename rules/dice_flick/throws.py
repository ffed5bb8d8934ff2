"""Throws of Dice Flick: numbered ones for drivers that know only numbers, and what can be scored after one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.dice_flick.claims import scorings
from rules.dice_flick.grid import COLS, ROWS, SIDE, cells_of, mask_of
from rules.dice_flick.judging import flicks_due
from rules.dice_flick.lines import board_with
from rules.dice_flick.score import best_of, best_score
from rules.dice_flick.state import Flick, State, Throw, Turn, box_after
from rules.dice_flick.values import COLOURS, Board, Scoring

_FACES = 6
_HOLES = SIDE * SIDE
_ONE = len(COLOURS) * (_HOLES + 2) * _FACES


def throw_numbered(state: State, number: int) -> Throw:
    """A possible throw for every whole number; the same number gives the same throw in the same state.

    Each flick is one digit of ``number``: colour (the next one that is not in the box), hole or miss, value. A die
    that would land on another one goes to the bag.
    """
    flicks: list[Flick] = []
    board = state.board
    while len(flicks) < flicks_due(state, tuple(flicks)):
        number, digit = divmod(number, _ONE)
        flick = _flick(state, board, tuple(flicks), digit)
        flicks.append(flick)
        board = tuple(sorted(board_with(board, [flick])))
    return Throw(tuple(flicks), board)


def _flick(state: State, board: Board, before: tuple[Flick, ...], digit: int) -> Flick:
    digit, value = divmod(digit, _FACES)
    first, hole = divmod(digit, _HOLES + 2)
    free = state.free_dice()
    for flick in before:
        free[flick.die] -= 1
    order = COLOURS[first:] + COLOURS[:first]
    die = next(colour for colour in order if free[colour] > 0)
    row, col = hole // SIDE + 1, hole % SIDE + 1
    if hole >= _HOLES or any(other.cell == (row, col) for other in board):
        return Flick(die, "ditch" if hole <= _HOLES else "outside")
    return Flick(die, "hole", row, col, 6 if die == "pink" else value + 1)


def legal_turns(state: State, throw: Throw) -> tuple[Turn, ...]:
    """Everything that may be scored after this throw, the most points first."""
    found = sorted(scorings(box_after(state, throw.board)), key=lambda s: (-s.score, s.returned))
    return tuple(Turn(state.to_move, throw, s.score, s.returned) for s in found)


def plausible_faults(state: State, throw: Throw) -> Iterator[Turn]:
    """Wrong turns that happen at a table: too much counted, a scored die left lying, a die taken that did not score."""
    box = box_after(state, throw.board)
    best = best_of(box)
    for wrong in _tempting(state, throw.board, best):
        yield Turn(state.to_move, throw, wrong.score, wrong.returned)
    for cell in best.returned:
        yield Turn(state.to_move, throw, best.score, tuple(c for c in best.returned if c != cell))
    for cell in cells_of(box.dice & ~mask_of(*best.returned)):
        yield Turn(state.to_move, throw, best.score, tuple(sorted((*best.returned, cell))))


def _tempting(state: State, board: Board, best: Scoring) -> Iterator[Scoring]:
    """What people count by mistake: pairs, row and column of a Knaller, a marker with a die on it."""
    pairs = best_score(board, state.config.markers, replace(state.config.scoring, min_group=2))
    for scoring in (pairs, _both_lines(state, board), _covered_markers(state, board, best)):
        if scoring.score > best.score:
            yield scoring


def _both_lines(state: State, board: Board) -> Scoring:
    """Row and column of every Knaller."""
    box = box_after(state, board)
    union = 0
    for at in box.pinks:
        union |= (ROWS[at // SIDE] | COLS[at % SIDE]) & box.dice
    return Scoring(box.sum(union), (), cells_of(union))


def _covered_markers(state: State, board: Board, best: Scoring) -> Scoring:
    """The best score as if a marker doubled the group whose die lies on it."""
    box = box_after(state, board)
    points = best.score
    for group in best.groups:
        if group.colour and mask_of(*group.cells) & state.config.markers.upgrade(group.colour) & box.dice:
            points += group.points
    return Scoring(points, (), best.returned)
