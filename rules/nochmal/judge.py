"""Judges any physical turn of Verflixxt nochmal. All broken rules at once; the state follows the table.

Source of every rule: the rule text "Verflixxt nochmal", and that of Verflixxt! where it adds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.nochmal.flight import flight, flown, reaches_finish
from rules.nochmal.state import ACTION_DIE, State, Turn, tokens_left
from rules.nochmal.table import FlixxyTable, draw_worms, receiver
from rules.nochmal.worms import count_faults, others_faults, play_worms, swap_faults
from rules.protocol import Move, RecordError, Verdict, Violation
from rules.verflixxt.judge import (
    about_tile,
    check_turn,
    displaced_guards,
    next_player,
    split_moves,
    tile_faults,
    violation,
    who,
    whose_turn,
    wrong_way,
)
from rules.verflixxt.state import FLIXXY, GUARD, OUT, pawn_of
from rules.verflixxt.table import carry_out_on, guards_told


@dataclass(frozen=True, slots=True)
class Dues:
    """What the moves of a turn make due: cards to take, cards that may be taken, a card to pass, a round token.

    ``passing``: (tile, player or None for out of the game), None when nothing is to be passed; ``token`` 0 for none.
    """

    take: tuple[int, ...]
    may_take: tuple[int, ...]
    passing: tuple[int, int | None] | None
    token: int


def judge(state: State, turn: Turn) -> Verdict[State]:
    """All rules ``turn`` broke and the state after it. Raises RecordError when it cannot have happened."""
    check_turn(state.config, turn)
    _check_action_die(state, turn)
    start = start_of_move(state, turn)
    turn = guards_told(start, turn)
    main, displaced = split_moves(turn)
    table = carry_out_on(FlixxyTable(start), turn)
    due = dues(start, turn, main, table)
    broken = whose_turn(state, turn)
    broken += _moves(start, turn, main)
    broken += displaced_guards(start, turn, displaced)
    broken += _cards(start, turn, due, table)
    broken += _passing(start, turn, due)
    broken += _token(start, turn, due)
    finish_turn(table, turn, main, start)
    broken += count_faults(state, table, turn)
    broken += swap_faults(start, state, turn, table)
    broken += _stacks(state, turn, table)
    return Verdict(tuple(broken), _next_state(state, turn, table))


def start_of_move(state: State, turn: Turn) -> State:
    """The state after the worm tokens that were played before the move."""
    if not any(worm.before for worm in turn.worms):
        return state
    table = FlixxyTable(state)
    play_worms(table, turn, before=True)
    return table.after(state.to_move, state.turns, state.extra)


def dues(start: State, turn: Turn, main: list[Move], table: FlixxyTable) -> Dues:
    """What has to happen after the moves (``table``: after them)."""
    take: list[int] = []
    may_take: list[int] = []
    passing: tuple[int, int | None] | None = None
    mine = pawn_of(start.config, turn.player)
    for move in main:
        tile = move.start
        if not isinstance(tile, int) or not _left_empty(start, move, main, table):
            continue
        if not start.config.is_verflixxt(tile):
            (take if move.piece in (mine, FLIXXY) else may_take).append(tile)
        elif move.piece in (mine, FLIXXY) and start.collected[turn.player]:
            passing = start.collected[turn.player][-1], receiver(table, turn.player)
    left = tokens_left(start.tokens)
    token = left[0] if left and arrival(start, main) is not None else 0
    return Dues(tuple(dict.fromkeys(take)), tuple(may_take), passing, token)


def arrival(start: State, main: list[Move]) -> Move | None:
    """The move that brought Flixxy onto the finish or past it, if any."""
    for move in main:
        if move.piece == FLIXXY and isinstance(move.start, int) and isinstance(move.to, int):
            if reaches_finish(start.route, move.start, move.to, start.config.finish):
                return move
    return None


def _left_empty(start: State, move: Move, main: list[Move], table: FlixxyTable) -> bool:
    tile = move.start
    if move.piece == GUARD or tile not in start.route or tile == table.flixxy:
        return False
    if any(tile in places for places in table.pawns):
        return False
    guards = start.guards.count(int(tile)) - sum(m.piece == GUARD and m.start == tile for m in main)
    strict = move.piece == FLIXXY or start.config.guard_blocks_taking or start.config.is_verflixxt(int(tile))
    return not (guards and strict)


def finish_turn(table: FlixxyTable, turn: Turn, main: list[Move], start: State) -> None:
    """Everything after the moves and the taking: passing, token, worm tokens, Flixxy leaving the game."""
    if turn.passed is not None:
        table.pass_card(turn.player, *turn.passed)
    if turn.token:
        table.take_token(turn.player, turn.token)
    table.laps += arrival(start, main) is not None
    if table.flixxy != OUT:
        by_tokens = table.config.flixxy_leaves == "after_tokens_empty"
        if not tokens_left(tuple(table.tokens)) if by_tokens else table.laps >= 5:
            table.flixxy = OUT
    draw_worms(table, turn)
    play_worms(table, turn, before=False)
    for player, tiles in turn.stacks:
        table.restack(player, tiles)


def _next_state(state: State, turn: Turn, table: FlixxyTable) -> State:
    used = len(turn.worms)
    table.worms[turn.player] = max(0, table.worms[turn.player] - used)
    pending = state.extra if turn.player == state.to_move else 0
    pending += sum(worm.action == "extra_turn" for worm in turn.worms)
    if pending and table.pawns[turn.player][0] != table.config.finish:
        return table.after(turn.player, state.turns + 1, pending - 1)
    return table.after(next_player(table, turn.player), state.turns + 1, 0)


def _check_action_die(state: State, turn: Turn) -> None:
    if state.flixxy == OUT and turn.action_die is not None:
        raise RecordError(
            "action_die: the action die has left the game together with Flixxy",
            "action_die: der Aktionswürfel ist mit Flixxy aus dem Spiel",
        )
    if state.flixxy != OUT and turn.action_die not in ACTION_DIE:
        found = "null" if turn.action_die is None else f'"{turn.action_die}"'
        names = ", ".join(ACTION_DIE)
        raise RecordError(
            f"action_die: expected one of {names}, found {found}",
            f"action_die: erwartet eines von {names}, gefunden {found}",
        )


def _moves(start: State, turn: Turn, main: list[Move]) -> list[Violation]:
    if any(worm.action == "move_others" for worm in turn.worms):
        return others_faults(start, turn, main)
    if not main:
        return [Violation("no_move", (who(start, turn), ("roll", turn.roll)))]
    broken: list[Violation] = []
    if len(main) > 1:
        broken.append(Violation("more_than_one_move", (who(start, turn), ("count", len(main)))))
    broken += _action_die(start, turn, main)
    ways = [(_way(start, turn, move), move) for move in main]
    if all(rule for rule, _ in ways):
        broken += [_about(rule, start, turn, move) for rule, move in ways[:1] if rule]
    for move in main:
        broken += [_about(rule, start, turn, move) for rule in _wrong_piece(start, turn, move)]
    return broken


def _action_die(start: State, turn: Turn, main: list[Move]) -> list[Violation]:
    flies = any(move.piece == FLIXXY for move in main)
    if turn.action_die == "must" and not flies:
        return [Violation("must_move_flixxy", (who(start, turn),))]
    if turn.action_die == "may_not" and flies:
        return [Violation("may_not_move_flixxy", (who(start, turn),))]
    return []


def _way(start: State, turn: Turn, move: Move) -> str | None:
    if move.piece != FLIXXY:
        return wrong_way(start, turn, move)
    if not isinstance(move.start, int):
        return "wrong_count"
    wanted = flight(start.route, move.start, turn.roll, start.config.finish)
    return None if move.to == wanted else "wrong_count"


def _wrong_piece(start: State, turn: Turn, move: Move) -> list[str]:
    config = start.config
    if move.piece == FLIXXY:
        return []
    broken = ["left_finish"] if move.start == config.finish else []
    if move.piece == GUARD:
        company = move.start == start.flixxy or any(move.start in places for places in start.pawns)
        if move.start != config.finish and not company:
            broken.append("guard_without_pawn")
        if move.to == config.finish and config.guard_in_finish == "not_allowed":
            broken.append("guard_in_finish")
    elif move.piece != pawn_of(config, turn.player):
        broken.append("not_own_pawn")
    return broken


def _about(rule: str, start: State, turn: Turn, move: Move) -> Violation:
    broken = violation(rule, start, turn, move)
    if move.piece != FLIXXY or not isinstance(move.start, int) or not isinstance(move.to, int):
        return broken
    count = flown(start.route, move.start, move.to, start.config.finish)
    return Violation(rule, (*(fact for fact in broken.facts if fact[0] != "steps"), ("steps", count)))


def _cards(start: State, turn: Turn, due: Dues, table: FlixxyTable) -> list[Violation]:
    config = start.config
    orange = [tile for tile in (*turn.taken, *(t for _, t in turn.given)) if config.is_verflixxt(tile)]
    plain = replace(
        turn,
        taken=tuple(tile for tile in turn.taken if tile not in orange),
        given=tuple((p, tile) for p, tile in turn.given if tile not in orange),
    )
    broken = tile_faults(start, plain, table, (list(due.take), list(due.may_take)))
    return broken + [about_tile("took_verflixxt_card", start, turn, tile) for tile in orange]


def _passing(start: State, turn: Turn, due: Dues) -> list[Violation]:
    config = start.config
    if turn.passed is None and due.passing is None:
        return []
    if due.passing is None:
        return [Violation("may_not_pass_card", (who(start, turn),))]
    tile, to = due.passing
    wanted = (("expected" if turn.passed else "to", config.names[to]),) if to is not None else ()
    if turn.passed is None:
        return [Violation("must_pass_card", (who(start, turn), ("tile", config.tile(tile)), *wanted))]
    passed, got = turn.passed
    card = ("tile", config.tile(passed))
    broken = []
    if passed != tile:
        broken.append(Violation("passed_wrong_card", (who(start, turn), card, ("wanted", config.tile(tile)))))
    if got != to:
        facts = (who(start, turn), card, *wanted, *((("to", config.names[got]),) if got is not None else ()))
        broken.append(Violation("passed_to_wrong_player", facts))
    return broken


def _token(start: State, turn: Turn, due: Dues) -> list[Violation]:
    if turn.token == due.token:
        return []
    if not turn.token:
        return [Violation("token_missed", (who(start, turn), ("token", f"+{due.token}")))]
    return [Violation("token_not_earned", (who(start, turn), ("token", f"+{turn.token}")))]


def _stacks(state: State, turn: Turn, table: FlixxyTable) -> list[Violation]:
    if not turn.stacks:
        return []
    start = start_of_move(state, turn)
    ordered = carry_out_on(FlixxyTable(start), turn)
    finish_turn(ordered, replace(turn, stacks=()), split_moves(turn)[0], start)
    return [
        Violation("stack_order_changed", (("player", state.config.names[player]),))
        for player, tiles in turn.stacks
        if ordered.collected[player] != tiles
    ]
