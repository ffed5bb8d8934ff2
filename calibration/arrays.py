"""Names for the arrays that pass between the modules."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
"""A picture (H, W, 3) in blue, green, red, or (H, W) in grey."""

Points: TypeAlias = NDArray[np.float64]
"""Points (N, 2), in the unit that the variable's name says (``_px`` or ``_mm``)."""
