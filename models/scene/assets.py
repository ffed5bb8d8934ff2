"""Free pictures, fonts and meshes for scenes, split by file into training, validation and test; all optional.

``folder`` holds ``textures/*.jpg``, ``backgrounds/*.jpg``, ``fonts/*.ttf`` and ``meshes/hands/*.obj``. Whatever is
missing is replaced by procedural tables, Pillow's own font and hands made of tubes. Pictures with ``hand`` in their
name are left out: on a table top they would teach that hands are nothing.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ImageFont

from models.scene.meshes import Mesh, load_obj

Image = NDArray[np.uint8]
SPLITS = ("train", "val", "test")


def split_of(name: str) -> str:
    """The split a file belongs to, by a checksum of its name: 8 of 10 train, one val, one test."""
    k = zlib.crc32(name.encode()) % 10
    return "val" if k == 8 else "test" if k == 9 else "train"


@dataclass(frozen=True, slots=True)
class Assets:
    """Files of one split."""

    textures: tuple[Path, ...] = ()
    backgrounds: tuple[Path, ...] = ()
    fonts: tuple[Path, ...] = ()
    hands: tuple[Path, ...] = ()

    @classmethod
    def load(cls, folder: Path | None, split: str) -> Assets:
        """The files of ``split`` in ``folder`` (None: no files at all). Hands are shared by all splits."""
        if folder is None:
            return cls()
        if not folder.is_dir():
            raise FileNotFoundError(f"There is no assets folder {folder}; leave --assets out to do without.")

        def of(pattern: str) -> tuple[Path, ...]:
            return tuple(p for p in sorted(folder.glob(pattern)) if split_of(p.name) == split and "hand" not in p.name)

        hands = tuple(sorted(folder.glob("meshes/hands/*.obj")))
        return cls(of("textures/*.jpg"), of("backgrounds/*.jpg"), of("fonts/*.ttf"), hands)


@lru_cache(maxsize=128)
def picture(path: Path) -> Image:
    """A colour picture, read once."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{path} is not a picture that OpenCV can read.")
    return image.astype(np.uint8)


@lru_cache(maxsize=64)
def hand_mesh(path: Path) -> Mesh:
    """A hand, scaled to millimetres (files are in metres)."""
    return load_obj(path).scaled(1000.0)


@lru_cache(maxsize=256)
def font(path: Path | None, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font of ``size`` px; Pillow's own without a path."""
    return ImageFont.truetype(str(path), size) if path else ImageFont.load_default(size)


@lru_cache(maxsize=256)
def has_glyph(path: Path | None, letter: str) -> bool:
    """Whether the font draws ``letter`` as itself and not as the box that stands for missing ones."""
    face = font(path, 40)
    return bytes(face.getmask(letter)) != bytes(face.getmask("\U0010fffe"))
