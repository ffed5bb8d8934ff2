"""Only what has changed is looked at again, and what is found is what a look at the whole picture finds."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from models.classes import DETECTOR_CLASSES
from vision.attention import MOST_COST, STEP_PX, TIMES, Attention
from vision.boxes import letterbox
from vision.detections import Detections
from vision.eyes import TableEyes

INPUT_WH = (1280, 736)
PAWN, TILE = (40, 60, 220), (60, 180, 60)
KINDS = {PAWN: DETECTOR_CLASSES.index("pawn"), TILE: DETECTOR_CLASSES.index("tile")}
NOISE = np.random.default_rng(1).normal(0, 2, (720, 1280, 3)).round().astype(np.int16)
Things = dict[str, tuple[tuple[int, int, int], tuple[int, int, int, int]]]
THINGS: Things = {
    "a": (TILE, (200, 200, 270, 270)), "b": (TILE, (300, 200, 370, 270)), "c": (TILE, (900, 500, 970, 570)),
    "p": (PAWN, (320, 150, 345, 192)), "q": (PAWN, (1100, 600, 1125, 642)),
}  # fmt: skip


class Drawn:
    """Finds what :func:`drawn` has drawn, in the picture as a network would get it."""

    is_free = True
    size_wh = INPUT_WH

    def __init__(self) -> None:
        self.looks: list[float] = []

    def detect(self, image_bgr: Image) -> Detections:
        return self.look(image_bgr, self.size_wh)

    def look(self, image_bgr: Image, size_wh: tuple[int, int]) -> Detections:
        assert size_wh[0] % 32 == size_wh[1] % 32 == 0
        self.looks.append(size_wh[0] * size_wh[1] / (INPUT_WH[0] * INPUT_WH[1]))
        tensor, fitted = letterbox(image_bgr, size_wh)
        picture = np.ascontiguousarray(np.rint(tensor[0].transpose(1, 2, 0)[:, :, ::-1] * 255).astype(np.uint8))
        boxes, classes = [], []
        for colour, kind in KINDS.items():
            low, high = np.array(colour, float) - 45, np.array(colour, float) + 45
            mask = cv2.inRange(picture, low, high)
            for x, y, width, height, size in cv2.connectedComponentsWithStats(mask)[2][1:]:
                if size > 20:
                    boxes.append((x, y, x + width, y + height))
                    classes.append(kind)
        xyxy = fitted.to_picture(np.array(boxes, np.float32).reshape(-1, 4))
        return Detections(xyxy, np.array(classes, np.int64), np.full(len(boxes), 0.9, np.float32))


def drawn(things: Things, size_wh: tuple[int, int] = (1280, 720), light: int = 0, seed: int = 0) -> Image:
    """The things on a grey table, with a camera's noise."""
    image = np.full((720, 1280, 3), 120 + light, np.int16)
    for colour, (left, top, right, bottom) in things.values():
        image[top:bottom, left:right] = np.array(colour) + light
    picture = np.clip(image + np.roll(NOISE, 17 * seed, axis=0), 0, 255).astype(np.uint8)
    return picture if size_wh == (1280, 720) else np.asarray(cv2.resize(picture, size_wh), np.uint8)


def moved(name: str, dx: int, dy: int) -> Things:
    colour, (left, top, right, bottom) = THINGS[name]
    return {**THINGS, name: (colour, (left + dx, top + dy, right + dx, bottom + dy))}


def same(a: Detections, b: Detections, off_px: float = 3.0) -> bool:
    """Whether both are the same things, each within a few pixels."""
    if len(a) != len(b):
        return False
    apart = np.abs(a.xyxy_px[:, None] - b.xyxy_px[None]).max(axis=2) + 1e3 * (a.class_id[:, None] != b.class_id[None])
    return bool((apart.min(axis=1) <= off_px).all() and (apart.min(axis=0) <= off_px).all())


@pytest.mark.parametrize("size_wh", [(1280, 720), (640, 360)])
@pytest.mark.parametrize(
    "after",
    [
        moved("p", 90, 0), moved("p", 8, 0), moved("p", 700, 300), moved("q", -60, -60), moved("a", 0, 120),
        {name: thing for name, thing in THINGS.items() if name != "c"}, {**THINGS, "new": (PAWN, (3, 3, 28, 45))},
        {**THINGS, "on the tile": (PAWN, (215, 215, 240, 257))},
    ],
    ids=["on", "nudged", "far", "elsewhere", "tile", "gone", "corner", "covers"],
)  # fmt: skip
def test_a_look_at_what_changed_finds_what_a_look_at_everything_finds(size_wh: tuple[int, int], after: Things) -> None:
    detector = Drawn()
    attention = Attention(detector)
    attention.detect(drawn(THINGS, size_wh))
    for seed in (1, 2):
        detector.looks.clear()
        picture = drawn(after, size_wh, seed=seed)
        found = attention.detect(picture)
        assert sum(detector.looks) < MOST_COST
        assert same(found, Drawn().detect(picture), 4.0 * size_wh[0] / 1280)


def test_everything_is_looked_at_first_and_when_nothing_changes() -> None:
    detector = Drawn()
    attention = Attention(detector)
    for seed in range(3):
        attention.detect(drawn(THINGS, seed=seed))
    assert detector.looks == [1.0] * 3


