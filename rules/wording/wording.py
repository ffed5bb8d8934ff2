"""What a sentence about a broken rule consists of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """One broken rule in words.

    ``de`` and ``en`` may use the facts of the violation as ``{player}``, ``{piece}``, ``{from}``, ``{to}``, ``{roll}``,
    ``{tile}``, ... (``{Piece}`` with a capital at the start of a sentence). When a fact they need is missing, the plain
    sentences stand in. ``source``: where the rule text says so.
    """

    de: str
    en: str
    source: str
    plain_de: str
    plain_en: str
