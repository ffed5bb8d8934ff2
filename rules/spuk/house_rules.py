"""What can be set before a game of Spuk. Source: the German rule text; gaps are filled by named house rules."""

from __future__ import annotations

from rules.options import Choice, GameInfo, Option

COLOURS = ("red", "blue", "green", "yellow", "black", "orange", "white", "purple")
"""Colours that the figures may have; a box holds four of them."""

OPTIONS = (
    Option(
        "start_counted", True,
        "Das Startfeld wird beim Ziehen mitgezählt: Mit einer 4 geht es vom Start auf das dritte Feld.",
        "The start field is counted: a 4 leads from the start to the third field.",
    ),
    Option(
        "square_overshoot", "stop",
        "Was geschieht, wenn der Wurf über ein freies quadratisches Feld hinausreicht.",
        "What happens when the roll reaches beyond a free square field.",
        (
            Choice("stop", "die Figur bleibt dort stehen", "the figure stops there"),
            Choice("exact", "der Zug ist nicht erlaubt", "the move is not allowed"),
        ),
    ),
    Option(
        "river_landing", "throw_out",
        "Was gilt, wenn das erste Feld hinter dem Fluss besetzt ist und eine Figur hinübergebracht wird.",
        "What happens when the first field behind the river is occupied and a figure is carried across.",
        (
            Choice("throw_out", "wer dort steht, wird hinausgeworfen", "whoever stands there is thrown out"),
            Choice("next_free", "sie kommt auf das nächste freie Feld", "it goes to the next free field"),
            Choice("share", "beide stehen dort zusammen", "both stand there together"),
        ),
    ),
    Option(
        "occupied_numbered", "illegal",
        "Was gilt, wenn der Wurf auf ein besetztes Nummernfeld führt.",
        "What happens when the roll leads to an occupied numbered field.",
        (
            Choice("illegal", "der Zug ist nicht erlaubt", "the move is not allowed"),
            Choice("share", "beide Figuren stehen dort zusammen", "both figures stand there together"),
        ),
    ),
    Option(
        "own_blocks", False,
        "Auf ein Feld, auf dem eine eigene Figur steht, darf man nicht ziehen (nein: sie fliegt hinaus).",
        "You may not move to a field with a figure of your own (no: it is thrown out).",
    ),
    Option(
        "six_again", "always",
        "Was nach einer 6 gilt.",
        "What happens after a 6.",
        (
            Choice("always", "man würfelt immer noch einmal", "you always roll again"),
            Choice("may_decline", "man darf auf den zweiten Wurf verzichten", "you may do without the second roll"),
        ),
    ),
)

INFO = GameInfo(
    "spuk",
    "Spuk",
    (2, 4),
    COLOURS,
    (
        Choice("3_to_win", "drei Figuren müssen zum Schatz", "three figures must reach the treasure"),
        Choice("5_to_win", "lange Partie: alle fünf Figuren", "long game: all five figures"),
    ),
    OPTIONS,
)
