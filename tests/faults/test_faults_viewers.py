"""Thirty browsers at once, sixteen of which never read: whoever reads sees the newest at once."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from vision.hub import Hub
from web.app import Config, Limits, create_app
from web.clibase import BadInput
from web.commands.page import _server
from web.server import make_server, stop

Address = tuple[str, int]


@pytest.fixture
def hub() -> Hub:
    hub = Hub()
    hub.publish({"state": "at_rest", "turn": 1})
    return hub


@pytest.fixture
def address(hub: Hub) -> Iterator[Address]:
    app = create_app(Config(hub, "", limits=Limits()))
    server = make_server(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield "127.0.0.1", server.effective_port
    stop(server, app.extensions["schiri"].closing)
    thread.join(10)


def asking(address: Address) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection(*address, timeout=20)
    connection.request("GET", "/api/events")
    return connection, connection.getresponse()


def newest(answer: http.client.HTTPResponse, turn: int) -> None:
    """Read until the snapshot of this turn has come."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        line = answer.readline()
        if line.startswith(b"data: ") and json.loads(line[6:]).get("turn") == turn:
            return
    raise AssertionError("the snapshot did not come")


def test_thirty_viewers_see_the_newest(address: Address, hub: Hub) -> None:
    viewers = [asking(address) for _ in range(30)]
    streams = [answer for _, answer in viewers if answer.status == 200]
    refused = [answer for _, answer in viewers if answer.status == 503]
    assert (len(streams), len(refused)) == (16, 14)
    hub.publish({"state": "at_rest", "turn": 2})
    for answer in streams:
        newest(answer, 2)
    for _ in refused:
        connection = http.client.HTTPConnection(*address, timeout=20)
        connection.request("GET", "/api/snapshot")
        assert json.load(connection.getresponse())["turn"] == 2
        connection.close()
    for connection, _ in viewers:
        connection.close()


def test_sixteen_that_never_read_stop_nobody(address: Address, hub: Hub) -> None:
    silent = [socket.create_connection(address, timeout=20) for _ in range(16)]
    for viewer in silent:
        viewer.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    until = time.monotonic() + 20
    while len(hub._subscribers) < 16:
        assert time.monotonic() < until
        time.sleep(0.01)
    bulky = [{"text": "x" * 500} for _ in range(40)]
    for turn in range(300):
        hub.publish({"state": "at_rest", "turn": turn, "turns": bulky})
    connection = http.client.HTTPConnection(*address, timeout=20)
    connection.request("GET", "/api/snapshot")
    assert json.load(connection.getresponse())["turn"] == 299
    for viewer in (*silent, connection):
        viewer.close()


def test_a_taken_port_is_told_in_a_sentence(hub: Hub) -> None:
    app = create_app(Config(hub, ""))
    taken: list[socket.socket] = []
    try:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            first = min(probe.getsockname()[1], 65_000)
        for port in range(first, first + 10):
            try:
                taken.append(socket.create_server(("127.0.0.1", port)))
            except OSError:  # by somebody else: just as good
                continue
        with pytest.raises(BadInput) as told:
            _server(app, "127.0.0.1", first)
        assert str(first) in told.value.sentence()
    finally:
        for one in taken:
            one.close()
