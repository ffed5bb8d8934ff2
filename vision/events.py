"""The lines the referee writes: JSON-ready, one event each, with sentences in German and English.

``text`` is a ``{"de", "en"}`` pair here; :func:`in_language` turns the pairs into plain sentences for a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.protocol import Violation
from rules.texts import outcome_text, turn_text, violation_text
from vision.explain import Branch, Told
from vision.why import NONE_FITS, SEVERAL

Json = dict[str, Any]
Text = dict[str, str]

LANGUAGES = ("de", "en")

PUT_RIGHT: Text = {"de": "Richtiggestellt: ", "en": "Put right: "}
AS_IT_IS: Text = {"de": "Der Tisch, wie er steht: ", "en": "The table as it stands: "}

SURE = 0.95
"""Probability from which something counts as certain."""


def happened(game: Any, told: Told, t_s: float, confidence: float, by: str = "") -> Json:
    """A turn or a correction as a record has it. ``by``: ``"person"`` when somebody said so.

    One that the players were asked about carries the time of the question, and when it was settled; ``unsure`` if
    nobody answered and the game went on with what was likeliest; ``roll_unsure``: the die was not clear, and
    the verdict is the same for every throw that it may have been. One that is told again keeps its time.
    """
    number = told.before.turns + (told.kind == "turn")
    at_s = next((s for s in (told.told_s, told.asked_s) if s is not None), t_s)
    line: Json = {"type": told.kind, "turn": number, "t_s": round(at_s, 2), **_action(game, told)}
    if told.kind == "turn":
        line["legal"] = not told.violations
        line["violations"] = [_violation(v) for v in told.violations]
    line["scores"] = totals(game, told.after)
    line["confidence"] = round(min(confidence, 0.9999), 4)
    if told.asked_s is not None:
        line["settled_s"] = round(t_s, 2)
        if confidence < SURE:
            line["unsure"] = True
    line["text"] = _text(game, told)
    if told.rolls:
        line["roll_unsure"] = True
    if told.free:
        line["as_it_is"] = True
    if by:
        line["by"] = by
    return line


def _action(game: Any, told: Told) -> Json:
    return dict(game.action_to_line(told.before, told.action))


def _text(game: Any, told: Told) -> Text:
    head = AS_IT_IS if told.free else PUT_RIGHT if told.kind == "correction" else {}
    return {lang: head.get(lang, "") + turn_text(game, told.before, told.action, lang) for lang in LANGUAGES}


def _violation(violation: Violation) -> Json:
    text = {lang: violation_text(violation, lang) for lang in LANGUAGES}
    return {"rule": violation.rule, "text": text, "facts": dict(violation.facts)}


def totals(game: Any, state: Any) -> dict[str, int]:
    """Points by name if the game were counted now."""
    return {score.player: score.total for score in game.scores(state)}


def needs_you(game: Any, options: Sequence[Branch], t_s: float) -> Json:
    """The question which of the options happened; ``alternatives`` are lines like those of turns."""
    why = SEVERAL if len(options) > 1 else NONE_FITS
    return {
        "type": "needs_you", "t_s": round(t_s, 2), "why": why,
        "alternatives": [happened(game, branch.pending[-1], t_s, 0.0) for branch in options],
    }


def undo(game: Any, told: Told, t_s: float) -> Json:
    """A settled turn or correction was taken back by a person."""
    number = told.before.turns + (told.kind == "turn")
    return {
        "type": "undo", "turn": number, "t_s": round(t_s, 2), "scores": totals(game, told.before),
        "text": {"de": f"Zug {number} zurückgenommen.", "en": f"Turn {number} taken back."},
    }


def lost(why: Text, t_s: float) -> Json:
    """The referee cannot follow the table any more."""
    return {"type": "lost", "t_s": round(t_s, 2), "why": why}


def found(t_s: float) -> Json:
    """The referee follows the table (again)."""
    return {"type": "found", "t_s": round(t_s, 2)}


def end(game: Any, state: Any, t_s: float) -> Json:
    """The game is over."""
    outcome = game.outcome(state)
    return {
        "type": "end", "t_s": round(t_s, 2), "scores": totals(game, state), "winners": list(outcome.winners),
        "why": outcome.why, "text": {lang: outcome_text(outcome, lang) for lang in LANGUAGES},
    }


def told(game: Any, state: Any, line: Mapping[str, Any]) -> Told:
    """What a turn or correction line of a record says, made in ``state``. Raises RecordError."""
    action = game.action_from_line(state, line)
    if line.get("type") == "correction":
        return Told("correction", state, action, game.correct(state, action))
    verdict = game.judge(state, action)
    return Told("turn", state, action, verdict.state, verdict.violations, int(line.get("roll") or 0))


def in_language(line: Any, lang: str) -> Any:
    """The same line with every ``{"de", "en"}`` pair replaced by its sentence in ``lang``."""
    if isinstance(line, Mapping):
        if set(line) == set(LANGUAGES):
            return line[lang]
        return {name: in_language(value, lang) for name, value in line.items()}
    if isinstance(line, list):
        return [in_language(value, lang) for value in line]
    return line
