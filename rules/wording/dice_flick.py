"""Dice Flick. Sources are passages of the German rule text of Dice Flick."""

from __future__ import annotations

from rules.wording.wording import Wording

DICE_FLICK = {
    "too_many_flicks": Wording(
        "{player} hat {count} Würfel geschnipst. Erlaubt sind {due}.",
        "{player} flicked {count} dice. Allowed are {due}.",
        "Spielablauf: drei Würfel ziehen, zwei davon schnipsen; der Bonus-Marker gibt einen dazu.",
        "Es wurden zu viele Würfel geschnipst.",
        "Too many dice were flicked.",
    ),
    "too_few_flicks": Wording(
        "{player} hat erst {count} Würfel geschnipst. Es müssen {due} sein.",
        "{player} has flicked only {count} dice. It must be {due}.",
        "Spielablauf: zwei davon muss man schnipsen.",
        "Es wurden zu wenige Würfel geschnipst.",
        "Too few dice were flicked.",
    ),
    "scored_too_much": Wording(
        "{claimed} Punkte sind zu viel. Auf dem Spielfeld liegen höchstens {worth}.",
        "{claimed} points are too many. The board is worth {worth} at most.",
        "Die Wertung: nur gültige Würfel, jeder nur einmal.",
        "Es wurden zu viele Punkte aufgeschrieben.",
        "Too many points were written down.",
    ),
    "score_not_possible": Wording(
        "{claimed} Punkte kann man mit diesen Würfeln nicht zusammenzählen.",
        "{claimed} points cannot be added up from these dice.",
        "Die Wertung: man zählt die Augen aller gewerteten Würfel zusammen.",
        "Diese Punktzahl kommt mit diesen Würfeln nicht heraus.",
        "These dice cannot give this number of points.",
    ),
    "die_scored_twice": Wording(
        "Der Würfel in Reihe {row}, Spalte {col} wurde zweimal gewertet.",
        "The die in row {row}, column {col} was scored twice.",
        "Die Wertung: mehrere Kombinationen, aber jeden Würfel nur einmal.",
        "Ein Würfel wurde zweimal gewertet.",
        "A die was scored twice.",
    ),
    "die_not_returned": Wording(
        "Der gewertete Würfel in Reihe {row}, Spalte {col} muss zurück in den Beutel.",
        "The scored die in row {row}, column {col} must go back into the bag.",
        "Die Wertung: die gewerteten Würfel kommen direkt in den Beutel zurück.",
        "Ein Würfel muss noch zurück in den Beutel.",
        "A die still has to go back into the bag.",
    ),
    "returned_unscored_die": Wording(
        "Der Würfel in Reihe {row}, Spalte {col} wurde nicht gewertet und bleibt liegen.",
        "The die in row {row}, column {col} was not scored and stays where it is.",
        "Das Schnipsen: ein Würfel im Loch bleibt bis zur Wertung liegen.",
        "Ein Würfel, der nicht gewertet wurde, bleibt liegen.",
        "A die that was not scored stays where it is.",
    ),
    "not_a_group": Wording(
        "Das ist keine gültige Gruppe: {cells}.",
        "This is not a valid group: {cells}.",
        "Die Wertung: Würfel einer Farbe, die senkrecht oder waagerecht aneinander grenzen.",
        "Das ist keine gültige Gruppe.",
        "This is not a valid group.",
    ),
    "kept_die_swapped": Wording(
        "Der übrige Würfel ({colour}) wurde vertauscht.",
        "The die that was left over ({colour}) was swapped.",
        "Das Schnipsen: der vor einem liegende dritte Würfel wird nicht benutzt.",
        "Der übrige Würfel wurde vertauscht.",
        "The die that was left over was swapped.",
    ),
    "not_from_hand": Wording(
        "Ein Würfel ({colour}) wurde geschnipst, der gar nicht gezogen war.",
        "A die ({colour}) was flicked that had not been drawn.",
        "Spielablauf: man zieht drei Würfel aus dem Beutel und schnipst zwei davon.",
        "Ein Würfel wurde geschnipst, der gar nicht gezogen war.",
        "A die was flicked that had not been drawn.",
    ),
}
