"""The start position as the camera sees it against what it should be, and the route as it lies there."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.plane import TablePlane
    from rules.protocol import Place
    from vision.evidence import Evidence
    from vision.reading import Eyes, Point, TableReading, TileSeen
    from vision.tables import Contents, Layout, TableAdapter

Json = dict[str, Any]
Text = dict[str, str]

TURN_MM = 30.0
"""How much longer a way may be that has no turn about in it."""

RIGHT: Text = {"de": "Alles steht, wie es soll.", "en": "Everything stands as it should."}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a person who looks at the picture may be told about a place."""

    tiles: Mapping[Place, TileSeen]
    pieces: Mapping[Place, Sequence[str]]


class PositionCheck:
    """Looks at the table with the referee's own eyes; loads the networks once. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._eyes: tuple[Any, Eyes] | None = None

    def position(self, setup: Mapping[str, Any], image: Image) -> Json:
        """``{"found", "text", "places", "colours", "close"}``. Raises SetupError, PlaneError, MarkerError."""
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
            return _compared(adapter, state, plane, eyes, layout, reading, image)

    def route(self, setup: Mapping[str, Any], image: Image) -> Json:
        """The route as it lies there from start to finish: ``route`` values, ``at`` pixels, ``sure`` probabilities."""
        from vision.watch import plane_of

        plane = plane_of(setup, image)
        with self._lock:
            reading = self._eyes_for(plane, setup).read(image, 0.0)
        tiles = in_order([tile for tile in reading.tiles if _best(tile) != "verflixxt"])
        values, sure = _values(tiles, _cards(setup))
        return {"route": values, "sure": sure, "at": [_at(plane, tile.pos_mm) for tile in tiles]}

    def _eyes_for(self, plane: TablePlane, setup: Mapping[str, Any]) -> Eyes:
        from vision.watch import camera_eyes

        key = (plane.to_json(), [player.get("colour") for player in setup["players"]])
        if self._eyes is None or self._eyes[0] != key:
            self._eyes = key, camera_eyes(plane, setup)
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

    pieces: dict[Place, list[str]] = {}
    for k, feet in feet_on(layout, reading.pieces).items():
        place = max(feet, key=lambda p: feet[p])
        pieces.setdefault(place, []).append(best_name(reading.pieces[k]))
    return Seen(nearest_tiles(layout, reading.tiles), pieces)


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
    import numpy as np

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
    import numpy as np

    bgr = cv2.cvtColor(np.asarray(lab, np.float32).reshape(1, 1, 3), cv2.COLOR_Lab2BGR)[0, 0]
    blue, green, red = (int(round(255 * min(max(float(v), 0.0), 1.0))) for v in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"


def in_order(tiles: Sequence[TileSeen]) -> list[TileSeen]:
    """The small tiles in the order of the route: from the start tile to the finish tile, short and with few turns.

    The nearest tile straight ahead comes first, then any stretch is turned round while that makes the way better.
    On a lattice many ways are equally short; people lay rows.
    """
    small = [tile for tile in tiles if not tile.is_end]
    start = next((t.pos_mm for t in tiles if t.is_end and t.prob("start") >= t.prob("finish")), None)
    finish = next((t.pos_mm for t in tiles if t.is_end and t.prob("finish") > t.prob("start")), None)
    points = [start or (min(t.pos_mm for t in small) if small else (0.0, 0.0))]
    way, left = list[Any](), list(small)
    while left:
        nearest = min(left, key=lambda tile: _effort([*points[-2:], tile.pos_mm]))
        left.remove(nearest)
        way.append(nearest)
        points.append(nearest.pos_mm)
    return _untangled(way, start, finish)


def _untangled(way: list[TileSeen], start: Point | None, finish: Point | None) -> list[TileSeen]:
    first, last = ([start] if start else []), ([finish] if finish else [])

    def effort(order: Sequence[TileSeen]) -> float:
        return _effort([*first, *(tile.pos_mm for tile in order), *last])

    best, better = effort(way), True
    while better:
        better = False
        for i in range(len(way) - 1):
            for j in range(i + 1, len(way)):
                turned = [*way[:i], *way[i:j + 1][::-1], *way[j + 1:]]
                if (tried := effort(turned)) < best - 1e-6:
                    way, best, better = turned, tried, True
    return way


def _effort(points: Sequence[Point]) -> float:
    """Length of a way in mm, a turn about counting as much as :data:`TURN_MM`."""
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(points, points[1:], strict=False)]
    lengths = [math.hypot(*step) or 1e-9 for step in steps]
    turns = sum(
        1 - (a[0] * b[0] + a[1] * b[1]) / (m * n)
        for a, b, m, n in zip(steps, steps[1:], lengths, lengths[1:], strict=False)
    )
    return sum(lengths) + TURN_MM / 2 * turns


def _cards(setup: Mapping[str, Any]) -> tuple[int, ...]:
    """The values that a shuffled route of this game has; its Verflixxt cards lie at fixed places."""
    from rules.nochmal.layout import SHUFFLED
    from rules.verflixxt.layout import LAYOUTS

    return SHUFFLED if setup.get("game") == "verflixxt-nochmal" else LAYOUTS["standard"]


def _values(tiles: Sequence[TileSeen], cards: Sequence[int]) -> tuple[list[int | None], list[float]]:
    """A value of ``cards`` for each tile, each as often as it is there, and how sure that is.

    The surest readings choose first; a tile for which nothing is left gets None.
    """
    from models.classes import TILE_CLASSES
    from rules.verflixxt.layout import tile_name

    left = Counter(tile_name(value) for value in cards)
    wanted = [
        (tile.probs[TILE_CLASSES.index(name)], k, name) for k, tile in enumerate(tiles) for name in left
    ]
    values: list[int | None] = [None] * len(tiles)
    sure = [0.0] * len(tiles)
    for prob, k, name in sorted(wanted, reverse=True):
        if sure[k] == 0.0 and left[name] > 0:
            left[name] -= 1
            values[k], sure[k] = 0 if name == "luck" else int(name), round(prob, 3)
    return values, sure
