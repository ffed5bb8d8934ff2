"""The words of the web side: ``static/texts*.json`` for the pages, a few refusals for the api."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("de", "en")

REFUSALS = {
    "foreign_host": (
        "Diese Adresse gehört nicht zu diesem Computer. Bitte die Adresse benutzen, die schiri beim Start nennt.",
        "This address does not belong to this computer. Please use the address that schiri prints at start.",
    ),
    "foreign_origin": (
        "Diese Anfrage kommt von einer fremden Seite und wird nicht ausgeführt.",
        "This request comes from a foreign site and is not carried out.",
    ),
    "code_needed": (
        "Zum Steuern wird der Code gebraucht, der beim Start in der Konsole steht.",
        "To control the game, enter the code that the console showed at start.",
    ),
    "code_wrong": ("Der Code stimmt nicht.", "That code is not right."),
    "too_many_codes": (
        "Zu viele falsche Codes. Bitte eine Minute warten.",
        "Too many wrong codes. Please wait a minute.",
    ),
    "not_json": (
        "Die Anfrage ist kein gültiger Befehl (JSON erwartet).",
        "The request is not a valid command (JSON expected).",
    ),
    "unknown_command": ("Diesen Befehl gibt es nicht.", "There is no such command."),
    "bad_choice": ("Diese Auswahl gibt es nicht mehr.", "That choice is no longer there."),
    "bad_turn": (
        "Dieser Zug passt nicht zu dem, was davor geschah.",
        "That turn does not fit what happened before it.",
    ),
    "busy": (
        "Es warten schon zu viele Befehle. Bitte gleich noch einmal versuchen.",
        "Too many commands are waiting already. Please try again in a moment.",
    ),
    "streams_full": (
        "Es schauen schon viele zu; diese Ansicht aktualisiert sich in größeren Abständen.",
        "Many are watching already; this view updates less often.",
    ),
    "too_large": ("Die Anfrage ist zu groß.", "The request is too large."),
    "not_found": ("Diese Adresse gibt es nicht.", "There is no such address."),
    "no_sheet": ("Es ist noch kein Blatt angelernt.", "No sheet has been taught yet."),
    "wrong_method": ("Diese Adresse versteht diese Art Anfrage nicht.", "This address does not take that method."),
    "phone_key": (
        "Dieses Telefon ist nicht eingeladen. Bitte den QR-Code auf dem Bildschirm noch einmal abfotografieren.",
        "This phone has not been invited. Please scan the QR code on the screen again.",
    ),
    "phone_not_wanted": (
        "Gerade wird eine andere Kamera benutzt.",
        "Another camera is in use at the moment.",
    ),
    "no_jpeg": ("Das ist kein Bild, das sich lesen lässt.", "That is no picture that can be read."),
    "failed": (
        "Das hat nicht geklappt. Bitte noch einmal versuchen.",
        "That did not work. Please try again.",
    ),
}


def both(key: str) -> dict[str, str]:
    """A refusal in both languages, as the api sends it."""
    german, english = REFUSALS[key]
    return {"de": german, "en": english}


@cache
def page_texts() -> dict[str, dict[str, Any]]:
    """The words of all pages by language and key; a key stands in one file only."""
    texts: dict[str, dict[str, Any]] = {lang: {} for lang in LANGUAGES}
    for path in sorted((files("web") / "static").iterdir(), key=lambda path: path.name):
        if path.name.startswith("texts") and path.name.endswith(".json"):
            for lang, words in json.loads(path.read_text("utf-8")).items():
                texts[lang].update(words)
    return texts
