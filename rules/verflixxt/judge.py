"""Judges any physical turn of Verflixxt! All broken rules at once; the state follows the table.

Source of every rule: the German rule text ("Verflixxt! - Spielanleitung & Regeln"); :mod:`rules.texts` names the
passage for each violation.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.protocol import Move, RecordError, Verdict, Violation
from rules.verflixxt.route import position, steps
from rules.verflixxt.scoring import end_tiles, is_over
from rules.verflixxt.state import FLIXXY, GUARD, OUT, START, Config, State, Turn, pawn_of
from rules.verflixxt.table import Table, carry_out, guard_goes_to, guards_told

Fact = tuple[str, str | int]


def judge(state: State, turn: Turn) -> Verdict[State]:
    """All rules ``turn`` broke and the state after it. Raises RecordError when it cannot have happened."""
    check_turn(state.config, turn)
    turn = guards_told(state, turn)
    main, displaced = split_moves(turn)
    table = carry_out(state, turn)
    broken = whose_turn(state, turn)
    broken += _moves(state, turn, main)
    broken += displaced_guards(state, turn, displaced)
    broken += _tiles(state, turn, main, table)
    if turn.wandered or state.config.v3 != "off":
        broken += _wandering(state, turn, main, table)
    table.wander(turn.wandered)
    return Verdict(tuple(broken), table.state(next_player(table, turn.player), state.turns + 1))


def split_moves(turn: Turn) -> tuple[list[Move], list[Move]]:
    """The moves that count as the turn's own, and the guards that had to leave a tile that was taken."""
    main, displaced = [], []
    tiles = turn.taken + tuple(tile for _, tile in turn.given) if turn.taken or turn.given else ()
    pawn_moved = any(move.piece != GUARD for move in turn.moves)
    for move in turn.moves:
        if move.piece == GUARD and (move.to == OUT or move.start == OUT or (pawn_moved and move.start in tiles)):
            displaced.append(move)
        elif move.start != move.to or move.piece == FLIXXY:  # Flixxy may go once round to where it stood
            main.append(move)
    return main, displaced


def next_player(table: Table, player: int) -> int:
    """The next player in turn order who still has a pawn on the course."""
    players, finish = len(table.pawns), table.config.finish
    for k in range(1, players + 1):
        candidate = (player + k) % players
        if table.pawns[candidate][0] != finish:
            return candidate
    return (player + 1) % players


def tiles_left(state: State, turn: Turn, main: Iterable[Move], table: Table) -> tuple[list[int], list[int]]:
    """Tiles that an own pawn left so that they must be taken, and tiles that a foreign pawn left in this way."""
    own: list[int] = []
    foreign: list[int] = []
    mine = pawn_of(state.config, turn.player)
    for move in main:
        tile = move.start
        if move.piece == GUARD or not isinstance(tile, int) or tile not in state.route:
            continue
        if any(tile in places for places in table.pawns) or tile in own or tile in foreign:
            continue
        if state.config.guard_blocks_taking and _guards_left(state, main, tile):
            continue
        (own if move.piece == mine else foreign).append(tile)
    return own, foreign


