"""Short games of all five games as records, legal and illegal turns, judged once and checked by hand.

``golden/<game>.jsonl`` is what ``judge`` writes; judging it again must give the same, with or without the verdicts.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.record import judge_lines, line_text

GOLDEN = Path(__file__).parent / "golden"
VERDICT = ("legal", "violations", "scores", "best_score", "groups", "winners", "why", "text")

BROKEN = {
    "verflixxt": [
        "must_take_tile", "wrong_count", "guard_without_pawn", "not_own_pawn", "may_not_take_tile", "moved_backwards",
    ],
    "verflixxt-nochmal": [
        "must_move_flixxy", "may_not_move_flixxy", "must_pass_card", "token_missed", "must_take_tile",
    ],
    "spuk": ["waiting_pawn_moved", "not_carried_across", "wrong_count", "not_own_pawn"],
    "dice-flick": ["too_many_flicks", "scored_too_much", "scored_too_much"],
    "qwixx-express": [
        "shared_without_joker", "left_of_last_cross", "shared_without_joker", "needs_five_crosses", "misthrow_missing",
    ],
}


@pytest.mark.parametrize("game", BROKEN)
def test_golden_game(game: str) -> None:
    written = (GOLDEN / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    assert [line_text(line) for line in judge_lines(written)] == written
    bare = [{k: v for k, v in json.loads(line).items() if k not in VERDICT} for line in written]
    judged = list(judge_lines(json.dumps(line) for line in bare))
    assert [line_text(line) for line in judged] == written
    assert [v["rule"] for line in judged for v in line.get("violations", [])] == BROKEN[game]
