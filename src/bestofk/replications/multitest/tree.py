"""The paper's "C4.5": entropy alone, grown until pure, pruned from the top down on a fifth of the training half."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.compiled import compiled_wanted
from bestofk.core.frozen import frozen
from bestofk.core.rng import Seed, generator
from bestofk.replications.multitest import tree_plain
from bestofk.replications.multitest.table import Fills, Labels, Table, filled, fills_of

#: Share of the training half that prunes.
HELD_OUT = 0.2


def held_out_rows(train: Flags, rng: Seed) -> Flags:
    """A fifth (rounded down) of each training half, plainly at random: (folds, rows)."""
    random = generator(rng, where="held_out_rows")
    held = np.zeros_like(train)
    for fold, half in enumerate(train):
        known = np.flatnonzero(half)
        held[fold, random.permutation(known)[: int(HELD_OUT * len(known))]] = True
    return held


def tree(table: Table, train: Flags, held_out: Flags, fills: Fills | None = None) -> Labels:
    """Predicted labels (folds, rows) by each of many training halves ``train`` (folds, rows).

    A split leaves the least entropy; on a tie the first column. Numbers are cut at a midpoint, nominal columns part
    into all declared levels, and an empty branch predicts the first class. A node becomes a leaf if that loses no
    correct held-out case, else its children are tried. Only the rows outside the training half are filled in.
    """
    (grown, cut_back, labelled), fills, view = _forms(), fills or fills_of(table, train), _View.of(table)
    levels = np.array(table.levels, dtype=np.int64)
    predicted = np.full(train.shape, -1, dtype=np.int64)
    for fold in range(len(train)):
        numbers, codes, order = view.filled(fills, fold)
        grown_on = train[fold] & ~held_out[fold]
        asked, pruning = np.flatnonzero(~train[fold]), np.flatnonzero(held_out[fold])
        rows = order[grown_on[order]].reshape(len(order), -1)
        nodes = grown(numbers, codes, levels, table.columns, table.y, table.classes, rows)
        leaves = cut_back(nodes, numbers, codes, table.columns, table.y, pruning)
        predicted[fold, asked] = labelled(nodes, leaves, numbers, codes, table.columns, asked)
    return predicted


def _forms() -> tuple[Callable[..., Any], ...]:
    """What grows, prunes and asks a tree: compiled loops, or their plain forms."""
    if not compiled_wanted():
        return tree_plain.grow, tree_plain.pruned, tree_plain.labels
    from bestofk.replications.multitest import tree_kernel

    return tree_kernel.grow, tree_kernel.pruned, tree_kernel.labels


@frozen(eq=False)
class _View:
    """Numbers and codes by column, and the rows sorted by each number column, then in file order."""

    table: Table
    numbers: Array
    codes: Labels
    order: npt.NDArray[np.int32]
    gaps: Labels
    missing: bool

    @classmethod
    def of(cls, table: Table) -> _View:
        file_order = np.arange(table.rows)[:, None]
        by_value = np.argsort(table.numbers, axis=0, kind="stable")
        order = np.hstack([by_value, file_order]).T.astype(np.int32, order="C")
        numbers, codes = np.ascontiguousarray(table.numbers.T), np.ascontiguousarray(table.codes.T)
        gaps, missing = np.flatnonzero(np.isnan(numbers).any(axis=1)), bool((codes < 0).any())
        return cls(table, numbers, codes, order, gaps, missing)

    def filled(self, fills: Fills, fold: int) -> tuple[Array, Labels, npt.NDArray[np.int32]]:
        """The same as a fold sees it; a column with gaps is sorted anew, since its fill moves."""
        if not len(self.gaps) and not self.missing:
            return self.numbers, self.codes, self.order
        by_row, codes_by_row = filled(self.table, fills, fold)
        numbers, codes = by_row.T.copy(), codes_by_row.T.copy()
        order = self.order.copy()
        for column in self.gaps:
            order[column] = np.argsort(numbers[column], kind="stable")
        return numbers, codes, order
