from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from vision.hub import Hub
from web.texts import REFUSALS, page_texts

WEB = Path(__file__).parents[2] / "web"


@pytest.mark.parametrize(
    ("wanted", "lang", "word"),
    [("de-AT,en", "de", "Züge"), ("en", "en", "Turns"), ("fr,de;q=0.5", "de", "Züge"), ("fr", "en", "Turns")],
)
def test_the_page_speaks_the_language_of_the_browser(client: FlaskClient, wanted: str, lang: str, word: str) -> None:
    page = client.get("/game", headers={"Accept-Language": wanted}).get_data(as_text=True)
    assert f'<html lang="{lang}" ' in page
    assert word in page


def test_both_languages_have_the_same_words_with_the_same_facts() -> None:
    german, english = page_texts()["de"], page_texts()["en"]
    assert german.keys() == english.keys()
    for key in german:
        assert set(re.findall(r"\{\w+\}", german[key])) == set(re.findall(r"\{\w+\}", english[key])), key
    assert all(german.values()) and all(english.values())
    assert all(de and en and de != en for de, en in REFUSALS.values())


SCRIPTS = "\n".join(path.read_text("utf-8") for path in sorted((WEB / "static" / "js").glob("*.js")))
TEMPLATES = "\n".join(path.read_text("utf-8") for path in sorted((WEB / "templates").glob("*.html")))


def test_every_word_that_the_pages_ask_for_is_there() -> None:
    asked = set(re.findall(r'\bt\("(\w+)"', SCRIPTS)) | set(re.findall(r'data-t(?:-\w+)?="(\w+)"', TEMPLATES))
    asked |= set(re.findall(r"\bt\.(\w+)", TEMPLATES)) - {"key"}
    assert len(asked) > 60
    assert asked - {"key"} <= page_texts()["en"].keys()


def test_no_word_stands_in_two_files() -> None:
    keys = [key for path in (WEB / "static").glob("texts*.json") for key in json.loads(path.read_text("utf-8"))["de"]]
    assert sorted(keys) == sorted(set(keys))


def test_every_icon_that_the_pages_ask_for_is_there() -> None:
    sheet = set(re.findall(r'id="i-([\w-]+)"', (WEB / "templates" / "icons.svg").read_text("utf-8")))
    asked = set(re.findall(r'icon\("([\w-]+)"', SCRIPTS)) | set(re.findall(r'#i-([\w-]+)"', TEMPLATES))
    assert asked <= sheet
    states = {"waiting", "hand_in_view", "settling", "at_rest", "move_seen", "needs_you", "lost"}
    assert states | {f"die-{n}" for n in range(7)} <= sheet


PAGES = (
    "/", "/camera", "/table", "/setup", "/game", "/board", "/board?transparent", "/report", "/phone", "/phone/warning",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_the_policy_is_strict_and_nothing_comes_from_elsewhere(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    page = answer.get_data(as_text=True)
    assert not re.search(r"<script(?![^>]*\bsrc=)", page), "no inline script"
    assert "<style" not in page and not re.search(r"\sstyle=", page), "no inline style"
    assert not re.search(r"\son\w+=", page), "no inline handler"
    sources = re.findall(r'<(?:link|script|img)[^>]* (?:src|href)="([^"#]+)"', page)
    assert sources and all(source.startswith("/static/") for source in sources)
    assert all(address.startswith("/") for address in re.findall(r'href="([^"#]+)"', page))
    for source in sources:
        assert client.get(source, buffered=True).status_code == 200, source


def test_every_answer_has_the_safe_headers(client: FlaskClient) -> None:
    for path in ("/", "/api/snapshot", "/nothing", "/static/texts.json", "/favicon.ico"):
        answer = client.get(path, buffered=True)
        assert answer.headers["X-Content-Type-Options"] == "nosniff", path
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin", path
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], path


def test_errors_are_sentences(client: FlaskClient) -> None:
    answer = client.get("/nothing")
    assert answer.status_code == 404
    assert json.loads(answer.data)["error"] == {
        "de": "Diese Adresse gibt es nicht.", "en": "There is no such address."
    }  # fmt: skip


def test_pictures(client: FlaskClient, hub: Hub) -> None:
    assert client.get("/camera/frame.jpg").status_code == 204
    hub.show(np.full((720, 2560, 3), (0, 0, 255), np.uint8))
    answer = client.get("/camera/frame.jpg")
    assert answer.mimetype == "image/jpeg" and answer.headers["X-Picture"] == "1"
    assert answer.data[:2] == b"\xff\xd8"
    import cv2

    decoded = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None and decoded.shape == (360, 1280, 3)
    assert np.abs(decoded.astype(int) - (0, 0, 255)).max() < 12
    assert client.get("/camera/frame.jpg?after=1").status_code == 204


def test_video_streams_are_bounded(app: Flask, client: FlaskClient, hub: Hub) -> None:
    hub.show(np.zeros((48, 64, 3), np.uint8))
    first = client.get("/camera/stream.mjpg", buffered=False)
    part = next(iter(first.response))
    assert part.startswith(b"--schiri-picture\r\nContent-Type: image/jpeg") and b"\xff\xd8" in part
    assert client.get("/camera/stream.mjpg").status_code == 503
    first.close()
    assert client.get("/camera/stream.mjpg", buffered=False).status_code == 200


def test_markers_can_be_printed_from_the_page(client: FlaskClient) -> None:
    answer = client.get("/print/markers.pdf")
    assert answer.mimetype == "application/pdf" and answer.data.startswith(b"%PDF")
    assert client.get("/print/passwd.pdf").status_code == 404
