"""A Linux without the desktop libraries gets the name of the package to install."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from vision.preflight import LibraryError, require_opencv


@pytest.mark.parametrize(
    ("message", "packages"),
    [
        ("libGL.so.1: cannot open shared object file: No such file or directory", "libgl1 libglib2.0-0"),
        ("libgthread-2.0.so.0: cannot open shared object file: No such file or directory", "libglib2.0-0 libgl1"),
        ("libSM.so.6: cannot open shared object file: No such file or directory", "libsm6 libgl1 libglib2.0-0"),
        ("libnew.so.3: cannot open shared object file: No such file or directory", "libgl1 libglib2.0-0"),
    ],
)
def test_the_missing_library_names_its_package(monkeypatch: pytest.MonkeyPatch, message: str, packages: str) -> None:
    def fail(name: str, *rest: Any) -> None:
        raise ImportError(message)

    monkeypatch.setattr(importlib, "import_module", fail)
    with pytest.raises(LibraryError) as caught:
        require_opencv()
    assert f"apt install {packages} " in str(caught.value)
    assert message.split(":")[0] in caught.value.sentence("de")


def test_a_missing_opencv_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str, *rest: Any) -> None:
        raise ModuleNotFoundError("No module named 'cv2'")

    monkeypatch.setattr(importlib, "import_module", fail)
    with pytest.raises(LibraryError, match="pip install --force-reinstall opencv-python"):
        require_opencv()


def test_nothing_happens_where_opencv_works() -> None:
    require_opencv()
