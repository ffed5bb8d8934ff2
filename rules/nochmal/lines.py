"""Record lines and one-line texts of Verflixxt nochmal and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.lines import (
    fault,
    groups_from_text,
    groups_text,
    optional_list,
    player_index,
    read_moves,
    read_roll,
)
from rules.nochmal.change import FIXED
from rules.nochmal.judge import start_of_move
from rules.nochmal.layout import TOKENS
from rules.nochmal.state import WORMS, Config, State, Turn, Worm, start_state
from rules.nochmal.worms import others_moves
from rules.protocol import Json, RecordError
from rules.setup import is_whole
from rules.verflixxt import lines as base
from rules.verflixxt.lines import likely_tiles, place_in, read_given, read_number, read_tiles
from rules.verflixxt.state import FLIXXY
from rules.verflixxt.table import guards_told


def action_to_line(state: State, turn: Turn) -> Json:
    """The fields of a turn: those of Verflixxt!, and what the expansion adds.

    ``action_die``; ``passed`` (``tile``, ``number``, ``to``, null for out of the game); ``token`` (``"+4"``);
    ``worms``: ``action`` with ``when`` (``before``, ``after``) for ``to_bottom`` and ``swap``, ``card`` for
    ``move_others``, ``piece``, ``at``, ``with``, ``on`` for ``swap``; ``stacks`` (numbers from bottom to top by
    player, where a stack lies differently than it should); in corrections ``fixed`` (``removed``, ``tokens``,
    ``worms``, ``laps``, ``extra``).
    """
    config = state.config
    line = base.action_to_line(state, turn)
    if turn.action_die is not None:
        head: Json = {key: line.pop(key) for key in ("player", "roll") if key in line}
        line = {**head, "action_die": turn.action_die, **line}
    if turn.passed is not None:
        tile, to = turn.passed
        named = None if to is None else config.names[to]
        line["passed"] = {"tile": config.tile(tile), "number": tile, "to": named}
    if turn.token:
        line["token"] = f"+{turn.token}"
    if turn.worms:
        line["worms"] = [_worm_out(worm) for worm in turn.worms]
    if turn.stacks:
        line["stacks"] = {config.names[player]: list(tiles) for player, tiles in turn.stacks}
    if turn.fixed:
        line["fixed"] = {name: _lists(value) for name, value in turn.fixed}
    return line


def _worm_out(worm: Worm) -> Json:
    line: Json = {"action": worm.action}
    if worm.action in ("to_bottom", "swap"):
        line["when"] = "before" if worm.before else "after"
    if worm.action == "move_others":
        line["card"] = worm.card
    if worm.action == "swap":
        line |= {"piece": worm.piece, "at": worm.at, "with": worm.other, "on": worm.on}
    return line


def _lists(value: object) -> object:
    return [_lists(entry) for entry in value] if isinstance(value, tuple) else value


def action_from_line(state: State, line: Mapping[str, Any]) -> Turn:
    """Read :func:`action_to_line` back. Raises RecordError naming the fault."""
    config = state.config
    correction = line.get("type") == "correction"
    player = player_index(line.get("player"), config.names, state.to_move)
    moves = tuple(m for m in read_moves(line, place_in(config)) if m.start != m.to or m.piece == FLIXXY)
    returned = read_tiles(line, "returned", config, [t for pile in state.collected for t in reversed(pile)])
    roll = 0 if correction and line.get("roll") is None else read_roll(line)
    worms = tuple(_worm_in(entry, config, moves) for entry in optional_list(line, "worms"))
    if not moves:
        moves = tuple(m for w in worms if w.action == "move_others" for m in others_moves(state, player, w.card, roll))
    turn = Turn(
        player,
        roll,
        moves,
        read_tiles(line, "taken", config, likely_tiles(state, moves, returned)),
        returned,
        read_given(state, line),
        (),
        None if line.get("next") is None else player_index(line["next"], config.names, 0),
        _action_die(line),
        _passed(state, line, player),
        _token(line),
        worms,
        _stacks(state, line),
        _fixed(state, line),
    )
    return guards_told(start_of_move(state, turn), turn)


def _action_die(line: Mapping[str, Any]) -> str | None:
    value = line.get("action_die")
    if value is None or isinstance(value, str):
        return value
    raise fault("action_die", value, "must, may or may_not", "must, may oder may_not")


def _passed(state: State, line: Mapping[str, Any], player: int) -> tuple[int, int | None] | None:
    entry = line.get("passed")
    if entry is None:
        return None
    if not isinstance(entry, Mapping):
        raise fault("passed", entry, '{"tile", "to"}', '{"tile", "to"}')
    if "number" in entry:
        tile = read_number(entry["number"], "passed", state.config)
    else:
        stack = state.collected[player][::-1]
        tile = read_tiles({"passed": [entry.get("tile")]}, "passed", state.config, stack)[0]
    to = entry.get("to")
    return tile, None if to is None else player_index(to, state.config.names, 0)


def _token(line: Mapping[str, Any]) -> int:
    value = line.get("token")
    if value is None:
        return 0
    number = int(value) if isinstance(value, str) and value.lstrip("+").isdecimal() else value
    if not is_whole(number) or not 1 <= number <= 4:
        raise fault("token", value, '"+1" to "+4"', '"+1" bis "+4"')
    return int(number)


def _worm_in(entry: object, config: Config, moves: tuple[Any, ...]) -> Worm:
    if not isinstance(entry, Mapping) or entry.get("action") not in WORMS:
        raise fault("worms", entry, f'"action" of {", ".join(WORMS)}', f'"action" aus {", ".join(WORMS)}')
    action, before = str(entry["action"]), entry.get("when", "before") != "after"
    if action == "move_others":
        return Worm(action, True, _place(entry, "card", config, moves[0].start if moves else None))
    if action != "swap":
        return Worm(action, before if action == "to_bottom" else True)
    names = [entry.get(field) for field in ("piece", "with")]
    if not all(isinstance(name, str) for name in names):
        raise fault("worms: swap", entry, '"piece", "at", "with", "on"', '"piece", "at", "with", "on"')
    at, on = _place(entry, "at", config), _place(entry, "on", config)
    return Worm(action, before, 0, str(names[0]), at, str(names[1]), on)


def _place(entry: Mapping[str, Any], field: str, config: Config, default: object = None) -> int:
    value = entry.get(field, default)
    if not is_whole(value) or not 0 < value < config.finish:
        raise fault(f"worms: {field}", value, f"1 to {config.finish - 1}", f"1 bis {config.finish - 1}")
    return int(value)


def _stacks(state: State, line: Mapping[str, Any]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    given = line.get("stacks") or {}
    if not isinstance(given, Mapping):
        raise fault("stacks", given, "an object of players", "ein Objekt mit Namen")
    stacks = []
    for name, tiles in given.items():
        player = player_index(name, state.config.names, 0)
        numbers = optional_list({"stacks": tiles}, "stacks")
        stacks.append((player, tuple(read_number(tile, "stacks", state.config) for tile in numbers)))
    return tuple(stacks)


def _fixed(state: State, line: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    given = line.get("fixed") or {}
    if not isinstance(given, Mapping) or not set(given) <= set(FIXED):
        raise fault("fixed", given, f"an object of {', '.join(FIXED)}", f"ein Objekt aus {', '.join(FIXED)}")
    for name, value in given.items():
        if not _fits(state, name, value):
            raise fault(f"fixed: {name}", value, "what the game has", "was es im Spiel gibt")
    return tuple((name, _tuples(value)) for name, value in given.items())


def _fits(state: State, name: str, value: object) -> bool:
    players = len(state.pawns)
    if name in ("laps", "extra"):
        return is_whole(value) and value >= 0  # type: ignore[operator]
    if not isinstance(value, list) or (name != "removed" and len(value) != players):
        return False
    if name == "tokens":
        if not all(isinstance(won, list) for won in value):
            return False
        won = [token for tokens in value for token in tokens]
        return all(is_whole(token) and token in TOKENS for token in won) and len(set(won)) == len(won)
    if not all(is_whole(entry) and entry >= 0 for entry in value):
        return False
    return name == "removed" or sum(value) <= state.config.worm_count


def _tuples(value: object) -> object:
    return tuple(_tuples(entry) for entry in value) if isinstance(value, list) else value


def state_to_text(state: State) -> str:
    """The text of Verflixxt!, then Flixxy, removed cards, round tokens, worm tokens, laps and extra turns."""
    more = f"{groups_text((state.removed,))} {groups_text(state.tokens)} {groups_text((state.worms,))}"
    return f"{base.state_to_text(state)} {state.flixxy} {more} {state.laps} {state.extra}"


def state_from_text(raw: Mapping[str, Any], text: str) -> State:
    """Inverse of :func:`state_to_text`. Raises RecordError when the text does not fit the setup."""
    config = start_state(raw).config
    fields = text.split(" ")
    if len(fields) != 12:
        raise fault("state", text, "twelve fields", "zwölf Felder")
    whole = (fields[0], fields[1], fields[10], fields[11])
    if not all(n.isdecimal() for n in whole) or not (fields[6].isdecimal() or fields[6] == "out"):
        raise fault("state", text, "whole numbers", "ganze Zahlen")
    turns, to_move, laps, extra = map(int, whole)
    route, pawns, guards, collected = (groups_from_text(field) for field in fields[2:6])
    removed, tokens, worms = (groups_from_text(field) for field in fields[7:10])
    flixxy = int(fields[6]) if fields[6].isdecimal() else fields[6]
    state = State(
        config, to_move, turns, route[0], pawns, guards[0], collected, flixxy, removed[0], tokens, worms[0], laps, extra
    )
    _check(state)
    return state


def _check(state: State) -> None:
    config, players = state.config, len(state.config.names)
    tiles = sorted((*state.route, *state.removed, *(tile for pile in state.collected for tile in pile)))
    groups = (state.pawns, state.collected, state.tokens, state.worms)
    if (
        any(len(group) != players for group in groups)
        or state.to_move >= players
        or tiles != list(range(1, config.finish))
        or any(len(places) != config.pawns_each for places in state.pawns)
        or len(state.guards) > len(config.guards_start)
        or any(place > config.finish for places in (*state.pawns, state.guards) for place in places)
    ):
        raise RecordError("the state does not fit the setup", "Der Stand passt nicht zur Aufstellung")
