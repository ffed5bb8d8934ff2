"""The application behind the real server: slow and hung viewers must not matter to anybody else."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from fake_game import snapshot

from vision.hub import Hub
from web.app import Limits
from web.server import THREADS, free_port

Address = tuple[str, int]

PATIENCE_S = 60.0
"""Longer than anything takes on a busy computer."""


@contextmanager
def get(address: Address, path: str) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection(*address, timeout=PATIENCE_S)
    connection.request("GET", path)
    try:
        with connection.getresponse() as answer:
            yield answer
    finally:
        connection.close()


def stalled_viewer(address: Address, path: str) -> socket.socket:
    """Asks, sees that it is served, and then never reads."""
    viewer = socket.create_connection(address, timeout=PATIENCE_S)
    viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    viewer.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert viewer.recv(12) == b"HTTP/1.1 200"
    return viewer


def test_there_are_threads_left_when_all_streams_run() -> None:
    limits = Limits()
    assert THREADS >= 32
    assert THREADS - limits.event_slots - limits.video_slots >= 16


def test_a_stalled_viewer_blocks_nobody(address: Address, hub: Hub) -> None:
    with stalled_viewer(address, "/api/events"):
        bulky = [{"text": {"de": "x" * 500, "en": "y" * 500}, "turn": n} for n in range(100)]
        start = time.monotonic()
        for n in range(2000):
            hub.publish(snapshot(turns=bulky, turn=n))
        took_s = time.monotonic() - start
        assert took_s < 10.0, "publishing waits for nobody: 2000 snapshots, while the viewer never reads"
        with get(address, "/api/snapshot") as answer:
            assert json.loads(answer.read())["turn"] == 1999
        with get(address, "/api/events") as reader:
            assert reader.status == 200
            assert reader.readline() == b"retry: 2000\n"


@pytest.mark.parametrize("path", ["/api/events", "/camera/stream.mjpg"])
class TestStalled:
    @pytest.fixture
    def limits(self) -> Limits:
        return Limits(event_slots=1, event_time_s=3, event_gap_s=0, video_slots=1, video_time_s=3, video_gap_s=0)

    def test_a_stalled_viewer_gives_its_slot_back(self, address: Address, hub: Hub, path: str) -> None:
        noise = np.random.default_rng(7).integers(0, 255, (360, 640, 3), np.uint8)
        hub.show(noise)
        with stalled_viewer(address, path):
            until = time.monotonic() + PATIENCE_S
            answers: list[int] = []
            while answers[-1:] != [200] and time.monotonic() < until:
                hub.show(noise)
                hub.publish(snapshot(turns=[{"text": "x" * 10_000}]))
                with get(address, path) as answer:
                    answers.append(answer.status)
                time.sleep(0.02)
            assert answers[0] == 503, "the slot was taken at first"
            assert answers[-1] == 200, "and free again although nobody read"


class TestLeaving:
    @pytest.fixture
    def limits(self) -> Limits:
        return Limits(event_slots=2, event_time_s=10 * PATIENCE_S, heartbeat_s=0.05)

    def test_a_viewer_that_leaves_gives_its_slot_back(self, address: Address) -> None:
        for _ in range(6):  # three times the slots there are
            until = time.monotonic() + PATIENCE_S
            while not self.served(address):
                assert time.monotonic() < until, "long before its time is over"
                time.sleep(0.05)

    def served(self, address: Address) -> bool:
        with get(address, "/api/events") as viewer:
            return viewer.status == 200 and bool(viewer.readline())


def test_a_taken_port_is_passed_over() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert free_port("127.0.0.1", port) > port
        with pytest.raises(OSError):
            free_port("127.0.0.1", port, tries=1)
