"""What can be a camera: what is plugged in, recordings on this computer, network streams, a phone.

A browser names one by an ``id`` that this module has given out, never by a path.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.errors import UserError

DEMO_VIDEO = Path(__file__).parent / "demo" / "verflixxt.mp4"
VIDEO_SUFFIXES = (".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v")
VIDEO_FOLDERS = ("Videos", "Movies", "Downloads")
MOST_VIDEOS = 24
GUESSED_CAMERAS = 3
"""Cameras offered where the system does not say how many there are."""

_STREAM = re.compile(r"(https?|rtsps?)://[^\s/?#]+\S*", re.IGNORECASE)
_DEVICES = Path("/sys/class/video4linux")


class CameraError(UserError):
    """A camera that cannot be chosen."""

    TEXTS = {
        "gone": (
            "Diese Kamera gibt es nicht mehr: bitte prüfen, ob sie noch angeschlossen ist, und neu wählen.",
            "This camera is no longer there: check that it is still plugged in, and choose again.",
        ),
        "no_stream": (
            "„{given}“ ist keine Adresse eines Videostroms: bitte eine mit http://, https:// oder rtsp:// angeben.",
            '"{given}" is not the address of a video stream: give one with http://, https:// or rtsp://.',
        ),
        "none_chosen": (
            "Es ist noch keine Kamera gewählt: bitte zuerst eine Kamera wählen.",
            "No camera has been chosen yet: choose a camera first.",
        ),
        "no_picture_yet": (
            "Die Kamera hat noch kein Bild geliefert: bitte kurz warten oder die Verbindung prüfen.",
            "The camera has not delivered a picture yet: wait a moment, or check the connection.",
        ),
    }


@dataclass(frozen=True, slots=True)
class Camera:
    """Something that gives pictures. ``kind``: ``camera``, ``video``, ``stream`` or ``phone``; ``spec``: what
    :func:`vision.sources.open_source` takes, ``"phone"`` for a phone."""

    id: str
    kind: str
    name: str
    spec: str

    def to_json(self) -> dict[str, Any]:
        """What a page may know: not the path."""
        return {"id": self.id, "kind": self.kind, "name": self.name}


PHONE = Camera("phone", "phone", "Phone", "phone")


def cameras() -> list[Camera]:
    """Everything that can be chosen now, cameras first."""
    return [*_plugged_in(), PHONE, *_videos()]


def camera_with(id_: str) -> Camera:
    """The camera that was given out under this id. Raises CameraError."""
    for camera in cameras():
        if camera.id == id_:
            return camera
    raise CameraError("gone")


def stream(address: str) -> Camera:
    """A network camera at this address. Raises CameraError."""
    given = address.strip()
    if not _STREAM.fullmatch(given) or len(given) > 500:
        raise CameraError("no_stream", given=given[:60])
    # Without user and password, which nobody who looks on needs to see.
    shown = re.sub(r"//[^/@]*@", "//", given).split("?")[0]
    return Camera(f"stream-{_short(given)}", "stream", shown, given)


def of_spec(spec: str) -> Camera:
    """The camera that ``--source`` on the command line, or a kept game, names."""
    if spec == "phone":
        return PHONE
    for camera in cameras():
        if spec in (camera.spec, _number_of(camera.spec)):
            return camera
    if _STREAM.fullmatch(spec):
        return stream(spec)
    if spec.isdigit() or spec.startswith("/dev/"):
        return Camera(f"camera-{_short(spec)}", "camera", spec, spec)
    return Camera(f"video-{_short(spec)}", "video", Path(spec).name, spec)


def _number_of(spec: str) -> str:
    return spec.removeprefix("/dev/video") if spec.startswith("/dev/video") else spec


def _plugged_in() -> Iterator[Camera]:
    if not sys.platform.startswith("linux"):
        for number in range(GUESSED_CAMERAS):
            yield Camera(f"camera-{number}", "camera", f"{number + 1}", str(number))
        return
    if not _DEVICES.is_dir():
        return
    for device in sorted(_DEVICES.iterdir(), key=lambda path: (len(path.name), path.name)):
        # One camera has several devices; the first gives the pictures, others only tell about them.
        if _read(device / "index") in ("", "0"):
            name = _read(device / "name").split(":")[0] or device.name
            yield Camera(f"camera-{device.name}", "camera", name, f"/dev/{device.name}")


def _videos() -> Iterator[Camera]:
    if DEMO_VIDEO.is_file():
        yield Camera("video-demo", "video", "Demo", str(DEMO_VIDEO))
    found = [path for folder in [Path.cwd(), *(Path.home() / name for name in VIDEO_FOLDERS)] for path in _in(folder)]
    for path in list(dict.fromkeys(found))[:MOST_VIDEOS]:
        yield Camera(f"video-{_short(str(path))}", "video", path.name, str(path))


def _in(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix.lower() in VIDEO_SUFFIXES and path.is_file())
    except OSError:
        return []


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace").strip()
    except OSError:
        return ""


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
