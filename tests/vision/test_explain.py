"""Which explanation wins, and how sure: on a toy table with chosen readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from models.classes import DIE_CLASSES
from rules.protocol import Move
from rules.verflixxt.state import State, Turn
from tests.vision.fake_eyes import FakeEyes
from tests.vision.toy import Toy
from vision.evidence import Evidence
from vision.explain import Branch, Explanation, Told, explain, same_event
from vision.places import PlaceView
from vision.reading import DieSeen, TableReading
from vision.tables.verflixxt import VerflixxtTable
from vision.throw import DieMemory


class Scene:
    """A toy table with the referee's parts around it."""

    def __init__(self) -> None:
        self.toy = Toy()
        self.game = self.toy.game
        self.table = VerflixxtTable(self.game)
        self.layout = self.table.locate(self.seen(self.toy.state), self.toy.state)
        self.view = PlaceView(self.toy.plane, self.layout)

    def seen(self, state: State) -> TableReading:
        """What good eyes see of a state."""
        self.toy.state = state
        self.toy.rest(0.1)
        return FakeEyes(self.toy.stills[-1:], self.toy.plane).read(None, 0.0)

    def explain(self, branch: Branch, shown: State, *more: Branch, die_seen: bool = True) -> Explanation:
        reading = self.seen(shown)
        if not die_seen:
            reading = replace(reading, dice=())
        return explain([branch, *more], Evidence(self.layout, self.view, reading), reading, self.table)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene()


def thrown(faces: Mapping[int, float], scene: Scene) -> DieMemory:
    """A throw that lies where the toy's die lies, read with these probabilities."""
    x, y, _ = scene.toy.die
    probs = tuple(faces.get(int(c), 1e-4) if c.isdigit() else 0.0 for c in DIE_CLASSES)
    old = DieSeen((0.0, 0.0), (0, 0, 1, 1), probs, 0.9)
    return DieMemory(old, DieSeen((x, y), (0, 0, 1, 1), probs, 0.9))


def start_and(scene: Scene, face: int) -> tuple[State, Branch]:
    scene.toy.die = (*scene.toy.die[:2], face)
    state = scene.game.start(scene.toy.setup)
    return state, Branch(state, thrown({face: 1.0}, scene))


def told(explanation: Explanation) -> tuple[Any, ...]:
    best = explanation.best.told
    return (best.kind, best.roll, [v.rule for v in best.violations]) if best else ("nothing",)


def test_nothing_happened(scene: Scene) -> None:
    state, branch = start_and(scene, 3)
    explanation = scene.explain(branch, state)
    assert told(explanation) == ("nothing",)
    assert explanation.probability > 0.99
    assert sum(explanation.shortfall.values()) < 1


def test_a_legal_turn(scene: Scene) -> None:
    state, branch = start_and(scene, 3)
    after = scene.game.judge(state, Turn(0, 3, (Move("pawn:red", 0, 3),))).state
    explanation = scene.explain(branch, after)
    assert told(explanation) == ("turn", 3, [])
    assert explanation.best.state == after
    assert explanation.probability > 0.97
    assert explanation.margin > 4


def test_an_illegal_turn_needs_more_evidence_than_a_legal_one(scene: Scene) -> None:
    """A pawn went 4: with a die that reads 3 or 4 alike, the rules decide for 4."""
    state, _ = start_and(scene, 4)
    branch = Branch(state, thrown({3: 0.7, 4: 0.3}, scene))
    after = scene.game.judge(state, Turn(0, 4, (Move("pawn:red", 0, 4),))).state
    explanation = scene.explain(branch, after)
    assert told(explanation) == ("turn", 4, [])
    sure = scene.explain(Branch(state, DieMemory(branch.die.used)), after)
    assert told(sure)[1] == 4


def test_a_die_read_surely_makes_it_illegal(scene: Scene) -> None:
    state, branch = start_and(scene, 3)
    after = scene.game.judge(state, Turn(0, 4, (Move("pawn:red", 0, 4),))).state
    explanation = scene.explain(branch, after)
    assert told(explanation) == ("turn", 3, ["wrong_count"])


