"""What the rules offer in a state, with the places that look different after it; a state is looked at many times."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.protocol import Candidate, Place
from vision.tables import Contents

Changes = tuple[tuple[Place, Contents], ...]
"""The places that look different, with what stands there then."""


@lru_cache(maxsize=64)
def offered(adapter: Any, state: Any, roll: int) -> tuple[tuple[Any, Changes], ...]:
    """The rules' candidates, fewest violations first, with what they change."""
    base = adapter.contents(state)
    return tuple((c, changes(base, adapter.contents(c.verdict.state))) for c in adapter.game.candidates(state, roll))


@lru_cache(maxsize=64)
def legal(adapter: Any, state: Any, roll: int) -> tuple[tuple[Any, Changes], ...]:
    """The legal ones alone."""
    base, game = adapter.contents(state), adapter.game
    judged = [Candidate(action, game.judge(state, action)) for action in game.legal_actions(state, roll)]
    return tuple((c, changes(base, adapter.contents(c.verdict.state))) for c in judged)


def changes(base: Mapping[Place, Contents], after: Mapping[Place, Contents]) -> Changes:
    return tuple((p, c) for p, c in after.items() if c is not base[p] and c != base[p])
