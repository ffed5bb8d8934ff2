"""Finding the plate: spots from the detector and from classical search, one lattice through them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from vision.detections import Detections
from vision.flick.blobs import Spots, find_spots
from vision.flick.errors import BoxError
from vision.flick.eyes import die_spots, hole_spots
from vision.flick.grow import Fit, fit_lattice
from vision.flick.lattice import SIDE

ENOUGH = 20
"""So many holes of the detector on one lattice need no second search."""

LEAST_HOLES = 13
LEAST_SCORE = 7.5
FLATTEST = 0.52
LEAST_PITCH_PX = 20.0
_MOST_RMS = 0.14
_BESIDE, _CONTRADICTED = 0.3, 3.0
"""From so many pitches on a spot lies beside a hole; so much counts a hole beside those of a lattice."""


def find_plate(image: Image, found: Detections) -> Fit:
    """The plate's lattice, counted upright. Raises BoxError."""
    holes = hole_spots(found)
    fit = fit_lattice(holes) if len(holes) >= ENOUGH else None
    if fit is None or int((fit.matched > 0).sum()) < ENOUGH:
        fit = _with_others(image, holes, die_spots(found)) or fit
    if fit is None or not believable(fit):
        raise BoxError("no_box")
    check_view(fit, (image.shape[1], image.shape[0]))
    return fit


def _with_others(image: Image, holes: Spots, dice: Spots) -> Fit | None:
    """The lattice through holes, dice and what else looks like a spot; what lies regularly between the holes is no
    plate: then the lattice of holes and dice alone, with the spots that fit it, contradicts the holes less."""
    spots = _without(Spots.joined(find_spots(image), dice), holes)
    fits = [fit_lattice(Spots.joined(holes, spots))]
    if fits[0] is None or _beside(fits[0], holes) > 0:
        known = fit_lattice(Spots.joined(holes, _without(dice, holes)))
        if known is not None:
            fits.append(fit_lattice(Spots.joined(holes, spots.chosen(_off(known, spots) < _BESIDE))))
    return max(
        (fit for fit in fits if fit is not None), key=lambda fit: fit.score - _CONTRADICTED * _beside(fit, holes),
        default=None,
    )


def _beside(fit: Fit, holes: Spots) -> float:
    """The weight of the holes that lie on the plate but on none of its lattice points."""
    cells = fit.lattice.to_cells(holes.centre_px)
    inside = (cells > -0.5).all(axis=1) & (cells < SIDE - 0.5).all(axis=1)
    return float(holes.weight[inside & (_off(fit, holes) > _BESIDE)].sum())


def _off(fit: Fit, spots: Spots) -> NDArray[np.float64]:
    """How far spots lie from the nearest hole (N,), in pitches."""
    cells = fit.lattice.to_cells(spots.centre_px)
    return np.asarray(np.hypot(*(cells - np.clip(np.round(cells), 0, SIDE - 1)).T))


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
    return spots.chosen(np.asarray(free, np.bool_))
