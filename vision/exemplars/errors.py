"""What can go wrong with a set's exemplars, said in one sentence."""

from __future__ import annotations

from calibration.errors import UserError


class SetError(UserError):
    """A set or an exemplar that cannot be taken."""

    TEXTS = {
        "no_such_set": (
            "Dieses Spielmaterial gibt es nicht mehr: bitte die Seite neu laden.",
            "There is no such set any more: load the page again.",
        ),
        "no_such_exemplar": (
            "Dieses Bild gibt es nicht mehr: bitte die Seite neu laden.",
            "There is no such picture any more: load the page again.",
        ),
        "bad_name": (
            "Das Spielmaterial braucht einen Namen aus höchstens 40 Zeichen.",
            "The set needs a name of at most 40 characters.",
        ),
        "bad_label": (
            "„{label}“ ist nichts, was sich lernen lässt.",
            "\"{label}\" is nothing that can be learnt.",
        ),
        "set_full": (
            "Schiri kennt schon {most} Bilder dieses Spielmaterials: bitte einige entfernen.",
            "Schiri knows {most} pictures of this set already: remove some.",
        ),
        "set_too_large": (
            "Diese Datei ist größer als {most} MB und wird nicht gelesen.",
            "This file is larger than {most} MB and is not read.",
        ),
        "not_a_set": (
            "Das ist keine Datei mit Spielmaterial: bitte eine nehmen, die Schiri geschrieben hat.",
            "That is no file of a set: take one that Schiri has written.",
        ),
        "cannot_train": (
            "Auf diesem Rechner lässt sich nicht üben: Es fehlen Pakete (pip install \"schiri[train]\") oder ein Ort "
            "zum Aufheben.",
            "This computer cannot train: it lacks packages (pip install \"schiri[train]\") or a place to keep things.",
        ),
        "too_few_frames": (
            "Zum Üben braucht es mindestens {needed} aufgehobene Bilder: bitte zuerst eine Partie spielen.",
            "Training needs at least {needed} kept pictures: play a game first.",
        ),
        "training_failed": (
            "Das Üben ist nicht zu Ende gekommen; alles bleibt, wie es war.",
            "The training did not come to its end; everything stays as it was.",
        ),
        "not_measured": (
            "Der Tisch ist noch nicht vermessen: bitte zuerst auf der Seite „Tisch“ vermessen.",
            "The table is not measured yet: measure it first on the page \"Table\".",
        ),
        "nothing_there": (
            "An dieser Stelle ist nichts zu erkennen: bitte mitten auf den Würfel oder das Plättchen tippen.",
            "There is nothing to be seen at that point: tap the middle of the die or token.",
        ),
    }
