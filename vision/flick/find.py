"""Finding the plate: spots from the detector and from classical search, one lattice through them."""

from __future__ import annotations

import numpy as np

from calibration.arrays import Image
from vision.detections import Detections
from vision.flick.blobs import Spots, find_spots
from vision.flick.errors import BoxError
from vision.flick.eyes import die_spots, hole_spots
from vision.flick.grow import Fit, fit_lattice

ENOUGH = 20
"""So many holes of the detector on one lattice need no second search."""

LEAST_HOLES = 13
LEAST_SCORE = 7.5
FLATTEST = 0.52
LEAST_PITCH_PX = 20.0
_MOST_RMS = 0.14


def find_plate(image: Image, found: Detections) -> Fit:
    """The plate's lattice, counted upright. Raises BoxError."""
    holes = hole_spots(found)
    fit = fit_lattice(holes) if len(holes) >= ENOUGH else None
    if fit is None or int((fit.matched > 0).sum()) < ENOUGH:
        others = _without(Spots.joined(find_spots(image), die_spots(found)), holes)
        fit = fit_lattice(Spots.joined(holes, others)) or fit
    if fit is None or not believable(fit):
        raise BoxError("no_box")
    check_view(fit, (image.shape[1], image.shape[0]))
    return fit


def believable(fit: Fit) -> bool:
    """Whether enough speaks for a plate: a lattice of windows or tiles needs more than a few spots."""
    return int((fit.matched > 0).sum()) >= LEAST_HOLES and fit.score >= LEAST_SCORE and fit.rms < _MOST_RMS


def check_view(fit: Fit, size_wh: tuple[int, int]) -> None:
    """Raises BoxError where holes lie outside the picture, the camera looks too flatly or is too far away."""
    centres = fit.lattice.centres_px()
    inside = ((centres > 0) & (centres < np.array(size_wh))).all(axis=1)
    if not inside.all():
        raise BoxError("half_box", inside=int(inside.sum()))
    if fit.lattice.flatness() < FLATTEST:
        raise BoxError("too_low")
    pitch = fit.lattice.pitch_px((2.0, 2.0))
    if pitch < LEAST_PITCH_PX:
        raise BoxError("too_small", pitch=round(pitch))


def _without(spots: Spots, taken: Spots) -> Spots:
    """The spots that are not at one of the ``taken`` ones."""
    if not len(taken) or not len(spots):
        return spots
    gap = np.hypot(
        spots.centre_px[:, None, 0] - taken.centre_px[None, :, 0],
        spots.centre_px[:, None, 1] - taken.centre_px[None, :, 1],
    )
    free = (gap > 0.45 * taken.size_px[None]).all(axis=1)
    return Spots(spots.centre_px[free], spots.size_px[free], spots.weight[free])
