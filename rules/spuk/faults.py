"""Names what is wrong with a turn of Spuk that no legal move explains.

Each move of the turn is tried as the one the player meant, the others as its consequences; the reading with the fewest
faults counts.
"""

from __future__ import annotations

from rules.protocol import Move, Violation
from rules.spuk.board import START
from rules.spuk.moving import Effects, barred, can_move, effects, occupied, push_down, without
from rules.spuk.state import At, Config, State, Turn


def diagnose(state: State, turn: Turn) -> list[Violation]:
    """The broken rules of a turn that is not legal."""
    moves = [move for move in turn.moves if move.start != move.to]
    if not moves:
        facts = ("player", state.config.names[turn.player]), ("roll", turn.roll)
        return [Violation("no_move", facts)] if can_move(state, turn.player, turn.roll) else []
    own = state.config.pieces[turn.player]
    moves.sort(key=lambda move: move.piece != own)
    readings = [_reading(state, turn, main, moves[:k] + moves[k + 1:]) for k, main in enumerate(moves)]
    return min(readings, key=len)


def _reading(state: State, turn: Turn, main: Move, others: list[Move]) -> list[Violation]:
    """The faults when ``main`` is the move that was meant."""
    broken = [violation(rule, state, turn, main) for rule in _main_faults(state, turn, main)]
    config = state.config
    to = config.field(main.to)
    rest = without(state.at, config.owner(main.piece), config.field(main.start))
    if barred(config, rest, config.owner(main.piece), to) is None:
        broken += _consequence_faults(state, turn, rest, effects(config, rest, to), others)
    else:
        others = [move for move in others if move.start != main.to]
    return broken + _unexplained(state, turn, others)


def _unexplained(state: State, turn: Turn, others: list[Move]) -> list[Violation]:
    """Figures that were moved although the turn gives no reason for it."""
    config, broken = state.config, []
    own = [move for move in others if not _is_thrown_back(config, turn, move)]
    if own:
        facts = ("player", config.names[turn.player]), ("count", 1 + len(own))
        broken.append(Violation("more_than_one_move", facts))
    for move in others:
        rules = _piece_faults(config, turn, move) if move in own else ["thrown_without_reason"]
        broken += [violation(rule, state, turn, move) for rule in rules]
    return broken


def _is_thrown_back(config: Config, turn: Turn, move: Move) -> bool:
    """Whether a foreign figure was put back as if it had been thrown out or pushed down."""
    to = config.field(move.to)
    return config.owner(move.piece) != turn.player and to < config.field(move.start) and (
        to == START or bool(config.board.numbers[to])
    )


def walked(config: Config, start: int, to: int) -> int:
    """The pips that lead from one field to another; negative when ``to`` lies behind ``start``."""
    return to - start + (1 if start == START and config.start_counted else 0)


def _main_faults(state: State, turn: Turn, move: Move) -> list[str]:
    config, board = state.config, state.config.board
    start, to = config.field(move.start), config.field(move.to)
    broken = _piece_faults(config, turn, move)
    square = board.next_square(start)
    steps = walked(config, start, to)
    passed = start < square < to and not board.is_square(start)
    rest = without(state.at, config.owner(move.piece), start)
    stopped = to == square < start + turn.roll and config.square_overshoot == "stop" and not occupied(rest, square)
    if steps != turn.roll and not (stopped and 0 < steps < turn.roll) and start != board.treasure:
        broken.append("wrong_count" if to > start else "moved_backwards")
    if passed:
        broken.append("passed_square")
    rule = barred(config, rest, config.owner(move.piece), to)
    return broken if rule is None else [*broken, rule]


def _piece_faults(config: Config, turn: Turn, move: Move) -> list[str]:
    """Faults that lie in the figure itself, wherever it went."""
    start = config.field(move.start)
    broken = []
    if config.owner(move.piece) != turn.player:
        broken.append("not_own_pawn")
    if config.board.is_square(start):
        broken.append("waiting_pawn_moved")
    if start == config.board.treasure:
        broken.append("left_home")
    return broken


def _consequence_faults(
    state: State, turn: Turn, rest: At, wanted: Effects, others: list[Move]
) -> list[Violation]:
    """What should have happened to others and did not. Takes the moves it explains out of ``others``."""
    broken = []
    for move in wanted.carried:
        broken += _missing(state, turn, move, others, "not_carried_across", "carried_to_wrong_field")
    thrown: list[Violation] = []
    arrived = []
    for move in wanted.thrown:
        found = _with_same_start(move, others)
        arrived.append(move if found is None else found)
        thrown += _missing(state, turn, move, others, "not_thrown_out", "thrown_to_wrong_field")
    if not thrown:
        for move in wanted.pushed:
            broken += _missing(state, turn, move, others, "not_pushed_down", "thrown_to_wrong_field")
    else:
        _allow_other_chain(state.config, rest, arrived, others)
    return broken + thrown


def _allow_other_chain(config: Config, rest: At, arrived: list[Move], others: list[Move]) -> None:
    """A figure thrown to the wrong field may have pushed others down there: that is no fault of its own."""
    for move in arrived:
        to = config.field(move.to)
        if config.board.numbers[to]:
            for pushed in push_down(config, rest, to):
                if pushed in others:
                    others.remove(pushed)


def _missing(
    state: State, turn: Turn, wanted: Move, others: list[Move], left_rule: str, wrong_rule: str
) -> list[Violation]:
    """The fault in one consequence: it did not happen, or it went elsewhere."""
    if wanted in others:
        others.remove(wanted)
        return []
    found = _with_same_start(wanted, others)
    if found is None:
        return [violation(left_rule, state, turn, wanted)]
    others.remove(found)
    return [violation(wrong_rule, state, turn, found, wanted)]


def _with_same_start(wanted: Move, others: list[Move]) -> Move | None:
    return next((m for m in others if m.piece == wanted.piece and m.start == wanted.start), None)


def violation(rule: str, state: State, turn: Turn, move: Move, wanted: Move | None = None) -> Violation:
    """A violation about one figure, with every fact its sentence may use; ``wanted`` is where it should have gone."""
    config, board = state.config, state.config.board
    start, to = config.field(move.start), config.field(move.to)
    facts: list[tuple[str, str | int]] = [
        ("player", config.names[turn.player]), ("roll", turn.roll), ("piece", move.piece),
        ("from", move.start), ("to", move.to), ("from_tile", board.label(start)), ("to_tile", board.label(to)),
        ("steps", walked(config, start, to)),
    ]
    if rule == "occupied_number":
        facts[3:] = [("to", board.numbers[to]), ("field", to)]
    if wanted is not None:
        facts.append(("wanted_field", board.label(config.field(wanted.to))))
    return Violation(rule, tuple(facts))
