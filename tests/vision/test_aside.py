"""The referee thinks beside the loop: frames pass the gate meanwhile, movement is noticed, verdicts are the same."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.vision.fake_eyes import FakeEyes
from tests.vision.playing import happenings
from tests.vision.toy import SETUP, Toy
from vision.aside import Aside, Passed
from vision.frames import Frame, FrameSource
from vision.hub import Hub
from vision.reading import TableReading
from vision.runner import run_referee
from vision.watch import new_referee

WAIT_S = 60.0


class Held(FakeEyes):
    """Eyes that need as long for a look as the test wants; ``began`` and ``go`` say when."""

    def __init__(self, toy: Toy) -> None:
        super().__init__(toy.stills, toy.plane)
        self.began, self.go, self.looked_s = threading.Event(), threading.Event(), list[float]()

    def read(self, image_bgr: object, t_s: float) -> TableReading:
        self.looked_s.append(t_s)
        self.began.set()
        assert self.go.wait(WAIT_S)
        return super().read(image_bgr, t_s)


@pytest.fixture(scope="module")
def toy() -> Toy:
    toy = Toy({**SETUP, "calibration": {"corners_px": [[0, 0], [960, 0], [960, 600], [0, 600]], "size_mm": [480, 300]}})
    toy.rest(0.8)
    for face in (3, 2):
        toy.play(face, toy.game.legal_actions(toy.state, face)[0])
    return toy


def thinking(toy: Toy) -> tuple[Aside, Held, Any]:
    eyes, gates = Held(toy), list[Passed]()

    def gate(plane: Any) -> Passed:
        gates.append(Passed(plane))
        return gates[0]

    referee = new_referee(toy.setup, toy.frames[0], lambda plane, setup: eyes, gate)
    return Aside(referee, gates[0]), eyes, referee


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.002)


def looking(aside: Aside, eyes: Held, given: list[Frame]) -> int:
    """Give frames until the referee looks at one; the number of the next."""
    for k, frame in enumerate(given):
        aside.take(frame)
        until(lambda: eyes.began.is_set() or not aside.busy or bool(aside.told()))
        if eyes.began.is_set():
            return k + 1
    raise AssertionError("never looked")


def frames(toy: Toy) -> list[Frame]:
    return [Frame(image, t_s, k) for k, (t_s, image) in enumerate(toy.timed())]


def test_nobody_waits_for_a_look_and_its_lines_come_later(toy: Toy) -> None:
    aside, eyes, referee = thinking(toy)
    calm = frames(toy)
    k = looking(aside, eyes, calm)
    before = referee.copied()
    for frame in calm[k : k + 2]:
        assert aside.take(frame) == [] and aside.busy
    eyes.go.set()
    told = aside.told(WAIT_S)
    assert not aside.busy and len(told) == 1 and len(eyes.looked_s) == 1
    assert before.history is not referee.history and before._sight is not referee._sight
    assert aside.close() == []


def test_movement_while_it_thinks_is_noticed(toy: Toy) -> None:
    """The hand came and went while the referee looked: the rest begins anew, though the newest picture lies still."""
    aside, eyes, referee = thinking(toy)
    calm = frames(toy)
    k = looking(aside, eyes, calm)
    t_s = calm[k].t_s
    aside.take(Frame(255 - calm[k].image_bgr, t_s, k))
    for later in range(1, 9):
        aside.take(Frame(calm[k].image_bgr, t_s + 0.1 * later, k + later))
    seen: list[tuple[float, float]] = []
    step = referee.step

    def noted(image: Any, at_s: float) -> Any:
        seen.append((at_s, aside._passed.still_s))
        return step(image, at_s)

    referee.step = noted
    eyes.go.set()
    until(lambda: aside.take(Frame(calm[k].image_bgr, t_s + 1.0, k + 9)) is not None and len(seen) >= 2)
    aside.close()
    assert seen[0][1] < 0.15 and t_s <= seen[0][0] <= t_s + 0.25, "the last frame on which something moved"
    assert seen[1][1] > 0.5, "and the newest one"


class Free(FrameSource):
    """Frames one after the other; each look has ended before the next frame comes."""

    live = paced = True

    def __init__(self, toy: Toy) -> None:
        self.name, self._frames, self._next = "free", frames(toy), 0

    @property
    def ended(self) -> bool:
        return self._next >= len(self._frames)

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        if timeout_s < 0.1:
            return None
        self._next += 1
        return self._frames[self._next - 1]

    def close(self) -> None:
        self._next = len(self._frames)


def test_a_game_refereed_beside_the_loop_ends_as_it_was_played(toy: Toy) -> None:
    eyes, said, hub = Held(toy), list[dict[str, Any]](), Hub()
    eyes.go.set()
    run_referee(Free(toy), toy.setup, hub, on_line=said.append, eyes_for=lambda plane, setup: eyes)
    assert [h[:3] for h in happenings(said)] == [("turn", "Anna", 3), ("turn", "Ben", 2)]
    assert [line["player"] for line in hub.snapshot()["turns"]] == ["Anna", "Ben"]
    assert not [t for t in threading.enumerate() if t.name.startswith("referee")]


class Darkened(Free):
    """The lens is covered for good while the referee looks at the first picture at rest."""

    def __init__(self, toy: Toy, eyes: Held) -> None:
        super().__init__(toy)
        self._eyes = eyes

    @property
    def ended(self) -> bool:
        return False

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        if not self._eyes.began.is_set():
            return super().read(timeout_s)
        self._eyes.go.set()
        self._next += 1
        time.sleep(0.005)
        return Frame(np.zeros_like(self._frames[0].image_bgr), self._next / 10, self._next)


def test_commands_are_served_though_nothing_can_be_seen_any_more(toy: Toy) -> None:
    eyes, hub, closing = Held(toy), Hub(), threading.Event()
    arguments = {"closing": closing, "eyes_for": lambda plane, setup: eyes}
    thread = threading.Thread(target=run_referee, args=(Darkened(toy, eyes), toy.setup, hub), kwargs=arguments)
    thread.start()
    try:
        assert eyes.began.wait(WAIT_S)
        hub.commands.put({"do": "dismiss"})
        until(hub.commands.empty)
        until(lambda: hub.snapshot()["state"] == "lost")
    finally:
        closing.set()
        thread.join(WAIT_S)
    assert not thread.is_alive()


def test_what_the_referee_raises_arrives(toy: Toy) -> None:
    aside, eyes, referee = thinking(toy)

    def broken(image: Any, t_s: float) -> Any:
        raise RuntimeError("no such thing")

    referee.step = broken
    with pytest.raises(RuntimeError):
        aside.take(Frame(np.zeros_like(toy.frames[0]), 0.0, 0))
        aside.told(WAIT_S)
    aside.close()
