"""How well a set is read after 0, 1, 2 and 5 pictures of it: sets in printings that no reader was trained on.

Every set is photographed in its start position, then with its tiles shuffled and turned: once more on the same evening,
and on other evenings with another camera, lamp and table. What was taught is the first pictures; the last three are
held back. Dice, action die and worm tokens have pictures of their own.
"""

from __future__ import annotations

import math
import pickle
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import DIE_CLASSES, TILE_CLASSES, TILE_CROP_MM
from models.scene.assets import Assets
from models.scene.own_set import COLOURS, STRANGE, WORMS, OwnSet, Truth
from models.scene.studio import AREA_MM
from models.scene.symbols import ACTIONS

Image = NDArray[np.uint8]
PIPS = tuple(str(k) for k in range(1, 7))
CURVE, SYMBOLS = (0, 1, 2, 5), (0, 1, 2, 3)
COUNTS = tuple(sorted({*CURVE, *SYMBOLS}))
TAUGHT, HELD = 5, 2
SHEETS = 6
NEAR_MM = 12.0
IN_VIEW = 0.9
FIRST_SEED = {"train": 300, "val": 100, "test": 200}


@dataclass(slots=True)
class Tally:
    """Right ones of all, by what was read and how many pictures taught it."""

    right: dict[tuple[str, int], int] = field(default_factory=lambda: defaultdict(int))
    all: dict[tuple[str, int], int] = field(default_factory=lambda: defaultdict(int))
    seconds: list[float] = field(default_factory=list)

    def add(self, what: str, pictures: int, right: bool) -> None:
        """One more reading."""
        self.all[what, pictures] += 1
        self.right[what, pictures] += right

    def rows(self) -> list[tuple[str, list[str]]]:
        """For each thing that was read: its shares, parallel to COUNTS."""
        names = list(dict.fromkeys(what for what, _ in self.all))
        return [(name, [self._share(name, n) for n in COUNTS]) for name in names]

    def _share(self, name: str, n: int) -> str:
        count = self.all.get((name, n), 0)
        return f"{self.right[name, n] / count:.1%} of {count}" if count else ""


class Remembering:
    """A detector or reader that answers the same question once: pictures are read again and again here."""

    def __init__(self, inner: Any) -> None:
        self._inner, self._answers = inner, dict[int, Any]()
        self.classes = getattr(inner, "classes", ())

    def detect(self, image: Image) -> Any:
        """See :class:`vision.detector.Detector`."""
        return self._answer(image, self._inner.detect)

    def read(self, crops: Image) -> Any:
        """See :class:`vision.readers.CropReader`."""
        return self._answer(crops, self._inner.read)

    def _answer(self, image: Image, ask: Callable[[Image], Any]) -> Any:
        key = hash(image.tobytes())
        if key not in self._answers:
            self._answers[key] = ask(image)
        return self._answers[key]


def pictures(
    split: str, number: int, assets: Assets, work: Path, told: Callable[[str], None]
) -> Iterator[tuple[str, Image, Truth]]:
    """The pictures of set ``number``, kept in ``work``: ``t0`` .. taught, ``q5`` .. held back, ``s0`` .. symbols."""
    seed, drawn = FIRST_SEED[split] + number, None
    tables = [*(f"t{k}" for k in range(TAUGHT)), *(f"q{TAUGHT + k}" for k in range(HELD))]
    for name in [*tables, *(f"s{k}" for k in range(SHEETS))]:
        file, k = work / f"{split}_{number}_{name}", int(name[1:])
        if not file.with_suffix(".pkl").exists():
            drawn = drawn or OwnSet.draw(seed, assets, STRANGE[number % len(STRANGE)])
            if name[0] == "s":
                image, truth = drawn.symbols(seed * 100 + 50 + k, evening=10 * seed + 50 + k)
            else:
                image, truth = drawn.picture(seed * 100 + k, k == 0, 10 * seed + (0 if k in (0, 1, TAUGHT) else k))
            cv2.imwrite(f"{file}.png", image)
            file.with_suffix(".pkl").write_bytes(pickle.dumps(truth))
            told(f"rendered {file.name}")
        picture = cv2.imread(f"{file}.png")
        assert picture is not None
        yield name, np.asarray(picture, np.uint8), pickle.loads(file.with_suffix(".pkl").read_bytes())


