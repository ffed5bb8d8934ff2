"""The pages: documents that fill themselves from the api."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request, send_from_directory
from flask.typing import ResponseReturnValue

from web.app import current_config
from web.library import Library
from web.texts import LANGUAGES, page_texts

LANGUAGE_COOKIE = "schiri-language"

blueprint = Blueprint("pages", __name__)


@blueprint.app_context_processor
def words() -> dict[str, Any]:
    """What every template may use: ``lang`` of this viewer, ``t`` all words in it, ``has`` for parts by name."""
    lang = viewer_lang()
    return {"lang": lang, "t": page_texts()[lang], "has": current_app.blueprints.__contains__}


def viewer_lang() -> str:
    """The language chosen on a page, else the browser's, else the program's."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen in LANGUAGES:
        return str(chosen)
    wanted = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in wanted if tag in LANGUAGES), current_config().lang)


@blueprint.get("/")
def start() -> ResponseReturnValue:
    """Where everything begins: go on, new game, old games, dice."""
    return render_template("start.html")


@blueprint.get("/game")
def game() -> ResponseReturnValue:
    """The referee."""
    return render_template("game.html")


@blueprint.get("/camera")
def camera() -> ResponseReturnValue:
    """Choosing a camera."""
    return render_template("camera.html")


@blueprint.get("/table")
def table() -> ResponseReturnValue:
    """Measuring the table."""
    return render_template("table.html")


@blueprint.get("/setup")
def setup() -> ResponseReturnValue:
    """Which game, who plays, by which rules."""
    return render_template("setup.html")


@blueprint.get("/board")
def board() -> ResponseReturnValue:
    """The scoreboard; with ``?transparent`` for a stream."""
    return render_template("board.html", transparent="transparent" in request.args)


@blueprint.get("/report")
def report() -> ResponseReturnValue:
    """The report of the game that runs, or of ``?game=N``."""
    return render_template("report.html")


@blueprint.get("/print/<any(markers, charuco):kind>.pdf")
def printed(kind: str) -> ResponseReturnValue:
    """A page to print in true size."""
    from web.printing import pages

    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.pdf"
        {"markers": pages.markers, "charuco": pages.charuco}[kind]().save(path)
        data = path.read_bytes()
    name = {"Content-Disposition": f"inline; filename=schiri-{kind}.pdf"}
    return Response(data, mimetype="application/pdf", headers=name)


@blueprint.get("/api/games")
def games() -> ResponseReturnValue:
    """The games that are kept, newest first."""
    library: Library = current_app.extensions["schiri-library"]
    return jsonify(games=[game.summary() for game in library.games()])


@blueprint.get("/favicon.ico")
def favicon() -> ResponseReturnValue:
    """Browsers ask for this name whatever the page says."""
    return send_from_directory("static", "icon.svg", mimetype="image/svg+xml")
