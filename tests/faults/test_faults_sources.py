"""Cameras and streams as things: drivers that throw, plugs that are pulled, servers that go away and come back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.live import LiveSource
from vision.sources import device_name, same_device, stream_opener


class Moody:
    """A camera whose reads follow a list: pictures, None (none comes), or an error that is thrown."""

    def __init__(self, moods: list[Any]) -> None:
        self.moods, self.opened, self.grabbed = moods, 0, 0

    def __call__(self) -> Moody:
        self.opened += 1
        mood = self.moods[0] if self.moods else None
        if isinstance(mood, OSError):
            raise self.moods.pop(0)
        return self

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, Any]:
        mood = self.moods.pop(0) if len(self.moods) > 1 else self.moods[0]
        if isinstance(mood, Exception):
            raise mood
        time.sleep(0.002)
        return mood is not None, mood

    def release(self) -> None:
        pass


def grey(level: int, *shape: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full(shape or (40, 60, 3), level, np.uint8)


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("name", "mood"),
    [
        ("throws when read", cv2.error("lost")),
        ("gives nothing", None),
        ("gives an empty picture", np.zeros((0, 0, 3), np.uint8)),
    ],
)
def test_a_camera_that_fails_is_opened_again(name: str, mood: Any) -> None:
    camera = Moody([grey(1), mood, OSError("busy"), grey(9)])
    with LiveSource("0", camera, "camera_closed", first_pause_s=0.01) as source:
        wait_for(lambda: camera.opened >= 3 and source.connected)
        frame = source.read(5.0)
        assert frame is not None and frame.image_bgr[0, 0, 0] in (1, 9)
        wait_for(lambda: (frame := source.read(5.0)) is not None and frame.image_bgr[0, 0, 0] == 9)


@pytest.mark.parametrize("shape", [(40, 60), (40, 60, 1), (40, 60, 4)])
def test_pictures_of_any_kind_become_colour_pictures(shape: tuple[int, ...]) -> None:
    with LiveSource("0", Moody([grey(7, *shape)]), "camera_closed") as source:
        frame = source.read(5.0)
    assert frame is not None and frame.image_bgr.shape == (40, 60, 3) and frame.image_bgr.max() == 7


class Grabbing(Moody):
    """A camera that can take frames without unpacking them."""

    def grab(self) -> bool:
        self.grabbed += 1
        time.sleep(0.002)
        return True


def test_while_nothing_happens_frames_are_not_unpacked() -> None:
    camera = Grabbing([grey(3)])
    with LiveSource("0", camera, "camera_closed") as source:
        source.ease(1000.0)
        wait_for(lambda: camera.grabbed > 5)
        while source.read(0.0) is not None:
            pass
        assert source.read(0.02) is None and source.connected
        source.ease(0.0)
        assert source.read(5.0) is not None


def test_a_camera_that_comes_back_under_another_number_is_found(tmp_path: Path) -> None:
    def device(number: int, name: str, index: str = "0") -> None:
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(name + "\n")
        (tmp_path / f"video{number}" / "index").write_text(index)

    device(0, "Built-in")
    device(2, "Webcam C920", "1")
    device(10, "Webcam C920")
    assert device_name(10, tmp_path) == device_name("/dev/video10", tmp_path) == "Webcam C920"
    assert same_device("/dev/video4", "Webcam C920", tmp_path) == "/dev/video10"
    assert same_device(0, "Built-in", tmp_path) == 0
    assert same_device("/dev/video4", "Another", tmp_path) == "/dev/video4"
    assert same_device(4, "", tmp_path) == 4 and device_name(4, tmp_path / "none") == ""


class Stream(BaseHTTPRequestHandler):
    """A network camera that breaks off after a few pictures, as one does that loses its network."""

    def do_GET(self) -> None:  # noqa: N802
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        jpeg = cv2.imencode(".jpg", np.full((120, 160, 3), 90, np.uint8))[1].tobytes()
        part = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(jpeg), jpeg)
        for _ in range(40):
            self.wfile.write(part)

    def log_message(self, *args: Any) -> None:
        pass


def serve(port: int) -> ThreadingHTTPServer:
    ThreadingHTTPServer.allow_reuse_address = True
    server = ThreadingHTTPServer(("127.0.0.1", port), Stream)
    server.handle_error = lambda *args: None  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    return server


def test_a_network_camera_that_goes_away_comes_back() -> None:
    server = serve(0)
    port = server.server_port
    opener = stream_opener(f"http://127.0.0.1:{port}/video.mjpg", timeout_s=2.0)
    with LiveSource("net", opener, "stream_closed", first_pause_s=0.05) as source:
        assert source.read(5.0) is not None
        server.shutdown()
        server.server_close()
        wait_for(lambda: not source.connected)
        while source.read(0.0) is not None:
            pass
        assert not source.ended
        server = serve(port)
        try:
            wait_for(lambda: source.read(1.0) is not None)
        finally:
            server.shutdown()
            server.server_close()
