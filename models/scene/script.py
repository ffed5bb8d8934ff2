"""Made-up games to record: random turns with mistakes of every kind, some put right. Uses the rules, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rules import game_of
from rules.protocol import Candidate, Game, RecordError

Json = dict[str, Any]

UNSEEN = (
    "out_of_turn", "left_finish", "tile_to_wrong_player", "may_not_pass_card", "must_pass_card", "passed_wrong_card",
    "passed_to_wrong_player", "stack_order_changed", "token_missed", "token_not_earned",
)  # fmt: skip
"""Rules whose breach a recording does not show, or shows only beside the play area."""


def _pick_mistake(game: Game[Any, Any], state: Any, roll: int, rng: np.random.Generator) -> Candidate[Any, Any] | None:
    """A wrong turn with a single violation that a recording can show, every kind equally often."""
    wrong: dict[str, list[Candidate[Any, Any]]] = {}
    for candidate in game.candidates(state, roll):
        if len(candidate.verdict.violations) == 1 and game.action_to_line(state, candidate.action).get("moves"):
            wrong.setdefault(candidate.verdict.violations[0].rule, []).append(candidate)
    for unseen in UNSEEN:
        wrong.pop(unseen, None)
    if not wrong:
        return None
    kind = wrong[sorted(wrong)[int(rng.integers(len(wrong)))]]
    return kind[int(rng.integers(len(kind)))]


def _pick_right(game: Game[Any, Any], state: Any, roll: int, rng: np.random.Generator) -> Candidate[Any, Any] | None:
    actions = game.legal_actions(state, roll)
    if not actions:
        return None
    action = actions[int(rng.integers(len(actions)))]
    return Candidate(action, game.judge(state, action))


def _smallest_correction(game: Game[Any, Any], before: Any, state: Any, roll: int) -> Any:
    """The change that makes a legal turn of a wrong one with the fewest hands on the table, None without one."""
    changes = []
    for action in game.legal_actions(before, roll):
        try:
            changes.append(game.difference(state, game.judge(before, action).state))
        except RecordError:
            continue
    lines = [game.action_to_line(state, change) for change in changes]
    cost = [len(line.get("moves", ())) + len(line.get("taken", ())) + len(line.get("returned", ())) for line in lines]
    return changes[cost.index(min(cost))] if cost else None


def _line(game: Game[Any, Any], state: Any, action: Any, kind: str, turn: int) -> Json:
    line: Json = {"type": kind, "turn": turn, **game.action_to_line(state, action)}
    line["taken_tiles"] = list(getattr(action, "taken", ()))
    line["returned_tiles"] = list(getattr(action, "returned", ()))
    return line


def play(setup: Mapping[str, Any], turns: int, seed: int, mistakes: float = 0.2, put_right: float = 0.5) -> list[Json]:
    """The setup line, then at most ``turns`` turns; a share ``mistakes`` wrong, a share of those put right at once."""
    rng = np.random.default_rng(seed)
    game = game_of(setup)
    state = game.start(setup)
    lines: list[Json] = [{"type": "setup", **setup}]
    for turn in range(1, turns + 1):
        if game.outcome(state):
            break
        roll = int(rng.integers(1, 7))
        if game.name == "verflixxt-nochmal":
            roll += 6 * int(rng.integers(3))
        picked = _pick_mistake(game, state, roll, rng) if rng.random() < mistakes else None
        picked = picked or _pick_right(game, state, roll, rng)
        if picked is None:
            continue
        line = _line(game, state, picked.action, "turn", turn)
        rules = [v.rule for v in picked.verdict.violations]
        lines.append({**line, "legal": not rules, "broken_rule": rules[0] if rules else None})
        before, state = state, picked.verdict.state
        change = _smallest_correction(game, before, state, roll)
        if rules and change is not None and rng.random() < put_right:
            lines.append({**_line(game, state, change, "correction", turn), "legal": True, "broken_rule": None})
            state = game.correct(state, change)
    return lines
