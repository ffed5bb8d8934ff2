"""What may have happened, for somebody who puts a wrong verdict right."""

from __future__ import annotations

from typing import Any

import pytest
from fake_game import snapshot
from flask import Flask
from flask.testing import FlaskClient

from vision.hub import Hub
from web.edits import possible_turns, readable

SETUP = {"game": "verflixxt", "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}


def played(*rolls: int) -> list[dict[str, Any]]:
    """The first legal turn for each roll, one after the other."""
    turns: list[dict[str, Any]] = []
    for roll in rolls:
        turns.append(possible_turns(SETUP, turns, roll)["candidates"][0])
    return turns


@pytest.fixture
def playing(app: Flask, client: FlaskClient, hub: Hub) -> FlaskClient:
    """A browser while a game runs that has had two turns."""
    app.extensions["schiri-desk"]._now.setup = SETUP
    hub.publish(snapshot(turns=played(3, 4)))
    return client


def test_legal_turns_come_first_and_every_turn_has_its_sentence(playing: FlaskClient) -> None:
    found = playing.post("/api/game/candidates", json={"index": 2, "roll": 2}).get_json()
    assert found["player"] == "Anna"
    legal = [turn["legal"] for turn in found["candidates"]]
    assert legal[0] and not legal[-1] and legal == sorted(legal, reverse=True)
    for turn in found["candidates"]:
        assert turn["text"]["de"] and turn["text"]["en"] and turn["player"] == "Anna"
        assert turn["legal"] == (not turn["violations"])


@pytest.mark.parametrize(
    "wanted",
    [
        {}, {"index": 3, "roll": 1}, {"index": -1, "roll": 1}, {"index": 0, "roll": 0}, {"index": True, "roll": 1},
        {"index": 0, "roll": "6"}, {"index": 0, "roll": 99},
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(playing: FlaskClient, wanted: dict[str, Any]) -> None:
    assert playing.post("/api/game/candidates", json=wanted).status_code == 400


def test_without_a_game_there_is_nothing_to_edit(client: FlaskClient, away: FlaskClient) -> None:
    assert client.post("/api/game/candidates", json={"index": 0, "roll": 1}).status_code == 400
    assert away.post("/api/game/candidates", json={"index": 0, "roll": 1}).status_code == 401


def test_edits_that_can_be_read_reach_the_referee(playing: FlaskClient, hub: Hub) -> None:
    turn = playing.post("/api/game/candidates", json={"index": 1, "roll": 5}).get_json()["candidates"][0]
    for wanted in ({"do": "change", "index": 1, "turn": turn}, {"do": "insert", "index": 1, "turn": turn}):
        assert playing.post("/api/command", json=wanted).status_code == 202
        assert hub.commands.get_nowait() == wanted
    broken = {**turn, "moves": [{"piece": "pawn:green", "from": "start", "to": 5}]}
    answer = playing.post("/api/command", json={"do": "change", "index": 1, "turn": broken})
    assert answer.status_code == 400 and "fit" in answer.get_json()["error"]["en"]
    assert hub.commands.empty()


def test_readable_is_about_what_came_before() -> None:
    first, second = played(3, 4)
    assert readable(SETUP, [first], second)
    assert not readable(SETUP, [], {**first, "player": "Nobody"})
