"""Why a picture gives no score, in one sentence."""

from __future__ import annotations

from calibration.errors import UserError


class BoxError(UserError):
    """A picture from which no box can be read."""

    TEXTS = {
        "no_box": (
            "Auf dem Bild ist kein Spielfeld von Dice Flick mit seinen 5 x 5 Löchern zu finden: bitte die Schachtel "
            "schräg oder gerade von oben und groß ins Bild nehmen.",
            "The picture shows no Dice Flick board with its 5 x 5 holes: take the box from above or at an angle, large "
            "in the picture.",
        ),
        "half_box": (
            "Von den 25 Löchern liegen nur {inside} im Bild: bitte die ganze Schachtel aufnehmen.",
            "Only {inside} of the 25 holes are in the picture: take the whole box.",
        ),
        "too_low": (
            "Die Kamera blickt zu flach auf die Schachtel, die Würfel verdecken sich: bitte steiler von oben aufnehmen "
            "(45 Grad oder mehr).",
            "The camera looks at the box too flatly, the dice hide each other: take it from higher up (45 degrees or "
            "more).",
        ),
        "too_small": (
            "Die Schachtel ist im Bild zu klein, um die Augen zu lesen ({pitch} px von Loch zu Loch): bitte näher "
            "heran.",
            "The box is too small in the picture to read the pips ({pitch} px from hole to hole): go closer.",
        ),
        "dark": (
            "Das Bild ist zu dunkel: bitte mehr Licht auf die Schachtel.",
            "The picture is too dark: put more light on the box.",
        ),
        "blurred": (
            "Das Bild ist unscharf: bitte ruhig halten und scharf stellen.",
            "The picture is blurred: hold still and focus.",
        ),
        "covered": (
            "Über {hidden} der 25 Löcher liegt etwas, etwa eine Hand: bitte die Schachtel frei aufnehmen.",
            "Something covers {hidden} of the 25 holes, such as a hand: take the box uncovered.",
        ),
    }
