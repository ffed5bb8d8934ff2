"""Spuk. Sources are passages of the German rule text of Spuk."""

from __future__ import annotations

from rules.wording.wording import Wording

SPUK = {
    "waiting_pawn_moved": Wording(
        "{Piece} wartet vor dem Hindernis und darf nicht selbst ziehen. Jemand muss ihr helfen.",
        "{Piece} is waiting at the obstacle and may not move by itself. Somebody has to help.",
        "Fluss und Mauer: Wer dort als Erster ankommt, bleibt stehen und wartet.",
        "Eine wartende Figur darf nicht selbst ziehen.",
        "A waiting figure may not move by itself.",
    ),
    "passed_square": Wording(
        "{Piece} ist am viereckigen Feld vorbeigezogen. Dort kommt niemand allein weiter.",
        "{Piece} went past the square field. Nobody gets on alone from there.",
        "Fluss und Mauer überquert ihr nie allein, nur mit Hilfe und genauem Wurf.",
        "Am viereckigen Feld kommt niemand allein vorbei.",
        "Nobody gets past the square field alone.",
    ),
    "occupied_number": Wording(
        "Auf dem Nummernfeld {to} steht schon jemand. Dort darf {player} nicht hinziehen.",
        "Somebody already stands on the numbered field {to}. {player} may not move there.",
        "Nummerierte Felder: wer dort steht, kann nicht direkt hinausgeworfen werden.",
        "Auf diesem Nummernfeld steht schon jemand.",
        "Somebody already stands on this numbered field.",
    ),
    "occupied_by_own": Wording(
        "Dort steht schon eine eigene Figur von {player}.",
        "{player}'s own figure already stands there.",
        "Hausregel own_blocks: eigene Figuren werden nicht hinausgeworfen.",
        "Dort steht schon eine eigene Figur.",
        "An own figure already stands there.",
    ),
    "not_thrown_out": Wording(
        "{Piece} hätte hinausgeworfen werden müssen.",
        "{Piece} should have been thrown out.",
        "Hinauswerfen: Landet ihr auf einem Feld mit einer Figur, wird diese hinausgeworfen.",
        "Die Figur auf dem Feld hätte hinausgeworfen werden müssen.",
        "The figure on that field should have been thrown out.",
    ),
    "not_pushed_down": Wording(
        "{Piece} steht auf einem Nummernfeld, auf das eine andere Figur zurückkommt, und hätte weichen müssen.",
        "{Piece} stands on a numbered field to which another figure comes back, and should have given way.",
        "Nummerierte Felder: die dort stehende Figur muss auf das nächstniedrigere Nummernfeld weichen.",
        "Die Figur auf dem Nummernfeld hätte weichen müssen.",
        "The figure on the numbered field should have given way.",
    ),
    "thrown_to_wrong_field": Wording(
        "{Piece} wurde auf das falsche Feld zurückgesetzt ({to}).",
        "{Piece} was put back on the wrong field ({to}).",
        "Hinauswerfen: auf das übernächste der nummerierten Felder zurück.",
        "Die hinausgeworfene Figur steht auf dem falschen Feld.",
        "The figure that was thrown out stands on the wrong field.",
    ),
    "thrown_without_reason": Wording(
        "{Piece} wurde zurückgesetzt, obwohl niemand auf ihrem Feld gelandet ist.",
        "{Piece} was put back although nobody landed on its field.",
        "Hinauswerfen: nur wer auf einem Feld mit einer Figur landet, wirft hinaus.",
        "Eine Figur wurde ohne Grund zurückgesetzt.",
        "A figure was put back without a reason.",
    ),
    "not_carried_across": Wording(
        "{Piece} hätte hinübergebracht werden müssen.",
        "{Piece} should have been carried across.",
        "Fluss und Mauer: bei genauem Wurf wird die wartende Figur hinübergebracht.",
        "Die wartende Figur hätte hinübergebracht werden müssen.",
        "The waiting figure should have been carried across.",
    ),
    "carried_to_wrong_field": Wording(
        "{Piece} wurde auf das falsche Feld hinübergebracht ({to}).",
        "{Piece} was carried across to the wrong field ({to}).",
        "Fluss und Mauer: auf das erste Feld dahinter, an der Mauer ins Ziel.",
        "Die Figur wurde auf das falsche Feld hinübergebracht.",
        "The figure was carried across to the wrong field.",
    ),
    "rolled_before_moving": Wording(
        "{player} hat nach der 6 schon wieder gewürfelt. Erst ziehen, dann würfeln.",
        "{player} rolled again after the 6 too early. Move first, then roll.",
        "Die 6: Führt aber zuerst den Zug aus. Erst danach nehmt ihr den Würfel wieder in die Hand.",
        "Nach der 6 erst ziehen, dann noch einmal würfeln.",
        "After a 6 move first, then roll again.",
    ),
    "left_home": Wording(
        "{Piece} war schon beim Schatz und muss dort bleiben.",
        "{Piece} was already at the treasure and must stay there.",
        "Ziel: die Figuren werden zum Goldschatz gebracht.",
        "Wer beim Schatz ist, bleibt dort.",
        "Whoever is at the treasure stays there.",
    ),
}
