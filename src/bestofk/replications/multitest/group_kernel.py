"""Groups of nominal columns in the compiled descent (extra ``fast``): entries added to outputs, residuals summed up.

Rows stand in the order of the first group's codes, so that this group needs no look at the table but one per run. The
sums of the others go to four tables in turn: a sum need not wait for the one before it when both have the same entry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled kernel of the paper's logistic learner")

#: Tables that the sums of an entry are spread over.
LANES = 4
#: Runs shorter than this on average are not worth a loop of their own.
SHORT = 6


def _ends_of_runs(codes: Any) -> Any:
    """For every row where the run of its code in the first group ends; no rows: the runs are too short to be used."""
    rows = codes.shape[1]
    ends, runs = np.empty(rows, np.int64), 0
    if len(codes) == 0:
        return ends[:0]
    for i in range(rows - 1, -1, -1):
        same = i + 1 < rows and codes[0, i] == codes[0, min(i + 1, rows - 1)]
        ends[i] = ends[i + 1] if same else i + 1
        runs += 0 if same else 1
    return ends if runs * SHORT <= rows else ends[:0]


def _add_runs(codes: Any, ends: Any, start: int, table: Any, out: Any) -> None:
    place = 0
    while place < len(out):
        stop = min(ends[start + place] - start, len(out))
        value, own = table[codes[place]], out[place:stop]
        for i in range(len(own)):
            own[i] += value
        place = stop


def _sum_runs(codes: Any, ends: Any, start: int, out: Any, added: Any) -> None:
    place = 0
    while place < len(out):
        stop = min(ends[start + place] - start, len(out))
        own, total = out[place:stop], 0.0
        for i in range(len(own)):
            total += own[i]
        added[codes[place]] += total
        place = stop


def _add_looked_up(codes: Any, table: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] += table[codes[i]]


def _sum_looked_up(codes: Any, out: Any, added: Any) -> None:
    one, two, three, four = added[0], added[1], added[2], added[3]
    whole = len(out) // LANES * LANES
    for i in range(0, whole, LANES):
        one[codes[i]] += out[i]
        two[codes[i + 1]] += out[i + 1]
        three[codes[i + 2]] += out[i + 2]
        four[codes[i + 3]] += out[i + 3]
    for i in range(whole, len(out)):
        one[codes[i]] += out[i]


def _add_entries(codes: Any, ends: Any, start: int, n: int, table: Any, out: Any) -> None:
    """Add the entries of ``table`` (classes, entries) to the outputs (classes, CHUNK) of the rows from ``start`` on."""
    for group in range(len(codes)):
        own = codes[group, start : start + n]
        for c in range(len(table)):
            if group == 0 and len(ends):
                _add_runs(own, ends, start, table[c], out[c, :n])
            else:
                _add_looked_up(own, table[c], out[c, :n])


def _sum_entries(codes: Any, ends: Any, start: int, n: int, out: Any, added: Any) -> None:
    """Add the residuals (classes, CHUNK) of the rows from ``start`` on to ``added`` (classes, LANES, entries)."""
    for group in range(len(codes)):
        own = codes[group, start : start + n]
        for c in range(len(added)):
            if group == 0 and len(ends):
                _sum_runs(own, ends, start, out[c, :n], added[c, 0])
            else:
                _sum_looked_up(own, out[c, :n], added[c])


_fast = numba.njit(cache=True, nogil=True, fastmath={"nnan", "nsz", "contract", "reassoc"})
ends_of_runs: Any = _fast(_ends_of_runs)
_add_runs = _fast(_add_runs)
_sum_runs = _fast(_sum_runs)
_add_looked_up = _fast(_add_looked_up)
_sum_looked_up = _fast(_sum_looked_up)
add_entries: Any = _fast(_add_entries)
sum_entries: Any = _fast(_sum_entries)
