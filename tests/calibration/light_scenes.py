"""Table scenes of the generator in good and bad light, to see how well the light check tells them apart.

``python tests/calibration/light_scenes.py [ASSETS]`` prints the table of ``docs/light.md``: two parts of pictures that
share neither a scene nor a texture; limits are chosen on the first, the second says how good they are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.light import brightness, flickers, light_faults
from models.scene.assets import Assets
from models.scene.compose import Composer
from models.scene.flick import flick_scene

Linear = NDArray[np.float32]
Rng = np.random.Generator

SIZE_WH = (960, 540)
PARTS = {"val": 5_000_000, "test": 6_000_000}
"""Seeds of the part that limits are chosen on, and of the part that is reported."""

KINDS = ("route", "route", "dice", "pieces", "flick")
FAULTS = ("dark", "glare", "blurred")
GAMMA = 2.2
LOOKS = 16


@dataclass(frozen=True, slots=True)
class Taken:
    """A picture and what is wrong with its light, empty for nothing."""

    image: Image
    wrong: str


def scene(number: int, part: str, assets: Path | None) -> Linear:
    """What a camera looks at: a scene in linear light, 0..1, before lens and sensor."""
    seed = PARTS[part] + number
    kind, files = KINDS[number % len(KINDS)], Assets.load(assets, part)
    with (
        patch("models.scene.compose.expose", lambda image, rng, *_: image),
        patch("models.scene.flick.expose", lambda image, rng, *_: image),
    ):
        if kind == "flick":
            image = flick_scene(np.random.default_rng(seed), files, SIZE_WH)[0]
        else:
            image = Composer(files).picture(seed, SIZE_WH, kind, hands=0.1)[0]
    return np.asarray((np.asarray(image, np.float32) / 255) ** GAMMA, np.float32)


def taken(seen: Linear, wrong: str, rng: Rng) -> Image:
    """The picture of a camera that measures the light for itself, as ``wrong`` says."""
    light = seen * _slope(seen.shape[:2], rng)
    gain = _gain(light, rng)
    if wrong == "dark":
        gain *= float(rng.uniform(0.01, 0.07))
    exposed = light * gain
    if wrong == "glare":
        exposed = exposed + _lamp(seen.shape[:2], rng)
    elif rng.random() < 0.5:
        exposed = exposed + _glints(seen.shape[:2], rng)
    blur = float(rng.uniform(2.2, 5.0)) if wrong == "blurred" else float(rng.uniform(0.3, 0.8))
    exposed = cv2.GaussianBlur(exposed, (0, 0), blur)
    shown = 255 * np.clip(exposed, 0, 1) ** (1 / GAMMA)
    noise = rng.uniform(2, 9) if wrong == "dark" else rng.uniform(0.5, 4)
    shown = shown + rng.normal(0, noise, shown.shape)
    data = cv2.imencode(".jpg", np.clip(shown, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _gain(light: Linear, rng: Rng) -> float:
    """Exposure: the mean as cameras like it, but what is white not burnt out (much)."""
    wanted = (rng.uniform(80, 140) / 255) ** GAMMA / max(float(light.mean()), 1e-4)
    white = (rng.uniform(190, 252) / 255) ** GAMMA / max(float(np.percentile(light, 98)), 1e-4)
    return float(min(wanted, white))


def _slope(shape: tuple[int, ...], rng: Rng) -> Linear:
    """Light from one side: up to half a stop more on one edge than on the other."""
    y, x = np.mgrid[-0.5:0.5:complex(shape[0]), -0.5:0.5:complex(shape[1])]  # type: ignore[misc]
    angle = rng.uniform(0, 2 * np.pi)
    return np.asarray(np.exp(rng.uniform(0, 0.5) * (np.cos(angle) * x + np.sin(angle) * y)), np.float32)[:, :, None]


def _spot(shape: tuple[int, ...], rng: Rng, size: float, hard: float) -> Linear:
    """A bright ellipse (H, W, 1), 1 in its middle; ``size``: its radius as a share of the width."""
    y, x = np.mgrid[0:shape[0], 0:shape[1]].astype(np.float32)
    cx, cy = rng.uniform(0.15, 0.85) * shape[1], rng.uniform(0.15, 0.85) * shape[0]
    angle, flat = rng.uniform(0, np.pi), rng.uniform(0.4, 1)
    u = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
    v = (-(x - cx) * np.sin(angle) + (y - cy) * np.cos(angle)) / flat
    distance = np.hypot(u, v) / (size * shape[1])
    return np.asarray(np.exp(-(distance ** hard)), np.float32)[:, :, None]


def _lamp(shape: tuple[int, ...], rng: Rng) -> Linear:
    """A lamp that mirrors in the table: it burns out a spot of 4 to 12 hundredths of the width."""
    return float(rng.uniform(2, 8)) * _spot(shape, rng, float(rng.uniform(0.04, 0.12)), float(rng.uniform(2, 6)))


def _glints(shape: tuple[int, ...], rng: Rng) -> Linear:
    """Small highlights on lacquered wood, which disturb nobody."""
    return sum((
        _spot(shape, rng, float(rng.uniform(0.001, 0.005)), 2.0) for _ in range(int(rng.integers(1, 5)))
    ), np.zeros((*shape, 1), np.float32))


def pictures(part: str, count: int, assets: Path | None) -> Iterator[Taken]:
    """``count`` scenes, each once in good light and once with each fault."""
    for number in range(count):
        seen = scene(number, part, assets)
        rng = np.random.default_rng((PARTS[part], number, 3))
        for wrong in ("", *FAULTS):
            yield Taken(taken(seen, wrong, rng), wrong)


def looks(seen: Linear, wrong: bool, rng: Rng) -> list[NDArray[np.float64]]:
    """How bright a camera that looks on sees a table: a lamp that flickers in bands, or all that is not flicker:
    noise, the day that fades, the camera that measures anew, a hand that comes and goes."""
    small = np.asarray(cv2.resize(seen, (160, 90), interpolation=cv2.INTER_AREA), np.float32) * _gain(seen, rng)
    rows = np.linspace(0, 1, 90)[:, None, None]
    bands, depth = rng.uniform(0.0, 3.5), rng.uniform(0.06, 0.35)
    fade = rng.uniform(-0.008, 0.008)
    hand = range(*sorted(int(n) for n in rng.integers(0, LOOKS, 2)))
    cover = slice(int(rng.integers(0, 60)), 90)
    found = []
    for k in range(LOOKS):
        light = small * (1 + fade) ** k * rng.normal(1, 0.002)
        if wrong:
            light = light * (1 + depth * np.sin(2 * np.pi * (bands * rows + rng.random())))
        elif k in hand:
            light = light.copy()
            light[cover, 40:100] = light[cover, 40:100] * 0.4 + 0.1
        shown = 255 * np.clip(light, 0, 1) ** (1 / GAMMA) + rng.normal(0, 1.0, light.shape)
        found.append(brightness(np.repeat(np.repeat(np.clip(shown, 0, 255).astype(np.uint8), 8, 0), 8, 1)))
    return found


def table(part: str, count: int, assets: Path | None) -> dict[str, tuple[int, int, int, int]]:
    """For every fault: found, of how many; called where there is none, of how many."""
    counts: dict[str, list[int]] = {name: [0, 0, 0, 0] for name in (*FAULTS, "flicker")}
    for number in range(count):
        seen = scene(number, part, assets)
        rng = np.random.default_rng((PARTS[part], number, 3))
        for wrong in ("", *FAULTS):
            called = {fault.reason for fault in light_faults(taken(seen, wrong, rng))}
            for name in FAULTS:
                _count(counts[name], wrong == name, name in called, wrong == "")
        for flicker in (False, True):
            _count(counts["flicker"], flicker, flickers(looks(seen, flicker, rng)), not flicker)
    return {name: (a, b, c, d) for name, (a, b, c, d) in counts.items()}


def _count(line: list[int], wrong: bool, called: bool, good: bool) -> None:
    if wrong:
        line[0] += called
        line[1] += 1
    elif good:
        line[2] += called
        line[3] += 1


def main(argv: list[str]) -> None:
    """Print both parts."""
    assets: Any = Path(argv[1]) if len(argv) > 1 else None
    print("| fault | found, chosen on | false alarms | found, reported | false alarms |\n|---|---|---|---|---|")
    parts = [table(part, 48, assets) for part in PARTS]
    for name in (*FAULTS, "flicker"):
        cells = [f"{part[name][k]} of {part[name][k + 1]}" for part in parts for k in (0, 2)]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main(sys.argv)
