"""A page on a hub that the test fills: no camera, no network."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import driven
import pytest
from fake_game import CODE, snapshot
from flask import Flask
from flask.testing import FlaskClient

from vision.hub import Hub
from web.app import Config, Limits, create_app
from web.cameras import CameraError
from web.desk import Desk
from web.server import make_server, stop
from web.shelf import Shelf


class Viewer(FlaskClient):
    """A browser at ``remote_addr`` that reaches the referee under ``host``."""

    remote_addr, host = "127.0.0.1", "localhost:8123"

    def open(self, *args: Any, **kwargs: Any) -> Any:
        kwargs.setdefault("base_url", f"http://{self.host}/")
        self.environ_base["REMOTE_ADDR"] = self.remote_addr
        return super().open(*args, **kwargs)


@pytest.fixture
def hub() -> Hub:
    """A hub with a game on it."""
    hub = Hub()
    hub.publish(snapshot())
    return hub


@pytest.fixture
def limits() -> Limits:
    """Streams that end fast enough for a test."""
    return Limits(event_slots=2, event_time_s=60.0, event_gap_s=0.0, heartbeat_s=0.05, video_slots=1, video_gap_s=0.0)


@pytest.fixture
def desk(hub: Hub, tmp_path: Path) -> Iterator[Desk]:
    """A desk without a camera yet; what it opens is closed again."""
    desk = Desk(hub, Shelf(tmp_path / "kept"))
    yield desk
    try:
        desk.feed.close()
    except CameraError:
        pass


@pytest.fixture
def app(hub: Hub, limits: Limits) -> Flask:
    return create_app(Config(hub, CODE, limits=limits))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser on the referee's own computer."""
    return Viewer(app)


@pytest.fixture
def away(app: Flask) -> FlaskClient:
    """A browser on another computer of the home network."""
    viewer = Viewer(app)
    viewer.remote_addr, viewer.host = "192.168.1.20", "192.168.1.5:8123"
    return viewer


@pytest.fixture
def address(app: Flask) -> Iterator[tuple[str, int]]:
    """The application behind the real server, on a free port of this computer."""
    server = make_server(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield "127.0.0.1", server.effective_port
    stop(server, app.extensions["schiri"].closing)
    thread.join(5)
    assert not thread.is_alive()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[driven.Program]:
    """A program that knows nothing yet: no camera, no table, no game."""
    with driven.serving(tmp_path) as program:
        yield program


@pytest.fixture(scope="module")
def playwright() -> Iterator[Any]:
    """The driver of browsers."""
    api = pytest.importorskip("playwright.sync_api")
    api.expect.set_options(timeout=driven.PATIENCE_MS)
    with api.sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="module")
def chromium(playwright: Any) -> Iterator[Any]:
    """One Chromium for the tests of a file."""
    browser = driven.launched(playwright)
    yield browser
    browser.close()


@pytest.fixture
def page(chromium: Any, program: driven.Program) -> Iterator[Any]:
    """A page on a laptop, in English. Needs the program, so that it is closed before it."""
    with (
        driven.context_of(chromium, viewport={"width": 1280, "height": 900}, locale="en-GB") as context,
        driven.silent_page(context) as page,
    ):
        yield page
