"""What has to be there before anything imports OpenCV; imports nothing but the standard library and our errors."""

from __future__ import annotations

import importlib
import re

from calibration.errors import UserError

DEBIAN_PACKAGES = (
    ("libGL", "libgl1"),
    ("libEGL", "libegl1"),
    ("libgthread-2.0", "libglib2.0-0"),
    ("libglib-2.0", "libglib2.0-0"),
    ("libgobject-2.0", "libglib2.0-0"),
    ("libX11", "libx11-6"),
    ("libxcb", "libxcb1"),
    ("libSM", "libsm6"),
    ("libICE", "libice6"),
    ("libXext", "libxext6"),
    ("libXrender", "libxrender1"),
    ("libgomp", "libgomp1"),
)
"""Shared libraries that OpenCV's wheels take from the system, by the start of their names, and their packages."""

_USUAL = ("libgl1", "libglib2.0-0")


class LibraryError(UserError):
    """OpenCV cannot be imported."""

    TEXTS = {
        "library_missing": (
            "OpenCV startet nicht, weil die Systembibliothek {library} fehlt: bitte mit sudo apt install {packages} "
            "installieren (Debian, Ubuntu).",
            "OpenCV does not start because the system library {library} is missing: install it with sudo apt install "
            "{packages} (Debian, Ubuntu).",
        ),
        "opencv_missing": (
            "OpenCV fehlt oder ist beschädigt ({detail}): bitte mit python -m pip install --force-reinstall "
            "opencv-python neu installieren.",
            "OpenCV is missing or broken ({detail}): install it again with python -m pip install --force-reinstall "
            "opencv-python.",
        ),
    }


def require_opencv() -> None:
    """Import OpenCV once. Raises LibraryError that names the Debian packages of a missing system library."""
    try:
        importlib.import_module("cv2")
    except ImportError as error:
        raise _explained(str(error)) from error


def _explained(message: str) -> LibraryError:
    missing = re.search(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file", message)
    if not missing:
        return LibraryError("opencv_missing", detail=(message.splitlines() or ["ImportError"])[0])
    library = missing[1]
    own = [package for start, package in DEBIAN_PACKAGES if library.startswith(start)]
    packages = dict.fromkeys([*own, *_USUAL])
    return LibraryError("library_missing", library=library, packages=" ".join(packages))
