"""Where in a table the first missing outcomes and scores of items are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Flags
from bestofk.evidence.items import Items
from bestofk.tables.table import Table

SHOWN = 3  # as many as an error names

#: The row of a learner and an item, by their places; None where there is none.
RowOf = Callable[[int, int], int | None]


def with_gap_places(items: Items, table: Table, row_of: RowOf) -> Items:
    """The same items, with the lines of the first outcomes, and of the first scores, that are missing."""
    gaps = {tuple(gap) for gone in (np.isnan(items.values), _without_score(items)) for gap in np.argwhere(gone)[:SHOWN]}
    if not gaps:
        return items
    places: Mapping[tuple[str, str], str] = {
        (items.learners[k], items.items[i]): _said(table, row_of(int(k), int(i))) for k, i in sorted(gaps)
    }
    return replace(items, gap_places=places)


def _without_score(items: Items) -> Flags:
    """(learners, items): whether a probability or a decision score is missing."""
    if items.probabilities is not None:
        return np.stack([np.isnan(items.probabilities[name]).any(axis=1) for name in items.learners])
    if items.decisions is not None:
        return np.isnan(np.stack([items.decisions[name] for name in items.learners]))
    return np.zeros((0, 0), dtype=bool)


def _said(table: Table, row: int | None) -> str:
    return "no row" if row is None else table.row_place(row)
