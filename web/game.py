"""The page: one document that fills itself from ``/api/events`` (or ``/api/snapshot`` where that is not possible)."""

from __future__ import annotations

from flask import Blueprint, render_template, request, send_from_directory
from flask.typing import ResponseReturnValue

from web.app import current_config
from web.texts import LANGUAGES, page_texts

blueprint = Blueprint("game", __name__)


@blueprint.get("/")
def page() -> ResponseReturnValue:
    """The referee page in the language of the browser; the page can switch it without the server."""
    wanted = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    lang = next((tag for tag in wanted if tag in LANGUAGES), current_config().lang)
    return render_template("game.html", lang=lang, t=page_texts()[lang])


@blueprint.get("/favicon.ico")
def favicon() -> ResponseReturnValue:
    """Browsers ask for this name whatever the page says."""
    return send_from_directory("static", "icon.svg", mimetype="image/svg+xml")
