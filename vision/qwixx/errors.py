"""Why a score sheet cannot be read, each in one sentence that says what to do."""

from __future__ import annotations

from calibration.errors import UserError


class SheetError(UserError):
    """No sheet, too many, the wrong one, or one that cannot be seen well enough."""

    TEXTS = {
        "no_sheet": (
            "{where}: kein Spielblatt gefunden: bitte das ganze Blatt hell und flach ins Bild nehmen, mit freien "
            "Eckmarkern oder, bei anderen Blättern, mit allen vier farbigen Reihen.",
            "{where}: no score sheet found: take the whole sheet into the picture, bright and flat, with its corner "
            "markers uncovered or, for other sheets, with all four coloured rows.",
        ),
        "two_sheets": (
            "{where}: mehr als ein Spielblatt im Bild: bitte jedes Blatt für sich fotografieren.",
            "{where}: more than one score sheet in the picture: photograph each sheet by itself.",
        ),
        "half_out": (
            "{where}: das Spielblatt ragt aus dem Bild: bitte so fotografieren, dass alle vier Ecken zu sehen sind.",
            "{where}: the score sheet runs out of the picture: photograph it so that all four corners are seen.",
        ),
        "wrong_sheet": (
            "{where}: das ist kein bekanntes Spielblatt von Qwixx Express ({detail}): bitte das gedruckte Blatt "
            "(schiri print qwixx-sheet) nehmen oder dieses Blatt einmal anlernen und mit --layout angeben.",
            "{where}: this is no score sheet of Qwixx Express that is known ({detail}): use the printed one "
            "(schiri print qwixx-sheet), or teach this sheet once and give it with --layout.",
        ),
        "too_small": (
            "{where}: das Spielblatt ist zu klein im Bild ({scale:.1f} Pixel je mm, nötig sind {needed:.1f}): bitte "
            "näher herangehen.",
            "{where}: the score sheet is too small in the picture ({scale:.1f} pixels a mm, {needed:.1f} are needed): "
            "go closer.",
        ),
        "unreadable": (
            "{where}: das Spielblatt ist nicht zu lesen ({doubtful} von {fields} Feldern unklar): bitte ruhig, hell "
            "und ohne Hände oder Stifte auf dem Blatt fotografieren.",
            "{where}: the score sheet cannot be read ({doubtful} of {fields} fields unclear): photograph it steadily, "
            "in good light and without hands or pens on it.",
        ),
        "bad_corners": (
            "Diese vier Ecken ergeben kein Blatt: bitte die Ecken des Blattes der Reihe nach setzen, oben links, oben "
            "rechts, unten rechts, unten links, wie es gelesen wird.",
            "These four corners make no sheet: put them onto the sheet's corners in order, top left, top right, bottom "
            "right, bottom left, as it is read.",
        ),
        "bad_clicks": (
            "Diese Stellen passen nicht zu einem Blatt mit vier Reihen und Fehlwürfen: bitte noch einmal der Reihe "
            "nach antippen.",
            "These spots do not fit a sheet with four rows and misthrows: tap them in order once more.",
        ),
    }
