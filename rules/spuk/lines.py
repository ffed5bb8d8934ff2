"""Record lines and one-line texts of Spuk and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.lines import fault, groups_from_text, groups_text, player_index, read_moves, read_roll
from rules.protocol import Json, Move, Place, RecordError
from rules.spuk.board import START
from rules.spuk.state import HOME, Config, State, Turn, start_state


def action_to_line(state: State, turn: Turn) -> Json:
    """The fields of a turn (or of a correction) as records have them; the figure that was moved comes first."""
    line: Json = {"player": state.config.names[turn.player]}
    if turn.roll:
        line["roll"] = turn.roll
    line["moves"] = [{"piece": m.piece, "from": m.start, "to": m.to} for m in turn.moves]
    if turn.rolled_early:
        line["rolled_before_moving"] = True
    if turn.next_player is not None:
        line["next"] = state.config.names[turn.next_player]
    if turn.again:
        line["again"] = True
    return line


def action_from_line(state: State, line: Mapping[str, Any]) -> Turn:
    """Read :func:`action_to_line` back. Raises RecordError naming the fault."""
    names = state.config.names
    correction = line.get("type") == "correction"
    early, again = (_flag(line, name) for name in ("rolled_before_moving", "again"))
    return Turn(
        player_index(line.get("player"), names, state.to_move),
        0 if correction and line.get("roll") is None else read_roll(line),
        tuple(m for m in read_moves(line, place_in(state.config)) if m.start != m.to),
        early,
        None if line.get("next") is None else player_index(line["next"], names, 0),
        again,
    )


def _flag(line: Mapping[str, Any], name: str) -> bool:
    value = line.get(name, False)
    if not isinstance(value, bool):
        raise fault(name, value, "true or false", "true oder false")
    return value


def place_in(config: Config) -> Mapping[object, Place]:
    """All ways to write a place, with the place."""
    last = config.board.treasure
    places: dict[object, Place] = {"start": START, HOME: HOME, "treasure": HOME}
    for field in range(last + 1):
        places[field] = places[str(field)] = config.place(field)
    return places


def state_to_text(state: State) -> str:
    """One line: turns, player to move (``+`` after a 6), fields of every player's figures: ``5 0+ 0,0,4/0,5,12``."""
    again = "+" if state.extra else ""
    return f"{state.turns} {state.to_move}{again} {groups_text(state.at)}"


def state_from_text(raw: Mapping[str, Any], text: str) -> State:
    """Inverse of :func:`state_to_text`. Raises RecordError when the text does not fit the setup."""
    start = start_state(raw)
    fields = text.split(" ")
    if len(fields) != 3 or not fields[0].isdecimal() or not fields[1].removesuffix("+").isdecimal():
        raise fault("state", text, "turns, player to move, fields", "Züge, wer dran ist, Felder")
    to_move, at = int(fields[1].removesuffix("+")), groups_from_text(fields[2])
    config = start.config
    if (
        to_move >= len(at)
        or len(at) != len(config.pieces)
        or any(len(fields) != config.figures_each or max(fields) > config.board.treasure for fields in at)
    ):
        raise RecordError("the state does not fit the setup", "Der Stand passt nicht zur Aufstellung")
    return State(config, to_move, int(fields[0]), tuple(tuple(sorted(f)) for f in at), fields[1].endswith("+"))


def difference(before: State, after: State) -> Turn:
    """The physical change that turns ``before`` into ``after``."""
    config = before.config
    moves = []
    for piece, old, new in zip(config.pieces, before.at, after.at, strict=True):
        gone, come = list(old), []
        for field in new:
            if field in gone:
                gone.remove(field)
            else:
                come.append(field)
        moves += [Move(piece, config.place(a), config.place(b)) for a, b in zip(gone, come, strict=True)]
    same = (before.to_move, before.extra) == (after.to_move, after.extra)
    next_player = None if same else after.to_move
    return Turn(before.to_move, 0, tuple(moves), next_player=next_player, again=after.extra and not same)
