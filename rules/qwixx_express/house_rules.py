"""What can be set before a game of Qwixx Express.

Source: the German text "Qwixx Express: Stopp und Fehlwürfe". The points of a row are those of classic Qwixx
(http://des-en-mousse.com/qwixx-et-ses-versions/).
"""

from __future__ import annotations

from rules.options import Choice, GameInfo, Option

OPTIONS = (
    Option(
        "misthrow_segments", (3, 3, 3, 3),
        "Wie viele kleine Felder im Fehlwurf-Bereich vor jedem der vier -5-Felder liegen.",
        "How many small fields of the misthrow area lie before each of the four -5 fields.",
        (),
    ),
    Option(
        "shared_after_skip", True,
        "Nutzt die Stopp-Person ihr weißes Ergebnis nicht, darf die andere Person es trotzdem ankreuzen.",
        "If the caller does not use a white result, the other player may still cross it.",
    ),
    Option(
        "fourth_misthrow_in_rerolls", "ends_at_once",
        "Was geschieht, wenn beim Nachwürfeln das vierte -5-Feld erreicht wird.",
        "What happens when re-rolling reaches the fourth -5 field.",
        (
            Choice("ends_at_once", "das Spiel ist sofort zu Ende", "the game ends at once"),
            Choice("after_actions", "die Aktionen dieser Runde zählen noch", "the actions of this round still count"),
        ),
    ),
    Option(
        "lock_counts", True,
        "Das Schloss zählt bei den Punkten einer Reihe als ein Kreuz.",
        "The lock counts as one cross for the points of a row.",
    ),
)

INFO = GameInfo(
    "qwixx-express",
    "Qwixx Express",
    (2, 2),
    (),
    (Choice("standard", "Fehlwürfe mit Nachwürfeln", "misthrows with re-rolls"),),
    OPTIONS,
    coloured=False,
)
