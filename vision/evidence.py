"""How well contents of places fit a reading of the table: a sum over independent groups of places.

Each group's value is memoised by its contents, so that thousands of positions which differ in a few places cost
little more than one. The noise model allows misses (more where something nearer to the camera hides a place),
things that are not there, mixed-up colours, and feet near the border of two tiles. Whether pixels of a place changed
since the last confirmed position counts too.
"""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules.protocol import Place
from vision.assign import best_gain
from vision.change import ChangeMap
from vision.fits import FOOT_MM, best_name, feet_on, likeliest, likelihood, nearest_tiles, with_new_look
from vision.places import PlaceView, connected
from vision.reading import PieceSeen, TableReading, existence
from vision.tables import Contents, Layout

CROWD = 2
"""More pieces than this at one place hide each other."""

TILE_MISS = 0.04
"""How often a tile that lies open is not found."""

SELDOM_FOUND = {"flixxy": 0.5}
"""Kinds of pieces that the detector misses this often though nothing hides them."""

STRANGER, STRANGE_UNITS = 4.0, (0.4, 1.2)
"""Nats for a piece of such a kind that comes or goes where the picture has changed without anything that is found there
or was: in silhouettes of a pawn, from none of them to all."""

KNOWN_FLAW = 0.5
"""Log-probability, negated, of missing (or imagining) again what was already missed in the last confirmed position,
where the picture has not changed since."""

KNOWN_FLAW_NEAR = 1.2
"""The same where the picture has changed at that place: most likely it is another piece that came or went."""

UNCHANGED_UNITS, CHANGED_UNITS = 0.08, 0.45
"""Changed area, in silhouettes of a pawn, up to which a place certainly looks the same, from which it has changed."""

HIDDEN_CHANGE = 0.8
"""Where what stands in front surely hides a piece, so much less must have changed when it comes or goes."""

TILE_SAME, TILE_GONE = 0.2, 0.5
"""Share of a tile's area that looks different, up to which it certainly still lies there, from which it may be gone."""

STAYED_UNSEEN, LOOKS_ANOTHER = -5.0, (0.4, 0.7)
"""Log-probability that a tile still lies where none is found and its whole area looks different; from which share of
the area on that counts (a piece set down on it changes less)."""

CHANGED_WITHOUT_PIXELS, UNCHANGED_WITH_PIXELS = -8.0, -2.5
"""Log-probabilities of a place whose contents changed but not its look, and the other way round (a neighbour's shadow,
a piece that leans into view)."""

WIDESPREAD = 0.3
"""When this share of all places looks different, it is the light: that a place looks different then means nothing."""

IMAGINED_ON_CHANGE = -5.0
"""Log-probability that a piece found for certain is imagined just where the picture has changed, against anywhere else;
less, the less certain it is."""

IMAGINED_AGAIN = -6.0
"""Log-probability that what is found for certain exactly where a piece stood is nothing; less, the less certain it
is, for it may be a second box around its neighbour."""

SAME_FOOT_MM = 4.0
"""How exactly the foot of a piece that nobody touched is found again."""


