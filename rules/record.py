"""Records: a game as text, one JSON object a line, read, judged and written again.

The first line is the setup (``"type": "setup"`` with the fields of ``setup.json``). Then, in any order:

- ``turn``: what happened (fields by game, see ``action_to_line`` of each); written with ``legal``, ``violations``
  (``rule``, ``text``, ``facts``) and ``scores``, whatever stood there before.
- ``correction``: the table put right, as a physical change against the position before it; ``player`` (default: who
  moved last) is who took the tiles in ``taken``, ``next`` says whose turn it is from now on.
- ``undo``: the last turn or correction that still holds is taken back.
- ``needs_you``, ``lost``, ``found``: handed on as they are.
- ``end``: written with final ``scores``, ``winners``, ``why`` and its sentence in ``text``.

Unknown further fields of a line are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic

from rules import game_of
from rules.lines import fault, optional_list
from rules.protocol import A, Game, Json, Outcome, RecordError, S, SetupError, Verdict
from rules.setup import is_whole, shown
from rules.texts import outcome_text, violation_line

PASSED_ON = ("lost", "found")
"""Line types that say nothing about the game and are handed on as they are."""


def judge_lines(lines: Iterable[str], lang: str = "en") -> Iterator[Json]:
    """Judge a record: every line comes out again with verdicts and scores in place of those it brought.

    ``lines`` are lines of text (a file opened for reading will do; empty lines are skipped), the first one the
    setup. An ``end`` line is added once the game is over. Raises RecordError naming line and fault; everything
    before the fault has been yielded by then.
    """
    replay: Replay[Any, Any] | None = None
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = parse_line(text)
            if replay is None:
                replay = Replay.of_setup(line, lang)
                yield replay.setup
            else:
                yield replay.judged(line)
        except RecordError as error:
            raise error.at(number) from error
        except SetupError as error:
            raise RecordError(error.en, error.de).at(number) from error
    if replay is None:
        raise RecordError("the record is empty; its first line must be the setup", "Die Aufzeichnung ist leer")
    if replay.game.outcome(replay.state) is not None and not replay.ended:
        yield replay.end_line()


def parse_line(text: str) -> Json:
    """One line of a record as a mapping. Raises RecordError when it is no JSON object."""
    try:
        line = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        at = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise RecordError(f"not JSON: {what}{at}", f"kein JSON: {what}{at}") from error
    if not isinstance(line, dict):
        raise fault("line", line, "a JSON object", "ein JSON-Objekt")
    return line


def line_text(line: Mapping[str, Any]) -> str:
    """A line as it is written to a file, without the line break."""
    return json.dumps(line, ensure_ascii=False, separators=(", ", ": "))


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


class Replay(Generic[S, A]):
    """A game followed line by line. ``state`` is the state after the last line, ``setup`` its first line."""

    def __init__(self, game: Game[S, A], setup: Json, lang: str = "en") -> None:
        self.game = game
        self.setup = setup
        self.state: S = game.start(setup)
        self.lang = lang
        self.turn = 0
        self.ended = False
        self._last_player: object = None
        self._before: list[tuple[S, int, object]] = []

    @classmethod
    def of_setup(cls, line: Json, lang: str = "en") -> Replay[S, A]:
        """Start from a record's first line. Raises RecordError, SetupError."""
        if line.get("type", "setup") != "setup":
            raise RecordError(
                f'the first line is of type {shown(line["type"])}; it must be {{"type": "setup", ...}}',
                f'Die erste Zeile hat den Typ {shown(line["type"])}; sie muss {{"type": "setup", ...}} sein',
            )
        return cls(game_of(line), {"type": "setup", **line}, lang)

    def judged(self, line: Json) -> Json:
        """The line as ``judge`` writes it; ``state`` moves on. Raises RecordError."""
        kind = line.get("type")
        if kind == "turn":
            return self._turn(line)
        if kind == "correction":
            return self._correction(line)
        if kind == "undo":
            return self._undo(line)
        if kind == "needs_you":
            optional_list(line, "alternatives")
            return line
        if kind == "end":
            return self._end(line)
        if kind in PASSED_ON:
            return line
        raise fault(
            "type", kind, "turn, correction, undo, needs_you, lost, found or end", "turn, correction, undo, lost, ..."
        )

    def _turn(self, line: Json) -> Json:
        action = self.game.action_from_line(self.state, line)
        written = self.game.action_to_line(self.state, action)
        verdict = self.game.judge(self.state, action)
        self._before.append((self.state, self.turn, self._last_player))
        self.turn = _number(line, self.turn + 1)
        self.state = verdict.state
        self._last_player = written.get("player")
        return {
            **_head(line, self.turn),
            **written,
            **verdict_fields(self.game, verdict, self.lang),
            **_rest(line, written),
        }

    def _correction(self, line: Json) -> Json:
        if line.get("player") is None and self._last_player is not None:
            line = {**line, "player": self._last_player}
        change = self.game.action_from_line(self.state, line)
        written = self.game.action_to_line(self.state, change)
        after = self.game.correct(self.state, change)
        self._before.append((self.state, self.turn, self._last_player))
        self.state = after
        scores = {"scores": score_fields(self.game, self.state)}
        return {**_head(line, _number(line, self.turn)), **written, **scores, **_rest(line, written)}

    def _undo(self, line: Json) -> Json:
        if not self._before:
            raise RecordError(
                "there is no turn to undo; an undo line takes back the last turn or correction before it",
                "Es gibt keinen Zug zurückzunehmen; eine undo-Zeile nimmt den letzten Zug davor zurück",
            )
        self.state, self.turn, self._last_player = self._before.pop()
        self.ended = False
        return {**line, "scores": score_fields(self.game, self.state)}

    def _end(self, line: Json) -> Json:
        self.ended = True
        return {**self.end_line(), **_rest(line, {"text": None})}

    def end_line(self) -> Json:
        """The ``end`` line for the state as it is; ``why`` is ``"stopped"`` while the rules would let it go on."""
        return end_line(self.game, self.state, self.lang)


