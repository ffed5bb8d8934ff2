"""Verflixxt! and what all games share. Sources are passages of the German rule text of Verflixxt!."""

from __future__ import annotations

from rules.wording.wording import Wording

COMMON = {
    "out_of_turn": Wording(
        "{expected} ist dran, aber {player} hat gezogen.",
        "It is {expected}'s turn, but {player} moved.",
        "Reihum im Uhrzeigersinn: nach jedem Zug ist die Person links dran.",
        "Jemand anderes ist dran.",
        "It is somebody else's turn.",
    ),
    "no_move": Wording(
        "{player} hat eine {roll} gewürfelt und nichts bewegt. Ziehen ist Pflicht.",
        "{player} rolled a {roll} and moved nothing. You must move.",
        "Der Zug im Überblick: würfeln und danach etwas bewegen müssen.",
        "Es wurde nichts bewegt. Ziehen ist Pflicht.",
        "Nothing was moved. You must move.",
    ),
    "more_than_one_move": Wording(
        "{player} hat {count} Figuren bewegt. Erlaubt ist nur eine.",
        "{player} moved {count} pieces. Only one is allowed.",
        "Der Zug im Überblick: entweder eine eigene Spielfigur oder einen Wächter.",
        "Es wurde mehr als eine Figur bewegt. Erlaubt ist nur eine.",
        "More than one piece was moved. Only one is allowed.",
    ),
    "game_is_over": Wording(
        "Das Spiel ist schon zu Ende. {player} darf nicht mehr ziehen.",
        "The game is already over. {player} may not move any more.",
        "Ende des Spiels.",
        "Das Spiel ist schon zu Ende.",
        "The game is already over.",
    ),
    "wrong_count": Wording(
        "{player} hat eine {roll} gewürfelt, aber {piece} ist {steps} gegangen. Es zählt genau die Augenzahl.",
        "{player} rolled a {roll}, but {piece} went {steps}. It must be exactly the number on the die.",
        "Der Zug im Überblick: immer genau die gewürfelte Anzahl vorwärts, mehr oder weniger ist nicht erlaubt.",
        "Die Figur ist nicht so weit gegangen, wie der Würfel zeigt.",
        "The piece did not go as far as the die says.",
    ),
    "not_own_pawn": Wording(
        "{player} hat {piece} bewegt, aber das ist keine eigene Figur.",
        "{player} moved {piece}, but that is not {player}'s own piece.",
        "Der Zug im Überblick: eine eigene Spielfigur.",
        "Das war keine eigene Figur.",
        "That was somebody else's piece.",
    ),
}
"""Rules that several games have, in words that fit all of them."""

