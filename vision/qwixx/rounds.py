"""A game of Qwixx Express as it is seen: dice, Stopp, re-rolls, sheets before and after; judged round by round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.protocol import Violation
from rules.qwixx_express import Cross, Dice, QwixxExpress, Round, Sheet, State, Throw
from rules.qwixx_express.sheet import NUMBERS, ROWS
from rules.texts import outcome_text, turn_text, violation_text

Json = dict[str, Any]
LANGUAGES = ("de", "en")
Mark = tuple[str, int | str]
"""A field: row and number, ``"lock"``, or ``("misthrow", place)``."""


@dataclass(frozen=True, slots=True)
class SheetSeen:
    """What a sheet shows: ``marks`` crossed, ``doubtful`` fields that nobody can be sure of."""

    marks: frozenset[Mark]
    doubtful: frozenset[Mark] = frozenset()


@dataclass(slots=True)
class Table:
    """What is known of the round in play, by player; ``stopper``: who called Stopp, None before that."""

    dice: list[Dice | None] = field(default_factory=lambda: [None, None])
    stopper: int | None = None
    rerolls: list[int] = field(default_factory=lambda: [0, 0])
    sheets: list[SheetSeen | None] = field(default_factory=lambda: [None, None])


@dataclass(frozen=True, slots=True)
class Told:
    """A round or correction that was written down, with the states around it."""

    kind: str
    before: State
    action: Round
    after: State
    violations: tuple[Violation, ...] = ()


class Rounds:
    """Follows the game. Every method that ends something returns the lines of the record."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        self.game = QwixxExpress()
        self.state = self.game.start(setup)
        self.names = self.state.config.names
        self.table = Table()
        self.told: list[Told] = []
        self.pins: dict[tuple[int, Mark], bool] = {}
        self._ended = False

    # What is seen.

    def see_dice(self, dice: tuple[Dice | None, Dice | None], moved: tuple[bool, bool] = (False, False)) -> None:
        """Dice at rest, None for those that cannot be read; ``moved``: thrown again though they may show the same.

        After Stopp every change is a re-roll; of the caller's dice it is one too many.
        """
        for player, seen in enumerate(dice):
            known = self.table.dice[player]
            if seen is None:
                # What lay there before has been taken up: better nothing than the dice of the round before.
                if self.table.stopper is None:
                    self.table.dice[player] = None
                continue
            if known is not None and self.table.stopper is not None and (seen != known or moved[player]):
                self.table.rerolls[player] += 1
            self.table.dice[player] = seen

    def stop(self, player: int) -> None:
        """Somebody calls Stopp. Raises ValueError when it has been called already."""
        if self.table.stopper is not None:
            raise ValueError("stop has been called in this round")
        self.table.stopper = player

    def see_sheet(self, player: int, seen: SheetSeen) -> None:
        """A sheet as the camera or a photo shows it."""
        self.table.sheets[player] = seen

    # What a person says.

    def say_stop(self, player: int | None) -> None:
        """Stopp was somebody else's, or nobody's."""
        self.table.stopper = player

    def say_dice(self, player: int, dice: Dice) -> None:
        """What the dice really show."""
        self.table.dice[player] = dice

    def say_rerolls(self, player: int, count: int) -> None:
        """How often somebody has thrown again after Stopp."""
        self.table.rerolls[player] = max(0, count)

    def say_mark(self, player: int, mark: Mark, crossed: bool) -> None:
        """Whether a field is really crossed, whatever the picture shows, until the round is over."""
        self.pins[player, mark] = crossed

    # What follows from it.

    def marks(self, player: int) -> frozenset[Mark]:
        """The fields crossed on a sheet: those of the state, those seen, those a person said."""
        known = marks_of(self.state.sheets[player])
        seen = self.table.sheets[player]
        marks = set(known | (seen.marks if seen else frozenset()))
        for (who, mark), crossed in self.pins.items():
            if who == player:
                (marks.add if crossed else marks.discard)(mark)
        return frozenset(marks)

    def news(self, player: int) -> frozenset[Mark]:
        """Fields crossed in this round."""
        return self.marks(player) - marks_of(self.state.sheets[player])

    def doubtful(self, player: int) -> frozenset[Mark]:
        """Fields to ask about: unclear, not crossed before, and nobody has said anything."""
        seen = self.table.sheets[player]
        unclear = seen.doubtful if seen else frozenset()
        return unclear - marks_of(self.state.sheets[player]) - {mark for who, mark in self.pins if who == player}

    @property
    def missing(self) -> tuple[str, ...]:
        """What must still be known before the round can be judged: ``stop``, ``dice``, ``doubt``, ``sheet``."""
        out = ["stop"] if self.table.stopper is None else []
        out += ["dice"] if None in self.table.dice else []
        out += ["doubt"] if self.doubtful(0) or self.doubtful(1) else []
        return tuple(out)

    def proposal(self) -> Told | None:
        """The round as it would be judged now, None while something is missing."""
        stopper, (first, second) = self.table.stopper, self.table.dice
        if stopper is None or first is None or second is None:
            return None
        throw = Throw(stopper, (first, second), (self.table.rerolls[0], self.table.rerolls[1]))
        crosses = tuple(cross for player in (0, 1) for cross in _crosses(player, self.news(player)))
        misthrow = self._misthrow(0), self._misthrow(1)
        played = self.game.explain(self.state, throw, crosses, misthrow)
        return Told("turn", self.state, played.action, played.verdict.state, played.verdict.violations)

    def _misthrow(self, player: int) -> int:
        """Misthrow fields newly crossed. A gap to the left of a crossed one was filled: they go from left to right."""
        reached = max((int(value) for row, value in self.marks(player) if row == "misthrow"), default=0)
        return max(0, reached - self.state.sheets[player].misthrow)

    def finish(self, t_s: float, by: str = "") -> list[Json]:
        """The round is over: judge it and begin the next. Raises ValueError while something is missing."""
        told = self.proposal()
        if told is None or self._ended:
            raise ValueError(f"the round cannot be judged: {', '.join(self.missing)}")
        self._go_on(told)
        return [self._line(told, t_s, by), *self._end(t_s)]

    def correct(self, player: int, mark: Mark, crossed: bool, t_s: float) -> list[Json]:
        """A field of an earlier round was read wrongly: the state is put right."""
        row, value = mark
        sheet = self.state.sheets[player]
        if row == "misthrow":
            after = replace(sheet, misthrow=int(value) if crossed else int(value) - 1)
        else:
            number, lock = (0, True) if value == "lock" else (int(value), False)
            after = sheet.with_cross(row, number, lock) if crossed else sheet.without_cross(row, number, lock)
        sheets = tuple(after if k == player else one for k, one in enumerate(self.state.sheets))
        target = replace(self.state, sheets=sheets)
        change = self.game.difference(self.state, target)
        told = Told("correction", self.state, change, self.game.correct(self.state, change))
        self.told.append(told)
        self.state = told.after
        self.pins.pop((player, mark), None)
        if not crossed:
            self.pins[player, mark] = False
        return [self._line(told, t_s, "person"), *self._end(t_s)]

    def undo(self, t_s: float) -> list[Json]:
        """Take the last line back. Raises ValueError where there is none."""
        if not self.told:
            raise ValueError("nothing to take back")
        last = self.told.pop()
        self.state, self._ended, self.table, self.pins = last.before, False, Table(sheets=self.table.sheets), {}
        number = last.before.rounds + (last.kind == "turn")
        text = {"de": f"Runde {number} zurückgenommen.", "en": f"Round {number} taken back."}
        return [{"type": "undo", "turn": number, "t_s": round(t_s, 2), "scores": self.totals(), "text": text}]

    def replay(self, line: Json) -> None:
        """Take up a line of an earlier sitting. Raises RecordError."""
        kind = line.get("type")
        if kind == "undo" and self.told:
            self.state = self.told.pop().before
        elif kind == "turn":
            action = self.game.action_from_line(self.state, line)
            verdict = self.game.judge(self.state, action)
            self._go_on(Told("turn", self.state, action, verdict.state, verdict.violations))
        elif kind == "correction":
            action = self.game.action_from_line(self.state, line)
            self._go_on(Told("correction", self.state, action, self.game.correct(self.state, action)))
        self._ended = self.game.outcome(self.state) is not None

    def _go_on(self, told: Told) -> None:
        self.told.append(told)
        self.state = told.after
        self.table = Table(dice=list(self.table.dice), sheets=list(self.table.sheets))
        # What a person said is not there would otherwise come back with the next look.
        self.pins = {key: False for key, crossed in self.pins.items() if not crossed}

    def totals(self) -> dict[str, int]:
        """Points by name if the game were counted now."""
        return {score.player: score.total for score in self.game.scores(self.state)}

    def _line(self, told: Told, t_s: float, by: str) -> Json:
        line: Json = {"type": told.kind, "turn": told.before.rounds + (told.kind == "turn"), "t_s": round(t_s, 2)}
        line |= self.game.action_to_line(told.before, told.action)
        if told.kind == "turn":
            line |= {"legal": not told.violations, "violations": [violation_json(v) for v in told.violations]}
        line |= {"scores": self.totals(), "text": words(self.game, told)}
        return line | ({"by": by} if by else {})

    def _end(self, t_s: float) -> list[Json]:
        outcome = self.game.outcome(self.state)
        if outcome is None or self._ended:
            return []
        self._ended = True
        text = {lang: outcome_text(outcome, lang) for lang in LANGUAGES}
        return [{
            "type": "end", "t_s": round(t_s, 2), "scores": self.totals(), "winners": list(outcome.winners),
            "why": outcome.why, "text": text,
        }]


