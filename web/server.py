"""Serving the application: one process, waitress, enough threads for all streams and then some."""

from __future__ import annotations

import socket
import threading
from contextlib import closing
from typing import Any

THREADS = 40
"""16 event streams and 4 video streams at most (see :class:`web.app.Limits`) leave 20 for short requests."""

MB = 1_000_000


def make_server(app: Any, host: str, port: int) -> Any:
    """A waitress server already listening; ``run()`` serves until closed. Raises OSError where the port is taken."""
    from waitress.server import create_server

    return create_server(
        app,
        host=host,
        port=port,
        threads=THREADS,
        ident="",
        connection_limit=200,
        channel_timeout=60,
        # A stream may fill this without blocking its thread: larger than the largest that a stream sends in all.
        outbuf_high_watermark=32 * MB,
        # One request ahead is what lets the server see that a viewer has gone while its stream still runs.
        channel_request_lookahead=1,
        max_request_body_size=24 * MB,  # photos; what else is posted is bounded far lower by the application
        # Seen on purpose: a request that says it was passed on does not count as coming from this computer.
        clear_untrusted_proxy_headers=False,
    )


def stop(server: Any, closing: threading.Event) -> None:
    """End a server that another thread runs: first its streams, then its connections."""
    closing.set()
    server.task_dispatcher.shutdown(timeout=3)
    # In the server's own thread, since nothing else may touch its connections.
    server.trigger.pull_trigger(lambda: server.asyncore.close_all(server._map))


def free_port(host: str, wanted: int, tries: int = 10) -> int:
    """The first port from ``wanted`` on that can be listened at. Raises OSError where none of ``tries`` can."""
    for port in range(wanted, wanted + tries):
        if _can_listen(host, port):
            return port
    raise OSError(f"ports {wanted} to {wanted + tries - 1} are taken")


def home_address() -> str | None:
    """This computer's address in the home network, None without one. Sends nothing."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only makes the system choose a way out
            return str(probe.getsockname()[0])
        except OSError:
            return None


def _can_listen(host: str, port: int) -> bool:
    with closing(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)) as probe:
        # On Windows "reuse" would take a port away from whoever listens there.
        alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if alone is None else alone, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True