VERFLIXXT = {
    "moved_backwards": Wording(
        "{Piece} ist rückwärts gegangen, {from} {to}. Gezogen wird nur vorwärts.",
        "{Piece} went backwards, {from} {to}. Pieces only go forward.",
        "Der Zug im Überblick: die gewürfelte Anzahl an Tafeln vorwärts.",
        "Eine Figur ist rückwärts gegangen. Gezogen wird nur vorwärts.",
        "A piece went backwards. Pieces only go forward.",
    ),
    "guard_without_pawn": Wording(
        "Der Wächter ist {from} losgezogen, aber dort stand keine Figur. Dann darf er das nicht.",
        "The guard moved {from}, but no pawn stood there. Then it may not move.",
        "Eigene Figuren und Wächter: ein Wächter darf nur losziehen, wenn auf seiner Tafel noch eine Spielfigur steht.",
        "Ein Wächter ohne Figur auf seiner Tafel darf sich nicht bewegen.",
        "A guard without a pawn on its tile may not move.",
    ),
    "must_take_tile": Wording(
        "{player} muss {tile} nehmen: Dort steht jetzt keine Figur mehr.",
        "{player} must take {tile}: no pawn is left on it.",
        "Tafeln nehmen: Stand dort nur diese eine Figur, musst du die Tafel an dich nehmen.",
        "Die verlassene Tafel muss genommen werden.",
        "The tile that was left must be taken.",
    ),
    "may_not_take_tile": Wording(
        "{player} darf {tile} nicht nehmen.",
        "{player} may not take {tile}.",
        "Tafeln nehmen: Standen dort noch weitere Figuren, bleibt die Tafel liegen.",
        "Diese Tafel muss liegen bleiben.",
        "This tile must stay where it is.",
    ),
    "took_wrong_tile": Wording(
        "{player} hat {tile} genommen. Richtig ist {wanted}.",
        "{player} took {tile}. The right one is {wanted}.",
        "Tafeln nehmen: genommen wird die Tafel, die deine Figur verlassen hat.",
        "Es wurde die falsche Tafel genommen.",
        "The wrong tile was taken.",
    ),
    "tile_to_wrong_player": Wording(
        "{Tile} gehört zu {player}, nicht zu {to}.",
        "{Tile} belongs to {player}, not to {to}.",
        "Tafeln nehmen: wer zieht, legt die Tafel vor sich ab.",
        "Die Tafel liegt bei der falschen Person.",
        "The tile went to the wrong player.",
    ),
    "gave_tile_back": Wording(
        "{player} hat {tile} zurückgelegt. Genommene Tafeln behält man.",
        "{player} put {tile} back. Tiles you took stay with you.",
        "Tafeln nehmen: offen vor dir ablegen.",
        "Eine genommene Tafel wurde zurückgelegt.",
        "A tile that was taken was put back.",
    ),
    "guard_misplaced": Wording(
        "Der Wächter der genommenen Tafel gehört nicht dorthin ({to}).",
        "The guard of the tile that was taken does not belong there ({to}).",
        "Hausregel guard_on_taken_tile: wohin ein Wächter kommt, dessen Tafel genommen wird.",
        "Ein Wächter steht am falschen Platz.",
        "A guard is in the wrong place.",
    ),
    "left_finish": Wording(
        "{Piece} war schon im Ziel und muss dort bleiben.",
        "{Piece} was already in the finish and must stay there.",
        "Ankunft im Ziel: wer dort ist, bleibt dort.",
        "Wer im Ziel ist, bleibt dort.",
        "Whoever is in the finish stays there.",
    ),
    "guard_in_finish": Wording(
        "{player} hat einen Wächter ins Ziel gezogen. Das ist bei euch nicht erlaubt.",
        "{player} moved a guard into the finish. You agreed that this is not allowed.",
        "Hausregel guard_in_finish.",
        "Ein Wächter wurde ins Ziel gezogen. Das ist bei euch nicht erlaubt.",
        "A guard was moved into the finish. You agreed that this is not allowed.",
    ),
    "must_lay_tile_before_finish": Wording(
        "{Tile} muss direkt vor das Ziel gelegt werden.",
        "{Tile} must be laid right before the finish.",
        "Variante 3, Tafeln wandern: direkt vor die Zieltafel ans Ende des Parcours.",
        "Eine Tafel muss direkt vor das Ziel gelegt werden.",
        "A tile must be laid right before the finish.",
    ),
    "may_not_lay_tile_before_finish": Wording(
        "{Tile} darf noch nicht vor das Ziel gelegt werden.",
        "{Tile} may not be laid before the finish yet.",
        "Variante 3, Tafeln wandern: nur Tafeln, die alle Figuren hinter sich gelassen haben.",
        "Diese Tafel darf noch nicht wandern.",
        "This tile may not wander yet.",
    ),
}

