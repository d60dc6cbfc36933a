"""The paper's "C4.5": entropy alone, grown until pure, pruned from the top down on a fifth of the training half."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from bestofk.core.extras import available
from bestofk.core.names import unknown
from bestofk.core.rng import Seed, generator
from bestofk.replications.multitest.preparing import filled, fills_of
from bestofk.replications.multitest.table import Labels, Table
from bestofk.stats.arrays import Array, Flags

#: Share of the training half that prunes.
HELD_OUT = 0.2
BACKENDS = ("auto", "numpy", "numba")


def held_out_rows(train: Flags, rng: Seed) -> Flags:
    """A fifth (rounded down) of each training half, plainly at random: (folds, rows)."""
    random = generator(rng, where="held_out_rows")
    held = np.zeros_like(train)
    for fold, half in enumerate(train):
        known = np.flatnonzero(half)
        held[fold, random.permutation(known)[: int(HELD_OUT * len(known))]] = True
    return held


def tree(table: Table, train: Flags, held_out: Flags, backend: str = "auto") -> Labels:
    """Predicted labels (folds, rows) by each of many training halves ``train`` (folds, rows).

    A split leaves the least entropy; on a tie the first column. Numbers are cut at a midpoint, nominal columns part
    into all declared levels, and an empty branch predicts the first class. A node becomes a leaf if that loses no
    correct held-out case, else its children are tried. Only the rows outside the training half are filled in.
    """
    kernel, fills, order = _kernel(backend), fills_of(table, train), _file_order(table)
    levels = np.array(table.levels, dtype=np.int64)
    sizes = np.arange(table.rows + 1.0)
    xlogx = sizes * np.log2(np.maximum(sizes, 1.0))
    predicted = np.full(train.shape, -1, dtype=np.int64)
    for fold in range(len(train)):
        by_row, codes_by_row = filled(table, fills, fold)
        numbers, codes = by_row.T.copy(), codes_by_row.T.copy()
        grown_on = train[fold] & ~held_out[fold]
        rows, asked, pruning = (np.flatnonzero(part) for part in (grown_on, ~train[fold], held_out[fold]))
        sorted_rows = _sorted_rows(table, numbers, order, grown_on)
        nodes = kernel.grow(
            numbers, codes, levels, table.columns, table.y, table.classes, rows.copy(), sorted_rows, xlogx
        )
        leaves = kernel.pruned(nodes, numbers, codes, table.columns, table.y, pruning)
        predicted[fold, asked] = kernel.labels(nodes, leaves, numbers, codes, table.columns, asked)
    return predicted


def _kernel(backend: str) -> ModuleType:
    if backend not in BACKENDS:
        raise unknown(backend, BACKENDS, what="backend", where="the paper's tree, argument backend")
    if backend == "numba" or (backend == "auto" and available("numba")):
        from bestofk.replications.multitest import tree_kernel

        return tree_kernel
    from bestofk.replications.multitest import tree_plain

    return tree_plain


def _file_order(table: Table) -> Labels:
    """Rows of the file sorted by each number column: (columns, rows)."""
    return np.argsort(table.numbers, axis=0, kind="stable").T


def _sorted_rows(table: Table, numbers: Array, order: Labels, grown_on: Flags) -> Labels:
    """Rows to grow on, sorted by each number column; a column with gaps is sorted anew, since its fill moves."""
    order = order.copy()
    for column in np.flatnonzero(np.isnan(table.numbers).any(axis=0)):
        order[column] = np.argsort(numbers[column], kind="stable")
    return order[grown_on[order]].reshape(len(order), int(grown_on.sum()))