@pytest.mark.parametrize(("to", "same"), [(9, True), (4, False)], ids=["no throw allows it", "one throw allows it"])
def test_a_die_badly_read_is_a_doubt_only_where_it_changes_the_verdict(scene: Scene, to: int, same: bool) -> None:
    state, _ = start_and(scene, 4)
    turns = [Turn(0, roll, (Move("pawn:red", 0, to),)) for roll in (3, 4)]
    verdicts = [scene.game.judge(state, turn) for turn in turns]
    three, four = (
        Told("turn", state, turn, verdict.state, verdict.violations, turn.roll)
        for turn, verdict in zip(turns, verdicts, strict=True)
    )
    assert same_event(three, four) is same
    assert not same_event(three, None)


def test_a_wrong_turn_may_be_put_right_for_any_throw_that_it_may_have_been(scene: Scene) -> None:
    state, branch = start_and(scene, 4)
    turn = Turn(0, 3, (Move("pawn:red", 0, 9),))
    verdict = scene.game.judge(state, turn)
    wrong = Told("turn", state, turn, verdict.state, verdict.violations, 3, rolls=((3, 0.5), (4, 0.5)))
    after = Branch(verdict.state, branch.die.after_turn(TableReading(0.0)), last=wrong)
    for to in (3, 4):
        righted = scene.game.judge(state, Turn(0, to, (Move("pawn:red", 0, to),))).state
        best = scene.explain(after, righted, die_seen=False).best.told
        assert best is not None
        assert (best.kind, best.after.pawns) == ("correction", righted.pawns)


def test_a_wrong_turn_put_right(scene: Scene) -> None:
    state, branch = start_and(scene, 3)
    verdict = scene.game.judge(state, Turn(0, 3, (Move("pawn:red", 0, 5),)))
    wrong = Told("turn", state, None, verdict.state, verdict.violations, 3, branch.die)
    after_wrong = Branch(verdict.state, DieMemory(branch.die.thrown), last=wrong)
    right = scene.game.judge(state, Turn(0, 3, (Move("pawn:red", 0, 3),))).state
    explanation = scene.explain(after_wrong, right)
    assert told(explanation)[0] == "correction"
    assert explanation.best.state.pawns == right.pawns
    assert not explanation.best.told.taken_back  # type: ignore[union-attr]
    back = scene.explain(after_wrong, state)
    assert told(back)[0] == "correction"
    assert back.best.told.taken_back  # type: ignore[union-attr]
    assert back.best.state.to_move == 0


def test_the_next_look_tells_which_branch_was_right(scene: Scene) -> None:
    state, branch = start_and(scene, 3)
    one = scene.game.judge(state, Turn(0, 3, (Move("pawn:red", 0, 3),)))
    other = scene.game.judge(state, Turn(0, 3, (Move("pawn:blue", 0, 3),)))
    branches = [
        Branch(v.state, DieMemory(branch.die.thrown), -1.0, (Told("turn", state, None, v.state, v.violations, 3),))
        for v in (one, other)
    ]
    explanation = scene.explain(branches[0], other.state, branches[1])
    assert told(explanation) == ("nothing",)
    assert explanation.best.branch is branches[1]
    assert explanation.probability > 0.9


def test_one_story_counts_once(scene: Scene) -> None:
    """The same turn told from the state before it and from a branch in which it is pending is one explanation: that it
    has happened now."""
    state, branch = start_and(scene, 3)
    turn = next(a for a in scene.game.legal_actions(state, 3) if a.moves[0].piece == "pawn:red")
    after = scene.game.judge(state, turn).state
    pending = Branch(after, DieMemory(branch.die.thrown), -1.0, (Told("turn", state, turn, after, (), 3),))
    explanation = scene.explain(branch, after, pending)
    assert explanation.probability > 0.97
    assert explanation.best.told is not None and not explanation.best.branch.pending


def test_after_the_end_nothing_more_is_played(scene: Scene) -> None:
    state, _ = start_and(scene, 3)
    finish = state.config.finish
    home = ((finish,) * 3, (finish,) * 3)
    over = State(state.config, 0, 30, state.route, home, state.guards, state.collected)
    explanation = scene.explain(Branch(over), over)
    assert told(explanation) == ("nothing",)
    assert len(explanation.ranked) == 1
