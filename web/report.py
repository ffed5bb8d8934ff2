"""The report of a game: course of the scores, all turns, how the dice fell; and the record to take along."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from rules.record import line_text
from web.app import current_config, refusal

Json = dict[str, Any]
Text = dict[str, str]

FACES = range(1, 7)
LEAST_ROLLS = 20
"""With fewer rolls nothing can be said about chance."""

UNUSUAL = 0.05

blueprint = Blueprint("report", __name__, url_prefix="/api/report")


@blueprint.get("")
def report() -> ResponseReturnValue:
    """The report of the game that runs, or of ``?game=N`` of the journal. 404 where there is none."""
    found = _game()
    if found is None:
        return refusal(404, "not_found")
    setup, turns, end = found
    return jsonify(summary(setup, turns, end))


@blueprint.get("/record.jsonl")
def record() -> ResponseReturnValue:
    """The record as a file that ``schiri judge`` reads, in the viewer's language."""
    from web.pages import viewer_lang

    found = _game()
    if found is None:
        return refusal(404, "not_found")
    text = "\n".join(line_text(line) for line in record_lines(*found, viewer_lang())) + "\n"
    name = f"schiri-{found[0].get('game', 'game')}.jsonl"
    headers = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(text, mimetype="application/x-ndjson", headers=headers)


def summary(setup: Mapping[str, Any], turns: Sequence[Json], end: Json | None) -> Json:
    """Everything the page shows."""
    names = [str(player.get("name", "")) for player in setup.get("players", [])]
    rolls = [line.get("roll") for line in turns if line.get("type") == "turn"]
    return {
        "game": setup.get("game"), "variant": setup.get("variant"), "players": list(setup.get("players", [])),
        "turns": list(turns), "end": end, "course": course(names, turns), "rolls": roll_counts(turns),
        "chance": chance([roll for roll in rolls if isinstance(roll, int)]), "people": people(names, turns),
        "minutes": round(max((float(line.get("t_s") or 0) for line in turns), default=0.0) / 60, 1),
    }  # fmt: skip


def course(names: Sequence[str], turns: Sequence[Json]) -> dict[str, list[int]]:
    """Everybody's points after every line, beginning with 0."""
    result: dict[str, list[int]] = {name: [0] for name in names}
    for line in turns:
        scores = line.get("scores") or {}
        for name, points in result.items():
            points.append(int(scores.get(name, points[-1])))
    return result


def roll_counts(turns: Sequence[Json]) -> list[int]:
    """How often 1 to 6 were rolled."""
    counted = Counter(line.get("roll") for line in turns if line.get("type") == "turn")
    return [counted[face] for face in FACES]


def people(names: Sequence[str], turns: Sequence[Json]) -> list[Json]:
    """For each player: turns, rule breaks, mean roll."""
    played = [line for line in turns if line.get("type") == "turn"]
    own = {name: [line for line in played if line.get("player") == name] for name in names}
    return [
        {
            "name": name, "turns": len(lines), "illegal": sum(not line.get("legal", True) for line in lines),
            "mean_roll": _mean([line["roll"] for line in lines if isinstance(line.get("roll"), int)]),
        }
        for name, lines in own.items()
    ]  # fmt: skip


def _mean(values: Sequence[int]) -> float | None:
    return round(sum(values) / len(values), 2) if values else None


def chance(rolls: Sequence[int]) -> Json:
    """Whether the numbers rolled are unusual for a fair die, in words.

    ``p`` is the probability that a fair die gives counts at least as uneven (chi-square, 5 degrees of freedom).
    """
    counts = Counter(roll for roll in rolls if roll in FACES)
    total = sum(counts.values())
    if total < LEAST_ROLLS:
        return {"p": None, "text": {
            "de": f"Für eine Aussage sind es zu wenige Würfe ({total} von mindestens {LEAST_ROLLS}).",
            "en": f"Too few rolls to say anything ({total} of at least {LEAST_ROLLS}).",
        }}
    expected = total / 6
    p = chi_square_tail_5(sum((counts[face] - expected) ** 2 / expected for face in FACES))
    return {"p": round(p, 4), "text": _chance_words(p, total)}


def _chance_words(p: float, total: int) -> Text:
    every = max(2, round(1 / max(p, 1e-4)))
    often = "mehr als jeder zweite Abend" if p > 0.5 else f"etwa jeder {every}. Abend"
    usual = "more than every second evening" if p > 0.5 else f"about one evening in {every}"
    if p >= UNUSUAL:
        return {
            "de": f"Ganz normal: so ungleich wie diese {total} Würfe ist mit einem guten Würfel {often}.",
            "en": f"Quite usual: with a fair die {usual} is as uneven as these {total} rolls.",
        }
    return {
        "de": f"Ungewöhnlich: so ungleich wie diese {total} Würfe ist mit einem guten Würfel nur {often}.",
        "en": f"Unusual: with a fair die only {usual} is as uneven as these {total} rolls.",
    }


def chi_square_tail_5(x: float) -> float:
    """Probability that a chi-square variable with 5 degrees of freedom exceeds ``x`` (closed form)."""
    root = math.sqrt(max(x, 0.0))
    return math.erfc(root / math.sqrt(2)) + math.sqrt(2 / math.pi) * math.exp(-x / 2) * (root + root**3 / 3)


def record_lines(setup: Mapping[str, Any], turns: Sequence[Json], end: Json | None, lang: str) -> list[Json]:
    """The game as lines of a record, without what only the page needs."""
    from vision.events import in_language

    head = {"type": "setup", **{name: value for name, value in setup.items() if name != "calibration"}}
    return [head, *(in_language(line, lang) for line in turns), *([in_language(end, lang)] if end else [])]


def _game() -> tuple[Json, list[Json], Json | None] | None:
    """Setup, turns that hold and end of the game that is asked for."""
    number = request.args.get("game", type=int)
    if number is not None:
        kept = current_app.extensions["schiri-library"].game(number)
        return None if kept is None else (kept.setup, kept.turns, kept.end)
    snapshot = current_config().hub.snapshot()
    if not snapshot.get("players"):
        return None
    setup = current_app.extensions["schiri-desk"].setup
    if setup is None:
        setup = {"game": snapshot.get("game"), "players": snapshot["players"]}
    return setup, list(snapshot.get("turns") or []), snapshot.get("end")
