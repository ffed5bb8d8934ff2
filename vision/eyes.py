"""Looks at one frame: detector, crop readers, colours of the set and table plane make a TableReading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.colours import SetColours
from calibration.errors import ColourError
from calibration.plane import TablePlane
from calibration.standing import DIE, FLIXXY, GUARD, PAWN, Body, foot_mm
from models.classes import DETECTOR_CLASSES
from vision.detections import Detections
from vision.detector import Detector
from vision.exemplars.frames import Known
from vision.exemplars.knowledge import Knowledge
from vision.obstruction import HAND
from vision.readers import CropReader, die_crop
from vision.reading import Box, DieSeen, HandSeen, PieceSeen, Point, TableReading, TileSeen, iou
from vision.values import TileValues

SAME_BOX_IOU = 0.55
"""Boxes of pawns and guards that overlap more than this are one thing: the kinds are weighed by their confidence."""

BODIES = {"pawn": PAWN, "guard": GUARD, "flixxy": FLIXXY}

WRONG_KIND = 0.03
"""Probability of the kind that the detector did not even suggest."""


class TableEyes:
    """The :class:`vision.reading.Eyes` of a calibrated camera. ``colours``: the pawns' colours in this game;
    ``known``: what was learnt of the set on the table."""

    def __init__(
        self, plane: TablePlane, detector: Detector, tiles: CropReader, dice: CropReader, colours: Sequence[str],
        kinds: Sequence[str] = ("pawn", "guard"), known: Knowledge | None = None,
        numbers: CropReader | None = None,
    ) -> None:
        self._plane, self._detector, self._tiles, self._dice = plane, detector, TileValues(tiles, numbers), dice
        self._names, self._piece_kinds = tuple(colours), tuple(kinds)
        self._standing = tuple(dict.fromkeys(("pawn", "guard", *kinds)))
        self._colours = SetColours.general(self._names)
        self._coloured: dict[Box, dict[str, float]] = {}
        self.known = known

    def read(self, image_bgr: NDArray[np.uint8], t_s: float) -> TableReading:
        """Everything found in one frame (H, W, 3) uint8."""
        found = self._detector.detect(image_bgr)
        hands = found.of("hand")
        dice, action = self._read_dice(image_bgr, found.of("die"))
        # What is hardly a hand must not hide half of the table.
        hiding = [*_boxes(found.of(*self._standing)), *_boxes(hands.where(hands.confidence >= HAND))]
        return TableReading(
            t_s, self._read_tiles(image_bgr, found.of("tile", "end_tile"), hiding),
            self._read_pieces(image_bgr, found.of(*self._standing)), dice,
            tuple(HandSeen(b, float(c)) for b, c in zip(_boxes(hands), hands.confidence, strict=True)),
            action=action,
        )

    @property
    def plane(self) -> TablePlane:
        """The table as it is seen now."""
        return self._plane

    def replane(self, plane: TablePlane) -> None:
        """The camera was moved: from now on ``plane`` says where on the table things are."""
        self._plane = plane
        forget = getattr(self._detector, "forget", None)
        if forget is not None:
            forget()

    def learn(self, image_bgr: NDArray[np.uint8], boxes_px: Sequence[Box], counts: Mapping[str, int]) -> bool:
        """Learn the set's colours from pawns known to be there; False (and nothing learnt) when that fails."""
        try:
            self._colours = SetColours.from_start(image_bgr, np.asarray(boxes_px, float).reshape(-1, 4), counts)
        except ColourError:
            return False
        self._coloured = {}
        return True

    def learn_tiles(
        self, image_bgr: NDArray[np.uint8], tiles: Sequence[tuple[str, Point]], over_px: Sequence[Box]
    ) -> None:
        """Tiles whose values are known, by their centres in mm, become exemplars of the set; ``over_px`` hides them."""
        if self.known is not None:
            self.known.learn_tiles(image_bgr, self._plane, tiles, over_px)
            self.keep_tiles(image_bgr, tiles, over_px, always=True)

    def keep_tiles(
        self, image_bgr: NDArray[np.uint8], tiles: Sequence[tuple[str, Point]], over_px: Sequence[Box],
        always: bool = False,
    ) -> None:
        """Keep the picture of tiles whose values are known; not ``always``: unless one was kept a moment ago."""
        if self.known is not None:
            self.known.keep(image_bgr, self._plane, Known(tuple(tiles), over_px=tuple(over_px)), always)

    def learn_pieces(self, image_bgr: NDArray[np.uint8], pieces: Sequence[tuple[str, Box]]) -> None:
        """Pieces whose kinds are known, by their boxes, become exemplars of the set."""
        if self.known is not None:
            self.known.learn_pieces(image_bgr, pieces)

    def learn_die(self, image_bgr: NDArray[np.uint8], box_px: Box, face: str) -> None:
        """The die in this box showed this face: it becomes an exemplar of the set."""
        if self.known is not None:
            self.known.learn_die(image_bgr, self._plane, box_px, face)
            self.known.keep(image_bgr, self._plane, Known(dice=((face, box_px),)), always=True)

    def correct_action(self, face: str) -> None:
        """A person says what the action die shows that was read last."""
        if self.known is not None:
            self.known.correct_action(face)

    def _read_tiles(self, image: Image, found: Detections, over_px: Sequence[Box]) -> tuple[TileSeen, ...]:
        boxes = _boxes(found)
        centres = _points(self._plane.to_mm([_centre(box) for box in boxes])) if boxes else []
        probs = self._tiles.read(image, self._plane, centres)
        if self.known is not None:
            probs = self.known.values(image, self._plane, centres, over_px, probs, self._tiles.words)
        large = DETECTOR_CLASSES.index("end_tile")
        return tuple(
            TileSeen(centres[k], boxes[k], probs[k], float(found.confidence[k]), found.class_id[k] == large)
            for k in range(len(found))
        )

    def _read_pieces(self, image: Image, found: Detections) -> tuple[PieceSeen, ...]:
        boxes, kept = _boxes(found), list[int]()
        for k in (int(k) for k in np.argsort(-found.confidence)):
            if not any(iou(boxes[k], boxes[other]) > SAME_BOX_IOU for other in kept):
                kept.append(k)
        kinds = [_kinds(found, boxes, k, self._piece_kinds) for k in kept]
        if self.known is not None:
            kinds = self.known.kinds(image, [boxes[k] for k in kept], kinds)
        feet = self._feet_of([boxes[k] for k in kept], [max(kind, key=kind.__getitem__) for kind in kinds])
        # The very same box again: nothing has changed there, and it was not even looked for anew.
        self._coloured = {boxes[k]: self._coloured.get(boxes[k]) or self._colour(image, boxes[k]) for k in kept}
        return tuple(
            PieceSeen(
                foot, boxes[k], tuple(kind.items()), tuple(self._coloured[boxes[k]].items()),
                float(found.confidence[k]),
            )
            for k, kind, foot in zip(kept, kinds, feet, strict=True)
        )

    def _colour(self, image: Image, box: Box) -> dict[str, float]:
        return self._colours.classify(image, box) if self._names else {}

    def _read_dice(self, image: Image, found: Detections) -> tuple[tuple[DieSeen, ...], dict[str, float]]:
        """The dice, and what the action die shows where one lies there and its symbols were taught."""
        boxes = _boxes(found)
        probs = self._dice.read(np.stack([die_crop(image, box) for box in boxes])) if boxes else np.zeros((0, 0))
        shown: list[dict[str, float]] = []
        if self.known is not None and boxes:
            pips_only = "flixxy" not in self._piece_kinds  # the bird brings the action die along
            own, shown = self.known.dice(image, self._plane, boxes, np.asarray(probs, np.float32), pips_only)
            probs = own.astype(np.float32)
        dice = tuple(
            DieSeen(foot, box, _floats(p), float(c))
            for foot, box, p, c in zip(self._feet(boxes, DIE), boxes, probs, found.confidence, strict=True)
        )
        return dice, max(shown, key=lambda symbols: sum(symbols.values()), default={})

    def _feet_of(self, boxes: Sequence[Box], kinds: Sequence[str]) -> list[Point]:
        """Where pieces stand, each of its kind."""
        feet = [(0.0, 0.0)] * len(boxes)
        for name in set(kinds):
            of = [k for k, kind in enumerate(kinds) if kind == name]
            for k, foot in zip(of, self._feet([boxes[k] for k in of], BODIES[name]), strict=True):
                feet[k] = foot
        return feet

    def _feet(self, boxes: Sequence[Box], body: Body) -> list[Point]:
        return _points(foot_mm(self._plane, boxes, body)) if boxes else []


def _kinds(found: Detections, boxes: Sequence[Box], k: int, names: Sequence[str]) -> dict[str, float]:
    """Probabilities of the kinds of piece for box ``k``, from every box that shows the same thing."""
    weight = dict.fromkeys(names, WRONG_KIND)
    for j, box in enumerate(boxes):
        if j == k or iou(boxes[k], box) > SAME_BOX_IOU:
            name = DETECTOR_CLASSES[int(found.class_id[j])]
            name = name if name in weight else names[0]
            weight[name] = max(weight[name], float(found.confidence[j]))
    total = sum(weight.values())
    return {name: value / total for name, value in weight.items()}


def _boxes(found: Detections) -> list[Box]:
    return [(float(a), float(b), float(c), float(d)) for a, b, c, d in found.xyxy_px]


def _centre(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _points(points: NDArray[np.float64]) -> list[Point]:
    return [(float(x), float(y)) for x, y in points]


def _floats(row: NDArray[np.float32]) -> tuple[float, ...]:
    return tuple(float(p) for p in row)
