"""What holes hold, decided for the whole board."""

from __future__ import annotations

import numpy as np
from boxes import MARKERS

from models.classes import HOLE_CLASSES
from rules.dice_flick import read_markers
from vision.flick.decide import Found, decide, turns_for

LAYOUT = read_markers({"markers": MARKERS})


def shares(holes: dict[int, dict[str, float]]) -> np.ndarray:
    """Probabilities (25, K): the named ones, the rest is ``empty``."""
    out = np.full((25, len(HOLE_CLASSES)), 1e-4)
    for hole in range(25):
        for name, share in holes.get(hole, {"empty": 1.0}).items():
            out[hole, HOLE_CLASSES.index(name)] = share
    return np.asarray(out / out.sum(axis=1, keepdims=True))


def test_a_sure_reader_is_believed() -> None:
    decided = decide(shares({0: {"blue": 0.95}, 6: {"upgrade_green": 0.9}}), {0: Found(0.9)}, None, {})
    assert (decided[0].content, decided[0].colour) == ("die", "blue")
    assert (decided[6].content, decided[6].marker) == ("marker", "upgrade_green")
    assert decided[1].content == "empty"


def test_a_die_that_was_found_decides_a_doubtful_hole() -> None:
    doubtful = {0: {"empty": 0.5, "white": 0.5}}
    assert decide(shares(doubtful), {0: Found(0.95)}, None, {})[0].content == "die"
    assert decide(shares(doubtful), {}, None, {})[0].content == "empty"


def test_there_is_one_upgrade_sticker_of_a_colour() -> None:
    twice = {3: {"upgrade_blue": 0.9}, 7: {"upgrade_blue": 0.6, "bonus": 0.4}}
    decided = decide(shares(twice), {}, None, {})
    assert [decided[3].marker, decided[7].marker] == ["upgrade_blue", "bonus"]


def test_there_are_no_more_dice_of_a_colour_than_in_the_set() -> None:
    holes = {k: {"white": 0.9} for k in range(3)} | {3: {"white": 0.55, "yellow": 0.45}}
    decided = decide(shares(holes), dict.fromkeys(range(4), Found(0.9)), None, {})
    assert [d.colour for d in decided[:4]] == ["white", "white", "white", "yellow"]


def test_the_centre_marker_lies_in_the_middle() -> None:
    decided = decide(shares({0: {"centre": 0.6, "bonus": 0.3}, 12: {"bonus": 0.6, "centre": 0.3}}), {}, None, {})
    assert [decided[0].marker, decided[12].marker] == ["bonus", "centre"]


def test_known_stickers_help_where_the_picture_does_not() -> None:
    decided = decide(shares({6: {"empty": 0.6, "upgrade_green": 0.2}, 7: {"bonus": 0.7, "empty": 0.3}}), {}, LAYOUT, {})
    assert decided[6].marker == "upgrade_green"
    assert decided[7].content == "empty"


def test_known_stickers_are_never_gone() -> None:
    decided = decide(shares({6: {"empty": 0.99}, 12: {"hidden": 0.9}, 13: {"hidden": 0.9}}), {}, LAYOUT, {})
    assert [(d.content, d.marker, d.flaw) for d in (decided[6], decided[12], decided[13])] == [
        ("marker", "upgrade_green", ""), ("marker", "centre", "hidden"), ("empty", "", "hidden"),
    ]
    assert decided[6].shares["empty"] == 0


def test_a_die_on_a_sticker_of_its_colour_is_rather_printed_there() -> None:
    found = {6: Found(0.9, 0.9)}
    assert decide(shares({6: {"upgrade_green": 0.5, "green": 0.5}}), found, LAYOUT, {})[6].marker == "upgrade_green"
    assert decide(shares({6: {"upgrade_green": 0.5, "blue": 0.5}}), found, LAYOUT, {})[6].colour == "blue"


def test_cocked_dice_keep_their_colour() -> None:
    decided = decide(shares({0: {"green_cocked": 0.6, "green": 0.3}}), {0: Found(0.9)}, None, {})
    assert (decided[0].colour, decided[0].flaw) == ("green", "cocked")


def test_a_covered_hole_is_said() -> None:
    assert decide(shares({0: {"hidden": 0.9}}), {}, None, {})[0].flaw == "hidden"


def test_the_colours_of_this_set_help() -> None:
    torn = shares({0: {"white": 0.55, "yellow": 0.45}})
    own = {0: np.log([0.1, 0.05, 0.75, 0.05, 0.05])}
    assert decide(torn, {0: Found(0.9)}, None, own)[0].colour == "yellow"


def test_the_stickers_tell_how_the_box_is_turned() -> None:
    order = np.arange(25).reshape(5, 5)
    orders = np.stack([np.rot90(order, k).ravel() for k in range(4)])
    named = {tuple(cell): name for name, cells in MARKERS.items() for cell in cells}
    lying = {(row - 1) * 5 + col - 1: {name: 0.9} for (row, col), name in named.items()}
    for k in range(4):
        picture = np.empty_like(shares({}))
        picture[orders[k]] = shares(lying)
        assert turns_for(picture, LAYOUT, orders) == k
