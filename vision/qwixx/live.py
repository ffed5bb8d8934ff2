"""Refereeing Qwixx Express live: frames, Stopp and what people say go in, lines of the game come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from calibration.arrays import Image
from rules.qwixx_express import Dice
from rules.qwixx_express.sheet import NUMBERS, ROWS
from vision.qwixx.dice import HandSeen, have_moved
from vision.qwixx.rounds import Json, Mark, Rounds, SheetSeen, marks_of, violation_json, words
from vision.qwixx.sheet import SheetReading
from vision.snapshot import settled_lines
from vision.why import NOTHING

SETTLE_S, AGAIN_S = 0.3, 1.0


@dataclass(frozen=True, slots=True)
class Look:
    """One frame at rest: ``hands`` None where no dice are looked for; ``sheets`` by player, None for one not seen."""

    hands: tuple[HandSeen, HandSeen] | None = None
    sheets: tuple[SheetSeen | None, SheetSeen | None] = (None, None)


LookAt = Callable[[Image], Look]


class Motion(Protocol):
    """Tells a moving picture from a still one."""

    def update(self, image_bgr: Image, t_s: float) -> float:
        """Seconds for which the picture has been still, 0 while it moves."""


@dataclass(slots=True)
class _Seen:
    """The last two looks: what both say counts."""

    hands: tuple[HandSeen, HandSeen] | None = None
    settled: list[HandSeen | None] = field(default_factory=lambda: [None, None])
    sheets: list[SheetSeen | None] = field(default_factory=lambda: [None, None])


class QwixxReferee:
    """Follows a game. ``state_name`` and ``why`` as with :class:`vision.referee.Referee`."""

    def __init__(self, setup: Mapping[str, Any], look: LookAt, motion: Motion) -> None:
        self.rounds = Rounds(setup)
        self.state_name, self.why = "waiting", NOTHING
        self._look, self._motion = look, motion
        self._stops = [dict(one) for one in setup.get("stops", ())]
        self._seen = _Seen()
        self._next_s = 0.0

    def step(self, image_bgr: Image, t_s: float) -> list[Json]:
        """Take the next frame (H, W, 3) uint8; the lines of everything that became certain with it."""
        lines = self._recorded(t_s)
        if self._motion.update(image_bgr, t_s) < SETTLE_S:
            self.state_name, self._next_s = "settling", t_s
            return lines
        self.state_name = "at_rest"
        if t_s >= self._next_s:
            self._next_s = t_s + (AGAIN_S if self._take(self._look(image_bgr)) else SETTLE_S)
        return lines

    def _recorded(self, t_s: float) -> list[Json]:
        """What the setup of a recording says about who called Stopp and when a round was over."""
        lines: list[Json] = []
        while self._stops and float(self._stops[0]["t_s"]) <= t_s:
            lines += self.obey(self._stops.pop(0), t_s)
        return lines

    def _take(self, look: Look) -> bool:
        """Whether this look says what the last one said; only then it counts."""
        known, self._seen.hands = self._seen.hands, look.hands
        agreed = True
        if look.hands is not None:
            if known is not None and [h.dice for h in known] == [h.dice for h in look.hands]:
                self._dice(look.hands)
            else:
                agreed = False
        for player, sheet in enumerate(look.sheets):
            if sheet is not None and sheet == self._seen.sheets[player]:
                self.rounds.see_sheet(player, sheet)
            agreed &= sheet is None or sheet == self._seen.sheets[player]
            self._seen.sheets[player] = sheet
        return agreed

    def _dice(self, hands: tuple[HandSeen, HandSeen]) -> None:
        moved = [False, False]
        for player, hand in enumerate(hands):
            before = self._seen.settled[player]
            moved[player] = before is not None and hand.dice is not None and have_moved(before, hand)
            if hand.dice is not None:
                self._seen.settled[player] = hand
        self.rounds.see_dice((hands[0].dice, hands[1].dice), (moved[0], moved[1]))

    def photo(self, player: int, reading: SheetReading) -> None:
        """A photo of a sheet counts at once."""
        self.rounds.see_sheet(player, seen_of(reading))

    def obey(self, command: Mapping[str, Any], t_s: float) -> list[Json]:
        """Do what a page asks. Raises ValueError, KeyError, TypeError or RecordError for what cannot be done.

        ``stop`` and ``unstop`` (player), ``done``, ``undo``, ``dice`` (player, numbers, colour), ``rerolls`` (player,
        count), ``field`` (player, row, value, crossed), ``sheet`` (player, marks, doubtful).
        """
        kind, rounds = command.get("do", "stop"), self.rounds
        if kind == "done":
            return rounds.finish(t_s, "person")
        if kind == "undo":
            return rounds.undo(t_s)
        if kind == "unstop":
            rounds.say_stop(None)
            rounds.table.rerolls = [0, 0]
            return []
        player = rounds.names.index(command["player"])
        if kind == "stop":
            rounds.stop(player)
        elif kind == "dice":
            first, second = (int(n) for n in command["numbers"])
            rounds.say_dice(player, Dice((first, second), str(command["colour"])))
        elif kind == "rerolls":
            rounds.say_rerolls(player, int(command["count"]))
        elif kind == "sheet":
            rounds.see_sheet(player, SheetSeen(_marks(command["marks"]), _marks(command.get("doubtful", ()))))
        elif kind == "field":
            return self._field(player, _mark(command["row"], command["value"]), bool(command["crossed"]), t_s)
        return []

    def _field(self, player: int, mark: Mark, crossed: bool, t_s: float) -> list[Json]:
        """A field tapped: of this round it is said, of an earlier one the state is put right."""
        if not crossed and mark in marks_of(self.rounds.state.sheets[player]):
            return self.rounds.correct(player, mark, crossed, t_s)
        self.rounds.say_mark(player, mark, crossed)
        return []

    def finish(self, t_s: float) -> list[Json]:
        """The recording has ended: stops that were to come still count, then a round that can be judged is."""
        lines = self._recorded(float("inf"))
        if not self.rounds.missing and (self.rounds.news(0) or self.rounds.news(1)):
            lines += self.rounds.finish(t_s)
        return lines

    def snapshot(self, lines: Sequence[Json], t_s: float, fps: float) -> Json:
        """The fields of :func:`vision.snapshot.snapshot`, and ``qwixx``: dice, Stopp, both sheets, the proposal."""
        rounds = self.rounds
        game, state = rounds.game, rounds.state
        over = game.outcome(state) is not None
        return {
            "game": game.name, "players": [{"name": name, "colour": ""} for name in rounds.names],
            "state": self.state_name, "why": self.why, "turn": state.rounds + 1, "to_move": None, "roll": None,
            "scores": [
                {"player": s.player, "total": s.total, "parts": [{"what": w, "points": p} for w, p in s.parts]}
                for s in game.scores(state)
            ],
            "turns": settled_lines(lines), "needs_you": None,
            "end": next((line for line in reversed(lines) if line["type"] == "end"), None) if over else None,
            "places": [], "t_s": round(t_s, 2), "fps": round(fps, 1), "qwixx": self._round_json(over),
        }

    def _round_json(self, over: bool) -> Json:
        rounds = self.rounds
        stopper, proposal = rounds.table.stopper, None if over else rounds.proposal()
        return {
            "stopper": None if stopper is None else rounds.names[stopper],
            "dice": [d and {"numbers": list(d.numbers), "colour": d.colour} for d in rounds.table.dice],
            "rerolls": list(rounds.table.rerolls), "missing": list(rounds.missing),
            "segments": list(rounds.state.config.misthrow_segments),
            "sheets": [self._sheet_json(player) for player in (0, 1)],
            "proposal": None if proposal is None else {
                "text": words(rounds.game, proposal), "legal": not proposal.violations,
                "violations": [violation_json(v) for v in proposal.violations],
            },
        }

    def _sheet_json(self, player: int) -> Json:
        """Every crossed field with the round it was crossed in, and those to ask about."""
        when = self._when(player)
        news, doubtful = self.rounds.news(player), self.rounds.doubtful(player)
        marks = self.rounds.marks(player)
        return {
            "fields": [{"row": r, "value": v, "round": when.get((r, v), 0), "new": (r, v) in news}
                       for r, v in sorted(marks, key=str)],
            "doubtful": [{"row": r, "value": v} for r, v in sorted(doubtful, key=str)],
        }

    def _when(self, player: int) -> dict[Mark, int]:
        """The round in which each field came to be crossed."""
        when: dict[Mark, int] = {}
        for told in self.rounds.told:
            before, after = (marks_of(state.sheets[player]) for state in (told.before, told.after))
            for mark in after - before:
                when[mark] = told.after.rounds
        return when


def seen_of(reading: SheetReading) -> SheetSeen:
    """What a read sheet shows, as the rounds take it."""
    def mark(one: Any) -> Mark:
        return one.field.row, one.field.value

    return SheetSeen(
        frozenset(mark(one) for one in reading.fields if one.crossed > 0.5 and not one.doubtful),
        frozenset(mark(one) for one in reading.doubtful),
    )


def _marks(raw: Any) -> frozenset[Mark]:
    return frozenset(_mark(row, value) for row, value in raw)


def _mark(row: Any, value: Any) -> Mark:
    """A field's name checked. Raises ValueError."""
    if row == "misthrow" and isinstance(value, int) and 1 <= value <= 60:
        return "misthrow", value
    if row in ROWS and (value == "lock" or value in NUMBERS[row]):
        return str(row), value
    raise ValueError(f"no such field: {row} {value}")
