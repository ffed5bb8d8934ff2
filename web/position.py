"""The start position as the camera sees it against what it should be, and the route as it lies there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from web.fixes import fix_of
from web.route import cards_of, in_order, values_of

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.plane import TablePlane
    from rules.protocol import Place
    from vision.evidence import Evidence
    from vision.exemplars.store import ExemplarSet
    from vision.reading import Box, Eyes, PieceSeen, Point, TableReading, TileSeen
    from vision.tables import Contents, Layout, TableAdapter

Json = dict[str, Any]
Text = dict[str, str]

RIGHT: Text = {"de": "Alles steht, wie es soll.", "en": "Everything stands as it should."}


SAME_WH, SAME_LEVELS = (160, 90), 20
"""A picture made this small in which nothing has become lighter or darker by more shows what it showed before."""

TWICE = 0.5
"""Boxes that share this much are the same piece, found twice."""


@dataclass(frozen=True, slots=True)
class Right:
    """A position that was found right, and what it looked like: it stays right until the picture changes."""

    setup: Json
    small: NDArray[np.int16]
    answer: Json

    def holds(self, setup: Mapping[str, Any], image: Image) -> bool:
        """Whether nothing has changed since."""
        return self.setup == dict(setup) and int(np.abs(self.small - small(image)).max()) <= SAME_LEVELS


def small(image: Image) -> NDArray[np.int16]:
    """What is left of a picture when noise is not to matter: levels of grey, (90, 160)."""
    import cv2

    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(cv2.resize(grey, SAME_WH, interpolation=cv2.INTER_AREA), (3, 3), 0), np.int16)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a person who looks at the picture may be told about a place."""

    tiles: Mapping[Place, TileSeen]
    pieces: Mapping[Place, Sequence[str]]


class PositionCheck:
    """Looks at the table with the referee's own eyes; loads the networks once. Safe to use from several threads.

    ``own``: what is known of the set on the table.
    """

    def __init__(self, own: Callable[[], ExemplarSet] | None = None) -> None:
        self._lock = threading.Lock()
        self._own = own
        self._eyes: tuple[Any, Eyes] | None = None
        self._right: Right | None = None

    def position(self, setup: Mapping[str, Any], image: Image) -> Json:
        """``{"found", "text", "places", "colours", "close"}``. Raises SetupError, PlaneError, MarkerError.

        One look in which everything is right is enough, as it is for the referee.
        """
        known = self._right
        if known is not None and known.holds(setup, image):
            return known.answer
        answer = self._looked(setup, image)
        self._right = Right(dict(setup), small(image), answer) if answer["found"] else None
        return answer

    def _looked(self, setup: Mapping[str, Any], image: Image) -> Json:
        from vision.tables import NotFound
        from vision.watch import adapter_of, plane_of
        from vision.why import not_found

        adapter, plane = adapter_of(setup), plane_of(setup, image)
        state = adapter.game.start(setup)
        with self._lock:
            eyes = self._eyes_for(plane, setup)
            reading = eyes.read(image, 0.0)
            try:
                layout = adapter.locate(reading, state)
            except NotFound as problem:
                tiles = [_tile_view(plane, tile) for tile in reading.tiles]
                return {"found": False, "text": not_found(problem), "places": [], "tiles": tiles, "colours": [],
                        "close": []}
            found = _compared(adapter, state, plane, eyes, layout, reading, image)
        for place in found["places"]:
            place["fix"] = fix_of(setup, state, place)
        return found

    def route(self, setup: Mapping[str, Any], image: Image) -> Json:
        """The route as it lies there from start to finish: ``route`` values, ``at`` pixels, ``sure`` probabilities."""
        from vision.watch import plane_of

        plane = plane_of(setup, image)
        with self._lock:
            reading = self._eyes_for(plane, setup).read(image, 0.0)
        tiles = in_order([tile for tile in reading.tiles if _best(tile) != "verflixxt"])
        values, sure = values_of(tiles, cards_of(setup))
        return {"route": values, "sure": sure, "at": [_at(plane, tile.pos_mm) for tile in tiles]}

    def _eyes_for(self, plane: TablePlane, setup: Mapping[str, Any]) -> Eyes:
        from vision.watch import camera_eyes

        own = self._own() if self._own is not None else None
        key = (plane.to_json(), [player.get("colour") for player in setup["players"]], id(own))
        if self._eyes is None or self._eyes[0] != key:
            self._eyes = key, camera_eyes(plane, setup, own)
        return self._eyes[1]


