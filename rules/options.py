"""What a set-up page needs to know about a game: its layouts, house rules, colours and numbers of players.

Every house rule has a stable name (used in ``setup.json`` and in records), a default and a sentence in German and
English that says what it means.
"""

from __future__ import annotations

from dataclasses import dataclass

OptionValue = bool | int | str | tuple[int, ...]
"""What a house rule can be set to. A list of whole numbers in JSON becomes a tuple."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a house rule or of ``variant``, in words."""

    value: OptionValue
    de: str
    en: str


YES_NO = (Choice(False, "nein", "no"), Choice(True, "ja", "yes"))


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule. Without ``choices`` it is a whole number, or a list of whole numbers as long as the default."""

    name: str
    default: OptionValue
    de: str
    en: str
    choices: tuple[Choice, ...] = YES_NO

    def text(self, lang: str) -> str:
        """The sentence that explains this house rule."""
        return self.de if lang == "de" else self.en


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What can be set before a game: ``colours`` of the pieces, ``players`` (fewest, most), layouts, house rules."""

    name: str
    title: str
    players: tuple[int, int]
    colours: tuple[str, ...]
    variants: tuple[Choice, ...]
    options: tuple[Option, ...]
    coloured: bool = True
    """Whether every player must have a colour of their own."""
