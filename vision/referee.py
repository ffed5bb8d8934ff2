"""The referee: from frames and their times to the lines of the game. No thread, no clock, no web.

It waits until the picture has been still for a moment, looks at the table a few times, and lets the rules explain
what it sees. All durations are in seconds of the recording, so a slow computer behaves the same.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from rules.protocol import Place
from vision import events
from vision.as_it_is import as_it_stands
from vision.begin import Begun, begin, catch_up
from vision.change import ChangeMap
from vision.events import Json, Text
from vision.evidence import Evidence
from vision.explain import Explanation, explain, with_unseen_turn
from vision.hearing import heard, teach_roll
from vision.history import History
from vision.patience import PATIENT, Patience
from vision.reading import Eyes, TableReading, combine
from vision.relocate import relocated
from vision.sight import Sight
from vision.steady import MOVED, Steady
from vision.tables import Contents, Layout, TableAdapter
from vision.why import CAMERA_MOVED, HIDDEN, NOTHING

__all__ = ["PATIENT", "Motion", "Patience", "Referee"]

Image = NDArray[np.uint8]

class Motion(Protocol):
    """Tells a moving picture from a still one."""

    def update(self, image_bgr: Image, t_s: float) -> float:
        """Seconds for which the picture has been still, 0 while it moves."""


class Referee:
    """Follows one game. ``state_name`` is one of ``waiting``, ``hand_in_view``, ``settling``, ``at_rest``,
    ``move_seen``, ``needs_you``, ``lost``; ``why`` says more where there is more to say. ``resumed``: the game was
    interrupted, and may have been played on meanwhile.
    """

    def __init__(
        self, adapter: TableAdapter[Any], state: Any, eyes: Eyes, plane: TablePlane, motion: Motion,
        patience: Patience = PATIENT, steady_for: Callable[[TablePlane, Image], Steady] = Steady,
    ) -> None:
        self.history = History(adapter.game, state)
        self.reading: TableReading | None = None
        self.state_name, self.why = "waiting", NOTHING
        self.resumed = False
        self._adapter, self._eyes, self._motion, self._patience = adapter, eyes, motion, patience
        self._sight = Sight(adapter, eyes, plane, motion, steady_for)
        self._looks: list[TableReading] = []
        self._rest_since = self._next_look = self._next_check = self._still_s = 0.0
        self._done = self._searched = False
        self._blocked_since: float | None = None
        self._lost = False
        self._last: tuple[Evidence, TableReading, Image] | None = None
        self._unclear: Explanation | None = None
        self._certain: tuple[Explanation, Evidence, TableReading, Image] | None = None
        self._heard = ""

    @property
    def layout(self) -> Layout | None:
        """Where the places lie, in mm; None until the game is found."""
        return self._sight.layout

    @property
    def plane(self) -> TablePlane:
        """The table as the camera sees it now."""
        return self._sight.plane

    def copied(self) -> Referee:
        """The same as it stands, to draw from while this one thinks."""
        other = copy.copy(self)
        other._sight, other.history = copy.copy(self._sight), self.history.copied()
        return other

    def step(self, image_bgr: Image, t_s: float) -> list[Json]:
        """Take the next frame (H, W, 3) uint8; the lines of everything that became certain with it."""
        self._still_s = still_s = self._motion.update(image_bgr, t_s)
        if still_s < self._patience.settle_s:
            self._moving()
            return []
        if not self._looks and not self._done and self._blocked_since is None:
            self._rest_since, self._searched = t_s, False
        if self._certain is not None:
            explanation, evidence, reading, image = self._certain
            self._unclear = explanation if t_s >= self._next_look else self._unclear
            due = self._rested(explanation, t_s)
            return self._settle(explanation, evidence, replace(reading, t_s=t_s), image, t_s) if due else []
        if t_s < self._next_look and not self._knocked(image_bgr, t_s):
            return []
        if self._done:
            self._looks, self._done, self._searched, self._rest_since = [], False, False, t_s
        self._next_look = t_s + self._patience.look_every_s
        return self._look(image_bgr, t_s)

    def _rested(self, explanation: Explanation, t_s: float) -> bool:
        """Whether the table has rested long enough for this; after one look, since anything has moved, whatever was
        seen of it before."""
        before = self._patience.before(explanation)
        once = len(self._looks) < self._patience.least_looks
        return t_s - self._rest_since >= before and not (once and self._still_s < before + self._patience.settle_s)

    def _knocked(self, image: Image, t_s: float) -> bool:
        """Whether the camera was moved: a jump of the whole picture need not look like something that moves on it."""
        if t_s < self._next_check:
            return False
        self._next_check = t_s + self._patience.camera_s
        return self._sight.knocked(image)

    def _moving(self) -> None:
        if self._unclear is not None and self._last is not None and not self._done and self._unclear.is_open:
            rested_s = self._last[1].t_s - self._rest_since
            self._hold(self._unclear, *self._last, seen=rested_s >= self._patience.fault_s)
        self._looks, self._done, self._next_look, self._unclear, self._certain = [], False, 0.0, None, None
        if self.layout is not None and self.state_name != "hand_in_view" and not self._lost:
            self._show("settling")

    def _hold(
        self, explanation: Explanation, evidence: Evidence, reading: TableReading, image: Image, seen: bool
    ) -> None:
        """Keep a doubt in mind. ``seen``: the table rested for long enough that what it looked like counts later, when
        it stands otherwise."""
        self.history.hold(explanation, reading, self._noticed_s(reading), seen=seen)
        if seen:
            self._refer(evidence, reading, image)

    def _noticed_s(self, reading: TableReading) -> float:
        """When what is in doubt had rested for long enough to be told, had it been clear."""
        return min(reading.t_s, self._rest_since + self._patience.fault_s)

    def _look(self, image: Image, t_s: float) -> list[Json]:
        if self._sight.camera(image) == MOVED:
            return self._camera_moved(t_s)
        reading = self._eyes.read(image, t_s)
        change = self._sight.change(reading, image)
        hand = self._sight.hand(reading)
        if hand or self._sight.hidden(reading, change):
            return self._covered(hand, t_s)
        lines = self._uncovered(t_s)
        self._looks.append(reading)
        combined = combine(self._looks)
        self._heard = heard(self.history, combined, self._heard)
        if self.layout is None:
            return lines + self._find(combined, image, t_s)
        return lines + self._judge(combined, change, image, t_s)

    def _camera_moved(self, t_s: float) -> list[Json]:
        """Nothing is judged until the plane is measured anew."""
        self._looks, self._unclear = [], None
        self._show("lost", CAMERA_MOVED)
        if self._lost:
            return []
        self._lost = True
        return [events.lost(self.why, t_s)]

    def _covered(self, hand: bool, t_s: float) -> list[Json]:
        self._looks = []
        if self._blocked_since is None:
            self._blocked_since = t_s
        if hand or self._lost or t_s - self._blocked_since < self._patience.blocked_s:
            if not self._lost:
                self._show("hand_in_view")
            return []
        self._lost = True
        self._show("lost", HIDDEN)
        return [events.lost(self.why, t_s)]

    def _uncovered(self, t_s: float) -> list[Json]:
        self._blocked_since = None
        if not self._lost:
            return []
        self._lost = False
        return [events.found(t_s)]

    def _find(self, reading: TableReading, image: Image, t_s: float) -> list[Json]:
        """Find the game on the table, as the state says it stands."""
        if len(self._looks) < self._patience.least_looks:
            return []
        # A turn made meanwhile may look so much like the position before it that this would be believed.
        later = self._catch_up(reading, image) if self.resumed else None
        if later is not None:
            lines = self.history.settle(later[1], later[0].reading, t_s)
            return self._begun(later[0], image, t_s) + lines
        begun = begin(self._adapter, self.plane, self._eyes, self.history.state, reading, image)
        if isinstance(begun, Begun):
            branch = self.history.branch
            self.history.branches = (replace(branch, die=branch.die.seeing(begun.reading)),)
            return self._begun(begun, image, t_s)
        # A throw before the game is found counts for its first turn.
        self.history.branches = tuple(replace(b, die=b.die.seeing(reading)) for b in self.history.branches)
        self._show("waiting", begun)
        self._looks = self._looks[-self._patience.least_looks:]
        return []

    def _catch_up(self, reading: TableReading, image: Image) -> tuple[Begun, Explanation] | None:
        history = self.history
        return catch_up(self._adapter, self.plane, self._eyes, history.branches, reading, image, history.accepts)

    def _begun(self, begun: Begun, image: Image, t_s: float) -> list[Json]:
        self._sight.begin(begun.layout, begun.view, image)
        self._refer(begun.evidence, begun.reading, image)
        self._rest(t_s)
        return [events.found(t_s)]

    def _judge(self, reading: TableReading, change: ChangeMap | None, image: Image, t_s: float) -> list[Json]:
        assert self.layout is not None
        evidence = self._sight.evidence(reading, change)
        reading = evidence.reading
        self._last = evidence, reading, image
        explanation = explain(self.history.branches, evidence, reading, self._adapter)
        twice = len(self._looks) >= self._patience.least_looks
        enough = twice or self._patience.is_plain(explanation, self._still_s)
        sure = enough and self.history.accepts(explanation)
        if sure and self._rested(explanation, t_s):
            return self._settle(explanation, evidence, reading, image, t_s)
        self._unclear = explanation if twice else None
        # It only has to rest for a while yet: looking on would delay it.
        certain = sure and explanation.probability >= self._patience.certain
        self._certain = (explanation, evidence, reading, image) if certain else None
        self._show("move_seen" if explanation.best.told else "at_rest")
        rested_s = t_s - self._rest_since
        if not enough or rested_s < self._patience.search_s:
            return []
        if not self._searched or rested_s >= self._patience.ask_s:
            self._searched = True
            found = self._search(explanation, evidence, reading)
            if found is not None:
                return self._settle(*found, image, t_s)
        return self._ask(explanation, evidence, reading, image, t_s) if rested_s >= self._patience.ask_s else []

    def _search(
        self, explanation: Explanation, evidence: Evidence, reading: TableReading
    ) -> tuple[Explanation, Evidence, TableReading] | None:
        """A rarer story that explains the table surely: tiles were pushed together, or a whole turn went unseen."""
        assert self.layout is not None
        found = relocated(self._adapter, self.plane, self.layout, reading, self.history.branches, explanation)
        if found is not None and self.history.accepts(found[3]):
            layout, view, there, explanation = found
            self._sight.place(layout, view)
            return explanation, there, reading
        branches = with_unseen_turn(self.history.branches, reading, self._adapter)
        longer = explain(branches, evidence, reading, self._adapter)
        return (longer, evidence, reading) if self.history.accepts(longer) else None

    def _settle(
        self, explanation: Explanation, evidence: Evidence, reading: TableReading, image: Image, t_s: float
    ) -> list[Json]:
        nothing = explanation.best.told is None and not explanation.best.branch.pending
        lines = self.history.settle(explanation, reading, t_s)
        self.reading = reading
        # A hand that the eyes did not see may be in this picture: nothing is compared with it unless it stays.
        if not nothing or not self._sight.comparable or self._still_s >= self._patience.again_s:
            self._refer(evidence, reading, image)
        self._rest(t_s)
        return lines

    def finish(self, t_s: float) -> list[Json]:
        """The recording is over: what is unclear now is most likely what it seems."""
        lines: list[Json] = []
        if not self._done and self._unclear is not None and self._last is not None and self._unclear.best.told:
            end = self._settle if self.history.accepts(self._unclear) else self._ask
            lines = end(self._unclear, *self._last, t_s)
        return lines + self.history.give_up(t_s, keep=1 if self.history.question else 0)

    def _ask(
        self, explanation: Explanation, evidence: Evidence, reading: TableReading, image: Image, t_s: float
    ) -> list[Json]:
        """Put the doubt to the players where it is great enough; none if nothing is open and most likely nothing
        happened, and the eyes are just not good enough.

        The game goes on from what stands on the table: what was unclear once must not spoil all that comes later.
        """
        lines: list[Json] = []
        explanation = self._with_table(explanation, evidence, reading)
        if explanation.best.told or explanation.best.branch.pending:
            if self.history.is_question(explanation):
                lines = self.history.ask(explanation, reading, t_s)
            else:
                lines = self.history.leave_open(explanation, reading, self._noticed_s(reading))
            self._refer(evidence, reading, image)
        elif self._still_s >= self._patience.again_s and not evidence.looks_unchanged:
            self._hold(explanation, evidence, reading, image, seen=True)
        self._rest(t_s)
        return lines

    def _with_table(self, explanation: Explanation, evidence: Evidence, reading: TableReading) -> Explanation:
        """The table as it stands is one more explanation, where it differs from all that the rules offer."""
        free = as_it_stands(explanation.best.branch, evidence, reading, self._adapter, self.history.first)
        if free is None or any(h.state == free.state for h, _ in explanation.ranked):
            return explanation
        return explanation.with_another(free)

    def _refer(self, evidence: Evidence, reading: TableReading, image: Image) -> None:
        """Everything is clear: later pictures are compared with this one."""
        self._sight.refer(evidence, reading, image, self.history.state)
        self.history.compare_with(lambda state: self._sight.known(state, evidence))
        self.reading = reading

    def _rest(self, t_s: float | None = None) -> None:
        """Nothing more to find out until something moves (or for some time)."""
        self._done, self._unclear, self._certain = True, None, None
        if t_s is not None:
            self._next_look = t_s + self._patience.next_look_s(self._still_s)
        if self.history.question:
            self._show("needs_you", self.history.question.line["why"])
        else:
            self._show("at_rest")

    def _show(self, name: str, why: Text | None = None) -> None:
        self.state_name, self.why = name, why or NOTHING

    def contents(self) -> Mapping[Place, Contents]:
        """What should stand at every place now."""
        return self._adapter.contents(self.history.state)

    def choose(self, number: int, t_s: float) -> list[Json]:
        """A person chooses an alternative of the open question. Raises ValueError for one that is not offered."""
        lines = self.history.choose(number, t_s)
        if self._last is not None:
            teach_roll(self._eyes, lines, self._last[1], self._last[2])
        self._believe()
        return lines

    def take(self, t_s: float) -> list[Json]:
        """A person says that what stands on the table holds. Raises ValueError where it is as it should be."""
        if self._last is None:
            raise ValueError("there is no table to take as it stands")
        evidence, reading, _ = self._last
        free = as_it_stands(self.history.branch, evidence, reading, self._adapter, self.history.first)
        if free is None:
            raise ValueError("the table stands as the game says")
        lines = self.history.take(free, reading, t_s)
        self._believe()
        return lines

    def undo(self, t_s: float) -> list[Json]:
        """A person takes the last turn back. Raises ValueError when there is none."""
        lines = self.history.undo(t_s)
        self._looks, self._done, self._certain = [], False, None
        self._show("at_rest")
        return lines

    def edit(self, kind: str, index: int, line: Json | None, t_s: float) -> list[Json]:
        """A person says what really happened in the game so far, see :meth:`vision.history.History.edit`."""
        lines = self.history.edit(kind, index, line, t_s)
        self._believe()
        return lines

    def say(self, what: str) -> None:
        """A person tells a die that the camera does not read. Raises ValueError before the game is found."""
        if self.layout is None:
            raise ValueError("there is no game yet")
        self.history.say(what)
        self._certain = None
        correct = getattr(self._eyes, "correct_action", None)
        if correct is not None and what != self._heard:
            correct(what)

    def dismiss(self) -> None:
        """A person says that nothing has happened."""
        self.history.dismiss()
        self._believe()

    def _believe(self) -> None:
        """What a person has said about the table as it was last seen is the truth."""
        if self._last is not None:
            self._refer(*self._last)
        self._rest()
