"""The report of a game and its record to take along."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from fake_game import CODE, turn
from flask.testing import FlaskClient

from rules.record import judge_lines
from vision.hub import Hub
from vision.journal import Journal
from web.app import Config, create_app
from web.desk import Desk
from web.edits import possible_turns
from web.report import chance, chi_square_tail_5, course, roll_counts
from web.shelf import Shelf

SETUP = {"game": "verflixxt", "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}


@pytest.mark.parametrize(("x", "p"), [(0.0, 1.0), (4.351, 0.5), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)])
def test_the_tail_of_chi_square_is_that_of_the_tables(x: float, p: float) -> None:
    assert math.isclose(chi_square_tail_5(x), p, rel_tol=0.002)


@pytest.mark.parametrize(
    ("rolls", "word"),
    [([1, 2, 3] * 3, "Too few"), ([1, 2, 3, 4, 5, 6] * 5, "usual"), ([6] * 15 + [1, 2, 3, 4, 5] * 2, "Unusual")],
)
def test_whether_the_dice_are_unusual_is_said_in_words(rolls: list[int], word: str) -> None:
    said = chance(rolls)
    assert word in said["text"]["en"] and said["text"]["de"]
    assert (said["p"] is None) == (word == "Too few")


def test_course_and_rolls() -> None:
    first = {**turn(1, "Anna"), "scores": {"Anna": -1}}
    turns = [first, {**turn(2, "Ben"), "roll": 6, "scores": {"Anna": -1, "Ben": 4}}]
    assert course(["Anna", "Ben"], turns) == {"Anna": [0, -1, -1], "Ben": [0, 0, 4]}
    assert roll_counts(turns) == [0, 0, 1, 0, 0, 1]


def test_the_running_game_has_a_report(client: FlaskClient, hub: Hub) -> None:
    found = client.get("/api/report").get_json()
    assert [person["turns"] for person in found["people"]] == [1, 1] and found["rolls"][2] == 2
    hub.publish({"state": "waiting", "why": ""})
    assert client.get("/api/report").status_code == 404
    assert client.get("/api/report?game=7").status_code == 404


def test_a_record_can_be_taken_along_and_judged_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite")
    journal.begin(SETUP, "2026-01-02T20:00:00")
    turns = possible_turns(SETUP, [], 3)["candidates"]
    for line in (turns[0], possible_turns(SETUP, turns[:1], 4)["candidates"][-1]):
        journal.add({**line, "t_s": 1.0, "scores": {}})
    journal.close()
    hub = Hub()
    client = create_app(Config(hub, CODE, desk=Desk(hub, Shelf(None), tmp_path / "j.sqlite"))).test_client()
    answer = client.get("/api/report/record.jsonl?game=1", headers={"Accept-Language": "de"})
    assert "attachment" in answer.headers["Content-Disposition"]
    lines = answer.get_data(as_text=True).splitlines()
    assert json.loads(lines[0])["type"] == "setup" and isinstance(json.loads(lines[1])["text"], str)
    judged = list(judge_lines(lines, "de"))
    assert [line["legal"] for line in judged if line["type"] == "turn"] == [True, False]


def test_the_scoreboard_can_be_transparent(client: FlaskClient) -> None:
    assert "is-transparent" in client.get("/board?transparent").get_data(as_text=True)
    assert "is-transparent" not in client.get("/board").get_data(as_text=True)
