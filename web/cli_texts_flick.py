"""The words of reading Dice Flick boxes on the command line, German and English."""

from __future__ import annotations

FLICK_TEXTS: dict[str, tuple[str, str]] = {
    "help_read_flick": (
        "Liest Fotos der Dice-Flick-Schachtel: was in jedem Loch liegt, die beste Wertung mit ihren Gruppen, und "
        "welche Würfel zurück in den Beutel kommen. Ein Ordner steht für alle Bilder darin.",
        "Read photos of the Dice Flick box: what each hole holds, the best score with its groups, and which dice go "
        "back into the bag. A folder stands for all pictures in it.",
    ),
    "help_flick_setup": (
        "Ein setup.json mit Aufklebern (markers) und Hausregeln dieses Spiels; ohne entscheidet das Bild.",
        "A setup.json with this copy's stickers (markers) and house rules; without it the picture decides.",
    ),
    "help_flick_sheet": (
        "Alle Bilder mit eingezeichnetem Ergebnis in diese PNG- oder JPEG-Datei schreiben.",
        "Write all pictures, the result drawn in, to this PNG or JPEG file.",
    ),
    "flick_line": ("{photo}: {points} Punkte", "{photo}: {points} points"),
    "flick_one": ("{photo}: 1 Punkt", "{photo}: 1 point"),
    "flick_problem": ("{photo}: {sentence}", "{photo}: {sentence}"),
    "flick_loose": ("Daneben: {dice}.", "Elsewhere: {dice}."),
    "flick_between": ("{colour} {value} zwischen den Löchern", "{colour} {value} between the holes"),
    "flick_ditch": ("{colour} {value} im Graben", "{colour} {value} in the ditch"),
    "flick_outside": ("{colour} {value} außerhalb", "{colour} {value} outside"),
    "flick_progress": ("{at} von {whole} Fotos", "{at} of {whole} photos"),
    "flick_table": (
        "{read} von {whole} Fotos gelesen, {warned} mit Hinweisen.",
        "{read} of {whole} photos read, {warned} with something to check.",
    ),
    "flick_sheet_kind": (
        "{path}: bitte einen Namen angeben, der auf .png oder .jpg endet.",
        "{path}: give a name that ends in .png or .jpg.",
    ),
    "flick_wrong_game": (
        "{path}: das ist ein Setup für {game}; bitte eines für dice-flick angeben.",
        "{path}: this is a setup for {game}; give one for dice-flick.",
    ),
}