@dataclass(frozen=True, slots=True)
class Flaws:
    """What the last confirmed reading got wrong: missed pieces and tiles, and pieces that are not there; and ``stood``:
    the pieces that it was right about."""

    missed: Mapping[tuple[Place, str], int] = field(default_factory=dict)
    tiles: frozenset[Place] = frozenset()
    imagined: tuple[PieceSeen, ...] = ()
    stood: tuple[PieceSeen, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """What one history says of the picture that later ones are compared with: ``contents`` of the places then, and
    what its reading got wrong if that is true."""

    contents: Mapping[Place, Contents]
    flaws: Flaws


class Evidence:
    """The log-likelihood of contents, given one (combined) reading.

    ``layout``, ``view``: where the places are, on the table and in the picture; ``change`` with ``before``: pixels
    against those contents; ``flaws``: see :class:`Flaws`.
    """

    def __init__(
        self, layout: Layout, view: PlaceView, reading: TableReading, *,
        change: ChangeMap | None = None, before: Mapping[Place, Contents] | None = None, flaws: Flaws | None = None,
    ) -> None:
        self.layout, self.reading, self._flaws = layout, reading, flaws or Flaws()
        self._compared = change is not None
        self._before = before if self._compared else None
        self._feet = feet_on(layout, reading.pieces)
        self._groups = connected(list(layout), self._feet)
        self._group_of = {place: k for k, group in enumerate(self._groups) for place in group}
        self._seen = [[i for i, f in self._feet.items() if any(p in f for p in group)] for group in self._groups]
        boxes, hands = [piece.box_px for piece in reading.pieces], [hand.box_px for hand in reading.hands]
        self._hidden, self._covered = view.hidden(boxes, hands), view.covered(boxes + hands)
        self._units = view.changed_units(change) if change is not None else {}
        self._flat = view.changed_flat(change) if change is not None else {}
        self._strange: Mapping[Place, float] = {}
        if change is not None and before is not None and _holds_seldom_found(before):
            named = [*boxes, *(piece.box_px for piece in self._flaws.stood)]
            self._strange = view.changed_units(change.without(named))
        self._local = 1.0 - min(sum(u > CHANGED_UNITS for u in self._units.values()) / len(layout) / WIDESPREAD, 1.0)
        self._new = with_new_look(change, reading.pieces)
        self._tiles = nearest_tiles(layout, reading.tiles)
        self._given: dict[int, Evidence] = {}
        self._forget()

    def _forget(self) -> None:
        self._memo: dict[tuple[int, tuple[Contents, ...]], float] = {}
        self._place_memo: dict[tuple[Place, Contents], float] = {}

    def given(self, known: Known | None) -> Evidence:
        """The same evidence for a history that says something else of the picture before; itself without one."""
        if known is None:
            return self
        if id(known) not in self._given:
            other = copy.copy(self)
            other._flaws, other._before = known.flaws, known.contents if self._compared else None
            other._forget()
            self._given[id(known)] = other
        return self._given[id(known)]

    def occupied(self) -> frozenset[Place]:
        """The places where something that looks like a piece was found."""
        return frozenset(place for feet in self._feet.values() for place in feet)

    @property
    def looks_unchanged(self) -> bool:
        """Whether there is a picture to compare with, and no place looks different from it."""
        return self._before is not None and max(self._units.values(), default=0.0) < UNCHANGED_UNITS

    def log_likelihood(self, contents: Mapping[Place, Contents]) -> float:
        """Sum over all places, in nats; only differences between contents mean something."""
        groups = sum(self._group(k, contents) for k in range(len(self._groups)))
        return groups + sum(self._tile_and_change(place, contents[place]) for place in self.layout)

    def gain(self, base: Mapping[Place, Contents], changed: Mapping[Place, Contents]) -> float:
        """How much the log-likelihood grows when some of the places of ``base`` have other contents."""
        after = {**base, **changed}
        groups = {self._group_of[place] for place in changed}
        return sum(self._group(k, after) - self._group(k, base) for k in groups) + sum(
            self._tile_and_change(p, content) - self._tile_and_change(p, base[p]) for p, content in changed.items()
        )

    def shortfalls(self, contents: Mapping[Place, Contents]) -> dict[Place, float]:
        """How many nats each place's group falls short of a perfect fit (0: everything is explained)."""
        result: dict[Place, float] = {}
        for k, group in enumerate(self._groups):
            lack = sum(self._at_best(i) for i in self._seen[k]) - self._group(k, contents)
            for place in group:
                result[place] = lack / len(group) + self._tile_lack(place, contents[place])
        return result

    def lacking(self, contents: Mapping[Place, Contents]) -> dict[Place, float]:
        """The shortfalls, of a crowded place only the share of :data:`CROWD` pieces: among many that hide each other
        some are always missed or seen double."""
        found = self.shortfalls(contents)
        return {place: lack * min(CROWD / max(len(contents[place].pieces), 1), 1.0) for place, lack in found.items()}

    def misfits(self, contents: Mapping[Place, Contents], at_most: float) -> list[Place]:
        """Places where the reading does not fit ``contents``, worst first; none while all together fall short of a
        perfect fit by ``at_most`` nats."""
        if sum(self.lacking(contents).values()) <= at_most:
            return []
        shortfall = self.shortfalls(contents)
        return sorted((p for p, value in shortfall.items() if value > 1.0), key=lambda p: -shortfall[p])

    def counts_fit(self, contents: Mapping[Place, Contents], places: Sequence[Place]) -> bool:
        """Whether each of these places holds pieces, as many as must stand there, and its tile fits."""
        found = Counter(likeliest(feet) for feet in self._feet.values())
        return all(
            contents[p].pieces and found[p] == len(contents[p].pieces) and self._tile_lack(p, contents[p]) < 1.0
            for p in places
        )

    def known_pawns(self, contents: Mapping[Place, Contents]) -> tuple[list[PieceSeen], Counter[str]]:
        """Pawns seen where pawns must stand, and how many of each colour stand there altogether."""
        colours = {p: [n.partition(":")[2] for n in c.pieces if n.startswith("pawn:")] for p, c in contents.items()}
        pawns = [
            self.reading.pieces[i] for i, feet in self._feet.items()
            if colours[likeliest(feet)] and best_name(self.reading.pieces[i]).startswith("pawn")
        ]
        return pawns, Counter(name for names in colours.values() for name in names)

    def flaws(self, contents: Mapping[Place, Contents]) -> Flaws:
        """What this reading got wrong if ``contents`` is the truth."""
        missed: dict[tuple[Place, str], int] = {}
        imagined: list[PieceSeen] = []
        stood: list[PieceSeen] = []
        for place in self.layout:
            should, there = Counter(contents[place].pieces), self._taken_for(place)
            for name, count in should.items():
                if count > len(there.get(name, [])):
                    missed[place, name] = count - len(there.get(name, []))
            for name, pieces in there.items():
                stood.extend(pieces[:should[name]])
                imagined.extend(pieces[should[name]:])
        tiles = frozenset(p for p in self.layout if contents[p].tile and p not in self._tiles)
        return Flaws(missed, tiles, tuple(imagined), tuple(stood))

    def _taken_for(self, place: Place) -> dict[str, list[PieceSeen]]:
        """Pieces that seem to stand at a place, by name, each taken for what it most likely is."""
        found: dict[str, list[PieceSeen]] = {}
        for index, feet in self._feet.items():
            piece = self.reading.pieces[index]
            if likeliest(feet) == place and existence(piece, self.reading.looks) >= 0.5:
                found.setdefault(best_name(piece), []).append(piece)
        return found

    def _group(self, k: int, contents: Mapping[Place, Contents]) -> float:
        key = k, tuple(contents[place] for place in self._groups[k])
        if key not in self._memo:
            self._memo[key] = self._match(k, key[1])
        return self._memo[key]

    def _match(self, k: int, contents: Sequence[Contents]) -> float:
        """The best assignment of the group's detections to the pieces that should stand there."""
        unmatched = {i: self._imagined(i) for i in self._seen[k]}
        total, gain = sum(unmatched.values()), []
        for place, content in zip(self._groups[k], contents, strict=True):
            for name, number in _numbered(content.pieces):
                miss = self._missed(place, name, number)
                total += miss
                gain.append([self._fits(i, place, name) - unmatched[i] - miss for i in self._seen[k]])
        return total + best_gain(gain)

    def _at_best(self, index: int) -> float:
        piece = self.reading.pieces[index]
        return max(self._imagined(index), self._real(piece) + math.log(likelihood(piece, best_name(piece))))

    def _real(self, piece: PieceSeen) -> float:
        return math.log(existence(piece, self.reading.looks))

    def _fits(self, index: int, place: Place, name: str) -> float:
        feet = self._feet[index]
        if place not in feet:
            return -math.inf
        piece = self.reading.pieces[index]
        return self._real(piece) + feet[place] + math.log(likelihood(piece, name))

    def _imagined(self, index: int) -> float:
        piece = self.reading.pieces[index]
        real = existence(piece, self.reading.looks)
        value = math.log(1.0 - real)
        if any(math.dist(piece.pos_mm, old.pos_mm) < SAME_FOOT_MM for old in self._flaws.stood):
            return value + IMAGINED_AGAIN * real
        if index in self._new:
            return value + IMAGINED_ON_CHANGE * real * self._local
        known = any(math.dist(piece.pos_mm, old.pos_mm) < FOOT_MM for old in self._flaws.imagined)
        return max(value, -KNOWN_FLAW) if known else value

    def _missed(self, place: Place, name: str, number: int) -> float:
        miss = max(self.layout[place].miss, SELDOM_FOUND.get(name, 0.0))
        value = math.log(miss + (1.0 - miss) * self._hidden[place])
        if number >= self._flaws.missed.get((place, name), 0):
            return value
        return max(value, -KNOWN_FLAW_NEAR if self._looks_new(place) else -KNOWN_FLAW)

    def _looks_new(self, place: Place) -> bool:
        return self._units.get(place, 0.0) > CHANGED_UNITS

    def _tile_and_change(self, place: Place, content: Contents) -> float:
        key = place, content
        if key not in self._place_memo:
            self._place_memo[key] = sum(part(place, content) for part in (self._tile, self._changed, self._gone))
        return self._place_memo[key]

    def _tile(self, place: Place, content: Contents) -> float:
        if content.tile is None:
            return 0.0
        tile = self._tiles.get(place)
        if content.tile == "":
            return math.log(1.0 - existence(tile, self.reading.looks)) if tile else 0.0
        if tile:
            return math.log(existence(tile, self.reading.looks))
        value = math.log(TILE_MISS + (1.0 - TILE_MISS) * self._covered[place])
        return max(value, -KNOWN_FLAW) if place in self._flaws.tiles and not self._looks_new(place) else value

    def _tile_lack(self, place: Place, content: Contents) -> float:
        """How many nats the tile falls short of a perfect fit."""
        if content.tile is None:
            return 0.0
        tile = self._tiles.get(place)
        real = existence(tile, self.reading.looks) if tile else 1.0
        return math.log(max(real, 1.0 - real)) - self._tile(place, content)

    def _changed(self, place: Place, content: Contents) -> float:
        if self._before is None:
            return 0.0
        before = self._before[place]
        enough = CHANGED_UNITS
        if content != before:
            enough -= HIDDEN_CHANGE * self._hidden[place] * (CHANGED_UNITS - UNCHANGED_UNITS)
        share = _ramp(self._units[place], UNCHANGED_UNITS, enough)
        if content.tile != before.tile:
            share = min(share, _ramp(self._flat[place], TILE_SAME, TILE_GONE))
        if content != before:
            return CHANGED_WITHOUT_PIXELS * (1.0 - share) + self._stranger(place, content, before)
        return UNCHANGED_WITH_PIXELS * share * self._local

    def _gone(self, place: Place, content: Contents) -> float:
        """What it says against a tile that is said to lie where it lay."""
        if self._before is None or not content.tile or content.tile != self._before[place].tile or place in self._tiles:
            return 0.0
        return STAYED_UNSEEN * _ramp(self._flat.get(place, 0.0), *LOOKS_ANOTHER) * self._local

    def _stranger(self, place: Place, content: Contents, before: Contents) -> float:
        """What a change that nothing found accounts for says for a piece that is seldom found."""
        if all((name in content.pieces) == (name in before.pieces) for name in SELDOM_FOUND):
            return 0.0
        return STRANGER * _ramp(self._strange.get(place, 0.0), *STRANGE_UNITS) * self._local


def _holds_seldom_found(contents: Mapping[Place, Contents]) -> bool:
    return any(name in SELDOM_FOUND for content in contents.values() for name in content.pieces)


def _ramp(value: float, low: float, high: float) -> float:
    """0 up to ``low``, 1 from ``high`` on."""
    return min(max((value - low) / (high - low), 0.0), 1.0)


def _numbered(names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Each name with how many equal ones came before it."""
    seen: Counter[str] = Counter()
    for name in names:
        yield name, seen[name]
        seen[name] += 1
