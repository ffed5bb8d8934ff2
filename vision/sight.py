"""What the camera sees of the places: where they are in its picture, and the last picture for which all was clear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.begin import keep_tiles
from vision.carried import carried
from vision.change import ChangeMap
from vision.evidence import Evidence, Known
from vision.memory import Reference, remembered
from vision.obstruction import VANISHED, dice_px, hand_over, stray_change, tiles_vanished
from vision.places import PlaceView
from vision.reading import Eyes, TableReading
from vision.steady import FOUND, Steady, moved_px
from vision.tables import Layout, TableAdapter

Image = NDArray[np.uint8]

SMALL_BUMP_PX = 60.0
"""Up to this shift (in a picture 1280 px wide) the picture before a bump can be compared with those after it."""


class Sight:
    """The places in the picture. ``layout`` is None until the game is found."""

    def __init__(
        self, adapter: TableAdapter[Any], eyes: Eyes, plane: TablePlane, motion: Any,
        steady_for: Callable[[TablePlane, Image], Steady],
    ) -> None:
        self.plane = plane
        self.layout: Layout | None = None
        self._adapter, self._eyes, self._motion, self._steady_for = adapter, eyes, motion, steady_for
        self._steady: Steady | None = None
        self._view: PlaceView | None = None
        self._reference: Reference | None = None

    @property
    def comparable(self) -> bool:
        """Whether there is a picture that the next one can be compared with."""
        return self._reference is not None and self._reference.image is not None

    def begin(self, layout: Layout, view: PlaceView, image_bgr: Image) -> None:
        """The game was found in this picture (H, W, 3)."""
        self.place(layout, view)
        self._steady = self._steady_for(self.plane, image_bgr)

    def place(self, layout: Layout, view: PlaceView) -> None:
        """The places lie here now."""
        self.layout, self._view = layout, view

    def knocked(self, image_bgr: Image) -> bool:
        """Whether the camera was moved: a jump of the whole picture need not look like something that moves on it."""
        return self._steady is not None and self._steady.look(image_bgr).moved

    def camera(self, image_bgr: Image) -> str | None:
        """``steady.MOVED`` while the plane must be measured anew, ``steady.FOUND`` once it has been, None else."""
        camera = self._steady.check(image_bgr) if self._steady else None
        if camera == FOUND:
            self._replane(image_bgr)
        return camera

    def _replane(self, image: Image) -> None:
        """The camera stands elsewhere: the places keep their millimetres, every pixel is new."""
        assert self._steady is not None and self.layout is not None and self._reference is not None
        before, self.plane = self._steady.moved_from, self._steady.plane
        for part in (self._eyes, self._motion):
            replane = getattr(part, "replane", None)
            if replane is not None:
                replane(self.plane)
        self._view = PlaceView(self.plane, self.layout)
        old = self._reference
        if old.image is not None and moved_px(before, self.plane) <= SMALL_BUMP_PX:
            picture, reading = carried(old.image, old.reading, before, self.plane)
            self._reference = replace(old, image=picture, reading=reading)
        else:
            self._reference = replace(old, image=None)

    def change(self, reading: TableReading, image_bgr: Image) -> ChangeMap | None:
        """Where the picture differs from the last one for which everything was clear."""
        before = self._reference
        if before is None or before.image is None:
            return None
        return ChangeMap(before.image, image_bgr, dice_px(before.reading, reading))

    def hand(self, reading: TableReading) -> bool:
        """Whether a hand is over the places."""
        return hand_over(reading, self.layout, self.plane)

    def hidden(self, reading: TableReading, change: ChangeMap | None) -> bool:
        """Whether something the eyes have no name for covers the table."""
        if change is None:
            return False
        assert self.layout is not None and self._view is not None and self._reference is not None
        before = self._reference.reading
        if tiles_vanished(before, reading, self.layout, self._view.changed_flat(change)) >= VANISHED:
            return True
        return stray_change(reading, before, change, self.layout, self.plane)

    def evidence(self, reading: TableReading, change: ChangeMap | None) -> Evidence:
        """What a reading says of the places; what looks as it did counts as still there (``Evidence.reading``)."""
        assert self.layout is not None and self._view is not None and self._reference is not None
        before = self._reference
        if change is not None:
            reading = remembered(reading, before.reading, change)
        return Evidence(
            self.layout, self._view, reading, change=change, before=before.contents, flaws=before.flaws
        )

    def refer(self, evidence: Evidence, reading: TableReading, image_bgr: Image, state: Any) -> None:
        """Everything is clear, and the game stands in ``state``: later pictures are compared with this one."""
        assert self.layout is not None
        contents = self._adapter.contents(state)
        self._reference = Reference(image_bgr, reading, contents, evidence.flaws(contents))
        if not (self._reference.flaws.missed or self._reference.flaws.tiles):
            keep_tiles(self._eyes, self.layout, contents, reading, image_bgr)
        layout = self._adapter.follow(self.layout, reading, state)
        if layout is not self.layout:
            self.place(layout, PlaceView(self.plane, layout))

    def known(self, state: Any, evidence: Evidence) -> Known:
        """What a game that stands in ``state`` says of the picture with this evidence."""
        contents = self._adapter.contents(state)
        return Known(contents, evidence.flaws(contents))
