"""One check for every game: random games to the end, and at every step what must hold whatever the game is.

A game's own tests call :func:`play_games` with its setup; see ``test_verflixxt_playouts.py``.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.protocol import Game
from rules.record import judge_lines, line_text
from rules.texts import WORDINGS, violation_text

Conserved = Callable[[Any], object]


def play_games(
    game: Game[Any, Any],
    setup: Mapping[str, Any],
    *,
    seed: int,
    games: int,
    rolls: Iterable[int] = range(1, 7),
    conserved: Conserved = lambda state: None,
    candidates_every: int = 0,
    mistakes: float = 0.0,
    turns_at_most: int = 5000,
) -> int:
    """Play ``games`` random games to the end; returns the number of turns.

    ``conserved(state)`` must stay the same during a game (pieces, tiles); ``candidates_every``: check the candidates
    every so many turns; ``mistakes``: share of turns in which a random illegal candidate is played.
    """
    rng, faces, turns = random.Random(seed), tuple(rolls), 0
    for _ in range(games):
        state = game.start(setup)
        kept = conserved(state)
        lines = [line_text({"type": "setup", **setup})]
        while game.outcome(state) is None:
            roll = rng.choice(faces)
            legal = check_state(game, setup, state, roll)
            if candidates_every and turns % candidates_every == 0:
                check_candidates(game, state, roll)
            action = rng.choice(legal)
            check_action_text(game, state, action)
            if mistakes and rng.random() < mistakes:
                action = rng.choice([c.action for c in game.candidates(state, roll)])
            lines.append(line_text({"type": "turn", **game.action_to_line(state, action)}))
            state = game.judge(state, action).state
            assert conserved(state) == kept
            turns += 1
            assert len(lines) < turns_at_most, "the game does not end"
        assert not any(game.legal_actions(state, roll) for roll in faces)
        check_record(game, state, lines)
    return turns


def check_state(game: Game[Any, Any], setup: Mapping[str, Any], state: Any, roll: int) -> tuple[Any, ...]:
    """What must hold in any state of a running game; returns the legal actions."""
    assert game.state_from_text(setup, game.state_to_text(state)) == state
    for score in game.scores(state):
        assert score.total == sum(points for _, points in score.parts)
    legal = game.legal_actions(state, roll)
    assert legal, "nothing is legal"
    assert len(set(legal)) == len(legal)
    for action in legal:
        assert game.judge(state, action).violations == ()
    return legal


def check_action_text(game: Game[Any, Any], state: Any, action: Any) -> None:
    """A turn written as a line of JSON reads back to the same action."""
    line = json.loads(line_text({"type": "turn", **game.action_to_line(state, action)}))
    assert game.action_from_line(state, line) == action


def check_candidates(game: Game[Any, Any], state: Any, roll: int) -> None:
    """Legal ones first and complete, all different to look at, verdicts true, every violation has its sentences."""
    found = list(game.candidates(state, roll))
    assert [c.verdict.legal for c in found] == sorted((c.verdict.legal for c in found), reverse=True)
    legal = {game.state_to_text(game.judge(state, action).state) for action in game.legal_actions(state, roll)}
    assert {game.state_to_text(c.verdict.state) for c in found if c.verdict.legal} == legal
    assert len({game.state_to_text(c.verdict.state) for c in found}) == len(found)
    sample = found[len(found) % 5 :: 5]
    for candidate in sample:
        assert game.judge(state, candidate.action) == candidate.verdict
        check_action_text(game, state, candidate.action)
        for violation in candidate.verdict.violations:
            assert violation.rule in WORDINGS
            for lang in ("de", "en"):
                assert "{" not in violation_text(violation, lang)
    good = found[0].verdict.state
    for candidate in sample:
        bad = candidate.verdict.state
        assert game.correct(bad, game.difference(bad, good)) == good


def check_record(game: Game[Any, Any], state: Any, lines: list[str]) -> None:
    """The record of a game judged again ends in the same scores, and judging its output changes nothing."""
    judged = list(judge_lines(lines))
    assert judged[-1]["type"] == "end"
    outcome = game.outcome(state)
    assert outcome is not None and judged[-1]["winners"] == list(outcome.winners)
    assert judged[-1]["scores"] == {score.player: score.total for score in game.scores(state)}
    assert list(judge_lines(line_text(line) for line in judged)) == judged


def perft(game: Game[Any, Any], state: Any, depth: int, rolls: Iterable[int] = range(1, 7)) -> int:
    """Number of legal sequences of ``depth`` turns over all rolls (as chess engines count their moves)."""
    if depth == 0:
        return 1
    faces = tuple(rolls)
    return sum(
        perft(game, game.judge(state, action).state, depth - 1, faces)
        for roll in faces
        for action in game.legal_actions(state, roll)
    )