def measure(split: str, sets: Sequence[int], assets: Assets, work: Path, told: Callable[[str], None] = print) -> Tally:
    """Teach and read every set; the pictures are rendered into ``work`` where they are not there yet."""
    work.mkdir(parents=True, exist_ok=True)
    tally = Tally()
    for number in sets:
        parts = networks()
        shown = list(pictures(split, number, assets, work, told))
        read_tables([s for s in shown if s[0][0] != "s"], parts, tally)
        told(f"set {number} ({STRANGE[number % len(STRANGE)]}): tables read")
        _symbols([s for s in shown if s[0][0] == "s"], parts, tally)
        told(table(tally))
    return tally


def networks() -> tuple[Any, ...]:
    """Detector and readers, each of which remembers its answers."""
    from vision.detector import load_detector
    from vision.readers import die_reader, number_reader, tile_reader
    from vision.watch import LEAST_CONFIDENCE

    every = load_detector(conf=LEAST_CONFIDENCE), tile_reader(), die_reader(), number_reader()
    return tuple(Remembering(network) for network in every)


def read_tables(
    shown: Sequence[tuple[str, Image, Truth]], parts: tuple[Any, ...], tally: Tally, plane: Any = None
) -> None:
    """Read the pictures held back (``q5`` of the first one's evening, ``q6`` and so on of others), then teach the next
    ones (``t0`` and so on), as CURVE says. ``plane``: the table's, where it is not what the corners say."""
    from vision.exemplars.store import ExemplarSet

    own = ExemplarSet("measured")
    lessons = [s for s in shown if s[0][0] == "t"]
    taught, pawns = 0, list[Any]()
    for n in CURVE:
        for _, image, truth in lessons[taught:n]:
            eyes = _eyes(truth, parts, own, plane)
            reading, began = eyes.read(image, 0.0), time.process_time()
            _teach(eyes, reading, image, truth)
            if not taught:
                tally.seconds.append(time.process_time() - began)
                pawns = [reading.pieces[k].box_px for k, name in _matched(reading, truth) if name.startswith("pawn")]
            taught += 1
        for name, image, truth in shown:
            if name[0] == "q":
                when = "same evening" if int(name[1:]) == TAUGHT else "other evenings"
                eyes = _eyes(truth, parts, own, plane)
                if taught and int(name[1:]) == TAUGHT:  # as every game does when it begins, in the light of that day
                    eyes.learn(lessons[0][1], pawns, Counter(n.split(":")[1] for n, _ in truth.pieces if ":" in n))
                _score(eyes, image, truth, when, n, tally)


def _eyes(truth: Truth, parts: tuple[Any, ...], own: Any, plane: Any = None) -> Any:
    from calibration.plane import TablePlane
    from vision.exemplars.knowledge import Knowledge
    from vision.eyes import TableEyes

    plane = plane or TablePlane(truth.corners_px, AREA_MM, (1280, 720))
    detector, tiles, dice, numbers = parts
    return TableEyes(plane, detector, tiles, dice, COLOURS, known=Knowledge(own), numbers=numbers)


def _teach(eyes: Any, reading: Any, image: Image, truth: Truth) -> None:
    """As :func:`vision.begin.learn_tiles` does it: tiles on which a piece was not found teach nothing."""
    small = [tile.pos_mm for tile in reading.tiles if not tile.is_end]
    spots = [pos for _, pos in truth.tiles]
    there, found = (
        Counter(min(range(len(spots)), key=lambda k: math.dist(spots[k], pos)) for pos in places)
        for places in ([pos for _, pos in truth.pieces], [piece.pos_mm for piece in reading.pieces])
    )
    tiles = [
        (truth.tiles[k][0], pos) for pos in small
        if math.dist(spots[k := min(range(len(spots)), key=lambda j: math.dist(spots[j], pos))], pos) < NEAR_MM
        and found[k] >= there[k]
    ]
    eyes.learn_tiles(image, tiles, [piece.box_px for piece in reading.pieces])
    kinds = [(name.split(":")[0], reading.pieces[k].box_px) for k, name in _matched(reading, truth)]
    eyes.learn_pieces(image, kinds)


def _matched(reading: Any, truth: Truth) -> list[tuple[int, str]]:
    """The pieces that were found, with what they are: nearest first, each once."""
    pairs = sorted(
        (math.dist(piece.pos_mm, pos), k, j)
        for k, piece in enumerate(reading.pieces) for j, (_, pos) in enumerate(truth.pieces)
    )
    found: dict[int, int] = {}
    for distance, k, j in pairs:
        if distance < NEAR_MM and k not in found and j not in found.values():
            found[k] = j
    return [(k, truth.pieces[j][0]) for k, j in found.items()]


