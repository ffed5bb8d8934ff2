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

NO_PICTURES: Text = {
    "de": "Die Kamera liefert keine Bilder: bitte Kabel oder Verbindung prüfen. Es geht von selbst weiter.",
    "en": "The camera gives no pictures: check the cable or the connection. The game goes on by itself.",
}

BLANK: Text = {
    "de": "Auf dem Kamerabild ist nichts zu sehen: bitte Licht und Linse prüfen.",
    "en": "The camera picture shows nothing: check the light and the lens.",
}

FROZEN: Text = {
    "de": "Das Kamerabild steht still: bitte die Kamera aus- und wieder einstecken.",
    "en": "The camera picture has frozen: unplug the camera and plug it in again.",
}

JOURNAL_WAITS: Text = {
    "de": "Der Spielverlauf lässt sich gerade nicht speichern: bitte Platz auf der Festplatte schaffen. Es wird "
    "nachgeholt; das Spiel geht weiter.",
    "en": "The game cannot be stored at present: make room on the disk. It will be made up for; the game goes on.",
}

JOURNAL_NO_PICTURES: Text = {
    "de": "Die Festplatte ist fast voll: die Züge werden gespeichert, die Bilder dazu nicht.",
    "en": "The disk is almost full: the turns are stored, their pictures are not.",
}

JOURNAL_IN_USE: Text = {
    "de": "Ein anderes Schiri spielt schon mit diesem Protokoll: dieses Spiel wird als eigenes gespeichert.",
    "en": "Another Schiri already plays with this journal: this game is stored as one of its own.",
}

JOURNAL_MENDED: Text = {
    "de": "Das Protokoll war beschädigt: was noch zu lesen war, ist gerettet, die alte Datei liegt daneben.",
    "en": "The journal was damaged: what could still be read was saved, the old file lies beside it.",
}

JOURNAL_NONE: Text = {
    "de": "Das Protokoll lässt sich nicht benutzen: dieses Spiel wird nicht gespeichert.",
    "en": "The journal cannot be used: this game is not stored.",
}

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


def other_shape(given_wh: tuple[int, int], known_wh: tuple[int, int]) -> Text:
    """The pictures suddenly have another shape, so the measured table does not fit them."""
    given, known = (f"{width} × {height}" for width, height in (given_wh, known_wh))
    return {
        "de": f"Die Bilder sind jetzt {given} statt {known} Pixel groß: bitte die Kamera wieder so halten oder "
        "einstellen wie zuvor.",
        "en": f"The pictures now have {given} pixels instead of {known}: hold the camera, or set it, as it was before.",
    }


def not_start(places: Sequence[str]) -> Text:
    """Where the pieces do not stand as they should before the first turn."""
    named = ", ".join(places[:3])
    return {
        "de": f"Die Aufstellung ist noch nicht erkannt; bitte prüfen: {named}.",
        "en": f"The position is not recognised yet; please check: {named}.",
    }
