"""What can go wrong outside: sources, photos, models. Each says in one sentence what to do."""

from __future__ import annotations

from calibration.errors import UserError


class SourceError(UserError):
    """A camera, stream, video or folder that gives no pictures."""

    TEXTS = {
        "file_missing": (
            "Die Quelle {source} gibt es nicht: bitte den Pfad prüfen.",
            "The source {source} does not exist: check the path.",
        ),
        "not_a_video": (
            "{source} ist kein Video, das sich lesen lässt: bitte eine Videodatei (etwa MP4) angeben.",
            "{source} is no video that can be read: give a video file (such as MP4).",
        ),
        "folder_empty": (
            "Im Ordner {source} liegt kein Bild (JPEG, PNG, BMP oder WebP): bitte einen Ordner mit Bildern angeben.",
            "The folder {source} holds no picture (JPEG, PNG, BMP or WebP): give a folder of pictures.",
        ),
        "picture_unreadable": (
            "Das Bild {source} lässt sich nicht lesen: bitte die Datei ersetzen oder entfernen.",
            "The picture {source} cannot be read: replace or remove the file.",
        ),
        "camera_closed": (
            "Die Kamera {source} lässt sich nicht öffnen: bitte prüfen, ob sie angeschlossen ist, keinem anderen "
            "Programm gehört und die Nummer stimmt.",
            "The camera {source} does not open: check that it is plugged in, not used by another program, and that "
            "its number is right.",
        ),
        "stream_closed": (
            "Der Strom {source} lässt sich nicht öffnen: bitte Adresse und Netzwerk prüfen.",
            "The stream {source} does not open: check the address and the network.",
        ),
        "record_closed": (
            "In den Ordner {source} lässt sich nicht schreiben: bitte einen anderen angeben.",
            "The folder {source} cannot be written to: give another one.",
        ),
        "record_unreadable": (
            "{source} lässt sich nicht lesen; die Aufzeichnung ist beschädigt: bitte eine andere nehmen.",
            "{source} cannot be read; the recording is damaged: take another one.",
        ),
        "unknown_source": (
            "Mit der Quelle \"{source}\" kann ich nichts anfangen: bitte eine Kameranummer, einen Pfad oder eine "
            "Adresse mit http://, https:// oder rtsp:// angeben.",
            "The source \"{source}\" is not understood: give a camera number, a path, or an address with http://, "
            "https:// or rtsp://.",
        ),
    }


class ModelError(UserError):
    """Weights that are missing, broken or of another kind, or a backend that is not installed."""

    TEXTS = {
        "weights_missing": (
            "Die Modelldatei {path} fehlt: bitte schiri neu installieren oder den Pfad zu den Gewichten prüfen.",
            "The model file {path} is missing: install schiri again, or check the path to the weights.",
        ),
        "weights_corrupt": (
            "Die Modelldatei {path} lässt sich nicht laden ({detail}): bitte schiri neu installieren oder das Modell "
            "neu exportieren.",
            "The model file {path} cannot be loaded ({detail}): install schiri again, or export the model anew.",
        ),
        "wrong_output": (
            "Das Modell {path} liefert {given} statt {expected}: bitte ein Modell für diese Klassen exportieren.",
            "The model {path} gives {given} instead of {expected}: export a model for these classes.",
        ),
        "backend_missing": (
            "Für das Backend {backend} fehlt das Paket {package}: bitte mit python -m pip install \"schiri[{extra}]\" "
            "nachinstallieren.",
            "The backend {backend} needs the package {package}: install it with python -m pip install "
            "\"schiri[{extra}]\".",
        ),
        "unknown_backend": (
            "Das Backend {backend} gibt es nicht: bitte eines von {known} wählen.",
            "There is no backend {backend}: choose one of {known}.",
        ),
    }


class PhotoError(UserError):
    """A photo that cannot be read."""

    TEXTS = {
        "photo_missing": (
            "Das Foto {path} gibt es nicht: bitte den Pfad prüfen.",
            "The photo {path} does not exist: check the path.",
        ),
        "photo_unreadable": (
            "{path} ist kein Bild, das sich lesen lässt: bitte ein JPEG- oder PNG-Foto angeben.",
            "{path} is no picture that can be read: give a JPEG or PNG photo.",
        ),
    }
