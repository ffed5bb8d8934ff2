"""Finds the game on the table before the first turn (or when a game is resumed), and learns the set's colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from rules.protocol import Place
from vision.evidence import Evidence
from vision.explain import Branch, Explanation, explain, with_unseen_turn
from vision.fits import feet_on, likeliest, nearest_tiles
from vision.obstruction import HAND
from vision.places import PlaceView
from vision.reading import Box, Eyes, Point, TableReading
from vision.tables import Contents, Layout, NotFound, TableAdapter
from vision.why import Text, not_found, not_start

START_FIT = 3.4
"""Nats that the position may fall short of a perfect fit when the game is found: less than a piece too many."""

FEW = 4
"""One piece in so many may be taken for another kind when the game is found."""

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Begun:
    """The game was found: its places on the table and in the picture, and the reading that shows them."""

    layout: Layout
    view: PlaceView
    evidence: Evidence
    reading: TableReading


def begin(
    adapter: TableAdapter[Any], plane: TablePlane, eyes: Eyes, state: Any, reading: TableReading, image_bgr: Image
) -> Begun | Text:
    """The game as it stands in ``state``, or in words why it is not found in this reading of ``image_bgr``."""
    try:
        layout = adapter.locate(reading, state)
    except NotFound as problem:
        return not_found(problem)
    contents, view = adapter.contents(state), PlaceView(plane, layout)
    evidence = Evidence(layout, view, reading)
    if _learn(eyes, evidence, contents, image_bgr):
        reading = eyes.read(image_bgr, reading.t_s)
        evidence = Evidence(layout, view, reading)
    misfits = evidence.misfits(contents, START_FIT)
    if misfits and not _of_other_kinds(evidence, contents, misfits):
        return not_start([adapter.place_name(state, place) for place in misfits])
    learn_tiles(eyes, layout, contents, reading, image_bgr)
    learn_pieces(eyes, layout, contents, reading, image_bgr)
    return Begun(layout, view, evidence, reading)


def _of_other_kinds(evidence: Evidence, contents: Mapping[Place, Contents], misfits: Sequence[Place]) -> bool:
    """Whether only few pieces are taken for another kind: the detector does not know this set yet."""
    pieces = sum(len(content.pieces) for content in contents.values())
    doubtful = sum(len(contents[place].pieces) for place in misfits)
    return doubtful * FEW <= pieces and evidence.counts_fit(contents, misfits)


def catch_up(
    adapter: TableAdapter[Any], plane: TablePlane, eyes: Eyes, branches: Sequence[Branch], reading: TableReading,
    image_bgr: Image, accepts: Callable[[Explanation], bool],
) -> tuple[Begun, Explanation] | None:
    """A game that goes on after an interruption in which it may have been played on: how it stands now, and what has
    happened since. None where no turn or two surely explain the table."""
    try:
        layout = adapter.locate(reading, branches[0].state)
    except NotFound:
        return None
    view, longer = PlaceView(plane, layout), with_unseen_turn(branches, reading, adapter)
    evidence = Evidence(layout, view, reading)
    first = explain(longer, evidence, reading, adapter)
    if _learn(eyes, evidence, adapter.contents(first.best.state), image_bgr):
        reading = eyes.read(image_bgr, reading.t_s)
        evidence = Evidence(layout, view, reading)
    for stories in (branches, longer):
        explanation = _something(explain(stories, evidence, reading, adapter), evidence, adapter)
        if explanation is not None and accepts(explanation):
            return Begun(layout, view, evidence, reading), explanation
    return None


def _something(explanation: Explanation, evidence: Evidence, adapter: TableAdapter[Any]) -> Explanation | None:
    """The explanation without the possibility that nothing has happened: that does not fit the table."""
    ranked = [(h, p) for h, p in explanation.ranked if h.told is not None or h.branch.pending]
    total = sum(p for _, p in ranked)
    if total <= 0.0:
        return None
    scaled = tuple((h, p / total) for h, p in ranked)
    best = scaled[0][0]
    return Explanation(scaled, evidence.lacking(adapter.contents(best.state)), scaled[0][1], scaled[0][1])


def learn_tiles(
    eyes: Eyes, layout: Layout, contents: Mapping[Place, Contents], reading: TableReading, image_bgr: Image
) -> None:
    """The tiles of a position that is known teach eyes what the set's tiles look like, where eyes can learn that."""
    learn = getattr(eyes, "learn_tiles", None)
    if learn is not None:
        learn(image_bgr, *_known_tiles(layout, contents, reading))


def keep_tiles(
    eyes: Eyes, layout: Layout, contents: Mapping[Place, Contents], reading: TableReading, image_bgr: Image
) -> None:
    """A picture of tiles that are known is kept now and then, by eyes that can learn from it later."""
    keep = getattr(eyes, "keep_tiles", None)
    if keep is not None:
        keep(image_bgr, *_known_tiles(layout, contents, reading))


def _known_tiles(
    layout: Layout, contents: Mapping[Place, Contents], reading: TableReading
) -> tuple[list[tuple[str, Point]], list[Box]]:
    """The tiles of a known position with their centres in mm, and what stands over them."""
    found = Counter(likeliest(feet) for feet in feet_on(layout, reading.pieces).values())
    tiles = [
        (str(contents[place].tile), tile.pos_mm) for place, tile in nearest_tiles(layout, reading.tiles).items()
        # A piece that was not found would be taken for print.
        if contents[place].tile and not tile.is_end and found[place] >= len(contents[place].pieces)
    ]
    hands = [hand.box_px for hand in reading.hands if hand.confidence >= HAND]
    return tiles, [*(piece.box_px for piece in reading.pieces), *hands]


def learn_pieces(
    eyes: Eyes, layout: Layout, contents: Mapping[Place, Contents], reading: TableReading, image_bgr: Image
) -> None:
    """The pieces of a position that is known teach eyes what the set's kinds of pieces look like."""
    learn = getattr(eyes, "learn_pieces", None)
    if learn is None:
        return
    at: dict[Place, list[int]] = {}
    for k, feet in feet_on(layout, reading.pieces).items():
        at.setdefault(likeliest(feet), []).append(k)
    known: list[tuple[str, Box]] = []
    for place, found in at.items():
        there = contents[place].pieces if place in contents else ()
        kinds = {name.split(":")[0] for name in there}
        # Where two kinds stand together nobody knows which is which.
        if len(kinds) == 1 and len(there) == len(found):
            known += [(min(kinds), reading.pieces[k].box_px) for k in found]
    learn(image_bgr, known)


def _learn(eyes: Eyes, evidence: Evidence, contents: Mapping[Place, Contents], image_bgr: Image) -> bool:
    """Learn the set's colours from the pawns that stand where it is known who stands; False where eyes cannot."""
    learn = getattr(eyes, "learn", None)
    if learn is None:
        return False
    pawns, counts = evidence.known_pawns(contents)
    return bool(learn(image_bgr, [pawn.box_px for pawn in pawns], dict(counts)))
