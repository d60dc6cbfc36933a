"""The search for a split as compiled loops (extra ``fast``), and the lists of rows that it reads."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled kernel of the paper's tree")
_compiled = numba.njit(cache=True, nogil=True)

# Share of the rows that must have the usual value of a column for it to be left out of the list.
WORTH_IT = 0.25
# A listed row is rank << RANK | class << ROW_BITS | row.
ROW_BITS, RANK = 24, 32
ROW, LABEL = (1 << ROW_BITS) - 1, (1 << (RANK - ROW_BITS)) - 1


def _part_in_two(listed: Any, child: Any, span: Any, impure: Any, spans: Any, buffer: Any) -> None:
    """Deal to two children: every row is written to both, and only the one that it belongs to goes on."""
    own = listed[span[0] : span[1]]
    left: Any = 0
    right: Any = 0
    for place in range(len(own)):
        entry = own[place]
        branch = np.int64(child[np.uint64(entry & ROW)])
        own[np.uint64(left)] = entry
        buffer[np.uint64(right)] = entry
        left += 1 - branch
        right += branch
    spans[0, 0], spans[0, 1] = span[0], span[0] + left
    first = span[0] + (left if impure[0] else 0)
    spans[1, 0], spans[1, 1] = first, first + right
    if impure[1]:
        listed[first : first + right] = buffer[:right]


def _part(listed: Any, child: Any, span: Any, branches: int, impure: Any, places: Any, spans: Any, buffer: Any) -> None:
    """Deal the listed rows of a column to the children that will be parted further, and say where they are."""
    if branches == 2:
        _part_in_two(listed, child, span, impure, spans, buffer)
        return
    places[:branches] = 0
    for place in range(span[0], span[1]):
        places[child[listed[place] & ROW]] += 1
    first = span[0]
    for branch in range(branches):
        count = places[branch]
        places[branch] = first if impure[branch] else -1
        spans[branch, 0], spans[branch, 1] = first, first + count
        first += count if impure[branch] else 0
    for place in range(span[0], span[1]):
        branch = child[listed[place] & ROW]
        at = places[branch]
        if at >= 0:
            buffer[at] = listed[place]
            places[branch] = at + 1
    listed[span[0] : first] = buffer[span[0] : first]


def _list_rows(numbers: Any, order: Any, y: Any, listed: Any, usual: Any, spans: Any) -> None:
    """Rows of every column in ascending order, but for the longest run of equal values: the usual one.

    A row is one number: the rank of its value, its class and its place in the file, so that all that a cut asks for
    stands side by side.
    """
    ends = np.empty(order.shape[1] + 1, np.int64)  # where the run of each rank ends
    for column in range(len(order)):
        values, own, ready = numbers[column], order[column], listed[column]
        last: Any = values[own[0]]
        rank: Any = 0
        for place in range(len(own)):
            row = np.uint64(own[place])
            rank += np.int64(values[row] != last)
            last = values[row]
            ends[np.uint64(rank)] = place + 1
            ready[place] = (rank << RANK) | (np.int64(y[row]) << ROW_BITS) | np.int64(own[place])
        start, best_start, best_end = 0, 0, 0
        for each in range(rank + 1):
            if ends[each] - start > best_end - best_start:
                best_start, best_end = start, ends[each]
            start = ends[each]
        if best_end - best_start < WORTH_IT * len(own):
            best_start, best_end = 0, 0  # nothing is left out
        usual[column] = ready[best_start]
        for place in range(best_end, len(own)):
            ready[best_start + place - best_end] = ready[place]
        spans[column, 0], spans[column, 1] = 0, len(own) - (best_end - best_start)


_part_in_two = _compiled(_part_in_two)
part: Any = _compiled(_part)
list_rows: Any = _compiled(_list_rows)


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


_level_entropy = _compiled(_level_entropy)
_between = _compiled(_between)
_scan = _compiled(_scan)
_scan_of_two = _compiled(_scan_of_two)
_best_cut = _compiled(_best_cut)
best_split: Any = _compiled(_best_split)
