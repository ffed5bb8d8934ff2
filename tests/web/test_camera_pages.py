"""Choosing a camera, the phone as camera, the way in from the home network."""

from __future__ import annotations

import shutil
import socket
import ssl
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from driven import wait_until
from fake_game import CODE, snapshot
from flask import Flask
from flask.testing import FlaskClient

from vision.hub import Hub
from web import home
from web.app import Config, create_app
from web.cameras import DEMO_VIDEO, CameraError, stream
from web.certificate import own_certificate
from web.desk import Desk
from web.home import HomeNetwork
from web.photos import jpeg_size
from web.server import make_server, stop

JPEG = {"Content-Type": "image/jpeg"}


@pytest.fixture
def app(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setattr(home, "_home", lambda: "127.0.0.1")
    return create_app(Config(desk.hub, CODE, desk=desk, home=HomeNetwork(tmp_path / "https", 18443)))


def jpeg(width: int = 64, height: int = 48) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((height, width, 3), 77, np.uint8))[1].tobytes())


def test_addresses_of_streams_are_checked() -> None:
    camera = stream(" rtsp://me:secret@192.168.1.7/live?x=1 ")
    assert camera.spec == "rtsp://me:secret@192.168.1.7/live?x=1"
    assert camera.name == "rtsp://192.168.1.7/live", "nobody who looks on sees the password"
    for bad in ("", "file:///etc/passwd", "/etc/passwd", "rtsp://", "http:// a b", "javascript:1"):
        with pytest.raises(CameraError):
            stream(bad)


def test_a_browser_names_cameras_by_id_and_never_by_path(client: FlaskClient, away: FlaskClient) -> None:
    listed = client.get("/api/cameras").get_json()
    assert listed["chosen"] is None
    kinds = {camera["id"]: camera["kind"] for camera in listed["cameras"]}
    assert kinds["phone"] == "phone"
    assert all(set(camera) == {"id", "kind", "name"} for camera in listed["cameras"])
    for bad in ("/etc/passwd", "../../etc/passwd", str(DEMO_VIDEO), "0"):
        answer = client.post("/api/camera", json={"id": bad})
        assert answer.status_code == 400 and answer.get_json()["error"]["de"]
    assert away.get("/api/cameras").status_code == 401
    assert away.post("/api/camera", json={"id": "phone"}).status_code == 401


@pytest.mark.skipif(not DEMO_VIDEO.is_file(), reason="the demo recording is not there")
def test_a_recording_shows_its_first_picture(client: FlaskClient) -> None:
    assert client.get("/camera/raw.jpg").status_code == 204
    state = client.post("/api/camera", json={"id": "video-demo"}).get_json()
    assert state["camera"]["size"] == [1280, 720] and state["camera"]["connected"]
    picture = client.get("/camera/raw.jpg")
    assert picture.headers["X-Size"] == "1280x720" and picture.data[:2] == b"\xff\xd8"
    assert client.get("/camera/raw.jpg?after=1").status_code == 204
    preview = client.post("/api/cameras/video-demo/preview")
    assert preview.mimetype == "image/jpeg" and len(preview.data) < len(picture.data)


def test_a_phone_needs_the_key_of_the_code(client: FlaskClient, away: FlaskClient, desk: Desk) -> None:
    assert away.post("/api/phone").status_code == 401
    invited = client.post("/api/phone", json={"here": True}).get_json()
    assert invited["code"].startswith("<svg xmlns=")
    address, _, key = invited["address"].partition("#")
    assert address.endswith("/phone") and len(key) >= 20
    for wrong in ({}, {"X-Schiri-Phone": ""}, {"X-Schiri-Phone": key[:-1]}):
        assert away.post("/phone/picture", data=jpeg(), headers={**JPEG, **wrong}).status_code == 403
    right = {**JPEG, "X-Schiri-Phone": key}
    assert away.post("/phone/picture", data=jpeg(), headers=right).status_code == 204
    wait_until(lambda: desk.feed.picture()[1] is not None)
    assert desk.picture().shape == (48, 64, 3)
    desk.feed.keep(desk.picture())
    assert desk.feed.connected
    assert away.post("/phone/picture", data=b"\xff\xd8nonsense", headers=right).status_code == 400
    assert away.post("/phone/picture", data=b"x" * 3_100_000, headers=right).status_code == 413
    evil = {**right, "Origin": "https://evil.example"}
    assert away.post("/phone/picture", data=jpeg(), headers=evil).status_code == 403


