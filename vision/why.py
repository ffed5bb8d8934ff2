"""Sentences of the referee about itself: why it waits, what it cannot see."""

from __future__ import annotations

from collections.abc import Sequence

from vision.tables import NotFound

Text = dict[str, str]

NOTHING: Text = {"de": "", "en": ""}

HIDDEN: Text = {
    "de": "Etwas verdeckt den Spielplan, oder die Kamera wurde bewegt.",
    "en": "Something covers the game, or the camera was moved.",
}

CAMERA_MOVED: Text = {
    "de": "Die Kamera wurde bewegt: der Tisch wird neu vermessen.",
    "en": "The camera was moved: the table is being measured anew.",
}

SEVERAL: Text = {"de": "Mehrere Erklärungen passen zum Tisch.", "en": "Several explanations fit the table."}

NONE_FITS: Text = {
    "de": "Kein Zug erklärt sicher, was auf dem Tisch steht.",
    "en": "No move surely explains what stands on the table.",
}

NO_PICTURES: Text = {"de": "Die Kamera liefert keine Bilder.", "en": "The camera gives no pictures."}

LOOKING: Text = {"de": "Der Spielplan wird gesucht.", "en": "Looking for the game on the table."}

_NOT_FOUND = {
    "too_few_tiles": (
        "Erst {found} von mindestens {needed} Tafeln des Weges erkannt: bitte alle Tafeln ins Bild legen.",
        "Only {found} of at least {needed} tiles of the route recognised: lay all tiles into the picture.",
    ),
    "other_route": (
        "Die Tafeln liegen anders als eingestellt: nur {read} von {found} passen zum Weg.",
        "The tiles do not lie as the set-up says: only {read} of {found} fit the route.",
    ),
}


def not_found(problem: NotFound) -> Text:
    """Why the layout was not found."""
    german, english = _NOT_FOUND[problem.reason]
    return {"de": german.format_map(problem.facts), "en": english.format_map(problem.facts)}


def not_start(places: Sequence[str]) -> Text:
    """Where the pieces do not stand as they should before the first turn."""
    named = ", ".join(places[:3])
    return {
        "de": f"Die Aufstellung ist noch nicht erkannt; bitte prüfen: {named}.",
        "en": f"The position is not recognised yet; please check: {named}.",
    }
