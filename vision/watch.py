"""Puts a referee together for a setup and a camera picture: rules, table adapter, plane, eyes, motion gate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from calibration.arrays import Image
from calibration.errors import PlaneError
from calibration.measure import measure_table
from calibration.plane import TablePlane, plane_from_setup
from rules import game_of
from rules.protocol import SetupError
from vision.exemplars.store import ExemplarSet
from vision.motion import MotionGate
from vision.reading import Eyes
from vision.referee import PATIENT, Motion, Patience, Referee
from vision.tables import TableAdapter
from vision.tables.nochmal import NochmalTable
from vision.tables.spuk import SpukTable
from vision.tables.verflixxt import VerflixxtTable

ADAPTERS: Mapping[str, Callable[[Any, Mapping[str, Any]], TableAdapter[Any]]] = {
    "spuk": SpukTable,
    "verflixxt": lambda game, setup: VerflixxtTable(game),
    "verflixxt-nochmal": lambda game, setup: NochmalTable(game),
}
"""How to watch a game, by its name; from the game's rules and the setup."""

WHOLE_BOX = frozenset({"dice-flick"})
"""Games whose box is read as a whole, by a loop of their own (:mod:`vision.flick.runner`)."""

SHEETS = frozenset({"qwixx-express"})
"""Games of dice and score sheets, with a loop of their own (:mod:`vision.qwixx.runner`)."""

PIECES = {"spuk": ("pawn",), "verflixxt-nochmal": ("pawn", "guard", "flixxy")}
"""What stands on the table of a game, where it is not pawns and guards."""

LEAST_CONFIDENCE = 0.12
"""Boxes the detector is less sure of are not even weighed. Low, because the evidence weighs every box by its
confidence, and a pawn on a tile of its own colour is found with little."""

EyesFor = Callable[[TablePlane, Mapping[str, Any]], Eyes]
"""Makes eyes for a plane and a setup."""


def adapter_of(setup: Mapping[str, Any]) -> TableAdapter[Any]:
    """The adapter of a setup's game. Raises SetupError for a game that cannot be watched, or not with this setup."""
    game = game_of(setup)
    if game.name not in ADAPTERS:
        known = ", ".join(sorted({*ADAPTERS, *WHOLE_BOX, *SHEETS}))
        raise SetupError(
            f'game: "{game.name}" cannot be watched by the camera yet; these can: {known}',
            f'game: "{game.name}" kann die Kamera noch nicht verfolgen; das geht mit: {known}',
        )
    return ADAPTERS[game.name](game, setup)


def check_setup(setup: Mapping[str, Any]) -> None:
    """Raises SetupError for a setup that cannot be watched: another game, names or house rules that do not fit."""
    game = game_of(setup)
    if game.name not in WHOLE_BOX | SHEETS:
        game = adapter_of(setup).game
    game.start(setup)


def plane_of(setup: Mapping[str, Any], image_bgr: Image) -> TablePlane:
    """The table plane from the setup's corners, else from four markers in the picture.

    Raises PlaneError or MarkerError.
    """
    size_wh = image_bgr.shape[1], image_bgr.shape[0]
    try:
        return plane_from_setup(setup, size_wh)
    except PlaneError as error:
        if error.reason != "corners_missing":
            raise
    return measure_table(image_bgr)


def camera_eyes(plane: TablePlane, setup: Mapping[str, Any], own: ExemplarSet | None = None) -> Eyes:
    """Eyes with the weights that come with the program; ``own``: what was learnt of the set, and goes on to be.

    Raises ModelError.
    """
    from models.classes import DIE_READER_ONNX, TILE_READER_ONNX
    from vision.attention import load_attention
    from vision.exemplars.knowledge import Knowledge
    from vision.eyes import TableEyes
    from vision.readers import die_reader, number_reader, tile_reader

    colours = [str(player["colour"]) for player in setup["players"]]
    kinds = PIECES.get(str(setup.get("game")), ("pawn", "guard"))
    known = None if own is None else Knowledge(own)
    detector, numbers = load_attention(LEAST_CONFIDENCE), number_reader()
    tiles, dice = (None if own is None else own.tuned.reader(kind) for kind in ("tile", "die"))
    read_tiles, read_dice = tile_reader(tiles or TILE_READER_ONNX), die_reader(dice or DIE_READER_ONNX)
    return TableEyes(plane, detector, read_tiles, read_dice, colours, kinds, known, numbers)


def new_referee(
    setup: Mapping[str, Any], image_bgr: Image, eyes_for: EyesFor = camera_eyes,
    motion_for: Callable[[TablePlane], Motion] = MotionGate, patience: Patience = PATIENT,
) -> Referee:
    """The referee of a game, for pictures like ``image_bgr`` (H, W, 3).

    Raises SetupError, PlaneError, MarkerError or ModelError.
    """
    adapter = adapter_of(setup)
    state = adapter.game.start(setup)
    plane = plane_of(setup, image_bgr)
    return Referee(adapter, state, eyes_for(plane, setup), plane, motion_for(plane), patience)