def words(game: QwixxExpress, told: Told) -> dict[str, str]:
    """What happened, in both languages."""
    if told.kind == "correction":
        return {"de": "Ein Blatt wurde richtiggestellt.", "en": "A sheet was put right."}
    return {lang: turn_text(game, told.before, told.action, lang) for lang in LANGUAGES}


def violation_json(violation: Violation) -> Json:
    """A broken rule as the page shows it."""
    text = {lang: violation_text(violation, lang) for lang in LANGUAGES}
    return {"rule": violation.rule, "text": text, "facts": dict(violation.facts)}


def marks_of(sheet: Sheet) -> frozenset[Mark]:
    """The crossed fields of a sheet of the rules."""
    numbers = {(row, number) for row, crossed in zip(ROWS, sheet.rows, strict=True) for number in crossed}
    locks = {(row, "lock") for row, lock in zip(ROWS, sheet.locks, strict=True) if lock}
    return frozenset({*numbers, *locks, *(("misthrow", place) for place in range(1, sheet.misthrow + 1))})


def _crosses(player: int, news: frozenset[Mark]) -> list[Cross]:
    """New crosses of a sheet as the rules take them: a lock belongs to the last number of its row."""
    out = []
    for row in ROWS:
        numbers = sorted((int(v) for r, v in news if r == row and v != "lock"), key=NUMBERS[row].index)
        lock = (row, "lock") in news
        for number in numbers:
            out.append(Cross(1, player, row, number, lock and number == numbers[-1]))
        if lock and not numbers:
            # A lock without a number cannot have come from a roll; the judge names what is wrong with it.
            out.append(Cross(1, player, row, NUMBERS[row][-1], True))
    return out
