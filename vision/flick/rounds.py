"""Ten rounds of Dice Flick from what lies in the box: which flicks a turn had, when it was scored, what went back.

Knows no pictures: it is shown boards at rest (:class:`Look`) and says which turns happened. A turn ends when scored
dice have been taken out and the next die comes, when what the best score asks for has been taken out, or when a
further die comes after all flicks of the turn; a person can end it at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.dice_flick import DiceFlick, Die, Flick, Scoring, State, Throw, Turn
from rules.dice_flick.grid import Cell
from rules.dice_flick.judging import flicks_due
from rules.dice_flick.values import Board
from rules.protocol import RecordError
from vision.explain import Told

Spot = tuple[str, str, float, float]
"""A die that lies in no hole: where, colour, middle in pixels."""

PATIENCE_S = 6.0
"""A turn of which everything is known counts as over after this long, even when nothing more happens."""

_SAME_PX = 1.0
_FLICK_UNSEEN = 0.6
"""No turn is surer than this if one of its flicks was not seen: somebody else may have had it."""


@dataclass(frozen=True, slots=True)
class Look:
    """The box at rest: dice in holes, dice elsewhere, holes that nobody can see now. ``reach_px``: hole to hole."""

    t_s: float
    board: Board
    loose: tuple[Spot, ...] = ()
    hidden: frozenset[Cell] = frozenset()
    reach_px: float = 60.0
    sure: float = 1.0


@dataclass(slots=True)
class Rounds:
    """The game so far and the turn that is being played. ``state``: before that turn; ``sure``: of that turn's score,
    ``told_sure``: of the last turn that was over."""

    game: DiceFlick
    state: State
    board: Board = ()
    flicks: list[Flick] = field(default_factory=list)
    taken: dict[Cell, Die] = field(default_factory=dict)
    loose: tuple[Spot, ...] = ()
    changed_s: float = 0.0
    sure: float = 1.0
    told_sure: float = 1.0
    seen_before: bool = False

    @property
    def full_board(self) -> Board:
        """The box after the last flick: what lies there and what was taken out for the score."""
        return tuple(sorted((*self.board, *self.taken.values())))

    @property
    def due(self) -> int:
        """How many flicks this turn has, as far as it is known."""
        return flicks_due(self.state, tuple(self.flicks))

    def proposal(self) -> Scoring:
        """The best score of the turn as it stands."""
        return self.game.best(self.state, Throw(None, self.full_board))

    def see(self, look: Look) -> list[Told]:
        """Take a look at the box; the turns that are over by it."""
        look = self._with_hidden(look)
        before, now = {d.cell: d for d in self.board}, {d.cell: d for d in look.board}
        came, gone = _came(before, now), _gone(before, now)
        told: list[Told] = []
        if came or gone:
            self.changed_s = look.t_s
        came, gone, moved = _knocked(came, gone)
        missed = self._misses(look, gone)
        if (came or missed) and self._is_over():
            told += self.finish(look.t_s)
        self._settle_moves(moved, look.board)
        self._missed(missed, look.t_s)
        self._flicked(came)
        self._taken_out(gone)
        self.board, self.loose, self.seen_before = look.board, look.loose, True
        if not self.taken:
            self.sure = look.sure
        if self._complete() or (self._everything_known() and look.t_s - self.changed_s > PATIENCE_S):
            told += self.finish(look.t_s)
        return told

    def _with_hidden(self, look: Look) -> Look:
        """A hole that nobody can see holds what it held."""
        kept = [d for d in self.board if d.cell in look.hidden]
        seen = [d for d in look.board if d.cell not in look.hidden]
        return Look(look.t_s, tuple(sorted((*seen, *kept))), look.loose, look.hidden, look.reach_px, look.sure)

    def _is_over(self) -> bool:
        """Whether a die that comes now belongs to the next turn."""
        return bool(self.taken) or len(self.flicks) >= self.due

    def _complete(self) -> bool:
        """Whether exactly the dice of the best score have been taken out after all flicks."""
        return bool(self.taken) and set(self.taken) == set(self.proposal().returned)

    def _everything_known(self) -> bool:
        """Whether the turn can be over although nothing was taken out, or something else than the best."""
        return bool(self.taken) or (len(self.flicks) >= self.due and self.proposal().score == 0)

    def _flicked(self, came: Iterable[Die]) -> None:
        self.flicks += [Flick(d.colour, "hole", d.row, d.col, d.value) for d in came]

    def _taken_out(self, gone: Iterable[Die]) -> None:
        self.taken |= {d.cell: d for d in gone}

    def _settle_moves(self, moved: list[tuple[Die, Die]], board: Board) -> None:
        """A die knocked into another hole, or turned to another face: the flicks name where it lies now."""
        for old, new in moved:
            self.flicks = [
                Flick(new.colour, "hole", new.row, new.col, new.value)
                if f.in_hole and (f.row, f.col) == old.cell and f.die == old.colour else f
                for f in self.flicks
            ]

    def _misses(self, look: Look, gone: list[Die]) -> list[Spot]:
        """A single new die in the ditch or beside the box is a flick that missed; a knocked-out one is not, nor one
        that was taken out and laid beside the box. What was knocked out leaves ``gone``."""
        new = [spot for spot in look.loose if not _among(spot, self.loose, look.reach_px)]
        knocked = Counter(d.colour for d in gone)
        for spot in list(new):
            if knocked[spot[1]] > 0:
                knocked[spot[1]] -= 1
                new.remove(spot)
                gone.remove(next(d for d in gone if d.colour == spot[1]))
        taken = {die.colour for die in self.taken.values()}
        outside = [spot for spot in new if spot[0] == "outside" and spot[1] not in taken]
        counted = [spot for spot in new if spot[0] == "ditch"] + (outside if len(outside) == 1 else [])
        return counted if self.seen_before else []

    def _missed(self, spots: Iterable[Spot], t_s: float) -> None:
        for where, colour, _, _ in list(spots)[: max(0, self.due - len(self.flicks))]:
            self.flicks.append(Flick(colour, where))
            self.changed_s = t_s

    def finish(self, t_s: float, claimed: int | None = None) -> list[Told]:
        """End the turn: what was taken out was scored. ``claimed``: the points somebody has written down."""
        board, returned = self.full_board, tuple(sorted(self.taken))
        flicks = tuple(self.flicks) if len(self.flicks) == self.due else None
        if claimed is None and not returned:
            claimed = 0
        taken_out = returned if returned or claimed == 0 else None
        turn = Turn(self.state.to_move, Throw(flicks, board), claimed, taken_out)
        told = self._judged(turn) or self._judged(Turn(turn.player, Throw(None, board), claimed, returned or None))
        if told is None:
            return []
        self.state = told.after
        self.told_sure = self.sure if flicks is not None else min(self.sure, _FLICK_UNSEEN)
        self.board = tuple(d for d in self.board if d.cell not in returned)
        self.flicks, self.taken, self.sure, self.changed_s = [], {}, 1.0, t_s
        return [told]

    def _judged(self, turn: Turn) -> Told | None:
        before = self.state
        try:
            verdict = self.game.judge(before, turn)
        except RecordError:
            return None
        return Told("turn", before, turn, verdict.state, verdict.violations)

    def correct(self, cell: Cell, die: Die | None) -> None:
        """A person says what lies in a hole; the flick that brought it says so too."""
        old = next((d for d in self.board if d.cell == cell), None)
        self.board = tuple(sorted((*(d for d in self.board if d.cell != cell), *([die] if die else []))))
        if old is not None and die is not None:
            self._settle_moves([(old, die)], self.board)
        elif die is not None and not self.taken:
            self._flicked([die])
        elif old is not None:
            self.flicks = [f for f in self.flicks if not (f.in_hole and (f.row, f.col) == cell)]

    def back_to(self, state: State) -> None:
        """Play on from an earlier state: the dice that lie in the box stay what they are."""
        self.state, self.flicks, self.taken, self.sure = state, [], {}, 1.0


def _came(before: dict[Cell, Die], now: dict[Cell, Die]) -> list[Die]:
    return [die for cell, die in now.items() if before.get(cell) != die]


def _gone(before: dict[Cell, Die], now: dict[Cell, Die]) -> list[Die]:
    return [die for cell, die in before.items() if now.get(cell) != die]


def _knocked(came: list[Die], gone: list[Die]) -> tuple[list[Die], list[Die], list[tuple[Die, Die]]]:
    """Split dice that came and went into flicked ones, taken ones, and ones that only moved: same colour, the same
    hole first (turned to another face), then the same pips."""
    came, gone = list(came), list(gone)
    moved: list[tuple[Die, Die]] = []
    for alike in (lambda a, b: a.cell == b.cell, lambda a, b: a.value == b.value, lambda a, b: True):
        for old in list(gone):
            new = next((d for d in came if d.colour == old.colour and alike(old, d)), None)
            if new is not None:
                came.remove(new)
                gone.remove(old)
                moved.append((old, new))
    return came, gone, moved


def _among(spot: Spot, others: tuple[Spot, ...], reach_px: float) -> bool:
    """Whether a die of this colour lay near there before."""
    _, colour, x, y = spot
    return any(o[1] == colour and abs(o[2] - x) + abs(o[3] - y) < _SAME_PX * reach_px for o in others)
