"""Counts, medians and unseen categories of training rows in numpy, where there is no numba."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np


def most_frequent(y: Any, train: Any, counts: Any) -> int:
    """The code that most training rows have, the lowest of equals."""
    return int(np.bincount(y[train], minlength=len(counts)).argmax())


def times_of(train: Any, rows: int) -> Any:
    """How often each row is trained on."""
    return np.bincount(train, minlength=rows)


def medians(starts: Any, order: Any, values: Any, times: Any) -> Any:
    """Medians of sorted columns, the rows of column k at ``starts[k]`` and on; 0 where no training row has a value."""
    parts = [slice(start, stop) for start, stop in pairwise(starts.tolist())]
    return np.array([_median(values[part], times[order[part]]) for part in parts])


def seen(starts: Any, order: Any, times: Any) -> Any:
    """Whether some training row has the category."""
    reached = np.append(0, np.cumsum(times[order] > 0))
    return reached[starts[1:]] > reached[starts[:-1]]


def modes(levels: Any, sizes: Any, times: Any) -> Any:
    """The most frequent category of each column, the first of equals; -1 where all are missing."""
    found = np.full(levels.shape[1], -1)
    for column, size in enumerate(sizes):
        known = levels[:, column] >= 0
        counts = np.bincount(levels[known, column], weights=times[known], minlength=size)
        if counts.any():
            found[column] = counts.argmax()
    return found


def _median(values: Any, times: Any) -> float:
    up_to = np.cumsum(times)
    total = int(up_to[-1]) if len(up_to) else 0
    if not total:
        return 0.0
    low, high = np.searchsorted(up_to, [(total - 1) // 2, total // 2], side="right")
    return float((values[low] + values[high]) / 2)
