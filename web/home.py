"""The way into the page from the home network: opened when somebody at this computer wants it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.errors import UserError

if TYPE_CHECKING:
    from flask import Flask

    from web.front import Front

HTTPS_PORT = 8443


class HomeError(UserError):
    """The home network cannot be reached."""

    TEXTS = {
        "no_network": (
            "Dieser Computer hat keine Adresse im Heimnetz: bitte mit dem WLAN oder Router verbinden.",
            "This computer has no address in the home network: connect it to the wireless network or router.",
        ),
        "no_port": (
            "Für HTTPS ist kein Port frei ({first} bis {last}): bitte andere Programme beenden.",
            "No port is free for HTTPS ({first} to {last}): end other programs.",
        ),
        "no_server": (
            "Hier läuft kein eigener Server, den das Heimnetz erreichen könnte: bitte mit schiri serve starten.",
            "No server of its own runs here that the home network could reach: start it with schiri serve.",
        ),
    }


class HomeNetwork:
    """Opens HTTPS once; ``folder`` keeps the certificate; without one there is no way in."""

    def __init__(self, folder: Path | None, port: int = HTTPS_PORT) -> None:
        self._folder, self._wanted = folder, port
        self._lock = threading.Lock()
        self._app: Flask | None = None
        self._port_here = 0
        self._front: Front | None = None
        self._inner: Any = None

    def serves(self, app: Flask, port_here: int) -> None:
        """Say which application runs at which port of this computer."""
        self._app, self._port_here = app, port_here

    @property
    def front(self) -> Front | None:
        """What listens, None before :meth:`open`."""
        return self._front

    def address(self) -> str:
        """``https://192.168.1.5:8443/``. Raises HomeError without a network; call :meth:`open` first."""
        front = self._front
        if front is None:
            raise HomeError("no_server")
        return f"https://{_home()}:{front.port}/"

    def open(self) -> str:
        """Listen in the home network from now on, if not yet; the page's address there. Raises HomeError."""
        with self._lock:
            if self._front is None:
                self._front = self._opened()
            return self.address()

    def close(self) -> None:
        """Listen no more."""
        with self._lock:
            if self._front is not None:
                self._front.close()
                self._inner.task_dispatcher.shutdown(timeout=3)
                self._inner.trigger.pull_trigger(lambda: self._inner.asyncore.close_all(self._inner._map))

    def _opened(self) -> Front:
        from web.certificate import own_certificate
        from web.front import Front, away
        from web.server import free_port, make_server

        if self._app is None or self._folder is None:
            raise HomeError("no_server")
        try:
            port = free_port("0.0.0.0", self._wanted, 20)
        except OSError as error:
            raise HomeError("no_port", first=self._wanted, last=self._wanted + 19) from error
        certificate = own_certificate(self._folder, [_home()])
        self._inner = make_server(away(self._app), "127.0.0.1", 0)
        threading.Thread(target=self._inner.run, name="from home", daemon=True).start()
        front = Front(certificate, port, self._port_here, self._inner.effective_port)
        front.open()
        return front


def _home() -> str:
    from web.server import home_address

    address = home_address()
    if address is None:
        raise HomeError("no_network")
    return address
