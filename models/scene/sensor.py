"""What lens and sensor do to a picture: defocus, motion blur, vignetting, colour cast, noise, JPEG."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def expose(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """A camera's version of ``image`` (H, W, 3) uint8; ``strength`` 0 leaves it almost clean."""
    height, width = image.shape[:2]
    out: NDArray[Any] = image.astype(np.float32)
    if rng.random() < 0.8:
        out = cv2.GaussianBlur(out, (0, 0), 0.3 + strength * rng.gamma(1.5, 0.35))
    if rng.random() < 0.06 * strength:
        length = int(rng.integers(3, 8))
        kernel = cv2.warpAffine(
            np.eye(length, dtype=np.float32) / length,
            cv2.getRotationMatrix2D((length / 2, length / 2), float(rng.uniform(0, 180)), 1),
            (length, length),
        )
        out = cv2.filter2D(out, -1, kernel / max(kernel.sum(), 1e-3))
    if rng.random() < 0.85:
        brightest = max(float(np.percentile(out, 98)), 1.0)
        wish = min(rng.uniform(80, 150) / max(float(out.mean()), 1.0), rng.uniform(200, 285) / brightest)
        out *= float(np.clip(wish, 0.6, 4.0))
    cast = np.exp(strength * rng.normal(0, 0.09, 3)).astype(np.float32)
    gain, gamma = np.exp(strength * rng.normal(0, 0.16)), np.exp(strength * rng.normal(0, 0.14))
    out = 255 * np.clip(out / 255 * cast * gain, 0, 1) ** gamma
    if rng.random() < 0.5:
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        centre = rng.uniform(0.2, 0.8, 2) * [width, height]
        r2 = ((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / (width**2 + height**2)
        out *= (1 - strength * rng.uniform(0, 0.9) * r2)[:, :, None].astype(np.float32)
    sigma = strength * rng.gamma(1.5, 2.2)
    noise = rng.standard_normal(out.shape, dtype=np.float32)
    if rng.random() < 0.5:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.6
    out += sigma * noise * (0.6 + 0.4 * np.sqrt(np.maximum(out, 0) / 128))
    small = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        sharp = cv2.GaussianBlur(small, (0, 0), 1.2)
        small = cv2.addWeighted(small, 1.6, sharp, -0.6, 0).astype(np.uint8)
    quality = int(np.clip(rng.normal(82 - 12 * strength, 12), 30, 98))
    data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
