"""Learning a set's colours from its start position, and naming colours before that."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.colours import GENERAL, SetColours, _renamed, without_shade
from calibration.errors import ColourError
from calibration.pixels import clusters, distance, piece_pixels

CLIPS = Path(__file__).resolve().parents[3] / "shared" / "clips"
BGR = {
    "red": (40, 35, 190), "blue": (170, 80, 30), "green": (70, 140, 40), "yellow": (40, 200, 230),
    "black": (30, 30, 32), "orange": (30, 120, 235), "white": (235, 238, 240), "purple": (130, 50, 110),
    "wood": (110, 160, 200),
}
TABLE, OLIVE = (96, 128, 150), (60, 150, 140)


def painted(names: list[str], light: tuple[float, float, float] = (1, 1, 1), seed: int = 0) -> tuple[np.ndarray, list]:
    """A table with a pawn of each named colour, lit from one side, in ``light`` (b, g, r factors); and their boxes."""
    rng = np.random.default_rng(seed)
    image = np.full((90, 60 * len(names) + 20, 3), TABLE, np.float32)
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    boxes = []
    for i, name in enumerate(names):
        left, middle = 20 + 60 * i, 35 + 60 * i
        skirt = (abs(x - middle) < 4 + 9 * (y - 20) / 45) & (y >= 30) & (y < 65)
        body = skirt | ((x - middle) ** 2 + (y - 25) ** 2 < 64)
        shade = np.clip(1.05 - 0.5 * (x - middle + 12) / 24, 0.4, 1.1)[..., None]
        image = np.where(body[..., None], np.array(BGR[name], np.float32) * shade, image)
        glint = (x - middle + 4) ** 2 + (y - 22) ** 2 < 5
        image[glint] = 250
        boxes.append((left + 1, 16, left + 29, 66))
    noisy = image * np.array(light, np.float32) + rng.normal(0, 4, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), boxes


@pytest.mark.parametrize("name", sorted(GENERAL))
def test_general_colours_name_a_painted_pawn(name: str) -> None:
    image, boxes = painted([name])
    shares = SetColours.general().classify(image, boxes[0])
    assert max(shares, key=lambda n: shares[n]) == name
    assert sum(shares.values()) == pytest.approx(1)


def test_start_position_teaches_colours_and_who_has_which() -> None:
    names = ["red", "blue", "orange", "yellow", "red", "blue", "yellow", "orange", "orange"]
    image, boxes = painted(names, light=(0.55, 0.8, 1.0))
    counts = {"yellow": 2, "red": 2, "blue": 2, "orange": 3}
    colours = SetColours.from_start(image, boxes, counts)
    assert colours.learnt and list(colours.prototypes) == list(counts)
    for light in ((0.55, 0.8, 1.0), (0.45, 0.66, 0.83), (0.6, 0.9, 1.1)):
        later, boxes = painted(names[::-1], light, seed=7)
        for name, box in zip(names[::-1], boxes, strict=True):
            shares = colours.classify(later, box)
            assert max(shares, key=lambda n: shares[n]) == name
            assert shares[name] > 0.8


def test_a_piece_missing_at_the_start_does_not_matter_but_a_colour_does() -> None:
    image, boxes = painted(["red", "blue", "blue"])
    colours = SetColours.from_start(image, boxes, {"red": 3, "blue": 3})
    assert colours.classify(image, boxes[0])["red"] > 0.9
    with pytest.raises(ColourError, match="needs 6 pieces in the start position, 1 were found"):
        SetColours.from_start(image, boxes[:1], {"red": 3, "blue": 3})


@pytest.mark.parametrize(("shares", "learnt"), [((0.0, 0.6), False), ((0.0, 0.0, 0.6), False), ((0.6, 0.6, 0.6), True)])
def test_a_pawn_mostly_hidden_by_another_teaches_nothing(shares: tuple[float, ...], learnt: bool) -> None:
    """Unless there is no other of its colour."""
    image, boxes = painted(["red", "red", *["green"] * len(shares)])
    for share, (left, top, right, bottom) in zip(shares, boxes[2:], strict=True):
        image[top:bottom, left:round(left + share * (right - left))] = OLIVE
    colours = SetColours.from_start(image, boxes, {"red": 2, "green": len(shares)})
    olive = piece_pixels(np.full((60, 60, 3), OLIVE, np.uint8), (20, 20, 40, 40))
    near = distance(without_shade(olive), colours.prototypes["green"]).min()
    assert bool(near < 10) == learnt


def test_names_that_went_to_each_others_pieces_are_put_right() -> None:
    right = {name: without_shade(np.array(GENERAL[name], np.float32)) for name in ("red", "green", "yellow")}
    swapped = {"red": right["red"], "green": right["yellow"], "yellow": right["green"]}
    for given in (right, swapped):
        assert all((learnt == right[name]).all() for name, learnt in _renamed(given).items())


def test_unknown_colours_are_named() -> None:
    with pytest.raises(ColourError, match='"pink" is unknown: give one of red, blue'):
        SetColours.general(["red", "pink"])
    image, boxes = painted(["red"])
    with pytest.raises(ColourError, match='"green" is unknown'):
        SetColours.general(["red", "blue"]).classify(image, boxes[0], among=("green",))


def test_among_limits_the_choice() -> None:
    image, boxes = painted(["red"])
    assert set(SetColours.general().classify(image, boxes[0], among=("blue", "red"))) == {"blue", "red"}


def test_close_colours_are_warned_of_in_both_languages() -> None:
    names = ["red", "orange", "blue"]
    image, boxes = painted(names, light=(0.10, 0.16, 1.0))
    pairs = SetColours.from_start(image, boxes, {"red": 1, "orange": 1, "blue": 1}).close_pairs()
    assert {(pair.first, pair.second) for pair in pairs} >= {("red", "orange")}
    assert "orange" in pairs[0].sentence("en") and "Farben" in pairs[0].sentence("de")
    good, boxes = painted(names)
    assert SetColours.from_start(good, boxes, {"red": 1, "orange": 1, "blue": 1}).close_pairs() == []


def test_colours_survive_a_file() -> None:
    image, boxes = painted(["red", "blue"])
    colours = SetColours.from_start(image, boxes, {"red": 1, "blue": 1})
    again = SetColours.from_json(json.loads(json.dumps(colours.to_json())))
    assert again.learnt
    assert again.classify(image, boxes[1]) == pytest.approx(colours.classify(image, boxes[1]), abs=1e-3)


def test_pixels_leave_the_table_and_the_glint_out() -> None:
    image, boxes = painted(["blue"])
    lab = piece_pixels(image, boxes[0])
    assert (lab[:, 2] < -10).mean() > 0.95
    with pytest.raises(ValueError, match="outside the picture"):
        piece_pixels(image, (500, 10, 520, 40))


def test_a_piece_of_the_tables_colour_counts_whole() -> None:
    image = np.full((80, 80, 3), TABLE, np.uint8)
    assert len(piece_pixels(image, (20, 20, 50, 60))) > 50
    assert len(piece_pixels(image, (30.2, 30.1, 30.9, 30.8))) >= 1


def test_clusters_are_repeatable_and_drop_stray_pixels() -> None:
    pixels = np.array([[20, 0, 0]] * 60 + [[80, 0, 40]] * 39 + [[50, 90, 0]], np.float32)
    centres = clusters(pixels, 3)
    assert {tuple(c) for c in centres.round()} == {(20, 0, 0), (80, 0, 40)}
    assert (clusters(pixels, 3) == centres).all()


@pytest.mark.parametrize(("clip", "least"), [("verflixxt_a", 1.0), ("spuk_a", 0.98)])
def test_pawns_of_rendered_clips(clip: str, least: float) -> None:
    folder = CLIPS / clip
    if not folder.is_dir():
        pytest.skip("no rendered clips here")
    stills = json.loads((folder / "boxes.json").read_text())["stills"]
    colours, right = None, []
    for still in stills:
        image = cv2.imread(str(folder / still["image"]))
        pawns = [box for box in still["boxes"] if box["class"] == "figure" and box["visible"] > 0.4]
        if colours is None:
            colours = SetColours.from_start(image, [box["xyxy"] for box in pawns], {"red": 3, "blue": 3})
        for pawn in pawns:
            right.append(colours.classify(image, pawn["xyxy"])[pawn["colour"]] > 0.5)
    assert len(right) > 100 and np.mean(right) >= least
