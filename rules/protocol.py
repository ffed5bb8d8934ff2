"""The one protocol that all five games follow: values in, values out.

Nothing here does I/O, reads a clock, or draws random numbers. A game is a stateless object; its states and
actions are frozen dataclasses. *Action* is what happened physically in a turn, legal or not; a *Verdict* says
which rules it broke and which state stands on the table afterwards (after an illegal action the state follows
the table).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from rules.options import GameInfo

Place = int | str
"""Where a piece stands. Verflixxt: 0 start, 1..n tile numbers of the starting route, n+1 finish, ``"out"``."""

Json = dict[str, Any]
"""One record line (see :mod:`rules.record`), already parsed."""

S = TypeVar("S")
A = TypeVar("A")


class InputError(ValueError):
    """Bad input, said in one sentence: what is wrong, where, what to do. ``str()`` is English, see :meth:`text`."""

    def __init__(self, en: str, de: str = "") -> None:
        super().__init__(en)
        self.en, self.de = en, de or en

    def text(self, lang: str) -> str:
        """The sentence in ``lang`` (``"de"`` or ``"en"``)."""
        return self.de if lang == "de" else self.en


class SetupError(InputError):
    """A setup that no game can be started from."""


class RecordError(InputError):
    """A record line that cannot be read or cannot have happened (unknown player, piece that is not there, ...)."""

    line: int | None = None

    def at(self, line: int) -> RecordError:
        """The same fault with the number of its line (from 1) in front."""
        located = RecordError(f"line {line}: {self.en}", f"Zeile {line}: {self.de}")
        located.line = line
        return located


@dataclass(frozen=True, slots=True)
class Move:
    """One piece going from one place to another. ``piece`` is ``"pawn:<colour>"``, ``"guard"`` or ``"flixxy"``."""

    piece: str
    start: Place
    to: Place


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its stable name and the facts that its sentence needs (see :mod:`rules.texts`)."""

    rule: str
    facts: tuple[tuple[str, str | int], ...] = ()

    def fact(self, name: str) -> str | int | None:
        """The fact of this name, or None."""
        return dict(self.facts).get(name)


@dataclass(frozen=True, slots=True)
class Verdict(Generic[S]):
    """All rules an action broke at once (empty: legal), and the state on the table after it."""

    violations: tuple[Violation, ...]
    state: S

    @property
    def legal(self) -> bool:
        """True when no rule was broken."""
        return not self.violations

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the broken rules, each once."""
        return tuple(dict.fromkeys(violation.rule for violation in self.violations))


@dataclass(frozen=True, slots=True)
class Candidate(Generic[S, A]):
    """An action the table could show next, with its verdict."""

    action: A
    verdict: Verdict[S]


@dataclass(frozen=True, slots=True)
class Score:
    """A player's points and how they came about: ``parts`` are (label, points) that add up to ``total``."""

    player: str
    total: int
    parts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Why the game ended (a stable name, see :func:`rules.texts.outcome_text`) and who won (several: shared)."""

    winners: tuple[str, ...]
    why: str


class Game(Protocol[S, A]):
    """What every game offers. ``setup`` is the parsed ``setup.json`` or first line of a record."""

    name: str
    info: GameInfo

    def start(self, setup: Mapping[str, Any]) -> S:
        """The state before the first turn. Raises SetupError."""

    def legal_actions(self, state: S, roll: int) -> tuple[A, ...]:
        """Every legal action of the player to move for this roll."""

    def candidates(self, state: S, roll: int) -> Iterator[Candidate[S, A]]:
        """Legal actions first, then the plausible illegal ones a table could show, each with its verdict.

        No two candidates leave the same things in the same places: the one with the fewest violations stays.
        """

    def judge(self, state: S, action: A) -> Verdict[S]:
        """Judge any physical action. Raises RecordError when it cannot have happened (piece not there, ...)."""

    def correct(self, state: S, change: A) -> S:
        """The state after a physical change that is not a turn (a wrong move put right). Raises RecordError."""

    def difference(self, before: S, after: S) -> A:
        """The physical change (as an action without judgement) that turns ``before`` into ``after``."""

    def scores(self, state: S) -> tuple[Score, ...]:
        """Everybody's points if the game were counted now, in turn order."""

    def outcome(self, state: S) -> Outcome | None:
        """Why the game is over, or None while it goes on."""

    def player_to_move(self, state: S) -> int:
        """Index (turn order) of the player whose turn it is."""

    def action_to_line(self, state: S, action: A) -> Json:
        """The record fields of an action made in ``state`` (``player``, ``roll``, ``moves``, ``taken``, ...)."""

    def action_from_line(self, state: S, line: Mapping[str, Any]) -> A:
        """Read the fields back. Raises RecordError naming the fault.

        In a line with ``"type": "correction"`` a player or roll that is missing is filled in (``judge`` never sees
        such an action, only :meth:`correct`).
        """

    def state_to_text(self, state: S) -> str:
        """One line of text that reads back to the same state."""

    def state_from_text(self, setup: Mapping[str, Any], text: str) -> S:
        """Inverse of :meth:`state_to_text` for the same setup. Raises RecordError."""
