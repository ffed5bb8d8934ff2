"""What the page for measuring the table shows: grid, traffic light, sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.plane import TablePlane

Json = dict[str, Any]
Text = dict[str, str]

GRID_MM = 50.0
GOOD_MM, FAIR_MM = 1.0, 2.5
"""Error up to which a table is measured well, and well enough."""

TILE_MM = (36.0, 56.0)
"""How wide route tiles are, whatever the edition; their distance tells whether a size was given rightly."""


def plane_view(plane: TablePlane) -> Json:
    """The plane with its grid (lines in px) and how good it is: ``rating`` ``good``, ``fair`` or ``bad``."""
    rating, text = rated(plane)
    return {**plane.to_json(), "grid": grid_px(plane), "rating": rating, "text": text}


def grid_px(plane: TablePlane) -> list[list[list[float]]]:
    """Lines every 50 mm and the outline, each a list of points in px (bent where the lens bends them)."""
    import numpy as np

    width, height = plane.size_mm
    steps = np.linspace(0, 1, 9)
    across = [*np.arange(0, width - GRID_MM / 4, GRID_MM), width]
    down = [*np.arange(0, height - GRID_MM / 4, GRID_MM), height]
    lines = [np.column_stack([np.full(9, x), steps * height]) for x in across]
    lines += [np.column_stack([steps * width, np.full(9, y)]) for y in down]
    return [[[round(float(v), 1) for v in point] for point in plane.to_px(line)] for line in lines]


def rated(plane: TablePlane) -> tuple[str, Text]:
    """The traffic light of a plane and its sentence."""
    if plane.error_mm is None:
        return _unchecked(plane)
    mm = plane.error_mm
    if mm <= GOOD_MM:
        return "good", _say(f"Sehr gut vermessen, Fehler {mm:.1f} mm.", f"Measured very well, error {mm:.1f} mm.")
    if mm <= FAIR_MM:
        return "fair", _say(
            f"Brauchbar, Fehler {mm:.1f} mm. Besser wird es, wenn die Marker ganz flach liegen.",
            f"Good enough, error {mm:.1f} mm. It gets better with the markers lying quite flat.",
        )
    return "bad", _say(
        f"Zu ungenau, Fehler {mm:.1f} mm: bitte die Marker flach hinlegen oder die Ecken genauer setzen.",
        f"Too far off, error {mm:.1f} mm: lay the markers flat, or place the corners more exactly.",
    )


def _unchecked(plane: TablePlane) -> tuple[str, Text]:
    mm = plane.mm_per_px()
    if mm > FAIR_MM:
        return "bad", _say(
            f"Die Kamera ist zu weit weg, ein Pixel ist {mm:.1f} mm: bitte näher an den Tisch stellen.",
            f"The camera is too far away, a pixel is {mm:.1f} mm: move it closer to the table.",
        )
    return "fair", _say(
        f"Vermessen. Einen Pixel daneben heißt {mm:.1f} mm daneben. Marker würden zeigen, wie genau es ist.",
        f"Measured. One pixel off is {mm:.1f} mm off. Markers would show how exact it is.",
    )


def tiles_view(plane: TablePlane, image: Image) -> Json:
    """Whether the tiles that lie there are as wide as tiles are: ``{"tiles", "pitch_mm", "text", "rating"}``."""
    from vision.detector import load_detector
    from vision.reading import TileSeen
    from vision.tables.path import tile_pitch_mm

    found = load_detector().detect(image).of("tile")
    boxes = [tuple(float(v) for v in box) for box in found.xyxy_px]
    tiles: list[TileSeen] = []
    if boxes:
        centres = plane.to_mm([((b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for b in boxes])
        tiles = [TileSeen((float(x), float(y)), (0, 0, 0, 0), (), 1.0) for x, y in centres]
    pitch = round(tile_pitch_mm(tiles), 1)
    if len(tiles) < 6:
        return {"tiles": len(tiles), "pitch_mm": pitch, "rating": "fair", "text": _say(
            "Es liegen zu wenige Tafeln da, um die Größe zu prüfen.", "Too few tiles lie there to check the size."
        )}
    low, high = TILE_MM
    if low <= pitch <= high:
        return {"tiles": len(tiles), "pitch_mm": pitch, "rating": "good", "text": _say(
            f"Die Größe stimmt: {len(tiles)} Tafeln, je {pitch:.0f} mm breit.",
            f"The size is right: {len(tiles)} tiles, {pitch:.0f} mm wide each.",
        )}
    return {"tiles": len(tiles), "pitch_mm": pitch, "rating": "bad", "text": _say(
        f"Die Größe kann nicht stimmen: die Tafeln wären {pitch:.0f} mm breit (üblich sind 44). Bitte nachmessen.",
        f"The size cannot be right: the tiles would be {pitch:.0f} mm wide (44 is usual). Measure again.",
    )}


def _say(de: str, en: str) -> Text:
    return {"de": de, "en": en}
