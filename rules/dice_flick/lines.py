"""Dice Flick in text: the fields of a record line, and the one-line form of a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.dice_flick.grid import SIDE, Cell, is_hole
from rules.dice_flick.state import LANDED, Flick, State, Throw, Turn
from rules.dice_flick.values import COLOURS, Board, Die, Group, Scoring
from rules.lines import fault, player_index, wanted_list
from rules.protocol import Json, RecordError
from rules.setup import is_whole, repeated

_KINDS = ("colour", "line", "centre")


def turn_to_line(state: State, turn: Turn, best: Scoring, returned: Sequence[Cell]) -> Json:
    """The fields of a turn; what ``judge`` adds are the best score, its groups and the dice that went back."""
    throw = turn.throw
    line: Json = {"player": state.config.names[turn.player]}
    if throw.hand is not None:
        line["hand"] = list(throw.hand)
    if throw.flicks is not None:
        line["flicks"] = [_flick_to_json(flick) for flick in throw.flicks]
    line["board"] = [_die_to_json(die) for die in throw.board]
    if turn.claimed is not None:
        line["claimed"] = turn.claimed
    if turn.scored is not None:
        line["scored"] = [group_to_json(group) for group in turn.scored]
    line |= {"best_score": best.score, "groups": [group_to_json(group) for group in best.groups]}
    line["returned"] = [list(cell) for cell in returned]
    if turn.next_player is not None:
        line["next"] = state.config.names[turn.next_player]
    return line


def group_to_json(group: Group) -> Json:
    """``{"kind": "colour", "cells": [[1, 3], ...], "points": 10, "colour": "green"}``."""
    colour = {} if group.colour is None else {"colour": group.colour}
    return {"kind": group.kind, "cells": [list(cell) for cell in group.cells], "points": group.points, **colour}


def _die_to_json(die: Die) -> Json:
    return {"row": die.row, "col": die.col, "colour": die.colour, "value": die.value}


def _flick_to_json(flick: Flick) -> Json:
    where = {"row": flick.row, "col": flick.col, "value": flick.value} if flick.in_hole else {}
    return {"die": flick.die, "landed": flick.landed, **where}


def turn_from_line(state: State, line: Mapping[str, Any]) -> Turn:
    """Read a turn (or a correction) back. A missing ``board``: nothing but the flicked dice has moved."""
    names = state.config.names
    flicks = _list(line, "flicks", _flick)
    board = _list(line, "board", _die)
    if board is None:
        board = board_with(state.board, flicks or ())
    hand = _list(line, "hand", _colour)
    if hand is not None and len(hand) != 3:
        raise fault("hand", len(hand), "three dice", "drei Würfel")
    claimed = line.get("claimed")
    if claimed is not None and not (is_whole(claimed) and claimed >= 0):
        raise fault("claimed", claimed, "a number of points", "eine Punktzahl")
    after = line.get("next")
    return Turn(
        player_index(line.get("player"), names, state.to_move),
        Throw(flicks, _sorted(board), hand),
        claimed,
        _list(line, "returned", _cell),
        _list(line, "scored", _group),
        None if after is None else player_index(after, names, 0),
    )


def board_with(board: Board, flicks: Sequence[Flick]) -> Board:
    """The board when the flicked dice have pushed nothing."""
    return board + tuple(Die(f.row, f.col, f.die, f.value) for f in flicks if f.in_hole)


def _sorted(board: Sequence[Die]) -> Board:
    twice = repeated(die.cell for die in board)
    if twice is not None:
        raise fault("board", list(twice), "one die in a hole", "ein Würfel je Loch")
    return tuple(sorted(board))


def _list(line: Mapping[str, Any], field: str, read: Any) -> tuple[Any, ...] | None:
    raw = line.get(field)
    if raw is None:
        return None
    return tuple(read(entry, f"{field}, number {k}") for k, entry in enumerate(wanted_list(raw, field), 1))


def _one_of(entry: object, key: str, allowed: Sequence[str], where: str) -> str:
    if not isinstance(entry, Mapping):
        raise fault(where, entry, "an object", "ein Objekt")
    if entry.get(key) not in allowed:
        raise fault(f"{where}: {key}", entry.get(key), " or ".join(allowed), " oder ".join(allowed))
    return str(entry[key])


def _colour(raw: object, where: str) -> str:
    return _one_of({"colour": raw}, "colour", COLOURS, where)


def _cell(raw: object, where: str) -> Cell:
    if isinstance(raw, list | tuple) and len(raw) == 2 and all(is_whole(n) for n in raw) and is_hole(raw):
        return raw[0], raw[1]
    raise fault(where, raw, f"a hole [row, column], both 1 to {SIDE}", f"ein Loch [Zeile, Spalte], beide 1 bis {SIDE}")


def _cell_and_value(entry: Mapping[str, Any], colour: str, where: str) -> tuple[int, int, int]:
    row, col = _cell([entry.get("row"), entry.get("col")], where)
    value = entry.get("value")
    if colour == "pink" and (value in (None, "star") or is_whole(value)):
        return row, col, 6
    if not isinstance(value, int) or not is_whole(value) or not 1 <= value <= 6:
        raise fault(f"{where}: value", value, "1 to 6", "1 bis 6")
    return row, col, value


def _die(raw: Any, where: str) -> Die:
    colour = _one_of(raw, "colour", COLOURS, where)
    row, col, value = _cell_and_value(raw, colour, where)
    return Die(row, col, colour, value)


def _flick(raw: Any, where: str) -> Flick:
    die = _one_of(raw, "die", COLOURS, where)
    landed = _one_of(raw, "landed", LANDED, where)
    return Flick(die, landed, *(_cell_and_value(raw, die, where) if landed == "hole" else ()))


def _group(raw: Any, where: str) -> Group:
    kind = _one_of(raw, "kind", _KINDS, where)
    points = raw.get("points", 0)
    colour = _one_of(raw, "colour", COLOURS, where) if "colour" in raw else None
    return Group(kind, _list(raw, "cells", _cell) or (), points if is_whole(points) else 0, colour)


def state_to_text(state: State) -> str:
    """``to_move=0 points=12,0/5 board=11b4,12g3 kept=-/g covered=0``: player index, rounds a player, dice by hole."""
    board = ",".join(f"{d.row}{d.col}{d.colour[0]}{d.value}" for d in state.board)
    points = "/".join(",".join(map(str, rounds)) for rounds in state.points)
    kept = "/".join(colour[:1] or "-" for colour in state.kept)
    return f"to_move={state.to_move} points={points} board={board} kept={kept} covered={state.covered}"


def state_from_text(start: State, text: str) -> State:
    """Inverse of :func:`state_to_text`, for the setup of ``start``. Raises RecordError."""
    try:
        field = dict(part.split("=", 1) for part in text.split(" "))
        letters = {colour[0]: colour for colour in COLOURS}
        board = tuple(
            Die(int(d[0]), int(d[1]), letters[d[2]], int(d[3:])) for d in field["board"].split(",") if d
        )
        points = tuple(tuple(int(n) for n in rounds.split(",") if n) for rounds in field["points"].split("/"))
        kept = tuple("" if c == "-" else letters[c] for c in field["kept"].split("/"))
        state = State(start.config, int(field["to_move"]), board, points, kept, int(field["covered"]))
    except (KeyError, ValueError, IndexError) as error:
        raise RecordError(f"not a state of Dice Flick: {text!r}", f"kein Stand von Dice Flick: {text!r}") from error
    players = len(start.config.names)
    if len(points) != players or len(kept) != players or not 0 <= state.to_move < players:
        raise RecordError(f"a state for other players: {text!r}", f"ein Stand für andere Personen: {text!r}")
    return state
