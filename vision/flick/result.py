"""A reading as the record and the command line give it: holes, best score, groups, what to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.dice_flick import Group, Markers, Scoring, ScoringRules, best_score
from vision.flick.values import BoxReading, Hole, LooseDie, Warned

Json = dict[str, Any]


def score_of(reading: BoxReading, rules: ScoringRules | None = None) -> Scoring:
    """The most points that the dice in the holes are worth."""
    return best_score(reading.board, reading.markers, rules)


def reading_to_json(reading: BoxReading, scoring: Scoring) -> Json:
    """The fields of a photo's line, see ``formats.md``; JSON-ready."""
    return {
        "corners_px": [[round(float(x), 1), round(float(y), 1)] for x, y in reading.lattice.corners_px(0.56)],
        "holes": [hole_to_json(hole) for hole in reading.holes],
        "loose": [loose_to_json(die) for die in reading.loose],
        **scoring_to_json(scoring),
        "confidence": round(reading.sure, 3),
        "warnings": [warned_to_json(warned) for warned in reading.warnings],
    }


def hole_to_json(hole: Hole) -> Json:
    """A hole: ``content`` with what it needs, ``confidence``, ``box_px`` of a die."""
    line: Json = {"row": hole.row, "col": hole.col, "content": hole.content, "confidence": round(hole.confidence, 3)}
    if hole.content == "die":
        line |= {"colour": hole.colour, "value": hole.value}
    if hole.content == "marker":
        line["marker"] = hole.marker.replace("_", ":")
    if hole.box_px is not None:
        line["box_px"] = list(hole.box_px)
    return line


def loose_to_json(die: LooseDie) -> Json:
    """A die that lies in no hole."""
    return {
        "where": die.where, "colour": die.colour, "value": die.value, "confidence": round(die.confidence, 3),
        "box_px": list(die.box_px),
    }


def warned_to_json(warned: Warned) -> Json:
    """A warning with the hole it is about, where it is about one."""
    line: Json = {"what": warned.what}
    if warned.row is not None and warned.col is not None:
        line |= {"row": warned.row, "col": warned.col}
    if warned.colour:
        line["colour"] = warned.colour
    return line


def scoring_to_json(scoring: Scoring) -> Json:
    """``best_score``, ``groups``, ``returned``."""
    return {
        "best_score": scoring.score,
        "groups": [group_to_json(group) for group in scoring.groups],
        "returned": [list(cell) for cell in scoring.returned],
    }


def group_to_json(group: Group) -> Json:
    """``kind``, ``cells``, ``points``, and the colour of a colour group."""
    line: Json = {"kind": group.kind, "cells": [list(cell) for cell in group.cells], "points": group.points}
    return line | ({"colour": group.colour} if group.colour else {})


def markers_to_json(markers: Markers) -> Json:
    """The stickers as a set-up has them: ``{"upgrade_green": [[2, 2]], "centre": [[3, 3]], ...}``."""
    from rules.dice_flick.grid import cells_of

    named: Sequence[tuple[str, int]] = (
        *((f"upgrade_{colour}", mask) for colour, mask in markers.upgrades),
        ("centre", markers.centre), ("bonus", markers.bonus),
    )
    return {name: [list(cell) for cell in cells_of(mask)] for name, mask in named if mask}
