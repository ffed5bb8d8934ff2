"""Best one-to-one assignment (Hungarian method with potentials), for the small tables that pieces make."""

from __future__ import annotations

from collections.abc import Sequence


def best_gain(gain: Sequence[Sequence[float]]) -> float:
    """Largest sum of ``gain[row][column]`` over one-to-one assignments in which any row may stay without a column.

    Rows are pieces, columns are detections; an entry of 0 or less is never worth taking.
    """
    rows = [list(row) for row in gain if any(g > 0 for g in row)]
    if not rows:
        return 0.0
    if len(rows) == 1:
        return max(rows[0])
    return -_min_cost([[-max(g, 0.0) for g in row] + [0.0] * len(rows) for row in rows])


def _min_cost(cost: list[list[float]]) -> float:
    """Smallest total cost of giving every row a column of its own; there must be at least as many columns."""
    rows, columns = len(cost), len(cost[0])
    row_potential, column_potential = [0.0] * (rows + 1), [0.0] * (columns + 1)
    owner = [0] * (columns + 1)
    for row in range(1, rows + 1):
        owner[0] = row
        path, last = _cheapest_path(cost, owner, row_potential, column_potential)
        while last:
            owner[last] = owner[path[last]]
            last = path[last]
    return sum(cost[owner[c] - 1][c - 1] for c in range(1, columns + 1) if owner[c])


def _cheapest_path(
    cost: list[list[float]], owner: list[int], row_potential: list[float], column_potential: list[float]
) -> tuple[list[int], int]:
    """Dijkstra over reduced costs from column 0's row to a free column: predecessor of each column, and the column."""
    columns = len(cost[0])
    path, slack, used = [0] * (columns + 1), [float("inf")] * (columns + 1), [False] * (columns + 1)
    here = 0
    while owner[here]:
        used[here] = True
        row, step, nearest = owner[here], float("inf"), 0
        for c in range(1, columns + 1):
            if used[c]:
                continue
            reduced = cost[row - 1][c - 1] - row_potential[row] - column_potential[c]
            if reduced < slack[c]:
                slack[c], path[c] = reduced, here
            if slack[c] < step:
                step, nearest = slack[c], c
        for c in range(columns + 1):
            if used[c]:
                row_potential[owner[c]] += step
                column_potential[c] -= step
            else:
                slack[c] -= step
        here = nearest
    return path, here
