"""Parts of cells: some of their replications, and whether two cells say the same about one."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.design.plan.cell import CellResult
from bestofk.stores.rows import BY_FOLD, BY_REPLICATION

_SAME_WITHIN = 1e-9  # the last bits of a score depend on the machine


def part(cell: CellResult, start: int, stop: int) -> CellResult:
    """Return the cell of these replications alone; they are counted as the plan counts them, not within the cell."""
    rows = slice(start - cell.key.start, stop - cell.key.start)
    changes: dict[str, Any] = {
        name: None if getattr(cell, name) is None else getattr(cell, name)[rows] for name in BY_REPLICATION
    }
    changes |= {name: _moved(getattr(cell, name), rows) for name in BY_FOLD}
    return replace(
        cell,
        key=replace(cell.key, start=start, stop=stop),
        failures=cell.failures[rows],
        scores={name: values[rows] for name, values in cell.scores.items()},
        **changes,
    )


def lacking(cell: CellResult, covered: Container[int]) -> tuple[CellResult, ...]:
    """Return the stretches of a cell's replications that are not among those covered already, each as a cell."""
    found, start = [], None
    for replication in range(cell.key.start, cell.key.stop + 1):
        free = replication < cell.key.stop and replication not in covered
        if free and start is None:
            start = replication
        elif not free and start is not None:
            found.append(part(cell, start, replication))
            start = None
    return tuple(found)


def _moved(kept: Mapping[tuple[int, int], Any] | None, rows: slice) -> dict[tuple[int, int], Any] | None:
    if kept is None:
        return None
    return {(r - rows.start, f): values for (r, f), values in kept.items() if rows.start <= r < rows.stop}


def difference(first: CellResult, second: CellResult, replication: int) -> str | None:
    """Say what two cells tell differently about a replication that both have; times and sizes may differ.

    Failures are compared by whether a fold failed, since their words may hold addresses and times.
    """
    i, j = replication - first.key.start, replication - second.key.start
    if not np.array_equal(first.fingerprints[i], second.fingerprints[j]):
        return "the folds"
    if (first.failed_folds[i] != second.failed_folds[j]).any():
        return "the failures"
    if (first.confusion is None) != (second.confusion is None):
        return "the confusion matrices"
    if first.confusion is not None and second.confusion is not None:
        if first.classes != second.classes:
            return "the classes"
        if not np.array_equal(first.confusion[i], second.confusion[j]):
            return "the confusion matrices"
    return _differing_score(first, second, i, j)


def _differing_score(first: CellResult, second: CellResult, i: int, j: int) -> str | None:
    for name in sorted({*first.scores, *second.scores}):
        if name not in first.scores or name not in second.scores:
            return f"the measure {name}"
        here, there = first.scores[name][i], second.scores[name][j]
        if not np.allclose(here, there, rtol=_SAME_WITHIN, atol=_SAME_WITHIN, equal_nan=True):
            return f"the measure {name}"
    return None