def _compared(
    adapter: TableAdapter[Any], state: Any, plane: TablePlane, eyes: Eyes, layout: Layout, reading: TableReading,
    image: Image,
) -> Json:
    from vision.begin import START_FIT
    from vision.evidence import Evidence
    from vision.places import PlaceView
    from vision.why import not_start

    contents, view = adapter.contents(state), PlaceView(plane, layout)
    evidence = Evidence(layout, view, reading)
    colours, close = _colours(eyes, evidence, contents, image)
    if colours:
        reading = eyes.read(image, 0.0)
        evidence = Evidence(layout, view, reading)
    misfits = evidence.misfits(contents, START_FIT)
    seen = _seen(layout, reading)
    places = [
        _place_view(adapter, state, plane, layout, place, contents[place], seen, place in misfits) for place in layout
    ]
    text = not_start([adapter.place_name(state, place) for place in misfits]) if misfits else RIGHT
    return {"found": not misfits, "text": text, "places": places, "tiles": [], "colours": colours, "close": close}


def _seen(layout: Layout, reading: TableReading) -> Seen:
    from vision.fits import best_name, feet_on, nearest_tiles

    once = _once(reading.pieces)
    pieces: dict[Place, list[str]] = {}
    for k, feet in feet_on(layout, once).items():
        place = max(feet, key=lambda p: feet[p])
        pieces.setdefault(place, []).append(best_name(once[k]))
    return Seen(nearest_tiles(layout, reading.tiles), pieces)


def _once(pieces: Sequence[PieceSeen]) -> list[PieceSeen]:
    """The pieces without those that were found twice, the surest first."""
    kept: list[PieceSeen] = []
    for piece in sorted(pieces, key=lambda one: -one.confidence):
        if all(_shared(piece.box_px, other.box_px) < TWICE for other in kept):
            kept.append(piece)
    return kept


def _shared(a: Box, b: Box) -> float:
    """Intersection over union of two boxes."""
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    both = max(wide, 0.0) * max(high, 0.0)
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return both / max(areas - both, 1e-9)


def _place_view(
    adapter: TableAdapter[Any], state: Any, plane: TablePlane, layout: Layout, place: Place, content: Contents,
    seen: Seen, wrong: bool,
) -> Json:
    spot = layout[place]
    tile = seen.tiles.get(place)
    return {
        "place": place, "name": adapter.place_name(state, place), "wrong": wrong,
        "at": _at(plane, spot.pos_mm), "radius": round(spot.radius_mm * plane.px_per_mm(spot.pos_mm), 1),
        "tile": content.tile, "tile_seen": None if tile is None or content.tile is None else _best(tile),
        "pieces": list(content.pieces), "pieces_seen": sorted(seen.pieces.get(place, [])),
    }  # fmt: skip


def _tile_view(plane: TablePlane, tile: TileSeen) -> Json:
    return {"at": _at(plane, tile.pos_mm), "value": _best(tile)}


def _at(plane: TablePlane, pos_mm: Point) -> list[float]:
    x, y = plane.to_px([pos_mm])[0]
    return [round(float(x), 1), round(float(y), 1)]


def _best(tile: TileSeen) -> str:
    from models.classes import TILE_CLASSES

    return TILE_CLASSES[max(range(len(tile.probs)), key=lambda k: tile.probs[k])]


def _colours(
    eyes: Eyes, evidence: Evidence, contents: Mapping[Place, Contents], image: Image
) -> tuple[list[Json], list[Text]]:
    """The set's colours as they look here, for the page to show, and warnings of those that look alike."""
    from calibration.colours import SetColours
    from calibration.errors import ColourError

    pawns, counts = evidence.known_pawns(contents)
    boxes = [pawn.box_px for pawn in pawns]
    try:
        learnt = SetColours.from_start(image, np.asarray(boxes, float).reshape(-1, 4), dict(counts))
    except ColourError:
        return [], []
    learn = getattr(eyes, "learn", None)
    if learn is not None:
        learn(image, boxes, dict(counts))
    shown = [{"name": name, "rgb": [_hex(lab) for lab in labs[:3]]} for name, labs in learnt.prototypes.items()]
    close = [{"de": pair.sentence("de"), "en": pair.sentence("en")} for pair in learnt.close_pairs()]
    return shown, close


def _hex(lab: Any) -> str:
    import cv2

    bgr = cv2.cvtColor(np.asarray(lab, np.float32).reshape(1, 1, 3), cv2.COLOR_Lab2BGR)[0, 0]
    blue, green, red = (int(round(255 * min(max(float(v), 0.0), 1.0))) for v in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"