@pytest.mark.skipif(not DEMO_VIDEO.is_file(), reason="the demo recording is not there")
def test_a_phone_is_told_when_another_camera_is_used(client: FlaskClient) -> None:
    key = client.post("/api/phone", json={"here": True}).get_json()["address"].partition("#")[2]
    client.post("/api/camera", json={"id": "video-demo"})
    answer = client.post("/phone/picture", data=jpeg(), headers={**JPEG, "X-Schiri-Phone": key})
    assert answer.status_code == 409 and "camera" in answer.get_json()["error"]["en"]


def test_the_size_of_a_picture_is_known_before_it_is_unpacked() -> None:
    assert jpeg_size(jpeg(64, 48)) == (64, 48)
    for broken in (b"", b"\x89PNG....", b"\xff\xd8\xff", b"\xff\xd8" + b"\x00" * 40, jpeg()[:10]):
        assert jpeg_size(broken) is None


def test_the_certificate_is_kept_and_renewed_for_another_address(tmp_path: Path) -> None:
    first = own_certificate(tmp_path, ["192.168.1.5"])
    assert first.key.stat().st_mode & 0o077 == 0
    assert own_certificate(tmp_path, ["192.168.1.5"]) == first
    other = own_certificate(tmp_path, ["192.168.1.6"])
    assert other.fingerprint != first.fingerprint
    other.certificate.write_text("broken")
    assert own_certificate(tmp_path, ["192.168.1.6"]).fingerprint != other.fingerprint


def test_https_serves_the_page_and_does_not_take_others_for_this_computer(
    app: Flask, hub: Hub, tmp_path: Path
) -> None:
    server = make_server(app, "127.0.0.1", 0)
    threading.Thread(target=server.run, daemon=True).start()
    network: HomeNetwork = app.extensions["schiri-home"]
    network.serves(app, server.effective_port)
    address = network.open()
    assert address == network.open(), "opened once"
    front = network.front
    assert front is not None
    trusting = ssl.create_default_context(cafile=str(front.certificate.certificate))
    hub.publish(snapshot(turn=7))
    with urllib.request.urlopen(f"{address}api/snapshot", context=trusting, timeout=60) as answer:
        assert b'"turn":7' in answer.read()
    with urllib.request.urlopen(f"{address}api/access", context=trusting, timeout=60) as answer:
        assert b'"control":true' in answer.read(), "this very computer"
    inner: Any = network._inner
    behind = f"http://127.0.0.1:{inner.effective_port}/api/access"
    request = urllib.request.Request(behind, headers={"Host": "localhost"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert b'"control":false' in answer.read(), "whatever the Host header says"
    with socket.create_connection(("127.0.0.1", front.port), timeout=60) as hung:
        hung.sendall(b"\x16\x03")  # a handshake that never goes on blocks nobody
        with urllib.request.urlopen(f"{address}api/snapshot", context=trusting, timeout=60) as answer:
            assert answer.status == 200
    network.close()
    stop(server, app.extensions["schiri"].closing)


def plug_in(devices: Path, name: str, index: str = "0", label: str = "HD Webcam: HD Webcam") -> None:
    (devices / name).mkdir(parents=True)
    (devices / name / "name").write_text(f"{label}\n")
    (devices / name / "index").write_text(f"{index}\n")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="cameras are listed by the system on Linux only")
def test_cameras_appear_and_go_as_they_are_plugged_in_and_out(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = tmp_path / "video4linux"
    monkeypatch.setattr("web.cameras._DEVICES", devices)

    def listed() -> dict[str, str]:
        found = client.get("/api/cameras").get_json()["cameras"]
        return {camera["id"]: camera["name"] for camera in found if camera["kind"] == "camera"}

    assert listed() == {}
    plug_in(devices, "video0")
    plug_in(devices, "video1", index="1")
    plug_in(devices, "video10", label="Document camera")
    plug_in(devices, "video2", label="")
    assert list(listed().items()) == [
        ("camera-video0", "HD Webcam"), ("camera-video2", "video2"), ("camera-video10", "Document camera"),
    ]  # fmt: skip
    shutil.rmtree(devices / "video0")
    assert "camera-video0" not in listed()
    answer = client.post("/api/camera", json={"id": "camera-video0"})
    assert answer.status_code == 400 and "plugged in" in answer.get_json()["error"]["en"]
