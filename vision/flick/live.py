"""Refereeing Dice Flick live: from frames and their times to the lines of the game. No thread, no clock, no web."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

import numpy as np

from calibration.arrays import Image
from rules.dice_flick import DiceFlick, Die, Markers, Turn
from rules.dice_flick.grid import Cell, cells_of
from rules.dice_flick.state import Throw
from vision import events
from vision.errors import PhotoError
from vision.events import Json, Text
from vision.explain import Told
from vision.flick.doubt import arrived, with_doubts
from vision.flick.errors import BoxError
from vision.flick.lattice import Lattice
from vision.flick.reading import turned_like
from vision.flick.result import hole_to_json, markers_to_json, scoring_to_json, warned_to_json
from vision.flick.rounds import Look, Rounds, Spot
from vision.flick.unchanged import Floats, Surroundings, appearance, moved, touched
from vision.flick.values import BoxReading, Hole, LooseDie, Option
from vision.snapshot import settled_lines
from vision.why import NOTHING

ReadBox = Callable[[Image, Markers | None], BoxReading]
"""Reads a picture with the stickers of this copy, if they are known. Raises BoxError."""

_ALL = tuple((row, col) for row in range(1, 6) for col in range(1, 6))

NO_FLICK: Text = {
    "de": "Ein Wurf fehlt noch. Flog ein Würfel ungesehen weg, endet der Zug mit „Zug beenden“.",
    "en": "One flick is still to come. If a die flew off unseen, “End the turn” ends it.",
}

NO_BOX: Text = {"de": "Die Schachtel ist nicht zu sehen.", "en": "The box is not in view."}


class Motion(Protocol):
    """Tells a moving picture from a still one."""

    def update(self, image_bgr: Image, t_s: float) -> float:
        """Seconds for which the picture has been still, 0 while it moves."""


@dataclass(frozen=True, slots=True)
class Pace:
    """In seconds: stillness before a look, time between looks, and between looks at a box that does not change;
    ``lost_s``: the box may be out of sight this long; ``flick_s``: after this without the turn's other flick it is said
    that one is missing. ``looks``: how many may disagree before the last one counts."""

    settle_s: float = 0.3
    look_every_s: float = 0.3
    again_s: float = 2.0
    lost_s: float = 6.0
    flick_s: float = 15.0
    looks: int = 4


class FlickReferee:
    """Follows a game of Dice Flick. ``state_name`` and ``why`` as with :class:`vision.referee.Referee`."""

    def __init__(self, setup: Mapping[str, Any], read: ReadBox, motion: Motion, pace: Pace = Pace()) -> None:
        self._setup, self._read, self._motion, self._pace = dict(setup), read, motion, pace
        self.game = DiceFlick()
        self.rounds = Rounds(self.game, self.game.start(setup))
        self._layout = self.rounds.state.config.markers if setup.get("markers") else None
        self.reading: BoxReading | None = None
        self.state_name, self.why = "waiting", NOTHING
        self._told: list[Told] = []
        self._looks: list[Look] = []
        self._pins: dict[Cell, tuple[str, Die | None]] = {}
        self._likely: dict[Cell, tuple[Option, ...]] = {}
        self._next_s = self._seen_s = 0.0
        self._shown: Floats | None = None
        self._lattice: Lattice | None = None
        self._around: Surroundings | None = None
        self._quiet = self._lost = self._ended = False

    # Frames.

    def step(self, image_bgr: Image, t_s: float) -> list[Json]:
        """Take the next frame (H, W, 3) uint8; the lines of everything that became certain with it."""
        if self._motion.update(image_bgr, t_s) < self._pace.settle_s:
            self.state_name, self.why = ("settling" if self._quiet else "hand_in_view"), NOTHING
            self._looks, self._quiet, self._next_s = [], False, t_s
            return []
        if t_s < self._next_s:
            return []
        try:
            reading = self._read(image_bgr, self._layout)
        except (BoxError, PhotoError) as error:
            return self._unseen(error, t_s)
        return self._seen(reading, image_bgr, t_s)

    def _unseen(self, error: BoxError | PhotoError, t_s: float) -> list[Json]:
        self._next_s = t_s + self._pace.look_every_s
        self.state_name, self.why = "lost", {"de": error.sentence("de"), "en": error.sentence("en")}
        if self._lost or t_s - self._seen_s < self._pace.lost_s:
            return []
        self._lost = True
        return [events.lost(self.why, t_s)]

    def _seen(self, reading: BoxReading, image: Image, t_s: float) -> list[Json]:
        lines = [events.found(t_s)] if self._lost else []
        self._lost, self._seen_s = False, t_s
        if self.reading is not None and self._layout is None:
            reading = turned_like(reading, self.reading.lattice)
        if self._lattice is None or moved(self._lattice, reading.lattice):
            self._lattice, self._shown = reading.lattice, None
        shown = appearance(image, self._lattice)
        beside = self._beside(reading, image)
        look = self._look(reading, shown, beside, t_s)
        self._looks.append(look)
        self._next_s = t_s + self._pace.look_every_s
        self.state_name, self.why = "at_rest", NOTHING
        if not self._agreed():
            self.state_name = "move_seen"
            return lines
        self._quiet, self._next_s = True, t_s + self._pace.again_s
        self._looks = self._looks[-1:]
        self.reading, self._shown = reading, shown
        self._around = Surroundings(image, reading.lattice, beside)
        self._begin_with(reading)
        lines += self._lines(self.rounds.see(look), t_s)
        flicks = len(self.rounds.flicks)
        if 0 < flicks < self.rounds.due and t_s - self.rounds.changed_s > self._pace.flick_s:
            self.why = NO_FLICK
        return lines

    def _agreed(self) -> bool:
        """Whether the box is as it was, two looks say the same, or many looks could not agree."""
        look = self._looks[-1]
        if self.reading is not None and look.board == self.rounds.board and len(look.loose) == len(self.rounds.loose):
            return True
        alike = len(self._looks) > 1 and self._alike(self._looks[-2], look)
        return alike or len(self._looks) >= self._pace.looks

    def _alike(self, one: Look, other: Look) -> bool:
        return one.board == other.board and len(one.loose) == len(other.loose)

    def _beside(self, reading: BoxReading, image: Image) -> list[LooseDie]:
        """The dice that lie in the ditch or outside."""
        sure, maybe = ([die for die in dice if die.where != "between"] for dice in (reading.loose, reading.maybe))
        return sure if self._around is None else self._around.now(image, reading.lattice, sure, maybe)

    def _begin_with(self, reading: BoxReading) -> None:
        """The first look tells where the stickers lie when nobody has said so."""
        if self._layout is not None or self._told:
            return
        markers = reading.markers
        if any(hole.content == "die" for hole in reading.holes):
            self._use(markers)  # a die may hide a sticker: look again when the box is empty
            return
        self._layout = markers
        self._use(markers)

    def _use(self, markers: Markers) -> None:
        config = replace(self.rounds.state.config, markers=markers)
        self.rounds.state = replace(self.rounds.state, config=config)

    def _look(self, reading: BoxReading, shown: Floats, beside: list[LooseDie], t_s: float) -> Look:
        dice = {die.cell: die for die in reading.board}
        new, certain = self._touched(shown)
        certain -= {die.cell for die in self.rounds.board}
        for hole, other in zip(reading.holes, reading.options, strict=False):
            if hole.cell in certain and hole.flaw != "hidden" and other:
                other = arrived(other)
                if other[0].content == "die":
                    dice[hole.cell] = Die(*hole.cell, other[0].name, other[0].value)
            if hole.cell in new or hole.cell not in self._likely:
                self._likely[hole.cell] = other
        dice = {cell: die for cell, die in dice.items() if cell in new}
        dice |= {die.cell: die for die in self.rounds.board if die.cell not in new}
        for cell, (raw, die) in list(self._pins.items()):
            if raw != _raw(reading, cell):
                del self._pins[cell]
            elif die is None:
                dice.pop(cell, None)
            else:
                dice[cell] = die
        hidden = frozenset(hole.cell for hole in reading.holes if hole.flaw == "hidden")
        loose = tuple(_spot(die) for die in beside)
        sure = self._sure(reading, dice)
        reach = reading.lattice.pitch_px((2.0, 2.0))
        return Look(t_s, tuple(sorted(dice.values())), loose, hidden, reach, sure)

    def _sure(self, reading: BoxReading, dice: Mapping[Cell, Die]) -> float:
        """How sure the score of these dice is, from what each hole may hold."""
        holes = tuple(_holding(hole, dice.get(hole.cell)) for hole in reading.holes)
        likely = tuple(() if h.cell in self._pins else self._likely.get(h.cell, ()) for h in holes)
        config = self.rounds.state.config
        board = replace(reading, holes=holes, options=likely, layout=config.markers, warnings=())
        return with_doubts(board, config.scoring).sure

    def _touched(self, shown: Floats) -> tuple[set[Cell], set[Cell]]:
        """Holes that may hold something else than at the last look, and those that certainly do; the others hold what
        they held. Before any look all but those with a sticker, which hold what the game says: a printed die must not
        count."""
        if self._shown is None:
            markers = self.rounds.state.config.markers
            return set(_ALL) - set(cells_of(markers.all_upgrades | markers.bonus | markers.centre)), set()
        some, certain = ({_ALL[int(k)] for k in np.flatnonzero(which)} for which in touched(self._shown, shown))
        return some, certain

    # Lines.

    def _lines(self, told: Sequence[Told], t_s: float, by: str = "") -> list[Json]:
        lines = []
        for one in told:
            self._told.append(one)
            lines.append(events.happened(self.game, one, t_s, 1.0 if by else self.rounds.told_sure, by))
        if told and self.game.outcome(self.rounds.state) is not None and not self._ended:
            self._ended = True
            lines.append(events.end(self.game, self.rounds.state, t_s))
        return lines

    def finish(self, t_s: float) -> list[Json]:
        """The recording has ended: a turn that was scored but not followed by another one is over."""
        if self._ended or not (self.rounds.taken or len(self.rounds.flicks) >= self.rounds.due):
            return []
        return self._lines(self.rounds.finish(t_s), t_s)

    # What a person says.

    def next_turn(self, t_s: float, claimed: int | None = None) -> list[Json]:
        """The turn is over; ``claimed``: the points written down, None for what was taken out (else nothing)."""
        return [] if self._ended else self._lines(self.rounds.finish(t_s, claimed), t_s, "person")

    def correct_hole(self, cell: Cell, die: Die | None) -> None:
        """What really lies in a hole, until the picture shows something else there. Raises ValueError before a look."""
        if self.reading is None:
            raise ValueError("no box has been read yet")
        self._pins[cell] = _raw(self.reading, cell), die
        self.rounds.correct(cell, die)

    def correct_points(self, points: int, t_s: float) -> list[Json]:
        """The last turn's player wrote down other points. Raises ValueError where there is no turn."""
        if not self._told:
            raise ValueError("no turn has been played")
        state = self.rounds.state
        last = next(one for one in reversed(self._told) if one.kind == "turn")
        change = Turn(last.action.player, Throw(None, state.board), points, ())
        one = Told("correction", state, change, self.game.correct(state, change))
        self.rounds.state = one.after
        return self._lines([one], t_s, "person")

    def undo(self, t_s: float) -> list[Json]:
        """Take the last line back. Raises ValueError where there is none."""
        if not self._told:
            raise ValueError("nothing to take back")
        last = self._told.pop()
        self.rounds.back_to(last.before)
        self._ended = False
        return [events.undo(self.game, last, t_s)]

    def replay(self, line: Json) -> None:
        """Take up a line of an earlier sitting. Raises RecordError."""
        if line.get("type") in ("turn", "correction"):
            one = events.told(self.game, self.rounds.state, line)
            self._told.append(one)
            self.rounds.state = one.after
        elif line.get("type") == "undo" and self._told:
            self.rounds.state = self._told.pop().before
        self.rounds.board = self.rounds.state.board

    # What viewers see.

    def snapshot(self, lines: Sequence[Json], t_s: float, fps: float) -> Json:
        """The fields of :func:`vision.snapshot.snapshot`, and ``flick``: rounds, box, what the turn is worth."""
        state = self.rounds.state
        over = self.game.outcome(state) is not None
        players = [{"name": name, "colour": ""} for name in state.config.names]
        return {
            "game": self.game.name, "players": players, "state": self.state_name, "why": self.why,
            "turn": state.turns + 1, "to_move": None if over else state.config.names[state.to_move], "roll": None,
            "scores": [
                {"player": s.player, "total": s.total, "parts": [{"what": w, "points": p} for w, p in s.parts]}
                for s in self.game.scores(state)
            ],
            "turns": settled_lines(lines), "needs_you": None,
            "end": next((line for line in reversed(lines) if line["type"] == "end"), None) if over else None,
            "t_s": round(t_s, 2), "fps": round(fps, 1), "flick": self._box(),
        }

    def _box(self) -> Json:
        state, reading = self.rounds.state, self.reading
        box: Json = {
            "round": state.round, "rounds": state.config.rounds, "table": [list(points) for points in state.points],
            "flicks": [{"die": f.die, "landed": f.landed} for f in self.rounds.flicks], "due": self.rounds.due,
            "board": [{"row": d.row, "col": d.col, "colour": d.colour, "value": d.value} for d in self.rounds.board],
            "taken": [list(cell) for cell in sorted(self.rounds.taken)],
            "markers": markers_to_json(state.config.markers), "options": asdict(state.config.scoring),
            **scoring_to_json(self.rounds.proposal()),
            "holes": [], "warnings": [],
        }
        if reading is not None:
            box |= {
                "holes": [hole_to_json(hole) for hole in reading.holes],
                "warnings": [warned_to_json(warned) for warned in reading.warnings],
            }
        return box


def _holding(hole: Hole, die: Die | None) -> Hole:
    """The hole with this die, or without any."""
    if die is None:
        return hole if hole.content != "die" else replace(hole, content="empty", colour="", value=0)
    return replace(hole, content="die", colour=die.colour, value=die.value, marker="")


def _raw(reading: BoxReading, cell: Cell) -> str:
    hole = reading.hole(*cell)
    return f"{hole.content} {hole.colour} {hole.value}"


def _spot(die: LooseDie) -> Spot:
    x1, y1, x2, y2 = die.box_px
    return die.where, die.colour, (x1 + x2) / 2, (y1 + y2) / 2