def wandering_tiles(table: Table, left: Iterable[int]) -> list[int]:
    """Tiles that variant 3 sends to the finish: those that pawns left, or those behind all pawns on the course."""
    config = table.config
    if config.v3 == "vacated":
        return list(left)
    if config.v3 == "off":
        return []
    on_course = [p for places in table.pawns for p in places if p != config.finish]
    if not on_course:
        return []
    rearmost = min(position(table.route, place, config.finish) for place in on_course)
    return table.route[: (rearmost - 1) // 2] if rearmost else []


def check_turn(config: Config, turn: Turn) -> None:
    """Raises RecordError for a player or a roll that does not exist."""
    if not 0 <= turn.player < len(config.names):
        raise RecordError(f"there is no player number {turn.player}", f"Person Nummer {turn.player} gibt es nicht")
    if not 1 <= turn.roll <= 6:
        raise RecordError(f"roll is {turn.roll}; a die shows 1 to 6", f"roll ist {turn.roll}; ein Würfel zeigt 1 bis 6")


def _guards_left(state: State, main: Iterable[Move], tile: int) -> bool:
    return state.guards.count(tile) > sum(m.piece == GUARD and m.start == tile for m in main)


def whose_turn(state: State, turn: Turn) -> list[Violation]:
    """Faults of when the turn was played."""
    broken = []
    names = state.config.names
    if is_over(state):
        broken.append(Violation("game_is_over", (("player", names[turn.player]),)))
    elif turn.player != state.to_move:
        facts: tuple[Fact, ...] = (("player", names[turn.player]), ("expected", names[state.to_move]))
        broken.append(Violation("out_of_turn", facts))
    return broken


def _moves(state: State, turn: Turn, main: list[Move]) -> list[Violation]:
    config = state.config
    if not main:
        if config.v2 and turn.roll == 1:
            return []
        return [Violation("no_move", (("player", config.names[turn.player]), ("roll", turn.roll)))]
    broken: list[Violation] = []
    if len(main) > 1:
        broken.append(Violation("more_than_one_move", (("player", config.names[turn.player]), ("count", len(main)))))
    counts = [wrong_way(state, turn, move) for move in main]
    if all(rule is not None for rule in counts):
        broken += [violation(rule, state, turn, move) for rule, move in zip(counts, main, strict=True) if rule][:1]
    for move in main:
        broken += [violation(rule, state, turn, move) for rule in wrong_piece(state, turn, move)]
    return broken


def wrong_way(state: State, turn: Turn, move: Move) -> str | None:
    """``"wrong_count"``, ``"moved_backwards"`` or None when the piece went as far as the die says."""
    config = state.config
    start, to = _number(move.start), _number(move.to)
    if start == config.finish:
        return None
    count = steps(state.route, start, to, config.finish)
    if count == turn.roll or (to == config.finish and 0 < count < turn.roll):
        return None
    if count > 0:
        return "wrong_count"
    may_go_back = config.v2 and turn.roll == 1 and (move.piece != GUARD or config.v2_guards)
    return None if may_go_back and count == -1 else "moved_backwards"


def wrong_piece(state: State, turn: Turn, move: Move) -> list[str]:
    """Rules broken by moving this piece at all."""
    config = state.config
    broken = []
    if move.start == config.finish:
        broken.append("left_finish")
    if move.piece == GUARD:
        if move.start != config.finish and not any(move.start in places for places in state.pawns):
            broken.append("guard_without_pawn")
        if move.to == config.finish and config.guard_in_finish == "not_allowed":
            broken.append("guard_in_finish")
    elif move.piece != pawn_of(config, turn.player):
        broken.append("not_own_pawn")
    return broken


def displaced_guards(state: State, turn: Turn, displaced: list[Move]) -> list[Violation]:
    """Guards whose tile was taken and that went where the house rule does not send them."""
    if not displaced:
        return []
    tiles = turn.taken + tuple(tile for _, tile in turn.given)
    wrong = [m for m in displaced if m.start not in tiles or m.to != guard_goes_to(state, _number(m.start))]
    return [violation("guard_misplaced", state, turn, move) for move in wrong[:1]]


def _tiles(state: State, turn: Turn, main: list[Move], table: Table) -> list[Violation]:
    if not (main or turn.taken or turn.given or turn.returned):
        return []
    must, may = tiles_left(state, turn, main, table)
    return tile_faults(state, turn, table, ([], []) if state.config.v3 == "vacated" else (must, may))


def tile_faults(state: State, turn: Turn, table: Table, left: tuple[list[int], list[int]]) -> list[Violation]:
    """Faults of taking tiles; ``left``: those that must be taken, and those that may be taken or left lying."""
    missing = [tile for tile in left[0] if tile not in turn.taken]
    wrong = [tile for tile in turn.taken if tile not in left[0] and tile not in left[1]]
    broken = []
    for player, tile in turn.given:
        broken += _given(state, turn, player, tile, missing, left[1], table)
    while missing and wrong:
        broken.append(_took_wrong(state, turn, wrong.pop(0), missing.pop(0)))
    broken += [about_tile("must_take_tile", state, turn, tile) for tile in missing]
    broken += [about_tile("may_not_take_tile", state, turn, tile) for tile in wrong]
    broken += [about_tile("gave_tile_back", state, turn, tile) for tile in turn.returned]
    return broken


def _given(
    state: State, turn: Turn, player: int, tile: int, missing: list[int], may: list[int], table: Table
) -> list[Violation]:
    """A tile that went to somebody else; fine after a foreign pawn, and when variant 4 has just ended the game."""
    to = ("to", state.config.names[player])
    if tile in missing:
        missing.remove(tile)
        return [Violation("tile_to_wrong_player", (who(state, turn), ("tile", _tile(state, tile)), to))]
    if tile in may or tile in end_tiles(_with_tiles(state, table))[player]:
        return []
    return [Violation("may_not_take_tile", (("player", to[1]), ("tile", _tile(state, tile))))]


def _with_tiles(state: State, table: Table) -> State:
    """The table after the turn as if nobody had taken a tile yet."""
    after = table.state(state.to_move, state.turns)
    return State(after.config, after.to_move, after.turns, state.route, after.pawns, after.guards, after.collected)


def _wandering(state: State, turn: Turn, main: list[Move], table: Table) -> list[Violation]:
    expected = wandering_tiles(table, tiles_left(state, turn, main, table)[0])
    late = [tile for tile in expected if tile in table.route and tile not in turn.wandered]
    early = [tile for tile in turn.wandered if tile not in expected]
    return [about_tile("must_lay_tile_before_finish", state, turn, tile) for tile in late] + [
        about_tile("may_not_lay_tile_before_finish", state, turn, tile) for tile in early
    ]


def violation(rule: str, state: State, turn: Turn, move: Move) -> Violation:
    """A violation about one move, with every fact its sentence may use."""
    config = state.config
    count = steps(state.route, _number(move.start), _number(move.to), config.finish)
    return Violation(
        rule,
        (
            who(state, turn),
            ("roll", turn.roll),
            ("piece", move.piece),
            ("from", move.start),
            ("to", move.to),
            ("from_tile", config.tile(move.start)),
            ("to_tile", config.tile(move.to)),
            ("steps", count),
        ),
    )


def about_tile(rule: str, state: State, turn: Turn, tile: int) -> Violation:
    """A violation about one tile."""
    return Violation(rule, (who(state, turn), ("tile", _tile(state, tile))))


def _took_wrong(state: State, turn: Turn, tile: int, wanted: int) -> Violation:
    facts = (who(state, turn), ("tile", _tile(state, tile)))
    names = _tile(state, tile), _tile(state, wanted)
    return Violation("took_wrong_tile", facts if names[0] == names[1] else (*facts, ("wanted", names[1])))


def who(state: State, turn: Turn) -> Fact:
    """The fact who did it."""
    return "player", state.config.names[turn.player]


def _tile(state: State, tile: int) -> str:
    return state.config.tile(tile)


def _number(place: int | str) -> int:
    return place if isinstance(place, int) else START
