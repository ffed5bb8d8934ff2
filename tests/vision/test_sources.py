"""Recordings give every frame in order; live sources the newest one, and come back; errors are sentences."""

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

from vision.errors import SourceError
from vision.live import LiveSource, NewestFrame
from vision.pictures import read_picture
from vision.sources import open_source


def picture(value: int) -> np.ndarray:
    return np.full((48, 64, 3), value, np.uint8)


def video(path: Path, frames: int = 12, fps: float = 10.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (64, 48))
    assert writer.isOpened()
    for k in range(frames):
        writer.write(picture(20 * k))
    writer.release()
    return path


def test_a_video_gives_every_frame_with_its_time(tmp_path: Path) -> None:
    with open_source(str(video(tmp_path / "game.mp4"))) as source:
        assert not source.live and source.connected
        frames = list(source)
    assert [frame.number for frame in frames] == list(range(12))
    assert [frame.t_s for frame in frames] == pytest.approx([k / 10 for k in range(12)])
    assert [int(frame.image_bgr.mean()) for frame in frames] == pytest.approx([20 * k for k in range(12)], abs=6)
    assert source.ended and source.read() is None


def test_speed_one_plays_in_real_time(tmp_path: Path) -> None:
    path = str(video(tmp_path / "game.mp4", frames=4, fps=20.0))
    began = time.monotonic()
    assert len(list(open_source(path, speed=1.0))) == 4
    assert 0.14 < time.monotonic() - began < 2.0


def test_a_folder_gives_its_pictures_in_natural_order(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        cv2.imwrite(str(tmp_path / f"move{number}.png"), picture(number))
    (tmp_path / "notes.txt").write_text("no picture")
    frames = list(open_source(str(tmp_path), fps=4.0))
    assert [int(frame.image_bgr[0, 0, 0]) for frame in frames] == [1, 2, 10]
    assert [frame.t_s for frame in frames] == [0.0, 0.25, 0.5]


def make_empty(folder: Path) -> str:
    (folder / "empty").mkdir()
    return str(folder / "empty")


def make_text(folder: Path) -> str:
    (folder / "game.mp4").write_text("this is no video")
    return str(folder / "game.mp4")


def make_photo(folder: Path) -> str:
    cv2.imwrite(str(folder / "photo01.png"), picture(9))
    return str(folder / "photo01.png")


@pytest.mark.parametrize(
    ("spec", "reason", "words"),
    [
        (lambda folder: str(folder / "none.mp4"), "file_missing", "none.mp4 does not exist"),
        (make_text, "not_a_video", "game.mp4 is no video"),
        (make_photo, "not_a_video", "photo01.png is no video"),
        (make_empty, "folder_empty", "holds no picture"),
        (lambda folder: "97", "camera_closed", "camera 97 does not open"),
        (lambda folder: "/dev/video97", "camera_closed", "/dev/video97 does not open"),
        (lambda folder: "http://127.0.0.1:9/stream", "stream_closed", "check the address"),
        (lambda folder: "gopher://somewhere", "unknown_source", "not understood"),
        (lambda folder: "", "unknown_source", "not understood"),
    ],
)
def test_bad_sources_say_what_to_do(
    tmp_path: Path, spec: Callable[[Path], str], reason: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SourceError, match=words) as caught:
        open_source(spec(tmp_path))
    assert caught.value.reason == reason
    assert caught.value.sentence("de") != caught.value.sentence("en")
    assert capfd.readouterr().err == ""


def test_a_broken_picture_in_a_folder_is_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), picture(1))
    (tmp_path / "2.jpg").write_bytes(b"no jpeg")
    source = open_source(str(tmp_path))
    assert source.read() is not None
    with pytest.raises(SourceError, match="2.jpg cannot be read"):
        source.read()


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_pictures_are_turned_upright(tmp_path: Path, orientation: int) -> None:
    image = pytest.importorskip("PIL.Image")
    upright = np.zeros((40, 60, 3), np.uint8)
    upright[:20, :30] = 255
    turns = {1: 0, 3: 2, 6: 1, 8: 3}[orientation]
    stored = image.fromarray(np.ascontiguousarray(np.rot90(upright, turns)))
    exif = stored.getexif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "turned.jpg", exif=exif, quality=95)
    read = read_picture(tmp_path / "turned.jpg")
    assert read is not None and read.shape == (40, 60, 3)
    assert read[5, 5, 0] > 200 and read[35, 55, 0] < 50 and read[5, 55, 0] < 50