def _score(eyes: Any, image: Image, truth: Truth, when: str, n: int, tally: Tally) -> None:
    from vision.exemplars.crops import visible
    from vision.exemplars.prints import DISC
    from vision.fits import best_name

    reading = eyes.read(image, 0.0)
    over = [piece.box_px for piece in reading.pieces]
    for value, pos in truth.tiles:
        if value in ("start", "finish"):
            continue
        tile = min(reading.tiles, key=lambda t: math.dist(t.pos_mm, pos), default=None)
        found = tile is not None and math.dist(tile.pos_mm, pos) < NEAR_MM
        read = TILE_CLASSES[int(np.argmax(tile.probs))] if tile is not None and found else ""
        tally.add(f"tile values, {when}", n, read == value)
        if visible(eyes.plane, pos, TILE_CROP_MM, over)[DISC].mean() >= IN_VIEW:
            tally.add("of these nine tenths in view, both", n, read == value)
    for k, name in _matched(reading, truth):
        read = best_name(reading.pieces[k])
        tally.add(f"pieces that are found, {when}", n, read == name)
        tally.add(f"kinds of pieces, {when}", n, read.split(":")[0] == name.split(":")[0])


def _symbols(shown: Sequence[tuple[str, Image, Truth]], parts: tuple[Any, ...], tally: Tally) -> None:
    """Faces, action die and worm tokens: the last picture is held back, the others teach one example of each."""
    from vision.exemplars.store import ExemplarSet

    own = ExemplarSet("measured")
    for n in SYMBOLS:
        if n:
            _, image, truth = shown[n - 1]
            _teach_symbols(_eyes(truth, parts, own), image, truth)
        for _, image, truth in shown[max(SYMBOLS):]:
            eyes, plain = _eyes(truth, parts, own), _eyes(truth, parts, ExemplarSet("empty"))
            _score_symbols(eyes, plain, image, truth, n, tally)


def _teach_symbols(eyes: Any, image: Image, truth: Truth) -> None:
    for die in eyes.read(image, 0.0).dice:
        face = _at(truth.dice, die.pos_mm)
        if face and face not in WORMS:
            eyes.learn_die(image, die.box_px, face)
    for name, pos in truth.dice:
        if name in WORMS:
            eyes.known.learn_token(image, eyes.plane, pos, name)


def _score_symbols(eyes: Any, plain: Any, image: Image, truth: Truth, n: int, tally: Tally) -> None:
    """Worm tokens one by one; dice in pairs, as the game has them: one of the two is the action die."""
    reading = plain.read(image, 0.0)
    for face, pos in truth.dice:
        if face in WORMS:
            symbols = eyes.known.token(image, eyes.plane, pos)
            tally.add("worm tokens", n, max(symbols, key=lambda w: symbols[w], default="") == face)
    found = {face: die for face, pos in truth.dice if (die := _die_at(reading, pos)) is not None}
    for action in (name for name in found if name in ACTIONS):
        for face in (name for name in found if name not in ACTIONS and name not in WORMS):
            pair = [found[action], found[face]]
            rows = np.asarray([die.general for die in pair], np.float32)
            faces, shown = eyes.known.dice(image, eyes.plane, [die.box_px for die in pair], rows, pips_only=False)
            if not n:
                tally.add("action die is not taken for pips", n, int(np.argmax(faces[0])) >= len(PIPS))
            symbol = max(shown[0], key=lambda name: shown[0][name], default="")
            is_it = sum(shown[0].values()) > max(0.5, sum(shown[1].values()))
            tally.add("action die, of two dice", n, is_it and symbol == action)
            tally.add("face of the other die", n, DIE_CLASSES[int(np.argmax(faces[1]))] == face)


@dataclass(frozen=True, slots=True)
class _Die:
    box_px: tuple[float, float, float, float]
    general: tuple[float, ...]


def _die_at(reading: Any, pos_mm: tuple[float, float]) -> _Die | None:
    die = min(reading.dice, key=lambda one: math.dist(one.pos_mm, pos_mm), default=None)
    if die is None or math.dist(die.pos_mm, pos_mm) >= NEAR_MM:
        return None
    return _Die(die.box_px, die.probs)


def _at(things: Sequence[tuple[str, tuple[float, float]]], pos_mm: tuple[float, float]) -> str:
    name, pos = min(things, key=lambda thing: math.dist(thing[1], pos_mm))
    return name if math.dist(pos, pos_mm) < NEAR_MM else ""


def table(tally: Tally) -> str:
    """The learning curve as a table in Markdown."""
    head = "| | " + " | ".join(f"{n} pictures" if n != 1 else "1 picture" for n in COUNTS) + " |"
    lines = [head, "|---" * (len(COUNTS) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(shares) + " |" for name, shares in tally.rows()]
    return "\n".join(lines)
