"""Which run time the networks use on this computer: the fastest that ``schiri bench`` has measured here."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from vision.runtime import installed

RUN_TIMES = ("onnxruntime", "openvino")
"""What the referee may use by itself; ``ultralytics`` has to be asked for."""

VARIABLE = "SCHIRI_BACKEND"
"""An environment variable that wins over everything."""


def preferred(path: Path | None = None) -> str:
    """The run time to use: what ``SCHIRI_BACKEND`` says, else what was measured fastest here, else OpenVINO where it is
    installed, else onnxruntime. ``path``: where the choice is kept."""
    asked = os.environ.get(VARIABLE, "")
    if asked in RUN_TIMES:
        return asked
    try:
        kept = json.loads((path or _choice()).read_text("utf-8"))["backend"]
    except (OSError, ValueError, KeyError, TypeError):
        kept = ""
    if kept in RUN_TIMES and installed(kept):
        return str(kept)
    return "openvino" if installed("openvino") else "onnxruntime"


def remember(median_ms: dict[str, float], path: Path | None = None) -> str | None:
    """Keep the fastest of the run times measured (``median_ms`` a picture); the name of it, None without any."""
    known = {name: ms for name, ms in median_ms.items() if name in RUN_TIMES}
    if not known:
        return None
    best = min(known, key=known.__getitem__)
    path = path or _choice()
    with suppress(OSError):  # a folder without rights: the default will do
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"backend": best, "median_ms": known}), "utf-8")
    return best


def _choice() -> Path:
    from platformdirs import user_data_path

    return user_data_path("schiri", appauthor=False) / "backend.json"
