"""Who may look and who may control: host names, same origin, the control code."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Request

HOME_SUFFIXES = (".localhost", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
"""Endings of names that only a home network hands out."""

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
"""Headers that say: this request came through another machine."""

CODE_HEADER = "X-Schiri-Code"

AWAY = "schiri.away"
"""In the environment of a request: it came from another computer, whatever its address says."""


def new_code() -> str:
    """Six random digits, to be shown on the console and typed into the page."""
    return f"{secrets.randbelow(1_000_000):06d}"


def host_allowed(host: str, own: frozenset[str] = frozenset()) -> bool:
    """Whether a ``Host`` header can only mean this computer: an address, a home-network name, one of ``own``."""
    name = _host_name(host)
    if not name:
        return False
    if _address(name) is not None or name in own or "." not in name:
        return True
    return name.endswith(HOME_SUFFIXES)


def is_local(request: Request) -> bool:
    """Whether the request was made on this computer, by its own name, and not passed on by another."""
    if AWAY in request.environ or any(header in request.headers for header in FORWARDED):
        return False
    return is_loopback(request.remote_addr or "") and is_loopback(_host_name(request.host))


def same_origin(request: Request) -> bool:
    """Whether a browser sent this from our own page (or no browser sent it at all)."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == request.host


class Attempts:
    """Counts wrong codes: after ``limit`` within ``window_s`` seconds nobody may try until some time has passed."""

    def __init__(self, limit: int = 10, window_s: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._window_s, self._clock = limit, window_s, clock
        self._wrong: deque[float] = deque()
        self._lock = threading.Lock()

    def exhausted(self) -> bool:
        """True while no further code is looked at."""
        with self._lock:
            self._forget_old()
            return len(self._wrong) >= self._limit

    def matches(self, given: str, code: str) -> bool:
        """Compare in constant time and count a wrong one."""
        if hmac.compare_digest(given.encode(), code.encode()):
            return True
        with self._lock:
            self._wrong.append(self._clock())
        return False

    def _forget_old(self) -> None:
        while self._wrong and self._clock() - self._wrong[0] > self._window_s:
            self._wrong.popleft()


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def is_loopback(name: str) -> bool:
    """Whether a host name or address means this computer and nothing else."""
    address = _address(name)
    if address is None:
        return name == "localhost"
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)
