"""Counts, medians and unseen categories of training rows, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled counts of shared folds")


def _most_frequent(y: Any, train: Any, counts: Any) -> int:
    counts[:] = 0
    for place in range(train.shape[0]):
        counts[y[train[place]]] += 1
    best = 0
    for code in range(1, counts.shape[0]):
        if counts[code] > counts[best]:
            best = code
    return best


def _times(train: Any, rows: int) -> Any:
    times = np.zeros(rows, dtype=np.int64)
    for place in range(train.shape[0]):
        times[train[place]] += 1
    return times


def _medians(starts: Any, order: Any, values: Any, times: Any) -> Any:
    """Medians of sorted columns, the rows of column k at ``starts[k]`` and on; 0 where no training row has a value."""
    found = np.zeros(starts.shape[0] - 1)
    for column in range(found.shape[0]):
        total = 0
        for place in range(starts[column], starts[column + 1]):
            total += times[order[place]]
        if total == 0:
            continue
        low, high, up_to, at = (total - 1) // 2, total // 2, 0, starts[column]
        while up_to + times[order[at]] <= low:
            up_to += times[order[at]]
            at += 1
        lower = values[at]
        while up_to + times[order[at]] <= high:
            up_to += times[order[at]]
            at += 1
        found[column] = (lower + values[at]) / 2
    return found


def _seen(starts: Any, order: Any, times: Any) -> Any:
    """Whether some training row has the category; most are found at the first row or two."""
    found = np.zeros(starts.shape[0] - 1, dtype=np.bool_)
    for level in range(found.shape[0]):
        for place in range(starts[level], starts[level + 1]):
            if times[order[place]] > 0:
                found[level] = True
                break
    return found


def _modes(levels: Any, sizes: Any, times: Any) -> Any:
    """The most frequent category of each column, the first of equals; -1 where all are missing."""
    found = np.full(levels.shape[1], -1)
    for column in range(levels.shape[1]):
        counts = np.zeros(sizes[column], dtype=np.int64)
        for row in range(levels.shape[0]):
            if times[row] > 0 and levels[row, column] >= 0:
                counts[levels[row, column]] += times[row]
        if counts.max() > 0:
            found[column] = counts.argmax()
    return found


_compiled = numba.njit(cache=True, nogil=True)
most_frequent: Any = _compiled(_most_frequent)
times_of: Any = _compiled(_times)
medians: Any = _compiled(_medians)
seen: Any = _compiled(_seen)
modes: Any = _compiled(_modes)
