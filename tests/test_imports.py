"""Who may import what: the table of ARCHITECTURE.md, enforced on the source text."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

HEAVY = frozenset({"torch", "torchvision", "ultralytics", "onnx", "openvino", "onnxruntime"})

EVERYWHERE = {
    "rules": set(),
    "calibration": {"numpy", "cv2", "rules"},
    "models": {"click", "numpy", "cv2", "rules", "PIL", "torch", "torchvision", "ultralytics", "onnx", "onnxruntime",
               "matplotlib"},
    "vision": {"numpy", "cv2", "rules", "calibration", "models.classes"},
    "web": {"click", "flask", "werkzeug", "waitress", "numpy", "rules", "calibration", "vision", "models.classes"},
}
"""What each folder may import at all, besides the standard library and itself."""

INSIDE_FUNCTIONS = {
    "models": {"calibration", "vision", "platformdirs"},
    "vision": {"onnxruntime", "openvino", "ultralytics", "torch", "platformdirs"},
    "web": {"cryptography", "cv2", "fpdf", "models", "platformdirs", "segno"},
}
"""What it may import besides those only where it is used: inside a function, or for types alone."""

ULTRALYTICS_IN_VISION = {"vision/detector.py"}


@dataclass(frozen=True)
class Import:
    """``module`` imported in ``file`` at ``line``; ``lazy``: inside a function or for type checking only."""

    file: str
    line: int
    module: str
    lazy: bool

    @property
    def folder(self) -> str:
        return self.file.split("/")[0]

    def among(self, allowed: set[str]) -> bool:
        return any(self.module == name or self.module.startswith(f"{name}.") for name in allowed)


def imports_of(path: Path) -> Iterator[Import]:
    file = path.relative_to(ROOT).as_posix()
    yield from _walk(ast.parse(path.read_text("utf-8")), file, lazy=False)


def _walk(node: ast.AST, file: str, lazy: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for name in child.names:
                yield Import(file, child.lineno, name.name, lazy)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"{file}:{child.lineno}: relative import"
            names = [f"{child.module}.{name.name}" for name in child.names]
            # "from models import classes" imports models.classes; "from vision.hub import Hub" the module vision.hub.
            for name in names if child.module in EVERYWHERE else [str(child.module)]:
                yield Import(file, child.lineno, name, lazy)
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            typing = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            yield from _walk(child, file, lazy or function or typing)


def all_imports() -> list[Import]:
    files = [path for folder in EVERYWHERE for path in sorted((ROOT / folder).rglob("*.py"))]
    return [found for path in files for found in imports_of(path)]


IMPORTS = all_imports()


@pytest.mark.parametrize("folder", EVERYWHERE)
def test_every_folder_imports_only_what_it_may(folder: str) -> None:
    found = [one for one in IMPORTS if one.folder == folder]
    assert found, "no import found: the test looks in the wrong place"
    always = EVERYWHERE[folder] | {folder}
    lazily = always | INSIDE_FUNCTIONS.get(folder, set())
    wrong = [
        f"{one.file}:{one.line}: {one.module}"
        for one in found
        if one.module.split(".")[0] not in sys.stdlib_module_names and not one.among(lazily if one.lazy else always)
    ]
    assert wrong == []


def test_rules_do_no_io() -> None:
    """No files, clocks, chance or network in the rules, not even from the standard library."""
    forbidden = {"io", "os", "pathlib", "random", "secrets", "socket", "subprocess", "time", "datetime", "threading"}
    found = [one for one in IMPORTS if one.folder == "rules" and one.among(forbidden)]
    wrong = [f"{one.file}:{one.line}: {one.module}" for one in found]
    assert wrong == []


def test_training_frameworks_stay_on_the_training_side() -> None:
    frameworks = {"torch", "torchvision", "ultralytics"}
    wrong = [
        f"{one.file}:{one.line}: {one.module}"
        for one in IMPORTS
        if one.among(frameworks)
        and one.folder != "models"
        and not (one.file in ULTRALYTICS_IN_VISION and one.lazy)
    ]
    assert wrong == []


@pytest.mark.parametrize("module", ["web.cli", "models.classes", "rules", "rules.record"])
def test_light_modules_load_nothing_heavy(module: str) -> None:
    """``schiri --help`` must be there at once, also where OpenCV does not start."""
    heavy = sorted(HEAVY | {"cv2", "numpy", "flask", "waitress", "PIL", "fpdf"})
    program = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("module", ["vision.sources", "vision.detector", "web.app", "web.server"])
def test_the_referee_starts_without_training_frameworks(module: str) -> None:
    program = f"import sys, {module}; print([name for name in ('torch', 'ultralytics') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