NOCHMAL = {
    "must_move_flixxy": Wording(
        "Der Aktionswürfel sagt: {player} muss Flixxy ziehen.",
        "The action die says: {player} must move Flixxy.",
        "Verflixxt nochmal, Flixxy the Bird: the player must move Flixxy and may not move own pieces or guards.",
        "Der Aktionswürfel sagt: Flixxy muss gezogen werden.",
        "The action die says: Flixxy must be moved.",
    ),
    "may_not_move_flixxy": Wording(
        "{player} darf Flixxy jetzt nicht ziehen.",
        "{player} may not move Flixxy now.",
        "Verflixxt nochmal, Flixxy the Bird: a player may not move Flixxy, instead an own piece or a guard.",
        "Flixxy darf jetzt nicht gezogen werden.",
        "Flixxy may not be moved now.",
    ),
    "must_pass_card": Wording(
        "{player} muss {tile} an {to} weitergeben: Sie liegt oben auf dem Stapel.",
        "{player} must pass {tile} to {to}: it is the top card of the stack.",
        "Verflixxt nochmal, Verflixxt Cards: pass the top card of the stack to the player on the left.",
        "Die oberste Karte muss weitergegeben werden.",
        "The top card must be passed on.",
    ),
    "may_not_pass_card": Wording(
        "{player} darf jetzt keine Karte weitergeben.",
        "{player} may not pass a card now.",
        "Verflixxt nochmal, Verflixxt Cards: only when an own piece or Flixxy leaves an empty Verflixxt card.",
        "Jetzt darf keine Karte weitergegeben werden.",
        "No card may be passed now.",
    ),
    "passed_to_wrong_player": Wording(
        "{Tile} geht an {expected}, nicht an {to}.",
        "{Tile} goes to {expected}, not to {to}.",
        "Verflixxt nochmal, Verflixxt Cards: the next player on the left whose pieces are still in the game.",
        "Die Karte ging an die falsche Person.",
        "The card went to the wrong player.",
    ),
    "passed_wrong_card": Wording(
        "{player} hat {tile} weitergegeben, oben lag aber {wanted}.",
        "{player} passed {tile}, but {wanted} was on top.",
        "Verflixxt nochmal, Verflixxt Cards: the top card of the stack.",
        "Weitergegeben wird immer die oberste Karte.",
        "It is always the top card that is passed.",
    ),
    "stack_order_changed": Wording(
        "Im Stapel von {player} hat sich die Reihenfolge geändert. Das ist nicht erlaubt.",
        "The order of {player}'s stack has changed. That is not allowed.",
        "Verflixxt nochmal, Verflixxt Cards: the order of the cards in the stack may not be changed.",
        "Die Reihenfolge im Stapel darf nicht geändert werden.",
        "The order of a stack may not be changed.",
    ),
    "took_verflixxt_card": Wording(
        "{player} hat eine Verflixxt-Karte genommen. Die bleiben immer liegen.",
        "{player} took a Verflixxt card. They always stay on the route.",
        "Verflixxt nochmal, Verflixxt Cards: they remain on the board, players never take them.",
        "Verflixxt-Karten bleiben immer liegen.",
        "Verflixxt cards always stay on the route.",
    ),
    "token_missed": Wording(
        "{player} bekommt das oberste Rundenplättchen ({token}), weil Flixxy im Ziel angekommen ist.",
        "{player} gets the top round token ({token}), because Flixxy reached the finish.",
        "Verflixxt nochmal, Round Tokens: whoever moves Flixxy onto the finish or past it takes the top token.",
        "Das oberste Rundenplättchen wurde nicht genommen.",
        "The top round token was not taken.",
    ),
    "token_not_earned": Wording(
        "{player} hat ein Rundenplättchen genommen, das es jetzt nicht gibt.",
        "{player} took a round token that was not earned.",
        "Verflixxt nochmal, Round Tokens: one token when Flixxy reaches or passes the finish, from the top.",
        "Dieses Rundenplättchen gibt es jetzt nicht.",
        "That round token was not earned.",
    ),
    "worm_same_turn": Wording(
        "{player} hat das Wurmplättchen erst in diesem Zug bekommen. Benutzen geht ab dem nächsten Zug.",
        "{player} got the worm token only in this turn. It can be used from the next turn on.",
        "Verflixxt nochmal, Worm Token Variant: not on the same turn in which it was received.",
        "Ein Wurmplättchen darf erst im nächsten Zug benutzt werden.",
        "A worm token may only be used from the next turn on.",
    ),
    "worm_not_owned": Wording(
        "{player} hat kein solches Wurmplättchen ({action}).",
        "{player} has no such worm token ({action}).",
        "Verflixxt nochmal, Worm Token Variant: a player may use the worm tokens received.",
        "Dieses Wurmplättchen gehört nicht dazu.",
        "That worm token is not there to be used.",
    ),
    "worm_wrong_use": Wording(
        "{player} hat das Wurmplättchen falsch benutzt ({action}).",
        "{player} used the worm token in a wrong way ({action}).",
        "Verflixxt nochmal, Worm Token Descriptions.",
        "Das Wurmplättchen wurde falsch benutzt.",
        "The worm token was used in a wrong way.",
    ),
    "swapped_piece_moved": Wording(
        "{Piece} hat den Platz getauscht und darf in diesem Zug nicht auch noch ziehen.",
        "{Piece} swapped places and may not move as well in this turn.",
        "Verflixxt nochmal, Swapping places: not the same piece both for the swap and for a move.",
        "Eine getauschte Figur darf nicht auch noch ziehen.",
        "A piece that swapped places may not move as well.",
    ),
}
"""Violations that only Verflixxt nochmal has."""
