"""Errors that can say in one sentence, in German or English, what was missing and what to do.

A small tree: :class:`UserError` is the base for everything a person at the table can put right;
:class:`CalibrationError` and its three children belong to this package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

Fact = str | int | float


class UserError(Exception):
    """What went wrong as a reason code with facts; ``str()`` is the English sentence.

    ``TEXTS`` maps each reason code of the class to its German and English sentence, with the facts as
    ``str.format`` fields. An unknown reason or a missing fact raises KeyError where the error is made.
    """

    TEXTS: ClassVar[Mapping[str, tuple[str, str]]] = {}

    def __init__(self, reason: str, **facts: Fact) -> None:
        self.reason = reason
        self.facts = facts
        super().__init__(self.sentence("en"))

    def sentence(self, lang: str = "en") -> str:
        """The sentence in ``lang`` (``"de"`` or ``"en"``; anything else is English)."""
        german, english = self.TEXTS[self.reason]
        return (german if lang.startswith("de") else english).format(**self.facts)


class CalibrationError(UserError):
    """The table cannot be measured with what was given."""


class PlaneError(CalibrationError):
    """The four corners or the size do not make a table plane."""

    TEXTS = {
        "corners_missing": (
            "Im Setup fehlt calibration.corners_px oder calibration.size_mm: bitte die vier Ecken der Spielfläche und "
            "ihre Größe in mm angeben oder die vier Marker auslegen.",
            "The setup lacks calibration.corners_px or calibration.size_mm: give the four corners of the play area and "
            "its size in mm, or lay out the four markers.",
        ),
        "corners_count": (
            "calibration.corners_px braucht genau vier Punkte [x, y], nicht {given}: bitte die Ecken der Spielfläche "
            "im Uhrzeigersinn ab oben links angeben.",
            "calibration.corners_px needs exactly four points [x, y], not {given}: give the corners of the play area "
            "clockwise from the top left.",
        ),
        "corners_not_convex": (
            "Die vier Ecken bilden kein Viereck ohne Einbuchtung (Ecke {corner} liegt falsch): bitte die Ecken der "
            "Reihe nach im Uhrzeigersinn ab oben links angeben.",
            "The four corners do not form a convex quadrilateral (corner {corner} is off): give the corners in order, "
            "clockwise from the top left.",
        ),
        "corners_wrong_order": (
            "Die vier Ecken laufen gegen den Uhrzeigersinn, so wäre das Bild gespiegelt: bitte im Uhrzeigersinn ab "
            "oben links angeben.",
            "The four corners run anticlockwise, which would mirror the picture: give them clockwise from the top "
            "left.",
        ),
        "corners_too_small": (
            "Die Spielfläche ist im Bild zu klein (kürzeste Seite {shortest:.0f} Pixel, nötig sind {needed:.0f}): "
            "bitte die Kamera näher an den Tisch stellen oder die Ecken prüfen.",
            "The play area is too small in the picture (shortest side {shortest:.0f} pixels, {needed:.0f} are needed): "
            "move the camera closer to the table, or check the corners.",
        ),
        "size_invalid": (
            "calibration.size_mm muss Breite und Höhe der Spielfläche in mm sein (je {low:.0f} bis {high:.0f}), nicht "
            "{given}: bitte nachmessen.",
            "calibration.size_mm must be the play area's width and height in mm (each {low:.0f} to {high:.0f}), not "
            "{given}: measure again.",
        ),
        "damaged": (
            "Die Kalibrierung im Setup ist beschädigt ({detail}): bitte den Tisch neu vermessen.",
            "The calibration in the setup is damaged ({detail}): measure the table again.",
        ),
        "wrong_resolution": (
            "Die Kalibrierung gilt für Bilder von {expected} Pixeln, dieses hat {given}, mit anderem Seitenverhältnis: "
            "bitte neu kalibrieren.",
            "The calibration is for pictures of {expected} pixels, this one has {given} in another shape: calibrate "
            "again.",
        ),
    }


class MarkerError(CalibrationError):
    """The four printed markers were not found, or do not lie as they should."""

    TEXTS = {
        "markers_missing": (
            "Nur {found} der vier Marker gefunden (es fehlt: {missing}): bitte alle vier unverdeckt und flach auf den "
            "Tisch legen, ohne Spiegelung und ganz im Bild.",
            "Only {found} of the four markers found (missing: {missing}): lay all four flat on the table, uncovered, "
            "without glare and wholly in the picture.",
        ),
        "marker_twice": (
            "Marker {marker} liegt mehrmals im Bild: bitte jeden der vier Marker nur einmal auslegen.",
            "Marker {marker} is in the picture more than once: lay out each of the four markers only once.",
        ),
        "markers_do_not_fit": (
            "Die Marker passen nicht zusammen (Fehler {error_mm:.1f} mm): bitte prüfen, dass sie flach liegen, die "
            "Mitten ein Rechteck bilden und das schwarze Quadrat {marker_mm:.0f} mm misst.",
            "The markers do not fit together (error {error_mm:.1f} mm): check that they lie flat, that their centres "
            "form a rectangle and that the black square measures {marker_mm:.0f} mm.",
        ),
    }


class ColourError(CalibrationError):
    """The set's colours could not be sampled."""

    TEXTS = {
        "pieces_missing": (
            "Zum Lernen der Farben werden {needed} Figuren in der Startaufstellung gebraucht, gefunden wurden {found}: "
            "bitte alle Figuren sichtbar auf den Start stellen.",
            "Learning the colours needs {needed} pieces in the start position, {found} were found: put all pieces "
            "visibly on the start.",
        ),
        "unknown_colour": (
            "Die Farbe \"{colour}\" ist unbekannt: bitte eine von {known} angeben.",
            "The colour \"{colour}\" is unknown: give one of {known}.",
        ),
    }


class CalibrationFileError(CalibrationError):
    """A saved calibration cannot be read."""

    TEXTS = {
        "file_missing": (
            "Die Kalibrierdatei {path} gibt es nicht: bitte zuerst kalibrieren.",
            "There is no calibration file {path}: calibrate first.",
        ),
        "file_unreadable": (
            "Die Kalibrierdatei {path} ist keine gültige Kalibrierung ({detail}): bitte neu kalibrieren.",
            "The calibration file {path} is no valid calibration ({detail}): calibrate again.",
        ),
    }