def verdict_fields(game: Game[S, A], verdict: Verdict[S], lang: str) -> Json:
    """``legal``, ``violations`` and ``scores`` of a turn line."""
    return {
        "legal": verdict.legal,
        "violations": [violation_line(violation, lang) for violation in verdict.violations],
        "scores": score_fields(game, verdict.state),
    }


def score_fields(game: Game[S, A], state: S) -> dict[str, int]:
    """Everybody's points by name, in turn order."""
    return {score.player: score.total for score in game.scores(state)}


def end_line(game: Game[S, A], state: S, lang: str) -> Json:
    """``{"type": "end", ...}`` with final scores, winners and the reason (a stable name) with its sentence."""
    outcome = game.outcome(state)
    scores = score_fields(game, state)
    if outcome is None:
        best = max(scores.values())
        outcome = Outcome(tuple(name for name, points in scores.items() if points == best), "stopped")
    return {
        "type": "end",
        "scores": scores,
        "winners": list(outcome.winners),
        "why": outcome.why,
        "text": outcome_text(outcome, lang),
    }


_JUDGED = ("type", "turn", "t_s", "legal", "violations", "scores", "winners", "why", "text")


def _head(line: Mapping[str, Any], turn: int) -> Json:
    head: Json = {"type": line["type"], "turn": turn}
    if "t_s" in line:
        head["t_s"] = line["t_s"]
    return head


def _rest(line: Mapping[str, Any], written: Mapping[str, Any]) -> Json:
    return {key: value for key, value in line.items() if key not in _JUDGED and key not in written}


def _number(line: Mapping[str, Any], default: int) -> int:
    turn = line.get("turn", default)
    if not is_whole(turn) or turn < 0:
        raise fault("turn", turn, "a whole number", "eine ganze Zahl")
    return int(turn)
