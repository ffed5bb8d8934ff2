"""A phone as camera: its browser takes the pictures and posts them, a key in the QR code lets it."""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING

from flask import Blueprint, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from web.app import refusal
from web.guard import controlled, refuse_foreign
from web.photos import jpeg_size, unpacked

if TYPE_CHECKING:
    from vision.live import NewestFrame
    from web.desk import Desk
    from web.home import HomeNetwork

PICTURE_LIMIT = 3_000_000
"""Bytes of one picture; a full HD picture of a phone has about 500,000."""

MOST_PIXELS = 3840 * 2160
KEY_HEADER = "X-Schiri-Phone"

blueprint = Blueprint("phone", __name__)


class PhoneKey:
    """What lets a phone post pictures: made anew whenever somebody wants to use a phone."""

    def __init__(self) -> None:
        self._key = ""

    def renew(self) -> str:
        """A new key; the one before is worth nothing any more."""
        self._key = secrets.token_urlsafe(18)
        return self._key

    def current(self) -> str:
        """The key in force, made now if there is none."""
        return self._key or self.renew()

    def fits(self, given: str) -> bool:
        """Whether ``given`` is the key in force."""
        return bool(self._key) and hmac.compare_digest(given.encode(), self._key.encode())


@blueprint.get("/phone")
def page() -> ResponseReturnValue:
    """The page that a phone opens by its QR code; the key stands behind the ``#`` and never reaches a log."""
    return render_template("phone.html")


@blueprint.get("/phone/warning")
def warning() -> ResponseReturnValue:
    """Why the browser warns of this page, and what to do."""
    home: HomeNetwork | None = current_app.extensions["schiri-home"]
    front = home.front if home is not None else None
    return render_template("warning.html", fingerprint=front.certificate.fingerprint if front else None)


@blueprint.post("/api/phone")
@controlled
def invite() -> ResponseReturnValue:
    """Take the phone for the camera: opens the home network, answers with the address and its QR code (SVG).

    ``{"here": true}`` gives the address on this very computer, for trying it out with its own camera.
    """
    from web.cameras import PHONE

    desk: Desk = current_app.extensions["schiri-desk"]
    home: HomeNetwork = current_app.extensions["schiri-home"]
    key: PhoneKey = current_app.extensions["schiri-phone"]
    here = bool((request.get_json(silent=True) or {}).get("here"))
    base = request.host_url if here else home.open()
    desk.choose(PHONE)
    address = f"{base}phone#{key.current()}"
    fingerprint = None if here or home.front is None else home.front.certificate.fingerprint
    return jsonify(address=address, code=_qr(address), fingerprint=fingerprint)


@blueprint.post("/api/home")
@controlled
def let_in() -> ResponseReturnValue:
    """Let the home network watch: the address of the page there and its QR code (SVG)."""
    home: HomeNetwork = current_app.extensions["schiri-home"]
    address = home.open()
    return jsonify(address=address, code=_qr(f"{address}game"))


@blueprint.get("/phone/access")
def may() -> ResponseReturnValue:
    """Whether this phone's key is the one in force, and whether pictures are wanted now."""
    problem = _refuse()
    if problem is not None:
        return problem
    return jsonify(wanted=_slot() is not None)


@blueprint.post("/phone/picture")
def picture() -> ResponseReturnValue:
    """One JPEG. 204: taken; 409: another camera has been chosen meanwhile."""
    request.max_content_length = PICTURE_LIMIT
    problem = _refuse()
    if problem is not None:
        return problem
    slot = _slot()
    if slot is None:
        return refusal(409, "phone_not_wanted")
    data = request.get_data(cache=False)
    image = unpacked(data, jpeg_size(data), MOST_PIXELS)
    if image is None:
        return refusal(400, "no_jpeg")
    slot.put(image)
    return "", 204


def _refuse() -> ResponseReturnValue | None:
    foreign = refuse_foreign()
    if foreign is not None:
        return foreign
    key: PhoneKey = current_app.extensions["schiri-phone"]
    return None if key.fits(request.headers.get(KEY_HEADER, "")) else refusal(403, "phone_key")


def _slot() -> NewestFrame | None:
    from web.cameras import CameraError

    desk: Desk = current_app.extensions["schiri-desk"]
    try:
        return desk.feed.phone
    except CameraError:
        return None


def _qr(text: str) -> str:
    import segno

    svg: str = segno.make(text, error="m").svg_inline(scale=8, border=3, dark="#10231d", light="#ffffff")
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
