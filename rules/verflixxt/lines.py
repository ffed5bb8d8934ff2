"""Record lines and one-line texts of Verflixxt! and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.lines import (
    fault,
    groups_from_text,
    groups_text,
    optional_list,
    player_index,
    read_moves,
    read_roll,
    shown,
    wanted_list,
)
from rules.protocol import Json, Move, RecordError
from rules.setup import is_whole
from rules.verflixxt.moves import complete
from rules.verflixxt.state import GUARD, OUT, START, Config, State, Turn, first_state, start_state
from rules.verflixxt.table import guards_told


def action_to_line(state: State, turn: Turn) -> Json:
    """The fields of a turn or of a correction.

    ``player``, ``roll``; ``moves`` with ``piece``, ``from``, ``to`` (``"start"``, a tile's number in the starting
    route, the number after the last one for the finish, ``"out"``); ``taken`` names the tiles taken,
    ``taken_tiles`` their numbers, which makes two equal tiles different. Where they are not empty: ``returned`` and
    ``returned_tiles`` (back from a pile to the route), ``given`` (``tile``, ``number``, ``to``: taken by somebody
    else), ``wandered`` (numbers of tiles laid before the finish, variant 3), ``next`` (whose turn it is after a
    correction).
    """
    config = state.config
    line: Json = {"player": config.names[turn.player]}
    if turn.roll:
        line["roll"] = turn.roll
    line["moves"] = [{"piece": m.piece, "from": place_out(m.start), "to": place_out(m.to)} for m in turn.moves]
    line["taken"] = [config.tile(tile) for tile in turn.taken]
    if turn.taken:
        line["taken_tiles"] = list(turn.taken)
    if turn.returned:
        line["returned"] = [config.tile(tile) for tile in turn.returned]
        line["returned_tiles"] = list(turn.returned)
    if turn.given:
        line["given"] = [{"tile": config.tile(t), "number": t, "to": config.names[p]} for p, t in turn.given]
    if turn.wandered or config.v3 != "off":
        line["wandered"] = list(turn.wandered)
    if turn.next_player is not None:
        line["next"] = config.names[turn.next_player]
    return line


def place_out(place: int | str) -> int | str:
    """A place as records have it: ``"start"`` for 0, else unchanged."""
    return "start" if place == START else place


def action_from_line(state: State, line: Mapping[str, Any]) -> Turn:
    """Read :func:`action_to_line` back. Raises RecordError naming the fault.

    A guard whose tile is taken needs no move of its own (the house rule says where it goes), nor do the tiles of
    variant 3 need naming when they go where they should.
    """
    config = state.config
    correction = line.get("type") == "correction"
    player = player_index(line.get("player"), config.names, state.to_move)
    moves = tuple(m for m in read_moves(line, place_in(config)) if m.start != m.to)
    returned = read_tiles(line, "returned", config, [t for pile in state.collected for t in reversed(pile)])
    turn = Turn(
        player,
        0 if correction and line.get("roll") is None else read_roll(line),
        moves,
        read_tiles(line, "taken", config, likely_tiles(state, moves, returned)),
        returned,
        read_given(state, line),
        read_wandered(line),
        None if line.get("next") is None else player_index(line["next"], config.names, 0),
    )
    turn = guards_told(state, turn)
    if config.v3 != "off" and not correction and "wandered" not in line:
        whole = complete(state, player, turn.roll, *moves)
        return Turn(turn.player, turn.roll, turn.moves, turn.taken, turn.returned, turn.given, whole.wandered)
    return turn


def place_in(config: Config) -> Mapping[object, int | str]:
    """All ways to write a place, with the place."""
    places: dict[object, int | str] = {"start": START, "finish": config.finish, OUT: OUT}
    for number in range(config.finish + 1):
        places[number] = places[str(number)] = number
    return places


def likely_tiles(state: State, moves: Iterable[Move], returned: Iterable[int]) -> list[int]:
    """Tiles on the route, those first that a pawn has just left, then those a guard has left."""
    left = [m.start for m in moves if m.piece != GUARD] + [m.start for m in moves if m.piece == GUARD]
    return [int(t) for t in left if t in state.route] + [*state.route, *returned]


def read_tiles(line: Mapping[str, Any], field: str, config: Config, likely: Sequence[int]) -> tuple[int, ...]:
    """Tile numbers of ``taken`` or ``returned``; names are looked up among ``likely`` ones, first match first."""
    numbers = line.get(f"{field}_tiles")
    if numbers is not None:
        wanted_list(numbers, f"{field}_tiles")
        return tuple(read_number(entry, field, config) for entry in numbers)
    found: list[int] = []
    for entry in optional_list(line, field):
        name = "luck" if entry == 0 else f"{entry:+d}" if is_whole(entry) else entry
        tile = next((t for t in likely if config.tile(t) == name and t not in found), None)
        if tile is None:
            raise _no_such_tile(name, field, config)
        found.append(tile)
    return tuple(found)


def read_number(entry: object, field: str, config: Config) -> int:
    if is_whole(entry) and 0 < int(entry) < config.finish:  # type: ignore[call-overload]
        return int(entry)  # type: ignore[call-overload, no-any-return]
    raise fault(f"{field}_tiles", entry, f"1 to {config.finish - 1}", f"1 bis {config.finish - 1}")


def _no_such_tile(name: object, field: str, config: Config) -> RecordError:
    known = [config.tile(tile) for tile in range(1, config.finish)]
    if name not in known:
        return RecordError(
            f"{field}: there is no tile {shown(name)} in this game", f"{field}: eine Tafel {shown(name)} gibt es nicht"
        )
    if field == "returned":
        return RecordError(f"{field}: nobody has tile {name}", f"{field}: Tafel {name} hat niemand")
    return RecordError(
        f"{field}: tile {name} is gone from the route", f"{field}: Tafel {name} liegt nicht mehr auf dem Weg"
    )


def read_given(state: State, line: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    given = []
    for entry in optional_list(line, "given"):
        if not isinstance(entry, Mapping) or "to" not in entry:
            raise fault("given", entry, '{"tile", "number", "to"}', '{"tile", "number", "to"}')
        owner = player_index(entry["to"], state.config.names, 0)
        if "number" in entry:
            tile = read_number(entry["number"], "given", state.config)
        else:
            tile = read_tiles({"given": [entry.get("tile")]}, "given", state.config, state.route)[0]
        given.append((owner, tile))
    return tuple(given)


def read_wandered(line: Mapping[str, Any]) -> tuple[int, ...]:
    tiles = optional_list(line, "wandered")
    if not all(is_whole(tile) for tile in tiles):
        raise fault("wandered", tiles, "tile numbers", "Tafelnummern")
    return tuple(tiles)


def state_to_text(state: State) -> str:
    """One line: turns, player to move, route, pawns, guards, collected; ``-`` for nothing, ``/`` between players.

    >>> state_to_text(start_state({"game": "verflixxt", "players": [{"name": "A", "colour": "red"},
    ...     {"name": "B", "colour": "blue"}]}))
    '0 0 1-32 0,0,0/0,0,0 9-16 -/-'
    """
    return (
        f"{state.turns} {state.to_move} {groups_text((state.route,))} {groups_text(state.pawns)} "
        f"{groups_text((state.guards,))} {groups_text(state.collected)}"
    )


def state_from_text(raw: Mapping[str, Any], text: str) -> State:
    """Inverse of :func:`state_to_text`. Raises RecordError when the text does not fit the setup."""
    start = first_state(start_state(raw).config)
    fields = text.split(" ")
    if len(fields) != 6:
        raise fault("state", text, "six fields", "sechs Felder")
    numbers, route, pawns, guards, collected = fields[:2], *(groups_from_text(field) for field in fields[2:])
    if not all(n.isdecimal() for n in numbers):
        raise fault("state", text, "turns and player to move first", "zuerst Züge und wer dran ist")
    state = State(start.config, int(numbers[1]), int(numbers[0]), route[0], pawns, guards[0], collected)
    check_state(state, len(route), len(guards))
    return state


def check_state(state: State, routes: int, guards: int) -> None:
    config, players = state.config, len(state.config.names)
    tiles = sorted(state.route + tuple(tile for pile in state.collected for tile in pile))
    if (
        routes != 1
        or guards != 1
        or len(state.pawns) != players
        or len(state.collected) != players
        or state.to_move >= players
        or tiles != list(range(1, config.finish))
        or any(len(places) != config.pawns_each for places in state.pawns)
        or len(state.guards) > len(config.guards_start)
        or any(place > config.finish for places in (*state.pawns, state.guards) for place in places)
    ):
        raise RecordError("the state does not fit the setup", "Der Stand passt nicht zur Aufstellung")
