"""The classes of the detector and of the crop readers, and where their weights lie.

The order is the order of the networks' outputs: never reorder without training again.
"""

from __future__ import annotations

from pathlib import Path

DETECTOR_CLASSES = ("tile", "end_tile", "pawn", "guard", "die", "hand", "hole", "flixxy")
"""What the detector finds: route tiles, the two large end tiles (start, finish), pawns, guards, dice, hands, the holes
of Dice Flick with whatever lies in them, the bird of Verflixxt nochmal."""

TILE_CLASSES = (
    *(str(v) for v in range(-10, 0)),
    "luck",
    *(f"+{v}" for v in range(1, 9)),
    "verflixxt",
    "start",
    "finish",
    "back",
    "none",
)
"""What the tile reader tells apart: -10..-1, luck, +1..+8, the orange Verflixxt card, start, finish,
face down, or ``none`` for a place where no tile lies."""

NUMBER_CLASSES = (*(str(v) for v in range(-10, 0)), *(f"+{v}" for v in range(1, 9)), "none")
"""What the number reader tells apart in a strip of a tile: a number that stands upright in it, or ``none``."""

NUMBER_WH = (48, 32)
"""Size of the strips that the number reader takes, in pixels."""

STRIP_ACROSS = (0.6, 0.4)
"""Half the width and height of such a strip, in half widths of a tile."""

DIE_CLASSES = ("1", "2", "3", "4", "5", "6", "none", "face")
"""What the die reader tells apart: the pips on top, ``none`` for a crop without a die, ``face`` for a colour die."""

MARK_CLASSES = ("free", "dash", "crossed", "hidden")
"""What the mark reader tells apart: a field of a score sheet that is free, struck out with a short line because it was
skipped, crossed by whatever mark, or hidden by a hand or pen."""

CROP_PX = 64
"""Side of the square crops that the readers take, in pixels."""

DIE_MARGIN = 1.25
"""A die's crop is a square around its box, this many times the box's longer side."""

TILE_CROP_MM = 52.0
"""A tile's crop is a square of this side on the table plane, centred on the tile and rectified."""

WEIGHTS = Path(__file__).parent
DETECTOR_ONNX = WEIGHTS / "detector.onnx"
TILE_READER_ONNX = WEIGHTS / "tile_reader.onnx"
NUMBER_READER_ONNX = WEIGHTS / "number_reader.onnx"
DIE_READER_ONNX = WEIGHTS / "die_reader.onnx"

HOLE_CLASSES = (
    "empty",
    "upgrade_green",
    "upgrade_blue",
    "upgrade_yellow",
    "centre",
    "bonus",
    "white",
    "blue",
    "yellow",
    "green",
    "pink",
    "white_cocked",
    "blue_cocked",
    "yellow_cocked",
    "green_cocked",
    "pink_cocked",
    "stacked",
    "hidden",
)
"""What the hole reader tells apart in a hole of Dice Flick: nothing, a sticker, a flat die by its colour, a cocked
one, two on top of each other, or a hole that something covers."""

HOLE_READER_ONNX = WEIGHTS / "hole_reader.onnx"
PIP_READER_ONNX = WEIGHTS / "pip_reader.onnx"
MARK_READER_ONNX = WEIGHTS / "mark_reader.onnx"

PRINT_CLASSES = (*(str(v) for v in range(2, 13)), "lock", "small", "minus", "none")
"""What the reader of what is printed on score sheets tells apart: the numbers and the lock of a row, small misthrow
fields, -5 fields, or ``none`` for a place that is none of them."""

PRINT_PX = 40
"""Side of the square crops that it takes, in pixels."""

PRINT_READER_ONNX = WEIGHTS / "print_reader.onnx"
