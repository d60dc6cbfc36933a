"""The search for a split as compiled loops (extra ``fast``); ``tree_lists`` has the lists of rows that it reads."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need
from bestofk.replications.multitest.tree_lists import LABEL, RANK, ROW, ROW_BITS

numba = need("numba", purpose="the compiled kernel of the paper's tree")

# A tie within 1e-8 bits goes to the first column (plain path: tree_plain.TIE).
TIE = 1e-8


def _level_entropy(codes: Any, rows: Any, y: Any, start: int, end: int, counts: Any, xlogx: Any) -> float:
    """Entropy (times cases) left after a split into levels, or infinity when only one level is there."""
    counts[:] = 0
    levels, classes = counts.shape
    for place in range(start, end):
        row = rows[place]
        counts[codes[row], y[row]] += 1
    left, kinds = 0.0, 0
    for level in range(levels):
        cases = 0
        for label in range(classes):
            cases += counts[level, label]
            left -= xlogx[counts[level, label]]
        left += xlogx[cases]
        if cases > 0:
            kinds += 1
    return left if kinds > 1 else np.inf


def _best_cut(
    values: Any, listed: Any, usual: int, y: Any, span: Any, totals: Any, below: Any, block: Any, xlogx: Any, steps: Any
) -> Any:
    """Entropy (times cases) left after the best cut of a number column, and the cut: the lowest on a tie.

    ``listed`` are the rows in ascending order (see ``list_rows``) but for those with the ``usual`` value, which are
    counted in one go. Infinity when all rows have one value.
    """
    start, end = span
    cases, high = 0, 0.0
    for label in range(len(totals)):
        below[label] = 0
        cases += totals[label]
        high += xlogx[totals[label]]
    together, middle = cases - (end - start), end
    if together > 0:
        block[:] = totals
        for place in range(start, end):
            block[(listed[place] >> ROW_BITS) & LABEL] -= 1
        middle = start
        while middle < end and listed[middle] < usual:
            middle += 1
    state: Any = (np.inf, 0.0, 0.0, high, 0, np.int64(0))
    if len(totals) == 2:
        state = _scan_of_two(values, listed, start, middle, cases, totals, below, xlogx, steps, state)
    else:
        state = _scan(values, listed, start, middle, cases, totals, below, xlogx, steps, state)
    if together > 0:
        best, cut, low, high, taken, here = state
        if taken > 0:
            left = xlogx[taken] + xlogx[cases - taken] - low - high
            if left < best - TIE * cases:
                best, cut = left, _between(values, here, usual)
        for label in range(len(totals)):
            few, many, some = below[label], totals[label] - below[label], block[label]
            low += xlogx[few + some] - xlogx[few]
            high += xlogx[many - some] - xlogx[many]
            below[label] += some
        state = (best, cut, low, high, taken + together, usual)
        if len(totals) == 2:
            state = _scan_of_two(values, listed, middle, end, cases, totals, below, xlogx, steps, state)
        else:
            state = _scan(values, listed, middle, end, cases, totals, below, xlogx, steps, state)
    return state[0], state[1]


def _between(values: Any, here: int, there: int) -> Any:
    """The middle between the values of two listed rows; the lower one where there is no number between them."""
    under, over = values[here & ROW], values[there & ROW]
    cut = under + (over - under) / 2
    return cut if cut < over else under


def _scan(
    values: Any,
    listed: Any,
    start: int,
    end: int,
    cases: int,
    totals: Any,
    below: Any,
    xlogx: Any,
    steps: Any,
    state: Any,
) -> Any:
    """Go through rows in ascending order and try the cut before each whose value is another one than the last.

    ``steps[k]`` is ``xlogx[k] − xlogx[k − 1]``.
    """
    best, cut, low, high, taken, here = state
    more, own = steps[1:], listed[start:end]
    enough = best - TIE * cases
    for place in range(len(own)):
        there = own[place]
        # Indices without a sign: no look whether to count from the end.
        left = xlogx[np.uint64(taken)] + xlogx[np.uint64(cases - taken)] - low - high
        if left < enough and (there ^ here) >> RANK and taken > 0:  # the rare one first: it is foreseen
            best, enough, cut = left, left - TIE * cases, _between(values, here, there)
        label = np.uint64((there >> ROW_BITS) & LABEL)
        few = below[label]
        low += more[np.uint64(few)]
        high -= steps[np.uint64(totals[label] - few)]
        below[label] = few + 1
        taken += 1
        here = there
    return best, cut, low, high, taken, here


def _scan_of_two(
    values: Any,
    listed: Any,
    start: int,
    end: int,
    cases: int,
    totals: Any,
    below: Any,
    xlogx: Any,
    steps: Any,
    state: Any,
) -> Any:
    """The same for two classes: what is below the cut is counted without a look at memory."""
    best, cut, low, high, taken, here = state
    more, own = steps[1:], listed[start:end]
    enough = best - TIE * cases
    second, all_second, all_first = below[1], totals[1], totals[0]
    for place in range(len(own)):
        there = own[place]
        left = xlogx[np.uint64(taken)] + xlogx[np.uint64(cases - taken)] - low - high
        if left < enough and (there ^ here) >> RANK and taken > 0:
            best, enough, cut = left, left - TIE * cases, _between(values, here, there)
        label = (there >> ROW_BITS) & LABEL
        first = taken - second
        few = first + label * (second - first)
        low += more[np.uint64(few)]
        high -= steps[np.uint64(all_first + label * (all_second - all_first) - few)]
        second += label
        taken += 1
        here = there
    below[0], below[1] = taken - second, second
    return best, cut, low, high, taken, here


def _best_split(
    numbers: Any,
    codes: Any,
    levels: Any,
    columns: Any,
    y: Any,
    rows: Any,
    listed: Any,
    usual: Any,
    node: Any,
    work: Any,
) -> Any:
    """Column that leaves the least entropy in a node (−1: none parts it), and its cut; the first on a tie.

    A column with one value in the node has one in every node below it: it is no longer alive.
    """
    start, end, spans, alive = node
    totals, below, block, counts, xlogx, steps = work
    best, chosen, cut = np.inf, -1, 0.0
    for column in range(len(columns)):
        if not alive[column]:
            continue
        where = columns[column]
        if where >= 0:
            left, at = _best_cut(
                numbers[where], listed[where], usual[where], y, spans[where], totals, below, block, xlogx, steps
            )
        else:
            left, at = _level_entropy(codes[~where], rows, y, start, end, counts[: levels[~where]], xlogx), 0.0
        if left == np.inf:
            alive[column] = False
        elif left < best - TIE * (end - start):
            best, chosen, cut = left, column, at
    return chosen, cut


_compiled = numba.njit(cache=True, nogil=True)
_level_entropy = _compiled(_level_entropy)
_between = _compiled(_between)
_scan = _compiled(_scan)
_scan_of_two = _compiled(_scan_of_two)
_best_cut = _compiled(_best_cut)
best_split: Any = _compiled(_best_split)
