"""Draws on a frame what the referee sees: places, pieces, the die, the last move. Readable on a phone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from rules.protocol import Place
from vision.explain import Branch, Told
from vision.fits import standing
from vision.reading import Box, TableReading
from vision.referee import Referee
from vision.tables import Contents, Layout, Spot
from vision.throw import best_die

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

GREEN, RED, AMBER, WHITE, DARK = (96, 190, 60), (60, 60, 230), (40, 170, 250), (255, 255, 255), (40, 32, 28)

PIECES: Mapping[str, Colour] = {
    "red": (50, 50, 225), "blue": (220, 110, 40), "green": (70, 170, 50), "yellow": (40, 210, 245),
    "black": (40, 40, 40), "orange": (30, 130, 250), "white": (240, 240, 240), "purple": (180, 70, 150),
    "guard": (150, 195, 225), "flixxy": (235, 160, 235),
}
"""Dot colours, BGR."""

SIDES = 8


def draw(image_bgr: Image, referee: Referee) -> Image:
    """A copy of the frame (H, W, 3) uint8 with everything drawn on it."""
    picture = image_bgr.copy()
    layout, reading = referee.layout, referee.reading
    if layout is None or reading is None:
        return picture
    pen = _Pen(picture, referee.plane, layout)
    pen.places(referee.contents())
    if referee.state_name in ("at_rest", "move_seen", "needs_you"):
        pen.pieces(reading, referee.contents())
        pen.die(reading)
    question = referee.history.question
    if question:
        pen.options(question.options)
    elif referee.history.settled:
        last = referee.history.settled[-1]
        pen.moves(last, RED if last.violations else GREEN)
    return picture


class _Pen:
    def __init__(self, picture: Image, plane: TablePlane, layout: Layout) -> None:
        self._picture, self._plane, self._layout = picture, plane, layout
        self._unit: float = max(float(picture.shape[1]) / 1280, 0.5)

    def places(self, contents: Mapping[Place, Contents]) -> None:
        """Thin outlines of the tiles that lie there, with their numbers."""
        shade = self._picture.copy()
        lying = [p for p in self._layout if contents[p].tile != ""]
        for place in lying:
            outline = self._outline(self._layout[place])
            cv2.polylines(shade, [outline], True, WHITE, self._px(2), cv2.LINE_AA)
        cv2.addWeighted(shade, 0.55, self._picture, 0.45, 0, dst=self._picture)
        for place in lying:
            if contents[place].tile:
                self._badge(str(place), self._outline(self._layout[place]))

    def pieces(self, reading: TableReading, contents: Mapping[Place, Contents]) -> None:
        """A dot in its colour at every piece's foot; a ring where a piece should be that is not seen."""
        for name, pos_mm, seen in standing(self._layout, reading, contents):
            colour, at = PIECES.get(name.partition(":")[2] or name, WHITE), self._at(pos_mm)
            if seen:
                cv2.circle(self._picture, at, self._px(7), WHITE, -1, cv2.LINE_AA)
                cv2.circle(self._picture, at, self._px(5), colour, -1, cv2.LINE_AA)
            else:
                cv2.circle(self._picture, at, self._px(6), colour, self._px(2), cv2.LINE_AA)

    def die(self, reading: TableReading) -> None:
        """A frame around the die and its face."""
        die = best_die(reading)
        if die is None:
            return
        faces = list(die.probs[:6])
        left, top, right, _ = (round(v) for v in die.box_px)
        self._frame(die.box_px, WHITE)
        self._label(str(faces.index(max(faces)) + 1), (right + self._px(6), top + self._px(14)), 0.7)

    def moves(self, told: Told, colour: Colour, thickness: int = 4) -> None:
        """Arrows for what moved, a cross on what was taken."""
        for move in told.action.moves:
            if move.start in self._layout and move.to in self._layout:
                self._arrow(self._layout[move.start], self._layout[move.to], colour, thickness)

    def options(self, options: Sequence[Branch]) -> None:
        """Arrows for everything that may have happened."""
        for option in reversed(options):
            self.moves(option.pending[-1], AMBER, 3)

    def _arrow(self, start: Spot, end: Spot, colour: Colour, thickness: int) -> None:
        a, b = self._at(start.pos_mm), self._at(end.pos_mm)
        tip = self._px(18) / max(math.dist(a, b), 1.0)
        cv2.arrowedLine(self._picture, a, b, DARK, self._px(thickness + 3), cv2.LINE_AA, tipLength=tip)
        cv2.arrowedLine(self._picture, a, b, colour, self._px(thickness), cv2.LINE_AA, tipLength=tip)

    def _frame(self, box: Box, colour: Colour) -> None:
        left, top, right, bottom = (round(v) for v in box)
        cv2.rectangle(self._picture, (left, top), (right, bottom), DARK, self._px(4), cv2.LINE_AA)
        cv2.rectangle(self._picture, (left, top), (right, bottom), colour, self._px(2), cv2.LINE_AA)

    def _badge(self, text: str, outline: NDArray[np.int32]) -> None:
        """A number in a small disc at the left corner of a tile, where nothing is printed."""
        left = outline[np.argsort(outline[:, 0])[:2]].mean(axis=0)
        centre = int(left[0]) + self._px(2), int(left[1])
        cv2.circle(self._picture, centre, self._px(9), DARK, -1, cv2.LINE_AA)
        size = 0.36 * self._unit
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
        at = centre[0] - width // 2, centre[1] + height // 2
        cv2.putText(self._picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, WHITE, 1, cv2.LINE_AA)

    def _label(self, text: str, at: tuple[int, int], size: float) -> None:
        scale = size * self._unit
        for colour, thickness in ((DARK, 3), (WHITE, 1)):
            cv2.putText(
                self._picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, self._px(thickness), cv2.LINE_AA
            )

    def _outline(self, spot: Spot) -> NDArray[np.int32]:
        (x, y), r = spot.pos_mm, spot.radius_mm / math.cos(math.pi / SIDES)
        angles = [(2 * k + 1) * math.pi / SIDES for k in range(SIDES)]
        corners = self._plane.to_px([(x + r * math.cos(a), y + r * math.sin(a)) for a in angles])
        return np.rint(corners).astype(np.int32)

    def _at(self, pos_mm: tuple[float, float]) -> tuple[int, int]:
        x, y = self._plane.to_px([pos_mm])[0]
        return round(float(x)), round(float(y))

    def _px(self, size: int) -> int:
        return max(round(size * self._unit), 1)
