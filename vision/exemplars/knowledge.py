"""What eyes know about the set on the table, and how they learn more of it while a game goes on."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.plane import TablePlane
from vision.exemplars.crops import token_print
from vision.exemplars.decide import Floats
from vision.exemplars.dice import ACTIONS, STEEPNESS, DieKnowledge
from vision.exemplars.errors import SetError
from vision.exemplars.frames import Known
from vision.exemplars.pieces import PieceKnowledge
from vision.exemplars.store import ExemplarSet
from vision.exemplars.tiles import Learnt, TileKnowledge
from vision.exemplars.tops import Tops, shares
from vision.reading import Box, Point

__all__ = ["ACTIONS", "WORMS", "Knowledge", "Learnt"]

WORMS = ("extra_turn", "to_bottom", "move_others", "swap")
"""What a worm token of Verflixxt nochmal can be spent on; its symbols are taught."""


class Knowledge:
    """Reads tiles, pieces and dice by what is known of ``own``. Safe to use from several threads."""

    def __init__(self, own: ExemplarSet) -> None:
        self.own = own
        self._lock = threading.RLock()
        self._tiles, self._dice, self._worms = TileKnowledge(own), DieKnowledge(own), Tops(own, "worm")
        self._pieces = PieceKnowledge(own)

    def values(
        self, image_bgr: Image, plane: TablePlane, centres_mm: Sequence[Point], pieces_px: Sequence[Box],
        general: Sequence[Sequence[float]], words: Sequence[Sequence[float]] = (),
    ) -> list[tuple[float, ...]]:
        """Probabilities (N, len(TILE_CLASSES)) of the general readers and of the set's own tiles in one, with no value
        more often than the set has it; a tile that lies still is compared once.

        ``general``: what the readers say together, ``words``: see :attr:`vision.values.TileValues.words`.
        """
        with self._lock:
            return self._tiles.values(image_bgr, plane, centres_mm, pieces_px, general, words)

    def learn_tiles(
        self, image_bgr: Image, plane: TablePlane, tiles: Sequence[tuple[str, Point]], pieces_px: Sequence[Box],
        source: str = "start",
    ) -> Learnt:
        """Take tiles whose values are known for what they are; exemplars with another label are doubted."""
        with self._lock:
            return self._tiles.learn(image_bgr, plane, tiles, pieces_px, source)

    def kinds(
        self, image_bgr: Image, boxes_px: Sequence[Box], general: Sequence[Mapping[str, float]]
    ) -> list[dict[str, float]]:
        """Probabilities of kinds of pieces: the detector's and what the set's own pieces say in one."""
        with self._lock:
            return self._pieces.kinds(image_bgr, boxes_px, general)

    def learn_pieces(self, image_bgr: Image, pieces: Sequence[tuple[str, Box]], source: str = "start") -> None:
        """Pieces whose kinds are known, by their boxes."""
        with self._lock:
            self._pieces.learn(image_bgr, pieces, source)

    def keep(self, image_bgr: Image, plane: TablePlane, known: Known, always: bool = False) -> bool:
        """Keep a picture about which it is known what lies there, see :meth:`vision.exemplars.frames.Frames.keep`."""
        return self.own.frames.keep(image_bgr, plane, known, always)

    def dice(
        self, image_bgr: Image, plane: TablePlane, boxes_px: Sequence[Box], general: NDArray[np.float32],
        pips_only: bool = True,
    ) -> tuple[Floats, list[dict[str, float]]]:
        """Faces (N, 8) as the set's own dice correct the reader's ``general`` ones, and for each box the
        probabilities that it is the action die showing a symbol (empty where none was taught): at most one is it.

        A box that most likely is the action die is no die for the game: its face is ``none``. Not ``pips_only``: there
        are dice without pips, and while nobody taught their faces, what is no pips is not taken for pips.
        """
        with self._lock:
            return self._dice.read(image_bgr, plane, boxes_px, general, pips_only)

    def learn_die(self, image_bgr: Image, plane: TablePlane, box_px: Box, face: str, source: str = "game") -> None:
        """The die in a box shows this face (``"1"`` .. ``"6"``), or this symbol of the action die."""
        with self._lock:
            self._dice.learn(image_bgr, plane, box_px, face, source)

    def correct_action(self, face: str) -> None:
        """A person told the action die that was last seen otherwise."""
        with self._lock:
            self._dice.correct(face)

    def token(self, image_bgr: Image, plane: TablePlane, pos_mm: Point) -> dict[str, float]:
        """Probabilities of the worm tokens' symbols for the token at ``pos_mm``; empty while none was taught."""
        with self._lock:
            return shares(self._worms.likeness(token_print(image_bgr, plane, pos_mm)), STEEPNESS, WORMS)

    def learn_token(
        self, image_bgr: Image, plane: TablePlane, pos_mm: Point, symbol: str, source: str = "person"
    ) -> None:
        """The worm token at ``pos_mm`` shows this symbol."""
        with self._lock:
            try:
                self.own.add("worm", symbol, token_print(image_bgr, plane, pos_mm), None, source)
            except SetError:
                return  # a full set goes on deciding
