"""HTTPS for the home network: takes connections, ends their encryption, hands the bytes to the server behind.

Which server that is depends on who calls: requests from this computer go to the page's own server, all others to one
that marks them (:func:`away`), so that nobody in the home network can pass for the person at this computer.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from web.access import AWAY, is_loopback

if TYPE_CHECKING:
    from flask import Flask

    from web.certificate import Certificate

MOST_CONNECTIONS = 120
IDLE_S = 90.0
HANDSHAKE_S = 10.0
CHUNK = 64 * 1024


def away(app: Flask) -> Callable[[dict[str, Any], Any], Iterable[bytes]]:
    """The same application for requests from other computers."""

    def marked(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        environ[AWAY] = True
        environ["wsgi.url_scheme"] = "https"
        return app.wsgi_app(environ, start_response)

    return marked


class Front:
    """Listens at ``port`` of all addresses once :meth:`open` was called. ``port_here``, ``port_away``: the servers
    behind it, on this computer."""

    def __init__(self, certificate: Certificate, port: int, port_here: int, port_away: int) -> None:
        self.certificate, self.port = certificate, port
        self._behind = {True: port_here, False: port_away}
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate.certificate, certificate.key)
        self._count = 0
        self._failure: OSError | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending: asyncio.Event | None = None
        self._thread: threading.Thread | None = None

    def open(self, host: str = "0.0.0.0") -> None:
        """Begin to listen. Raises OSError where the port is taken."""
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(host, ready)), name="https", daemon=True)
        self._thread.start()
        ready.wait()
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """Listen no more, drop all connections."""
        if self._thread is not None and self._loop is not None and self._ending is not None:
            self._loop.call_soon_threadsafe(self._ending.set)
            self._thread.join(5)

    async def _run(self, host: str, ready: threading.Event) -> None:
        self._loop, self._ending = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(lambda loop, facts: None)  # connections that break are nobody's fault
        try:
            server = await asyncio.start_server(
                self._take, host, self.port, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_S, limit=CHUNK
            )
            self.port = server.sockets[0].getsockname()[1]
        except OSError as error:
            self._failure = error
            return
        finally:
            ready.set()
        await self._ending.wait()
        server.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._count >= MOST_CONNECTIONS:
            writer.close()
            return
        self._count += 1
        try:
            await self._serve(reader, writer)
        except (TimeoutError, OSError, ssl.SSLError):
            pass  # the viewer has gone; nobody to tell
        finally:
            self._count -= 1
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername")
        port = self._behind[is_loopback(str(peer[0]) if peer else "")]
        inner, outer = await asyncio.open_connection("127.0.0.1", port, limit=CHUNK)
        try:
            ways = [asyncio.ensure_future(_copy(reader, outer)), asyncio.ensure_future(_copy(inner, writer))]
            _, rest = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in rest:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        finally:
            outer.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Hand bytes on until one side ends or is silent for too long; waits where the other side is slow."""
    while data := await asyncio.wait_for(source.read(CHUNK), IDLE_S):
        target.write(data)
        await asyncio.wait_for(target.drain(), IDLE_S)