def test_a_change_is_looked_at_several_times_then_all_of_it() -> None:
    detector = Drawn()
    attention = Attention(detector)
    attention.detect(drawn(THINGS))
    costs = []
    for seed in range(1, TIMES + 2):
        detector.looks.clear()
        attention.detect(drawn(moved("p", 60, 0), seed=seed))
        costs.append(sum(detector.looks))
    assert max(costs[:TIMES]) < 0.3 and costs[TIMES] == 1.0


@pytest.mark.parametrize(("side", "levels", "changed"), [(8, 14, False), (8, 120, True), (40, 16, True)])
def test_trembling_edges_are_no_change(side: int, levels: int, changed: bool) -> None:
    """Little, weak and alone is nothing; little and strong, or weak and large, is."""
    detector = Drawn()
    attention = Attention(detector)
    attention.detect(drawn(THINGS))
    picture = drawn(THINGS).astype(np.int16)
    picture[600 : 600 + side, 400 : 400 + side] -= levels
    detector.looks.clear()
    attention.detect(picture.clip(0, 255).astype(np.uint8))
    assert (detector.looks == [1.0]) != changed


@pytest.mark.parametrize("again", [False, True])
def test_what_was_looked_at_once_is_left_alone_when_something_else_happens(again: bool) -> None:
    detector = Drawn()
    attention = Attention(detector)
    attention.detect(drawn(THINGS))
    attention.detect(drawn(moved("p", 90, 0)))
    known = len(attention._changes)
    after = {**moved("q", -200, 0), "p": moved("p", 180 if again else 90, 0)["p"]}
    found = attention.detect(drawn(after))
    assert known == 2 and len(attention._changes) == (5 if again else 2)
    assert same(found, Drawn().detect(drawn(after)))


def test_another_light_is_a_reason_to_look_at_everything() -> None:
    detector = Drawn()
    attention = Attention(detector)
    attention.detect(drawn(THINGS))
    found = attention.detect(drawn(moved("p", 60, 0), light=15, seed=1))
    assert detector.looks == [1.0, 1.0] and same(found, Drawn().detect(drawn(moved("p", 60, 0))))


def test_what_changes_too_slowly_to_be_seen_is_seen_in_the_end() -> None:
    """Each look beside a pawn that keeps moving; a tile far from it fades a little every time."""
    detector = Drawn()
    attention = Attention(detector)
    attention.detect(drawn(THINGS))
    for step in range(1, 25):
        fading = tuple(round(c + (120 - c) * step / 24) for c in TILE)
        picture = drawn({**moved("p", 6 * step, 0), "c": (fading, THINGS["c"][1])}, seed=step)  # type: ignore[dict-item]
        found = attention.detect(picture)
    assert same(found, Drawn().detect(picture), 5.0) and len(found) == len(THINGS) - 1


def test_what_reaches_beyond_the_part_that_is_looked_at() -> None:
    """The long thing was missed at first; when a pawn comes to stand on it, only a piece of it would be seen."""
    detector = Drawn()
    attention = Attention(detector)
    long = {**THINGS, "d": (TILE, (20, 400, 700, 440))}
    attention.detect(drawn(long))
    attention._known = Detections.empty()
    detector.looks.clear()
    picture = drawn({**long, "on it": (PAWN, (300, 408, 320, 432))}, seed=1)
    found = attention.detect(picture)
    assert detector.looks[0] < 0.2 and detector.looks[1] == 1.0
    assert same(found, Drawn().detect(picture))


@pytest.mark.parametrize("size_wh", [(640, 360), (1280, 720)])
def test_a_camera_that_was_moved_and_pictures_of_another_size(size_wh: tuple[int, int]) -> None:
    detector = Drawn()
    attention = Attention(detector)
    attention.detect(drawn(THINGS))
    attention.forget()
    found = attention.detect(drawn(THINGS, size_wh, seed=1))
    assert detector.looks == [1.0, 1.0]
    found = attention.detect(drawn(moved("p", 60, 0), (1280, 720), seed=2))
    assert same(found, Drawn().detect(drawn(moved("p", 60, 0))))


def test_the_eyes_forget_with_a_new_plane(monkeypatch: pytest.MonkeyPatch) -> None:
    detector = Drawn()
    attention = Attention(detector)
    eyes = TableEyes(None, attention, None, None, ())  # type: ignore[arg-type]
    attention.detect(drawn(THINGS))
    eyes.replane(None)  # type: ignore[arg-type]
    attention.detect(drawn(moved("p", 60, 0), seed=1))
    assert detector.looks == [1.0, 1.0]


def test_parts_have_few_sizes() -> None:
    sizes = []

    class Sizes(Drawn):
        def look(self, image_bgr: Image, size_wh: tuple[int, int]) -> Detections:
            sizes.append(size_wh)
            return super().look(image_bgr, size_wh)

    attention = Attention(Sizes())
    attention.detect(drawn(THINGS))
    for k in range(1, 12):
        attention.detect(drawn(moved("p", 13 * k, 7 * k), seed=k))
    assert all(side % STEP_PX == 0 for wh in sizes if wh != INPUT_WH for side in wh) and len(set(sizes)) < 6
