"""Qwixx Express. Sources are passages of the German text "Qwixx Express: Stopp und Fehlwürfe"."""

from __future__ import annotations

from rules.wording.wording import Wording

QWIXX_EXPRESS = {
    "left_of_last_cross": Wording(
        "{player} darf in der Reihe {row} die {number} nicht mehr ankreuzen: Rechts davon ist schon ein Kreuz.",
        "{player} may not cross {number} in the {row} row any more: there is a cross further right.",
        "Innerhalb jeder Reihe kreuzt ihr nur von links nach rechts an.",
        "Angekreuzt wird nur von links nach rechts.",
        "Crosses only go from left to right.",
    ),
    "wrong_sum": Wording(
        "{player} hat die {number} angekreuzt. Die Würfel ergeben {sum}.",
        "{player} crossed {number}. The dice add up to {sum}.",
        "Aktion 1 und 2: die Summe der zwei Zahlenwürfel.",
        "Die Zahl passt nicht zur Summe der Würfel.",
        "The number is not the sum of the dice.",
    ),
    "wrong_colour": Wording(
        "{player} hat in der Reihe {row} angekreuzt. Der Farbwürfel zeigt {colour}.",
        "{player} crossed in the {row} row. The colour die shows {colour}.",
        "Aktion 1 und 2: in der gewürfelten Farbe; nur bei Weiß frei wählen.",
        "Die Farbe passt nicht zum Farbwürfel.",
        "The colour is not the one on the colour die.",
    ),
    "shared_without_joker": Wording(
        "{player} darf dieses Ergebnis nicht mitbenutzen.",
        "{player} may not use this result too.",
        "Aktion 1: nur bei Weiß darf auch die andere Person dieselbe Summe ankreuzen; Aktion 2: nie.",
        "Das Ergebnis der anderen Person darf nicht mitbenutzt werden.",
        "The other player's result may not be used.",
    ),
    "row_closed": Wording(
        "Die Reihe {row} ist schon geschlossen.",
        "The {row} row is already closed.",
        "Reihen abschließen: die Farbe ist für beide geschlossen.",
        "Diese Reihe ist schon geschlossen.",
        "This row is already closed.",
    ),
    "needs_five_crosses": Wording(
        "{player} braucht in der Reihe {row} erst fünf Kreuze, bevor die letzte Zahl erlaubt ist.",
        "{player} needs five crosses in the {row} row before the last number is allowed.",
        "Reihen abschließen: die Zahl ganz rechts nur mit vorher mindestens fünf Kreuzen.",
        "Für die letzte Zahl braucht man vorher fünf Kreuze.",
        "The last number needs five crosses before it.",
    ),
    "lock_missing": Wording(
        "{player} muss in der Reihe {row} auch das Schloss ankreuzen.",
        "{player} must cross the lock of the {row} row too.",
        "Reihen abschließen: dann kreuzt du zusätzlich das Schloss an.",
        "Das Schloss muss auch angekreuzt werden.",
        "The lock must be crossed too.",
    ),
    "lock_too_early": Wording(
        "{player} hat das Schloss der Reihe {row} angekreuzt, ohne sie abzuschließen.",
        "{player} crossed the lock of the {row} row without closing it.",
        "Reihen abschließen: das Schloss nur zusammen mit der Zahl ganz rechts.",
        "Das Schloss gehört nur zur letzten Zahl.",
        "The lock only goes with the last number.",
    ),
    "too_many_rerolls": Wording(
        "{player} hat {count}-mal nachgewürfelt. Erlaubt war es nur {allowed}-mal.",
        "{player} re-rolled {count} times. Only {allowed} were allowed.",
        "Nach Stopp: Erreicht sie ein -5-Feld, ist mit dem Nachwürfeln Schluss.",
        "Es wurde zu oft nachgewürfelt.",
        "There were too many re-rolls.",
    ),
    "stopped_dice_changed": Wording(
        "{player} hat Stopp gerufen und darf die eigenen Würfel nicht mehr ändern.",
        "{player} called stop and may not change the own dice any more.",
        "Nach Stopp: Wer Stopp ruft, darf die eigenen drei Würfel nicht mehr verändern.",
        "Wer Stopp ruft, darf die eigenen Würfel nicht mehr ändern.",
        "Whoever calls stop may not change the own dice any more.",
    ),
    "misthrow_missing": Wording(
        "{player} muss im Fehlwurf-Bereich {expected} Felder ankreuzen, nicht {found}.",
        "{player} must cross {expected} fields in the misthrow area, not {found}.",
        "Aktion 1 und 2: alle Felder bis einschließlich des nächsten -5-Feldes; ein kleines Feld je Nachwurf.",
        "Im Fehlwurf-Bereich fehlen Kreuze.",
        "Crosses are missing in the misthrow area.",
    ),
    "misthrow_too_many": Wording(
        "{player} hat im Fehlwurf-Bereich {found} Felder angekreuzt. Richtig sind {expected}.",
        "{player} crossed {found} fields in the misthrow area. It should be {expected}.",
        "Nach Stopp, Aktion 1 und 2: Fehlwurf-Felder nur für Nachwürfe und ungenutzte Ergebnisse.",
        "Im Fehlwurf-Bereich sind zu viele Kreuze.",
        "There are too many crosses in the misthrow area.",
    ),
    "action_two_cancelled": Wording(
        "Das Spiel war schon nach Aktion 1 zu Ende. {player} darf nichts mehr ankreuzen.",
        "The game was over after action 1. {player} may not cross anything any more.",
        "Spielende: Passiert das in Aktion 1, entfällt Aktion 2.",
        "Aktion 2 entfällt, das Spiel ist zu Ende.",
        "Action 2 is dropped, the game is over.",
    ),
    "more_than_one_cross": Wording(
        "{player} hat in einer Aktion mehr als eine Zahl angekreuzt.",
        "{player} crossed more than one number in one action.",
        "Aktion 1 und 2: die Summe einmal ankreuzen.",
        "In einer Aktion wird nur eine Zahl angekreuzt.",
        "Only one number is crossed in an action.",
    ),
}
