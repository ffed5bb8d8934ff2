"""The page and the referee in one process: the referee in a thread of its own, the server in the main one."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from web.clibase import BadInput
from web.say import lang, say

if TYPE_CHECKING:
    from web.desk import Desk
    from web.home import HomeNetwork

DEFAULT_PORT = 8123

PATIENCE_S = 8.0
"""How long the referee may take to finish its look at the table when the program ends."""


def serve_page(
    desk: Desk, home: HomeNetwork, host: str, port: int | None, page: str | None, https: bool = False
) -> None:
    """Serve the pages until Ctrl+C while the desk plays its games. Raises what a game of the command line raised.

    ``port``: None takes the first free one from ``DEFAULT_PORT`` on; ``page``: which one to open in the browser,
    None for none; ``https``: let the home network in from the start.
    """
    from web.access import new_code
    from web.app import Config, create_app

    config = Config(desk.hub, new_code(), lang(), desk=desk, home=home)
    app = create_app(config)
    server, port = _server(app, host, port)
    home.serves(app, port)
    secure = home.open() if https else None
    _introduce(host, port, config.code, secure)
    ending = Ending(server, config.closing)
    thread = threading.Thread(target=ending.guard, args=(desk.run,), name="referee", daemon=True)
    with ending.on_signals():
        thread.start()
        if page is not None:
            _open_browser(_address(host, port) + page)
        server.run()
    config.closing.set()
    home.close()
    thread.join(PATIENCE_S)
    if ending.failure is not None:
        raise ending.failure
    if thread.is_alive():
        _end_now()


def _end_now() -> None:
    """End although a network still computes: everything is written, and tearing its threads down would crash."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


class Ending:
    """Ends the server: because somebody wants it (signals), or because the referee has failed."""

    def __init__(self, server: Any, closing: threading.Event) -> None:
        self._server, self._closing = server, closing
        self.failure: Exception | None = None

    def guard(self, referee: Callable[[threading.Event], None]) -> None:
        """Run the referee; a failure ends the server and is kept for the main thread, which can say it."""
        try:
            referee(self._closing)
        except Exception as error:
            self.failure = error
            self.begin()

    def begin(self) -> None:
        """Let the server end, from another thread than its own."""
        from web.server import stop

        threading.Thread(target=stop, args=(self._server, self._closing), daemon=True).start()

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Within the block Ctrl+C ends the server in good order; a second one at once."""

        def end(number: int, frame: FrameType | None) -> None:
            if self._closing.is_set():
                signal.default_int_handler(number, frame)
            self.begin()

        before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _server(app: Any, host: str, port: int | None) -> tuple[Any, int]:
    from web.server import free_port, make_server

    wanted = DEFAULT_PORT if port is None else port
    try:
        chosen = free_port(host, wanted)
        return make_server(app, host, chosen), chosen
    except OSError as error:
        raise BadInput("port_taken", host=host, port=wanted) from error


def _introduce(host: str, port: int, code: str, secure: str | None) -> None:
    from web.access import is_loopback
    from web.server import home_address

    click.echo(say("page_at", address=_address(host, port)))
    home = None if is_loopback(host) else home_address()
    for address in (f"http://{home}:{port}/" if home else None, secure):
        if address:
            click.echo(say("page_in_home", address=address))
    click.echo(say("code_is", code=code))
    click.echo(say("stop_with"))


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def _open_browser(address: str) -> None:
    # Without a desktop some systems would start a browser for the console, which would take the terminal.
    if sys.platform not in ("win32", "darwin") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
