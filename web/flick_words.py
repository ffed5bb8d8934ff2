"""Dice Flick in words: how the points add up, which dice go back, what to look at. German and English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rules.dice_flick import Group, Markers, Scoring
    from rules.dice_flick.values import Board

COLOURS = {
    "white": ("Weiß", "White"), "blue": ("Blau", "Blue"), "yellow": ("Gelb", "Yellow"), "green": ("Grün", "Green"),
    "pink": ("Knaller", "Knaller"),
}

SHORT = {
    "white": ("we", "wh"), "blue": ("bl", "bl"), "yellow": ("ge", "ye"), "green": ("gr", "gr"), "pink": ("Kn", "Kn"),
}

STICKERS = {
    "upgrade_green": ("x2gr", "x2gr"), "upgrade_blue": ("x2bl", "x2bl"), "upgrade_yellow": ("x2ge", "x2ye"),
    "centre": ("(o)", "(o)"), "bonus": ("+1", "+1"),
}

WARNINGS = {
    "cocked": (
        "Reihe {row}, Spalte {col}: der Würfel liegt schräg, bitte leicht an der Schachtel rütteln.",
        "Row {row}, column {col}: the die lies cocked, jog the box gently.",
    ),
    "stacked": (
        "Reihe {row}, Spalte {col}: zwei Würfel liegen aufeinander, bitte leicht an der Schachtel rütteln.",
        "Row {row}, column {col}: two dice lie on top of each other, jog the box gently.",
    ),
    "hidden": (
        "Reihe {row}, Spalte {col}: das Loch ist verdeckt und wurde nicht gezählt.",
        "Row {row}, column {col}: the hole is covered and was not counted.",
    ),
    "unsure": (
        "Reihe {row}, Spalte {col}: bitte nachsehen, das ist schlecht zu erkennen.",
        "Row {row}, column {col}: please check, this is hard to make out.",
    ),
    "between": (
        "Bei Reihe {row}, Spalte {col} liegt ein Würfel zwischen den Löchern, bitte leicht an der Schachtel rütteln.",
        "Near row {row}, column {col} a die lies between the holes, jog the box gently.",
    ),
    "too_many": (
        "Es liegen mehr Würfel der Farbe {colour} im Feld, als das Spiel hat: bitte nachsehen.",
        "More {colour} dice lie on the board than the game has: please check.",
    ),
}

_WORDS = {
    "colour": ("{colour}-Gruppe", "{colour} group"),
    "line_row": ("Knaller, Reihe {n}", "Knaller, row {n}"),
    "line_col": ("Knaller, Spalte {n}", "Knaller, column {n}"),
    "centre": ("Center-Marker", "Centre marker"),
    "twice": ("{value} doppelt (Center)", "{value} twice (centre)"),
    "doubled": ("verdoppelt (Upgrade)", "doubled (upgrade)"),
    "nothing": ("Nichts zu werten: 0 Punkte.", "Nothing to score: 0 points."),
    "total": ("Zusammen {points} Punkte.", "{points} points in all."),
    "one": ("{points} Punkte.", "{points} points."),
    "back": ("Zurück in den Beutel: {dice}.", "Back into the bag: {dice}."),
    "die_at": ("{colour} {value} ({row}/{col})", "{colour} {value} ({row}/{col})"),
    "board": ("Spielfeld (Reihe 1 hinten, Spalte 1 links)", "Board (row 1 at the back, column 1 on the left)"),
}


def word(key: str, lang: str, **facts: object) -> str:
    """Words of this module in a language."""
    return _WORDS[key][lang != "de"].format(**facts)


def colour(name: str, lang: str) -> str:
    """A die's colour; pink ones are Knaller."""
    return COLOURS[name][lang != "de"]


def sums(scoring: Scoring, board: Board, markers: Markers, lang: str) -> list[str]:
    """A sentence for each group: what it is and how its points add up."""
    values = {die.cell: die for die in board}
    return [_sum(group, values, markers, lang) for group in scoring.groups]


def _sum(group: Group, values: Mapping[tuple[int, int], Any], markers: Markers, lang: str) -> str:
    from rules.dice_flick import mask_of

    dice = [values[cell] for cell in group.cells if cell in values]
    parts, worth = [], 0
    for die in dice:
        middle = bool(mask_of(die.cell) & markers.centre)
        parts.append(word("twice", lang, value=die.value) if middle else str(die.value))
        worth += 2 * die.value if middle else die.value
    text = " + ".join(parts)
    if group.kind == "colour" and group.points > worth:
        text = f"({text}) {word('doubled', lang)}" if len(parts) > 1 else f"{text} {word('doubled', lang)}"
    return f"{_name(group, lang)}: {text} = {group.points}"


def _name(group: Group, lang: str) -> str:
    if group.kind == "colour":
        return word("colour", lang, colour=colour(group.colour or "white", lang))
    if group.kind == "centre":
        return word("centre", lang)
    rows = {row for row, _ in group.cells}
    if len(rows) == 1:
        return word("line_row", lang, n=rows.pop())
    return word("line_col", lang, n=group.cells[0][1])


def summary(scoring: Scoring, board: Board, markers: Markers, lang: str) -> list[str]:
    """All sentences: the sums, the total, the dice that go back."""
    if not scoring.groups:
        return [word("nothing", lang)]
    lines = sums(scoring, board, markers, lang)
    lines.append(word("total" if len(scoring.groups) > 1 else "one", lang, points=scoring.score))
    lines.append(word("back", lang, dice=returned(scoring.returned, board, lang)))
    return lines


def returned(cells: Iterable[tuple[int, int]], board: Board, lang: str) -> str:
    """The dice in these holes, in words."""
    values = {die.cell: die for die in board}
    return ", ".join(
        word("die_at", lang, colour=colour(values[c].colour, lang), value=values[c].value, row=c[0], col=c[1])
        for c in cells
    )


def warnings(warned: Sequence[Mapping[str, Any]], lang: str) -> list[str]:
    """A sentence for each warning of a photo's line."""
    lines = []
    for line in warned:
        facts = {**line, "colour": colour(str(line.get("colour", "white")), lang)}
        lines.append(WARNINGS[str(line["what"])][lang != "de"].format(**facts))
    return lines


def grid(holes: Sequence[Mapping[str, Any]], lang: str) -> list[str]:
    """The board as a table of text, one line a row: ``gr5`` a die, ``x2bl`` a sticker, ``.`` an empty hole."""
    cells = {(hole["row"], hole["col"]): _cell(hole, lang) for hole in holes}
    lines = ["     " + "".join(f"{col:<6}" for col in range(1, 6)).rstrip()]
    for row in range(1, 6):
        lines.append(f"  {row}  " + "".join(f"{cells[row, col]:<6}" for col in range(1, 6)).rstrip())
    return lines


def _cell(hole: Mapping[str, Any], lang: str) -> str:
    if hole["content"] == "die":
        short = SHORT[str(hole["colour"])][lang != "de"]
        return short if hole["colour"] == "pink" else f"{short}{hole['value']}"
    if hole["content"] == "marker":
        return STICKERS[str(hole["marker"]).replace(":", "_")][lang != "de"]
    return "."


def claim_right(claimed: int, best: int) -> dict[str, str]:
    """What to say to a claimed total that is allowed."""
    if claimed == best:
        return {"de": f"{claimed} stimmt.", "en": f"{claimed} is right."}
    return {
        "de": f"{claimed} ist erlaubt, möglich wären {best}.", "en": f"{claimed} is allowed, {best} would be possible.",
    }
