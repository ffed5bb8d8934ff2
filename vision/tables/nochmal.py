"""Verflixxt nochmal on the table: Verflixxt! with orange cards, the bird Flixxy, and an action die that people tell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rules.nochmal.state import ACTION_DIE
from rules.protocol import Place
from rules.verflixxt.state import FLIXXY
from vision.tables import Contents
from vision.tables.verflixxt import VerflixxtTable, contents_of

MISHEARD = -4.0
"""Log-probability of another face of the action die than the one that was told."""

NOT_TOLD = "may"
"""What the action die is taken for where nobody tells it: the face with which everything is allowed."""


class NochmalTable(VerflixxtTable):
    """Adapter of :mod:`vision.tables` for Verflixxt nochmal; the places are those of Verflixxt!.

    The stacks of collected cards are not looked at: cards are passed on, and tokens taken, as the rules want it.
    """

    def contents(self, state: Any) -> Mapping[Place, Contents]:
        """Pieces and tile of every place, Flixxy among them."""
        places = super().contents(state)
        if not isinstance(state.flixxy, int):
            return places
        there = places[state.flixxy]
        return {**places, state.flixxy: contents_of(tuple(sorted((*there.pieces, FLIXXY))), there.tile)}

    def rolls(self, state: Any, faces: Mapping[int, float], said: str) -> dict[int, float]:
        """Log-probabilities of both dice as one number (see :class:`rules.nochmal.Nochmal`); ``said``: the action die's
        face as a person told it, empty where nobody did."""
        if not isinstance(state.flixxy, int):
            return dict(faces)
        if said not in ACTION_DIE:
            return {face + 6 * ACTION_DIE.index(NOT_TOLD): chance for face, chance in faces.items()}
        told = {kind: 0.0 if kind == said else MISHEARD - math.log(2.0) for kind in ACTION_DIE}
        both = [(k, told[kind]) for k, kind in enumerate(ACTION_DIE)]
        return {face + 6 * k: chance + likely for k, likely in both for face, chance in faces.items()}