def test_newest_frame_replaces_the_old_one() -> None:
    slot = NewestFrame("phone")
    assert slot.read(timeout_s=0.01) is None
    for value in (1, 2, 3):
        slot.put(picture(value))
    frame = slot.read()
    assert frame is not None and frame.number == 2 and frame.image_bgr[0, 0, 0] == 3
    assert slot.read(timeout_s=0.01) is None
    slot.close()
    assert slot.ended and list(slot) == []


class FakeCamera:
    """A camera that gives numbered pictures when asked, until it is unplugged."""

    def __init__(self) -> None:
        self.plugged = True
        self.taken = 0
        self.opened = 0
        self.go = threading.Semaphore(1)

    def __call__(self) -> FakeCamera:
        self.opened += self.plugged
        return self

    def isOpened(self) -> bool:  # noqa: N802
        return self.plugged

    def read(self) -> tuple[bool, Any]:
        self.go.acquire(timeout=2)
        if not self.plugged:
            return False, None
        self.taken += 1
        return True, picture(self.taken)

    def release(self) -> None:
        pass


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    assert condition()


def test_a_live_source_gives_only_the_newest_frame() -> None:
    camera = FakeCamera()
    with LiveSource("0", camera, "camera_closed") as source:
        assert source.live
        camera.go.release(6)
        wait_until(lambda: camera.taken == 7)
        wait_until(lambda: source._newest is not None and source._newest.number == 6)
        frame = source.read()
        assert frame is not None and frame.number == 6 and frame.image_bgr[0, 0, 0] == 7
        assert source.read(timeout_s=0.01) is None
        camera.go.release(100)
    assert source.ended


def test_a_lost_camera_is_reported_and_comes_back() -> None:
    camera = FakeCamera()
    with LiveSource("0", camera, "camera_closed", first_pause_s=0.01) as source:
        assert source.read() is not None and source.connected
        camera.plugged = False
        camera.go.release()
        wait_until(lambda: not source.connected)
        assert source.read(timeout_s=0.01) is None and not source.ended
        camera.plugged = True
        camera.go.release(3)
        wait_until(lambda: source.connected)
        assert source.read() is not None and camera.opened == 2
        camera.go.release(100)


def test_a_camera_without_a_first_picture_does_not_open() -> None:
    camera = FakeCamera()
    camera.plugged = False
    with pytest.raises(SourceError, match="camera 3 does not open"):
        LiveSource("3", camera, "camera_closed")


class Stream(BaseHTTPRequestHandler):
    """A network camera: JPEGs one after the other, as phones and cheap cameras send them."""

    def do_GET(self) -> None:  # noqa: N802
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for k in range(400):
            jpeg = cv2.imencode(".jpg", np.full((240, 320, 3), k % 250, np.uint8))[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            try:
                self.wfile.write(head.encode() + jpeg + b"\r\n")
            except OSError:
                return
            time.sleep(0.01)

    def log_message(self, *args: Any) -> None:
        pass


def test_a_network_stream_gives_frames() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with open_source(f"http://127.0.0.1:{server.server_port}/video.mjpg") as source:
            frames = [source.read(timeout_s=5.0) for _ in range(5)]
        assert all(frame is not None and frame.image_bgr.shape == (240, 320, 3) for frame in frames)
        numbers = [frame.number for frame in frames if frame is not None]
        assert numbers == sorted(set(numbers)) and source.live and source.ended
    finally:
        server.shutdown()
        server.server_close()
