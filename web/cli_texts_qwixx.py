"""The words of ``schiri print`` and of reading score sheets on the command line, German and English."""

from __future__ import annotations

QWIXX_TEXTS: dict[str, tuple[str, str]] = {
    "help_print": ("Seiten zum Ausdrucken in wahrer Größe (PDF).", "Pages to print in true size (PDF)."),
    "help_print_markers": (
        "Die vier Marker, die die Spielfläche vermessen.",
        "The four markers that measure the play area.",
    ),
    "help_print_charuco": ("Das Brett, das ein Objektiv vermisst.", "The board that measures a lens."),
    "help_print_sheet": (
        "Zwei Spielblätter für Qwixx Express, die die Kamera ohne Einrichten liest.",
        "Two score sheets for Qwixx Express that the camera reads without any setting up.",
    ),
    "help_print_out": ("Die Datei, die geschrieben wird.", "The file to write."),
    "printed": (
        "Geschrieben: {path}. Bitte in wahrer Größe drucken (100 %, nicht anpassen) und das Lineal nachmessen.",
        "Written: {path}. Print it in true size (100 %, do not fit to page) and check the ruler.",
    ),
    "print_ruler": (
        "Zur Kontrolle: dieses Lineal ist {length} mm lang.",
        "To check: this ruler is {length} mm long.",
    ),
    "print_markers_title": ("Vier Marker für die Spielfläche", "Four markers for the play area"),
    "print_markers_how": (
        "In wahrer Größe drucken (100 %), an den Linien ausschneiden, den weißen Rand stehen lassen.\n"
        "Flach auf den Tisch legen, so dass die Mitten ein Rechteck um das Spiel bilden:\n"
        "0 oben links, 1 oben rechts, 2 unten rechts, 3 unten links, wie die Kamera es sieht.",
        "Print in true size (100 %), cut along the lines, leave the white margin.\n"
        "Lay them flat on the table so that their centres form a rectangle around the game:\n"
        "0 top left, 1 top right, 2 bottom right, 3 bottom left, as the camera sees it.",
    ),
    "print_place_0": ("oben links", "top left"),
    "print_place_1": ("oben rechts", "top right"),
    "print_place_2": ("unten rechts", "bottom right"),
    "print_place_3": ("unten links", "bottom left"),
    "print_charuco_title": ("Brett zum Vermessen des Objektivs", "Board that measures the lens"),
    "print_charuco_how": (
        "Ein Quadrat misst {square:.0f} mm. Auf etwas Ebenes kleben.",
        "A square measures {square:.0f} mm. Glue it onto something flat.",
    ),
    "print_sheet_title": ("Spielblätter für Qwixx Express", "Score sheets for Qwixx Express"),
    "print_sheet_how": (
        "In wahrer Größe drucken (100 %), in der Mitte durchschneiden. Die Eckmarker frei lassen.",
        "Print in true size (100 %) and cut in the middle. Keep the corner markers uncovered.",
    ),
    "help_read_sheet": (
        "Liest auf Fotos von Spielblättern (Qwixx Express), was angekreuzt ist.",
        "Read what is crossed on photos of score sheets (Qwixx Express).",
    ),
    "help_layout": (
        "Wo die Felder eines anderen Blattes liegen (JSON); ohne Angabe das gedruckte Blatt oder jedes mit vier "
        "farbigen Reihen.",
        "Where the fields of another sheet lie (JSON); without it the printed one, or any with four coloured rows.",
    ),
    "sheet_lock": ("Schloss", "lock"),
    "sheet_misthrow": ("Fehlwürfe", "misthrows"),
    "sheet_doubtful": ("unsicher", "unsure"),
}
